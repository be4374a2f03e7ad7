"""Values of conditions as plans compare them."""

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.compile.values import ValueTarget, compiled

LAWS = ValueTarget("Law", FieldType.TEXT, (), ("Ontario, Canada", "Canada", "Ohio", "England"))


def test_a_country_is_any_place_in_it() -> None:
    found = compiled(Operator.EQUAL, ("Canada",), LAWS)

    assert (found.op, found.value) == (Operator.IN, ("Canada", "Ontario, Canada"))


def test_a_place_in_a_country_is_itself() -> None:
    assert compiled(Operator.EQUAL, ("Ohio",), LAWS).value == "Ohio"
