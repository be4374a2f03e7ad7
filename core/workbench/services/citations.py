"""Citations held against their documents as they are now: changed, gone, or the same words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property

from core.domain.answer import QuotedPlace
from core.domain.document import gone_since
from core.domain.evidence.change import EvidenceStanding, EvidenceState, TextComparison
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.domain.value_text import day_text
from core.errors import NotFoundError
from core.store.documents.newer import NewerVersions, NewestVersion
from core.text.paragraph_diff import changed_pairs, holding, paragraphs, paragraphs_of, place_of
from core.workbench.services.base import Service

MOST_CHANGES = 30


class _Texts:
    """Texts of versions, each cut into paragraphs once, however many places are in it."""

    def __init__(self, texts: Mapping[tuple[DocumentId, int], Mapping[int, str]]) -> None:
        self._texts = texts
        self._keys: dict[tuple[DocumentId, int], frozenset[str]] = {}

    def of(self, document: DocumentId, version: int) -> Mapping[int, str]:
        """The pages of a version."""
        return self._texts[document, version]

    def keys(self, document: DocumentId, version: int) -> frozenset[str]:
        """The keys of its paragraphs."""
        found = self._keys.get((document, version))
        if found is None:
            found = frozenset(each.key for each in paragraphs_of(self.of(document, version)))
            self._keys[document, version] = found
        return found


class CitationService(Service):
    """Standing of cited places, and what has changed around them."""

    _newer = cached_property(lambda self: NewerVersions(self._parts.records.database))

    def standings(self, places: Sequence[QuotedPlace]) -> list[EvidenceStanding]:
        """How each place stands now, in their order: one look-up for all, texts only of what has changed."""
        newest = self._newer.newest({DocumentId(each.document) for each in places}, self._visible)
        wanted = {
            (id, version)
            for each in places
            if (id := DocumentId(each.document)) in newest and each.version < newest[id].version
            for version in (each.version, newest[id].version)
        }
        texts = _Texts(self._newer.texts(wanted) if wanted else {})
        return [_standing(each, newest.get(DocumentId(each.document)), texts) for each in places]

    def compare(self, document: DocumentId, version: int, place: PageSpan | None = None) -> TextComparison:
        """Changed paragraphs between a version and the current one, the one with `place` first.

        At most 30, further ones are counted. Raises NotFoundError.
        """
        newest = self._newer.newest([document], self._visible).get(document)
        if newest is None or not 0 < version <= newest.version:
            raise NotFoundError(
                f"There is no version {version} of document {document!r} that you may see.",
                next_step="Look at the list of documents for its id.",
            )
        texts = self._newer.texts({(document, version), (document, newest.version)})
        before = paragraphs_of(texts[document, version])
        cited = holding(before, place) if place is not None else []
        found = changed_pairs(before, paragraphs_of(texts[document, newest.version]), cited)
        shown = tuple(each.change() for each in found[:MOST_CHANGES])
        return TextComparison(version, newest.version, shown, len(found) - len(shown))


def _standing(place: QuotedPlace, newest: NewestVersion | None, texts: _Texts) -> EvidenceStanding:
    document = DocumentId(place.document)
    if newest is None:
        note = "This document is not there any more; the quote is kept as it was cited."
        return EvidenceStanding(document, EvidenceState.REMOVED, place.version, 0, stands=False, note=note)
    if newest.is_gone:
        return EvidenceStanding(
            document,
            EvidenceState.GONE,
            place.version,
            newest.version,
            newest.at,
            stands=False,
            note=gone_since(newest.at, newest.reason),
        )
    if place.version >= newest.version:
        return EvidenceStanding(document, EvidenceState.CURRENT, place.version, newest.version, newest.at)
    now = texts.of(document, newest.version)
    own = texts.of(document, place.version).get(place.page, "")
    stands_at = place_of(place.quote, now, place.page) if place.quote else None
    cited = holding(paragraphs(place.page, own), PageSpan(place.page, place.start, place.end))
    known = texts.keys(document, newest.version)
    is_same = bool(cited) and all(each.key in known for each in cited)
    return EvidenceStanding(
        document,
        EvidenceState.SAME_WORDS if is_same else EvidenceState.CHANGED,
        place.version,
        newest.version,
        newest.at,
        stands=stands_at is not None or is_same,
        place=stands_at,
        note="Newer version, same words." if is_same else _changed(newest.at, stands_at is not None),
    )


def _changed(at: datetime, stands: bool) -> str:
    words = "The quoted words still stand there." if stands else "The quoted words no longer stand there."
    return f"This page has changed since ({day_text(at)}). {words}"
