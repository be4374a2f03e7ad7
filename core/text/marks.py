"""How what is not plain, valid text of a document stands in its stored text, and how it is told there.

Files show deletions struck through, notes in the margin, quoted mail behind a bar, notes below a line. Stored
text is plain, so it says the same in words that people, searches and models read alike:

    [deleted: EUR 1,900 per day]    [comment by Ada: check this]    [footnote 2: net of tax]
    [header: Draft]    [footer: Page 1]    [x] agreed    [ ] declined    > what an older mail said
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

MarkKind = Literal["deleted", "comment", "header", "footer", "footnote", "endnote", "label", "quoted", "head"]
"""head: the lines of a mail with sender, recipients, day and subject. label: words that wait for a value."""

INVALID: frozenset[MarkKind] = frozenset({"deleted", "comment"})
"""Kinds that are no statement of the document."""

_MARK = re.compile(r"\[(deleted|comment|header|footer|footnote|endnote)\b([^:\]\n]{0,80}): ([^\[\]]*)\]")
_LOOK = re.compile(r"\[(?=(?:deleted|comment|header|footer|footnote|endnote)\b[^:\]\n]{0,80}: )")
_RAISED = str.maketrans("0123456789+-\N{MINUS SIGN}=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-\N{MINUS SIGN}=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_UNRAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_NOTE_MARK = re.compile(r"(?<=[\d.,%)])[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?![⁰¹²³⁴⁵⁶⁷⁸⁹])")
_BOX = re.compile(r"\[ \] *(?=[^\s\[|])[^\n\[|]*|\[x\](?= *[^\s\[|])")
_CELL_NOTE = re.compile(
    r"(?:(?<=[\d.,%)])(?<!\b10)[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}⁾)\s*\Z"
)  # 10⁵ is a number
_RAISABLE = re.compile(r"[\d+\-\N{MINUS SIGN}=(),. n]+", re.ASCII)
_CELLS = " | "
_RULE = frozenset("|:- ")  # signs of the line that Markdown has below the names of columns
_BRACKETS = str.maketrans("[]", "()")
_PIECE = re.compile(r"(?:\S+ ){0,59}\S+")  # words of one mark: a long one would be cut between passages
_HEAD = re.compile(r"\s*(?:(?:From|To|Cc|Date|Subject): .*(?:\n|\Z)){2,}")
_LABEL = re.compile(r"[^\n|]{1,120}?(?::|[:.\u2026 |][_.\u2026]{3,})\s*")
_NAMED: tuple[tuple[MarkKind, re.Pattern[str]], ...] = (
    ("deleted", re.compile(r"\b(?:delet|struck|strike|crossed|former|previous)", re.I)),
    ("comment", re.compile(r"\b(?:comment|remark|annotat|in the margin|reviewer)", re.I)),
    ("label", re.compile(r"\b(?:columns?|heads?|labels?|fields?|forms?|blank|empty|filled)\b", re.I)),
    ("quoted", re.compile(r"\b(?:quot(?:ed|ation)|earlier|older|previous|original)\b", re.I)),
    (
        "head",
        re.compile(
            r"\b(?:sen[dt]s?|sender|writes?|wrote|written|repl(?:y|ies|ied)|received?|recipients?|forwarded"
            r"|address(?:ed|ees?)|e-?mail address|subject|copied|cc|dated|who|whom|whose)\b"
            r"|\b(?:date|day) of (?:the|this|that|his|her) (?:e-?mail|message)\b|\bfrom (?:who|which)",
            re.I,
        ),
    ),
)


def mark(kind: MarkKind, text: str, of: str = "") -> str:
    """`[kind of: text]` in one line; "" for blank text. of: whose comment, which footnote.

    Long deletions and comments are several marks, so that each piece of a passage says what it is.
    """
    words = " ".join(text.translate(_BRACKETS).split())
    name = " ".join(of.translate(_BRACKETS).replace(":", " ").split())[:70]
    pieces = _PIECE.findall(words) if kind in INVALID else [words] if words else []
    return " ".join(f"[{kind}{' ' + name if name else ''}: {piece}]" for piece in pieces)


def plain(text: str) -> str:
    """The document's own words, of which none looks like a mark: `[ deleted: ...]`."""
    return _LOOK.sub("[ ", text) if "[" in text else text


def lookalikes(text: str) -> list[int]:
    """Offsets of brackets where the document's own words look like a mark."""
    return [found.start() for found in _LOOK.finditer(text)] if "[" in text else []


def tick(is_ticked: bool) -> str:
    """A box of a form as text."""
    return "[x]" if is_ticked else "[ ]"


BLANK = "____"
"""A field of a form that nobody filled in."""


def raised(text: str) -> str:
    """Superscript as Unicode has it, so that no digit is glued to the number before it: `10` + `5` is 10⁵.

    What has no such characters (letters of footnotes, ordinals) comes back as it is.
    """
    return text.translate(_RAISED) if _RAISABLE.fullmatch(text) else text


def unraised(text: str) -> str:
    """Raised digits as plain ones: of ⁻³ -3."""
    return text.translate(_UNRAISED)


def without_note_marks(text: str) -> str:
    """The text with spaces for raised digits behind a number: in amounts and days they are marks of notes."""
    return _NOTE_MARK.sub(lambda found: " " * len(found[0]), text)


def note_marks(text: str) -> frozenset[str]:
    """The numbers of the notes whose raised marks stand behind a number or the end of a sentence."""
    return frozenset(unraised(found[0]) for found in _NOTE_MARK.finditer(text))


def without_cell_note(cell: str) -> str:
    """A cell without the mark of a note at its end: of `$245²` `$245`; m² and 10⁵ stay."""
    return _CELL_NOTE.sub("", cell)


def lowered(text: str) -> str:
    """Subscript as Unicode has it, where it has: CO₂."""
    return text.translate(_LOWERED) if _RAISABLE.fullmatch(text) else text


def quoted(text: str) -> str:
    """Lines of an older mail, each behind `> `."""
    return "\n".join(f"> {line}" if line.strip() else ">" for line in text.splitlines())


def blanked(text: str, but: Collection[MarkKind] = ()) -> str:
    """The text with deletions and comments as spaces: all else stays where it is. but: kinds that stay.

    For whoever reads values or evidence: what is deleted is no statement of the document.
    """
    if "[" not in text:
        return text
    gone = INVALID.difference(but)
    return _MARK.sub(lambda found: " " * len(found[0]) if found[1] in gone else found[0], text)


def holds_mark(kind: MarkKind, text: str) -> bool:
    """True where some words of a text are of that kind."""
    return any(found[1] == kind for found in _MARK.finditer(text))


def unnamed(text: str) -> str:
    """The text with spaces for what marks are called: of `[footnote 2: net of tax]` the words of the note."""
    if "[" not in text:
        return text
    return _MARK.sub(lambda found: " " * (len(found[0]) - len(found[3]) - 1) + found[3] + " ", text)


def undivided(text: str) -> list[tuple[int, int]]:
    """Where no sentence ends: in a head, in the brackets of a mark, right behind what is no statement."""
    head = _HEAD.match(text)
    spans = [] if head is None else [(head.start(), head.end())]
    if "[" not in text:
        return spans
    for found in _MARK.finditer(text):
        end = found.end()
        while found[1] in INVALID and text.startswith(" ", end):
            end += 1
        spans.append((found.start(), end + (found[1] in INVALID)))
    return spans


def chosen(text: str) -> str:
    """The text with spaces for boxes, and for what stands at those that are not ticked: all else stays.

    A text without a ticked box stays as it is: of a contract `[ ]` is a blank.
    """
    return _BOX.sub(lambda found: " " * len(found[0]), text) if "[x]" in text else text


_MEANINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"\[[x ]\]"),
        "[x] is a box that is ticked, [ ] one that is not: what stands at it is not chosen",
    ),
    (re.compile(r"\[deleted\b"), "[deleted: ...] was struck out and holds no more"),
    (re.compile(r"\[comment\b"), "[comment by A: ...] is what A remarks on the text, and none of it"),
    (re.compile(r"\[(?:header|footer)\b"), "[header: ...] and [footer: ...] stand on every page"),
    (
        re.compile(r"\[(?:foot|end)note\b"),
        "[footnote 2: ...] is the note to what has a raised 2 (\u00b2) behind it",
    ),
    (re.compile(r"^>", re.M), "lines behind > quote an older message"),
    (re.compile(r"_{4}"), "____ is a blank that nobody filled in"),
)


def meanings(text: str) -> str:
    """Meanings of the marks that stand in a text, for whom reads it; "" where none does."""
    told = [meaning for pattern, meaning in _MEANINGS if pattern.search(text)]
    return f"Marks in it: {'; '.join(told)}." if told else ""


def kind_at(text: str, start: int, end: int) -> MarkKind | None:
    """The kind of what characters [start, end) are; None for plain text. text: of a page."""
    line = text.rfind("\n", 0, start) + 1
    for found in _MARK.finditer(text, line):
        if found.start() >= end:
            break
        if found.start() <= start and end <= found.end():
            return found[1]  # type: ignore[return-value]
    if text.startswith(">", line):
        return "quoted"
    head = _HEAD.match(text)
    if head is not None and start < head.end():
        return "head"
    return "label" if _LABEL.fullmatch(text[start:end].strip()) or _is_head_row(text, start, end) else None


def _is_head_row(text: str, start: int, end: int) -> bool:
    """True of the names of a table's columns: the first of its rows, without a figure."""
    first = text.rfind("\n", 0, start) + 1
    row = text[first : (text + "\n").index("\n", end)]
    above = text[:first].rstrip("\n").rpartition("\n")[2]
    below = text[first + len(row) + 1 :].partition("\n")[0]
    is_table = _CELLS in below or {"|", "-"} <= set(below) <= _RULE
    is_first = _CELLS in row and is_table and (_CELLS not in above or text[:first].endswith("\n\n"))
    return is_first and not any(map(str.isdigit, row))


HEAD_WORDS = "sent sender wrote written received dated mail"
"""Words of questions that the head of a mail answers without having them."""


def kinds_named(question: str) -> frozenset[MarkKind]:
    """The kinds that a question speaks of: what was deleted, who sent it. They answer it like plain text."""
    return frozenset(kind for kind, words in _NAMED if words.search(question))
