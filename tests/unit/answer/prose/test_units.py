from __future__ import annotations

from core.answer.prose.units import MOST_DOCUMENTS, EvidencePool, PackedEvidence, units_of, widened, widening
from core.domain.answer import (
    Answer,
    Citation,
    Claim,
    Column,
    EvidenceItem,
    Kind,
    Ledger,
    LedgerDocuments,
    QuotedPlace,
    Route,
    Status,
    Table,
    Value,
    Verdict,
)
from core.store.database.visibility import Visibility
from tests.support.library import Library


def item(number: int, quote: str = "Some words.", state: str = "unused", start: int = 0) -> EvidenceItem:
    return EvidenceItem.model_validate(
        {
            "document": f"doc{number}",
            "title": f"Title {number}",
            "source": f"{number}.txt",
            "version": 1,
            "page": 1,
            "start": start,
            "end": start + len(quote),
            "quote": quote,
            "kind": "passage",
            "score": 1.0,
            "method": "keyword",
            "state": state,
        }
    )


def answer(*evidence: EvidenceItem, **fields: object) -> Answer:
    base = {
        "question": "q",
        "trace_id": "t",
        "data_version": 1,
        "status": Status.ANSWERED,
        "kind": Kind.LOOKUP,
        "route": Route.HYBRID,
        "text": "",
        "evidence": evidence,
    }
    return Answer.model_validate({**base, **fields})


def pack_units(given: Answer, most_tokens: int) -> PackedEvidence:
    pool = EvidencePool(most_tokens)
    pool.add_answer(given, lambda place: place)
    return pool.packed


def test_passages_that_were_cited_come_first_and_repeated_ones_not_at_all() -> None:
    packed = pack_units(answer(item(1), item(2, state="used"), item(3, state="duplicate")), 1_000)

    assert [(unit.id, unit.place.document) for unit in packed.units] == [("e1", "doc2"), ("e2", "doc1")]


def test_units_are_whole_and_what_does_not_fit_is_named() -> None:
    packed = pack_units(answer(item(1, "a" * 300), item(2, "b" * 300), item(3, "c")), 200)

    assert [unit.place.quote for unit in packed.units] == ["a" * 300]
    assert packed.unread == ("Title 2", "Title 3")


def test_no_more_documents_than_may_be_read() -> None:
    packed = pack_units(answer(*(item(number) for number in range(14))), 10_000)

    assert len({unit.place.document for unit in packed.units}) == MOST_DOCUMENTS
    assert len(packed.unread) == 14 - MOST_DOCUMENTS


def test_a_cited_place_within_a_passage_is_no_unit_of_its_own() -> None:
    within = item(1, "The rent is due. It is paid monthly.")
    cited = Citation(**{**place(within), "n": 1, "start": 17, "end": 36, "quote": "It is paid monthly."})
    apart = Citation(**{**place(within), "n": 2, "start": 90, "end": 95, "quote": "Apart"})
    claim = Claim(text="x", verdict=Verdict.SUPPORTED, citations=(cited, apart))

    packed = pack_units(answer(within, claims=(claim,)), 1_000)

    assert [unit.place.quote for unit in packed.units] == ["Apart", within.quote]


def place(of: EvidenceItem) -> dict[str, object]:
    return {
        name: getattr(of, name)
        for name in ("document", "title", "source", "version", "page", "start", "end", "quote")
    }


def test_computed_values_have_ids_of_their_own() -> None:
    ledger = Ledger(
        field="cap",
        about="cap",
        scope=9,
        present=5,
        absent=3,
        unreadable=1,
        uncertain=0,
        documents=LedgerDocuments(),
    )
    table = Table(
        columns=(Column(name="Document", type="text"), Column(name="Cap", type="money")),
        rows=(("Alpha", "USD 5"), ("Beta", None)),
    )
    given = answer(value=Value(type="number", value="5"), ledger=ledger, table=table, route=Route.STRUCTURED)

    packed = pack_units(given, 1_000)

    assert [(value.id, value.shown) for value in packed.values][:3] == [("v1", "5"), ("v2", "9"), ("v3", "5")]
    assert [(value.label, value.shown) for value in packed.values][-1] == ("Alpha, Cap", "USD 5")
    assert packed.values[2].label == "documents with cap"
    told = given.model_copy(update={"ledger": ledger.model_copy(update={"fulfils": True})})
    assert pack_units(told, 1_000).values[2].label == "documents that fulfil what is asked"
    assert not packed.is_empty
    assert packed.ids[0] == "v1"


def test_units_of_ids_leave_out_values_and_repeats() -> None:
    value = Value(type="number", value="5")
    packed = pack_units(answer(item(1), item(2), value=value, route=Route.STRUCTURED), 1_000)

    assert [unit.id for unit in units_of(["e2", "v1", "e2", "e1"], packed)] == ["e2", "e1"]


def test_an_answer_without_evidence_packs_to_nothing() -> None:
    assert pack_units(answer(), 1_000).is_empty


def found(number: int, quote: str) -> QuotedPlace:
    return QuotedPlace.model_validate(place(item(number, quote)))


def test_what_a_tool_found_takes_the_place_of_the_weakest() -> None:
    pool = EvidencePool(450)
    pool.add_answer(answer(item(1, "a" * 300), item(2, "b" * 300), item(3, "c" * 300)), lambda place: place)

    assert pool.add_place(found(4, "d" * 300), is_found=True) == "e4"
    assert [unit.id for unit in pool.packed.units] == ["e1", "e2", "e4"]
    assert pool.packed.unread == ("Title 3",)
    assert pool.add_place(found(5, "e" * 300), is_found=True) == ""  # the two best stay


def test_what_is_too_long_for_any_room_drops_nothing() -> None:
    pool = EvidencePool(300)
    pool.add_answer(answer(item(1, "a" * 300)), lambda place: place)

    assert pool.add_place(found(3, "c" * 3_000), is_found=True) == ""
    assert [unit.id for unit in pool.packed.units] == ["e1"]


def test_a_tool_is_given_room_among_as_many_documents_as_may_be_read() -> None:
    pool = EvidencePool(10_000)
    pool.add_answer(answer(*(item(number) for number in range(MOST_DOCUMENTS))), lambda place: place)

    assert pool.add_place(found(20, "Found."), is_found=True)
    assert len(pool.packed.units) == MOST_DOCUMENTS


def test_pieces_of_a_page_that_overlap_are_one() -> None:
    text = "The rent is due. It is paid monthly. It may rise."
    pieces = item(1, text[:36]), item(1, text[17:], start=17)

    packed = pack_units(answer(*pieces), 1_000)

    assert [unit.place.quote for unit in packed.units] == [text]
    assert [(unit.place.start, unit.place.end) for unit in packed.units] == [(0, len(text))]


def test_a_place_that_no_dropping_makes_room_for_drops_nothing() -> None:
    pool = EvidencePool(10_000)
    for number in range(MOST_DOCUMENTS):
        pool.add_place(found(number, "Found."), is_found=True)
    before = len(pool.packed.units)

    assert pool.add_place(found(99, "One too many."), is_found=True) == ""
    assert len(pool.packed.units) == before


TEXT = "One is here. Two is there. Three is far. Four is gone. Five is back."


def test_a_span_grows_by_whole_sentences_on_both_sides() -> None:
    start = TEXT.index("Three")
    found = widened(TEXT, start, start + len("Three is far."), 42)

    assert TEXT[slice(*found)] == "Two is there. Three is far. Four is gone."


def test_it_never_grows_beyond_what_is_wanted_and_never_shrinks() -> None:
    assert widened(TEXT, 13, 26, 5) == (13, 26)
    assert widened(TEXT, 0, 12, 10_000) == (0, len(TEXT))


def test_a_place_is_widened_on_its_own_page() -> None:
    library = Library()
    document = library.add("a.txt", TEXT)
    place = QuotedPlace(
        document=document, title="A", source="a.txt", version=1, page=1, start=13, end=26, quote=TEXT[13:26]
    )
    widen = widening(library, Visibility.everything())

    assert widen(place).quote == TEXT
    gone = place.model_copy(update={"page": 9})
    assert widen(gone) == gone
