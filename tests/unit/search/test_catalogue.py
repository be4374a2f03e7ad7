from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.domain.ids import DocumentId
from core.search.catalogue import TitledDocument, TitleIndex, linked


def index(*titles: str, bucket: str = "b") -> TitleIndex:
    made = TitleIndex()
    for title in titles:
        made.add(TitledDocument(DocumentId(title), bucket, ()), title)
    return made


def found(made: TitleIndex, text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in made.mentions(text)]


def test_the_longest_title_at_a_place_is_meant() -> None:
    made = index("New York", "New York Times", "York")
    assert found(made, "It stood in the New York Times of New York, and in York.") == [
        "New York Times",
        "New York",
        "York",
    ]


def test_what_stands_in_brackets_behind_a_title_need_not_be_said() -> None:
    made = index("Lilu (mythology)")
    assert found(made, "Lilu is a demon.") == ["Lilu"]
    assert found(made, "See Lilu (mythology).") == ["Lilu (mythology"]


def test_accents_possessives_and_case_do_not_matter_but_a_name_begins_with_a_capital() -> None:
    made = index("Café Alû")
    assert found(made, "The CAFE ALU's menu, café Alû's, Cafe Alu’s") == ["CAFE ALU's", "Cafe Alu’s"]


def test_a_title_of_many_documents_is_a_kind_and_no_name() -> None:
    made = TitleIndex()
    for number in range(4):
        made.add(TitledDocument(DocumentId(f"d{number}"), "b", ()), "Services Agreement")
    assert not made.mentions("The Services Agreement says so.")
    made.remove(DocumentId("d0"))
    assert linked(made.mentions("The Services Agreement says so.")) == ("d1", "d2", "d3")


def test_titles_of_function_words_or_bare_figures_are_not_looked_for() -> None:
    made = index("It", "The Who", "2012", "Of")
    assert found(made, "It was 2012. Of The Band. The Who played.") == []
    assert len(index("2012 season")) == 1


def test_a_document_that_is_added_again_is_known_by_its_new_title_only() -> None:
    made = index("Alder Lease")
    made.add(TitledDocument(DocumentId("Alder Lease"), "b", ()), "Birch Lease")
    assert found(made, "The Alder Lease and the Birch Lease.") == ["Birch Lease"]
    made.remove(DocumentId("Alder Lease"))
    assert found(made, "The Birch Lease.") == []
    assert len(made) == 0


def test_documents_that_are_not_allowed_are_not_mentioned() -> None:
    made = index("Alder Lease", bucket="a")
    assert not made.mentions("The Alder Lease.", lambda document: document.bucket == "b")


@given(st.text(max_size=200), st.lists(st.text(max_size=30), max_size=10))
def test_any_text_and_any_titles_can_be_read(text: str, titles: list[str]) -> None:
    mentions = index(*titles).mentions(text)
    assert all(0 <= each.start < each.end <= len(text) for each in mentions)
    assert all(one.end <= two.start for one, two in pairwise(mentions))
