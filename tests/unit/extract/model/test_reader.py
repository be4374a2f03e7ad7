from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.config.fields import FieldCheck, FieldDefinition, Relation, Schema
from core.domain.document import IngestOutcome, Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, TypedValue
from core.domain.ids import ContentHash
from core.errors import LlmError
from core.extract.base import Definitions
from core.extract.model.accept import Refusal
from core.extract.model.job import ReadCellsJob
from core.store.base import NewVersion
from core.store.store import Records
from core.workbench.language_models import ModelsOfHome
from tests.support.reading_cells import TEXT, fill_home, handler, opened, reading, settings_for
from tests.support.scripted_llm import ScriptedLlm, Step, reply_json
from tests.unit.extract.model.test_job import ALL, run, statuses, submitted


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with opened(tmp_path) as made:
        yield made


def test_a_document_that_the_budgets_do_not_hold_says_which_to_raise(records: Records) -> None:
    fill_home(records, 1)
    text = TEXT.format(number=0) + "Both sides keep their promises in good faith. " * 6_000
    parsed = ParsedDocument("Flat 0", "text/plain", (Page(1, text),), "en")
    document = records.documents.publish(
        NewVersion("leases", "flat0.txt", parsed, ContentHash("n"), len(text))
    ).document
    findings = {"rent": Finding(CellStatus.UNCERTAIN, method="rule")}
    records.fields.put(document, 2, Extraction("leases", findings), "test")
    with ScriptedLlm(reading()) as server:
        context, job = submitted(records)
        run(handler(records, server.url, tokens_per_minute=3_000), context)

    [item] = records.jobs.items(job)
    assert (item.outcome, server.requests) == (IngestOutcome.FAILED, [])
    assert "Raise 'Tokens a minute' or 'Tokens a day' in Settings" in item.reason


def test_words_that_do_not_stand_are_looked_at_once_more(records: Records) -> None:
    fill_home(records, 1)

    def second(body: dict[str, Any]) -> Step:
        assert Refusal.NO_QUOTE.value in body["messages"][-1]["content"]
        return reading()(body)

    wrong = reading(lambda title, evidence: ("present", "$900.00", "The rent is about $900.00 a month"))
    with ScriptedLlm(wrong, second) as server:
        context, _ = submitted(records, fields=["rent"])
        run(handler(records, server.url), context)

    assert len(server.requests) == 2
    assert statuses(records, "rent") == [CellStatus.PRESENT]


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (("present", "$950.00", "The rent is $900.00 a month"), Refusal.NOT_IN_QUOTE),
        (("present", "EUR 900.00", "The rent is $900.00 a month"), Refusal.NOT_IN_QUOTE),
        (("present", "-$900.00", "The rent is $900.00 a month"), Refusal.NOT_IN_QUOTE),
        (("present", "$910.00", "The rent is $910.00 a month"), Refusal.NO_QUOTE),  # of the other lease
        (("present", "$900.00", "The tenant may keep one dog or one cat in the flat."), Refusal.NOT_IN_QUOTE),
        (("absent", "", ""), Refusal.IS_STATED),
    ],
)
def test_no_lie_of_a_model_counts_and_each_is_told(
    records: Records, lie: tuple[str, str, str], why: Refusal
) -> None:
    [first, _] = fill_home(records, 2)
    with ScriptedLlm(reading(lambda _title, _evidence: lie)) as server:
        context, job = submitted(records, fields=["rent"], documents=[first])
        run(handler(records, server.url), context)

    tally = records.model_readings.tally(job)
    assert records.fields.cell(first, "rent", ALL).finding.status is CellStatus.UNCERTAIN
    assert (tally.decided, tally.reasons) == (0, ((why.value, 1),))


@pytest.mark.parametrize("count", [2_000, 50_000])
def test_thousands_of_values_are_no_fact(records: Records, count: int) -> None:
    [first] = fill_home(records, 1)
    quote = "The tenants are Alpha GmbH and Beta Holdings Ltd."
    cells = [{"cell": "c1", "value": f"Tenant {n} GmbH", "quote": quote, "block": "e1"} for n in range(count)]
    with ScriptedLlm(reply_json({"found": cells, "absent": []})) as server:
        context, job = submitted(records, fields=["tenants"])
        reader = handler(records, server.url, timeout_s=60.0, deadline_s=60.0)
        if count > 2_000:  # more than a reply may have
            with pytest.raises(LlmError, match="sent more than any reply has"):
                run(reader, context)
        else:
            run(reader, context)

    assert records.fields.cell(first, "tenants", ALL).finding.status is CellStatus.UNCERTAIN
    assert records.model_readings.tally(job).decided == 0


def test_a_value_that_contradicts_another_cell_is_a_candidate_with_the_reason(records: Records) -> None:
    [first] = fill_home(records, 1)
    signed = FieldDefinition(name="signed", title="Signed", type=FieldType.DATE)
    check = FieldCheck(relation=Relation.AFTER, field="signed")
    begins = FieldDefinition(name="begins", title="Begin", type=FieldType.DATE, checks=(check,))
    schema = Schema(name="leases", title="Leases", buckets=("leases",), fields=(signed, begins))
    later = TypedValue(FieldType.DATE, "2025-01-01", 739_252)
    known = Finding(CellStatus.PRESENT, (later,), (), 0.95, "rule")
    records.fields.put(
        first,
        1,
        Extraction("leases", {"signed": known, "begins": Finding(CellStatus.UNCERTAIN, method="rule")}),
        "test",
    )
    with ScriptedLlm(reading()) as server:
        context, job = submitted(records, fields=["begins"])
        models = ModelsOfHome(records, settings_for(server.url))
        run(ReadCellsJob(records, lambda: Definitions((schema,)), models), context)

    found = records.fields.cell(first, "begins", ALL).finding
    said = "Begin (2020-03-03) is not after Signed (2025-01-01), but should come after it."
    assert found.status is CellStatus.UNCERTAIN
    assert [each.value.text for each in found.candidates if each.value] == ["2020-03-03"]
    assert found.note == said
    assert records.model_readings.tally(job).reasons == ((said, 1),)
