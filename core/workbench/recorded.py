"""Deeds of the services in the audit log: a method that changes or hands out something says which it is."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from functools import wraps
from itertools import islice
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from core.cache import Cache
from core.domain.principal import Principal
from core.domain.trust.deed import Deed, Outcome
from core.errors import RecordsError, RefusedError
from core.guard.question_guard import masked_question
from core.store.database.chain import doing, is_doing
from core.store.store import Records

P = ParamSpec("P")
R = TypeVar("R")
SHOWN_AGAIN_S = 600.0
MOST_NAMES = 100
MOST_CHARS = 200
AUDIT_HEADS = ("audit", "heads.jsonl")
"""File of the home that each day's head of the chain is added to."""


_shown: Cache[tuple[str, str, str, tuple[Any, ...], int], bool] = Cache(4096)


class _Service(Protocol):
    _principal: Principal


def recorded(name: str, *on: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have every call of a service's method kept in the audit log, as the deed `name`.

    The entry is written with the first transaction of the call, or by itself at the end where there was none;
    a call that a policy refused, or that failed after it had begun, says so. on: the arguments that say what
    it was done on, the first of them its subject: ids, names of buckets, fields and schemas, never a text
    that somebody wrote. A deed within a deed is part of it.
    """

    def decorate(method: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(method)
        unknown = set(on) - set(signature.parameters)
        assert not unknown, f"{method.__qualname__} has no argument {unknown}"

        @wraps(method)
        def keeping(*args: P.args, **kwargs: P.kwargs) -> R:
            if is_doing():
                return method(*args, **kwargs)
            given = signature.bind(*args, **kwargs).arguments
            service = cast(Any, args[0])
            deed = deed_of(name, service._principal, {each: given[each] for each in on if each in given})
            log = service._parts.records.audit_log
            with doing(deed) as opened:
                try:
                    result = method(*args, **kwargs)
                except BaseException as error:
                    outcome: Outcome = "refused" if isinstance(error, RefusedError) else "failed"
                    if opened.is_kept or outcome == "refused":
                        with suppress(RecordsError):  # the error itself says more
                            log.append(replace(opened.deed, outcome=outcome))
                    raise
                if not opened.is_kept:
                    log.append(opened.deed)
                    opened.is_kept = True
            return result

        keeping.__deed__ = name  # type: ignore[attr-defined]
        return keeping

    return decorate


def note_shown(records: Records, who: Principal, document: str, version: int | None) -> None:
    """Keep that a document was shown to somebody: once in ten minutes, for whoever turns its pages.

    Where the log cannot be written now (disk full) they read on, as an answer comes without its trace then.
    """
    note_once(records, who, "document.show", {"document": document, "version": version})


def note_once(records: Records, who: Principal, name: str, on: Mapping[str, Any]) -> None:
    """Keep that something was shown to somebody, once in ten minutes; not where the log cannot be written."""
    key = (records.session, who.user, name, tuple(on.values()), int(time.monotonic() // SHOWN_AGAIN_S))
    if _shown.get(key) is None:
        with suppress(RecordsError):
            records.audit_log.append(deed_of(name, who, on))
            _shown.put(key, True)


def note_opened(records: Records, who: Principal, link: str) -> None:
    """Keep that somebody opened a shared link, as `note_shown` does of documents."""
    note_once(records, who, "link.open", {"link": link})


def deed_of(name: str, who: Principal, on: Mapping[str, Any]) -> Deed:
    """The deed of a principal on things by their argument's name; the first is its subject."""
    detail = {key: value for key, given in on.items() if (value := _told(given)) not in (None, "", [])}
    subject = ""
    first = next(iter(on), None)
    if first is not None and isinstance(detail.get(first), str):
        subject = str(detail.pop(first))
    return Deed(name, who.user, who.origin, subject, detail=detail)


def _told(value: Any) -> Any:
    """A value as the log holds it: short, flat, personal data masked."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return _told(value.value)
    if isinstance(value, str):
        return masked_question(value)[:MOST_CHARS] if " " in value or "@" in value else value[:MOST_CHARS]
    if isinstance(value, Mapping):
        return _told(list(value))
    if isinstance(value, Collection):
        names = [_told(each) for each in islice(value, MOST_NAMES)]
        if len(value) > MOST_NAMES:
            return {"first": names, "count": len(value)}
        return sorted(names) if isinstance(value, set | frozenset) else names
    named = getattr(value, "name", None) or getattr(value, "id", None)
    return _told(named) if isinstance(named, str) else type(value).__name__
