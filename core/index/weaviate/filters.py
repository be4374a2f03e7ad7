"""Conditions on passages, as the server understands them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from core.domain.ids import DocumentId, PassageId
from core.index.base import Filter

if TYPE_CHECKING:
    from weaviate.collections.classes.filters import _Filters as Condition


# The server takes about 15 to 60 microseconds a name and list: 3 s for 50,000 on a busy machine. More names
# than these are checked here, on lists that are read deeper for it.
_NAMES_SENT = 1_000


class MatchesNothing(Exception):  # noqa: N818  # not an error: the answer is known without asking
    """A condition that no passage meets."""


def clean(text: str) -> str:
    """`text` as the server can take it: NUL as a space, lone surrogates as U+FFFD."""
    if text.isascii():
        return text.replace("\0", " ")
    return text.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def values(names: Iterable[str]) -> list[str]:
    """Names as they are stored, sorted, without blank ones, which the server cannot look for."""
    return sorted({kept for name in names if (kept := clean(name)).strip()})


def sent_part(wanted: Filter) -> tuple[Filter, Callable[[DocumentId, PassageId], bool] | None]:
    """Part of a filter for the server to check, and the rest as a test of rows; None where all is sent.

    Raises MatchesNothing.
    """
    listed = wanted.passages
    if listed is not None and not listed:
        raise MatchesNothing
    if listed is None or len(listed) <= _NAMES_SENT:
        return _of_documents(wanted)
    sent, rest = _of_documents(replace(wanted, passages=None))
    return sent, lambda document, passage: passage in listed and (rest is None or rest(document, passage))


def _of_documents(wanted: Filter) -> tuple[Filter, Callable[[DocumentId, PassageId], bool] | None]:
    documents, excluded = wanted.documents, wanted.excluded_documents
    if documents is not None:
        documents, excluded = documents - excluded, frozenset()
        if not documents:
            raise MatchesNothing
    if documents is not None and len(documents) > _NAMES_SENT:
        named = documents
        return replace(wanted, documents=None, excluded_documents=frozenset()), lambda one, _: one in named
    if len(excluded) > _NAMES_SENT:
        return replace(wanted, excluded_documents=frozenset()), lambda one, _: one not in excluded
    return replace(wanted, documents=documents, excluded_documents=excluded), None


def condition(wanted: Filter) -> Condition | None:
    """The condition of a filter; None where it admits all. Raises MatchesNothing."""
    from weaviate.classes.query import Filter as By

    parts: list[Condition] = []
    for name, allowed in (
        ("bucket", wanted.buckets),
        ("document", wanted.documents),
        ("doc_type", wanted.doc_types),
    ):
        if allowed is not None:
            listed = values(allowed)
            if not listed:
                raise MatchesNothing
            parts.append(By.by_property(name).contains_any(listed))
    if wanted.passages is not None:
        if not wanted.passages:
            raise MatchesNothing
        parts.append(By.by_property("passage").contains_any(sorted(wanted.passages)))
    if excluded := values(wanted.excluded_documents):
        parts.append(By.by_property("document").contains_none(excluded))
    if wanted.groups is not None:
        unrestricted = By.by_property("open").equal(True)
        groups = values(wanted.groups)
        readable = unrestricted | By.by_property("acl").contains_any(groups) if groups else unrestricted
        # More names than these the index has to know by itself; it follows within seconds.
        if shown := values(wanted.shown_documents)[:_NAMES_SENT]:
            readable = readable | By.by_property("document").contains_any(shown)
        parts.append(readable)
    return every(parts)


def every(parts: Iterable[Condition | None]) -> Condition | None:
    """All of some conditions; None where there is none."""
    from weaviate.classes.query import Filter as By

    given = [part for part in parts if part is not None]
    if len(given) < 2:
        return given[0] if given else None
    return By.all_of(given)
