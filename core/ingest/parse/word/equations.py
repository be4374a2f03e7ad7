"""Equations (OMML) in one line: (a+b)/(2), x², √(x), ∑_(i=1)^(n) i."""

from __future__ import annotations

from typing import Any

from core.ingest.parse.word.elements import W
from core.text.marks import lowered, raised

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DELIMITERS = {"begChr": "(", "sepChr": "|", "endChr": ")"}


def linear(node: Any) -> str:
    """An equation as people would type it."""
    if not isinstance(node.tag, str):
        return ""
    kind = node.tag.removeprefix(M)
    if kind == "t" or node.tag == f"{W}t":
        return node.text or ""
    if kind == "f":
        return f"{_group(_part(node, 'num'))}/{_group(_part(node, 'den'))}"
    if kind in ("sSup", "sSub", "sSubSup", "nary", "limLow", "limUpp"):
        return _scripted(node, kind)
    if kind == "sPre":
        return _low(_part(node, "sub")) + _high(_part(node, "sup")) + _part(node, "e")
    if kind == "rad":
        degree = _part(node, "deg")
        return f"{raised(degree)}√({_part(node, 'e')})"
    if kind == "d":
        begin, between, end = (_sign(node, name, usual) for name, usual in _DELIMITERS.items())
        return begin + between.join(linear(each) for each in node.iterfind(f"{M}e")) + end
    if kind == "func":
        inner = _part(node, "e")
        return _part(node, "fName") + (inner if inner.startswith("(") else f" {inner}")
    if kind == "m":
        rows = (", ".join(linear(cell) for cell in row.iterfind(f"{M}e")) for row in node.iterfind(f"{M}mr"))
        return "; ".join(rows)
    if kind == "eqArr":
        return "; ".join(linear(each) for each in node.iterfind(f"{M}e"))
    return "".join(linear(child) for child in node if not str(child.tag).endswith("Pr"))


def _scripted(node: Any, kind: str) -> str:
    low, high = _part(node, "sub"), _part(node, "sup")
    if kind == "nary":
        written = _sign(node, "chr", "∫") + _low(low) + _high(high)
        return f"{written} {_part(node, 'e')}"
    if kind.startswith("lim"):
        limit = _part(node, "lim")
        return _part(node, "e") + (_low(limit) if kind == "limLow" else _high(limit))
    return _group(_part(node, "e")) + _low(low) + _high(high)


def _part(node: Any, name: str) -> str:
    found = node.find(M + name)
    return "" if found is None else linear(found)


def _sign(node: Any, name: str, usual: str) -> str:
    found = next(node.iterfind(f"{M}{node.tag.removeprefix(M)}Pr/{M}{name}"), None)
    return usual if found is None else str(found.get(f"{M}val", ""))


def _group(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() or text.replace(".", "").isdigit() else f"({text})"


def _high(text: str) -> str:
    written = raised(text)
    return written if not text or written != text else f"^{_group(text)}"


def _low(text: str) -> str:
    written = lowered(text)
    return written if not text or written != text else f"_{_group(text)}"
