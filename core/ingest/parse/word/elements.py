"""Elements of WordprocessingML: their values and switches, and the blocks within them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
OFF = frozenset({"0", "false", "off", "none"})


def value(element: Any, path: str, otherwise: str = "") -> str:
    """`w:val` of the first element at a path such as "pPr/pStyle" below `element`."""
    if element is None:
        return otherwise
    found = element.find(_steps(path))
    return otherwise if found is None else str(found.get(f"{W}val", otherwise))


@lru_cache(maxsize=256)
def _steps(path: str) -> str:
    return "/".join(W + step for step in path.split("/"))


def number(said: str | None, otherwise: int = 0) -> int:
    """A whole number as an attribute says it, within what a file may mean by it."""
    try:
        return max(-(10**6), min(int(said or otherwise), 10**6))
    except ValueError:
        return otherwise


def switch(properties: Any, name: str) -> bool | None:
    """The state of a property such as `w:strike`; None where nothing is said of it."""
    found = properties.find(W + name) if properties is not None else None
    return None if found is None else found.get(f"{W}val", "1") not in OFF


def blocks(element: Any) -> Iterator[Any]:
    """Paragraphs, tables and chunks of other files within, in reading order, also those in content controls.

    The content of a control that only shows its placeholder is none.
    """
    return children_of(element, f"{W}p", f"{W}tbl", f"{W}altChunk")


def children_of(element: Any, *tags: str) -> Iterator[Any]:
    """Elements with these tags below one, outside of each other and of controls that nobody filled in."""
    open_elements = [iter(element)]
    while open_elements:
        child = next(open_elements[-1], None)
        if child is None:
            open_elements.pop()
        elif child.tag in tags:
            yield child
        elif child.tag in _WRAPPERS and not (child.tag == f"{W}sdt" and is_placeholder(child)):
            open_elements.append(iter(child))


def is_placeholder(control: Any) -> bool:
    """True of a content control that nobody filled in: it shows what is to be entered."""
    return bool(switch(control.find(f"{W}sdtPr"), "showingPlcHdr"))


_WRAPPERS = frozenset(
    W + name
    for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag", "body", "txbxContent")
)
