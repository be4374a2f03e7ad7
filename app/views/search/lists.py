"""The lists of a search side by side: what each passage scored, and where it stands in the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from app.components import mounts
from core.domain.search import InspectedList, InspectedPassage, InspectedTerm

TEXT = 360  # characters of a passage that a list shows


@dataclass(frozen=True, slots=True)
class Column:
    """One list. by: keyword, meaning or fused; note: what stands in place of entries where there are none."""

    title: str
    says: str
    by: str
    found: InspectedList
    note: str


def draw_lists(columns: Sequence[Column], terms: Sequence[InspectedTerm], mode: str, alpha: float) -> None:
    """The words that were looked for, and the columns."""
    mounts.search(
        key="search-lists",
        data={
            "mode": mode,
            "alpha": alpha,
            "terms": [
                {"term": t.term, "weight": t.weight, "idf": round(t.idf, 2), "name": t.is_of_name}
                for t in terms
            ],
            "columns": [
                {
                    "title": column.title,
                    "says": column.says,
                    "by": column.by,
                    "total": column.found.total,
                    "note": column.note,
                    "entries": [_entry(entry) for entry in column.found.entries],
                }
                for column in columns
            ],
        },
    )


def _entry(entry: InspectedPassage) -> dict[str, Any]:
    place = {
        "document": entry.document,
        "version": str(entry.version),
        "page": str(entry.page),
        "start": str(entry.start),
        "end": str(entry.end),
    }
    return {
        "id": entry.passage,
        "rank": entry.rank,
        "title": entry.title or entry.source,
        "source": entry.source,
        "page": entry.page,
        "section": " › ".join(entry.section),
        "text": entry.text[:TEXT] + ("…" if len(entry.text) > TEXT else ""),
        "score": entry.score,
        "keyword": entry.keyword,
        "cosine": entry.cosine,
        "sentence": entry.sentence_cosine,
        "ranks": {"keyword": entry.keyword_rank, "meaning": entry.meaning_rank, "fused": entry.fused_rank},
        "parts": [entry.named_part, entry.meaning_part, entry.keyword_part],
        "full": entry.full_match,
        "href": f"documents?{urlencode(place)}",
    }
