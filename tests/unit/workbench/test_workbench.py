from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.config.fields import FieldDefinition
from core.domain.answer import Status
from core.domain.document import DocumentStatus, IngestOutcome
from core.domain.fields import FieldType
from core.domain.ids import ContentHash
from core.domain.job import IngestItem, Job
from core.domain.principal import Principal
from core.domain.search import SearchQuery
from core.errors import EncoderError, JobError, NotFoundError, RefusedError, UsageError
from core.ingest.intake import IngestInput
from core.ingest.pipeline import Pipeline
from core.store.database.schema import meta
from core.workbench import Workbench
from core.workbench.backup import restore_home
from core.workbench.wiring import Parts
from core.workbench.work.variant_jobs import drop_unused
from tests.support.ingesting import Calm
from tests.support.roles import MAY_ASK

ANN = Principal("ann", MAY_ASK, groups=frozenset({"legal"}))
BOB = Principal("bob", MAY_ASK)
LEASE = "The monthly rent of the Mill Road warehouse is $15,000, payable on the first day of each month."


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path / "home") as opened:
        yield opened


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_question_is_answered_from_an_ingested_file_with_its_exact_words(
    bench: Workbench, tmp_path: Path
) -> None:
    path = write(tmp_path, "lease.txt", f"WAREHOUSE LEASE\n\n{LEASE}\n")

    report = bench.ingest([path], bucket="leases")
    answer = bench.ask("What is the monthly rent of the Mill Road warehouse?")

    assert report.counts["ready"] == 1
    assert answer.status is Status.ANSWERED
    citation = answer.citations[0]
    page = bench.for_principal(Principal("x", MAY_ASK)).documents.page(
        report.items[0].document, citation.version, citation.page
    )  # type: ignore[arg-type]
    assert page.text[citation.start : citation.end] == citation.quote
    assert "$15,000" in citation.quote


def test_the_same_file_again_is_unchanged_and_a_changed_one_is_a_new_version(
    bench: Workbench, tmp_path: Path
) -> None:
    path = write(tmp_path, "lease.txt", LEASE)
    bench.ingest([path])
    before = bench.ask("What is the monthly rent of the warehouse?").citations[0]

    again = bench.ingest([path]).items[0]
    path.write_text(LEASE.replace("$15,000", "$16,500"))
    changed = bench.ingest([path]).items[0]

    assert again.outcome is IngestOutcome.UNCHANGED
    assert changed.outcome is IngestOutcome.UPDATED
    assert "$16,500" in bench.ask("What is the monthly rent of the warehouse?").citations[0].quote
    document = changed.document
    assert document is not None
    old = bench.for_principal(BOB).documents.page(document, before.version, before.page)
    assert old.text[before.start : before.end] == before.quote


def test_a_bad_file_never_stops_the_others(bench: Workbench, tmp_path: Path) -> None:
    write(tmp_path, "in/empty.txt", "")
    (tmp_path / "in" / "broken.pdf").write_bytes(b"%PDF-1.7 nothing more")
    write(tmp_path, "in/good.txt", LEASE)

    report = bench.ingest([tmp_path / "in", tmp_path / "gone.txt"])

    outcomes = {Path(item.source).name: item.outcome for item in report.items}
    assert outcomes == {
        "broken.pdf": IngestOutcome.FAILED,
        "empty.txt": IngestOutcome.FAILED,
        "good.txt": IngestOutcome.READY,
        "gone.txt": IngestOutcome.FAILED,
    }
    assert all(item.reason for item in report.items if item.outcome is IngestOutcome.FAILED)


def test_a_reingest_refuses_a_damaged_original_and_a_new_ingest_brings_a_lost_one_back(
    bench: Workbench, tmp_path: Path
) -> None:
    path = write(tmp_path, "lease.txt", LEASE)
    document = bench.ingest([path]).items[0].document
    assert document is not None
    kept = bench.local.documents.original(document).path
    kept.chmod(0o600)
    kept.write_text("garbage")

    report = bench.local.documents._writing.follow(bench.local.documents.reingest([document]), None)

    assert report.items[0].outcome is IngestOutcome.FAILED
    assert "damaged" in report.items[0].reason
    assert bench.search(SearchQuery("monthly rent")).hits
    kept.unlink()
    bench.ingest([path])
    assert bench.local.documents.original(document).path.read_text() == LEASE


def test_a_document_removed_before_its_reingest_stays_removed(bench: Workbench, tmp_path: Path) -> None:
    path = write(tmp_path, "lease.txt", LEASE)
    document = bench.ingest([path]).items[0].document
    assert document is not None
    kept = ContentHash(bench.local.documents.original(document).path.name)
    bench.local.documents.remove([document])
    item = IngestInput(0, path, "lease.txt", "default", force=True, kept=kept)
    noted: dict[int, IngestItem] = {}
    parts = bench._parts

    with closing(
        Pipeline(parts.records, parts.batch_encoder, parts.engines.passages, parts.settings)
    ) as pipeline:
        pipeline.run([item], noted.update, Calm())

    assert noted[0].outcome is IngestOutcome.FAILED
    assert bench.documents() == []


def test_files_of_one_name_in_two_folders_are_two_documents(bench: Workbench, tmp_path: Path) -> None:
    one = write(tmp_path, "2023/report.txt", LEASE)
    two = write(tmp_path, "2024/report.txt", LEASE.replace("Mill", "Hill"))

    bench.ingest([one])
    bench.ingest([two])

    assert len(bench.documents()) == 2


def test_what_a_principal_may_not_see_is_not_there(bench: Workbench, tmp_path: Path) -> None:
    report = bench.ingest([write(tmp_path, "lease.txt", LEASE)], acl=["legal"])
    document = report.items[0].document
    assert document is not None

    assert bench.search(SearchQuery("monthly rent"), ANN).hits
    assert not bench.search(SearchQuery("monthly rent"), BOB).hits
    assert bench.documents(BOB) == []
    assert (
        bench.for_principal(BOB).documents.buckets() == []
        or bench.for_principal(BOB).documents.buckets()[0].documents == 0
    )
    assert bench.ask("What is the monthly rent?", BOB).status is Status.ABSTAINED
    with pytest.raises(NotFoundError):
        bench.for_principal(BOB).documents.get(document)
    with pytest.raises(NotFoundError):
        bench.for_principal(BOB).documents.original(document)


def test_only_an_admin_changes_the_collection(bench: Workbench, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="ann"):
        bench.ingest([tmp_path], principal=ANN)
    with pytest.raises(RefusedError):
        bench.for_principal(ANN).documents.remove([])


@pytest.mark.parametrize(
    "name",
    ["", " ", "a\nb", "a\x00b", "a\u202egnp", "a\u200bb", "a\u2028b", "a\ud800b", "n" * 81, "../x",
     "a/b", "a\\b", "..", " . "],
)  # fmt: skip
def test_a_bucket_name_that_cannot_be_read_or_is_a_path_is_refused_with_what_to_do(
    bench: Workbench, tmp_path: Path, name: str
) -> None:
    with pytest.raises(UsageError) as made:
        bench.local.documents.add_bucket(name)
    with pytest.raises(UsageError) as named:
        bench.local.documents.submit_ingest([tmp_path], bucket=name)

    assert made.value.next_step == named.value.next_step != ""
    assert bench.local.documents.buckets() == []
    assert bench.local.jobs.list() == []


def test_a_bucket_may_have_the_name_that_people_give_it(bench: Workbench) -> None:
    names = ["Verträge 2024", "n" * 80, "契約", "v1..2"]
    for name in names:
        bench.local.documents.add_bucket(f" {name} ")

    assert {bucket.name for bucket in bench.local.documents.buckets()} == set(names)


def test_an_unknown_user_is_refused_with_the_known_ones(bench: Workbench) -> None:
    with pytest.raises(UsageError, match="admin"):
        bench.principal("nobody")


def test_a_removed_document_is_found_no_more(bench: Workbench, tmp_path: Path) -> None:
    report = bench.ingest([write(tmp_path, "lease.txt", LEASE)])

    bench.local.documents.remove([item.document for item in report.items if item.document])

    assert bench.documents() == []
    assert not bench.search(SearchQuery("monthly rent")).hits


def test_a_document_can_be_read_again_from_its_kept_original(bench: Workbench, tmp_path: Path) -> None:
    path = write(tmp_path, "lease.txt", LEASE)
    document = bench.ingest([path]).items[0].document
    path.unlink()
    assert document is not None

    report = bench.local.documents._writing.follow(bench.local.documents.reingest([document]), None)

    assert report.items[0].outcome is IngestOutcome.UPDATED
    assert bench.local.documents.get(document).version == 2


def test_a_newer_file_that_failed_is_what_a_re_ingest_tries_again(bench: Workbench, tmp_path: Path) -> None:
    path = write(tmp_path, "lease.txt", LEASE)
    document = bench.ingest([path]).items[0].document
    assert document is not None
    path.write_bytes(b"%PDF-1.7 nothing more")
    bench.ingest([path])

    report = bench.local.documents._writing.follow(bench.local.documents.reingest([document]), None)

    assert report.items[0].outcome is IngestOutcome.FAILED
    assert bench.local.documents.get(document).version == 1
    assert bench.local.documents.get(document).summary.reason


def test_a_follow_up_refers_to_the_conversation(bench: Workbench, tmp_path: Path) -> None:
    write(tmp_path, "in/lease.txt", LEASE)
    write(tmp_path, "in/other.txt", "The harbour office has a rent of $900 and a deposit of $1,800.")
    bench.ingest([tmp_path / "in"])
    conversation = bench.local.conversations.create()
    question = "What is the monthly rent of the Mill Road warehouse?"
    turn = bench.local.conversations.start_turn(conversation.id, question)
    bench.local.conversations.finish_turn(turn.id, bench.ask(question, conversation=conversation.id))

    answer = bench.ask("When is it payable?", conversation=conversation.id)

    assert "first day of each month" in answer.text


def test_a_trace_keeps_every_stage_with_its_time(bench: Workbench, tmp_path: Path) -> None:
    bench.ingest([write(tmp_path, "lease.txt", LEASE)])
    answer = bench.ask("What is the monthly rent?")

    trace = bench.local.questions.trace(answer.trace_id)  # type: ignore[arg-type]

    assert trace.steps
    assert all(step.latency_ms >= 0 and step.source for step in trace.steps)


def test_a_backup_restores_documents_and_search(bench: Workbench, tmp_path: Path) -> None:
    bench.ingest([write(tmp_path, "lease.txt", LEASE)])
    bench.local.settings.backup(tmp_path / "backup.zip")

    documents = restore_home(tmp_path / "backup.zip", home=tmp_path / "other")

    with Workbench.open(home=tmp_path / "other") as restored:
        assert documents == 1
        assert restored.search(SearchQuery("monthly rent")).hits
        assert restored.search("monthly rent").hits == restored.search(SearchQuery("monthly rent")).hits
        assert restored.documents()[0].status is DocumentStatus.READY


def test_vectors_of_another_encoder_are_refused_until_a_reindex(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    with Workbench.open(home=home) as bench:
        bench.ingest([write(tmp_path, "lease.txt", LEASE)])
    parts = Parts(bench.settings)
    another = {"name": "another", "dimension": 384, "sha256": "0" * 64}
    parts.records.database.run(sa.update(meta).where(meta.c.key == "encoder").values(value=another))
    parts.close()

    with pytest.raises(EncoderError, match="another") as caught:
        Workbench.open(home=home)
    with Workbench.open(home=home, verify_encoder=False) as bench:
        passages = bench.local.index.rebuild()
        drop_unused(bench._parts.beside())

    assert "groundwork reindex" in caught.value.next_step
    with Workbench.open(home=home) as bench:
        assert passages == 1
        assert bench.search(SearchQuery("monthly rent")).hits


def test_an_ingest_that_is_cancelled_says_so_and_how_to_go_on(tmp_path: Path) -> None:
    with Workbench.open(home=tmp_path / "home") as bench:

        def cancel(job: Job) -> None:
            if not job.state.is_ended:
                bench.local.jobs.cancel(job.id)

        with pytest.raises(JobError, match="The ingest was cancelled after") as caught:
            bench.ingest([write(tmp_path, "lease.txt", LEASE)], on_progress=cancel)

        assert f"groundwork jobs resume {bench.local.jobs.list()[0].id}" in caught.value.next_step


def test_a_backup_keeps_the_schemas_that_its_cells_belong_to(bench: Workbench, tmp_path: Path) -> None:
    field = FieldDefinition(name="deposit", title="Deposit", type=FieldType.MONEY)
    bench.local.schemas.add_field("contracts", field)
    bench.local.settings.backup(tmp_path / "backup.zip")

    restore_home(tmp_path / "backup.zip", home=tmp_path / "other")

    with Workbench.open(home=tmp_path / "other") as restored:
        assert restored.local.schemas.of_bucket("contracts").field("deposit") == field
