"""Cases as they hold in a home: by the scans that it has read, and the documents that it has beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Self

from core.evaluate.suite import AnswerShape, Case

_OF_ONE = frozenset([AnswerShape.LOOKUP, AnswerShape.RETRIEVAL])
"""Shapes of which further documents leave the right answer as it is; every other looks at all there are."""


@dataclass(frozen=True, slots=True)
class HomeFile:
    """A document of a home. is_read: it has text."""

    bucket: str
    name: str
    is_read: bool = True


@dataclass(frozen=True, slots=True)
class SuiteGround:
    """What cases meet in a home.

    read: names of files that have text. added: buckets in which documents stand that the suite knows
    nothing of. within: buckets that a case without one is asked in, since all else is beside it; () for all.
    """

    read: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    within: tuple[str, ...] = ()

    @classmethod
    def of(cls, files: Iterable[HomeFile], known: Collection[str] | None) -> Self:
        """The ground of a home. known: file names that the suite is about; None: whatever there is."""
        files = list(files)
        read = frozenset(each.name for each in files if each.is_read)
        if known is None:
            return cls(read)
        own = {each.bucket for each in files if each.name in known}
        added = frozenset(each.bucket for each in files if each.name not in known)
        return cls(read, added & own, tuple(sorted(own)) if added - own else ())


def fitted(case: Case, ground: SuiteGround) -> tuple[Case, str]:
    """The case as it holds there, and why it has no right answer there; "" where it has one."""
    scan = case.where_read if case.where_read and case.where_read.file in ground.read else None
    within = () if case.bucket else ground.within
    expect = (scan and scan.expect) or case.expect
    held = case.model_copy(update={"expect": expect, "where_read": None, "within": within})
    if scan is not None and scan.expect is None:
        return held, f"The scan {scan.file} was read here, and leaves the right answer open."
    beside = sorted(ground.added & {case.bucket} if case.bucket else ground.added)
    if beside and case.shape not in _OF_ONE:
        return held, f"Documents beyond those of the suite stand in {', '.join(beside)}, and would count."
    return held, ""
