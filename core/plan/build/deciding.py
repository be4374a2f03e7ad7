"""Yes-or-no questions: what a plan decides, and which of its conditions only say what it is about."""

from __future__ import annotations

import re
from typing import Literal

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Choice, Condition, Node, Plan, SelectionNode, flattened, is_about, spec_of
from core.plan.language.pieces import Ask, Filler, Mentions, Noun, tokens_of

Decides = Literal["", "any", "all", "there", "missing"]

_UNIVERSAL = frozenset(["all", "every", "each", "both"])
_OPEN = frozenset(["any", "a", "an", "some", "single", "one", "least", "even", "no", "not"])
_ANY = re.compile(
    r"^(?:so |and |but |ok |well )?(?:is|are|was|were|has|have|had) there\b"
    r"|^(?:so |and |but |ok |well )?(?:do|did|have|has|had|are|is|were) (?:we|you|i|they|any\w*|some\w*)\b",
    re.IGNORECASE,
)

_OF_ANY = re.compile(
    r"^(?:(?:so|and|but|ok|well),? )?(?:do|does|did|have|has|had|is|are|was|were|can|could|may|must"
    r"|will|would|should)"
    r" (?:any|some|(?:at least )?one|either|even one)\b",
    re.IGNORECASE,
)


_FORBIDS = re.compile(r"^(?:anti|non|no|covenant not)\b|restrict", re.IGNORECASE)
_FORBIDDING = re.compile(
    r"\b(?:anti|non|no|not|never|nobody|restrict\w*|prohibit\w*|forbid\w*|forbidden|ban\w*|bars?|barr\w+|prevent\w*|"
    r"covenants?|limit\w*|clauses?|stop\w*|free)\b|n['’]t\b",
    re.IGNORECASE,
)


_ALLOWING = re.compile(r"\b(?:allow\w*|permit\w*|may|can|lets?|free|able)\b", re.IGNORECASE)


def deciding(plan: Plan, decides: Decides, catalogue: Catalogue, *, reads_polarity: bool = False) -> Plan:
    """The plan as one that decides this; conditions on names then say which documents it is about.

    reads_polarity: the plan says which conditions hold and which do not, whatever their fields are called.
    """
    is_open = not reads_polarity or bool(_ALLOWING.search(plan.question))
    if not decides or (is_open and _is_said_by_opposite(plan, decides, catalogue)):
        return plan
    nodes = tuple(_about_names(node, catalogue) for node in plan.nodes)
    return plan.model_copy(update={"decides": decides, "nodes": nodes})


def decides_of(mentions: Mentions, plan: Plan, catalogue: Catalogue) -> Decides:
    """The point of a yes-or-no question about the set that its plan gives; "" for other questions."""
    first = next((each.meaning for each in mentions.pieces if not isinstance(each.meaning, Filler)), None)
    is_whether = isinstance(first, Ask) and first.how == "whether"
    if not (is_whether or asks_for_any(mentions.question)) or plan.answer_node is None:
        return ""
    node = plan.node(plan.answer_node)
    if not isinstance(node, SelectionNode) and not spec_of(node).joins(node):
        return ""
    found = ((piece, piece.meaning) for piece in mentions.pieces if isinstance(piece.meaning, Noun))
    piece, noun = next(found, (None, None))
    before = {token.word for token in mentions.tokens[: piece.first]} if piece is not None else set()
    if before & _UNIVERSAL:
        return "all"
    if not _asks_whether(node, catalogue, is_set=noun is not None):
        return ""  # a value is shown: "do we have to pay for it", where an amount is stated
    if plan.single or _names_documents(plan):
        return "any" if asks_of_any(mentions.question) and _names_several(plan) else "there"
    is_open = asks_for_any(mentions.question) or bool(before & _OPEN)
    if is_open or noun is None or not _names(node, catalogue):
        return "any"
    return "all" if noun.is_plural else "there"


def _asks_whether(node: Node, catalogue: Catalogue, *, is_set: bool) -> bool:
    """True where documents are asked for something, or what is shown only says that something is there."""
    if not isinstance(node, SelectionNode) or (
        is_set and any(not is_about(each) for each in node.conditions)
    ):
        return True
    shown = [catalogue.field(name, node.scope.schema_name) for name in node.fields]
    return all(entry is not None and entry.type is FieldType.BOOLEAN for entry in shown)


def _is_said_by_opposite(plan: Plan, decides: Decides, catalogue: Catalogue) -> bool:
    """True where a field says that something is forbidden, and the question has no word for that.

    "Does it allow assignment?" is no where it forbids that, and not where it does not.
    """
    if decides == "missing" or _FORBIDDING.search(plan.question):
        return False
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    names = [(name, node) for node in selects for name in _fields(node)]
    entries = [catalogue.field(name, node.scope.schema_name) for name, node in names]
    return any(entry is not None and _FORBIDS.search(entry.title) for entry in entries)


def _fields(node: SelectionNode) -> list[str]:
    return [*node.fields, *(each.field for each in flattened(node.conditions))]


def asks_for_any(question: str) -> bool:
    """True where a question asks whether there is anything of a kind: "is there a ...", "do we have ..."."""
    return bool(_ANY.search(question))


def asks_of_any(question: str) -> bool:
    """True where it is asked of one at least of several: "do any of the pumps ...", "has one of them ..."."""
    return bool(_OF_ANY.search(question))


def is_universal(question: str) -> bool:
    """True where a question asks it of all: "do all contracts ...", "does every lease ..."."""
    return bool(_UNIVERSAL & {token.word for token in tokens_of(question)})


def _names_documents(plan: Plan) -> bool:
    return any(isinstance(node, SelectionNode) and node.scope.documents for node in plan.nodes)


def _names_several(plan: Plan) -> bool:
    return any(isinstance(node, SelectionNode) and len(node.scope.documents) > 1 for node in plan.nodes)


def _names(node: Node, catalogue: Catalogue) -> bool:
    return isinstance(node, SelectionNode) and any(_is_name(each, catalogue) for each in node.conditions)


def _about_names(node: Node, catalogue: Catalogue) -> Node:
    """The node with its conditions on organisations as what it is about, where it asks for anything else."""
    if not isinstance(node, SelectionNode) or node.of != "documents":
        return node
    others = [each for each in node.conditions if not _is_name(each, catalogue) and not is_about(each)]
    if not others:
        return node
    marked = tuple(_narrowing(each) if _is_name(each, catalogue) else each for each in node.conditions)
    return node.model_copy(update={"conditions": marked})


def _is_name(clause: Condition | Choice, catalogue: Catalogue) -> bool:
    if isinstance(clause, Choice):
        return all(_is_name(each, catalogue) for each in clause.any_of)
    entry = catalogue.field(clause.field)
    return entry is not None and entry.type is FieldType.PARTY and bool(clause.value)


def _narrowing(clause: Condition | Choice) -> Condition | Choice:
    if isinstance(clause, Choice):
        return Choice(any_of=tuple(each.model_copy(update={"narrows": True}) for each in clause.any_of))
    return clause.model_copy(update={"narrows": True})
