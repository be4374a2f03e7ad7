"""The JSON of everything but answers: one vocabulary for the command line and the API.

Ids are opaque strings, offsets are 0-based characters into a page's text, pages count from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from core.domain.answer import SCHEMA
from core.domain.document import DocumentSummary, DocumentVersion
from core.domain.job import IngestItem, IngestReport, Job
from core.domain.reading import confidence_in
from core.domain.search import SearchHit, SearchReport


def envelope(**values: Any) -> dict[str, Any]:
    """A JSON document of this interface, with its schema number first."""
    return {"schema": SCHEMA, **values}


def hit_json(hit: SearchHit) -> dict[str, Any]:
    """One search hit."""
    return {
        "rank": hit.rank,
        "score": hit.score,
        "index": hit.index,
        "document": hit.document,
        "title": hit.title,
        "source": hit.source,
        "bucket": hit.bucket,
        "version": hit.version,
        "page": hit.page,
        "start": hit.start,
        "end": hit.end,
        "text": hit.text,
        "section": list(hit.section),
        "scores": {
            "keyword": hit.keyword,
            "semantic": hit.cosine,
            "best_sentence": hit.sentence_cosine,
        },
    }


def search_json(report: SearchReport) -> dict[str, Any]:
    """JSON of a search."""
    return envelope(
        hits=[hit_json(hit) for hit in report.hits],
        named_documents=list(report.named_documents),
        degradations=[item.model_dump() for item in report.degradations],
    )


def summary_json(summary: DocumentSummary) -> dict[str, Any]:
    """A row of the documents list."""
    return {
        "id": summary.id,
        "title": summary.title,
        "name": summary.name,
        "source": summary.source,
        "bucket": summary.bucket,
        "status": summary.status.value,
        "reason": summary.note,
        "version": summary.version,
        "doc_type": summary.doc_type,
        "language": summary.language,
        "acl": list(summary.acl),
        "pages": summary.pages,
        "passages": summary.passages,
        "size_bytes": summary.size_bytes,
        "updated_at": summary.updated_at.isoformat(),
    }


def document_json(document: DocumentVersion) -> dict[str, Any]:
    """A document with the text of all its pages. read_by: null where the file itself holds the text."""
    summary, read = document.summary, confidence_in(document.metadata)
    return envelope(
        id=summary.id,
        title=summary.title,
        name=summary.name,
        source=summary.source,
        bucket=summary.bucket,
        version=document.version,
        doc_type=summary.doc_type,
        language=summary.language,
        acl=list(summary.acl),
        status=summary.status.value,
        reason=summary.reason,
        pages=[{"page": page.page_no, "text": page.text} for page in document.pages],
        images=[link.target for link in document.links if link.kind == "image"],
        pdfs=[link.target for link in document.links if link.kind == "pdf"],
        fields=[],
        read_by=None if read is None else {"method": "ocr", "confidence": read},
    )


def item_json(item: IngestItem) -> dict[str, Any]:
    """JSON of one ingested input."""
    return {
        "id": item.document,
        "source": item.source,
        "title": item.title,
        "bucket": item.bucket,
        "status": item.outcome.value,
        "reason": item.reason,
        "pages": item.pages,
        "passages": item.passages,
    }


def ingest_json(report: IngestReport) -> dict[str, Any]:
    """JSON of one ingest with all its inputs."""
    return envelope(
        job=report.job,
        documents=[item_json(item) for item in report.items],
        counts=report.counts,
        seconds=round(report.seconds, 3),
    )


def job_json(job: Job) -> dict[str, Any]:
    """A job's progress."""
    return {
        "id": job.id,
        "kind": job.kind,
        "title": job.title,
        "state": job.state.value,
        "done": job.done,
        "total": job.total,
        "rate": job.rate,
        "eta_s": job.eta_s,
        "last_item": job.last_item,
        "current": asdict(job.current) if job.current else None,
        "error": job.error,
        "created_at": job.created_at.isoformat(),
        "updated_at": job.updated_at.isoformat(),
    }


def job_detail_json(job: Job, items: Iterable[IngestItem]) -> dict[str, Any]:
    """A job with what it did to each input."""
    return envelope(**job_json(job), items=[item_json(item) for item in items])


def error_json(message: str, code: str | None, next_step: str) -> dict[str, Any]:
    """An error as a program reads it."""
    return envelope(error={"code": code, "message": message, "next_step": next_step})
