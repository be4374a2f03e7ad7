"""Automatic numbers of headings, clauses and lists, as Word shows them.

The rules are those of ECMA-376, 17.9. docx2python, mammoth and docx-parser-converter were tried: the first
gives every level a form of its own, the second none, the third leaves out isLgl, lvlRestart and styles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from core.ingest.parse.word.elements import W, number, switch, value
from core.ingest.parse.word.styles import Styles
from core.text.numerals import letters, roman

BULLET = "-"
_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_CIRCLED = 20
_SIGNS = "*†‡§"


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level of a list. restart: the level (from 1) that it begins again after; None: any above."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    suffix: str = "tab"
    is_legal: bool = False
    restart: int | None = None
    style: str = ""


@dataclass(slots=True)
class _List:
    """An instance (w:num): the definition it counts with, its levels, and where it starts anew."""

    key: str
    levels: dict[int, ListLevel]
    starts: dict[int, int]
    unused: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Where a paragraph stands: its list and the level in it, from 0."""

    list_id: str
    level: int


@dataclass(frozen=True, slots=True)
class ListLabel:
    """A number as it shows: its text, "-" for bullets, and what stands behind it."""

    text: str
    gap: str = " "

    @property
    def is_bullet(self) -> bool:
        """True where it does not count."""
        return self.text == BULLET

    def before(self, text: str) -> str:
        """The text with its number; a number is never glued to a word."""
        if not self.text or not text:
            return text
        gap = self.gap or (" " if self.text[-1].isalnum() and text[0].isalnum() else "")
        return self.text + gap + text


class ListNumbering:
    """Counts the paragraphs of a document, which have to be asked in reading order."""

    def __init__(self, root: Any, styles: Styles) -> None:
        self._styles = styles
        self.is_missing = root is None
        self._lists = _lists(root, styles) if root is not None else {}
        self._by_style: dict[tuple[str, str], ListPlace | None] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self.unknown: set[str] = set()
        """Forms of numbers that stand as plain digits, for want of their own."""

    def place(self, paragraph_properties: Any, style: str) -> ListPlace | None:
        """Where a paragraph stands by itself or by its style; None where it has no number."""
        said = None if paragraph_properties is None else paragraph_properties.find(f"{W}numPr")
        list_id, level = value(said, "numId"), value(said, "ilvl")
        if list_id:
            return None if list_id == "0" else ListPlace(list_id, _level(level))
        key = (style, level)
        if key not in self._by_style:
            self._by_style[key] = self._inherited(style, level)
        return self._by_style[key]

    def _inherited(self, style: str, level: str) -> ListPlace | None:
        list_id, is_own = "", bool(level)
        chain = list(self._styles.chain(style or self._styles.default))
        for _, each in chain:
            inherited = each.find(f"{W}pPr/{W}numPr")
            list_id = list_id or value(inherited, "numId")
            level = level or value(inherited, "ilvl")
            if list_id:
                break
        if list_id in ("", "0"):
            return None
        names = [] if is_own else [name for name, _ in chain]
        known = self._lists.get(list_id)
        tied = {each.style: at for at, each in known.levels.items() if each.style} if known else {}
        return ListPlace(list_id, next((tied[name] for name in names if name in tied), _level(level)))

    def label(self, place: ListPlace) -> ListLabel | None:
        """The next number there. None where no definition says how it looks."""
        known = self._lists.get(place.list_id)
        level = known.levels.get(place.level) if known else None
        if known is None or level is None:
            return None
        counts = self._counts.setdefault(known.key, {})
        start = known.starts.get(place.level, level.start)
        if place.level in known.unused:
            known.unused.discard(place.level)
            counts[place.level] = start
        else:
            counts[place.level] = counts.get(place.level, start - 1) + 1
        for deeper in [each for each in counts if each > place.level]:
            restart = known.levels[deeper].restart if deeper in known.levels else None
            if restart is None or place.level < restart:
                del counts[deeper]
        if level.form == "bullet":
            return ListLabel(BULLET)
        return ListLabel(self._shown(known, level, counts), "" if level.suffix == "nothing" else " ")

    def _shown(self, known: _List, level: ListLevel, counts: dict[int, int]) -> str:
        def digits(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            each = known.levels.get(at, level)
            count = counts.get(at, known.starts.get(at, each.start))
            form = each.form
            if level.is_legal and form not in ("bullet", "none"):
                form = "decimalZero" if form == "decimalZero" else "decimal"
            written = number_as(count, form)
            if written is None:
                self.unknown.add(form)
            return str(count) if written is None else written

        return _PLACE.sub(digits, level.text).strip()


def _level(said: str) -> int:
    return max(0, min(number(said), _LEVELS - 1))


def _lists(root: Any, styles: Styles) -> dict[str, _List]:
    abstracts = {each.get(f"{W}abstractNumId", ""): each for each in root.iter(f"{W}abstractNum")}
    instances = {each.get(f"{W}numId", ""): each for each in root.iter(f"{W}num")}
    links = {value(each, "styleLink"): key for key, each in reversed(abstracts.items())}
    found: dict[str, _List] = {}
    for list_id, instance in instances.items():
        key = value(instance, "abstractNumId")
        link = value(abstracts.get(key), "numStyleLink")
        if link:
            key = links.get(link) or _linked(link, styles, instances) or key
        levels = _levels(abstracts.get(key))
        starts: dict[int, int] = {}
        for override in instance.iter(f"{W}lvlOverride"):
            at = _level(override.get(f"{W}ilvl", ""))
            levels |= _levels(override)
            start = value(override, "startOverride")
            if start:
                starts[at] = number(start)
        found[list_id] = _List(key, levels, starts, set(starts))
    return found


def _linked(link: str, styles: Styles, instances: dict[str, Any]) -> str:
    """The definition that a style of lists stands for, by the list that the style has."""
    for _, style in styles.chain(link):
        return value(instances.get(value(style, "pPr/numPr/numId")), "abstractNumId")
    return ""


def _levels(definition: Any) -> dict[int, ListLevel]:
    found: dict[int, ListLevel] = {}
    for each in definition.iterfind(f"{W}lvl") if definition is not None else ():
        restart = value(each, "lvlRestart")
        form = each.find(f"{W}numFmt")
        if form is None:  # newer forms are within an alternative, with a format: 001, 002
            form = next(each.iter(f"{W}numFmt"), None)
        found[_level(each.get(f"{W}ilvl", ""))] = ListLevel(
            number(value(each, "start", "0")),
            "decimal" if form is None else form.get(f"{W}format") or form.get(f"{W}val", "decimal"),
            value(each, "lvlText"),
            value(each, "suff", "tab"),
            bool(switch(each, "isLgl")),
            number(restart) if restart else None,
            value(each, "pStyle"),
        )
    return found


def number_as(count: int, form: str) -> str | None:
    """A count in one of Word's forms of numbers ("upperRoman": IV); None for a form that is not known."""
    if form in ("none", "bullet"):
        return ""
    if form == "decimal" or count < 0:
        return str(count)
    if form.endswith("Roman"):
        return _cased(roman(count), form)
    if form.endswith("Letter"):
        return _cased(letters(count, repeat=True), form)
    if form.lower().startswith("decimalzero") or re.fullmatch(r"0+1, .*", form):
        return str(count).zfill(len(form.split(",")[0]) if form[0] == "0" else 2)
    if form == "ordinal":
        return f"{count}{_ending(count)}"
    if form in ("cardinalText", "ordinalText"):
        return _in_words(count, form)
    if form == "chicago":
        return (
            _SIGNS[(count - 1) % len(_SIGNS)] * ((count - 1) // len(_SIGNS) + 1) if 0 < count < 99 else None
        )
    if form.startswith("decimalEnclosed"):
        circled = form.startswith("decimalEnclosedCircle") and 0 < count <= _CIRCLED
        return chr(0x245F + count) if circled else f"({count})"
    if form == "numberInDash":
        return f"- {count} -"
    return None


def _cased(written: str, form: str) -> str:
    return written.upper() if form.startswith("upper") else written


def _ending(count: int) -> str:
    return "th" if 10 <= count % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")


def _in_words(count: int, form: str) -> str | None:
    from core.values.numbers import ONES, ORDINALS, TENS

    words = {at: word for word, at in [*TENS.items(), *ONES.items()] if word != "fourty"}
    last = {at: word for word, at in ORDINALS.items()} if form == "ordinalText" else words
    if count in last:
        return last[count].capitalize()
    tens, ones = count - count % 10, count % 10
    return f"{words[tens]}-{last[ones]}".capitalize() if tens in words and ones in last else None
