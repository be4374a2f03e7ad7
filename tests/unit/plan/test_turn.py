"""What a turn may go on from, and what it asks to be done with that."""

from __future__ import annotations

from bench.reader.marks import reading_of as marked
from core.plan.conversation_state import ConversationState, SetInHand
from core.plan.readers.trained.reading import FieldLink, QuestionReading, ReadSpan, SpanRole
from core.plan.readers.trained.reading import Operation as ReadOperation
from core.plan.readers.trained.to_reading import reading_of
from core.plan.reading import Function, Operation, ReadField, Reading
from core.plan.turn import MOST_NAMED, fields_once, in_context, named_documents, turn_in_hand
from tests.support.conversation_readings import TODAY, MarkedConversation, plan_of_reading
from tests.support.known_collection import known_collection

KNOWN = known_collection()
BARE = Reading(operation=Operation.LIST, by="trained", question="contracts")


def test_after_one_document_was_spoken_of_the_set_is_still_the_base() -> None:
    talk = MarkedConversation(KNOWN, documents=("d01", "d02"))
    talk.turn("list", "contracts [under Texas law]{=governing_law}")
    talk.turn("ordinal:lookup", "[value]{?contract_value} of the [second]{nth}")
    read = marked("ask:lookup", "[law]{?governing_law}?", "contracts", is_labelled=True)

    at = turn_in_hand(read, reading_of(read, KNOWN, TODAY), talk.state, KNOWN)

    assert at is not None
    assert [each.field.name for each in at.base.conditions] == ["governing_law"]
    assert at.last.operation is Operation.LOOKUP


def test_an_operation_that_is_not_sure_leaves_the_figure_of_before() -> None:
    read = marked("narrow:list", "[with insurance]{+insurance}", "contracts", is_labelled=True)
    unsure = QuestionReading(
        read.question, ((ReadOperation.LIST, 0.5),), read.spans, 1.0, relations=read.relations
    )
    counting = BARE.model_copy(update={"operation": Operation.COUNT, "function": Function.COUNT})
    plan = plan_of_reading(counting)
    state = ConversationState(SetInHand(("d01",), "", plan), plan)
    at = turn_in_hand(unsure, reading_of(read, KNOWN, TODAY), state, KNOWN)

    assert at is not None
    assert at.work(counting)["operation"] is Operation.COUNT


def test_more_documents_than_can_be_named_are_not_named() -> None:
    documents = tuple(f"d{n}" for n in range(MOST_NAMED + 1))

    assert named_documents(BARE, documents, KNOWN) is None
    assert named_documents(BARE, documents[:2], KNOWN) is not None


def test_fields_stand_once_in_their_order() -> None:
    law, value = ReadField(name="governing_law"), ReadField(name="contract_value")

    assert fields_once((law, value, law)) == (law, value)


def _linked(schema: str, *fields: str) -> QuestionReading:
    links = tuple(FieldLink(schema, field, 0.6) for field in fields)
    span = ReadSpan(4, 8, SpanRole.VALUE, False, links, 1.0, comparison="between")
    return QuestionReading(
        "and 2022?", ((ReadOperation.LIST, 0.9),), (span,), 1.0, relations=(("replace", 0.9), ("new", 0.1))
    )


def test_a_year_alone_is_on_the_day_of_the_question_before() -> None:
    talk = MarkedConversation(KNOWN, "invoices", documents=("d11",))
    talk.turn("compute/sum", "[total]{?total} of invoices [in 2023]{..invoice_date}")

    found = talk.read(_linked("contracts", "expiration_date"))

    assert [(each.field.name, each.values[0]) for each in found.conditions] == [
        ("invoice_date", "2022-01-01")
    ]
    assert found.function is Function.SUM


def test_words_of_a_turn_that_stands_alone_keep_their_fields() -> None:
    talk = MarkedConversation(KNOWN, "invoices", documents=("d11",))
    talk.turn("list", "invoices [in 2023]{..invoice_date}")
    read = _linked("contracts", "expiration_date")
    alone = QuestionReading(read.question, read.operations, read.spans, 1.0, relations=(("new", 1.0),))

    assert in_context(alone, talk.state, KNOWN) == alone
