"""Estimate of a sum over cells that are not certain: an interval beside the exact sum of those that are.

Each undecided cell states its best guess with the probability of that, or nothing: the sum of independent
trials with weights. Its distribution is put together on a grid (a Poisson binomial with weights; Hong 2013,
Computational Statistics & Data Analysis 59, section 2.3 has the unweighted one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.answer.computed.count_estimate import LEVEL
from core.answer.computed.source import CellSource
from core.domain.answer import CountEstimate
from core.domain.fields import AMOUNTS, Cell, CellStatus
from core.domain.ids import DocumentId
from core.domain.results import Documents, Groups
from core.plan.ir.nodes import ComputationNode, Plan
from core.records.database.visibility import Visibility

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


def sum_interval(addends: Sequence[Addend], level: float = LEVEL) -> tuple[Decimal, Decimal]:
    """The shortest range that holds a sum of independent addends with probability `level`; (0, 0) of none."""
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
    first, last = _shortest(sorted(shares.items()), level)
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
