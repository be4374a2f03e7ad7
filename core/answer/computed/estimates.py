"""Estimate of a count of documents over cells that are not certain: an interval beside the exact ledger.

The number of documents that fulfil conditions is a sum of independent trials, each with the probability that
a document fulfils them: a Poisson binomial distribution (Poisson 1837). The interval is the shortest that
holds the true number with the level's probability. `bench.fields_cuad` measures how often it does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.answer.computed.source import CellSource, ClauseSource
from core.domain.answer import CountEstimate
from core.domain.fields import AMOUNTS, Cell, CellStatus
from core.domain.ids import DocumentId
from core.domain.predicate import Operator
from core.domain.results import Documents, Groups
from core.plan.ir.nodes import Choice, ComputationNode, Condition, Plan, SelectionNode, clause_parts, is_about
from core.plan.ir.verbalise import KIND
from core.store.database.visibility import Visibility

LEVEL = 0.8
_EXACT = 2_000  # trials; beyond, the distribution is as good as normal

Clauses = Sequence[Sequence[tuple[str, bool]]]
"""Alternatives of each condition: a clause field, and whether it is to be there."""


def estimate_count(
    plan: Plan, given: Documents, source: ClauseSource, visible: Visibility
) -> CountEstimate | None:
    """The estimate of how many documents fulfil a plan's conditions; None where it is known, or unknowable.

    It is unknowable where a condition that is on no clause is uncertain of a document.
    """
    select = _selection(plan) if given.uncertain and given.is_exhaustive else None
    clauses = _clauses(select) if select is not None else None
    if select is None or not clauses:
        return None
    others = any(not is_about(each) and _alternatives(each) is None for each in select.conditions)
    counted = sorted(given.present | given.uncertain | (frozenset() if others else given.absent))
    fields = {field for clause in clauses for field, _ in clause}
    if any(given.unknown[id].field not in fields for id in given.uncertain if id in given.unknown):
        return None
    known = source.clause_probabilities(visible, [DocumentId(id) for id in counted], fields)
    found = [_fulfilled(id, clauses, known) for id in counted]
    trials = [each for each in found if each is not None]
    if len(trials) < len(found):
        return None
    low, high = interval(trials)
    return CountEstimate(value=round(sum(trials)), low=low, high=high, level=LEVEL)


def interval(trials: Sequence[float]) -> tuple[int, int]:
    """The shortest range of whole numbers that holds a sum of independent trials with about LEVEL.

    Of the shortest that holds it at least, and the likeliest that is one number shorter, the one nearer to
    the level: always at least would be too much (.89, see `bench.estimates`).
    """
    mean, variance = sum(trials), sum(p * (1 - p) for p in trials)
    if len(trials) > _EXACT:
        reach = 1.2816 * math.sqrt(variance)  # of a normal distribution, .8 lie within
        return max(0, round(mean - reach)), min(len(trials), round(mean + reach))
    shares = distribution(trials)
    before = [0.0]
    for share in shares:
        before.append(before[-1] + share)
    best, held = (0, len(trials)), 1.0
    low = 0
    for high in range(len(shares)):
        while before[high + 1] - before[low + 1] >= LEVEL:
            low += 1
        share = before[high + 1] - before[low]
        is_shorter = high - low < best[1] - best[0]
        if share >= LEVEL and (is_shorter or (high - low == best[1] - best[0] and share > held)):
            best, held = (low, high), share
    width = best[1] - best[0]  # of one number less
    if width < 1:
        return best
    shorter = max(range(len(shares) - width + 1), key=lambda at: before[at + width] - before[at])
    short = before[shorter + width] - before[shorter]
    return (shorter, shorter + width - 1) if LEVEL - short < held - LEVEL else best


def distribution(trials: Sequence[float]) -> list[float]:
    """(trials + 1,) probability of each number of successes."""
    shares = [1.0]
    for p in trials:
        if p in (0.0, 1.0):
            shares = [*shares, 0.0] if p == 0.0 else [0.0, *shares]
            continue
        kept = [share * (1 - p) for share in shares]
        shares = [a + b for a, b in zip([*kept, 0.0], [0.0, *(share * p for share in shares)], strict=True)]
    return shares


def _selection(plan: Plan) -> SelectionNode | None:
    """The selection that a plan lists or counts; None for anything else."""
    node = plan.node(plan.answer_node) if plan.answer_node else None
    if isinstance(node, ComputationNode):
        if node.function != "count" or node.field or node.group_by or node.as_share or len(node.inputs) != 1:
            return None
        node = plan.node(node.inputs[0])
    is_plain = isinstance(node, SelectionNode) and node.of == "documents" and not node.inputs
    return node if isinstance(node, SelectionNode) and is_plain and node.limit is None else None


def _clauses(select: SelectionNode) -> Clauses | None:
    """The conditions on clauses."""
    found = [_alternatives(each) for each in select.conditions if not is_about(each)]
    return [each for each in found if each is not None]


def _alternatives(clause: Condition | Choice) -> list[tuple[str, bool]] | None:
    """The alternatives of a condition, where all of them are on clauses."""
    found: list[tuple[str, bool]] = []
    for each in clause_parts(clause):
        if each.field == KIND:
            return None
        wanted = _wants(each)
        if wanted is None:
            return None
        found.append((each.field, wanted))
    return found


def _wants(condition: Condition) -> bool | None:
    """Whether a condition wants a clause to be there; None for one on a value."""
    if condition.op is Operator.MISSING:
        return False
    if condition.op is Operator.EQUAL and condition.value in ("true", "false"):
        return condition.value == "true"
    if condition.op is Operator.IS and condition.value in ("present", "absent"):
        return condition.value == "present"
    return None


def _fulfilled(id: str, clauses: Clauses, known: Mapping[tuple[str, str], float]) -> float | None:
    """Probability that a document fulfils all; None where a cell has none."""
    product = 1.0
    for clause in clauses:
        missed = 1.0
        for field, is_there in clause:
            p = known.get((id, field))
            if p is None:
                return None
            missed *= 1 - p if is_there else p
        product *= 1 - missed
    return product


_STEPS = 4_000  # of the grid
_LEAST = 0.001  # a probability below says nothing


@dataclass(frozen=True, slots=True)
class Addend:
    """An amount that a cell states with a probability."""

    amount: Decimal
    probability: float


def estimate_sum(plan: Plan, given: Groups, source: CellSource, visible: Visibility) -> CountEstimate | None:
    """The estimate of a sum of one field; None where all is known, or nothing says how likely a value is.

    Only values in the unit of the sum take part. Documents of which it is not known whether they are meant at
    all leave it open: a sum over a choice of documents is estimated where that choice is known.
    """
    node = plan.node(plan.answer_node) if plan.answer_node else None
    if not isinstance(node, ComputationNode) or node.function != "sum" or not node.field or node.group_by:
        return None
    if len(given.groups) != 1 or given.groups[0].value is None or given.value_type not in AMOUNTS:
        return None
    open_cells = _open(given.documents, node.field)
    if not open_cells:
        return None
    single = given.groups[0]
    found = [
        addend
        for cell in source.cells(visible, documents=open_cells, fields=[node.field])
        if (addend := _addend(cell, single.unit)) is not None
    ]
    if not found:
        return None
    sure = Decimal(str(single.value))
    low, high = sum_interval(found)
    mean = sum((each.amount * Decimal(str(each.probability)) for each in found), Decimal(0))
    return CountEstimate(
        value=_rounded(sure + mean), low=_rounded(sure + low), high=_rounded(sure + high), level=LEVEL
    )


def _open(documents: Documents, field: str) -> list[DocumentId]:
    """The documents whose cell is open; [] where any is unknown for another reason."""
    if not documents.is_exhaustive:
        return []
    reasons = {id: documents.unknown.get(id) for id in documents.uncertain}
    if any(why is None or why.field != field for why in reasons.values()):
        return []
    return [DocumentId(id) for id in sorted(reasons)]


def _addend(cell: Cell, unit: str) -> Addend | None:
    """The best guess of an undecided cell that is an amount in this unit."""
    best = cell.finding.candidates[0] if cell.finding.candidates else None
    if cell.finding.status is not CellStatus.UNCERTAIN or best is None or best.value is None:
        return None
    amount = best.value.decimal
    if amount is None or best.value.special or best.value.unit != unit or best.confidence < _LEAST:
        return None
    return Addend(amount, min(1.0, best.confidence))


def sum_interval(addends: Sequence[Addend]) -> tuple[Decimal, Decimal]:
    """The shortest range that holds a sum of independent addends with probability LEVEL; (0, 0) of none."""
    below = sum((each.amount for each in addends if each.amount < 0), Decimal(0))
    above = sum((each.amount for each in addends if each.amount > 0), Decimal(0))
    if above == below:
        return below, above
    step = (above - below) / _STEPS
    shares = {0: 1.0}  # in steps above `below`; negative amounts begin from their whole sum
    for each in addends:
        size, p = (
            round(abs(each.amount) / step),
            each.probability if each.amount > 0 else 1 - each.probability,
        )
        moved: dict[int, float] = {}
        for at, share in shares.items():
            moved[at] = moved.get(at, 0.0) + share * (1 - p)
            moved[at + size] = moved.get(at + size, 0.0) + share * p
        shares = moved
    first, last = _shortest(sorted(shares.items()), LEVEL)
    return below + first * step, min(above, below + last * step)


def _shortest(shares: Sequence[tuple[int, float]], level: float) -> tuple[int, int]:
    best, held = (shares[0][0], shares[-1][0]), 0.0
    low = 0
    for place, share in shares:
        held += share
        while held - shares[low][1] >= level:
            held -= shares[low][1]
            low += 1
        if held >= level and place - shares[low][0] < best[1] - best[0]:
            best = (shares[low][0], place)
    return best


def _rounded(amount: Decimal) -> float:
    return float(amount.quantize(Decimal("0.01")))
