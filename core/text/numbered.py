"""Places that a question names by number ("clause 3.2 (a)", "footnote 2"), and where a text has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from core.domain.document import Heading
from core.text.clause_numbers import DOTTED, WORDED

_WORDS = (
    r"clauses?|sections?|sec\.?|articles?|art\.?|paragraphs?|paras?\.?|chapters?|rules?|ziffer|abschnitt|artikel"
    r"|klausel|absatz"
)
_ANY_WORDS = r"points?|items?"  # of a contract with a dotted number, of a table with a bare one
_REFERENCE = re.compile(
    rf"\b(?P<note>foot|end)?notes?\s+(?P<mark>\d{{1,3}}|[ivxlc]{{1,7}}|[a-z*])(?![\w.]?\w)"
    rf"|(?:\b(?:{_WORDS})\s*|(?<!§)§+\s*)(?:no\.?\s*)?(?P<number>{WORDED})(?P<items>(?:\s?\(\w{{1,4}}\))*)(?![\w.]*\w)"
    rf"|\b(?:{_ANY_WORDS})\s+(?P<dotted>{DOTTED})(?P<more>(?:\s?\(\w{{1,4}}\))*)(?![\w.]*\w)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\((\w{1,4})\)")
_LEAD = rf"(?m)^[ \t#*>]*(?P<word>(?:{_WORDS})[ \t]+|§+[ \t]*)?"
_BEHIND = r"(?P<dot>[.):]*)(?=[\s\u2013\u2014-]|\Z)[^\S\n]*(?P<rest>\S?)"
_LABEL = re.compile(rf"{_LEAD}(?P<number>{WORDED}){_BEHIND}", re.IGNORECASE)
_MOST = 200  # lines that begin with one number on a page
_BLOCK = re.compile(r"\S(?:.|\n(?![ \t]*\n))*")
_SUB_ITEM = re.compile(r"\(?\w{1,4}[.)]\s|[-*\u2022\u2013]\s")
_OPEN = re.compile(r"[^.;!?\])]\Z")  # a title, or what leads in a list
_OTHER = re.compile(r"(?m)^[ \t]*(?:\[(?!deleted|[ x])\w|\|)|^[^\n]* \| ")  # a mark or a table
_ENDS = re.compile(r"\n\[(?:footer|header)\b")


@dataclass(frozen=True, slots=True)
class PlaceNumber:
    """A place by its number. kind: "clause", or the note's; items: the letters within it, outermost first."""

    kind: str
    number: str
    items: tuple[str, ...] = ()


def read_place_number(question: str) -> PlaceNumber | None:
    """The only place that a question names by number; None for none, and for several."""
    found = {_reference(each) for each in _REFERENCE.finditer(question)}
    return found.pop() if len(found) == 1 else None


def _reference(match: re.Match[str]) -> PlaceNumber:
    if match["mark"]:
        return PlaceNumber(f"{(match['note'] or 'foot').lower()}note", match["mark"].lower())
    items = _ITEM.findall(match["items"] or match["more"] or "")
    return PlaceNumber("clause", (match["number"] or match["dotted"]).upper(), tuple(map(str.lower, items)))


def find_places(reference: PlaceNumber, text: str, headings: Sequence[Heading] = ()) -> list[tuple[int, int]]:
    """Where the place stands in a page's text: its number counts whole, 3.2 is neither 3.20 nor 13.2.

    Lines of a table of contents count only where nothing else has the number.
    """
    if reference.kind != "clause":
        pattern = re.compile(rf"\[{reference.kind} {re.escape(reference.number)}: [^\]\n]*\]", re.IGNORECASE)
        return [match.span() for match in pattern.finditer(text)]
    levels = {heading.start: heading.level for heading in headings}
    found: list[tuple[int, int]] = []
    own = (each for each in _LABEL.finditer(text) if each["number"].upper() == reference.number)
    for match in islice(own, _MOST):
        if _is_label(match, levels):
            place = match.start("word" if match["word"] else "number"), _end(match, text, levels)
            found += [item] if (item := _within(place, reference.items, text)) else []
    listed = [place for place in found if _is_entry(text[slice(*place)])]
    return [place for place in found if place not in listed] or listed


def _is_entry(line: str) -> bool:
    """True of an entry of a table of contents: a leader, and a number at the very end."""
    before = line.rstrip().rstrip("0123456789")
    leader = before[len(before.rstrip()) :]
    is_led = "\t" in leader or "   " in leader or before.rstrip().endswith("...")
    return before != line.rstrip() and is_led


def _is_label(match: re.Match[str], levels: dict[int, int]) -> bool:
    """True where a line begins with its number, and not with a quantity or the middle of a sentence."""
    if match["rest"].islower() and not match["dot"]:
        return False
    is_plain = not match["word"] and "." not in match["number"]
    return not is_plain or bool(match["dot"]) or match.start("number") in levels


def _end(label: re.Match[str], text: str, levels: dict[int, int]) -> int:
    """The end of what a label begins: the next one that is not below it, or a heading as high as its own.

    The last one ends with its own paragraphs: nothing tells whose the others behind it are.
    """
    number = label["number"].upper()
    own = levels.get(label.start("word" if label["word"] else "number"), 99)
    ends = [at for at, level in levels.items() if at > label.start("rest") and level <= own]
    for match in _LABEL.finditer(text, label.end()):
        other = match["number"].upper()
        is_next = "." in other or not number[0].isdigit() or other == str(int(number.split(".")[0]) + 1)
        if not other.startswith(f"{number}.") and is_next and _is_label(match, levels):
            ends.append(match.start())
            break
    end = min(ends, default=len(text))
    if not _LABEL.match(text, end):
        end = _own(number, text, label.start(), end)
    margin = _ENDS.search(text, label.end(), end)
    end = margin.start() if margin else end
    below = [at for at in levels if label.end() < at < end]
    inner = next((at for at in below if not text.startswith(f"{number}.", at)), end) if own == 99 else end
    return len(text[:inner].rstrip())


def _own(number: str, text: str, start: int, end: int) -> int:
    """Where the last of some clauses ends: with its paragraph, what one is followed by, and its items."""
    last = ""
    for block in _BLOCK.finditer(text, start, end):
        is_below = _SUB_ITEM.match(block[0]) or block[0].startswith(f"{number}.")
        if last and not (is_below or _OPEN.search(last)):
            return block.start()
        if other := _OTHER.search(block[0]):
            return block.start() + other.start()
        last = block[0]
    return end


def _within(place: tuple[int, int], items: Sequence[str], text: str) -> tuple[int, int] | None:
    """The item with these letters within a place; None where it has none."""
    start, end = place
    for item in items:
        found = re.compile(rf"(?<!\S)\(?{re.escape(item)}[.)](?=\s)", re.IGNORECASE).search(text, start, end)
        if found is None:
            return None
        start = found.start()
        following = re.compile(r"(?m)^[ \t]*\(?\w{1,4}[.)](?=\s)").search(text, found.end(), end)
        end = following.start() if following else end
    return start, start + len(text[start:end].rstrip())
