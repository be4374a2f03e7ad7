"""Conditions over typed values, and the one way in which they are written: `field op value`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.domain.fields import TypedValue
from core.errors import UsageError


class Operator(StrEnum):
    """Operator of a comparison; IS compares the status of the cell, MISSING holds of an absent cell."""

    EQUAL = "="
    NOT_EQUAL = "!="
    GREATER = ">"
    GREATER_EQUAL = ">="
    LESS = "<"
    LESS_EQUAL = "<="
    BETWEEN = "between"  # both ends belong to it
    IN = "in"
    CONTAINS = "contains"
    MATCHES = "~"  # a regular expression (RE2), whatever the case
    MISSING = "is-missing"
    IS = "is"


INEQUALITIES = frozenset((Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL))

COMPARISONS: Mapping[Operator, Callable[[Any, Any], Any]] = {
    Operator.EQUAL: operator.eq,
    Operator.NOT_EQUAL: operator.ne,
    Operator.GREATER: operator.gt,
    Operator.GREATER_EQUAL: operator.ge,
    Operator.LESS: operator.lt,
    Operator.LESS_EQUAL: operator.le,
}
"""Operators that compare two values, or a column with a value."""


@dataclass(frozen=True, slots=True)
class OfField:
    """The value of another field of the same document."""

    name: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition on one field.

    value: of IN and BETWEEN several. A plain text is read as the type that the field's values have, where it
    is written canonically (ISO 8601, decimal numbers, "100000 USD"); of IS, MATCHES and CONTAINS it is the
    status, the pattern, the piece of text. NOT_EQUAL holds where there are values and none of them is equal.
    minus: another date; the condition is on the length of time from it to that of the field, both included.
    """

    field: str
    op: Operator | str
    value: TypedValue | str | tuple[TypedValue | str, ...] | OfField = ()
    minus: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.value, list):  # as JSON has it
            object.__setattr__(self, "value", tuple(self.value))

    @property
    def operator(self) -> Operator:
        """The operator. Raises UsageError where there is none of that name."""
        try:
            return Operator(self.op)
        except ValueError:
            known = ", ".join(each.value for each in Operator)
            raise UsageError(
                f"Unknown operator {str(self.op)!r}. Expected one of: {known}.",
                next_step="Write conditions as 'field op value', such as 'amount >= 100000 USD'.",
            ) from None

    @property
    def values(self) -> tuple[TypedValue | str, ...]:
        """The value or values as a tuple."""
        if isinstance(self.value, OfField):
            return ()
        return self.value if isinstance(self.value, tuple) else (self.value,)

    @property
    def others(self) -> tuple[str, ...]:
        """The other fields that it needs."""
        named = (self.value.name,) if isinstance(self.value, OfField) else ()
        return (*named, self.minus) if self.minus else named


_FIELD = r"(?P<field>[^\s=!<>~\"']{1,200}|\"[^\"]{1,200}\"|'[^']{1,200}')"
_CONDITION = re.compile(
    rf"\s{{0,20}}{_FIELD}\s{{0,20}}(?:"
    r"(?P<sign>!=|>=|<=|==|=|>|<|~)\s*(?P<value>.*?)"
    r"|(?i:is[\s-]*(?P<not>)missing)"
    r"|\s(?P<word>(?i:between|in|contains|is))\s+(?P<rest>.*?)"
    r")\s*",
    re.DOTALL,
)
_SIGNS = re.compile(r"[<>=!~]+")
_AND = re.compile(r"\s+and\s+|\s*\.\.\s*|\s*;\s*", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^;|]*))\s*(?:[;|]|$)")
_COMMA_ITEM = re.compile(r"\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^,]*))\s*(?:,|$)")


def parse_condition(text: str) -> Predicate:
    """The condition that `field op value` says, with its values as plain texts.

    `amount between 1000 USD and 2000 USD`, `law in "New York", Delaware` (or with `;` or `|` between, where
    values hold commas), `law ~ ^new`, `expiry is-missing`, `law is uncertain`. Names and values with spaces
    or signs stand in quotation marks. Raises UsageError.
    """
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise _unreadable(text)
    field = found["field"].strip("\"'")
    if found["sign"]:
        sign = "=" if found["sign"] == "==" else found["sign"]
        value = found["value"] if sign == "~" else _unquoted(found["value"])
        if not value:
            raise _unreadable(text)
        if sign != "~" and (more := _SIGNS.match(found["value"])):
            raise _no_operator(text[found.start("sign") : found.start("value") + more.end()])
        return Predicate(field, Operator(sign), value)
    if not found["word"]:
        return Predicate(field, Operator.MISSING)
    operator = Operator(found["word"].lower())
    values = _values(operator, found["rest"])
    if not all(values) or not values or (operator is Operator.BETWEEN and len(values) != 2):
        raise _unreadable(text)
    return Predicate(field, operator, values if operator in _SEVERAL else values[0])


_SEVERAL = frozenset({Operator.BETWEEN, Operator.IN})


def _values(operator: Operator, rest: str) -> tuple[str, ...]:
    if operator is Operator.BETWEEN:
        return tuple(_unquoted(part) for part in _AND.split(rest))
    if operator is Operator.IN:
        inner = rest[1:-1] if rest[:1] + rest[-1:] in ("()", "[]") else rest
        item = _ITEM if re.search(r"[;|]", inner) else _COMMA_ITEM
        found = [match for match in item.finditer(inner) if match[0]]
        return tuple(match["double"] or match["single"] or (match["bare"] or "").strip() for match in found)
    return (_unquoted(rest),)


def _unquoted(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if is_quoted else text


def _no_operator(written: str) -> UsageError:
    return UsageError(
        f"There is no operator {written!r}.",
        next_step="Use one of = != > >= < <= ~. A value that begins with one of them needs quotation marks.",
    )


def _unreadable(text: str) -> UsageError:
    return UsageError(
        f"The condition {text!r} cannot be read.",
        next_step="Write 'field op value', such as 'amount >= 100000 USD', 'law in Delaware, \"New York\"', "
        "'expiry between 2024-01-01 and 2024-12-31' or 'penalty is-missing'.",
    )
