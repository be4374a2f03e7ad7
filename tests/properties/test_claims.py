"""A claim that repeats what it cites passes every check."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.answer.prose.checks import check_claim

VOCABULARY = (
    "the Acme tenant shall not pay 5 $5 million % without unless October 3, 2024 V-31 (60) sixty days "
    "may must U.S. Section 5.B. Zenith's first one of no before after -3 1.2.3 and by is 2019 \u20ac7 third "
    "Peter, rent: \u201cHome\u201d EUR 5"
)
WORDS = st.sampled_from(VOCABULARY.split())
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=40).map(" ".join))


@given(text=TEXTS)
def test_a_claim_equal_to_its_span_always_passes(text: str) -> None:
    assert check_claim(text, [text]).failed == ()


@given(text=TEXTS, span=TEXTS)
def test_any_claim_gets_a_score_between_zero_and_one(text: str, span: str) -> None:
    assert 0 <= check_claim(text, [span]).support <= 1
