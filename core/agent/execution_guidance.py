"""Choice of a reading by what it finds: where no row fulfils the likeliest, another one that has some.

Execution-guided decoding (Wang et al. 2018, "Robust Text-to-SQL Generation with Execution-Guided Decoding"):
a question over a table is seldom about rows that are not there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.plan.ir.nodes import Note, Plan, SelectionNode

SECOND_READING = "as it is most likely meant fits no row, so it is read in the next best way"
_SURENESS = 0.5  # of a second reading: the first may be right, and nothing there


def reading_with_rows(plan: Plan, others: Sequence[Plan], count: Callable[[Plan], int | None]) -> Plan:
    """The plan, or the first of the others over rows that has some where the plan has none."""
    rivals = [each for each in others if _chooses_rows(each) and not each.uncovered]
    if not rivals or not _chooses_rows(plan) or count(plan) != 0:
        return plan
    found = next((each for each in rivals if count(each)), None)
    if found is None:
        return plan
    note = Note(phrase=plan.question[:500], reading=SECOND_READING, confidence=_SURENESS)
    return found.model_copy(update={"uncovered": (note.phrase,), "notes": (*found.notes, note)})


def _chooses_rows(plan: Plan) -> bool:
    """True where rows of a table are chosen by conditions."""
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    return any(node.of == "rows" and node.conditions for node in selects)
