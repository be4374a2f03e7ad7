from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.results import Documents, FoundValue, Group, Groups, Passages, Stopped
from core.errors import IndexUnavailableError
from core.plan.ir.nodes import Hop, Reference, Search
from core.store.database.visibility import Visibility
from tests.support.operating import DEALS, Desk, condition, select
from tests.support.shelf import Shelf
from tests.support.stated_values import absent, money, present, quote, text, uncertain

PAGE = "The cap is USD 750,000 in all cases."


def asked(desk: Desk, field: str, over: object, template: str = "") -> FoundValue | Stopped:
    node = Hop(id="h", purpose="p", inputs=("x",), field=field, template=template)
    found = desk.run(node, {"x": over})  # type: ignore[dict-item]
    assert isinstance(found, FoundValue | Stopped)
    return found


def test_one_value_is_found_with_the_words_it_rests_on(desk: Desk) -> None:
    cap = present(money("750000.00"), spans=(quote(PAGE, "USD 750,000"),))
    desk.put("policy", PAGE, title="Liability Policy", cap=cap)
    desk.put("other", cap=absent())
    found = asked(desk, "cap", desk.run(select()))
    assert isinstance(found, FoundValue)
    assert (found.kind, found.text, found.unit, found.field) == ("money", "750000.00", "USD", "cap")
    (citation,) = found.citations
    assert (citation.title, citation.quote, citation.page) == ("Liability Policy", "USD 750,000", 1)
    assert PAGE[citation.start : citation.end] == citation.quote


def test_what_was_found_can_be_compared_with(desk: Desk) -> None:
    desk.put("low", cap=present(money("10")))
    desk.put("high", cap=present(money("90")))
    value = FoundValue(kind="money", text="50.00", unit="USD")
    node = select(condition("cap", ">", {"from": "h"}), inputs=("h",))
    assert desk.parts(desk.run(node, {"h": value})) == (["high"], ["low"], [], [])


def test_several_values_are_asked_about(desk: Desk) -> None:
    desk.put("a", cap=present(money("10")))
    desk.put("b", cap=present(money("90")))
    found = asked(desk, "cap", desk.run(select()))
    assert isinstance(found, Stopped)
    assert found.is_question
    assert sorted(found.options) == ["10 USD", "90 USD"]
    assert "'cap' could be any of 2" in found.reason


def test_several_values_serve_where_one_of_them_is_enough(desk: Desk) -> None:
    desk.put("a", cap=present(money("10")))
    desk.put("b", cap=present(money("90")))
    desk.put("c", cap=present(money("50")))
    few = select(condition("cap", "!=", "50 USD"))
    found = desk.run(Hop(id="h", purpose="p", inputs=("x",), field="cap", several=True), {"x": desk.run(few)})
    assert isinstance(found, FoundValue)
    assert sorted(found.options) == ["10 USD", "90 USD"]
    node = select(condition("cap", "in", {"from": "h"}), inputs=("h",))
    assert desk.parts(desk.run(node, {"h": found}))[:2] == (["a", "b"], ["c"])


def test_no_document_has_a_value_of_none(desk: Desk) -> None:
    desk.put("a", law=present(text("New York")))
    none = desk.run(select(condition("law", "=", "Texas")))
    found = desk.run(Hop(id="h", purpose="p", inputs=("x",), field="law", several=True), {"x": none})
    assert isinstance(found, FoundValue)
    node = select(condition("law", "in", {"from": "h"}), inputs=("h",))
    assert desk.parts(desk.run(node, {"h": found}))[:2] == ([], ["a"])


def test_equal_values_of_several_documents_are_one(desk: Desk) -> None:
    desk.put("a", law=present(text("New York")))
    desk.put("b", law=present(text("new  york")))
    found = asked(desk, "law", desk.run(select()))
    assert isinstance(found, FoundValue)


@pytest.mark.parametrize("over", [Documents(), None])
def test_no_value_is_asked_about_too(desk: Desk, over: Documents | None) -> None:
    desk.put("a", cap=uncertain())
    found = asked(desk, "cap", desk.run(select()) if over is None else over)
    assert isinstance(found, Stopped)
    assert found.is_question
    assert not found.options


def test_groups_give_their_only_value_or_key(desk: Desk) -> None:
    def of(*keys: str) -> Groups:
        groups = tuple(Group(key=(key,), value="7", unit="USD", rows=1) for key in keys)
        return Groups(function="sum", field="fee", group_by=("vendor",), value_type="money", groups=groups)

    key, value = asked(desk, "vendor", of("ACME")), asked(desk, "", of("ACME"))
    assert isinstance(key, FoundValue)
    assert (key.text, key.kind) == ("ACME", "text")
    assert isinstance(value, FoundValue)
    assert (value.text, value.unit) == ("7", "USD")
    two = asked(desk, "vendor", of("ACME", "Beta"))
    assert isinstance(two, Stopped)
    assert two.options == ("ACME", "Beta")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[tuple[Shelf, Desk]]:
    shelf = Shelf(tmp_path)
    yield shelf, Desk(shelf.records, shelf.retriever)
    shelf.close()


def test_where_no_cell_states_it_the_text_is_asked(library: tuple[Shelf, Desk]) -> None:
    shelf, desk = library
    policy = shelf.put("policy.txt", "The liability cap is USD 500,000.", "Chairs are blue.", title="Policy")
    other = shelf.put("other.txt", "The liability cap is USD 900,000.")
    template = "What is the liability cap of {titles}?"
    found = asked(desk, "cap", Documents(present=frozenset({str(policy)})), template)
    assert isinstance(found, FoundValue)
    assert (found.text, found.unit) == ("500000.00", "USD")
    page = shelf.records.documents.page(policy, 1, 1, Visibility.everything())
    (citation,) = found.citations
    assert page.text[citation.start : citation.end] == citation.quote == "The liability cap is USD 500,000."
    both = asked(desk, "cap", Documents(present=frozenset({str(policy), str(other)})), template)
    assert isinstance(both, Stopped)
    assert sorted(both.options) == ["500000.00 USD", "900000.00 USD"]


def test_text_without_such_a_value_stops_the_plan(library: tuple[Shelf, Desk]) -> None:
    shelf, desk = library
    policy = shelf.put("policy.txt", "Chairs are blue.")
    found = asked(desk, "", Documents(present=frozenset({str(policy)})), "What is the liability cap?")
    assert isinstance(found, Stopped)
    assert "liability cap" in found.reason


def test_a_search_is_narrowed_by_what_was_found_before(library: tuple[Shelf, Desk]) -> None:
    shelf, desk = library
    shelf.put("a.txt", "Payment is due in May.")
    second = str(shelf.put("b.txt", "Payment is due in June."))
    node = Search(id="f", purpose="p", inputs=("x",), text="when is payment due", top_k=5)
    found = desk.run(node, {"x": Documents(present=frozenset({second}))})
    assert isinstance(found, Passages)
    assert [hit.document for hit in found.hits] == [second]
    assert not found.is_exhaustive
    hit = found.hits[0]
    page = shelf.records.documents.page(hit.document, hit.version, hit.page, Visibility.everything())  # type: ignore[arg-type]
    assert page.text[hit.start : hit.end] == hit.text
    assert desk.run(node, {"x": Documents()}) == Passages()
    everywhere = desk.run(node.model_copy(update={"inputs": ()}))
    assert isinstance(everywhere, Passages)
    assert len(everywhere.hits) == 2
    none = desk.run(node.model_copy(update={"inputs": (), "scope": DEALS}))
    assert none == Passages()


def test_a_search_without_its_index_says_so(desk: Desk) -> None:
    with pytest.raises(IndexUnavailableError):
        desk.run(Search(id="f", purpose="p", text="payment"))


def put_film(shelf: Shelf) -> tuple[str, str]:
    film = shelf.put("film.txt", "Silver Lantern was made by Mara Quist.", title="Silver Lantern")
    maker = shelf.put("maker.txt", "Mara Quist was born at Lund.", title="Mara Quist")
    for number in range(6):
        shelf.put(
            f"n{number}.txt", f"A silver lamp of company {number} was made there.", title=f"Note {number}"
        )
    return str(film), str(maker)


def test_titles_are_followed_to_the_documents_that_passages_name(library: tuple[Shelf, Desk]) -> None:
    shelf, desk = library
    _, maker = put_film(shelf)
    first = desk.run(Search(id="s", purpose="p", text="Who made Silver Lantern?", top_k=5))
    assert isinstance(first, Passages)
    node = Hop(id="h", purpose="p", inputs=("s",), follow="titles")
    links = desk.run(node, {"s": first})
    assert links == Documents(present=frozenset({maker}), order=(maker,), is_exhaustive=False)


def test_what_stands_in_linked_documents_is_ranked_in_pairs_with_the_first_search(
    library: tuple[Shelf, Desk],
) -> None:
    shelf, desk = library
    film, maker = put_film(shelf)
    text = "Where was the one born by whom Silver Lantern was made?"
    first = desk.run(Search(id="s", purpose="p", text=text, top_k=5))
    links = desk.run(Hop(id="h", purpose="p", inputs=("s",), follow="titles"), {"s": first})  # type: ignore[dict-item]
    assert isinstance(first, Passages)
    node = Search(id="t", purpose="p", text=text, top_k=5, inputs=("s", "h"), pairs_with=Reference(node="s"))
    found = desk.run(node, {"s": first, "h": links})  # type: ignore[dict-item]
    assert isinstance(found, Passages)
    assert [hit.document for hit in found.hits[:2]] == [film, maker]
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.passage for hit in found.hits}) == len(found.hits) <= 5
    assert found.notes


def test_without_links_the_first_search_stands(library: tuple[Shelf, Desk]) -> None:
    shelf, desk = library
    put_film(shelf)
    first = desk.run(Search(id="s", purpose="p", text="silver lamp", top_k=5))
    assert isinstance(first, Passages)
    node = Search(id="t", purpose="p", text="silver lamp", inputs=("s", "h"), pairs_with=Reference(node="s"))
    found = desk.run(node, {"s": first, "h": Documents(is_exhaustive=False)})
    assert isinstance(found, Passages)
    assert found.hits == first.hits
    assert "no further" in found.notes[0] or "names" in found.notes[0]
