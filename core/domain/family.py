"""Families of documents: which amendment or order belongs to which agreement, and by which words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.fields import Quote
from core.domain.ids import DocumentId


class Fit(StrEnum):
    """How far the words say that a document belongs to another."""

    STATED = "stated"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True)
class Relative:
    """A document over another one or under it. quote: the words of the lower one that name the upper one."""

    id: DocumentId
    name: str
    kinship: str
    fit: Fit
    quote: Quote


@dataclass(frozen=True, slots=True)
class Family:
    """The documents that one belongs to, in the order of its words, and those that belong to it, by name.

    children: at most 50 of `count`.
    """

    parents: tuple[Relative, ...] = ()
    children: tuple[Relative, ...] = ()
    count: int = 0
