from __future__ import annotations

from core.domain.search import SearchQuery
from core.evidence.base import span_of
from core.evidence.pack import pack
from core.records.database.visibility import Visibility
from tests.support.library import Library


def test_the_same_sentence_in_two_documents_is_one_piece_of_evidence() -> None:
    library = Library()
    for name in ("a.txt", "b.txt"):
        library.add(name, "Either party may terminate upon written notice to the other.")
    evidence = pack(library.retrieve(SearchQuery("terminate upon notice"), Visibility.everything()))
    assert len(evidence.sentences) == 1
    assert len(evidence.candidates) == 2


def test_a_specification_row_is_kept_where_a_bare_heading_is_not() -> None:
    library = Library()
    library.add("a.txt", "DC VOLTAGE\nMaximum DC Voltage 1,100 V\nThe voltage must be checked before work.")
    evidence = pack(library.retrieve(SearchQuery("maximum DC voltage"), Visibility.everything()))
    texts = [sentence.text.strip() for sentence in evidence.sentences]
    assert "Maximum DC Voltage 1,100 V" in texts
    assert "DC VOLTAGE" not in texts


def test_what_is_said_of_another_model_is_no_evidence() -> None:
    library = Library()
    library.add("cabinet-b-120.txt", "The B-120 has a usable capacity of 120 kWh.")
    library.add("cabinet-b-200.txt", "The B-200 stands outdoors.")
    library.add("overview.txt", "Every cabinet has a usable capacity of its own.")

    def sources(question: str) -> set[str]:
        found = pack(library.retrieve(SearchQuery(question), Visibility.everything())).sentences
        return {span_of(sentence).source for sentence in found}

    assert sources("usable capacity of the B-200") == {"cabinet-b-200.txt", "overview.txt"}
    assert sources("usable capacity of B120 or B-200") == {
        "cabinet-b-120.txt",
        "cabinet-b-200.txt",
        "overview.txt",
    }
    assert "cabinet-b-120.txt" in sources("usable capacity of the X-9 and of cabinets")


def test_a_span_leaves_out_the_white_space_around_a_sentence() -> None:
    library = Library()
    library.add("a.txt", "One thing.   Another thing here. ")
    evidence = pack(library.retrieve(SearchQuery("another thing"), Visibility.everything()))
    for sentence in evidence.sentences:
        span = span_of(sentence)
        assert span.quote == span.quote.strip()
        page = library.page(span.document, 1, span.page_no, Visibility.everything())
        assert page.text[span.start : span.end] == span.quote
