"""Values: what a document states, typed, with the exact characters that each was read from."""

from core.values.dates import DateOrder, date_order, find_dates, parse_date
from core.values.durations import find_durations, parse_duration
from core.values.identifiers import Identifier, find_identifiers, find_phones
from core.values.money import find_money, parse_money
from core.values.names import normal_name, parse_party, same_party
from core.values.numbers import find_percents, parse_cardinal, parse_number, parse_ordinal
from core.values.units import canonical_unit

__all__ = [
    "DateOrder",
    "Identifier",
    "canonical_unit",
    "date_order",
    "find_dates",
    "find_durations",
    "find_identifiers",
    "find_money",
    "find_percents",
    "find_phones",
    "normal_name",
    "parse_cardinal",
    "parse_date",
    "parse_duration",
    "parse_money",
    "parse_number",
    "parse_ordinal",
    "parse_party",
    "same_party",
]
