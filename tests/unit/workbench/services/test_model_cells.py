"""Cells read by a model: what it costs, having it done, the sample, and who may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import LlmSettings, ModelPrice, Settings
from core.domain.fields import CellStatus, ReviewAction
from core.domain.job import JobState
from core.domain.llm.cells import MODEL, estimate_said, sample_said, tally_said
from core.domain.principal import Principal
from core.errors import RefusedError, UsageError
from core.workbench import Workbench
from core.workbench.work.new_reading import NewReading
from tests.support.filled_matrix import fill
from tests.support.reading_cells import audits, reading
from tests.support.scripted_llm import ScriptedLlm

PRICES = {"openai/gpt-oss-20b": ModelPrice(prompt=0.1, completion=0.5)}
CAROL = Principal("carol", roles=frozenset({"reviewer"}))


@pytest.fixture
def scripted() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(reading(audits)) as server:
        yield server


@pytest.fixture
def bench(tmp_path: Path, scripted: ScriptedLlm) -> Iterator[Workbench]:
    home = tmp_path / "home"
    fill(home)
    llm = LlmSettings(base_url=scripted.url, tokens_per_minute=0, prices=PRICES)
    with Workbench.open(settings=Settings(home=home, llm=llm)) as opened:
        yield opened


def test_the_estimate_is_made_without_a_call(bench: Workbench, scripted: ScriptedLlm) -> None:
    found = bench.local.model_cells.estimate("contracts")
    one = bench.local.model_cells.estimate("contracts", ["audit_rights"])

    assert (found.cells, found.documents, found.calls, found.is_exact) == (11, 9, 9, True)
    assert one.cells == 9
    assert found.cost_usd is not None
    assert 0 < found.cost_usd < 0.01
    assert found.fits_day
    assert scripted.requests == []
    assert estimate_said(found).startswith(
        "11 uncertain cells of 9 documents for openai/gpt-oss-20b: 9 calls, about "
    )


def test_the_estimate_is_near_to_what_is_spent(bench: Workbench, scripted: ScriptedLlm) -> None:
    found = bench.local.model_cells.estimate("contracts")

    bench.local.model_cells.read("contracts")

    sent = sum(len(each["content"]) for body in scripted.requests for each in body["messages"])
    assert len(scripted.requests) == found.calls
    assert 0.9 < found.prompt_tokens / (sent / 3) < 1.6  # the schema is counted, too


def test_cells_are_read_and_the_ledger_of_an_answer_says_so(bench: Workbench) -> None:
    session = bench.local
    job = session.model_cells.read("contracts")

    offer = session.model_cells.offer("contracts")
    answer = session.questions.ask("Which contracts lack audit rights?", buckets=("contracts",))
    assert job.state is JobState.DONE
    assert tally_said(offer.tally, offer.asked) == "The model settled 9 of 11 cells; 2 stay as they were."
    assert (offer.by_model, offer.uncertain, offer.sample.of) == (9, 2, 9)
    assert session.model_cells.offer("elsewhere").job is None
    assert answer.ledger is not None
    assert answer.ledger.by_model == 9
    assert answer.ledger.model_said == (
        "9 documents rest on cells that a language model read and nobody checked; none of its sample was "
        "checked either."
    )
    cells = session.matrix.read("contracts", ["audit_rights"]).cells
    assert sum(cell.finding.method == MODEL for cell in cells) == 9


def test_a_second_time_nothing_waits(bench: Workbench, scripted: ScriptedLlm) -> None:
    bench.local.model_cells.read("contracts")
    asked = len(scripted.requests)

    with pytest.raises(UsageError, match="No uncertain cell waits"):
        bench.local.model_cells.start("contracts")

    again = bench.local.model_cells.estimate("contracts")
    assert (again.cells, again.asked_before, len(scripted.requests)) == (0, 2, asked)
    assert "2 were read before and stay uncertain" in estimate_said(again)


def test_reviewers_check_the_sample_and_its_precision_is_said(bench: Workbench) -> None:
    bench.local.model_cells.read("contracts")
    carol = bench.for_principal(CAROL)
    items = carol.model_cells.sample_items("contracts")

    carol.matrix.review(items[0].document, items[0].field, ReviewAction.ABSENT)
    carol.matrix.review(items[1].document, items[1].field, ReviewAction.CONFIRM)

    found = carol.model_cells.sample("contracts")
    assert len(items) == 9
    assert sample_said(found) == "Of the sample of 9, 2 are checked: 1 right (50%, 95 % interval 9% to 91%)."
    cell = carol.matrix.cell(items[0].document, items[0].field)
    assert cell.finding.status is CellStatus.ABSENT
    assert carol.model_cells.offer("contracts").job is None


def test_only_admins_begin_it_and_wrong_names_are_refused(bench: Workbench) -> None:
    carol = bench.for_principal(CAROL)

    with pytest.raises(RefusedError):
        carol.model_cells.start("contracts")
    with pytest.raises(RefusedError):
        carol.model_cells.estimate("contracts")
    with pytest.raises(UsageError, match="no field 'nonsense'"):
        bench.local.model_cells.estimate("contracts", ["nonsense"])


def test_without_a_model_it_says_what_to_do(tmp_path: Path) -> None:
    fill(tmp_path / "home")
    with Workbench.open(settings=Settings(home=tmp_path / "home")) as bench:
        assert bench.local.model_cells.offer("contracts").model == ""
        with pytest.raises(UsageError, match="No language model is configured"):
            bench.local.model_cells.estimate("contracts")


def test_new_documents_of_a_bucket_are_read_once_that_is_switched_on(bench: Workbench) -> None:
    cells, clock = bench.local.model_cells, iter(range(0, 10_000, 1_000)).__next__
    upkeep = NewReading(bench._parts, clock=clock)

    assert upkeep.look() is None
    cells.read_new("contracts", is_on=True)
    job = upkeep.look()

    assert cells.offer("contracts").reads_new
    assert job is not None
    assert upkeep.look() is None  # one is queued
    assert cells.asked(job) == 11
    with pytest.raises(RefusedError):
        bench.for_principal(CAROL).model_cells.read_new("contracts", is_on=False)
    cells.read_new("contracts", is_on=False)
    assert not cells.offer("contracts").reads_new


def test_cells_read_by_another_definition_are_counted_and_read_again(
    bench: Workbench, scripted: ScriptedLlm
) -> None:
    session = bench.local
    session.model_cells.read("contracts", ["audit_rights"])
    field = session.schemas.list()[0].field("audit_rights")
    assert field is not None
    assert session.model_cells.of_before("contracts", field) == 0
    narrower = field.model_copy(update={"counter_examples": ("Each party keeps records.",)})
    assert session.model_cells.of_before("contracts", narrower) == 9

    session.schemas.change_field("contracts", narrower)

    assert session.model_cells.estimate("contracts", ["audit_rights"]).cells == 9
    sent = len(scripted.requests)
    session.model_cells.read("contracts", ["audit_rights"])
    assert len(scripted.requests) == sent + 9
    assert session.model_cells.of_before("contracts", narrower) == 0
