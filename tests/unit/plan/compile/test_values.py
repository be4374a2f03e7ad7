"""Values of conditions as plans compare them."""

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.compile.values import ValueTarget, compiled

LAWS = ValueTarget("law", "Law", FieldType.TEXT, (), ("Ontario, Canada", "Canada", "Ohio", "England"))


def test_a_country_is_any_place_in_it() -> None:
    found = compiled(Operator.EQUAL, ("Canada",), LAWS)

    assert (found.op, found.value) == (Operator.IN, ("Canada", "Ontario, Canada"))


def test_a_place_in_a_country_is_itself() -> None:
    assert compiled(Operator.EQUAL, ("Ohio",), LAWS).value == "Ohio"


def test_a_thing_is_every_known_text_that_has_its_word_in_any_form() -> None:
    items = ValueTarget(
        "items", "Items", FieldType.TEXT, (), ("Winter tire", "Disposal of old tires", "Oil filter")
    )

    assert compiled(Operator.EQUAL, ("tires",), items).value == ("Winter tire", "Disposal of old tires")
    assert compiled(Operator.EQUAL, ("filters",), items).value == "Oil filter"
    unknown = compiled(Operator.EQUAL, ("brakes",), items)
    assert (unknown.op, unknown.value) == (Operator.CONTAINS, "brakes")
