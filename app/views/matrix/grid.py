"""The matrix in the browser: its fields, what the address asks for, who may decide cells."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app import state
from app.components import mounts
from app.presenting.field_wording import definition_lines
from app.presenting.matrix_rows import conditions
from core.config.fields import FieldDefinition
from core.domain.matrix import MatrixColumn
from core.errors import UsageError

KEY = "matrix"
_TEXTS = ("text", "sort", "order", "mode", "document", "field", "of")


@dataclass(frozen=True, slots=True)
class MatrixView:
    """View by its address. document, field: the open cell, "" for none; mode: "work" for the list.

    of: whose cells the work list is about, `conversation.turn.part` of an answer; "" for all.
    where: conditions, as `app.presenting.matrix_rows.conditions` reads them. hidden: fields not shown.
    """

    text: str = ""
    where: tuple[tuple[Any, ...], ...] = ()
    sort: str = ""
    order: str = ""
    hidden: tuple[str, ...] = ()
    mode: str = ""
    document: str = ""
    field: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True)
class MatrixSetting:
    """Setting of the grid. changed: differs where cells may have changed."""

    bucket: str
    schema: str
    documents: int
    columns: Sequence[MatrixColumn]
    definitions: Mapping[str, FieldDefinition]
    figures: Mapping[str, Sequence[str]]
    may_review: bool
    changed: int


def draw_matrix(setting: MatrixSetting, view: MatrixView, remember: Callable[[MatrixView], None]) -> None:
    """Mount it; `remember` gets what the user asks for from then on."""

    def told(sent: dict[str, Any]) -> None:
        texts = {name: str(sent.get(name, "")) for name in _TEXTS}
        where = tuple(tuple(each) for each in sent["where"])
        remember(MatrixView(where=where, hidden=tuple(map(str, sent["hidden"])), **texts))

    mounts.matrix(
        key=KEY,
        data={
            "bucket": setting.bucket,
            "schema": setting.schema,
            "documents": setting.documents,
            "columns": [_column(each, setting.definitions.get(each.name)) for each in setting.columns],
            "figures": {name: list(lines) for name, lines in setting.figures.items()},
            "mayReview": setting.may_review,
            "changed": setting.changed,
            "asked": state.matrix_views(),
            "view": {**asdict(view), "where": [list(each) for each in view.where]},
        },
        **state.on_sent(KEY, {"view": told}),
    )


def _column(column: MatrixColumn, definition: FieldDefinition | None) -> dict[str, object]:
    return {
        "name": column.name,
        "title": column.title,
        "type": column.type.value,
        "many": column.many,
        "group": column.group,
        "options": list(definition.options) if definition else [],
        "definition": definition_lines(definition) if definition else [],
    }


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
