"""Values that were computed, as precise as values are stored, so that conditions compare with them."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, InvalidOperation

from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType
from core.domain.predicate import Operator
from core.domain.results import FoundValue

_PLACES: dict[str, int] = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE}


def as_stored(found: FoundValue, op: Operator) -> str:
    """The text of a value, an average that is finer than what is stored on the side that decides the same.

    Nothing that is stored lies between 367.5937 and 367.59375: it is above both, or above none.
    """
    places = _PLACES.get(found.kind)
    try:
        number = Decimal(found.text)
    except InvalidOperation:
        return found.text
    exponent = number.as_tuple().exponent
    if places is None or not isinstance(exponent, int) or -exponent <= places:
        return found.text
    is_below = op in (Operator.GREATER, Operator.LESS_EQUAL)
    is_above = op in (Operator.LESS, Operator.GREATER_EQUAL)
    rounding = ROUND_FLOOR if is_below else ROUND_CEILING if is_above else ROUND_HALF_EVEN
    return f"{number.quantize(Decimal(1).scaleb(-places), rounding):f}"
