"""What is promised of every Answer, and of classification, results and traces."""

from __future__ import annotations

import string

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.ask.orchestrator import Orchestrator
from core.ask.request import Question
from core.domain.answer import Answer, ConfidenceLabel, Degradation, Kind, Route, Status, Verdict
from core.domain.event import Degraded, Event, Finished, StageFinished, StageStarted, Trace
from core.domain.ids import DocumentId
from core.domain.principal import LOCAL_ADMIN
from core.domain.search import SearchQuery
from core.search.classify import classify, clean_question
from core.search.evidence.pack import pack
from core.store.database.visibility import Visibility
from tests.support import library as support
from tests.support.doors import OPEN
from tests.support.examples import examples
from tests.support.library import Library
from tests.support.marks import cited_numbers

EXAMPLES = 120
WORDS = [
    *(
        "notice",
        "period",
        "cap",
        "liability",
        "ACME",
        "Beta",
        "width",
        "panel",
        "mm",
        "contract",
        "contracts",
    ),
    *(
        "receipt",
        "the",
        "of",
        "is",
        "which",
        "list",
        "every",
        "compare",
        "between",
        "and",
        "steps",
        "explain",
    ),
    *(
        "summarise",
        "how",
        "many",
        "what",
        "when",
        "missing",
        "hello",
        "thanks",
        "[1]",
        "$500",
        "1.",
        "O'Neil",
    ),
]
TEXTS = st.lists(st.sampled_from([*WORDS, "30", "2024-10-03", ".", "\n", "- ", "# Care\n"]), max_size=40)
PAGES = st.lists(TEXTS.map(" ".join), min_size=1, max_size=3)
SHELVES = st.lists(st.tuples(PAGES, st.sampled_from(["a", "b"])), max_size=4)
SENSIBLE = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
QUESTIONS = SENSIBLE | st.text(max_size=60)
PLAIN = st.text(string.ascii_letters + string.digits + "[]*_ \n", max_size=30)


def _library(shelves: list[tuple[list[str], str]]) -> Library:
    library = Library()
    for at, (pages, bucket) in enumerate(shelves):
        library.add(f"{at}.txt", *pages, title=f"Paper {at}", bucket=bucket)
    return library


def _answer(library: Library, question: str, abstain_below: float) -> Answer:
    made = support.settings(abstain_below=abstain_below)
    return Orchestrator(library, library, made, door=lambda *_: OPEN).ask(Question(question, LOCAL_ADMIN))


ASKED = given(SHELVES, QUESTIONS, st.sampled_from([0.0, 0.3, 1.0]))


@ASKED
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_every_quote_equals_the_stored_page_text(
    shelves: list[tuple[list[str], str]], question: str, threshold: float
) -> None:
    library = _library(shelves)
    answer = _answer(library, question, threshold)
    for place in (*answer.citations, *answer.nearest):
        page = library.page(DocumentId(place.document), place.version, place.page, Visibility.everything())
        assert page.text[place.start : place.end] == place.quote
        assert place.quote


@ASKED
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_marks_in_the_text_and_citations_are_the_same_set(
    shelves: list[tuple[list[str], str]], question: str, threshold: float
) -> None:
    answer = _answer(_library(shelves), question, threshold)
    numbers = {citation.n for citation in answer.citations}
    assert cited_numbers(answer.text) == numbers
    assert numbers == set(range(1, len(numbers) + 1))
    assert {source.n for source in answer.sources} <= numbers


@ASKED
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_an_answered_question_has_claims_and_all_shown_claims_hold(
    shelves: list[tuple[list[str], str]], question: str, threshold: float
) -> None:
    answer = _answer(_library(shelves), question, threshold)
    for claim in answer.claims:
        assert claim.verdict in (Verdict.SUPPORTED, Verdict.COMPUTED)
        assert claim.citations
        assert all(check.ok for check in claim.checks)
    if answer.status is Status.ANSWERED and answer.kind is not Kind.GENERAL:
        assert answer.claims
    if answer.status is Status.ABSTAINED:
        assert answer.nearest or not answer.claims  # at most what comes nearest is quoted
    assert len(set(answer.follow_ups)) == len(answer.follow_ups)
    # An introduction offers what can be asked of the papers held, which may be nothing.
    assert len(answer.follow_ups) <= 3 if answer.kind is Kind.GENERAL else len(answer.follow_ups) == 3
    assert 0 <= answer.confidence <= 1


@ASKED
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_an_answer_survives_json(
    shelves: list[tuple[list[str], str]], question: str, threshold: float
) -> None:
    answer = _answer(_library(shelves), question, threshold)
    assert Answer.model_validate_json(answer.model_dump_json()) == answer


@ASKED
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_the_trace_of_a_question_survives_json(
    shelves: list[tuple[list[str], str]], question: str, threshold: float
) -> None:
    library = _library(shelves)
    _answer(library, question, threshold)
    (trace,) = library.saved
    assert Trace.model_validate_json(trace.model_dump_json()) == trace
    assert isinstance(trace.events[-1], Finished)


@given(PAGES, SENSIBLE)
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_an_answer_made_from_context_cites_one_of_its_passages(pages: list[str], question: str) -> None:
    library = Library()
    document = library.add("context.txt", *pages)
    answer = _answer(library, question, 0.0)
    if answer.claims:
        assert {citation.document for citation in answer.citations} == {document}
        assert all(1 <= citation.page <= len(pages) for citation in answer.citations)


@ASKED
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_general_skips_retrieval_and_rag_required_never_does(
    shelves: list[tuple[list[str], str]], question: str, threshold: float
) -> None:
    library = _library(shelves)
    answer = _answer(library, question, threshold)
    if answer.kind is Kind.GENERAL:
        assert answer.route is Route.NONE
        assert not library.searches
    elif answer.status not in (Status.CLARIFY, Status.REFUSED):
        assert answer.route is not Route.NONE
        assert library.searches


@given(QUESTIONS)
@settings(max_examples=examples(300), deadline=None)
def test_classification_gives_a_kind_and_a_normalised_question(question: str) -> None:
    cleaned = clean_question(question)
    assume(any(char.isalnum() for char in cleaned))
    found = classify(cleaned)
    assert found.normalised.strip()
    assert bool(found.small_talk) == (found.route is Route.NONE) == (found.kind is Kind.GENERAL)
    assert classify(cleaned) == found


@given(st.text(max_size=200))
@settings(max_examples=examples(300), deadline=None)
def test_cleaning_a_question_twice_changes_nothing(text: str) -> None:
    once = clean_question(text)
    assert clean_question(once) == once


@given(SHELVES, SENSIBLE)
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_results_and_evidence_are_ordered_by_score(
    shelves: list[tuple[list[str], str]], question: str
) -> None:
    retrieval = _library(shelves).retrieve(SearchQuery(question), Visibility.everything())
    evidence = pack(retrieval)
    for scores in ([c.score for c in retrieval.candidates], [s.score for s in evidence.sentences]):
        assert scores == sorted(scores, reverse=True)


_TIMES = st.floats(0, 1e6, allow_nan=False)
_ANSWERS = st.builds(
    Answer,
    question=PLAIN,
    trace_id=PLAIN,
    data_version=st.integers(0, 9),
    status=st.sampled_from(Status),
    kind=st.sampled_from(Kind),
    route=st.sampled_from(Route),
    text=PLAIN,
    confidence=st.floats(0, 1),
    confidence_label=st.sampled_from(ConfidenceLabel),
)
_EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(StageStarted, at_ms=_TIMES, stage=PLAIN, label=PLAIN),
    st.builds(StageFinished, at_ms=_TIMES, stage=PLAIN, label=PLAIN, latency_ms=_TIMES, source=PLAIN),
    st.builds(Degraded, at_ms=_TIMES, degradation=st.builds(Degradation, code=PLAIN, message=PLAIN)),
    st.builds(Finished, at_ms=_TIMES, answer=_ANSWERS),
)


@given(
    st.builds(
        Trace,
        trace_id=PLAIN,
        question=PLAIN,
        user=PLAIN,
        started_at=PLAIN,
        events=st.lists(_EVENTS).map(tuple),
    )
)
@settings(max_examples=examples(EXAMPLES), deadline=None)
def test_any_trace_survives_json(trace: Trace) -> None:
    again = Trace.model_validate_json(trace.model_dump_json())
    assert again == trace
    assert again.steps == tuple(event for event in trace.events if isinstance(event, StageFinished))
