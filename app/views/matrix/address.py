"""Address of the matrix: filters, order, columns, and the open cell."""

from __future__ import annotations

import json
from collections.abc import Sequence

from app import state
from app.presenting.matrix_rows import conditions
from app.views.matrix.grid import MatrixView
from core.errors import UsageError

NOTHING = "-"
"""As `hidden`: every column is shown, whatever was remembered."""

FIELDS_OF_VIEW = ("where", "sort", "order", "hidden", "cell")
"""Parts of the address that name fields: they mean nothing in another bucket or schema."""


def asked(hidden: Sequence[str] | None) -> MatrixView:
    """View that the address describes; parts that cannot be read are left out.

    hidden: the columns that were hidden last, for an address that says nothing of columns.
    """
    try:
        where = conditions(state.from_address("where"))
    except UsageError:
        where = ()
    cell = state.from_address("cell").rpartition(".")
    said = state.from_address("hidden")
    names = said.split(",") if said else hidden or ()
    unseen = tuple(name for name in names if name not in ("", NOTHING))
    given = [state.from_address(name) for name in ("find", "sort", "order", "mode", "of")]
    filters = tuple((each.field, str(each.op), each.value) for each in where)
    return MatrixView(given[0], filters, given[1], given[2], unseen, given[3], cell[0], cell[2], given[4])


def remember(view: MatrixView, *, chosen: bool) -> None:
    """Keep the address at what is shown, so that a copied link opens it. chosen: columns ever were."""
    state.to_address(
        find=view.text or None,
        where=json.dumps(view.where, ensure_ascii=False) if view.where else None,
        sort=view.sort or None,
        order=view.order or None,
        hidden=",".join(view.hidden) or (NOTHING if chosen else None),
        mode=view.mode or None,
        of=view.of or None,
        cell=f"{view.document}.{view.field}" if view.document else None,
    )


def forget() -> None:
    """Leave out of the address what names fields of another bucket or schema."""
    state.to_address(**dict.fromkeys(FIELDS_OF_VIEW))
