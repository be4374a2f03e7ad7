from __future__ import annotations

from core.config.fields import FieldDefinition
from core.config.models import LlmSettings, ModelPrice
from core.domain.fields import Candidate, CellStatus, FieldType, Finding
from core.extract.base import DocumentText
from core.extract.model.calls import MOST_CELLS, CallSize, CellCall, cost_of, pack, room_for, seconds_of
from core.extract.model.evidence import PlaceFinder, field_words, size_of
from tests.support.document_text import document_text

PETS = FieldDefinition(
    name="pets", title="Pets", type=FieldType.BOOLEAN, description="Whether pets are allowed."
)
OPEN = Finding(CellStatus.UNCERTAIN)
FILLER = "The parties keep their promises in good faith and speak to each other before they go to court. "
LONG = FILLER * 60 + "\n\nThe tenant may keep pets such as one dog in the flat.\n\n" + FILLER * 60


def packed(document: DocumentText, *definitions: FieldDefinition, room: int = 1_000) -> list[CellCall]:
    finder = PlaceFinder(document, None, field_words(None))
    return pack(finder, [(each, OPEN) for each in definitions], room)


def fields(count: int) -> list[FieldDefinition]:
    return [PETS.model_copy(update={"name": f"pets{at}"}) for at in range(count)]


def test_a_short_document_is_given_in_full_and_may_be_said_to_lack_a_field() -> None:
    document = document_text("The rent is $9.\n", "The tenant may keep one dog.")

    [call] = packed(document, PETS)

    assert call.is_whole
    assert "".join(document.text[each.start : each.end] for each in call.evidence) == document.text.replace(
        "\n\n", "\n", 1
    )
    assert call.cells[0].may_be_absent


def test_a_page_without_text_forbids_to_say_that_a_field_is_absent() -> None:
    [call] = packed(document_text("The rent is $9.", " "), PETS)

    assert not call.cells[0].may_be_absent


def test_of_a_long_document_the_places_of_the_field_are_given_within_the_room() -> None:
    document = document_text(LONG)

    [call] = packed(document, PETS, room=600)

    assert not call.is_whole
    assert size_of((each.start, each.end) for each in call.evidence) <= 600
    assert any("keep pets" in document.text[each.start : each.end] for each in call.evidence)
    assert call.cells[0].may_be_absent  # the only sentence with its word was given


def test_where_not_every_sentence_with_the_words_of_a_field_fits_it_may_not_be_absent() -> None:
    named = "".join(f"The pets of tenant {at} are kept in a house of their own. " for at in range(200))

    [call] = packed(document_text(named + FILLER * 80), PETS, room=600)

    assert not call.cells[0].may_be_absent


def test_what_extraction_considered_is_given() -> None:
    document = document_text(
        FILLER * 60 + "\n\nA hamster is no nuisance whatever the landlord may say.\n\n" + FILLER * 60
    )
    at = document.text.index("A hamster")
    candidate = Candidate(None, (document.quote(at, at + 20),), 0.4, "head")
    finder = PlaceFinder(document, None, field_words(None))

    [call] = pack(finder, [(PETS, Finding(CellStatus.UNCERTAIN, candidates=(candidate,)))], 600)

    assert any("hamster" in document.text[each.start : each.end] for each in call.evidence)


def test_many_cells_go_into_few_calls_and_ids_begin_anew_in_each() -> None:
    calls = packed(document_text("The tenant may keep one dog."), *fields(MOST_CELLS + 3))

    assert [len(call.cells) for call in calls] == [MOST_CELLS, 3]
    assert [call.cells[0].id for call in calls] == ["c1", "c1"]


def test_cells_share_their_places_and_a_full_call_is_followed_by_another() -> None:
    other = FieldDefinition(name="faith", title="Good faith", type=FieldType.BOOLEAN)
    calls = packed(document_text(LONG), *fields(4), other, room=900)

    assert sum(len(call.cells) for call in calls) == 5
    for call in calls:
        starts = [each.start for each in call.evidence]
        assert starts == sorted(starts)
        assert len({each.id for each in call.evidence}) == len(call.evidence)


def test_nothing_is_asked_for_no_cells() -> None:
    assert packed(document_text("The rent is $9.")) == []


SIZE = CallSize(10, 20_000, 5_000)


def test_the_room_of_a_call_keeps_every_budget() -> None:
    assert room_for(LlmSettings()) == 3_500
    assert room_for(LlmSettings(context_tokens=50_000, tokens_per_minute=8_000)) < 8_000 - 1_500
    assert room_for(LlmSettings(context_tokens=50_000, tokens_per_minute=0)) < 24_000 - 1_500
    assert room_for(LlmSettings(tokens_per_question=1_000)) > 0


def test_the_cost_is_that_of_the_model_that_reads_and_unknown_without_a_price() -> None:
    price = {"openai/gpt-oss-20b": ModelPrice(prompt=0.1, completion=0.5)}

    assert cost_of(SIZE, LlmSettings(prices=price)) == 0.0045
    assert cost_of(SIZE, LlmSettings()) == 0.003
    assert cost_of(SIZE, LlmSettings(reading_model="small")) is None
    assert cost_of(SIZE, LlmSettings(base_url="http://localhost:8080/v1")) is None


def test_the_time_is_what_the_minute_allows() -> None:
    assert seconds_of(SIZE, LlmSettings(tokens_per_minute=0)) == 30
    assert seconds_of(SIZE, LlmSettings(tokens_per_minute=5_000)) == 300


def test_a_few_documents_stand_for_all() -> None:
    assert SIZE.scaled(2.5) == CallSize(25, 50_000, 12_500)
