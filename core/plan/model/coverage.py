"""Guard of a model's plan: names, figures and negations of the question that nothing in it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Combine, Condition, Plan, ScopedNode, SelectionNode, flattened, spec_of
from core.text.analyse import text_terms

_LITERAL = re.compile(
    r"[\"“](?P<quoted>[^\"”]{2,80})[\"”]|\b\d[\d.,%]*\b|(?<=\s)[A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*)*"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|lack(?:s|ing)?|miss(?:es|ing)?|neither|nor|except|n't|exclud(?:es|ing)|absent)\b",
    re.IGNORECASE,
)
_NEGATIVE = (Operator.MISSING, Operator.NOT_EQUAL)


def unsaid(question: str, plan: Plan, catalogue: Catalogue) -> tuple[str, ...]:
    """What the plan leaves out, in the order of the question; the answer says so, as of any plan."""
    said = text_terms(" ".join(_texts(plan, catalogue)))
    figures = re.sub(r"[^0-9]+", " ", " ".join(_texts(plan, catalogue))).split()
    found = []
    for match in _LITERAL.finditer(question):
        text = match["quoted"] or match[0]
        terms = text_terms(text)
        digits = re.sub(r"[^0-9]+", " ", text).split()
        if not (terms & said or (digits and set(digits) <= set(figures)) or not terms):
            found.append(text)
    negation = _NEGATION.search(question)
    if negation is not None and not _is_negative(plan):
        found.append(negation[0])
    return tuple(dict.fromkeys(found))


def _texts(plan: Plan, catalogue: Catalogue) -> Iterator[str]:
    for node in plan.nodes:
        yield from spec_of(node).words(node)
        for name in (name for name in spec_of(node).fields(node) if name):
            entry = catalogue.field(name)
            yield " ".join((name, *((entry.title, *entry.synonyms, *entry.phrases) if entry else ())))
        yield getattr(node, "text", "")
        if isinstance(node, ScopedNode):
            yield from _scope(node, catalogue)
        if isinstance(node, SelectionNode):
            yield from (str(each.value) for each in flattened(node.conditions))
    yield " ".join(plan.uncovered)


def _scope(node: ScopedNode, catalogue: Catalogue) -> Iterator[str]:
    schema = catalogue.schema(node.scope.schema_name)
    if schema is not None:
        yield " ".join((schema.title, *schema.words))
    for id in node.scope.documents:
        entry = catalogue.document(id)
        yield f"{entry.name} {entry.source}" if entry is not None else ""
    yield from node.scope.buckets


def _is_negative(plan: Plan) -> bool:
    def negates(each: Condition) -> bool:
        return each.op in _NEGATIVE or str(each.value).casefold() in ("false", "absent")

    return any(
        (isinstance(node, Combine) and node.how == "difference")
        or (isinstance(node, SelectionNode) and any(map(negates, flattened(node.conditions))))
        for node in plan.nodes
    )
