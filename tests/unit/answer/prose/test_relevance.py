from __future__ import annotations

import pytest

from core.answer.prose.relevance import is_about, touches
from core.domain.answer import Citation, Claim, Verdict

CITED = Citation(
    n=1,
    document="d",
    title="Warehouse lease",
    source="lease.txt",
    version=1,
    page=1,
    start=0,
    end=4,
    quote="The rent of the warehouse is USD 4,500 from 2025 on.",
)
CLAIM = Claim(text="The rent is USD 4,500.", verdict=Verdict.SUPPORTED, citations=(CITED,))


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What is the rent of the warehouse?", True),
        ("What is the rent in 2025?", True),
        ("What is the rent in 2031?", False),
        ("What is the FY2025 rent of the warehouse? Round your answer to two decimal places.", True),
        ("What is the FY2031 rent of the warehouse?", False),
        ("What is the ROI of the rent?", True),
        ("What is the rent of the Zenith tower?", False),
        ("Who founded the orchestra, and when did the soloists leave?", False),
        ("", False),
    ],
)
def test_names_figures_and_half_of_the_terms_must_be_said(question: str, about: bool) -> None:
    assert is_about(question, [CLAIM]) is about


def test_nothing_is_about_no_claims() -> None:
    assert not is_about("What is the rent?", [])


def test_a_sentence_touches_a_question_by_any_of_its_terms() -> None:
    assert touches("What is the rent?", CLAIM)
    assert touches("When was the lease of the warehouse signed?", CLAIM)
    assert not touches("Who founded the orchestra?", CLAIM)
    assert touches("And it?", CLAIM)
