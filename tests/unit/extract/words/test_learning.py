from __future__ import annotations

from core.extract.words.candidates import candidate_of, sentence_key
from core.extract.words.learning import contradictions, judge, learn
from core.fields.word_field import FieldVerdict
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
