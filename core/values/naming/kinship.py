"""The one document that another belongs to: of those that its reference may name, with how sure that is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from core.domain.fields import Fit
from core.values.names import same_party
from core.values.naming.references import ParentReference


@dataclass(frozen=True, slots=True)
class PossibleParent:
    """A document that may be over another. Titles by `family_key`, ISO days."""

    id: str
    titles: frozenset[str] = frozenset()
    parties: tuple[str, ...] = ()
    days: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Kin:
    """The document over another and how sure that is; fit: None where there is none, or several are alike."""

    id: str = ""
    fit: Fit | None = None


def choose(reference: ParentReference, own: PossibleParent, candidates: Collection[PossibleParent]) -> Kin:
    """The document that a reference names. candidates: of one bucket, and only those that the viewer may see.

    `STATED` needs one document alone that has the title, two parties and the day. One that has the title
    and a party, and no other day, is `LIKELY`. Of several alike none is given.
    """
    others = [each for each in candidates if each.id != own.id]
    shared = {each.id: _shared(own.parties, each.parties) for each in others}
    titled = [each for each in others if reference.title and reference.title in each.titles]
    fitting = [each for each in titled if shared[each.id] and _may_be_of(reference.day, each.days)]
    sure = [each for each in fitting if shared[each.id] > 1 and reference.day in each.days]
    return _only(sure, Fit.STATED) if sure else _only(fitting, Fit.LIKELY)


def _only(fitting: list[PossibleParent], fit: Fit) -> Kin:
    return Kin(fitting[0].id, fit) if len(fitting) == 1 else Kin()


def _may_be_of(day: str, days: frozenset[str]) -> bool:
    return not day or not days or day in days


def _shared(own: tuple[str, ...], others: tuple[str, ...]) -> int:
    """Parties of both: one that stands twice in one of them counts once."""
    mine = sum(any(same_party(one, other) for other in others) for one in own)
    theirs = sum(any(same_party(one, other) for one in own) for other in others)
    return min(mine, theirs)
