"""Whatever is asked, hits come by falling score and are exact slices of one page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.search import SearchQuery
from core.store.database.visibility import Visibility
from tests.support.examples import examples
from tests.support.shelf import Shelf

ALL = Visibility.everything()
WORDS = [
    "Fiverr",
    "Groupon",
    "data",
    "is",
    "kept",
    "two",
    "years",
    "payment",
    "O'Neil",
    '"',
    "B-120",
    "\u202e",
]
TEXTS = st.one_of(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.text(max_size=60))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path_factory.mktemp("home"))
    shelf.put("Fiverr.txt", "Fiverr policy. Data is kept for two years.", "Cookies are sold to partners.")
    shelf.put("Groupon.txt", "Groupon policy. Data is kept for nine years.", bucket="other")
    shelf.put("O'Neil.txt", pages=["O'Neil signed.", "Payment is due.", "Cabinet B-120 is serviced."])
    shelf.put("secret.txt", "Fiverr pays Groupon two million.", acl=("legal",))
    yield shelf
    shelf.close()


@given(
    text=TEXTS,
    mode=st.sampled_from(["hybrid", "keyword", "semantic"]),
    top_k=st.integers(0, 8),
    carried=TEXTS,
    groups=st.sampled_from([None, frozenset[str](), frozenset({"legal"})]),
)
@settings(max_examples=examples(150), deadline=None)
def test_hits_are_ordered_by_score_and_slices_of_pages_that_may_be_seen(
    shelf: Shelf, text: str, mode: str, top_k: int, carried: str, groups: frozenset[str] | None
) -> None:
    visible = Visibility(groups)
    report = shelf.retriever.search(SearchQuery(text, mode, top_k=top_k, carried=carried), visible)
    scores = [hit.score for hit in report.hits]
    assert len(scores) <= top_k
    assert scores == sorted(scores, reverse=True)
    for hit in report.hits:
        page = shelf.records.documents.page(hit.document, hit.version, hit.page, visible)
        assert page.text[hit.start : hit.end] == hit.text
