import pytest

from core.domain.predicate import Operator, Predicate, parse_condition
from core.errors import UsageError


@pytest.mark.parametrize(
    ("text", "field", "operator", "value"),
    [
        ("amount >= 100000 USD", "amount", Operator.GREATER_EQUAL, "100000 USD"),
        ("amount>=5", "amount", Operator.GREATER_EQUAL, "5"),
        ("law = Delaware", "law", Operator.EQUAL, "Delaware"),
        ("law == 'New York'", "law", Operator.EQUAL, "New York"),
        ("law != New York", "law", Operator.NOT_EQUAL, "New York"),
        ("law ~ ^(new|old) ", "law", Operator.MATCHES, "^(new|old)"),
        ("'Unit price' < 3", "Unit price", Operator.LESS, "3"),
        ('"is in" contains a b', "is in", Operator.CONTAINS, "a b"),
        ("penalty is-missing", "penalty", Operator.MISSING, ()),
        ("penalty IS MISSING", "penalty", Operator.MISSING, ()),
        ("law is uncertain", "law", Operator.IS, "uncertain"),
        ("end between 2024-01-01 and 2024-12-31", "end", Operator.BETWEEN, ("2024-01-01", "2024-12-31")),
        ("fee BETWEEN 1 .. 2", "fee", Operator.BETWEEN, ("1", "2")),
        ("law in Delaware, 'New York'", "law", Operator.IN, ("Delaware", "New York")),
        ("fee in (1,000 USD; 2,000 USD)", "fee", Operator.IN, ("1,000 USD", "2,000 USD")),
        ("name in a | b", "name", Operator.IN, ("a", "b")),
        ("title = a = b", "title", Operator.EQUAL, "a = b"),
    ],
)
def test_a_condition_is_read_as_it_is_written(
    text: str, field: str, operator: Operator, value: str | tuple[str, ...]
) -> None:
    assert parse_condition(text) == Predicate(field, operator, value)


@pytest.mark.parametrize(
    "text", ["", "law", "law =", "= 5", "law between 1", "law like x", "fee between 1 and 2 and 3", "law in"]
)
def test_a_condition_that_cannot_be_read_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="cannot be read") as refused:
        parse_condition(text)
    assert "amount >= 100000 USD" in refused.value.next_step


def test_an_unknown_operator_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="is-missing"):
        Predicate("law", "like", "x").operator  # noqa: B018


def test_a_list_of_values_as_json_has_it_is_a_tuple() -> None:
    assert Predicate("law", "in", ["a", "b"]).values == ("a", "b")  # type: ignore[arg-type]


@pytest.mark.parametrize("operator", [">>", "=>", "<>", "=~", ">=>", "> >", "==="])
def test_an_operator_that_there_is_not_is_named_as_the_mistake(operator: str) -> None:
    with pytest.raises(UsageError, match=f"no operator '{operator}'"):
        parse_condition(f"contract_value {operator} 12")


def test_a_value_in_quotation_marks_may_begin_with_a_sign() -> None:
    assert parse_condition('title = ">> 12"') == Predicate("title", Operator.EQUAL, ">> 12")
