"""What a reading is compiled against, the state of that, and why it cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from core.encode.base import TokenCounter
from core.errors import PlanError
from core.plan.catalogue import Catalogue, SchemaEntry
from core.plan.ir.nodes import Note, Plan
from core.plan.ir.steps import PlanSteps
from core.plan.reading import IN_HAND, Reading, Step

MANY_GROUPS = 1_000
"""All groups, in the order of their values."""


class ReadingError(PlanError):
    """A reading that no plan says: it names what the catalogue has not, or lacks what its operation needs.

    words: those of the question that it is about, "" for all of them.
    """

    def __init__(self, message: str, next_step: str = "", words: str = "") -> None:
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


@dataclass(frozen=True, slots=True)
class StepResult:
    """Node of a step. gives: a set of documents or rows, one value, groups, or a comparison. set_node: the
    node whose set it is about, "" for none; schema: whose documents these are."""

    node: str
    gives: str
    set_node: str = ""
    schema: SchemaEntry | None = None

    @property
    def any_set(self) -> str:
        """The node whose set it is about, itself where it gives one; "" for none."""
        return self.set_node or (self.node if self.gives in ("documents", "rows") else "")


@dataclass(slots=True)
class Compilation:
    """State of one reading while it is compiled. looked_up: nodes of values, by node and field."""

    reading: Reading
    context: CompileContext
    steps: PlanSteps = field(default_factory=PlanSteps)
    notes: list[Note] = field(default_factory=list)
    results: dict[str, StepResult] = field(default_factory=dict)
    uncovered: list[str] = field(default_factory=list)
    looked_up: dict[tuple[str, str], str] = field(default_factory=dict)

    def result(self, name: str, words: str = "") -> StepResult:
        """What a step gave. Raises ReadingError where there is none of that name before."""
        found = self.results.get(name)
        if found is None:
            what = "result to go on from" if name == IN_HAND else f"step {name!r} before this one"
            raise ReadingError(
                f"There is no {what}.", "Ask for it first, or name what is meant.", words=words
            )
        return found

    def step(self, name: str) -> Step | None:
        """The step of that name; None where another turn gave its result."""
        return next((each for each in self.reading.all_steps if each.id == name), None)

    def note(self, words: str, reading: str, node: str = "", probability: float = 1.0) -> None:
        """Say how words were read."""
        self.notes.append(Note(phrase=words[:500], reading=reading, node=node, confidence=probability))


def unique_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Labels, none twice: the second of one name is numbered."""
    made: list[str] = []
    for label in labels:
        label = label[:100] or "side"
        made.append(label if label not in made else f"{label} ({made.count(label) + 1})")
    return tuple(made)
