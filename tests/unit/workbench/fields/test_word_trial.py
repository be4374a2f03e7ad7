from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config.field_words import WordedField, definition_of_words
from core.domain.ids import DocumentId
from core.extract.words.learning import FIRST_ASKED, NEXT_ASKED
from core.fields.word_field import FieldVerdict, ScanProgress, WordTrial
from core.workbench import Workbench
from core.workbench.fields import word_trial

FIELD = definition_of_words(WordedField("Spare parts", "The supplier keeps spare parts in stock"))
COUNT = 26


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("trials")
    (folder / "files").mkdir()
    for number in range(COUNT):
        said = (
            "The supplier keeps spare parts in stock." if number % 2 else "The parties meet in May each year."
        )
        (folder / "files" / f"{number:02}.txt").write_text(
            f"AGREEMENT {number}\n\n{said} It is number {number}."
        )
    with Workbench.open(home=folder / "home") as workbench:
        workbench.ingest([folder / "files"], bucket="contracts")
        yield workbench


def events(bench: Workbench, *verdicts: FieldVerdict) -> list[ScanProgress | WordTrial]:
    return list(bench.local.word_fields.try_words("contracts", FIELD, "contracts", verdicts))


def test_a_look_says_how_far_it_is_and_what_was_ranked_is_at_hand_for_the_next_verdict(
    bench: Workbench,
) -> None:
    first, again = events(bench), events(bench)

    assert next(each.done for each in first if isinstance(each, ScanProgress)) == 10
    assert len(first) > len(again) == 1


def test_a_look_that_is_left_keeps_nothing(bench: Workbench) -> None:
    other = FIELD.model_copy(update={"title": "Spares"})
    left = bench.local.word_fields.try_words("contracts", other, "contracts")
    next(left)
    left.close()  # type: ignore[attr-defined]

    assert len(list(bench.local.word_fields.try_words("contracts", other, "contracts"))) > 1


def test_of_many_documents_some_are_ranked_and_stand_for_the_others(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_trial, "RANKED", 12)
    monkeypatch.setattr(word_trial, "_TOP", 8)
    field = FIELD.model_copy(update={"title": "Parts kept"})

    found = list(bench.local.word_fields.try_words("contracts", field, "contracts"))[-1]

    assert isinstance(found, WordTrial)
    assert found.scanned == found.total == COUNT
    assert len(found.documents) == 12
    assert sum("spare parts" in each.candidates[0].spans[0].quote for each in found.documents) >= 8


def test_a_verdict_on_a_document_that_is_gone_counts_for_nothing(bench: Workbench) -> None:
    found = events(bench, FieldVerdict(DocumentId("gone"), False))[-1]

    assert isinstance(found, WordTrial)
    assert found.verdicts == 0


def test_a_judged_document_leaves_the_list_and_a_new_list_follows_the_last(bench: Workbench) -> None:
    def asked(*verdicts: FieldVerdict) -> list[DocumentId]:
        found = events(bench, *verdicts)[-1]
        assert isinstance(found, WordTrial)
        return [each.summary.id for each in found.documents]

    first = asked()
    verdicts = [FieldVerdict(each, False) for each in first]

    assert len(first) == FIRST_ASKED
    assert asked(verdicts[0]) == first[1:]
    assert asked(*verdicts[:-1]) == first[-1:]
    later = asked(*verdicts)
    assert len(later) == NEXT_ASKED
    assert not set(later) & set(first)
    assert asked() == first
