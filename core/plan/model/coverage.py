"""Guard of a model's plan: names, figures and negations of the question that nothing in it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
    found = unsaid_names(question, " ".join(_texts(plan, catalogue)))
    negation = _NEGATION.search(question)
    if negation is not None and not _is_negative(plan):
        found.append(negation[0])
    return tuple(dict.fromkeys(found))


def unsaid_words(question: str, text: str) -> tuple[str, ...]:
    """Names, figures and negation of a question that a text leaves out, in the order of the question."""
    negation = _NEGATION.search(question)
    lost = (negation[0],) if negation is not None and not _NEGATION.search(text) else ()
    return (*dict.fromkeys(unsaid_names(question, text)), *lost)


def unmet(constraints: Sequence[str], question: str, plan: Plan, catalogue: Catalogue) -> tuple[str, ...]:
    """The constraints, in the question's words, of which no step and no purpose of one says a word."""
    asked = text_terms(question)
    said = text_terms(" ".join((*_texts(plan, catalogue), *(node.purpose for node in plan.nodes))))
    told = (" ".join(each.split())[:200] for each in constraints)
    return tuple(each for each in told if text_terms(each) <= asked and not text_terms(each) & said and each)


def invented(text: str, question: str, *, is_sentence: bool = True) -> tuple[str, ...]:
    """Words with a figure or capital that the question has not; a sentence may begin with a capital."""
    known = text_terms(question)
    return tuple(
        word
        for at, word in enumerate(text.split())
        if (
            any(map(str.isdigit, word))
            or any(map(str.isupper, word[1:] if is_sentence and at == 0 else word))
        )
        and not text_terms(word) <= known
    )


def unsaid_names(question: str, text: str) -> list[str]:
    """Names and figures of a question that a text leaves out."""
    said = text_terms(text)
    figures = re.sub(r"[^0-9]+", " ", text).split()
    found = []
    for match in _LITERAL.finditer(question):
        name = match["quoted"] or match[0]
        terms = text_terms(name)
        digits = re.sub(r"[^0-9]+", " ", name).split()
        if not (terms & said or (digits and set(digits) <= set(figures)) or not terms):
            found.append(name)
    return found


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
