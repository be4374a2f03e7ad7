"""Amounts of a plan in one currency, where its question says so or a person chooses it."""

from __future__ import annotations

from core.domain.accounting import Accounting
from core.domain.annotation import Calculation
from core.plan.catalogue import Catalogue
from core.plan.ir.graph_edits import with_node
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode, SidesNode
from core.plan.ir.spec import TraitSetting
from core.text.analyse import text_terms
from core.values.accounting import meant_currency
from core.values.comparisons import currency_in
from core.values.money import CONVERTING

_COUNTS = (Calculation.COUNT, Calculation.DISTINCT)


def question_currency(question: str, accounting: Accounting) -> tuple[str, str]:
    """The question without words such as "converted to euros", and the currency; "" where it names no one."""
    words = question.split()
    codes = {at: code for at, word in enumerate(words) if (code := currency_in(word.rstrip("?.,;!")))}
    at = next(iter(codes), 0)
    into = meant_currency(words[at], codes[at], accounting.base) if len(codes) == 1 else ""
    if into not in accounting.currencies or at < 2 or text_terms(words[at - 1]):
        return question, ""
    return " ".join((*words[: at - 1 - (words[at - 2].casefold() in CONVERTING)], *words[at + 1 :])), into


def converted(plan: Plan, into: str, catalogue: Catalogue) -> Plan | None:
    """The plan with the money that it computes with, orders or compares in one currency; None without any."""
    setting, before = TraitSetting({each.id: each for each in plan.nodes}, catalogue), plan
    for node in plan.nodes:
        update: dict[str, object] = {"into": into, "purpose": f"{node.purpose} in {into}"}
        names: tuple[str, ...] = node.fields if isinstance(node, SidesNode) else ()
        if isinstance(node, ComputationNode) and node.function not in _COUNTS:
            names, unit = (node.field,), f"{node.field}.unit"
            update |= {"rates": {}, "group_by": tuple(name for name in node.group_by if name != unit)}
        elif isinstance(node, SelectionNode) and node.of == "documents" and node.order_by:
            names = (node.order_by,)
        if names and all(setting.is_money(node, name) for name in names):
            plan = with_node(plan, node.model_copy(update=update))
    return plan if plan is not before else None
