"""The names and titles of documents, kept up to the records, and where a text mentions them."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from core.cache import Cache
from core.domain.ids import DocumentId
from core.search.names import NamesIndex, VisibleNames, fold
from core.search.resolve import Resolution, resolve
from core.store.database.visibility import Sight, Visibility
from core.store.documents.names import Openings
from core.store.store import Records
from core.text.analyse import STOP_WORDS

MAX_WORDS = 12  # of a title that is looked for; longer ones are sentences, which nobody repeats whole
MAX_SHARED = 3  # documents of one title: what more of them are called is a kind of document and no name
MIN_CHARS = 3
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUALIFIER = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")  # "Lilu (mythology)" is called Lilu in a text
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class TitleMention:
    """Characters [start, end) of a text that are the title of documents, at most MAX_SHARED."""

    documents: tuple[DocumentId, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TitledDocument:
    """Document whose title is looked for."""

    id: DocumentId
    bucket: str
    acl: tuple[str, ...]


class TitleIndex:
    """Titles to documents. Not thread-safe while `add` or `remove` runs; look-ups may run side by side."""

    def __init__(self) -> None:
        self._documents: dict[str, dict[DocumentId, TitledDocument]] = {}
        self._lengths: dict[str, list[int]] = {}  # of titles by their first word, longest first
        self._names_of: dict[DocumentId, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self._names_of)

    def add(self, document: TitledDocument, title: str) -> None:
        """Know a document by its title, with and without what stands in brackets behind it."""
        self.remove(document.id)
        names = tuple(dict.fromkeys(filter(None, map(_key, (title, _QUALIFIER.sub("", title))))))
        if not names:
            return
        self._names_of[document.id] = names
        for name in names:
            self._documents.setdefault(name, {})[document.id] = document
            first, count = name.partition(" ")[0], name.count(" ") + 1
            lengths = self._lengths.setdefault(first, [])
            if count not in lengths:
                lengths.append(count)
                lengths.sort(reverse=True)

    def remove(self, document: DocumentId) -> None:
        """Forget a document; unknown ids are ignored."""
        for name in self._names_of.pop(document, ()):
            held = self._documents[name]
            held.pop(document, None)
            if not held:
                del self._documents[name]

    def mentions(
        self, text: str, is_allowed: Callable[[TitledDocument], bool] = lambda _document: True
    ) -> list[TitleMention]:
        """The titles in a text, in order, the longest at each place; only of documents that are allowed.

        A mention is written like a name: it begins with a capital or a digit.
        """
        words = list(_WORD.finditer(text))
        folded = [fold(_POSSESSIVE.sub("", word.group())) for word in words]
        found: list[TitleMention] = []
        at = 0
        while at < len(words):
            mention, count = None, 1
            if not words[at].group()[0].islower():
                for length in self._lengths.get(folded[at], ()):
                    if at + length > len(words):
                        continue
                    held = self._documents.get(" ".join(folded[at : at + length]))
                    allowed = [each.id for each in held.values() if is_allowed(each)] if held else []
                    if allowed and len(allowed) <= MAX_SHARED:
                        mention = TitleMention(
                            tuple(allowed), words[at].start(), words[at + length - 1].end()
                        )
                        count = length
                        break
            if mention is not None:
                found.append(mention)
            at += count
        return found


def _key(title: str) -> str:
    """The folded words of a title; "" of one that could not be told from ordinary words."""
    words = [fold(_POSSESSIVE.sub("", word)) for word in _WORD.findall(title)]
    if not words or len(words) > MAX_WORDS or all(word in STOP_WORDS for word in words):
        return ""
    key = " ".join(words)
    return key if len(key) >= MIN_CHARS and not key.isdigit() else ""


def linked(mentions: Iterable[TitleMention]) -> tuple[DocumentId, ...]:
    """The documents of some mentions, each once, in order."""
    return tuple(dict.fromkeys(id for mention in mentions for id in mention.documents))


OPENING_PASSAGES = 2  # hold the first 1,500 characters
# Which words are written with capitals is learnt from more text where the collection is small: 304 contracts
# by their first 1,500 characters alone resolved 66 more foreign questions falsely than by 30,000.
SAMPLE_PASSAGES = 30
SAMPLE_TOTAL = 40_000
_SIGHTS = 64  # of readers that may see the same


class NameCatalogue:
    """Says which documents a question or a text names. Thread-safe; the first call reads all openings."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._openings = Openings(records.database)
        self._lock = threading.Lock()  # the index and its sequence belong together
        self._names = NamesIndex()
        self._titles = TitleIndex()
        self._visible: Cache[Sight, VisibleNames] = Cache(_SIGHTS)
        self._sequence = 0

    def refresh(self) -> int:
        """Take in what changed since the last call; gives how many documents were read."""
        with self._lock:
            return self._refresh()

    def resolve(
        self,
        question: str,
        visibility: Visibility,
        *,
        documents: Collection[DocumentId] = (),
    ) -> Resolution:
        """The documents that a cleaned question names, among those that `visibility` shows."""
        with self._lock:
            self._refresh()
            return resolve(question, self._seen_by(visibility), documents=documents)

    def mentioned(self, texts: Sequence[str], visibility: Visibility) -> list[tuple[DocumentId, ...]]:
        """For each text the documents whose titles it mentions, among those that `visibility` shows."""

        def is_allowed(document: TitledDocument) -> bool:
            is_there = visibility.has(document.bucket) and document.id not in visibility.without
            return is_there and visibility.may_see(document.acl)

        with self._lock:
            self._refresh()
            return [linked(self._titles.mentions(text, is_allowed)) for text in texts]

    def _seen_by(self, visibility: Visibility) -> NamesIndex | VisibleNames:
        if visibility.is_whole:
            return self._names
        return self._visible.get_or_make(visibility.sight, lambda: VisibleNames(self._names, visibility))

    def _refresh(self) -> int:
        if self._records.changes.data_version() == self._sequence:
            return 0
        changed = self._records.changes.since(self._sequence)
        is_first = self._sequence == 0 or self._names.dead_rows > max(1_000, len(self._names))
        if is_first:
            self._names = NamesIndex()
            self._titles = TitleIndex()
        size = len(self._names) + len(changed.documents)
        first = max(OPENING_PASSAGES, min(SAMPLE_PASSAGES, SAMPLE_TOTAL // max(size, 1)))
        for gone in changed.documents:
            self._names.remove(gone)
            self._titles.remove(gone)
        count = 0
        for opening in self._openings.iterate(None if is_first else changed.documents, first=first):
            self._names.add((opening,))
            self._titles.add(TitledDocument(opening.id, opening.bucket, opening.acl), opening.title)
            count += 1
        self._visible.clear()
        self._sequence = changed.sequence
        return count
