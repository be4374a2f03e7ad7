"""Shape of a table out of its cells: lines above it, rows of its head, and the names that these give columns.

Told from texts alone, and where a file knows them from its merged cells: a head holds words where figures
stand below, a head of two rows has labels that spread over those below, a row of units belongs to the head.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SAMPLE = 60
"""Rows that tell the shape; later ones change nothing."""

LONGEST_NAME = 120
MOST_HEADERS = 3
Widths = Mapping[tuple[int, int], int]
"""By row and column how many columns a merged cell spans."""

_FIGURE = re.compile(
    r"[-+\u2212(]?\s?(?:[A-Z]{0,3}[$\u20ac\u00a3\u00a5\u20b9]|[A-Z]{3}\s)?\s?[-+\u2212(]?\s?"
    r"\d[\d.,'\u00a0\u202f ]*\)?"
    r"\s?(?:%|[$\u20ac\u00a3\u00a5]|[A-Z]{3}|[a-z\u00b0\u00b5]{1,4}(?:/[a-z]{1,3})?)?\)?"
)
_DAY = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}"
    r"|\d{1,2}[ .-]+[A-Za-z]{3,9}\.?[ ,.-]+\d{2,4}|-?\d{1,5}:\d\d(?::\d\d)?"
)
_YEAR = re.compile(r"(?:FY ?|Q[1-4][ /-]?)?(?:19|20)\d\d(?:[ /-]?(?:Q[1-4]|H[12]|\d\d))?E?")
_UNIT_CELL = re.compile(
    r"[(\[].{1,24}[)\]]|[kKmMT]?[A-Z]{3}|[$\u20ac\u00a3%#]|in [\w$\u20ac\u00a3 ']{1,24}|(?:'000s?|000s)"
    r"|k?[a-z\u00b5\u00b0]{1,3}"
)
_EMPTY = frozenset(["", "-", "\u2013", "\u2014", "n/a", "na", "none", "tbd", "?", "."])
_SPACE = re.compile(r"\s+")
_BAR_OR_COLON = re.compile(r"\s*[|:]+\s*")


@dataclass(frozen=True, slots=True)
class TableShape:
    """Rows above the head, rows of it, and a name for each column ("" where nothing names it)."""

    captions: int
    headers: int
    names: tuple[str, ...]

    @property
    def first(self) -> int:
        """The first row of the body."""
        return self.captions + self.headers


def is_figure(cell: str) -> bool:
    """True where a cell is a number, an amount, a percentage a quantity, a day or a time."""
    text = cell.strip()
    return bool(_FIGURE.fullmatch(text) or _DAY.fullmatch(text))


def is_empty(cell: str) -> bool:
    """True where a cell says nothing: it is blank, a dash, or "n/a"."""
    return cell.strip().casefold() in _EMPTY


def shape_of(rows: Sequence[Sequence[str]], merged: Widths | None = None) -> TableShape:
    """The shape of a table of these rows, of which the first SAMPLE are looked at; [] has none.

    merged: where the file knows of merged cells; None where it knows nothing of them.
    """
    sample = [list(row) for row in rows[:SAMPLE]]
    width = max(map(len, sample), default=0)
    sample = [[*row, *[""] * (width - len(row))] for row in sample]
    captions = _captions(sample, merged)
    headers = _headers(sample, captions, merged)
    return TableShape(captions, headers, _names(sample, captions, headers, merged or {}))


def _filled(row: Sequence[str]) -> list[int]:
    return [at for at, cell in enumerate(row) if cell.strip()]


def _usual(rows: Sequence[Sequence[str]]) -> int:
    """Number of cells that most rows fill."""
    counts = Counter(size for row in rows if (size := len(_filled(row))) > 1)
    return max(counts, key=lambda size: (counts[size], size), default=1)


def _captions(rows: Sequence[Sequence[str]], merged: Widths | None) -> int:
    usual = _usual(rows)
    at = 0
    while at < len(rows) - 1 and _is_caption(rows, at, usual, merged):
        at += 1
    return at if at < len(rows) - 1 or usual == 1 else 0


def _is_caption(rows: Sequence[Sequence[str]], at: int, usual: int, merged: Widths | None) -> bool:
    filled = _filled(rows[at])
    if not filled:
        return True
    if usual < 2 or len(filled) >= usual:
        return False
    if _is_title(rows, at, usual, merged):
        return True
    spreads = filled[0] > 0 or (len(filled) > 1 and filled[1] > 1)
    spreads = spreads or any((at, column) in (merged or {}) for column in filled[1:])
    if spreads and _spans_next(rows, at, merged):
        return False
    if len(filled) == 1:
        return True
    # "Date: | 2024-03-01" above a table of five columns
    return usual >= 4 and len(filled) == 2 and filled[1] - filled[0] <= 2


def _is_title(rows: Sequence[Sequence[str]], at: int, usual: int, merged: Widths | None) -> bool:
    """True of a title in the first cell and a date further on; below heads of groups names recur."""
    row, below = rows[at], [cell for cell in rows[at + 1] if cell.strip()]
    filled = _filled(row)
    if filled[0] or len(filled) != 2 or usual < 5 or len(set(below)) < len(below):
        return False
    is_merged = merged is not None and any((at, column) in merged for column in filled)
    dated = [any(sign.isdigit() for sign in row[column]) for column in filled]
    return len(row[0].split()) > 2 and dated == [False, True] and not is_merged


def _spans_next(rows: Sequence[Sequence[str]], at: int, merged: Widths | None) -> bool:
    """True where a row of labels stands above a row of the head that fills the places between them."""
    row, below = rows[at], next((each for each in rows[at + 1 :] if _filled(each)), None)
    if below is None or not _is_header_like(row) or not _is_header_like(below):
        return False
    if any(_DAY.fullmatch(cell.strip()) for cell in row):
        return False
    if merged is not None and any((at, column) in merged for column in _filled(row)):
        return len(_filled(row)) > 1 or _filled(row)[0] > 0
    return len(_filled(below)) > len(_filled(row)) and not is_figure(row[_filled(row)[0]])


def _is_header_like(row: Sequence[str]) -> bool:
    cells = [cell.strip() for cell in row if cell.strip()]
    return bool(cells) and all(
        len(cell) <= LONGEST_NAME and (not is_figure(cell) or _is_label(cell)) for cell in cells
    )


def _is_label(cell: str) -> bool:
    """True of figures that name columns: years, quarters, days."""
    return bool(_YEAR.fullmatch(cell.strip()) or _DAY.fullmatch(cell.strip()))


def _headers(rows: Sequence[Sequence[str]], first: int, merged: Widths | None) -> int:
    """Number of rows of the head, which begins at `first`."""
    if first >= len(rows):
        return 0
    row, below = rows[first], rows[first + 1 : first + 1 + SAMPLE]
    marked = _above_words(row, below)
    if not _is_header_like([cell for at, cell in enumerate(row) if at not in marked]):
        return 0
    if len(rows) == first + 1:  # a total behind a blank row holds days and times, a head alone at most years
        return int(not any(_DAY.fullmatch(cell.strip()) for cell in row))
    labels = [at for at in _filled(row) if is_figure(row[at]) and at not in marked]
    if labels and not all(_stands_above_others(row[at], [each[at] for each in below]) for at in labels):
        return 0
    depth = 1
    while depth < MOST_HEADERS and first + depth < len(rows) - 1 and _continues(rows, first, depth, merged):
        depth += 1
    if depth == 1 and not _is_plain_header(row, below):
        return 0
    return depth


def _above_words(row: Sequence[str], below: Sequence[Sequence[str]]) -> frozenset[int]:
    """Places of figures with words that are names, as no figure stands below: "25 pd" above "x"."""
    found = set[int]()
    for at in _filled(row):
        filled = [each[at] for each in below if not is_empty(each[at])]
        has_word = any(sign.isalpha() for sign in row[at]) and not _is_label(row[at])
        if is_figure(row[at]) and has_word and len(filled) > 1 and not any(map(is_figure, filled)):
            found.add(at)
    return frozenset(found) if 2 * len(found) < len(_filled(row)) else frozenset()


def _stands_above_others(label: str, below: Sequence[str]) -> bool:
    """True where a year or a day stands above figures of another kind, and not above more of its kind."""
    filled = [cell for cell in below if not is_empty(cell)]
    same = sum(bool(_YEAR.fullmatch(cell.strip())) == bool(_YEAR.fullmatch(label.strip())) for cell in filled)
    alike = sum(_is_label(cell) for cell in filled)
    return bool(filled) and (alike < 0.6 * len(filled) or same == 0)


def _is_plain_header(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True where one row names the columns: all differ, and most columns that hold something have a name."""
    names = [cell.strip().casefold() for cell in row if cell.strip()]
    used = [at for at in range(len(row)) if any(not is_empty(each[at]) for each in below) or row[at].strip()]
    if len(used) < 2:
        return len(names) == 1 and bool(below) and all(is_figure(each[used[0]]) for each in below if used)
    contrast = [at for at in _filled(row) if _is_above_figures(row[at], [each[at] for each in below])]
    if contrast:
        return len(names) >= 0.5 * len(used)
    return len(names) >= 0.6 * len(used) and len(set(names)) == len(names)


def _is_above_figures(name: str, below: Sequence[str]) -> bool:
    filled = [cell for cell in below if not is_empty(cell)]
    figures = sum(map(is_figure, filled))
    return bool(filled) and figures >= 0.6 * len(filled) and (not is_figure(name) or _is_label(name))


def _continues(rows: Sequence[Sequence[str]], first: int, depth: int, merged: Widths | None) -> bool:
    """True where the row below the head so far belongs to it, too."""
    row, above, below = rows[first + depth], rows[first + depth - 1], rows[first + depth + 1 :]
    filled = _filled(row)
    if not filled or not _is_header_like(row):
        return False
    own = [at for at in filled if row[at] != above[at]]  # others are merged with those above, or repeated
    if not own:
        return False
    if all(_UNIT_CELL.fullmatch(row[at].strip()) for at in own) and not any(map(is_figure, row)):
        return any(_is_above_figures(row[at], [each[at] for each in below]) for at in own)
    if _tells_apart(row, above, own):
        return all(_is_above_figures(row[at], [each[at] for each in below]) for at in own)
    gaps = [at for at in filled if not above[at].strip()]
    if not gaps:
        return _goes_on(row, above, below)
    is_merged = merged is not None and any((first + depth - 1, at) in merged for at in _filled(above))
    if is_merged:
        return True
    if len(filled) == 1 and len(_filled(above)) > 1 and filled[0] == 0:
        return False  # a label of the body below a head that leaves its first cell empty
    return any(_is_above_figures(row[at], [each[at] for each in below]) for at in gaps)


def _tells_apart(row: Sequence[str], above: Sequence[str], own: Sequence[int]) -> bool:
    """True where names that come again above are told apart by those below: North, North above Q1, Q2."""
    pairs = {(above[at], row[at]) for at in own if above[at].strip()}
    return len({name for name, _ in pairs}) < len(own) == len(pairs)


def _goes_on(row: Sequence[str], above: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True where a few names go on in a second line: "No. of" above "bids", and figures below both."""
    filled = _filled(row)
    is_sparse = 0 not in filled and 2 * len(filled) <= len(_filled(above))
    return (
        is_sparse
        and not any(map(is_figure, row))
        and all(_is_above_figures(row[at], [each[at] for each in below]) for at in filled)
    )


def _names(rows: Sequence[Sequence[str]], first: int, depth: int, merged: Widths) -> tuple[str, ...]:
    width = len(rows[0]) if rows else 0
    if not depth:
        return ("",) * width
    levels = [list(rows[first + level]) for level in range(depth)]
    for level in reversed(range(depth - 1)):  # a label spreads over those that spread below it
        _spread(
            levels[level], levels[level + 1], {at: merged.get((first + level, at), 0) for at in range(width)}
        )
    found = []
    for at in range(width):
        parts = [_name(level[at]) for level in levels]
        kept = [part for n, part in enumerate(parts) if part and part not in parts[:n]]
        found.append(" ".join(kept))
    return tuple(found)


def _spread(level: list[str], below: Sequence[str], widths: Mapping[int, int]) -> None:
    """Labels for all columns over which they spread: to the next label, where the row below has names."""
    label, ends, own = "", 0, list(level)
    for at, cell in enumerate(own):
        if cell.strip():
            label = cell if below[at].strip() else ""
            ends = at + widths[at] if widths[at] else len(own)
        elif label and at < ends and below[at].strip():
            level[at] = label


def _name(cell: str) -> str:
    """A name on one line, without the marks that lines of rows are made with."""
    return _SPACE.sub(" ", _BAR_OR_COLON.sub(" ", cell)).strip()[:LONGEST_NAME]


_UNNAMED = "column "


def is_unnamed(name: str) -> bool:
    """True of the name that a column without one was given."""
    return name.startswith(_UNNAMED) and name.removeprefix(_UNNAMED).isdigit()


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that differ: what has none is a "column 3", what comes again is counted on ("Amount 2")."""
    seen: Counter[str] = Counter()
    unique = []
    for number, name in enumerate(names, start=1):
        plain = " ".join(name.split()) or f"{_UNNAMED}{number}"
        seen[plain] += 1
        unique.append(plain if seen[plain] == 1 else f"{plain} {seen[plain]}")
    return tuple(unique)
