from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.domain.ids import DocumentId, PassageId
from core.retrieval.pairs import PairPassage, extend_pairs, in_order, rank_pairs

WEIGHTS = {"a": 0.5, "b": 0.3, "c": 0.2}


def piece(id: int, score: float, terms: str = "", links: str = "") -> PairPassage:
    return PairPassage(
        PassageId(id), DocumentId(str(id)), score, frozenset(terms), frozenset(map(DocumentId, links))
    )


PIECES = st.lists(
    st.builds(
        piece,
        st.integers(0, 9),
        st.floats(0, 1),
        st.text("abc", max_size=3),
        st.text("0123456789", max_size=4),
    ),
    max_size=10,
    unique_by=lambda each: each.id,
)


def test_two_that_cover_the_question_together_go_before_two_that_score_alike_alone() -> None:
    front, same, other = piece(1, 0.5, "ab"), piece(2, 0.5, "ab"), piece(3, 0.45, "c")
    best = rank_pairs([front], [front, same, other], WEIGHTS)[0]
    assert (best.passages, round(best.coverage, 6)) == ((1, 3), 1.0)


def test_a_passage_that_is_named_goes_before_one_that_scores_a_little_more() -> None:
    front, other, named = piece(1, 0.5, links="3"), piece(2, 0.5), piece(3, 0.4)
    assert [pair.passages[1] for pair in rank_pairs([front], [other, named], WEIGHTS)] == [3, 2]


def test_it_does_not_matter_which_of_two_names_the_other() -> None:
    front, naming, other = piece(1, 0.5), piece(2, 0.4, links="1"), piece(3, 0.5)
    assert [pair.passages[1] for pair in rank_pairs([front], [other, naming], WEIGHTS)] == [2, 3]


@given(PIECES, st.integers(0, 5))
def test_every_front_is_paired_with_every_other_piece_once_and_scores_fall(
    pieces: list[PairPassage], count: int
) -> None:
    fronts = pieces[:count]
    pairs = rank_pairs(fronts, pieces, WEIGHTS)
    assert len({pair.passages for pair in pairs}) == len(pairs) == len(fronts) * max(len(pieces) - 1, 0)
    assert [pair.score for pair in pairs] == sorted((pair.score for pair in pairs), reverse=True)
    assert all(0 <= pair.coverage <= 1.000001 for pair in pairs)


@given(PIECES)
def test_the_order_holds_every_passage_once(pieces: list[PairPassage]) -> None:
    order = in_order(rank_pairs(pieces[:3], pieces, WEIGHTS)[:4], [each.id for each in pieces])
    assert sorted(order) == sorted(each.id for each in pieces)


def test_a_third_passage_joins_a_linked_pair_whose_second_names_it() -> None:
    pieces = {
        each.id: each for each in (piece(1, 0.5, "a", "2"), piece(2, 0.1, "b", "3"), piece(3, 0.1, "c"))
    }
    pairs = rank_pairs([pieces[PassageId(1)]], pieces.values(), WEIGHTS)
    (chain,) = extend_pairs(pairs, pieces, WEIGHTS)
    assert (chain.passages, round(chain.coverage, 6), chain.is_linked) == ((1, 2, 3), 1.0, True)
