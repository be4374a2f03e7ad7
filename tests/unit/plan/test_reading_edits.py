"""Edits of readings: conditions exchanged, widened, taken back, turned round; orders merged; sets joined."""

from __future__ import annotations

import pytest

from core.domain.predicate import Operator
from core.plan.reading import Operation, Outcome, ReadCondition, ReadField, Reading, ReadName, ReadOrder
from core.plan.reading_edits import (
    alternatives,
    as_set,
    combined,
    exchanged,
    exclusive,
    in_words,
    is_focused,
    merged_order,
    says_no,
    taken_back,
    turned,
    unfolded,
    wrapped,
)
from tests.support.conversation_readings import MarkedConversation
from tests.support.known_collection import known_collection

KNOWN = known_collection()


def law(name: str, either: int = 0) -> ReadCondition:
    field = ReadField(name="governing_law", schema_name="contracts")
    return ReadCondition(field=field, op=Operator.EQUAL, values=(name,), either=either, words=name)


def clause(name: str, *, negated: bool = False) -> ReadCondition:
    return ReadCondition(field=ReadField(name=name, schema_name="contracts"), negated=negated, words=name)


def value(op: Operator, amount: str) -> ReadCondition:
    field = ReadField(name="contract_value", schema_name="contracts")
    return ReadCondition(field=field, op=op, values=(amount,))


TEXAS, OHIO = law("Texas"), law("Ohio")


INSURANCE, CAP = clause("insurance"), clause("cap_on_liability")


OVER, UNDER = value(Operator.GREATER, "5 USD"), value(Operator.LESS, "9 USD")


RANKED = Reading(
    operation=Operation.RANK,
    kind="contracts",
    order=ReadOrder(field=ReadField(name="contract_value"), limit=5, words="largest"),
    by="trained",
    question="the five largest",
)


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [
        ((TEXAS, INSURANCE), (OHIO,), (INSURANCE, OHIO)),
        ((TEXAS, INSURANCE), (CAP,), (TEXAS, CAP)),
        ((OVER, UNDER), (value(Operator.LESS, "7 USD"),), (OVER, value(Operator.LESS, "7 USD"))),
        ((OVER,), (TEXAS,), (TEXAS,)),
        ((INSURANCE,), (TEXAS,), (INSURANCE, TEXAS)),
        ((TEXAS,), (TEXAS,), (TEXAS,)),
    ],
)
def test_what_is_alike_gives_place(
    before: tuple[ReadCondition, ...], added: tuple[ReadCondition, ...], after: tuple[ReadCondition, ...]
) -> None:
    assert exchanged(before, added, KNOWN) == after


def test_an_alternative_stands_beside_those_on_its_field() -> None:
    found = alternatives((TEXAS, INSURANCE), (OHIO,))

    assert found is not None
    assert [(each.field.name, each.either) for each in found] == [
        ("governing_law", 1),
        ("governing_law", 1),
        ("insurance", 0),
    ]


def test_nothing_is_an_alternative_to_no_condition() -> None:
    with pytest.raises(ValueError, match="alternative"):
        alternatives((), (OHIO,))


def test_an_alternative_that_is_left_alone_is_none_any_more() -> None:
    assert taken_back((law("Texas", 1), law("Ohio", 1)), (law("Ohio", 1),)) == (TEXAS,)


@pytest.mark.parametrize("conditions", [(INSURANCE,), (law("Texas", 1), law("Ohio", 1))])
def test_the_opposite_of_alternatives_is_that_none_is_so(conditions: tuple[ReadCondition, ...]) -> None:
    found = tuple(map(turned, conditions))

    assert [(each.either, each.negated) for each in found] == [(0, True)] * len(conditions)


def test_what_is_missing_is_there_when_turned_round() -> None:
    found = (turned(INSURANCE.model_copy(update={"op": Operator.MISSING})),)

    assert (found[0].op, found[0].negated) == (Operator.IS, False)


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [
        ((TEXAS,), (OHIO,), ()),
        ((OVER,), (UNDER,), (OVER,)),
        ((INSURANCE,), (clause("insurance", negated=True),), ()),
        ((TEXAS.model_copy(update={"negated": True}),), (TEXAS,), ()),
    ],
)
def test_what_cannot_hold_beside_a_new_condition_goes(
    before: tuple[ReadCondition, ...], added: tuple[ReadCondition, ...], after: tuple[ReadCondition, ...]
) -> None:
    assert exclusive(before, added, KNOWN) == after


def test_a_number_alone_changes_the_number_of_an_order() -> None:
    order = merged_order(RANKED.order, ReadOrder(limit=3), is_numbered=True, keeps_limit=True)

    assert order is not None
    assert (order.limit, order.words) == (3, "largest")


def test_another_end_of_an_order_keeps_its_number() -> None:
    own = ReadOrder(field=ReadField(name="contract_value"), descending=False, limit=1)

    order = merged_order(RANKED.order, own, is_numbered=False, keeps_limit=True)

    assert order is not None
    assert (order.limit, order.descending) == (5, False)


def test_the_first_of_an_order_are_a_step_of_what_is_asked_of_them() -> None:
    found = as_set(RANKED)

    assert (found.within, found.steps[0].operation) == (("s1",), Operation.RANK)
    assert wrapped(found).within == ("s2",)


def test_two_sets_are_joined_over_steps() -> None:
    found = combined(RANKED, RANKED, Outcome.UNION)

    assert (found.sides, len(found.steps)) == (("s1", "s2"), 2)
    with pytest.raises(ValueError, match="goes on from"):
        combined(found, RANKED, Outcome.UNION)


def test_a_reading_of_named_documents_or_of_a_first_one_is_about_these() -> None:
    named = RANKED.model_copy(update={"names": (ReadName(words="the lease", role="document"),)})
    one = RANKED.model_copy(update={"order": ReadOrder(field=ReadField(name="contract_value"), limit=1)})

    assert is_focused(named)
    assert is_focused(wrapped(one).model_copy(update={"operation": Operation.LOOKUP}))
    assert not is_focused(RANKED)


def listed(*conditions: ReadCondition, **parts: object) -> Reading:
    return Reading.model_validate(
        {
            "operation": Operation.LIST,
            "kind": "contracts",
            "conditions": conditions,
            "by": "model",
            "question": "q",
        }
        | parts
    )


def test_what_narrows_a_set_says_all_of_it() -> None:
    held, narrowed = listed(TEXAS), listed(INSURANCE, within=("set",), kind="")

    whole = unfolded(narrowed, held)

    assert (whole.within, whole.kind) == ((), "contracts")
    assert [each.field.name for each in whole.conditions] == ["governing_law", "insurance"]


@pytest.mark.parametrize(
    ("held", "narrowed"),
    [
        (None, listed(INSURANCE, within=("set",))),
        (RANKED, listed(INSURANCE, within=("set",))),
        (listed(TEXAS), listed(INSURANCE)),
        (listed(TEXAS), listed(within=("set",), kind="invoices")),
    ],
    ids=["nothing known", "the first of an order", "no set", "another kind"],
)
def test_what_narrows_no_plain_set_stays(held: Reading | None, narrowed: Reading) -> None:
    assert unfolded(narrowed, held) is narrowed


def test_a_reading_that_is_called_as_a_step_is_can_be_a_step() -> None:
    own = listed(TEXAS, id="s1")

    assert wrapped(own).steps[0].id == "s2"
    assert [each.id for each in combined(own, own, Outcome.UNION).all_steps] == ["s1", "s2", "answer"]


def test_very_many_words_are_cut() -> None:
    assert len(ReadOrder(words="more " * 300).words) == 500


@pytest.mark.parametrize(
    ("head", "text", "words"),
    [
        ("list", "[leases]{kind} [under Texas law]{=governing_law}", "Leases: under Texas law?"),
        ("count", "how many lack [a cap]{-cap_on_liability}", "How many contracts: without a cap?"),
        ("list", "contracts [which are not capped]{-cap_on_liability}", "Contracts: which are not capped?"),
        ("list", "contracts not [under Texas law]{!=governing_law}", "Contracts: not under Texas law?"),
        (
            "list",
            "contracts without [a cap]{-cap_on_liability} [from 2019]{..agreement_date}",
            "Contracts: from 2019, without a cap?",
        ),
        (
            "list",
            "contracts under [Texas]{=governing_law} or [German]{|=governing_law} law",
            "Contracts: Texas or German (Germany)?",
        ),
        ("compute/sum", "total [value]{?contract_value} of contracts", "Total value of contracts?"),
        ("group/avg", "average [fee]{?annual_fee} [per law]{by governing_law}",
         "Average fee of contracts for each law?"),
        ("count/distinct", "how many [vendors]{?vendor}", "How many different vendors of contracts?"),
        ("lookup", "[law]{?governing_law} of the [Supply Agreement]{doc}", "Law of Supply Agreement?"),
        ("list", "contracts with [Halden]{party}", "Contracts: with Halden?"),
        (
            "rank/desc",
            "the [five]{limit} [largest]{order contract_value} contracts",
            "Contracts, by largest, 5 of them?",
        ),
        ("exists", "is there any with [insurance]{+insurance}", "Any contracts: insurance?"),
        ("text", "what does the [Supply Agreement]{doc} say about windows?",
         "what does the Supply Agreement say about windows?"),
    ],
)  # fmt: skip
def test_a_reading_is_a_whole_question(head: str, text: str, words: str) -> None:
    assert in_words(MarkedConversation(KNOWN).turn(head, text), KNOWN) == words


@pytest.mark.parametrize(
    ("words", "is_so"),
    [
        ("are not capped", True),
        ("don’t end", True),
        ("outside Texas", True),
        ("notice", False),
        ("a cap", False),
    ],
)
def test_words_that_deny_something_are_known(words: str, is_so: bool) -> None:
    assert says_no(words) is is_so


def test_a_document_that_no_words_name_leaves_no_empty_part() -> None:
    held = ReadName(words="", role="document", documents=("d1",))
    law = ReadCondition(
        field=ReadField(name="governing_law"), op=Operator.EQUAL, values=("Texas",), words="Texas"
    )
    reading = Reading(
        question="Texas?",
        by="model",
        operation=Operation.LIST,
        kind="contracts",
        names=(held,),
        conditions=(law,),
    )

    assert in_words(reading, KNOWN) == "Texas?"
