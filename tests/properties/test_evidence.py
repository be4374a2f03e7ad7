"""What holds of evidence, whatever was found: nothing lost, nothing twice, conflicts both ways."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.answer import Citation
from core.domain.ids import DocumentId
from core.search.evidence.base import Span
from core.search.evidence.listing import (
    MOST,
    MOST_CHARS,
    EvidencePiece,
    Statement,
    duplicates,
    find_conflicts,
    list_evidence,
    merge,
)

PAGE = "The cap is USD 500,000 in all. " * 40


def _piece(document: str, start: int, length: int, score: float, field: str) -> EvidencePiece:
    end = start + length
    place = Span(DocumentId(document), 1, 1, start, end, PAGE[start:end], "", "")
    return EvidencePiece(place, score, "hybrid", field=field)


PIECES = st.lists(
    st.builds(
        _piece,
        st.sampled_from("ab"),
        st.integers(0, 300),
        st.integers(1, 800),
        st.floats(0, 1),
        st.sampled_from(["", "", "cap"]),
    ),
    max_size=12,
)
STATEMENTS = st.lists(
    st.builds(
        Statement,
        st.sampled_from(["lease", "policy"]),
        st.sampled_from(["cap", "law"]),
        st.sampled_from("abc"),
        st.sampled_from(["1", "2"]),
        st.just("shown"),
        st.sampled_from(["2020-01-01", "2022-01-01"]),
        st.sampled_from(["2021-12-31", "2023-12-31"]),
    ),
    max_size=8,
)


@given(PIECES)
@settings(deadline=None)
def test_every_piece_stands_within_one_that_is_kept_and_merging_again_changes_nothing(
    pieces: list[EvidencePiece],
) -> None:
    merged = merge(pieces)
    assert all(any(one.holds(each) and one.field == each.field for one in merged) for each in pieces)
    assert merge(merged) == merged
    assert _places(merge(list(reversed(pieces)))) == _places(merged)


def _places(pieces: tuple[EvidencePiece, ...]) -> set[tuple[str, int, int, str]]:
    return {(each.document, each.place.start, each.place.end, each.field) for each in pieces}


@given(PIECES)
@settings(deadline=None)
def test_merged_pieces_keep_the_best_score_and_stand_by_document(pieces: list[EvidencePiece]) -> None:
    merged = merge(pieces)
    if pieces:
        assert max(each.score for each in pieces) == merged[0].score
    documents = [each.document for each in merged]
    assert len(set(documents)) == sum(
        1 for at, each in enumerate(documents) if at == 0 or documents[at - 1] != each
    )


@given(PIECES)
@settings(deadline=None)
def test_what_is_left_repeats_nothing(pieces: list[EvidencePiece]) -> None:
    dropped = {id(each) for each in duplicates(pieces)}
    assert duplicates([each for each in pieces if id(each) not in dropped]) == []


@given(STATEMENTS)
def test_a_conflict_holds_both_ways_whatever_the_order(statements: list[Statement]) -> None:
    found = find_conflicts(statements)
    assert find_conflicts(list(reversed(statements))) == found
    for each in found:
        assert len({statement.key for statement in each.statements}) > 1
        for statement in each.statements:
            assert any(
                other.key != statement.key
                and other.document != statement.document
                and other.overlaps(statement)
                for other in each.statements
            )


@given(STATEMENTS)
def test_what_an_amendment_replaces_conflicts_with_nothing(statements: list[Statement]) -> None:
    replaced = {"cap": {"a": "b"}}
    found = find_conflicts(statements, replaced)
    assert not [s for each in found for s in each.statements if each.field == "cap" and s.document == "a"]
    rest = [each for each in statements if (each.field, each.document) != ("cap", "a")]
    assert find_conflicts(rest) == found


@given(PIECES, st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 900)), max_size=4))
@settings(deadline=None)
def test_a_list_of_evidence_is_bounded_and_quotes_what_stands_there(
    pieces: list[EvidencePiece], cited: list[tuple[str, int]]
) -> None:
    citations = [
        Citation(
            n=1,
            document=name,
            title="",
            source="",
            version=1,
            page=1,
            start=at,
            end=at + 5,
            quote=PAGE[at : at + 5],
        )
        for name, at in cited
    ]
    items = list_evidence(pieces, citations)
    assert len(items) <= MOST
    assert all(item.quote == PAGE[item.start : item.end] and len(item.quote) <= MOST_CHARS for item in items)
    assert all((item.state == "used") == _is_touched(item.document, item.start, item.end, citations)
               for item in items if item.end - item.start < MOST_CHARS)  # fmt: skip


def _is_touched(document: str, start: int, end: int, citations: list[Citation]) -> bool:
    return any(c.document == document and c.start < end and start < c.end for c in citations)
