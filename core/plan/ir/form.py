"""Forms of nodes as data: the fields of a node that people change, with their widgets, words and bounds.

The inspector draws a form and reads it out by the same data: a kind of node says once what it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.plan.ir.node import MAX_ROWS, ROW_PLACE

Widget = Literal[
    "choice",  # one of many options
    "segments",  # one of a few options, all of them shown
    "line",
    "text",
    "lines",  # several texts, one a line
    "number",
    "share",  # 0 to 1
    "switch",
    "field",  # one field of the documents, or none
    "fields",
    "groups",  # fields, and aspects of dates and amounts
    "conditions",
    "scope",  # documents that are asked, by buckets, titles and perhaps kind
    "rates",  # conversion rates with `into`, the unit that they lead to
    "sides",  # inputs, with a label for each
]


Title = Callable[[str], str]
"""Titles of fields, and of aspects of them, by their names."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One part of a form. name: the field of the node. label: of its widget; brief: where it is only read.

    key: ends the key of the widget. options: values with their words. none: said where nothing is chosen.
    needs: name and value of another part, without which it is off. is_needed: an empty choice is not taken.
    of_kind: whether a scope is chosen by the kind of documents too. low, high: of numbers.
    says: the words where it is read, of the whole node; "" leaves it out. None: those of the widget.
    """

    name: str
    label: str
    widget: Widget
    key: str = ""
    brief: str = ""
    options: Mapping[Any, str] = field(default_factory=dict)
    none: str = ""
    help: str | None = None
    low: int = 0
    high: int = 0
    needs: tuple[str, str] = ("", "")
    is_needed: bool = False
    of_kind: bool = True
    says: Callable[[Any, Title], str] | None = None


@dataclass(frozen=True, slots=True)
class FormRow:
    """Parts that stand side by side. widths: of each, relative to one another. is_level: on one base line."""

    fields: tuple[FormField, ...]
    widths: tuple[float, ...]
    is_level: bool = False


Form = tuple[FormField | FormRow, ...]


def order_row(none: str) -> FormRow:
    """The order of a node with its limit. none: said where no column is chosen to order by."""
    return FormRow(
        (
            FormField("order_by", "Ordered by", "field", key="order", none=none, says=_order),
            FormField("descending", "Highest first", "switch"),
            FormField("limit", "At most", "number", none="All", low=1, high=MAX_ROWS),
        ),
        (2.2, 1.4, 1.2),
        is_level=True,
    )


def _order(node: Any, title: Title) -> str:
    first = "highest" if node.descending else "lowest"
    if node.order_by == ROW_PLACE:
        return "Last row first" if node.descending else "As they stand"
    return f"{title(node.order_by)}, {first} first" if node.order_by else ""


def form_fields(form: Form) -> list[FormField]:
    """All parts in order, those side by side too."""
    return [each for part in form for each in (part.fields if isinstance(part, FormRow) else (part,))]
