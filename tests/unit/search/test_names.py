from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.ids import DocumentId
from core.search.names import NamesIndex, VisibleNames, title_tokens
from core.store.database.visibility import Visibility
from core.store.documents.names import Opening


def document(name: str, opening: str = "") -> Opening:
    return Opening(DocumentId(name), "default", f"{name}.txt", "", (), opening)


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("AlliedEsportsInc", {"alliedesportsinc", "alliedesports", "allied", "esports", "inc"}),
        ("battery_B-120", {"battery", "b120", "120"}),
        ("Señor of the Rings", {"senor", "rings"}),
        ("O'Neil & Sons", {"neil", "sons"}),
        ("", set()),
    ],
)
def test_names_are_split_at_underscores_humps_and_marks(name: str, tokens: set[str]) -> None:
    assert title_tokens(name) == tokens


def test_a_removed_document_is_forgotten() -> None:
    names = NamesIndex()
    names.add([document("Fiverr"), document("Groupon")])
    names.remove(DocumentId("Fiverr"))
    posting = names.posting("fiverr")
    assert len(names) == 1
    assert posting is not None
    assert [names.document(int(row)) for row in posting.rows] == [None]


def test_adding_a_document_again_replaces_it() -> None:
    names = NamesIndex()
    names.add([document("Fiverr", "Zephyrion agrees")])
    names.add([document("Fiverr", "Groupon agrees")])
    assert len(names) == 1
    assert names.dead_rows == 1


def test_words_written_in_lower_case_are_less_like_names() -> None:
    names = NamesIndex()
    names.add([document("a", "The keep is old. They keep it. Fiverr keeps it. Fiverr pays.")])
    assert names.capitalised_share("fiverr") > 0.7 > 0.3 > names.capitalised_share("keep")


def test_rarity_falls_with_every_document_that_has_the_word() -> None:
    names = NamesIndex()
    names.add([document(f"Alpha_{n}" + ("_Beta" if n == 0 else "")) for n in range(10)])
    assert names.rarity("beta") == 1.0
    assert names.rarity("alpha") == 0.0


def test_a_misspelling_with_two_near_words_is_left_alone() -> None:
    names = NamesIndex()
    names.add([document("Mackensen"), document("Mackenson")])
    assert names.near("mackensan") is None
    names.remove(DocumentId("Mackenson"))
    only = NamesIndex()
    only.add([document("Mackensen")])
    assert only.near("mackensan") == ("mackensen", pytest.approx(8 / 9))


def test_how_a_word_is_written_is_told_from_the_documents_that_may_be_seen() -> None:
    names = NamesIndex()
    open_text, closed_text = "They keep it and keep on. Keep it.", "Keep Ltd. Keep Inc. Keep Corp."
    names.add([document("a", open_text), replace(document("b", closed_text), acl=("legal",))])
    names.add([replace(document("b", closed_text), acl=("board",))])
    nobody, legal, board = (
        VisibleNames(names, Visibility(frozenset(groups))) for groups in ((), ("legal",), ("board",))
    )

    assert nobody.capitalised_share("keep") == legal.capitalised_share("keep") < 0.5
    assert board.capitalised_share("keep") == names.capitalised_share("keep") > 0.5
    assert [seen.is_known("Ltd.") for seen in (nobody, legal, board)] == [False, False, True]
