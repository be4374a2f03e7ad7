"""Conditions, groups and names as sentences say them: titles, not names; separators; dates in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import Operator
from core.domain.value_text import duration, grouped, period, shortened
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import (
    Choice,
    ComputationNode,
    Condition,
    Node,
    OtherField,
    Plan,
    Reference,
    SelectionNode,
    flattened,
    is_about,
    spec_of,
)
from core.plan.ir.verbalise import KIND, limit_text
from core.text import nouns
from core.text.titles import as_clause, phrase, with_article

if TYPE_CHECKING:
    from core.answer.computed.source import AnswerFacts
    from core.domain.results import Documents, Stopped

_NAMING = (Operator.EQUAL, Operator.CONTAINS, Operator.MATCHES, Operator.IN)
_SHARED = ("have", "lack", "mention", "name")  # verbs that are said once of several things
_ONE = {
    "fall": "falls",
    "name": "names",
    "have": "has",
    "lack": "lacks",
    "mention": "mentions",
    "do": "does",
    "are": "is",
}
_VERB = re.compile(r"(?<!those that )\b(?:have|lack|mention|do|are|name|fall)\b(?= )")
_AMOUNT = re.compile(r"(-?\d+(?:\.\d+)?)(?:\s+(\S.*))?")
_QUOTED = re.compile(r"'([a-z][a-z0-9_]*)((?:\.[a-z]+)?)'")
_NODE = re.compile(r"'([a-z]+(?:-\d+)+)'")
_BARE = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")
Found = Mapping[str, str]  # what hops found, by node, in words


def singular(noun: str) -> str:
    """One of a plural: `contracts` -> `contract`, `invoices and receipts` -> `invoice or receipt`."""
    return " or ".join(map(nouns.singular, re.split(r" (?:and|or) ", noun)))


def counted(count: int, noun: str) -> str:
    """`1 contract`, `1,204 contracts`."""
    return f"{count:,} {noun if count != 1 else singular(noun)}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def of_one(said: str) -> str:
    """Verbs of many turned to those of one: `have a cap and lack notice` -> `has a cap and lacks notice`."""
    return _VERB.sub(lambda match: _ONE[match.group()], said)


def said_of(plan: Plan, node: Node, facts: AnswerFacts, found: Found | None = None) -> str:
    """Predicate of a node's documents, of many: `have a cap above USD 500,000 and lack notice`, or ""."""
    if isinstance(node, SelectionNode):
        said = as_asked(
            _all_of([each for each in node.conditions if _asks(each)], facts, found or {}), plan.question
        )
        behind = [said_of(plan, plan.node(id), facts, found) for id in node.inputs if _is_set(plan.node(id))]
        return listed([part for part in (*behind, said) if part])
    joint = spec_of(node).joins(node)
    if joint:
        whole, *others = [said_of(plan, plan.node(id), facts, found) for id in node.inputs]
        others = [part for part in others if part]
        if joint != "not":
            return listed([part for part in (whole, *others) if part], joint)
        if not others:
            return whole
        return f"{f'{whole} but ' if whole else ''}fall outside those that {listed(others, 'or')}"
    if isinstance(node, ComputationNode):
        return listed([part for id in node.inputs if (part := said_of(plan, plan.node(id), facts, found))])
    return ""


def about_of(plan: Plan, node: Node, facts: AnswerFacts, unknown: bool, found: Found | None = None) -> str:
    """Relative clause of the documents asked about: ` that have Iowa as governing law`; "" for a whole kind.

    unknown: it is not known of some of them, which were asked about all the same.
    """
    if isinstance(node, ComputationNode) and len(node.inputs) == 1:
        return about_of(plan, plan.node(node.inputs[0]), facts, unknown, found)
    if not isinstance(node, SelectionNode):
        return ""
    chosen = [each for each in node.conditions if not _asks(each) and getattr(each, "field", "") != KIND]
    said = as_asked(_all_of(chosen, facts, found or {}), plan.question)
    verb, _, rest = said.partition(" ")
    if not said:
        return ""
    if unknown and verb not in _ONE:
        return f" that {said}, or may do so,"
    return f" that {verb}, or may {verb}, {rest}" if unknown else f" that {said}"


def as_asked(said: str, question: str) -> str:
    """With names in the letters of the question: conditions hold them folded."""

    def written_so(match: re.Match[str]) -> str:
        found = re.search(rf"(?<!\w){re.escape(match.group())}(?!\w)", question, re.IGNORECASE)
        return found.group() if found and found.group()[0].isupper() else match.group()

    return re.sub(r"(?<= )[a-z][a-z&.'-]+(?= as |$| or | and |,)", written_so, said)


def _is_set(node: Node) -> bool:
    return isinstance(node, SelectionNode) or bool(spec_of(node).joins(node))


def _asks(clause: Condition | Choice) -> bool:
    return not is_about(clause)


def _all_of(clauses: Sequence[Condition | Choice], facts: AnswerFacts, found: Found) -> str:
    """Clauses that must all hold: `have both notice and a cap, and lack insurance`."""
    return together([_clause(each, facts, found, is_alone=len(clauses) == 1) for each in clauses])


def together(parts: Sequence[str]) -> str:
    """Conditions that hold at once, with a verb that several have said once."""
    groups: list[tuple[str, list[str]]] = []
    for part in parts:
        verb, _, rest = part.partition(" ")
        shared = verb if verb in _SHARED else ""
        if shared and groups and groups[-1][0] == shared:
            groups[-1][1].append(rest)
        else:
            groups.append((shared, [rest if shared else part]))
    said = []
    for verb, things in groups:
        has_choice = any(each.startswith("either ") for each in things)
        lead = "" if len(things) < 2 or has_choice else "both " if len(things) == 2 else "all of "
        of_all = ", and ".join(things) if has_choice else listed(things)
        said.append(f"{verb} {lead}{of_all}".strip())
    if len(said) == 2 and any(len(things) > 1 or not verb for verb, things in groups):
        return ", and ".join(said)
    return listed(said)


def _any_of(parts: Sequence[str], *, is_alone: bool) -> str:
    """Of what at least one holds; `either` where it stands beside others."""
    verbs = {part.partition(" ")[0] for part in parts}
    verb = verbs.pop() if len(verbs) == 1 else ""
    either = "" if is_alone else "either "
    if verb in _SHARED and verb != "lack":  # "lack a or b" may mean that both are missing
        return f"{verb} {either}{listed([part.partition(' ')[2] for part in parts], 'or')}"
    return f"{either}{listed(parts, 'or')}"


def _clause(clause: Condition | Choice, facts: AnswerFacts, found: Found, *, is_alone: bool) -> str:
    if isinstance(clause, Choice):
        names = _names(clause, found)
        if names:
            return f"name {listed([facts.party(each) for each in names], 'or')}"
        return _any_of([_said(each, facts, found) for each in clause.any_of], is_alone=is_alone)
    return _said(clause, facts, found)


def _names(clause: Choice, found: Found) -> list[str]:
    """Names of a choice, where each may stand in any of several fields, whoever it is there; else []."""
    fields: dict[Any, set[str]] = {}
    for each in clause.any_of:
        if each.op not in _NAMING or each.value in (True, "true", "false"):
            return []
        fields.setdefault(each.value, set()).add(each.field)
    asked = {frozenset(own) for own in fields.values()}
    count = sum(len(own) for own in fields.values())
    if len(asked) != 1 or len(next(iter(asked))) < 2 or count != len(clause.any_of):
        return []
    names: list[str] = []
    for value in fields:
        if isinstance(value, Reference):
            value = found.get(value.node, "who was looked up")
        names += [value] if isinstance(value, str) else [str(each) for each in value]
    return names


def _said(condition: Condition, facts: AnswerFacts, found: Found) -> str:
    stem, _, aspect = condition.field.partition(".")
    title, kind = phrase(facts.field_title(stem)), facts.field_type(stem)
    value = condition.value
    if isinstance(value, OtherField):
        other = "other than" if condition.op is Operator.NOT_EQUAL else "equal to"
        sign = limit_text(condition.op) or other
        return f"have {with_article(title)} {sign} the {phrase(facts.field_title(value.field))}"
    if condition.minus:
        title = f"time from {phrase(facts.field_title(condition.minus))} to {title}"
        kind = FieldType.DURATION
    elif aspect:
        title = f"{'currency' if kind is FieldType.MONEY else aspect} of the {title}"
        kind = FieldType.TEXT
    if condition.op is Operator.MISSING:
        return f"lack {_lacking(title, kind)}"
    is_flag = condition.op is Operator.EQUAL and value in ("true", "false")
    if is_flag or condition.op is Operator.IS:
        what = as_clause(title) if kind is FieldType.BOOLEAN else with_article(title)
        return f"have {what}" if value in ("true", "present", ()) else f"lack {_lacking(title, kind)}"
    if isinstance(value, Reference):
        values = [found.get(value.node, "the value that was looked up")]
    else:
        values = [written(each, kind) for each in ((value,) if isinstance(value, str) else value)]
    if kind is FieldType.PARTY:
        values = [facts.party(each) for each in values]
    if condition.op is Operator.BETWEEN and len(values) == 2:
        return f"have {with_article(title)} from {values[0]} to {values[1]}"
    if condition.op in (Operator.CONTAINS, Operator.MATCHES):
        return f"mention “{listed(values, 'or')}” as {title}"
    limit = limit_text(condition.op, is_date=kind is FieldType.DATE)
    if limit:
        return f"have {with_article(title)} {limit} {values[0]}"
    if condition.op is Operator.NOT_EQUAL:
        return f"have {with_article(title)} other than {listed(values, 'or')}"
    if condition.field == KIND:
        return f"are of the kind {listed(values, 'or')}"
    return f"have {listed(values, 'or')} as {title}"


def _lacking(title: str, kind: FieldType) -> str:
    return as_clause(title) if kind is FieldType.BOOLEAN else title


def written(text: str, kind: FieldType) -> str:
    """A canonical value in words: `100000 USD` -> `USD 100,000`, `2024-10-03` -> `3 Oct 2024`."""
    if kind is FieldType.DATE:
        return period(text)
    if kind not in AMOUNTS:
        return text
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return duration(text) if kind is FieldType.DURATION else text
    unit = match[2] or ""
    try:
        amount = grouped(shortened(Decimal(match[1])), unit or kind.value.removeprefix("number"))
    except InvalidOperation:
        return text
    if kind is FieldType.MONEY:
        whole = amount.removesuffix(".00").removesuffix(".0")
        return f"{unit} {whole}".strip()
    return f"{amount} {unit}".strip()


def in_titles(text: str, catalogue: Catalogue, purposes: Mapping[str, str]) -> str:
    """A message with the titles of fields in place of their names, and of nodes what they are for."""

    def quoted(match: re.Match[str]) -> str:
        entry = catalogue.field(match[1])
        if entry is None:
            return purpose(match)
        of = "the unit or currency of " if match[2] == ".unit" else ""
        return f"{of}“{entry.title}”"

    def purpose(match: re.Match[str]) -> str:
        return f"“{purposes[match[1]]}”" if match[1] in purposes else match[0]

    def bare(match: re.Match[str]) -> str:
        entry = catalogue.field(match[0])
        return phrase(entry.title) if entry is not None else match[0]

    said = _NODE.sub(purpose, _QUOTED.sub(quoted, text))
    return _BARE.sub(bare, said)


MIXED = "documents"
MAIN = "agreement"  # the kind that a schema of contracts is called by


def noun_of(catalogue: Catalogue, subject: SelectionNode | None, documents: Documents) -> str:
    """Noun for the documents: by their schema, unless several kinds of it are in scope and none was named.

    A policy is a document of the schema of contracts, and no contract.
    """
    entry = catalogue.schema(subject.scope.schema_name) if subject and subject.scope.schema_name else None
    if subject is None or entry is None:
        return MIXED
    if _names_kind(subject) or len(set(_kinds(catalogue, documents.scope)) - {""}) < 2:
        return entry.title.casefold()
    return MIXED


def kind_noun(catalogue: Catalogue, subject: SelectionNode | None) -> str:
    """Noun for documents of their kind in a question: `contracts`, `amendments`."""
    entry = catalogue.schema(subject.scope.schema_name) if subject and subject.scope.schema_name else None
    if subject is None or entry is None:
        return MIXED
    kinds = [each.value for each in subject.conditions if isinstance(each, Condition) and each.field == KIND]
    named = [kind for kind in kinds if isinstance(kind, str) and kind != MAIN]
    return kind_plural(named[0]) if named else entry.title.casefold()


def _names_kind(subject: SelectionNode) -> bool:
    return any(each.field == KIND for each in flattened(subject.conditions))


def _kinds(catalogue: Catalogue, documents: Iterable[str]) -> Iterable[str]:
    for id in documents:
        entry = catalogue.document(id)
        yield entry.kind if entry is not None else ""


def kind_plural(kind: str) -> str:
    """Documents of a kind: `policies`, `credit notes`."""
    return nouns.plural(kind.replace("_", " "))


_MONEY = re.compile(r"\b-?\d+(?:\.\d+)? [A-Z]{3}\b")


def in_words(why: Stopped, plan: Plan, catalogue: Catalogue) -> Stopped:
    """The same with titles in place of the names of fields and nodes, and amounts with their separators."""
    purposes = {node.id: node.purpose for node in plan.nodes}

    def said(text: str) -> str:
        return _MONEY.sub(
            lambda match: written(match.group(), FieldType.MONEY), in_titles(text, catalogue, purposes)
        )

    return why.model_copy(
        update={
            "reason": said(why.reason),
            "next_step": said(why.next_step),
            "options": tuple(said(option) for option in why.options),
        }
    )
