"""Remarks on a result that its rows do not tell: values that nobody knows, and names that were compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.datasets.base import NAME_KEY, CheckedQuery
from core.datasets.engine import Asked, Mount
from core.datasets.names import first_of

_NAMES = (
    f"Names were compared without legal form, case, accents and punctuation ({NAME_KEY}): "
    "“ACME Corp.” is “Acme Corporation”, and two companies of one name are one."
)
_MOST_LISTED = 6
_SKIPPED = "OFFSET skips rows, which are not among those that this is said to rest on."


def query_notes(asked: Asked) -> tuple[str, ...]:
    """The remarks on a result, in sentences."""
    lacking: dict[str, dict[str, set[str]]] = {}
    for mount in asked.mounts.values():
        for field, status, places in undecided(mount, asked.query):
            own = lacking.setdefault(field, {}).setdefault(status, set())
            own.update(mount.parts[at].document for at in places)
    scope = {part.document for each in asked.mounts.values() if each.undecided for part in each.parts}
    said = tuple(_said(field, by_status, len(scope)) for field, by_status in sorted(lacking.items()))
    mounts = [asked.mounts[name] for name in asked.query.tables]
    of_files = dict.fromkeys(each for mount in mounts for each in (*_alike(mount), *mount.remarks))
    names = (_NAMES,) if asked.query.has_names else ()
    return (*of_files, *said, *names, *((_SKIPPED,) if asked.query.has_offset else ()))


def _alike(mount: Mount) -> Iterator[str]:
    """That several tables with the same columns are asked as one, or which of them are not."""
    here = [mount.alike[each] for each in mount.parts if each in mount.alike]
    others = [name for place, name in mount.alike.items() if place not in mount.parts]
    if others and here:
        verb = "is one" if len(here) == 1 else f"are {len(here):,}"
        said = f"{_listed(here)} {verb} of {len(mount.alike):,} tables with these columns; this leaves out "
        yield f"{said}{_listed(others)}. Ask without a name for all of them."
    elif len(here) > 1:
        yield f"{len(here):,} tables with the same columns were asked as one: {_listed(here)}."


def _listed(names: Sequence[str]) -> str:
    return first_of([f"“{each}”" for each in names], _MOST_LISTED)


def labels_of(asked: Asked) -> frozenset[str]:
    """What the columns are called that a query names: by these its rows are cited."""
    columns = (each for mount in asked.mounts.values() for each in mount.table.columns)
    return frozenset(each.label for each in columns if each.name in asked.query.used)


def undecided(mount: Mount, query: CheckedQuery) -> Iterator[tuple[str, str, Sequence[int]]]:
    """By field that a query names and status, the parts of a table of fields whose value nobody knows."""
    named = {each.label for each in mount.table.columns if each.name in query.used}
    for field, by_status in mount.undecided.items():
        if field in named:
            yield from ((field, status, places) for status, places in by_status.items())


def _said(field: str, by_status: dict[str, set[str]], scope: int) -> str:
    total = len(set().union(*by_status.values()))
    why = ", ".join(f"{len(own):,} {status}" for status, own in sorted(by_status.items()))
    have = "has" if total == 1 else "have"
    return f"{total:,} of {scope:,} documents {have} no decided value of {field!r} ({why})."
