"""What holds for the passages of every document."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from core.domain.document import Page
from core.domain.passage import Passage
from core.ingest.chunk import chunk
from core.ingest.clean import normalise
from core.text.headings import find_headings
from tests.support.examples import examples
from tests.support.words import WordCounter

COUNTER = WordCounter()
PASSAGE = TypeAdapter(Passage)

WORDS = st.sampled_from(
    [
        "the",
        "party",
        "shall",
        "pay",
        "12.5",
        "%",
        "Inc.",
        "e.g.",
        "Section",
        "No.",
        "Termination",
        "agreement;",
        "(a)",
        "(ii)",
        "notice,",
        "whereas.",
        "ACME?",
        "U.S.",
        "liability:",
        "你好。",
        "über",
        "—",
        "“Cap”",
        "3,000.00",
    ]
)
GAPS = st.sampled_from(
    [" ", " ", " ", " ", "  ", "\n", "\n\n", "\n5. Notice Period\n", "\nARTICLE IV\n", "\t", " | "]
)


@st.composite
def paragraphs(draw: st.DrawFn, most: int) -> str:
    """Text of up to `most` words; a drawn run is repeated, so that long documents stay cheap to draw."""
    run = draw(st.lists(st.tuples(WORDS, GAPS), min_size=0, max_size=25))
    times = draw(st.integers(min_value=1, max_value=max(1, most // max(1, len(run)))))
    return "".join(word + gap for word, gap in run) * times


@st.composite
def documents(draw: st.DrawFn) -> list[Page]:
    texts = draw(st.lists(paragraphs(700), min_size=1, max_size=5))
    pages = []
    for number, raw in enumerate(texts, 1):
        text = normalise(raw)
        pages.append(Page(number, text, find_headings(text)))
    return pages


def count(text: str) -> int:
    return len(COUNTER.offsets(text))


@settings(max_examples=examples(200), deadline=None)
@given(documents())
def test_a_document_of_200_tokens_or_more_has_only_passages_of_200_to_500(pages: list[Page]) -> None:
    total = sum(count(page.text) for page in pages)
    passages = chunk(pages, COUNTER)
    if total >= 200:
        assert passages
        assert all(200 <= count(passage.text) <= 500 for passage in passages)
    else:
        assert len(passages) == (1 if total else 0)
    assert all(passage.tokens == count(passage.text) for passage in passages)


@settings(max_examples=examples(200), deadline=None)
@given(documents())
def test_a_passage_is_its_parts_and_its_sentences_stand_in_order(pages: list[Page]) -> None:
    texts = {page.page_no: page.text for page in pages}
    for passage in chunk(pages, COUNTER):
        slices = [texts[part.page_no][part.start : part.end] for part in passage.parts]
        assert passage.text == "\n".join(slices)
        position = 0
        for start, end in passage.sentences:
            assert position <= start < end <= len(passage.text)
            assert not passage.text[position:start].strip()
            place = passage.locate(start, end)
            assert place is not None
            assert texts[place.page_no][place.start : place.end] == passage.text[start:end]
            position = end
        assert not passage.text[position:].strip()


@settings(max_examples=examples(200), deadline=None)
@given(documents())
def test_nothing_but_white_space_is_outside_all_passages(pages: list[Page]) -> None:
    covered = {page.page_no: bytearray(len(page.text)) for page in pages}
    for passage in chunk(pages, COUNTER):
        for part in passage.parts:
            covered[part.page_no][part.start : part.end] = b"\x01" * (part.end - part.start)
    for page in pages:
        left = [mark for mark, is_in in zip(page.text, covered[page.page_no], strict=True) if not is_in]
        assert not "".join(left).strip()


@settings(max_examples=examples(150), deadline=None)
@given(documents())
def test_a_page_of_200_tokens_shares_no_passage_that_begins_on_it(pages: list[Page]) -> None:
    long_pages = {page.page_no for page in pages if count(page.text) >= 200}
    for passage in chunk(pages, COUNTER):
        own = [part.page_no for part in passage.parts]
        assert own == sorted(own)
        assert len([page_no for page_no in own if page_no in long_pages]) <= 1


@settings(max_examples=examples(150), deadline=None)
@given(documents())
def test_passages_survive_json(pages: list[Page]) -> None:
    for passage in chunk(pages, COUNTER):
        assert PASSAGE.validate_json(PASSAGE.dump_json(passage)) == passage
