"""A workbench in memory with the facade's exact calls: real behaviour over a handful of documents, no files.

Answers are quoted sentences of the documents that share words with the question; `gate`, where given, is
waited on before the first claim, so that a test decides when a running answer goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from core.ask.request import Question
from core.config.models import Settings
from core.domain.annotation import Accounting
from core.domain.answer import Answer, QuotedPlace
from core.domain.document import (
    MARKDOWN,
    DocumentStatus,
    DocumentSummary,
    DocumentVersion,
    IngestOutcome,
    OriginalFile,
    Page,
    PageSize,
    bucket_at,
)
from core.domain.event import Answered, ClaimAdded, Event, Finished, StageFinished, StageStarted, Trace
from core.domain.evidence.change import EvidenceStanding, EvidenceState, TextComparison
from core.domain.ids import DocumentId, JobId, TraceId
from core.domain.job import IngestItem, Job, JobState, SameName
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.search import SearchInspection, SearchQuery, SearchReport
from core.domain.span import Box, PageSpan
from core.errors import JobError, NotFoundError
from core.ingest.markdown_page import render_markdown
from core.store.base import BucketSummary, CollectionTotals, DocumentOrder
from core.text.file_parts import gaps_in_words
from core.workbench.status import WorkbenchStatus
from tests.support import lists_of_words, quoted_answer, typed_page
from tests.support.fake_conversations import FakeConversations
from tests.support.fake_facts import FakeFacts
from tests.support.fake_models import FakeModels
from tests.support.fake_scans import FakeScans
from tests.support.fake_session import FakeSession
from tests.support.fake_upkeep import FakeUpkeep
from tests.support.few_documents import NOW, SAMPLES, make_document
from tests.support.gate import Gate


class FakeWorkbench(FakeConversations, FakeFacts, FakeModels, FakeScans, FakeUpkeep):
    """See the module. samples=False begins with an empty collection."""

    def __init__(self, home: Path, *, samples: bool = True, gate: Gate | None = None) -> None:
        super().__init__()
        FakeModels.__init__(self)
        self.settings = Settings(home=home)
        self.gate = gate
        self.server_reason: str | None = None  # None: no server is configured; "": it answers
        self._documents: dict[DocumentId, DocumentVersion] = {}
        self._traces: dict[str, Trace] = {}
        self._jobs: dict[JobId, Job] = {}
        self._items: dict[JobId, list[IngestItem]] = {}
        self._version = 0
        if samples:
            for sample in SAMPLES:
                self.add(*sample)

    @property
    def sign_in(self) -> SimpleNamespace:
        """Nobody has to sign in."""
        return SimpleNamespace(is_required=False)

    def standings(
        self, places: Sequence[QuotedPlace], *, principal: Principal = LOCAL_ADMIN
    ) -> list[EvidenceStanding]:
        """Nothing has changed since anything was cited."""
        return [
            EvidenceStanding(DocumentId(each.document), EvidenceState.CURRENT, each.version, each.version)
            for each in places
        ]

    def compare_text(
        self,
        document: DocumentId,
        version: int,
        place: PageSpan | None = None,
        *,
        principal: Principal = LOCAL_ADMIN,
    ) -> TextComparison:
        """No paragraph is another."""
        return TextComparison(version, version)

    def add(self, bucket: str, source: str, title: str, media_type: str, pages: list[str]) -> DocumentId:
        """For tests: a document as if it had been ingested."""
        self._version += 1
        document = make_document(bucket, source, title, media_type, pages, self._version)
        self._documents[document.summary.id] = document
        return document.summary.id

    def mark_as_read(self, document: DocumentId, confidence: float) -> None:
        """For tests: its text as if it had been read off page images."""
        marks = {"read_by": "ocr", "ocr_confidence": str(confidence)}
        self._documents[document] = replace(self._documents[document], metadata=marks)

    def for_principal(self, principal: Principal) -> FakeSession:
        return FakeSession(self, principal)

    def close(self) -> None:
        """Nothing is open."""

    def data_version(self) -> int:
        return self._version

    def accounting(self, principal: Principal = LOCAL_ADMIN) -> Accounting:
        return Accounting()

    def status(self, principal: Principal = LOCAL_ADMIN) -> WorkbenchStatus:
        passages = sum(d.summary.passages for d in self._documents.values())
        running = sum(not job.state.is_ended for job in self._jobs.values())
        return WorkbenchStatus(
            engine="embedded",
            encoder="all-MiniLM-L6-v2",
            mode="offline",
            data_version=self._version,
            documents=len(self._documents),
            passages=passages,
            index_passages=passages,
            running_jobs=running,
            queued_jobs=0,
            worker_alive=True,
            home=str(self.settings.home),
        )

    def warm(self) -> None:
        self.data_version()

    def allowed(self, answer: Answer, principal: Principal = LOCAL_ADMIN) -> Answer:
        return answer

    def starters(self, principal: Principal = LOCAL_ADMIN) -> list[str]:
        return (
            ["What is the minimum panel width for AlphaSolar models?", "Which law governs the agreement?"]
            if self._documents
            else []
        )

    def submit_sample(self, principal: Principal = LOCAL_ADMIN) -> JobId:
        for sample in SAMPLES:
            self.add(*sample)
        return self._job("Sample collection", [])

    def require_ingest(self, principal: Principal = LOCAL_ADMIN) -> None:
        """Everybody may ingest."""

    def submit_ingest(
        self,
        paths: Iterable[Path | str],
        *,
        bucket: str = "default",
        acl: Iterable[str] = (),
        title: str = "",
        names: Sequence[str] | None = None,
        choices: Mapping[str, str] | None = None,
        folders: Mapping[str, str] | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> JobId:
        items = []
        given = [Path(path) for path in paths]
        named = zip(given, names or map(str, given), strict=True)
        files = [
            (f, source, bucket_at(source, folders or {}, bucket))
            for p, name in ((p, Path(n)) for p, n in named)
            for f in (sorted(p.rglob("*")) if p.is_dir() else [p])
            if f.is_file()
            for source in [str(name / f.relative_to(p))]
        ]
        for path, source, bucket in files:
            text = path.read_text(errors="replace")
            found = self.add(bucket, source, path.stem, "text/plain", [text])
            outcome = IngestOutcome.READY if text else IngestOutcome.UNREADABLE
            items.append(
                IngestItem(
                    found,
                    source,
                    path.stem,
                    bucket,
                    outcome,
                    "" if text else "The file is empty.",
                    1,
                    int(bool(text)),
                )
            )
        return self._job(title, items)

    def same_names(
        self,
        paths: Sequence[Path],
        names: Sequence[str],
        *,
        bucket: str,
        principal: Principal = LOCAL_ADMIN,
    ) -> list[SameName]:
        known = {d.summary.source: d for d in self._documents.values() if d.summary.bucket == bucket}
        return [
            SameName(name, known[name].summary, 0.25, is_alike=False)
            for path, name in zip(paths, names, strict=True)
            if name in known and known[name].pages[0].text != path.read_text(errors="replace")
        ]

    def stored_page(
        self,
        document: DocumentId,
        version: int | None = None,
        quote: PageSpan | None = None,
        theme: str = "",
        principal: Principal = LOCAL_ADMIN,
    ) -> str | None:
        found = self.document(document, principal, version)
        is_drawn = found.summary.media_type == MARKDOWN
        return render_markdown(found.pages, quote, theme) if is_drawn else None

    def vanished(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> list[DocumentSummary]:
        return []

    def _job(self, title: str, items: list[IngestItem]) -> JobId:
        job = JobId(f"j{next(self._ids)}")
        total = len(items)
        self._jobs[job] = Job(
            job,
            "ingest",
            title,
            JobState.DONE,
            total,
            total,
            2.5,
            0.0,
            items[-1].source if items else "",
            None,
            NOW,
            NOW,
        )
        self._items[job] = items
        return job

    def add_running_job(self, title: str, done: int, total: int) -> JobId:
        """For tests of progress: a job that stands still until it is cancelled."""
        job = self._job(title, [])
        self._jobs[job] = replace(
            self._jobs[job], state=JobState.RUNNING, done=done, total=total, eta_s=80.0, last_item="a.pdf"
        )
        return job

    def _begin(self, kind: str, title: str) -> JobId:
        job = self.add_running_job(title, 12, 40)
        self._jobs[job] = replace(self._jobs[job], kind=kind, last_item="")
        return job

    def reingest(self, documents: Sequence[DocumentId], principal: Principal = LOCAL_ADMIN) -> JobId:
        return self._job("Read again", [])

    def remove(
        self, documents: Collection[DocumentId], principal: Principal = LOCAL_ADMIN
    ) -> list[DocumentId]:
        gone = [d for d in documents if self._documents.pop(d, None)]
        self._version += bool(gone)
        return gone

    def jobs(self, principal: Principal = LOCAL_ADMIN) -> list[Job]:
        return list(reversed(self._jobs.values()))

    def job(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> Job:
        if job not in self._jobs:
            raise NotFoundError(f"No job {job!r}.", next_step="See Jobs.")
        return self._jobs[job]

    def job_items(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> list[IngestItem]:
        return self._items[job]

    def cancel_job(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> None:
        if self.job(job).state.is_ended:
            raise JobError("The job has ended.")
        self._jobs[job] = replace(self._jobs[job], state=JobState.CANCELLED)

    def resume_job(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> None:
        self._jobs[job] = replace(self._jobs[job], state=JobState.RUNNING)

    def buckets(self, principal: Principal = LOCAL_ADMIN) -> list[BucketSummary]:
        names = sorted({d.summary.bucket for d in self._documents.values()})
        of = {n: [d.summary for d in self._documents.values() if d.summary.bucket == n] for n in names}
        return [BucketSummary(n, len(of[n]), sum(s.passages for s in of[n])) for n in names]

    def documents(
        self,
        principal: Principal = LOCAL_ADMIN,
        *,
        bucket: str | None = None,
        status: str | None = None,
        text: str = "",
        limit: int | None = None,
        offset: int = 0,
        order: DocumentOrder = DocumentOrder.TITLE,
        descending: bool = False,
        with_gone: bool = False,
        has_gaps: bool = False,
        has_copies: bool = False,
        once: bool = False,
    ) -> list[DocumentSummary]:
        found = [
            d.summary
            for d in self._documents.values()
            if (not bucket or d.summary.bucket == bucket)
            and (not status or d.summary.status == status)
            and text.lower() in f"{d.summary.title} {d.summary.source}".lower()
            and (not has_gaps or d.summary.gaps)
            and not has_copies
            and (with_gone or status or d.summary.status is not DocumentStatus.GONE)
        ]
        found.sort(key=lambda s: _sort_key(s, order), reverse=descending)
        return found[offset : None if limit is None else offset + limit]

    def count_documents(
        self,
        principal: Principal = LOCAL_ADMIN,
        *,
        bucket: str | None = None,
        status: str | None = None,
        text: str = "",
        **more: bool,
    ) -> int:
        return len(self.documents(principal, bucket=bucket, status=status, text=text, **more))

    def document_gaps(
        self, documents: Sequence[DocumentId], principal: Principal = LOCAL_ADMIN
    ) -> dict[DocumentId, str]:
        return {id: gaps_in_words(self._documents[id].parts) for id in documents}

    def document_copies(
        self,
        documents: Sequence[DocumentId],
        bucket: str | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> dict[str, tuple[str, ...]]:
        return {}

    def totals(self, buckets: Sequence[str] = (), principal: Principal = LOCAL_ADMIN) -> CollectionTotals:
        found = [each for each in self.buckets(principal) if not buckets or each.name in buckets]
        return CollectionTotals(sum(each.documents for each in found), sum(each.passages for each in found))

    def document(
        self, document: DocumentId, principal: Principal = LOCAL_ADMIN, version: int | None = None
    ) -> DocumentVersion:
        if document not in self._documents or version not in (None, 1):
            raise NotFoundError(f"No document {document!r}.", next_step="It may have been removed.")
        return self._documents[document]

    def page(self, document: DocumentId, principal: Principal, version: int | None, page_no: int) -> Page:
        pages = self.document(document, principal, version).pages
        if not 1 <= page_no <= len(pages):
            raise NotFoundError(f"No page {page_no}.")
        return pages[page_no - 1]

    def page_image(
        self,
        document: DocumentId,
        principal: Principal,
        version: int | None,
        page_no: int,
        width_px: int = 1000,
    ) -> bytes | None:
        if self.document(document).summary.media_type != "application/pdf":
            return None
        return typed_page.draw(self.page(document, principal, version, page_no).text, width_px)

    def page_size(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> PageSize | None:
        return (
            PageSize(595.0, 841.0)
            if self.document(document).summary.media_type == "application/pdf"
            else None
        )

    def boxes(
        self,
        document: DocumentId,
        principal: Principal,
        version: int | None,
        page_no: int,
        spans: Sequence[tuple[int, int]],
    ) -> list[list[Box]]:
        if self.document(document).summary.media_type != "application/pdf":
            return [[] for _ in spans]
        text = self.page(document, principal, version, page_no).text
        return [typed_page.boxes(text, start, end) for start, end in spans]

    def words(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> list[tuple[str, Box]]:
        return typed_page.words(self.page(document, principal, version, page_no).text)

    def original(
        self, document: DocumentId, principal: Principal = LOCAL_ADMIN, version: int | None = None
    ) -> OriginalFile:
        found = self.document(document, principal, version)
        path = self.settings.home / f"{document}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\f".join(page.text for page in found.pages))
        return OriginalFile(path, Path(found.summary.source).name, found.summary.media_type)

    def search(self, query: SearchQuery, principal: Principal = LOCAL_ADMIN) -> SearchReport:
        found = quoted_answer.find(self._documents.values(), query.text, query.buckets)
        wanted = [one for one in found if not query.documents or one.document.id in query.documents]
        return SearchReport(
            tuple(quoted_answer.hit(one, n) for n, one in enumerate(wanted[: query.top_k], 1))
        )

    def inspect(self, query: SearchQuery, principal: Principal = LOCAL_ADMIN) -> SearchInspection:
        return lists_of_words.inspect(self.search(query, principal).hits, query, self.server_reason)

    def stream(
        self,
        question: Question | str,
        principal: Principal = LOCAL_ADMIN,
        *,
        handle: object = None,
        **options: Any,
    ) -> Iterator[Event]:
        asked = Question(question, principal, **options) if isinstance(question, str) else question
        question, buckets = asked.text, asked.buckets
        trace = f"x{next(self._ids)}"
        events: list[Event] = [
            StageStarted(at_ms=0, stage="plan", label="Planning"),
            StageFinished(at_ms=3, stage="plan", label="Planned", latency_ms=3, source="rules", counts={}),
            StageStarted(at_ms=3, stage="retrieve", label=f"Searching {len(self._documents)} documents"),
        ]
        yield from events
        if self.gate:
            self.gate.wait(20)
        found = quoted_answer.find(self._documents.values(), question, buckets)
        answer = quoted_answer.answer(question, trace, self._version, found)
        rest: list[Event] = [
            StageFinished(
                at_ms=15,
                stage="retrieve",
                label=f"Searched {len(self._documents)} documents",
                latency_ms=12,
                source="embedded",
                counts={"passages": len(found)},
            )
        ]
        rest += [ClaimAdded(at_ms=20, index=i, claim=claim) for i, claim in enumerate(answer.claims)]
        last = Finished(at_ms=31, answer=answer)
        self._traces[trace] = Trace(
            trace_id=trace,
            question=question,
            user=principal.user,
            started_at=NOW.isoformat(),
            events=(*events, *rest, last),
        )
        yield from (*rest, Answered(at_ms=31, answer=answer), last)

    def trace(self, trace: TraceId, principal: Principal = LOCAL_ADMIN) -> Trace:
        if trace not in self._traces:
            raise NotFoundError(f"No trace {trace!r}.")
        return self._traces[trace]


def _sort_key(summary: DocumentSummary, order: DocumentOrder) -> Any:
    if order is DocumentOrder.NAME:
        return f"{summary.title} {summary.source}".casefold()
    return getattr(summary, order.value)
