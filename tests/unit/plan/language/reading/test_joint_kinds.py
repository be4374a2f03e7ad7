from __future__ import annotations

import pytest

from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Noun
from core.plan.language.reading.composition import of_titled_kinds
from core.plan.language.reading.joint_kinds import either_kind, with_joint_kinds
from core.plan.language.reading.read import read
from tests.support.known_readings import COLLECTION, TODAY

LEXICON = Lexicon(COLLECTION)
CONTRACT = Noun("contracts", "agreement")


def kinds(question: str) -> list[tuple[str, ...]]:
    pieces = of_titled_kinds(read(question, LEXICON, TODAY).pieces, LEXICON)
    joint = with_joint_kinds(pieces, LEXICON)
    return [piece.meaning.title_words for piece in joint if isinstance(piece.meaning, Noun)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("List the hosting and supply agreements", [("hosting", "supply")]),
        ("How many hosting or supply agreements are there?", [("hosting", "supply")]),
        ("Show hosting, franchise and supply agreements", [("hosting", "franchise", "supply")]),
        ("Which agreements have a cap and audit rights?", [()]),
        ("List the supply agreements", [("supply",)]),
        ("Show ACME and supply agreements", [("supply",)]),
    ],
)
def test_kinds_that_share_a_noun_are_all_asked_for(question: str, expected: list[tuple[str, ...]]) -> None:
    assert kinds(question) == expected


def test_either_kind_is_said_by_one_noun_where_that_can_say_it() -> None:
    hosting, supply = (Noun("contracts", "agreement", (word,)) for word in ("hosting", "supply"))
    joint = either_kind(hosting, supply)
    assert joint is not None
    assert joint.title_words == ("hosting", "supply")
    assert either_kind(hosting, CONTRACT) is None
    assert either_kind(CONTRACT, Noun("invoices", "receipt")) is None
    both = either_kind(CONTRACT, Noun("contracts", "amendment"))
    assert both is not None
    assert both.kind == "agreement|amendment"
