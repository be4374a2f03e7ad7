"""A figure beside a name of another document."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.documents import check_documents

ACME = ["Acme supply agreement", "Acme pays a fee of $500 and ends on 3 May 2024."]
BETA = ["Beta supply agreement", "Beta pays a fee of $700 and ends on 9 June 2025."]


@pytest.mark.parametrize(
    ("claim", "is_ok"),
    [
        ("Acme pays a fee of $500.", True),
        ("Acme pays a fee of $700.", False),
        ("The fee of Beta is $500.", False),
        ("Beta ends on 3 May 2024.", False),
        ("Acme pays $500, while Beta pays $700.", True),
        ("Acme pays $700, while Beta pays $500.", False),
        ("Acme and Beta pay $500 and $700, respectively.", True),
        ("Acme and Beta pay $700 and $500, respectively.", False),
        ("The fees are $500 and $700.", True),
    ],
)
def test_a_figure_belongs_to_a_name_of_its_document(claim: str, is_ok: bool) -> None:
    assert check_documents(claim, [ACME, BETA]).ok is is_ok
