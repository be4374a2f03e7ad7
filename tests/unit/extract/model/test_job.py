from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.config.fields import Schema
from core.domain.document import IngestOutcome, Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, ReviewAction, TypedValue
from core.domain.ids import ContentHash, DocumentId, JobId
from core.domain.job import JobState
from core.domain.llm.cells import MODEL
from core.domain.principal import LOCAL_ADMIN
from core.errors import LlmError
from core.extract.model.accept import Refusal
from core.extract.model.job import ReadCellsJob
from core.extract.model.waiting import waiting
from core.jobs import queue
from core.jobs.base import JobInterrupted
from core.jobs.kinds import READ_CELLS
from core.store.base import JobOrder, NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.language_models import ModelsOfHome
from tests.support.reading_cells import (
    DEFINITIONS,
    LEASES,
    ROOT,
    TEXT,
    fill_home,
    handler,
    opened,
    reading,
    settings_for,
    stated,
)
from tests.support.scripted_llm import ScriptedLlm, Step, failure, reply, reply_json

ALL = Visibility.everything()


class Slice:
    """A JobContext that ends the job when a test says so."""

    def __init__(self, order: JobOrder) -> None:
        self.order = order
        self.created_at = datetime.now(UTC)
        self.is_cancelled = False
        self.is_over = False

    def check(self) -> None:
        if self.is_cancelled:
            raise JobInterrupted

    def should_yield(self) -> bool:
        return self.is_over


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with opened(tmp_path) as made:
        yield made


def submitted(records: Records, **payload: object) -> tuple[Slice, JobId]:
    job = queue.submit(records, READ_CELLS, "test", payload, user="ada")
    return Slice(records.jobs.order(job)), job


def run(reader: ReadCellsJob, context: Slice) -> None:
    reader.prepare(context)
    while reader.work(context):
        pass


def statuses(records: Records, field: str) -> list[CellStatus]:
    return [cell.finding.status for cell in records.fields.cells(ALL, fields=[field])]


def test_cells_are_read_many_in_one_call_and_stand_on_their_words(records: Records) -> None:
    documents = fill_home(records)
    with ScriptedLlm(reading()) as server:
        context, job = submitted(records)
        run(handler(records, server.url), context)

    tally = records.model_readings.tally(job)
    cells = [cell for cell in records.fields.cells(ALL) if cell.finding.method == MODEL]
    assert len(server.requests) == len(documents)
    assert (tally.read, tally.present, tally.absent, tally.uncertain) == (15, 12, 0, 3)
    assert tally.reasons == ((Refusal.UNSETTLED.value, 3),)
    assert (tally.calls, tally.tokens) == (3, 1_800)
    assert len(cells) == 12
    for cell in cells:
        text = records.documents.page(cell.document, cell.version, 1, ALL).text
        for quote in cell.finding.spans:
            assert text[quote.span.start : quote.span.end] == quote.quote
        assert "openai/gpt-oss-20b (read_cells@3)" in cell.finding.note


def test_the_schema_of_a_call_holds_its_own_ids(records: Records) -> None:
    fill_home(records, 1)
    with ScriptedLlm(reading()) as server:
        context, _ = submitted(records, fields=["rent", "pets"])
        run(handler(records, server.url), context)

    schema = server.requests[0]["response_format"]["json_schema"]["schema"]
    form = schema["properties"]["found"]["items"]["properties"]
    assert form["cell"]["enum"] == schema["properties"]["absent"]["items"]["enum"] == ["c1", "c2"]


def test_invented_quotes_and_values_decide_nothing(records: Records) -> None:
    fill_home(records, 1)

    def invented(title: str, evidence: str) -> tuple[str, str, str]:
        if title == "Rent":
            return "present", "$1,000", "The rent is $1,000 a month"
        if title == "Begin":
            return "present", "4 March 2020", "The lease begins on 3 March 2020."
        return "uncertain", "", ""

    with ScriptedLlm(reading(invented)) as server:
        context, job = submitted(records)
        run(handler(records, server.url), context)

    tally = records.model_readings.tally(job)
    assert tally.decided == 0
    assert dict(tally.reasons)[Refusal.NO_QUOTE.value] == 1
    assert dict(tally.reasons)[Refusal.NOT_IN_QUOTE.value] == 1


def test_foreign_cells_are_refused_by_the_schema_and_what_is_left_is_repaired(records: Records) -> None:
    fill_home(records, 1)
    with ScriptedLlm(reply_json({"found": [], "absent": ["c99"]}), reading()) as server:
        context, job = submitted(records)
        run(handler(records, server.url), context)

    assert len(server.requests) == 2
    assert records.model_readings.tally(job).decided == 4


def test_a_person_who_decides_meanwhile_is_not_overruled(records: Records) -> None:
    [document] = fill_home(records, 1)

    def while_read(body: dict[str, Any]) -> Step:
        value = TypedValue(FieldType.MONEY, "1.00", 10_000, "USD", "1 USD")
        records.reviews.review(
            document, "rent", ReviewAction.CORRECT, "eve", datetime.now(UTC), value, visible=ALL
        )
        return reading()(body)

    with ScriptedLlm(while_read) as server:
        context, _ = submitted(records)
        run(handler(records, server.url), context)

    cell = records.fields.cell(document, "rent", ALL)
    assert cell.review is not None
    assert cell.finding.values[0].text == "1.00"
    assert records.fields.cell(document, "begins", ALL).finding.method == MODEL


def test_cells_that_a_person_decided_are_not_asked(records: Records) -> None:
    [document] = fill_home(records, 1)
    records.reviews.review(document, "rent", ReviewAction.ABSENT, "eve", datetime.now(UTC), visible=ALL)
    with ScriptedLlm(reading()) as server:
        context, _ = submitted(records)
        run(handler(records, server.url), context)

    assert '"Rent"' not in server.requests[0]["messages"][-1]["content"]
    assert records.fields.cell(document, "rent", ALL).finding.status is CellStatus.ABSENT


def test_what_was_read_is_not_paid_for_again_and_comes_back_after_an_extraction(records: Records) -> None:
    [document] = fill_home(records, 1)
    with ScriptedLlm(reading()) as server:
        context, _ = submitted(records)
        run(handler(records, server.url), context)
        again = Finding(CellStatus.UNCERTAIN, confidence=0.5, method="rule")
        records.fields.put(document, 1, Extraction("leases", {"rent": again}), "other")
        assert statuses(records, "rent") == [CellStatus.UNCERTAIN]
        context, job = submitted(records)
        run(handler(records, server.url), context)

    assert len(server.requests) == 1
    assert statuses(records, "rent") == [CellStatus.PRESENT]
    assert records.model_readings.tally(job).calls == 0


def test_a_new_version_is_read_anew(records: Records) -> None:
    [document] = fill_home(records, 1)
    with ScriptedLlm(reading()) as server:
        context, _ = submitted(records)
        run(handler(records, server.url), context)
        text = "The rent is $910.00 a month.\nThe lease begins on 3 March 2020."
        parsed = ParsedDocument("Flat 0", "text/plain", (Page(1, text),), "en")
        records.documents.publish(NewVersion("leases", "flat0.txt", parsed, ContentHash("n"), len(text)))
        records.fields.put(
            document, 2, Extraction("leases", {"rent": Finding(CellStatus.UNCERTAIN, method="rule")}), "test"
        )
        assert statuses(records, "rent") == [CellStatus.UNCERTAIN]
        context, _ = submitted(records)
        run(handler(records, server.url), context)

    assert len(server.requests) == 2
    assert records.fields.cell(document, "rent", ALL).finding.values[0].text == "910.00"


def test_a_cancelled_job_gives_its_call_up_and_goes_on_where_it_was(records: Records) -> None:
    fill_home(records)
    slow = reply(wait_s=30.0)
    with ScriptedLlm(reading(), slow, reading()) as server:
        context, job = submitted(records)
        reader = handler(records, server.url, timeout_s=60.0, deadline_s=60.0)
        reader.prepare(context)
        began = time.monotonic()

        def cancel(_: dict[str, Any]) -> Step:
            context.is_cancelled = True
            return slow

        server.script[1] = cancel
        with pytest.raises(JobInterrupted):
            reader.work(context)
        lasted = time.monotonic() - began
        context.is_cancelled = False
        run(reader, context)

    assert lasted < 5
    assert len(server.requests) == 4
    assert records.model_readings.tally(job).present == 12


def test_the_budget_of_the_day_ends_the_job_in_plain_words_and_it_can_be_resumed(records: Records) -> None:
    fill_home(records)
    with ScriptedLlm(reading()) as server:
        context, job = submitted(records)
        with pytest.raises(LlmError, match="Today's 2,800 tokens"):
            run(handler(records, server.url, tokens_per_day=2_800, reading_at_once=1), context)
        done = records.model_readings.tally(job).read
        run(handler(records, server.url), context)

    assert 0 < done < 15
    assert len(server.requests) == 3
    assert records.model_readings.tally(job).read == 15


def test_replies_that_do_not_fit_leave_their_document_for_later_and_the_others_go_on(
    records: Records,
) -> None:
    fill_home(records)
    with ScriptedLlm(reply("no"), reply("nonsense"), reading()) as server:
        context, job = submitted(records)
        run(handler(records, server.url, reading_at_once=1), context)

    outcomes = [item.outcome for item in records.jobs.items(job)]
    assert sorted(outcomes) == [IngestOutcome.FAILED, IngestOutcome.READY, IngestOutcome.READY]
    assert records.model_readings.tally(job).read == 10


def test_a_refused_key_ends_the_job(records: Records) -> None:
    fill_home(records)
    with ScriptedLlm(failure(401)) as server:
        context, job = submitted(records)
        with pytest.raises(LlmError):
            run(handler(records, server.url, reading_at_once=1), context)

    assert len(server.requests) == 1
    assert records.model_readings.tally(job).read == 0


def test_several_documents_are_read_at_once(records: Records) -> None:
    fill_home(records, 6)
    together = threading.Barrier(3)

    def with_two_others(body: dict[str, Any]) -> Step:
        together.wait(timeout=20.0)
        return reading()(body)

    with ScriptedLlm(with_two_others) as server:
        context, job = submitted(records)
        run(handler(records, server.url, reading_at_once=3, timeout_s=30.0, deadline_s=60.0), context)

    assert not together.broken
    assert records.model_readings.tally(job).read == 30


def test_windows_that_were_paid_for_are_not_asked_again(records: Records) -> None:
    [document] = fill_home(records, 1)
    text = "Both sides keep their promises in good faith. " * 400 + TEXT.format(number=0)
    parsed = ParsedDocument("Flat 0", "text/plain", (Page(1, text),), "en")
    records.documents.publish(NewVersion("leases", "flat0.txt", parsed, ContentHash("n"), len(text)))
    records.fields.put(
        document, 2, Extraction("leases", {"rent": Finding(CellStatus.UNCERTAIN, method="rule")}), "test"
    )

    def none_before(title: str, evidence: str) -> tuple[str, str, str]:
        return stated(title, evidence) if "$900" in evidence else ("absent", "", "")

    with ScriptedLlm(reading(none_before)) as server:
        context, job = submitted(records)
        reader = handler(records, server.url, reading_tokens=4_000)
        reader.prepare(context)

        def last_of_the_slice(body: dict[str, Any]) -> Step:
            context.is_over = True
            time.sleep(1.5)
            return reading(none_before)(body)

        server.script[0] = last_of_the_slice
        assert reader.work(context)
        first = len(server.requests)
        assert records.model_readings.tally(job).read == 0
        context.is_over = False
        server.script[0] = reading(none_before)
        run(reader, context)

    windows_ = len(
        {each["messages"][-1]["content"].partition("of the document")[0][-12:] for each in server.requests}
    )
    assert first == 1
    assert len(server.requests) == windows_ > 2
    assert statuses(records, "rent") == [CellStatus.PRESENT]


def test_decided_cells_are_read_on_wish_and_compared_but_not_changed(records: Records) -> None:
    [document] = fill_home(records, 1)
    value = TypedValue(FieldType.MONEY, "1.00", 10_000, "USD", "1 USD")
    by_rule = Finding(CellStatus.PRESENT, (value,), (), 0.95, "rule")
    records.fields.put(document, 1, Extraction("leases", {"rent": by_rule}), "test")
    with ScriptedLlm(reading()) as server:
        context, _ = submitted(records, fields=["rent"])
        run(handler(records, server.url), context)
        assert server.requests == []
        context, _ = submitted(records, fields=["rent"], with_decided=True)
        run(handler(records, server.url), context)

    [found] = records.model_readings.contradictions(ALL, "leases")
    known, read = found.extraction, found.model
    assert (found.item.document, found.item.field) == (document, "rent")
    assert known.values == (value,)
    assert read.values[0].text == "900.00"
    [other] = records.fields.cell(document, "rent", ALL).finding.candidates
    assert (known.method, other.method, other.spans[0].quote) == ("rule", MODEL, "$900.00")
    assert known.note == "Contradicted: openai/gpt-oss-20b found \u201c900.00\u201d."
    records.reviews.review(document, "rent", ReviewAction.CONFIRM, "eve", datetime.now(UTC), visible=ALL)
    assert records.model_readings.contradictions(ALL, "leases") == []


def test_what_was_read_by_another_definition_is_read_again_and_nothing_else(records: Records) -> None:
    [document] = fill_home(records, 1)
    value = TypedValue(FieldType.MONEY, "1.00", 10_000, "USD", "1 USD")
    by_rule = Finding(CellStatus.PRESENT, (value,), (), 0.95, "rule")
    doubt = Finding(CellStatus.UNCERTAIN, confidence=0.5, method="rule")
    findings = {**dict.fromkeys((each.name for each in LEASES.fields), doubt), "rent": by_rule}
    records.fields.put(document, 1, Extraction("leases", findings), "test")
    with ScriptedLlm(reading()) as server:
        settings = settings_for(server.url)
        run(handler(records, server.url), submitted(records, with_decided=True)[0])
        narrower = replace(DEFINITIONS, schemas=(_with(LEASES, "pets", "rent", excludes="Service animals."),))

        assert waiting(records, DEFINITIONS, settings)[0].cells == []
        [found] = waiting(records, narrower, settings)
        assert [each.name for each in found.cells] == ["pets", "rent"]
        [other] = waiting(records, narrower, settings.model_copy(update={"model": "another"}))
        assert {"pets", "rent"} <= {each.name for each in other.cells}
        assert "begins" not in {each.name for each in other.cells}  # decided by a model, asked the same

    with ScriptedLlm(reading(lambda *_: ("uncertain", "", ""))) as server:
        models = ModelsOfHome(records, settings_for(server.url))
        run(ReadCellsJob(records, lambda: narrower, models), submitted(records)[0])
    cells = {each.field: each.finding for each in records.fields.cells(ALL, documents=[document])}
    assert (cells["pets"].status, cells["pets"].method) == (CellStatus.UNCERTAIN, "")
    assert (cells["begins"].status, cells["begins"].method) == (CellStatus.PRESENT, MODEL)
    assert (cells["rent"].values, cells["rent"].candidates, cells["rent"].note) == ((value,), (), "")
    assert records.model_readings.contradictions(ALL) == []


def _with(schema: Schema, *names: str, excludes: str) -> Schema:
    fields = (
        each.model_copy(update={"excludes": excludes}) if each.name in names else each
        for each in schema.fields
    )
    return schema.model_copy(update={"fields": tuple(fields)})


def test_a_killed_worker_leaves_all_that_was_paid_for(tmp_path: Path) -> None:
    with opened(tmp_path) as records:
        fill_home(records, 6)
        with ScriptedLlm(reading()) as server:
            asked: list[str] = []

            def slowly(body: dict[str, Any]) -> Step:
                asked.append(json.dumps(body["messages"][-1])[:0] + body["messages"][-1]["content"])
                step = reading(stated)(body)
                return Step(step.pieces, wait_s=0.3)

            server.script[0] = slowly
            job = queue.submit(records, READ_CELLS, "test", {})
            command = [sys.executable, "-m", "tests.support.reading_cells", str(tmp_path), server.url]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            first = subprocess.Popen(command, cwd=ROOT, env=environment)
            wait_for(lambda: records.model_readings.tally(job).read >= 10)
            first.kill()
            first.wait()
            kept, paid = records.model_readings.tally(job).read, len(asked)
            second = subprocess.Popen(command, cwd=ROOT, env=environment)
            wait_for(lambda: records.jobs.get(job).state.is_ended, 60)
            second.terminate()
            second.wait()

        assert records.jobs.get(job).state is JobState.DONE
        assert 10 <= kept < 30
        assert paid - kept // 5 <= 4  # the calls that were under way
        assert len(asked) - 6 <= 4
        assert records.model_readings.tally(job).present == 24


def wait_for(is_so: Any, longest_s: float = 30.0) -> None:
    until = time.monotonic() + longest_s
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_no_reviewer_is_needed_for_a_sample_and_verdicts_give_its_precision(records: Records) -> None:
    documents = fill_home(records)
    with ScriptedLlm(reading()) as server:
        context, _ = submitted(records)
        run(handler(records, server.url), context)
    before = records.model_readings.sample(ALL, size=8)
    items = records.model_readings.sample_items(ALL, size=8)
    for at, item in enumerate(items[:4]):
        action = ReviewAction.ABSENT if at == 0 else ReviewAction.CONFIRM
        records.reviews.review(
            DocumentId(item.document), item.field, action, "eve", datetime.now(UTC), visible=ALL
        )

    after = records.model_readings.sample(ALL, size=8)
    assert (before.of, before.size, before.checked, before.precision.share) == (12, 8, 0, None)
    assert (after.checked, after.right, after.precision.share) == (4, 3, 0.75)
    assert len(records.model_readings.sample_items(ALL, size=8)) == 4
    assert sum(records.model_readings.counts(ALL).values()) == 8
    assert LOCAL_ADMIN.is_admin
    assert documents
