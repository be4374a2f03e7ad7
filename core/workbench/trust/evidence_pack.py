"""Evidence packs: an answer with all that it rests on, as a ZIP that opens without Groundwork."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from core.domain.answer import LEDGER_PARTS, Answer, Citation
from core.domain.event import Trace
from core.domain.ids import DocumentId, TraceId
from core.domain.trust.deed import AuditEntry, AuditQuery
from core.errors import GroundworkError
from core.review.evidence_page import EvidencePlace, evidence_page
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.services.documents import DocumentService
from core.workbench.trust.audit_log import ENTRY_HEADS, AuditLogService, entry_line, json_lines, report_json
from core.workbench.trust.files import csv_bytes, new_zip, put_files
from core.workbench.trust.replay import ReplayService

MOST_IMAGES = 200
"""Page images of one pack; further pages are there as text."""

_WIDTH_PX = 1000
_LEDGER_HEADS = ("question", "document", "name", "source", "bucket", "part", "reason")
_CITATION_HEADS = (
    *("n", "document", "title", "source", "version", "page", "start", "end", "quote", "holds", "image"),
)
_README = """Evidence of one answer.

answer.html      the answer with its evidence; open it in any browser, no connection is needed
answer.json      the same as data, as `groundwork ask --json` gives it
plan.json        how it was worked out
ledger.csv       every document in scope, with the part of the ledger that it is in and why
citations.csv    every cited place, and whether the stored version says there what was quoted
evidence/        the cited pages, as images and as text
audit.csv        entries of the audit log about this answer; audit.jsonl: the same as data
audit-check.json what the check of the whole audit chain found when this pack was made
SHA256SUMS       checksums of all other files; check them with: sha256sum -c SHA256SUMS
"""


class EvidencePackService(Service):
    """Packs of one's own answers, and, for reviewers and auditors, of those of others."""

    _replays = cached_property(lambda self: ReplayService(self._parts, self._principal))
    _documents = cached_property(lambda self: DocumentService(self._parts, self._principal))
    _audit_log = cached_property(lambda self: AuditLogService(self._parts, self._principal))

    @recorded("answer.evidence_pack", "trace")
    def write(self, trace: TraceId, file: Path) -> int:
        """Write the pack of an answer to a new file; gives the number of its files.

        Raises NotFoundError, also where the answer rests on documents that this principal may not see, and
        UsageError for a bad place.
        """
        files = self._files(trace)
        with new_zip(file) as archive:
            put_files(archive, files)
        return len(files) + 1

    @recorded("answer.evidence_pack", "trace")
    def data(self, trace: TraceId) -> bytes:
        """The same as bytes, for a download."""
        files, out = self._files(trace), io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            put_files(archive, files)
        return out.getvalue()

    def _files(self, trace: TraceId) -> dict[str, bytes]:
        kept, answer = self._replays.answer_of(trace)
        entries = self._entries(kept)
        images: dict[str, bytes] = {}
        places = [self._place(each, images) for each in _citations(answer)]
        check, chain = self._chain()
        files = {
            "answer.json": _json(answer.model_dump(mode="json", by_alias=True)),
            "plan.json": _json([each.plan for each in (answer, *answer.parts) if each.plan]),
            "ledger.csv": self._ledger(answer),
            "citations.csv": _citation_lines(places),
            "audit.jsonl": json_lines(entries),
            "audit.csv": csv_bytes(ENTRY_HEADS, map(entry_line, entries)),
            "audit-check.json": _json(check),
            "README.txt": _README.encode(),
            **images,
        }
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        page = evidence_page(
            answer,
            places,
            asker=kept.user,
            asked_at=kept.started_at,
            made=f"Made by {self._principal.user}, {now}, with Groundwork.",
            chain=chain,
            audit=entries,
            files=sorted(name for name in files if not name.startswith("evidence/")),
        )
        return {"answer.html": page.encode(), **files}

    def _place(self, place: Citation, images: dict[str, bytes]) -> EvidencePlace:
        """A cited place with its page, whose image and text are added to `images` once."""
        document = DocumentId(place.document)
        stem = hashlib.sha256(f"{place.document} {place.version} {place.page}".encode()).hexdigest()[:12]
        image, text = f"evidence/{stem}.jpg", f"evidence/{stem}.txt"
        try:
            page = self._documents.page(document, place.version, place.page)
        except GroundworkError:
            return EvidencePlace(place, "", (), "", holds=False)
        images.setdefault(text, page.text.encode("utf-8", "replace"))
        holds = page.text[place.start : place.end] == place.quote
        if image not in images and sum(name.endswith(".jpg") for name in images) < MOST_IMAGES:
            try:
                drawn = self._documents.page_image(document, place.version, place.page, _WIDTH_PX)
            except GroundworkError:
                drawn = None
            if drawn is not None:
                images[image] = drawn
        if image not in images:
            return EvidencePlace(place, "", (), page.text, holds=holds)
        try:
            spans = [(place.start, place.end)] if place.end > place.start else []
            boxes = self._documents.boxes(document, place.version, place.page, spans)
        except GroundworkError:
            boxes = []
        return EvidencePlace(place, image, tuple(boxes[0]) if boxes else (), page.text, holds=holds)

    def _entries(self, trace: Trace) -> list[AuditEntry]:
        """Entries about the answer that this principal may see, the oldest first."""
        about = [*self._audit_log.every(AuditQuery(trace=trace.trace_id))]
        about += self._audit_log.every(AuditQuery(subject=trace.trace_id))
        return sorted({each.sequence: each for each in about}.values(), key=lambda each: each.sequence)

    def _chain(self) -> tuple[Mapping[str, Any], str]:
        if not self._audit_log.sees_all:
            said = "The audit chain was not checked: that takes the role compliance_officer."
            return {"ok": None, "text": said}, said
        report = self._audit_log.verify()
        return report_json(report), report.text

    def _ledger(self, answer: Answer) -> bytes:
        rows: list[list[str]] = []
        for each in (answer, *answer.parts):
            ledger = each.ledger
            if ledger is None:
                continue
            for part in LEDGER_PARTS:
                ids = [DocumentId(id) for id in getattr(ledger.documents, part)]
                known = self._parts.records.documents.get_many(ids, self._openable)
                for id in ids:
                    found = known.get(id)
                    names = [found.name, found.source, found.bucket] if found is not None else ["", "", ""]
                    rows.append([each.question, id, *names, part, ledger.reasons.get(id, "")])
        return csv_bytes(_LEDGER_HEADS, rows)


def _citations(answer: Answer) -> Sequence[Citation]:
    return [place for each in (answer, *answer.parts) for place in each.citations]


def _citation_lines(places: Sequence[EvidencePlace]) -> bytes:
    rows: list[list[Any]] = []
    for each in places:
        at = each.citation
        place = [at.n, at.document, at.title, at.source, at.version, at.page, at.start, at.end, at.quote]
        rows.append([*place, "yes" if each.holds else "no", each.image])
    return csv_bytes(_CITATION_HEADS, rows)


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode()
