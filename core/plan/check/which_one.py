"""Words that mean one document where nothing says which: "the invoice"."""

from __future__ import annotations

from core.plan.check.context import CheckContext
from core.plan.compile.kinds import kind_names, singular
from core.plan.ir.nodes import ScopedNode
from core.plan.reading import Operation, ReadCondition, ReadName

_DEFINITE = ("the", "this", "that", "our", "my")


def single(context: CheckContext) -> str:
    """The words that mean one document of several; "" where something says which, or all are meant."""
    reading = context.reading
    if reading.operation not in (Operation.LOOKUP, Operation.CHECK) or reading.within or reading.steps:
        return ""
    if any(isinstance(node, ScopedNode) and node.scope.documents for node in context.plan.nodes):
        return ""
    for piece in context.pieces:
        is_name = isinstance(piece.part, ReadName) and piece.part.role != "kind"
        if is_name or (isinstance(piece.part, ReadCondition) and piece.part.values):
            return ""
    question = reading.question
    for found in kind_names(context.catalogue).find(question):
        noun = question[found.start : found.end]
        before = next((w for w in reversed(context.words) if w.end <= found.start), None)
        if before is not None and before.folded in _DEFINITE and singular(noun.casefold()) == noun.casefold():
            return f"{before.text.lower()} {noun}"
    return ""
