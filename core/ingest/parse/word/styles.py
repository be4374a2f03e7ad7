"""Styles as far as they matter for text: headings, numbers, and what is hidden, struck or raised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.ingest.parse.office import is_on
from core.ingest.parse.word.elements import W, number, switch, value

_HEADING = re.compile(r"heading\s*(\d)", re.IGNORECASE)
_MOST_LEVELS = 9
_MOST_BASES = 100  # Word bases styles on a dozen others at most


@dataclass(frozen=True, slots=True)
class RunLook:
    """How a run shows. None: nothing is said. align: "superscript", "subscript" or another."""

    is_hidden: bool | None = None
    is_struck: bool | None = None
    align: str = ""
    font: str = ""

    def over(self, base: RunLook) -> RunLook:
        """This look, where it says nothing that of `base`."""
        return RunLook(
            base.is_hidden if self.is_hidden is None else self.is_hidden,
            base.is_struck if self.is_struck is None else self.is_struck,
            self.align or base.align,
            self.font or base.font,
        )


_PLAIN = RunLook()


class Styles:
    """The styles of a document. root: of styles.xml; None where there is none."""

    def __init__(self, root: Any) -> None:
        self._styles: dict[str, Any] = {}
        self._looks: dict[str, RunLook] = {}
        self._levels: dict[str, int] = {}
        self._titles: dict[str, bool] = {}
        self.default = ""
        for style in root.iter(f"{W}style") if root is not None else ():
            name = style.get(f"{W}styleId", "")
            self._styles.setdefault(name, style)
            if style.get(f"{W}type") == "paragraph" and is_on(style.get(f"{W}default")):
                self.default = name

    def chain(self, style: str) -> Iterator[tuple[str, Any]]:
        """A style and those that it is based on, with their names."""
        seen: set[str] = set()
        while style in self._styles and style not in seen and len(seen) < _MOST_BASES:
            seen.add(style)
            yield style, self._styles[style]
            style = value(self._styles[style], "basedOn")

    def level(self, style: str) -> int:
        """The level of a heading's style; 0 for others."""
        if style not in self._levels:
            self._levels[style] = self._level(style)
        return self._levels[style]

    def _level(self, style: str) -> int:
        for _, each in self.chain(style):
            match = _HEADING.match(value(each, "name"))
            if match:
                return int(match[1])
            if value(each, "name").lower() == "title":
                return 1
            level = outline_level(each.find(f"{W}pPr"))
            if level is not None:
                return level
        return 0

    def is_title(self, style: str) -> bool:
        """True of the style of a document's title."""
        if style not in self._titles:
            names = (value(each, "name").lower() for _, each in self.chain(style))
            self._titles[style] = "title" in names
        return self._titles[style]

    def look(self, run_properties: Any, paragraph_style: str = "") -> RunLook:
        """How a run of these properties shows in a paragraph of that style."""
        below = self._look_of(paragraph_style)
        if run_properties is None:
            return below
        named = value(run_properties, "rStyle")
        if named:
            below = self._look_of(named).over(below)
        return look_of(run_properties).over(below)

    def _look_of(self, style: str) -> RunLook:
        if style not in self._looks:
            look = _PLAIN
            for _, each in self.chain(style):
                look = look.over(look_of(each.find(f"{W}rPr")))
            self._looks[style] = look
        return self._looks[style]


def look_of(properties: Any) -> RunLook:
    """The look that properties of a run or a style themselves say."""
    if properties is None:
        return _PLAIN
    struck, doubly = switch(properties, "strike"), switch(properties, "dstrike")
    fonts = properties.find(f"{W}rFonts")
    font = "" if fonts is None else fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi") or ""
    return RunLook(
        switch(properties, "vanish"),
        doubly if struck is None else struck or bool(doubly),
        value(properties, "vertAlign"),
        font.lower(),
    )


def outline_level(paragraph_properties: Any) -> int | None:
    """The level of an outline that a paragraph has, from 1; 0 for body text, None where none is said."""
    said = value(paragraph_properties, "outlineLvl")
    if not said:
        return None
    level = number(said, _MOST_LEVELS) + 1
    return level if 1 <= level <= _MOST_LEVELS else 0
