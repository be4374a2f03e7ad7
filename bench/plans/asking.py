"""Asks a home the questions, and holds what it answers against the labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from bench.plans.gold import Labels, Question
from core.answer.computed.lists import is_lack
from core.domain.answer import Answer, Ledger, Status
from core.plan.ir.nodes import Node, Plan, Select
from core.values.places import canonical_place
from core.workbench import Workbench

_TOLD = (Status.ANSWERED, Status.PARTIAL)


@dataclass(frozen=True, slots=True)
class Asked:
    """How one question went.

    exact: set, count or groups are those of the labels, and nothing of the question was left out. present,
    uncertain: files; unreadable ones count as uncertain. fulfil: the true files. problem: "" where exact.
    """

    question: Question
    exact: bool
    problem: str
    ms: float
    fulfil: frozenset[str]
    present: frozenset[str] | None = None
    uncertain: frozenset[str] = frozenset()
    ledger_adds_up: bool | None = None

    @property
    def holds_count(self) -> bool:
        """Whether the true count lies between the present ones and these with the uncertain ones."""
        if self.present is None:
            return False
        return len(self.present) <= len(self.fulfil) <= len(self.present) + len(self.uncertain)


@dataclass
class Decided:
    """Documents over all questions that were decided: rightly there, wrongly there, wrongly not."""

    right: int = 0
    wrong: int = 0
    lost: int = 0
    of: list[str] = field(default_factory=list)

    def add(self, asked: Asked) -> None:
        """One question more."""
        assert asked.present is not None
        right = len(asked.present & asked.fulfil)
        self.right += right
        self.wrong += len(asked.present) - right
        self.lost += len(asked.fulfil - asked.present - asked.uncertain)

    @property
    def f1(self) -> float:
        """Micro, over all of them."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.lost)


def ask_all(bench: Workbench, asked: Sequence[Question], labels: Labels) -> list[Asked]:
    """Every question, in order."""
    names = {str(each.id): each.source for each in bench.documents()}
    return [_one(bench, each, labels, names) for each in asked]


def _one(bench: Workbench, question: Question, labels: Labels, names: Mapping[str, str]) -> Asked:
    import time

    fulfil = frozenset(labels.frame.index) if question.where is None else labels.documents(question.where)
    started = time.perf_counter()
    answer = bench.ask(question.question)
    ms = 1000 * (time.perf_counter() - started)
    problem = _problem(question, answer, labels, fulfil, names)
    if answer.ledger is None or answer.status not in _TOLD:
        return Asked(question, not problem, problem, ms, fulfil)
    present, uncertain = _sets(answer, answer.ledger, names)
    return Asked(question, not problem, problem, ms, fulfil, present, uncertain, _adds_up(answer.ledger))


def _problem(
    question: Question, answer: Answer, labels: Labels, fulfil: frozenset[str], names: Mapping[str, str]
) -> str:
    if answer.status not in _TOLD:
        return f"{answer.status.value}: {answer.text[:160]}"
    left = [gap for gap in answer.gaps if gap.startswith("Not covered")]
    if left:
        return " ".join(left)
    if question.gives == "count":
        value = answer.value.value if answer.value is not None else None
        return "" if str(value) == str(len(fulfil)) else f"{value} instead of {len(fulfil)}"
    if answer.table is None:
        return "no table"
    if question.gives == "laws":
        return _laws_problem(answer, labels.laws(question.where))
    shown = {names[id] for id in answer.table.documents if id}
    if shown == fulfil:
        return ""
    return f"{len(shown - fulfil)} too many, {len(fulfil - shown)} missing, of {len(fulfil)}"


def _laws_problem(answer: Answer, wanted: Mapping[str, int]) -> str:
    assert answer.table is not None
    shown = {}
    for key, *rest in answer.table.rows:
        count = next((number for each in rest if (number := _number(each)) is not None), None)
        shown[str(key).casefold()] = count
    due = {(canonical_place(place) or place).casefold(): count for place, count in wanted.items()}
    wrong = [place for place, count in due.items() if shown.get(place) != count]
    return "" if not wrong and len(shown) == len(due) else f"{len(shown)} rows, wrong: {', '.join(wrong)}"


def _number(text: object) -> int | None:
    try:
        return int(Decimal(str(text)))
    except InvalidOperation:
        return None


def _sets(answer: Answer, ledger: Ledger, names: Mapping[str, str]) -> tuple[frozenset[str], frozenset[str]]:
    """The files that fulfil what was asked, and those of which that is not known."""
    listed = ledger.documents
    fulfils = listed.absent if _asks_for_lack(answer) else listed.present
    unknown = (*listed.uncertain, *listed.unreadable)
    return frozenset(names[each] for each in fulfils), frozenset(names[each] for each in unknown)


def _asks_for_lack(answer: Answer) -> bool:
    """Whether the ledger is about a field that the answer's documents lack."""
    plan = Plan.model_validate(answer.plan)
    node: Node = plan.node(plan.answer_node or "")
    while not isinstance(node, Select) and len(node.inputs) == 1:
        node = plan.node(node.inputs[0])
    return isinstance(node, Select) and is_lack(node)


def _adds_up(ledger: Ledger) -> bool:
    lists = (
        ledger.documents.present,
        ledger.documents.absent,
        ledger.documents.uncertain,
        ledger.documents.unreadable,
    )
    counts = (ledger.present, ledger.absent, ledger.uncertain, ledger.unreadable)
    every = [each for some in lists for each in some]
    is_disjoint = len(every) == len(set(every))
    return is_disjoint and tuple(map(len, lists)) == counts and ledger.scope == len(every)
