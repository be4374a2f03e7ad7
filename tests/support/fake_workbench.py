"""A workbench in memory with the facade's exact calls: real behaviour over a handful of documents, no files.

Answers are quoted sentences of the documents that share words with the question; `gate`, where given, is
waited on before the first claim, so that a test decides when a running answer goes on.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from core.config.models import Settings
from core.domain.answer import (
    Answer,
    Check,
    Citation,
    Claim,
    ConfidenceLabel,
    Kind,
    NearPassage,
    Route,
    Source,
    Status,
    Verdict,
)
from core.domain.conversation import Conversation, Turn, TurnState
from core.domain.document import DocumentStatus, DocumentSummary, DocumentVersion, IngestOutcome, Page
from core.domain.event import ClaimAdded, Event, Finished, StageFinished, StageStarted, Trace
from core.domain.ids import (
    ContentHash,
    ConversationId,
    DocumentId,
    JobId,
    PassageId,
    TraceId,
    TurnId,
    document_id,
)
from core.domain.job import IngestItem, Job, JobState
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.search import SearchHit, SearchQuery, SearchReport
from core.domain.span import Box
from core.errors import JobError, NotFoundError
from core.records.base import BucketSummary, DocumentOrder
from core.workbench.status import WorkbenchStatus

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
LINE_CHARS, LINES = 80, 50
SAMPLES = (
    (
        "contracts",
        "acme-master-services.pdf",
        "ACME Master Services Agreement",
        "application/pdf",
        [
            "MASTER SERVICES AGREEMENT\n\n"
            "This agreement is made between ACME Corporation and Nordwind Logistics.\n"
            "The term begins on 1 October 2024 and runs for three years.",
            "9. Termination\n\n"
            "Either party may terminate this agreement for convenience on ninety days written notice.\n"
            "The total liability of ACME under this agreement shall not exceed $750,000 per incident.\n"
            "11. Governing law\n\nThis agreement is governed by the laws of Delaware.",
        ],
    ),
    (
        "datasheets",
        "alphasolar-as-410.md",
        "AlphaSolar AS-410 datasheet",
        "text/markdown",
        [
            "# AlphaSolar AS-410\n\nRated power 410 W.\nThe minimum panel width is 1,038 mm.\n"
            + "Filler line of the datasheet.\n" * 900
            + "The warranty runs for 25 years.\n"
        ],
    ),
    (
        "manuals",
        "battery-b-120.pdf",
        "Battery cabinet B-120 manual",
        "application/pdf",
        [
            "Battery cabinet B-120\n\n"
            "Maintenance steps: disconnect the load, check the terminals, clean the filter.",
            "Page two of the manual speaks of storage.",
        ],
    ),
    ("contracts", "old-scan.pdf", "old-scan", "application/pdf", [""]),
)


class Gate(Protocol):
    """What a running answer waits for: a threading.Event, or a FileGate across processes."""

    def wait(self, timeout: float | None = None) -> object: ...


class FileGate:
    """Opens when another process writes to the named pipe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)

    def wait(self, timeout: float | None = None) -> object:
        return self._path.read_text()


class FakeWorkbench:
    """See the module. `documents=0` gives an empty collection."""

    def __init__(self, home: Path, *, samples: bool = True, gate: Gate | None = None) -> None:
        self.settings = Settings(home=home)
        self.gate = gate
        self.closed = False
        self._ids = itertools.count(1)
        self._lock = threading.RLock()
        self._documents: dict[DocumentId, DocumentVersion] = {}
        self._conversations: dict[ConversationId, Conversation] = {}
        self._turns: dict[TurnId, Turn] = {}
        self._traces: dict[str, Trace] = {}
        self._jobs: dict[JobId, Job] = {}
        self._items: dict[JobId, list[IngestItem]] = {}
        self._version = 0
        if samples:
            for sample in SAMPLES:
                self._add(*sample)

    def _add(self, bucket: str, source: str, title: str, media_type: str, pages: list[str]) -> DocumentId:
        readable = any(pages)
        found = document_id(bucket, source)
        self._version += 1
        summary = DocumentSummary(
            id=found,
            bucket=bucket,
            source=source,
            title=title,
            status=DocumentStatus.READY if readable else DocumentStatus.UNREADABLE,
            reason=""
            if readable
            else "The pages are pictures without text: run text recognition and add it again.",
            version=1,
            doc_type="",
            media_type=media_type,
            language="en" if readable else "",
            acl=(),
            pages=len(pages),
            passages=len(pages) if readable else 0,
            size_bytes=sum(map(len, pages)) + 900,
            content_hash=ContentHash(f"{self._version:064x}"),
            updated_at=NOW - timedelta(days=self._version),
        )
        numbered = tuple(Page(number, text) for number, text in enumerate(pages, 1))
        self._documents[found] = DocumentVersion(summary, 1, numbered, ())
        return found

    def close(self) -> None:
        self.closed = True

    def data_version(self) -> int:
        return self._version

    def status(self, principal: Principal = LOCAL_ADMIN) -> WorkbenchStatus:
        passages = sum(d.summary.passages for d in self._documents.values())
        running = sum(not job.state.is_ended for job in self._jobs.values())
        return WorkbenchStatus(
            engine="embedded",
            encoder="all-MiniLM-L6-v2",
            mode="offline",
            data_version=self._version,
            index_version=self._version,
            documents=len(self._documents),
            passages=passages,
            index_passages=passages,
            running_jobs=running,
            worker_alive=True,
            home=str(self.settings.home),
        )

    def warm(self) -> None:
        self.data_version()

    def starters(self) -> list[str]:
        return (
            ["What is the minimum panel width for AlphaSolar models?", "Which law governs the agreement?"]
            if self._documents
            else []
        )

    # Write side

    def submit_sample(self, principal: Principal = LOCAL_ADMIN) -> JobId:
        for sample in SAMPLES:
            self._add(*sample)
        return self._job("Sample collection", [])

    def submit_ingest(
        self,
        paths: Iterable[Path | str],
        *,
        bucket: str = "default",
        acl: Iterable[str] = (),
        title: str = "",
        names: Sequence[str] | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> JobId:
        items = []
        given = [Path(path) for path in paths]
        named = zip(given, names or map(str, given), strict=True)
        files = [
            (f, str(name / f.relative_to(p)))
            for p, name in ((p, Path(n)) for p, n in named)
            for f in (sorted(p.rglob("*")) if p.is_dir() else [p])
            if f.is_file()
        ]
        for path, source in files:
            text = path.read_text(errors="replace")
            found = self._add(bucket, source, path.stem, "text/plain", [text])
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

    # Documents

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
    ) -> list[DocumentSummary]:
        found = [
            d.summary
            for d in self._documents.values()
            if (not bucket or d.summary.bucket == bucket)
            and (not status or d.summary.status == status)
            and text.lower() in f"{d.summary.title} {d.summary.source}".lower()
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
    ) -> int:
        return len(self.documents(principal, bucket=bucket, status=status, text=text))

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
        from PIL import Image, ImageDraw, ImageFont

        if self.document(document).summary.media_type != "application/pdf":
            return None
        text = self.page(document, principal, version, page_no).text
        image = Image.new("RGB", (width_px, int(width_px * 1.414)), "white")
        draw, font = ImageDraw.Draw(image), ImageFont.truetype("DejaVuSansMono.ttf", int(width_px * 0.0165))
        for start, end, box in _lines(text):
            draw.text((box.x0 * image.width, box.y0 * image.height), text[start:end], "black", font=font)
        out = io.BytesIO()
        image.save(out, "JPEG", quality=82)
        return out.getvalue()

    def page_size(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> tuple[float, float] | None:
        return (595.0, 841.0) if self.document(document).summary.media_type == "application/pdf" else None

    def boxes(
        self,
        document: DocumentId,
        principal: Principal,
        version: int | None,
        page_no: int,
        start: int,
        end: int,
    ) -> list[Box]:
        if self.document(document).summary.media_type != "application/pdf":
            return []
        text = self.page(document, principal, version, page_no).text
        return [
            _part(line, box, max(start, line), min(end, stop))
            for line, stop, box in _lines(text)
            if start < stop and end > line
        ]

    def words(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> list[tuple[str, Box]]:
        text = self.page(document, principal, version, page_no).text
        return [
            (match.group(), _part(start, box, start + match.start(), start + match.end()))
            for start, end, box in _lines(text)
            for match in re.finditer(r"\S+", text[start:end])
        ]

    def original(
        self, document: DocumentId, principal: Principal = LOCAL_ADMIN, version: int | None = None
    ) -> tuple[Path, str, str]:
        found = self.document(document, principal, version)
        path = self.settings.home / f"{document}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\f".join(page.text for page in found.pages))
        return path, Path(found.summary.source).name, found.summary.media_type

    # Read side

    def search(self, query: SearchQuery, principal: Principal = LOCAL_ADMIN) -> SearchReport:
        hits = []
        for score, document, page, start, end in self._sentences(query.text, query.buckets):
            if query.documents and document.summary.id not in query.documents:
                continue
            s = document.summary
            hits.append(
                SearchHit(
                    len(hits) + 1,
                    score,
                    "passages",
                    PassageId(len(hits) + 1),
                    s.id,
                    1,
                    s.title,
                    s.source,
                    s.bucket,
                    page.page_no,
                    start,
                    end,
                    page.text[start:end],
                    ("Terms",),
                    7.2,
                    0.61,
                    0.7,
                )
            )
        return SearchReport(tuple(hits[: query.top_k]))

    def _sentences(
        self, question: str, buckets: Sequence[str]
    ) -> list[tuple[float, DocumentVersion, Page, int, int]]:
        words = {w for w in re.findall(r"\w+", question.lower()) if len(w) > 3}
        found = []
        for document in self._documents.values():
            if buckets and document.summary.bucket not in buckets:
                continue
            for page in document.pages:
                for match in re.finditer(r"[^.\n]{12,}\.", page.text):
                    shared = words & set(re.findall(r"\w+", match.group().lower()))
                    if shared:
                        start = match.start() + len(match.group()) - len(match.group().lstrip())
                        found.append((len(shared) / len(words), document, page, start, match.end()))
        return sorted(found, key=lambda f: -f[0])

    def stream(
        self,
        question: str,
        principal: Principal = LOCAL_ADMIN,
        *,
        buckets: Sequence[str] = (),
        conversation: ConversationId | None = None,
        history: Sequence[Turn] = (),
    ) -> Iterator[Event]:
        trace = f"x{next(self._ids)}"
        events: list[Event] = [
            StageStarted(at_ms=0, stage="plan", label="Planning"),
            StageFinished(at_ms=3, stage="plan", label="Planned", latency_ms=3, source="rules", counts={}),
            StageStarted(at_ms=3, stage="retrieve", label=f"Searching {len(self._documents)} documents"),
        ]
        yield from events
        if self.gate:
            self.gate.wait(20)
        found = self._sentences(question, buckets)
        answer = self._answer(question, trace, found)
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
        rest.append(Finished(at_ms=31, answer=answer))
        self._traces[trace] = Trace(
            trace_id=trace,
            question=question,
            user=principal.user,
            started_at=NOW.isoformat(),
            events=(*events, *rest),
        )
        yield from rest

    def _answer(
        self, question: str, trace: str, found: list[tuple[float, DocumentVersion, Page, int, int]]
    ) -> Answer:
        base = {
            "question": question,
            "trace_id": trace,
            "data_version": self._version,
            "kind": Kind.LOOKUP,
            "timings_ms": {"plan": 3.0, "retrieve": 12.0, "answer": 9.0, "total": 31.0},
        }
        if question.lower().startswith("hello"):
            return Answer(
                **{**base, "kind": Kind.GENERAL},
                status=Status.ANSWERED,
                route=Route.NONE,
                text="Hello. Ask about your documents.",
            )
        strong = [f for f in found if f[0] >= 0.5][:3]
        if not strong:
            nearest = tuple(
                NearPassage(
                    document=d.summary.id,
                    title=d.summary.title,
                    source=d.summary.source,
                    version=1,
                    page=p.page_no,
                    start=s,
                    end=e,
                    quote=p.text[s:e],
                    score=score,
                )
                for score, d, p, s, e in found[:3]
            )
            return Answer(
                **base,
                status=Status.ABSTAINED,
                route=Route.HYBRID,
                text="No passage states this clearly enough to quote it.",
                nearest=nearest,
                gaps=("No document speaks of it.",),
                follow_ups=("Which law governs the agreement?",),
            )
        citations = [
            Citation(
                n=n,
                document=d.summary.id,
                title=d.summary.title,
                source=d.summary.source,
                version=1,
                page=p.page_no,
                start=s,
                end=e,
                quote=p.text[s:e],
            )
            for n, (_, d, p, s, e) in enumerate(strong, 1)
        ]
        claims = tuple(
            Claim(
                text=f"{c.quote} [{c.n}]",
                verdict=Verdict.SUPPORTED,
                checks=(Check(name="quote", ok=True),),
                citations=(c,),
            )
            for c in citations
        )
        sources = tuple(
            Source(n=c.n, document=c.document, title=c.title, source=c.source, pages=(c.page,))
            for c in citations
        )
        return Answer(
            **base,
            status=Status.ANSWERED,
            route=Route.HYBRID,
            text="\n\n".join(claim.text for claim in claims),
            claims=claims,
            confidence=0.86,
            confidence_label=ConfidenceLabel.HIGH,
            sources=sources,
            follow_ups=(
                "Which law governs the agreement?",
                "How long is the warranty?",
                "When does the term begin?",
            ),
        )

    def trace(self, trace: TraceId, principal: Principal = LOCAL_ADMIN) -> Trace:
        if trace not in self._traces:
            raise NotFoundError(f"No trace {trace!r}.")
        return self._traces[trace]

    # Conversations

    def conversations(self, principal: Principal = LOCAL_ADMIN) -> list[Conversation]:
        return sorted(self._conversations.values(), key=lambda c: c.updated_at, reverse=True)

    def new_conversation(
        self, principal: Principal = LOCAL_ADMIN, buckets: Sequence[str] = ()
    ) -> Conversation:
        found = ConversationId(f"c{next(self._ids)}")
        self._conversations[found] = Conversation(
            found, principal.user, "", tuple(buckets), 0, datetime.now(UTC)
        )
        return self._conversations[found]

    def conversation(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> Conversation:
        if conversation not in self._conversations:
            raise NotFoundError(
                "This conversation is not there.", next_step="Choose one from the list, or begin a new one."
            )
        return self._conversations[conversation]

    def turns(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> list[Turn]:
        self.conversation(conversation)
        return [turn for turn in self._turns.values() if turn.conversation == conversation]

    def rename_conversation(
        self, conversation: ConversationId, title: str, principal: Principal = LOCAL_ADMIN
    ) -> None:
        self._conversations[conversation] = replace(self.conversation(conversation), title=title)

    def scope_conversation(
        self, conversation: ConversationId, buckets: Sequence[str], principal: Principal = LOCAL_ADMIN
    ) -> None:
        self._conversations[conversation] = replace(self.conversation(conversation), buckets=tuple(buckets))

    def delete_conversation(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> None:
        del self._conversations[conversation]

    def start_turn(
        self, conversation: ConversationId, question: str, principal: Principal = LOCAL_ADMIN
    ) -> Turn:
        with self._lock:
            found = self.conversation(conversation)
            turn = Turn(
                TurnId(f"t{next(self._ids)}"),
                conversation,
                found.turns + 1,
                question,
                TurnState.RUNNING,
                None,
                NOW,
            )
            self._turns[turn.id] = turn
            self._conversations[conversation] = replace(
                found, turns=found.turns + 1, title=found.title or question[:80], updated_at=datetime.now(UTC)
            )
            return turn

    def _change_turn(self, turn: TurnId, **changes: object) -> Turn:
        with self._lock:
            self._turns[turn] = replace(self._turns[turn], **changes)
            return self._turns[turn]

    def finish_turn(self, turn: TurnId, answer: Answer, principal: Principal = LOCAL_ADMIN) -> Turn:
        return self._change_turn(turn, answer=answer, state=TurnState.DONE)

    def stop_turn(self, turn: TurnId, principal: Principal = LOCAL_ADMIN) -> Turn:
        return self._change_turn(turn, state=TurnState.STOPPED)

    def give_feedback(self, turn: TurnId, feedback: str, principal: Principal = LOCAL_ADMIN) -> Turn:
        return self._change_turn(turn, feedback=feedback)


def _sort_key(summary: DocumentSummary, order: DocumentOrder) -> Any:
    if order is DocumentOrder.NAME:
        return f"{summary.title} {summary.source}".casefold()
    return getattr(summary, order.value)


def _lines(text: str) -> list[tuple[int, int, Box]]:
    found, at = [], 0
    for line in text.split("\n"):
        for start in range(at, at + max(1, len(line)), LINE_CHARS):
            top = 0.06 + 0.018 * len(found)
            end = min(start + LINE_CHARS, at + len(line))
            found.append((start, end, Box(0.09, top, 0.09 + 0.00993 * (end - start), top + 0.015)))
        at += len(line) + 1
    return found[:LINES]


def _part(line: int, box: Box, start: int, end: int) -> Box:
    return Box(box.x0 + 0.00993 * (start - line), box.y0, box.x0 + 0.00993 * (end - line), box.y1)
