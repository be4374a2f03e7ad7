"""Words of drawings that stand in parts of their own: charts as tables, SmartArt as lines."""

from __future__ import annotations

from typing import Any

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_MOST_POINTS = 2_000


def diagram_lines(root: Any) -> list[str]:
    """The words of a diagram, a line for every shape, in the order of its outline."""
    lines = (_words(point) for point in root.iter(f"{DGM}pt"))
    return [line for line in lines if line]


def chart_rows(root: Any) -> tuple[str, list[list[str]]]:
    """A chart's titles in one line, and its numbers as rows below their names."""
    titles = [words for each in root.iter(f"{C}title") if (words := _words(each))]
    series = list(root.iter(f"{C}ser"))
    names = [" ".join(_values(each.find(f"{C}tx")).values()) for each in series]
    categories: dict[int, str] = {}
    columns: list[dict[int, str]] = []
    for each in series:
        across, up = each.find(f"{C}cat"), each.find(f"{C}val")
        if up is None:
            across, up = each.find(f"{C}xVal"), each.find(f"{C}yVal")
        categories = categories or _values(across)
        columns.append(_values(up))
    points = sorted({at for column in columns for at in column} | categories.keys())[:_MOST_POINTS]
    rows = [[categories.get(at, str(at + 1)), *(column.get(at, "") for column in columns)] for at in points]
    return " - ".join(titles), [["", *names], *rows] if rows else []


def _words(element: Any) -> str:
    return " ".join("".join(each.text or "" for each in element.iter(f"{A}t", f"{C}v")).split())


def _values(element: Any) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in element.iter(f"{C}pt") if element is not None else ():
        said = "".join(each.text or "" for each in point.iter(f"{C}v")).strip()
        at = point.get("idx", "")
        if at.isdigit() and len(found) < _MOST_POINTS:
            found.setdefault(int(at), _plain(said))
    if not found and element is not None:
        said = " ".join(each.text or "" for each in element.iter(f"{C}v")).strip()
        return {0: said} if said else {}
    return found


def _plain(said: str) -> str:
    """A number without the noise of floating point."""
    try:
        return f"{float(said):.12g}" if "." in said else said
    except ValueError:
        return said
