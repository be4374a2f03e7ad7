"""The matrix in the browser: which fields it has, what the address asks for, who may decide cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app import state
from app.components import mounts
from core.config.fields import FieldDefinition
from core.domain.matrix import MatrixColumn

KEY = "matrix"


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

    def told() -> None:
        sent = state.sent(KEY, "view")
        remember(
            MatrixView(
                text=str(sent["text"]),
                where=tuple(tuple(each) for each in sent["where"]),
                sort=str(sent["sort"]),
                order=str(sent["order"]),
                hidden=tuple(str(name) for name in sent["hidden"]),
                mode=str(sent["mode"]),
                document=str(sent["document"]),
                field=str(sent["field"]),
                of=str(sent.get("of", "")),
            )
        )

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
            "view": {
                "text": view.text,
                "where": [list(each) for each in view.where],
                "sort": view.sort,
                "order": view.order,
                "hidden": list(view.hidden),
                "mode": view.mode,
                "document": view.document,
                "field": view.field,
                "of": view.of,
            },
        },
        on_view_change=told,
    )


def _column(column: MatrixColumn, definition: FieldDefinition | None) -> dict[str, object]:
    return {
        "name": column.name,
        "title": column.title,
        "type": column.type.value,
        "many": column.many,
        "group": column.group,
        "options": list(definition.options) if definition else [],
        "description": definition.description if definition else "",
    }
