from __future__ import annotations

from core.extract.words.candidates import candidate_of, sentence_key
from core.extract.words.learning import choose, contradictions, judge, learn, likelihood
from core.fields.word_field import FieldVerdict, Likelihood
from tests.support.worded import FIELD, ranked


def test_a_verdict_points_to_the_sentence_that_it_quotes() -> None:
    one = ranked()
    value = candidate_of(one, 0, FIELD, 0.8).spans[0]

    assert judge(one, FieldVerdict(one.document.document, True, (value,))).stated == (0,)
    assert judge(one, FieldVerdict(one.document.document, False)).stated == ()


def test_one_sentence_with_two_verdicts_is_a_contradiction_that_nobody_decides() -> None:
    one, two = ranked(), ranked(name="b.txt")
    yes = FieldVerdict(one.document.document, True, (one.quote(0),))
    no = FieldVerdict(two.document.document, False)

    [found] = contradictions([(one, yes), (two, no)])
    head = learn([(one, yes), (two, no)])

    assert (found.stated_in, found.not_in) == (yes.document, no.document)
    assert head.disputed == (sentence_key(found.sentence),)
    assert head.figures["verdicts"] == 0


def test_verdicts_that_agree_are_no_contradiction() -> None:
    one, two = ranked(), ranked(name="b.txt")
    both = [(each, FieldVerdict(each.document.document, True, (each.quote(0),))) for each in (one, two)]

    assert contradictions(both) == []


def test_first_documents_are_asked_for_evenly_from_the_likely_to_the_unlikely() -> None:
    chances = [each / 100 for each in range(100)]

    assert choose(chances, 3, is_first=True) == [99, 49, 0] or choose(chances, 3, is_first=True) == [
        99,
        50,
        0,
    ]


def test_later_half_are_the_most_undecided_and_half_sure_ones() -> None:
    chances = [0.99, 0.98, 0.51, 0.49, 0.02, 0.01]

    assert set(choose(chances, 4, is_first=False)) == {2, 3, 0, 5}


def test_all_are_asked_for_where_there_are_few() -> None:
    assert choose([0.1, 0.9], 12, is_first=False) == [1, 0]
    assert choose([], 12, is_first=True) == []


def test_a_chance_is_named() -> None:
    assert [likelihood(each) for each in (0.9, 0.5, 0.1)] == [
        Likelihood.LIKELY,
        Likelihood.UNDECIDED,
        Likelihood.UNLIKELY,
    ]
