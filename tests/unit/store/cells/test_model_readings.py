from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.fields import CellStatus, FieldType, Finding, Quote, ReviewAction, TypedValue
from core.domain.ids import DocumentId
from core.domain.llm.cells import MODEL
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.domain.span import PageSpan
from core.store.cells.model_readings import ModelReading
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.reading_cells import TEXT, fill_home, opened

ALL = Visibility.everything()
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with opened(tmp_path) as made:
        yield made


def rent(number: int = 0) -> ModelReading:
    text = TEXT.format(number=number)
    said = f"$9{number}0.00"
    at = text.index(said)
    value = TypedValue(FieldType.MONEY, f"9{number}0.00", (900 + 10 * number) * 10_000, "USD", said)
    quote = Quote(PageSpan(1, at, at + len(said)), said)
    return ModelReading("rent", Finding(CellStatus.PRESENT, (value,), (quote,), 0.85, MODEL), "b", "m", "p@1")


def no_pets() -> ModelReading:
    return ModelReading("pets", Finding(CellStatus.ABSENT, confidence=0.8, method=MODEL), "b", "m", "p@1")


def unsettled() -> ModelReading:
    return ModelReading("use", Finding(CellStatus.UNCERTAIN), "b", "m", "p@1", "Not enough.")


def test_answers_that_count_decide_their_cells_and_stand_in_conditions_and_ledgers(records: Records) -> None:
    [document] = fill_home(records, 1)

    decided = records.model_readings.keep(document, 1, [rent(), no_pets(), unsettled()], "j1", NOW)

    counts = records.fields.counts(ALL, "leases")
    ledger = records.fields.ledger(ALL, "leases", "rent")
    assert decided == 2
    assert records.fields.cell(document, "rent", ALL).finding.method == MODEL
    assert records.annotations.aggregate(ALL, "leases", (), (), "sum", "rent").groups[0].value is not None
    assert (counts["rent"].by_model, counts["pets"].by_model, counts["use"].by_model) == (1, 1, 0)
    assert ledger.present == ledger.by_model == (document,)
    assert records.fields.ledger(ALL, "leases", "use").by_model == ()


def test_an_older_version_and_a_document_that_is_gone_decide_nothing(records: Records) -> None:
    [document] = fill_home(records, 1)

    assert records.model_readings.keep(document, 0, [rent()], "j1", NOW) == 0
    assert records.model_readings.keep(DocumentId("gone"), 1, [rent()], "j1", NOW) == 0
    assert records.fields.cell(document, "rent", ALL).finding.status is CellStatus.UNCERTAIN


def test_a_decided_cell_is_not_open_any_more_and_nobody_is_overruled(records: Records) -> None:
    [document] = fill_home(records, 1)
    records.reviews.review(document, "rent", ReviewAction.ABSENT, "eve", NOW, visible=ALL)

    records.model_readings.keep(document, 1, [rent(), no_pets()], "j1", NOW)

    assert records.fields.cell(document, "rent", ALL).finding.status is CellStatus.ABSENT
    assert {each.cell.field for each in records.model_readings.open_cells(ALL)} == {
        "begins",
        "tenants",
        "use",
    }


def test_a_verdict_takes_a_cell_from_the_model_and_an_undo_gives_it_back(records: Records) -> None:
    [document] = fill_home(records, 1)
    records.model_readings.keep(document, 1, [rent()], "j1", NOW)

    records.reviews.review(document, "rent", ReviewAction.CONFIRM, "eve", NOW, visible=ALL)
    confirmed = records.model_readings.counts(ALL)
    records.reviews.review(document, "rent", ReviewAction.UNDO, "eve", NOW, visible=ALL)

    assert confirmed == {}
    assert records.model_readings.counts(ALL) == {"rent": 1}
    assert records.model_readings.resting(ALL, [document], ["rent", "pets"]).documents == {document}


def test_the_sample_stays_as_it_is_while_it_is_checked(records: Records) -> None:
    documents = fill_home(records, 5)
    for number, document in enumerate(documents):
        records.model_readings.keep(document, 1, [rent(number), no_pets()], "j1", NOW)
    drawn = [(each.document, each.field) for each in records.model_readings.sample_items(ALL, size=4)]

    records.reviews.review(drawn[0][0], drawn[0][1], ReviewAction.CONFIRM, "eve", NOW, visible=ALL)
    left = [(each.document, each.field) for each in records.model_readings.sample_items(ALL, size=4)]

    assert left == drawn[1:]
    found = records.model_readings.sample(ALL, size=4)
    assert (found.of, found.size, found.checked, found.right) == (10, 4, 1, 1)
    assert records.model_readings.sample(ALL, "elsewhere").of == 0


def test_a_tally_sums_answers_and_calls_of_a_job(records: Records) -> None:
    [document] = fill_home(records, 1)
    call = ModelCall(
        role=ModelRole.READ,
        prompt="p@1",
        model="m",
        outcome=ModelOutcome.DONE,
        prompt_tokens=100,
        completion_tokens=20,
        cost_usd=0.5,
        attempts=1,
    )
    kept_back = call.model_copy(update={"outcome": ModelOutcome.OVER_BUDGET, "attempts": 0})
    running = call.model_copy(update={"outcome": ModelOutcome.BEGUN})
    for each in (call, call, kept_back, running):
        records.model_calls.add(each, "ada", job="j1")

    records.model_readings.keep(document, 1, [rent(), no_pets(), unsettled()], "j1", NOW)

    tally = records.model_readings.tally("j1")  # type: ignore[arg-type]
    assert (tally.read, tally.decided, tally.uncertain) == (3, 2, 1)
    assert tally.reasons == (("Not enough.", 1),)
    assert (tally.calls, tally.tokens, tally.cost_usd) == (2, 240, 1.0)
