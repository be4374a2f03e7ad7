from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.errors import RefusedError
from core.store.store import Records
from core.workbench import Workbench
from core.workbench.recorded import MOST_NAMES, deed_of, note_shown, recorded
from core.workbench.services.base import Service
from core.workbench.session import Session
from tests.support.roles import MAY_ASK

ANN = Principal("ann", MAY_ASK, origin="cli")

READS = {
    "AccessService": "buckets grantees of_bucket of_document own people preview preview_person sees "
    "sees_buckets",
    "AccountingService": "import_rates now",  # an import is set_rates
    "AccountService": "get groups list own sessions",
    "AuditLogService": "count entries every export_head head note redact verify",  # what it writes is the log
    "AuditService": "bind compare get get_run last_two_runs list outdated parameters runs",
    "CitationService": "compare standings",
    "ConversationService": "finish_turn get list start_turn turn turns",  # of the asking
    "CrawlService": "at_work_beside count dry_run_of every_row follow get groups in_doubt list "
    "mass_withdrawal of_job rows runs_of shares",
    "DatasetService": "apart file_of get joins list of_document of_documents plan query rows source_rows "
    "tables whole",
    "DocumentService": "boxes buckets by_id copies count detail facts family gaps get identity inspect list "
    "metadata page page_image page_size require_ingest same_names scans search stored_page totals vanished "
    "with_copies words",
    "EvaluationService": "cases compare expected follow muted problem require_model run runs sampled suites "
    "trend",
    "FailureService": "shape shapes",
    "ExperimentService": "comparison follow list prompts staleness",
    "FeedbackService": "of_traces",
    "IndexService": "database last_repairs overview",
    "JobService": "get items list",
    "LearningService": "documents_in failures ignored_phrases is_learned learn note read remember shape "
    "uncovered uncovered_words used",  # learn, note, remember: of the asking
    "MapService": "part paths view walks",
    "MatrixService": "aggregate cell cells columns contradictions counts details find_words history kinds "
    "ledger of_unknown_kind page read read_values search worklist",
    "ModelCellService": "asked contradictions estimate of_before offer sample sample_items tally",
    "PlanService": "answer by_sql catalogue estimate export is_shown load make problems statements stream "
    "tools",
    "PolicyService": "explain files in_force rights test",
    "QuestionService": "allowed ask kept starters stream trace",  # kept with the trace of each question
    "ReadingService": "choices converted is_remembered is_reused of_all_kinds",
    "EvidencePackService": "",
    "ReplayService": "answer_of",
    "ReviewService": "agreement case_for cases counts get kept_cases outcomes page precision reviewers",
    "RequestKeyService": "claim keep release",  # of the deed that the request is
    "ScanService": "offer",
    "SchemaService": "change check_field examples export list of_bucket refill removed_fields try_field",
    "SettingsService": "figures model_history model_use status",
    "SummaryService": "question show write",  # of the asking
    "ThresholdService": "costs list models outlook promise promises qualities",
    "SharingService": "list open title_of",
    "TokenService": "list",
    "UpdateService": "progress",
    "WordFieldService": "check cost learnt read_lines try_words",
}
"""The methods that change nothing and hand nothing out. Any other has to say which deed it is."""


def services(bench: Workbench) -> Iterator[type[Service]]:
    session = bench.for_principal(ANN)
    for name in Session.__annotations__:
        found = getattr(session, name)
        assert isinstance(found, Service)
        yield type(found)


def test_every_method_of_every_service_is_a_deed_or_known_to_be_none(tmp_path: Path) -> None:
    forgotten, wrong = [], []
    with Workbench.open(tmp_path) as bench:
        found = list(services(bench))
    for service in found:
        reads = set(READS[service.__name__].split())
        for name, method in inspect.getmembers(service, inspect.isfunction):
            if name.startswith("_"):
                continue
            is_deed = hasattr(method, "__deed__")
            if not is_deed and name not in reads:
                forgotten.append(f"{service.__name__}.{name}")
            if is_deed and name in reads:
                wrong.append(f"{service.__name__}.{name}")

    assert forgotten == []
    assert wrong == []


class Colour(Enum):
    RED = "red"


class Parts:
    def __init__(self, records: Records) -> None:
        self.records = records


class Things:
    def __init__(self, records: Records) -> None:
        self._parts, self._principal = Parts(records), ANN

    @recorded("thing.paint", "thing", "colour")
    def paint(self, thing: str, colour: Colour = Colour.RED, *, then: type[Exception] | None = None) -> str:
        self._parts.records.model_calls.choose({}, "ann")
        if then is not None:
            raise then("no")
        return self.look(thing)

    @recorded("thing.look", "thing")
    def look(self, thing: str) -> str:
        return thing

    @recorded("thing.refuse", "thing")
    def refuse(self, thing: str) -> None:
        raise RefusedError(f"not {thing}")


@pytest.fixture
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Records]:
    from core.config.models import Settings

    with Records.open(Settings(home=tmp_path_factory.mktemp("home"))) as opened:
        yield opened


def kept(records: Records) -> list[tuple[str, str, str]]:
    entries = records.audit_log.entries(AuditQuery())
    return [(each.deed.name, each.deed.subject, each.deed.outcome) for each in reversed(entries)]


def test_a_deed_is_kept_once_with_what_it_was_done_on(records: Records) -> None:
    assert Things(records).paint("t1", colour=Colour.RED) == "t1"

    assert kept(records) == [("thing.paint", "t1", "done")]
    [entry] = records.audit_log.entries()
    assert (entry.deed.account, entry.deed.origin, entry.deed.detail) == ("ann", "cli", {"colour": "red"})


def test_a_deed_that_writes_nothing_is_kept_too(records: Records) -> None:
    Things(records).look("t2")

    assert kept(records) == [("thing.look", "t2", "done")]


def test_a_document_that_is_read_is_kept_once_in_a_while(records: Records) -> None:
    for version in (1, 1, 2):
        note_shown(records, ANN, "d1", version)
    note_shown(records, Principal("bob", MAY_ASK), "d1", 1)

    entries = records.audit_log.entries(AuditQuery(deed="document.show", subject="d1"))
    assert sorted((each.deed.account, each.deed.detail["version"]) for each in entries) == [
        ("ann", 1),
        ("ann", 2),
        ("bob", 1),
    ]


def test_what_was_refused_and_what_failed_half_way_is_kept(records: Records) -> None:
    with pytest.raises(RefusedError):
        Things(records).refuse("t3")
    with pytest.raises(ValueError, match="no"):
        Things(records).paint("t4", then=ValueError)

    assert kept(records) == [
        ("thing.refuse", "t3", "refused"),
        ("thing.paint", "t4", "done"),
        ("thing.paint", "t4", "failed"),
    ]


def test_the_log_holds_names_and_no_personal_data() -> None:
    deed = deed_of(
        "d", ANN, {"title": "call ann@example.com", "many": [str(n) for n in range(500)], "no": None}
    )

    assert "ann@example.com" not in deed.subject
    assert deed.detail["many"]["count"] == 500
    assert len(deed.detail["many"]["first"]) == MOST_NAMES
    assert "no" not in deed.detail


def test_an_argument_that_is_none_is_found_at_once() -> None:
    with pytest.raises(AssertionError, match="no argument"):
        recorded("d", "nothing")(lambda self: None)
