"""Conditions on passages, as the server understands them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.index.base import Filter

if TYPE_CHECKING:
    from weaviate.collections.classes.filters import _Filters as Condition


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
    if excluded := values(wanted.excluded_documents):
        parts.append(By.by_property("document").contains_none(excluded))
    if wanted.groups is not None:
        unrestricted = By.by_property("open").equal(True)
        groups = values(wanted.groups)
        parts.append(unrestricted | By.by_property("acl").contains_any(groups) if groups else unrestricted)
    return every(parts)


def every(parts: Iterable[Condition | None]) -> Condition | None:
    """All of some conditions; None where there is none."""
    from weaviate.classes.query import Filter as By

    given = [part for part in parts if part is not None]
    if len(given) < 2:
        return given[0] if given else None
    return By.all_of(given)
