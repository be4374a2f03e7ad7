"""Read: documents in full, or their sections under a heading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.domain.document import PAGE_DETAILS, Page
from core.domain.ids import DocumentId
from core.domain.results import PassageHit, Passages, Result
from core.errors import NotFoundError, UsageError
from core.plan.ir.nodes import Read
from core.plan.operators.base import OperatorParts, runs, scope_of, sets_of

MOST_PAGES = 1_000


@runs(Read)
def read(node: Read, inputs: Mapping[str, Result], parts: OperatorParts) -> Passages:
    """The text, page by page; not exhaustive where there is more than MOST_PAGES pages of it."""
    hits: list[PassageHit] = []
    wanted = " ".join(node.section.split()).casefold()
    for id in _documents(node, inputs, parts):
        try:
            found = parts.records.documents.version(DocumentId(id), None, parts.visible)
        except NotFoundError:
            continue
        version = found.summary.version
        for page, start, end in _sections(found.pages, wanted):
            if len(hits) == MOST_PAGES:
                return Passages(hits=tuple(hits), is_exhaustive=False)
            hits.append(
                PassageHit(
                    passage=0,
                    document=id,
                    version=version,
                    page=page.page_no,
                    start=start,
                    end=end,
                    text=page.text[start:end],
                    score=1.0,
                    index="pages",
                    method="read",
                )
            )
    return Passages(hits=tuple(hits), is_exhaustive=True)


def _documents(node: Read, inputs: Mapping[str, Result], parts: OperatorParts) -> list[str]:
    found = sets_of(inputs[name] for name in node.inputs)
    if found is not None:
        return list(found.order) or sorted(found.present)
    if node.scope.documents:
        return list(node.scope.documents)
    if not (node.scope.buckets or node.scope.schema_name):
        raise UsageError("There is nothing to read.", next_step="Name a document, or connect what finds one.")
    return sorted(parts.records.judging.judge(parts.visible, scope_of(node), (), parts.asking).present)


def _sections(pages: tuple[Page, ...], wanted: str) -> Iterator[tuple[Page, int, int]]:
    """Pages whole, or from a heading that says `wanted` up to the next one as high.

    What a web page declares about itself is no text of it; its fields state it.
    """
    level = 0  # of the section that goes on; 0 where none does
    for page in pages:
        if page.label == PAGE_DETAILS:
            continue
        if not wanted:
            if page.text.strip():
                yield page, 0, len(page.text)
            continue
        start = 0
        for heading in sorted(page.headings, key=lambda each: each.start):
            if level and heading.level <= level:
                yield from _part(page, start, heading.start)
                level = 0
            if not level and wanted in " ".join(heading.text.split()).casefold():
                level, start = max(heading.level, 1), heading.start
        if level:
            yield from _part(page, start, len(page.text))


def _part(page: Page, start: int, end: int) -> Iterator[tuple[Page, int, int]]:
    if page.text[start:end].strip():
        yield page, start, end
