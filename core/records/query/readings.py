"""Reading of the values in conditions: the canonical values of `core.values.canonical`."""

from core.domain.fields import TEXTS
from core.values.canonical import SPECIAL_WORDS, as_money, read_value

__all__ = ["SPECIAL_WORDS", "TEXTS", "as_money", "read_value"]
