"""Turns that change which documents the conversation is about."""

from __future__ import annotations

from core.plan.reading import Operation, Outcome
from tests.support.conversation_readings import MarkedConversation
from tests.support.known_collection import known_collection

KNOWN = known_collection()


def conversation(text: str = "contracts [under Texas law]{=governing_law}") -> MarkedConversation:
    talk = MarkedConversation(KNOWN, documents=("d01", "d02", "d03"))
    talk.turn("list", text)
    return talk


def test_what_is_taken_back_and_stands_nowhere_is_a_step_back() -> None:
    talk = conversation()
    talk.turn("narrow:list", "[with insurance]{+insurance}")

    found = talk.turn("widen:list", "show everything again")

    assert [each.field.name for each in found.conditions] == ["governing_law"]


def test_the_list_is_shown_again_after_a_figure_of_it() -> None:
    talk = conversation()
    talk.turn("narrow:list", "[with insurance]{+insurance}")
    talk.turn("count:count", "how many?")

    found = talk.turn("undo:list", "the list again please")

    assert (found.operation, len(found.conditions)) == (Operation.LIST, 2)


def test_nothing_was_before_the_first_set() -> None:
    talk = conversation()

    talk.turn("undo:list", "back")

    assert talk.followed is None


def test_parties_of_no_known_kind_are_joined_as_sets() -> None:
    talk = MarkedConversation(KNOWN, documents=("d01", "d02"))
    talk.turn("list", "anything with [Halden]{party}")

    found = talk.turn("widen:list", "and [Brightwater]{party}")

    assert found.sides == ("s1", "s2")


def test_the_rest_of_a_narrowing_by_two_conditions_is_what_lacks_one_of_them() -> None:
    talk = conversation()
    talk.turn("narrow:list", "those [with insurance]{+insurance} and [a cap]{+cap_on_liability}")

    found = talk.turn("rest:list", "and the others?")

    assert (found.outcome, [len(each.conditions) for each in found.steps]) == (Outcome.WITHOUT, [1, 3])


def test_a_condition_of_the_set_is_exchanged_though_one_document_was_spoken_of_since() -> None:
    talk = conversation()
    talk.turn("ordinal:lookup", "[value]{?contract_value} of the [first]{nth}")

    found = talk.turn("replace:list", "and those [under German law]{=governing_law}?")

    assert (found.names, [each.values for each in found.conditions]) == ((), [("Germany",)])


def test_all_that_no_condition_says_has_no_rest() -> None:
    talk = conversation("contracts")

    talk.turn("rest:list", "and the others?")

    assert talk.followed is None
