"""What a reading is compiled against, and why one cannot be."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from core.encode.base import TokenCounter
from core.errors import PlanError
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Plan


class ReadingError(PlanError):
    """A reading that no plan says: it names what the catalogue has not, or lacks what its operation needs.

    words: those of the question that it is about, "" for all of them.
    """

    def __init__(self, message: str, *, next_step: str = "", words: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.words = words


@dataclass(frozen=True, slots=True)
class CompileContext:
    """Catalogue of what the asker may see, the buckets asked, and today.

    counter: tells words of the language from names. in_hand: the plan of the conversation's result set;
    members: its documents, in the order in which they were shown.
    """

    catalogue: Catalogue
    today: date
    buckets: tuple[str, ...] = ()
    counter: TokenCounter | None = None
    in_hand: Plan | None = None
    members: tuple[str, ...] = field(default=())
