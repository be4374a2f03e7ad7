"""A document as extraction sees it, one text with the way from its offsets to pages; what is asked of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from zlib import crc32

from core.config.fields import FieldDefinition, Schema
from core.config.schema_store import GENERIC, fingerprint
from core.domain.document import PAGE_DETAILS, Page
from core.domain.fields import (
    DEFAULT_LEVEL,
    AnnotationRow,
    Candidate,
    CellStatus,
    FieldType,
    Finding,
    PromiseLevel,
    Quote,
)
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.text.marks import blanked, chosen

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DocumentText:
    """One version of a document, from what records hold of it.

    rows: its tables and key-value lines, where they were read already. text: the pages' texts joined by a
    line feed, deletions, comments and what is not ticked blank; every offset that extraction computes with
    points into it.
    """

    document: DocumentId
    version: int
    bucket: str
    title: str
    source: str
    doc_type: str
    media_type: str
    language: str
    pages: tuple[Page, ...]
    rows: tuple[AnnotationRow, ...] = ()
    text: str = field(init=False, repr=False, compare=False)
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Where each of `pages` begins in `text`."""
    _made: dict[Any, Any] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        starts: list[int] = []
        at = 0
        for page in self.pages:
            starts.append(at)
            at += len(page.text) + 1
        object.__setattr__(self, "starts", tuple(starts))
        object.__setattr__(self, "text", "\n".join(chosen(blanked(page.text)) for page in self.pages))

    def once(self, make: Callable[[DocumentText], T]) -> T:
        """What `make` gives of this document, made when it is first asked for; for one thread."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    @property
    def is_readable(self) -> bool:
        """True where any page holds a character that can be read."""
        return bool(self.text) and not self.text.isspace()

    @property
    def content_end(self) -> int:
        """Offset at which what readers see ends: what a web page declares about itself stands behind it."""
        for page, begin in zip(self.pages, self.starts, strict=True):
            if page.label == PAGE_DETAILS:
                return max(0, begin - 1)
        return len(self.text)

    def page_at(self, offset: int) -> Page:
        """The page that `offset` lies on; the line feed between two pages belongs to the first."""
        return self.pages[max(0, bisect_right(self.starts, offset) - 1)]

    def offset(self, page_no: int, start: int) -> int:
        """Position in `text` of character `start` of page `page_no`. Raises KeyError for an unknown page."""
        for page, begin in zip(self.pages, self.starts, strict=True):
            if page.page_no == page_no:
                return begin + start
        raise KeyError(page_no)

    def span(self, quote: Quote) -> tuple[int, int]:
        """The offsets in `text` that `quote` was made from."""
        start = self.offset(quote.span.page_no, quote.span.start)
        return start, start + quote.span.end - quote.span.start

    def quote(self, start: int, end: int) -> Quote:
        """Characters [start, end) of `text` as a span of one page, without white space at its ends.

        A span that crosses pages is cut at the end of the first page that it says anything on.
        """
        end = min(end, len(self.text))
        while start < end and self.text[start].isspace():
            start += 1
        index = max(0, bisect_right(self.starts, start) - 1)
        page, begin = self.pages[index], self.starts[index]
        end = min(end, begin + len(page.text))
        while end > start and self.text[end - 1].isspace():
            end -= 1
        end = max(start, end)
        span = PageSpan(page.page_no, start - begin, end - begin)
        return Quote(span, page.text[span.start : span.end])


def uncertain(
    confidence: float, method: str, candidates: Sequence[Candidate] = (), note: str = ""
) -> Finding:
    """What a person should look at."""
    return Finding(CellStatus.UNCERTAIN, (), (), confidence, method, tuple(candidates), note)


Rule = Callable[[DocumentText], Finding]
"""A way to find what one field asks for, by the name that schemas use."""

_FIRST_TYPES = frozenset({FieldType.PARTY, FieldType.DATE})
_SLOW = frozenset({"head", "semantic", "words"})


def head_of(definition: FieldDefinition) -> str:
    """The clause head that a field asks; "" for none."""
    return next((each.head for each in definition.extractors if each.method == "head"), "")


def opening_fields(schema: Schema) -> tuple[str, ...]:
    """Names of the fields of a schema that are read first: names, parties and dates that rules find.

    By them a document is recognised and put in time, and they need neither the clause heads nor any vectors:
    over contracts they take about a third of the time of all fields.
    """
    return tuple(each.name for each in schema.fields if _is_opening(each))


def _is_opening(definition: FieldDefinition) -> bool:
    if not definition.extractors or any(each.method in _SLOW for each in definition.extractors):
        return False
    is_name = any(each.method == "rule" and each.rule == "document_name" for each in definition.extractors)
    return definition.type in _FIRST_TYPES or is_name


EXTRACTION_VERSION = 11
"""Rises when the same text may give other findings: documents are then extracted anew."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """absent if p < absent_below, present if p >= present_from, else uncertain.

    present_from above 1: never decided present. why: the sentence that a cell says then.
    """

    absent_below: float = 0.05
    present_from: float = 0.90
    why: str = ""


@dataclass(frozen=True, slots=True)
class Definitions:
    """Everything that decides what is found in a text. Can be pickled.

    schemas: all that there are. thresholds: by bucket and field, where an admin moved them. levels: promise
    levels by bucket, where not the default. model: the id of
    retrained clause heads, "" for the shipped ones; artefact: their bytes, empty for the shipped ones.
    word_heads: by schema and field in words the text of its own head.
    """

    schemas: tuple[Schema, ...]
    thresholds: Mapping[str, Mapping[str, Thresholds]] = field(default_factory=dict)
    model: str = ""
    artefact: bytes = b""
    levels: Mapping[str, PromiseLevel] = field(default_factory=dict)
    word_heads: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def level(self, bucket: str) -> PromiseLevel:
        """The promise level by which a bucket's clauses are decided."""
        return self.levels.get(bucket, DEFAULT_LEVEL)

    def schema(self, name: str) -> Schema | None:
        """The schema of that name; None where there is none."""
        return next((each for each in self.schemas if each.name == name), None)

    def of_bucket(self, bucket: str) -> Schema | None:
        """The schema of all documents of a bucket, as SchemaStore tells; None where each is looked at."""
        wanted = bucket.strip().lower()
        claims = (each for each in self.schemas if wanted in (name.lower() for name in each.buckets))
        return next(claims, None) or self.schema(wanted)

    def possible(self, bucket: str) -> tuple[Schema, ...]:
        """The schemas that documents of a bucket may have."""
        chosen = self.of_bucket(bucket)
        return self.schemas if chosen is None else (chosen,)

    def generic(self, bucket: str) -> Schema:
        """The schema of a document of the bucket whose text tells nothing."""
        possible = self.possible(bucket)
        return next((each for each in possible if each.name == GENERIC), possible[0])

    def need_vectors(self, bucket: str, fields: tuple[str, ...]) -> bool:
        """True where any of these fields of the bucket's documents is found by meaning."""
        return any(
            extractor.method in ("semantic", "words")
            for schema in self.possible(bucket)
            for each in schema.fields
            if each.name in fields
            for extractor in each.extractors
        )

    def fingerprint(self, bucket: str) -> str:
        """Differs wherever documents of this bucket may have to be extracted again."""
        moved = [
            f"{name} {each.absent_below} {each.present_from}"
            for name, each in sorted(self.thresholds.get(bucket, {}).items())
        ]
        if self.level(bucket) is not DEFAULT_LEVEL:
            moved.append(self.level(bucket).value)
        possible = self.possible(bucket)
        words = [" ".join(each.recognise) for each in possible] if len(possible) > 1 else []
        known = [fingerprint(each) for each in possible]
        for schema in possible:
            heads = self.word_heads.get(schema.name, {})
            moved += [f"{schema.name} {name} {crc32(heads[name].encode())}" for name in sorted(heads)]
        return fingerprint(possible[0], str(EXTRACTION_VERSION), self.model, *known, *words, *moved)
