from __future__ import annotations

import pytest

from core.text.language import foreign_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Welche Verträge haben keine Haftungsobergrenze?", "German"),
        ("Quels contrats sont régis par le droit de New York ?", "French"),
        ("¿Cuáles son los contratos sin cláusula de fuerza mayor?", "Spanish"),
        ("Quali contratti scadono nel 2025?", "Italian"),
        ("Quais contratos não têm limite de responsabilidade?", "Portuguese"),
        ("Welke contracten hebben geen aansprakelijkheidsbeperking?", "Dutch"),
        ("Hvilke avtaler mangler force majeure?", "a Scandinavian language"),
        ("Które umowy nie mają limitu odpowiedzialności?", "Polish"),
        ("Hangi sözleşmelerde mücbir sebep yok?", "Turkish"),
        ("Какие договоры истекают в 2025 году?", "a Cyrillic script"),
        ("どの契約に責任上限がありますか", "Japanese"),
        ("어떤 계약에 책임 한도가 없나요?", "Korean"),
    ],
)
def test_a_question_in_another_language_is_known(text: str, language: str) -> None:
    assert foreign_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Which contracts lack force majeure?",
        "Was the lease with Van der Berg and De la Cruz signed on die casting?",
        "ACME",
        "deals w/o audit, w/o confidentiality, w/o insurance",
        "",
        "12345 §§",
        "What does La Quinta Inn pay?",
        "Müller Straße GmbH",
    ],
)
def test_english_and_names_are_no_other_language(text: str) -> None:
    assert foreign_language(text) == ""
