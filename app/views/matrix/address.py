"""Address of the matrix: filters, order, columns, and the open cell."""

from __future__ import annotations

import json

from app import state
from app.presenting.matrix_rows import conditions
from app.views.matrix.grid import MatrixView
from core.errors import UsageError


def asked() -> MatrixView:
    """View that the address describes; parts that cannot be read are left out."""
    try:
        where = conditions(state.from_address("where"))
    except UsageError:
        where = ()
    cell = state.from_address("cell").rpartition(".")
    hidden = tuple(name for name in state.from_address("hidden").split(",") if name)
    given = [state.from_address(name) for name in ("find", "sort", "order", "mode", "of")]
    filters = tuple((each.field, str(each.op), each.value) for each in where)
    return MatrixView(
        given[0], filters, given[1], given[2], hidden, given[3], cell[0], cell[2], state.from_address("of")
    )


def remember(view: MatrixView) -> None:
    """Keep the address at what is shown, so that a copied link opens it."""
    state.to_address(
        find=view.text or None,
        where=json.dumps(view.where, ensure_ascii=False) if view.where else None,
        sort=view.sort or None,
        order=view.order or None,
        hidden=",".join(view.hidden) or None,
        mode=view.mode or None,
        of=view.of or None,
        cell=f"{view.document}.{view.field}" if view.document else None,
    )
