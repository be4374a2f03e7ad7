"""Numbers, sizes, times and dates as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from core.domain.document import DocumentStatus, DocumentSummary, IngestOutcome, PartState, confidence_in
from core.domain.job import IngestItem, JobState

STATUS = {
    DocumentStatus.READY: "● Ready",
    DocumentStatus.UNREADABLE: "▲ Unreadable",
    DocumentStatus.FAILED: "■ Failed",
    DocumentStatus.GONE: "○ Gone",
}
WITH_GAPS = "◐ With gaps"
OUTCOME = {
    IngestOutcome.READY: "● Ready",
    IngestOutcome.UPDATED: "● New version",
    IngestOutcome.UNCHANGED: "○ Unchanged",
    IngestOutcome.UNREADABLE: "▲ Unreadable",
    IngestOutcome.FAILED: "■ Failed",
}
PART_STATE = {
    PartState.UNREAD: "◐ Not read",
    PartState.LEFT_OUT: "○ Left out",
    PartState.READ: "● Read",
}
CANCELLING = "○ Cancelling"
JOB = {
    JobState.QUEUED: "○ Waiting",
    JobState.RUNNING: "● Running",
    JobState.DONE: "● Done",
    JobState.PARTIAL: "◆ Done, some failed",
    JobState.FAILED: "■ Failed",
    JobState.CANCELLED: "○ Cancelled",
}


def state_of(summary: DocumentSummary) -> str:
    """The state of a document with its sign; one that is ready and has parts that were not read says so."""
    has_gaps = summary.gaps and summary.status is DocumentStatus.READY
    return WITH_GAPS if has_gaps else STATUS[summary.status]


def outcome_of(item: IngestItem) -> str:
    """What came of a file, with its sign; one that is read and has parts that were not read says so."""
    said = OUTCOME[item.outcome]
    if not item.gaps or item.outcome in (IngestOutcome.FAILED, IngestOutcome.UNREADABLE):
        return said
    return WITH_GAPS if item.outcome is IngestOutcome.READY else f"◐ {said[2:]}, with gaps"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 document`, `1,204 documents`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(size_bytes: int) -> str:
    """`812 B`, `14 KB`, `3.2 MB`."""
    value, unit = float(size_bytes), "B"
    for larger in ("KB", "MB", "GB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:,.0f} {unit}" if value >= 10 or unit == "B" else f"{value:.1f} {unit}"


def duration(seconds: float) -> str:
    """`0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def brief(text: str, length: int) -> str:
    """The text in one line, cut to so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def date(moment: datetime) -> str:
    """`3 Oct 2024`."""
    return f"{moment.day} {moment:%b %Y}"


def read_by(metadata: Mapping[str, str]) -> str:
    """`read by OCR, 96 % sure` of a version that was read off page images, "" of any other."""
    sure = confidence_in(metadata)
    return "" if sure is None else f"read by OCR, {sure:.0%} sure".replace("%", " %")


def language(code: str) -> str:
    """The name of the commonest languages, the code of others, "unknown" for none."""
    names = {
        "en": "English",
        "de": "German",
        "fr": "French",
        "es": "Spanish",
        "it": "Italian",
        "pt": "Portuguese",
        "nl": "Dutch",
        "pl": "Polish",
        "ja": "Japanese",
        "zh": "Chinese",
    }
    return names.get(code, code or "unknown")
