"""What a reviewer may put into a cell: values that its field takes, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Final

from core.config.fields import FieldDefinition, Schema
from core.domain.fields import (
    MONEY_SCALE,
    NAMES,
    NUMBER_SCALE,
    Cell,
    FieldType,
    Finding,
    Quote,
    ReviewAction,
    Special,
    TypedValue,
)
from core.errors import UsageError

Given = TypedValue | Sequence[TypedValue] | str | None

_LARGEST: Final = 2**63 - 1  # of an amount that a database keeps
_LONGEST: Final = 2_000
_MOST_VALUES: Final = 200
_SHOWN: Final = 60
_SCALES = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE}
_TRUTHS = {"true": 1, "false": 0}
_HOW = "Write it as a document would: 2024-03-01, $1,250.00, 30 days."


def action_of(action: ReviewAction | str) -> ReviewAction:
    """The action of that name. Raises UsageError."""
    try:
        return ReviewAction(action)
    except ValueError:
        known = ", ".join(each.value for each in ReviewAction)
        raise UsageError(
            f"Unknown action {_short(str(action))}. Expected one of: {known}.",
            next_step="Choose one of them.",
        ) from None


def definition_of(field: str, schemas: Sequence[Schema], kind: str) -> FieldDefinition:
    """The field that a document is asked for. kind: its schema; "" where it was not read yet: any has it.

    Raises UsageError where there is none.
    """
    asked = [each for each in schemas if each.name == kind] or list(schemas)
    found = next((own for each in asked if (own := each.field(field)) is not None), None)
    if found is None:
        whom = f"{asked[0].title!r}" if len(asked) == 1 else "any kind of document"
        raise UsageError(
            f"There is no field {_short(field)} for {whom}.",
            next_step="See the fields of the schema; a renamed field has its new name.",
        )
    return found


def accepted(
    definition: FieldDefinition, action: ReviewAction, given: Given, quotes: Sequence[Quote], cell: Cell
) -> tuple[TypedValue, ...]:
    """The values of a verdict, read where they are text; () where the action needs none.

    Spans alone say what their characters say; of a clause, that it is there. cell: as it is now, for a
    verdict that takes what it says. Raises UsageError for what the field does not take.
    """
    if action in (ReviewAction.ABSENT, ReviewAction.UNDO):
        return ()
    if isinstance(given, str):
        values: tuple[TypedValue, ...] = (read_value(given, definition.name, definition),)
    elif isinstance(given, TypedValue):
        values = (given,)
    else:
        values = tuple(given or ())
    if not values and quotes and definition.type is not FieldType.BOOLEAN:
        read = [read_value(each.quote, definition.name, definition) for each in quotes]
        values = tuple({(each.text, each.unit): each for each in read}.values())
    _require_all(definition, values)
    if not values and not quotes and action is ReviewAction.CONFIRM:
        _require_all(definition, _confirmed(definition, cell.finding))
    return values


def _confirmed(definition: FieldDefinition, finding: Finding) -> tuple[TypedValue, ...]:
    """What a cell says, of an uncertain one its best candidate; that has a value unless it is a clause."""
    if finding.values or not finding.candidates:
        return finding.values
    best = finding.candidates[0].value
    if best is None and definition.type is not FieldType.BOOLEAN:
        raise UsageError(
            f"What was found for the field {definition.name!r} has no {definition.type.value} to confirm.",
            next_step="Type the value or mark it on the page, or mark the field as absent.",
        )
    return () if best is None else (best,)


def _require_all(definition: FieldDefinition, values: Sequence[TypedValue]) -> None:
    most = _MOST_VALUES if definition.many else 1
    if len(values) > most:
        raise UsageError(
            f"The field {definition.name!r} takes {f'at most {most} values' if most > 1 else 'one value'},"
            f" not {len(values)}.",
            next_step="Choose one of them." if most == 1 else "Leave some of them out.",
        )
    for value in values:
        why = _wrong(definition, value)
        if why:
            raise UsageError(
                f"{_short(value.original or value.text)} is no {definition.type.value} as the field"
                f" {definition.name!r} needs it: {why}.",
                next_step=_HOW,
            )


def read_value(text: str, field: str, definition: FieldDefinition | None) -> TypedValue:
    """A person's text as a value of a field. definition: None where no schema has the field.

    Raises UsageError for what the field does not take.
    """
    from core.fields.typed import value_of

    found = None if definition is None or not _is_storable(text) else value_of(text.strip(), definition)
    if found is None:
        kind = "value" if definition is None else definition.type.value
        raise UsageError(f"{_short(text)} is no {kind} as the field {field!r} needs it.", next_step=_HOW)
    return found.value


def _wrong(definition: FieldDefinition, value: TypedValue) -> str:
    """Why a field does not take a value; "" where it does."""
    kind = definition.type
    words = (value.text, value.unit, value.original, value.normal)
    if value.type is not kind:
        return f"it is a {value.type.value}"
    if not all(_is_storable(each) for each in words) or max(map(len, words)) > _LONGEST:
        return f"it is longer than {_LONGEST:,} characters or holds some that cannot be kept"
    if value.special is Special.AMBIGUOUS:
        return f"it can be read as {' or '.join(value.text.split('/'))}"
    if value.special:
        return "" if value.amount is None else "what has no value has no amount"
    if kind is FieldType.ENUM:
        return "" if value.text in definition.options else f"expected {', '.join(definition.options)}"
    if kind in NAMES:
        return "" if value.text.strip() else "it is empty"
    if value.amount is None or abs(value.amount) > _LARGEST:
        return "its amount is missing or too large"
    return "" if _says_its_amount(value) else "its text and its amount differ"


def _says_its_amount(value: TypedValue) -> bool:
    """Whether an amount is what the canonical text says."""
    if value.type is FieldType.BOOLEAN:
        return _TRUTHS.get(value.text) == value.amount
    try:
        if value.type is FieldType.DATE:
            return date.fromisoformat(value.text).toordinal() == value.amount
        if value.type in _SCALES:
            return Decimal(value.text).scaleb(_SCALES[value.type]) == value.amount
    except (ValueError, InvalidOperation):
        return False
    return value.text.startswith("P")


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= each <= "\udfff" for each in text)


def _short(text: str) -> str:
    """The text as a message shows it: quoted, on one line, and not all of a long one."""
    return (
        ascii(text[:_SHOWN]) if not _is_storable(text) else repr(text[:_SHOWN]) + "..." * (len(text) > _SHOWN)
    )
