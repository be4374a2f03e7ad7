"""Places in a page's text for what stands beside it: values of fields, notes, lines through words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.ingest.pdf.glyphs import Glyphs, PlacedWord
from core.ingest.pdf.xfa import spaced
from core.ingest.pdfium.base import Bounds, NoteKind, PageNote
from core.text.marks import BLANK, lookalikes, mark, plain, tick

_BREAK = "\r\n"
_FIELDS = (NoteKind.TEXT_FIELD, NoteKind.CHOICE)
_BESIDE = 260.0  # points from a label to its field
_CLOSE = 40.0  # points from a box to words behind it
_ABOVE = 26.0
_TALLEST = 60.0  # points from the middle of a word to a line through it
_LOW, _HIGH = 0.3, 0.62  # of a word's height, where such a line is drawn
_LEVEL = 0.25  # of its height; a fraction has words above and below its line
_OVERSHOOT = 0.4  # of its height, that the line goes on beside the words
_COVERED = 0.6  # of the line, that words cover
_MOST_ABOVE = 400  # words that are looked at for a line above
_FIELD_PART = re.compile(r"\[\d+\]|^#?(?:subform|topmostsubform|form\d*|page\d*)$", re.IGNORECASE)
_STANDARD_STAMPS = re.compile(r"(?:SB|SH)?([A-Z][A-Za-z]+)")


@dataclass(slots=True)
class Inserts:
    """Texts to stand before characters of the raw text, each with its place on the page.

    at: by index, in order; the index of the end holds what comes after all. struck: runs that are marked as
    deleted; nothing else comes to stand within them.
    """

    at: dict[int, list[tuple[str, Bounds]]] = field(default_factory=lambda: defaultdict(list))
    struck: list[tuple[int, int]] = field(default_factory=list)

    def add(self, index: int, text: str, box: Bounds) -> None:
        """Let `text` stand before character `index`."""
        run = next((run for run in self.struck if run[0] <= index < run[1]), None)
        if run is not None and index == run[0]:
            self.at[index].insert(-1, (text, box))
        else:
            self.at[index if run is None else run[1]].append((text, box))

    def strike(self, start: int, end: int, box: Bounds) -> None:
        """Mark characters as deleted; runs that overlap one that is marked stay as they are."""
        if not any(first < end and start < last for first, last in self.struck):
            self.at[start].append(("[deleted: ", box))
            self.at[end].insert(0, ("]", box))
            self.struck.append((start, end))


def place_notes(glyphs: Glyphs, notes: Sequence[PageNote], shown: dict[int, str]) -> Inserts:
    """Places of the words of fields and notes; shown: by place in `notes`, what the page draws there."""
    inserts = Inserts()
    for at in lookalikes(glyphs.raw):
        inserts.add(at + 1, " ", glyphs.at(at) or Bounds(0, 0, 0, 0))
    for note in notes:
        if note.kind is NoteKind.STRIKE_OUT:
            _strike(glyphs, inserts, note)
    fields = [note.box for note in notes if note.kind in _FIELDS]
    order = sorted(range(len(notes)), key=lambda at: (-round(notes[at].box.y1), notes[at].box.x0))
    for at in order:
        note = notes[at]
        match note.kind:
            case NoteKind.BOX:
                _place_box(glyphs, inserts, note)
            case NoteKind.COMMENT | NoteKind.STRIKE_OUT:
                _place_comment(glyphs, inserts, note)
            case NoteKind.FILE | NoteKind.MEDIA:
                pass
            case _:
                text = value_of(note, shown.get(at, ""))
                if text and note.kind is NoteKind.STAMP:
                    _place_line(glyphs, inserts, text, note.box)
                elif text or note.kind in _FIELDS:
                    _place_value(glyphs, inserts, text, note, fields)
    return inserts


def lines_through_words(glyphs: Glyphs, strokes: Sequence[Bounds]) -> list[PageNote]:
    """Strokes that are drawn through the middle of words, from the first one's edge to the last one's.

    Lines of tables and below words run elsewhere or further.
    """
    found = []
    for stroke in strokes:
        words = [
            word.box
            for word in glyphs.words_between(stroke.middle - _TALLEST, stroke.middle + _TALLEST)
            if word.box.x1 > stroke.x0 and word.box.x0 < stroke.x1
            and _LOW < (stroke.middle - word.box.y0) / word.box.height < _HIGH
            and any(map(str.isalnum, glyphs.raw[word.start : word.end]))
        ]  # fmt: skip
        if not words:
            continue
        around = words[0]
        for box in words[1:]:
            around = around.union(box)
        reach = _OVERSHOOT * words[0].height
        is_level = all(abs(box.middle - words[0].middle) < _LEVEL * words[0].height for box in words)
        is_within = stroke.x0 > around.x0 - reach and stroke.x1 < around.x1 + reach
        covered = sum(min(box.x1, stroke.x1) - max(box.x0, stroke.x0) for box in words)
        if is_level and is_within and covered > _COVERED * (stroke.x1 - stroke.x0):
            quad = Bounds(stroke.x0, around.y0, stroke.x1, around.y1)
            found.append(PageNote(NoteKind.STRIKE_OUT, quad, quads=(quad,)))
    return found


def value_of(note: PageNote, shown: str) -> str:
    """What is to stand for a field or a note; where its value is not what the page shows, both.

    A stamp without words is called by its name: Approved, Draft.
    """
    return plain(_value_of(note, shown))


def _value_of(note: PageNote, shown: str) -> str:
    if note.kind in _FIELDS:
        return f"{note.text} (shown: {shown})" if is_contradiction(note, shown) else note.text
    if note.text or shown:
        return shown or note.text if note.kind is NoteKind.STAMP else note.text or shown
    standard = _STANDARD_STAMPS.fullmatch(note.label) if note.kind is NoteKind.STAMP else None
    return spaced(standard[1]) if standard else ""


def is_contradiction(note: PageNote, shown: str) -> bool:
    """True where a page shows other words for a field than the value that it holds."""
    value, drawn = _bare(note.text), _bare(shown)
    is_legible = bool(drawn) and "\ufffd" not in shown
    return note.kind is NoteKind.TEXT_FIELD and is_legible and drawn not in value and value not in drawn


def label_of(note: PageNote) -> str:
    """The tooltip or name of a field in words: of a path the last part that says something."""
    parts = [part for raw in note.label.split(".") if (part := _FIELD_PART.sub("", raw).strip())]
    name = note.label if " " in note.label.strip() else parts[-1] if parts else note.label
    return " ".join(spaced(name).split())[:200].rstrip(":")


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _row(glyphs: Glyphs, box: Bounds) -> Iterable[PlacedWord]:
    """Words on the height of a rectangle; of a tall one, at its top too."""
    reach = max(3.0, 0.25 * box.height)
    return glyphs.words_between(box.y0 - reach, box.y1 + reach)


def _before(glyphs: Glyphs, box: Bounds) -> tuple[PlacedWord, float] | None:
    """The word that ends nearest before a rectangle on its height, and how far."""
    near = [
        (box.x0 - word.box.x1, -word.box.middle, word)
        for word in _row(glyphs, box)
        if word.box.x1 <= box.x0 + min(6.0, 0.3 * (box.x1 - box.x0))
    ]
    if not near:
        return None
    distance, _, word = min(near, key=lambda each: each[:2])
    return (word, distance) if distance <= _BESIDE else None


def _behind(glyphs: Glyphs, box: Bounds) -> tuple[PlacedWord, float] | None:
    near = [(word.box.x0 - box.x1, word) for word in _row(glyphs, box) if word.box.x0 >= box.x1 - 3]
    if not near:
        return None
    distance, word = min(near, key=lambda each: each[0])
    return (word, distance) if distance <= _CLOSE else None


def _above(glyphs: Glyphs, box: Bounds) -> PlacedWord | None:
    """The last word of the label right above a rectangle."""
    near = [
        word
        for word in glyphs.words_between(box.y1 - 2, box.y1 + _ABOVE)
        if word.box.x0 < box.x1 and word.box.x1 > box.x0 - 4
    ]
    if not near:
        return None
    lowest = min(word.box.middle for word in near)
    line = [word for word in near if word.box.middle <= lowest + 0.5 * word.box.height]
    return max(line, key=lambda word: word.end)


def _place_value(
    glyphs: Glyphs, inserts: Inserts, text: str, note: PageNote, fields: Sequence[Bounds]
) -> None:
    """A value, or a blank, behind its label on its line, or on the one above; else with its name at the end.

    fields: rectangles of all fields; a label belongs to the first one behind it.
    """
    before = _before(glyphs, note.box)
    is_others = (
        before is not None
        and before[1] > _CLOSE
        and any(
            before[0].box.x1 <= other.x0 and other.x1 <= note.box.x0 and _is_beside(other, note.box)
            for other in fields
        )
    )
    above = _above(glyphs, note.box) if before is None or is_others else None
    word = above or (before[0] if before else None)
    text = text or BLANK
    if word is not None:
        is_label = word.end == word.line_end and glyphs.raw[word.end - 1].isalnum()
        inserts.add(
            word.end, f": {text}" if is_label and word.end not in inserts.at else f" {text}", note.box
        )
    elif note.kind is NoteKind.FREE_TEXT:
        _place_line(glyphs, inserts, text, note.box)
    else:
        label = label_of(note)
        inserts.add(len(glyphs.raw), f"{_BREAK}{label}: {text}" if label else f"{_BREAK}{text}", note.box)


def _place_box(glyphs: Glyphs, inserts: Inserts, note: PageNote) -> None:
    """A tick beside the words that are nearest to it."""
    before, behind = _before(glyphs, note.box), _behind(glyphs, note.box)
    mark_of_box = tick(note.is_ticked)
    if behind and (before is None or behind[1] <= before[1]):
        inserts.add(behind[0].start, f"{mark_of_box} ", note.box)
    elif before:
        inserts.add(before[0].end, f" {mark_of_box}", note.box)
    else:
        inserts.add(len(glyphs.raw), f"{_BREAK}{mark_of_box} {label_of(note)}".rstrip(), note.box)


def _place_comment(glyphs: Glyphs, inserts: Inserts, note: PageNote) -> None:
    text = mark("comment", note.text, f"by {note.author}" if note.author else "")
    if not text:
        return
    boxes = note.quads or (note.box,)
    touched = [word for box in boxes for word in _row(glyphs, box) if _meets(word.box, box)]
    if touched and note.quads:
        inserts.add(max(touched, key=lambda word: word.end).end, f" {text}", note.box)
        return
    row = touched or list(_row(glyphs, note.box))
    if row:
        inserts.add(row[-1].line_end, f" {text}", note.box)
    else:
        _place_line(glyphs, inserts, text, note.box)


def _place_line(glyphs: Glyphs, inserts: Inserts, text: str, box: Bounds) -> None:
    """A line of its own below the nearest line above that stands over it, else the nearest at all."""
    above = glyphs.words_above(box.middle, _MOST_ABOVE)
    over = next((word for word in above if word.box.x0 < box.x1 and word.box.x1 > box.x0), None)
    word = over or (above[0] if above else None)
    if word is not None:
        inserts.add(word.line_end, f"{_BREAK}{text}", box)
    else:
        first = glyphs.lines[0][0] if glyphs.lines else 0
        inserts.add(first, f"{text}{_BREAK}", box)


def _is_beside(one: Bounds, other: Bounds) -> bool:
    return min(one.y1, other.y1) - max(one.y0, other.y0) > 0.3 * min(one.height, other.height)


def _meets(one: Bounds, other: Bounds) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    up = min(one.y1, other.y1) - max(one.y0, other.y0)
    return across > 0.2 * min(one.x1 - one.x0, other.x1 - other.x0) and up > 0.3 * min(
        one.height, other.height
    )


def _strike(glyphs: Glyphs, inserts: Inserts, note: PageNote) -> None:
    """Marks around the characters that a line goes through, line by line."""
    brackets = {"[": "(", "]": ")"}
    for quad in note.quads or (note.box,):
        struck = sorted(
            at for word in _row(glyphs, quad) if _meets(word.box, quad) for at in _under(glyphs, word, quad)
        )
        runs: list[list[int]] = []
        for at in struck:
            if runs and not glyphs.raw[runs[-1][1] : at].strip() and "\n" not in glyphs.raw[runs[-1][1] : at]:
                runs[-1][1] = at + 1
            else:
                runs.append([at, at + 1])
        for start, end in runs:
            glyphs.characters.update(
                (at, brackets[glyphs.raw[at]]) for at in range(start, end) if glyphs.raw[at] in brackets
            )
            inserts.strike(start, end, quad)


def _under(glyphs: Glyphs, word: PlacedWord, quad: Bounds) -> Sequence[int]:
    """The characters of a word that a line goes through; of most of one all, of a number all or none."""
    word_range = range(word.start, word.end)
    struck = [
        at
        for at in word_range
        if (box := glyphs.at(at)) is not None and quad.x0 - 0.5 <= (box.x0 + box.x1) / 2 <= quad.x1 + 0.5
    ]
    if 2 * len(struck) >= len(word_range):
        return word_range
    return [] if any(map(str.isdigit, glyphs.raw[word.start : word.end])) else struck
