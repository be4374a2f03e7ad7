"""Lists of documents that a computed answer gives, with the ledger that they add up in."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from core.answer.computed.draft import ComputedDraft, DraftLine, cell_value
from core.answer.computed.source import AnswerFacts
from core.answer.computed.templates import PENDING, REASONS, TOP_K
from core.answer.computed.wording import counted, listed, of_one
from core.answer.standing import HIGH
from core.domain.answer import Column, Ledger, LedgerDocuments, Table, Value
from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.domain.results import Documents, Unknown
from core.plan.ir.nodes import Condition, OtherField, SelectionNode, flattened, is_about
from core.search.evidence.base import Span
from core.text.nouns import is_plural, singular
from core.text.titles import be, phrase

_OF_NOTHING = ("", "documents", "rows")


def ledger_of(
    documents: Documents, field: str, *, is_lack: bool = False, title: Callable[[str], str] = str
) -> Ledger:
    """The ledger over a set of documents. is_lack: they were asked for lacking the field.

    present and absent are then about the field: present has it, absent lacks it. title: what a field is
    called.
    """
    present, absent = documents.present, documents.absent
    if is_lack:
        present, absent = absent, present
    scope = documents.scope
    lists = LedgerDocuments(
        present=tuple(sorted(present)),
        absent=tuple(sorted(absent)),
        unreadable=tuple(sorted(documents.unreadable)),
        uncertain=tuple(sorted(documents.uncertain)),
        pending=tuple(sorted(pending_of(documents))),
    )
    return Ledger(
        field=field,
        scope=len(scope),
        is_exhaustive=documents.is_exhaustive,
        present=len(lists.present),
        absent=len(lists.absent),
        unreadable=len(lists.unreadable),
        uncertain=len(lists.uncertain),
        pending=len(lists.pending),
        documents=lists,
        about=listed([phrase(title(name)) for name in field.split(", ") if name not in _OF_NOTHING]),
        reasons={id: _reason(why, title) for id, why in sorted(documents.unknown.items()) if id in scope},
    )


def _reason(why: Unknown, title: Callable[[str], str]) -> str:
    if why.field and (why.value or _is_currency(why.reason)):
        called = title(why.field)
        where = why.reason if why.reason.startswith("in ") else f"in {why.reason}"
        return f"{called} {be(called)} stated {where}, which is not compared with other units"
    said = REASONS.get(why.reason, why.reason)
    return f"{title(why.field)}: {said}" if why.field else said[:1].upper() + said[1:]


def asked_fields(node: SelectionNode) -> tuple[str, ...]:
    """The fields that a selection asks its documents for, those that only say what it is about left out."""
    conditions = flattened(node.conditions)
    asked = (name for each in conditions if not each.narrows for name in _needed(each))
    return tuple(dict.fromkeys(asked))


def _needed(condition: Condition) -> tuple[str, ...]:
    """The fields whose values a condition needs."""
    other = condition.value.field if isinstance(condition.value, OtherField) else condition.minus
    own = condition.field.removesuffix(".unit")
    return (own, other) if other else (own,)


def is_lack(node: SelectionNode) -> bool:
    """True where a selection asks for nothing but that one field is missing."""
    asked = [each for each in node.conditions if not is_about(each)]
    return len(asked) == 1 and isinstance(asked[0], Condition) and asked[0].op is Operator.MISSING


def pending_of(documents: Documents) -> frozenset[str]:
    """The documents of which it is not known what was asked only because they are still being read."""
    return frozenset(id for id in documents.uncertain if _is_pending(documents.unknown.get(id)))


def _is_pending(why: Unknown | None) -> bool:
    return why is not None and why.reason == PENDING


def pending_sentence(documents: Documents, noun: str, about: str = "") -> str:
    """That documents are still being read, and how many of how many; "" where none is."""
    pending = len(pending_of(documents))
    if not pending:
        return ""
    what = f" for {about}" if about else ""
    return f"Still reading {pending:,} of {counted(len(documents.scope), noun)}{what}: not counted yet."


def unknown_sentences(
    documents: Documents, noun: str, about: str = "", title: Callable[[str], str] = str
) -> tuple[str, ...]:
    """Gaps between the answer and certainty, in words; () where all is known.

    about: the titles of the fields that were asked for. title: what a field is called.
    """
    found = [] if documents.is_exhaustive else [TOP_K]
    if not documents.scope:
        found.append(f"There are no {noun} of those that the question names: nothing could be counted.")
    if documents.unreadable:
        found.append(f"{counted(len(documents.unreadable), noun)} could not be read.")
    if still := pending_sentence(documents, noun, about):
        found.append(still)
    uncertain = documents.uncertain - in_other_units(documents).keys() - pending_of(documents)
    for (field, unit), ids in of_other_units(documents).items():
        uncertain -= ids
        found.append(
            f"{counted(len(ids), noun)} {'is' if len(ids) == 1 else 'are'} uncertain: "
            f"{phrase(title(field))} {be(title(field))} stated in {unit}, which is not compared with "
            f"other units. Ask in {unit} to compare."
        )
    if uncertain:
        one = len(uncertain) == 1
        what = f" what {'it states' if one else 'they state'} about {about}" if about else ""
        found.append(
            f"{counted(len(uncertain), noun)} {'is' if one else 'are'} uncertain:"
            f"{what or ' what was read'} is not sure enough to count."
        )
    return tuple(found)


def of_other_units(documents: Documents) -> dict[tuple[str, str], frozenset[str]]:
    """By field and unit the documents that were asked in another unit than the one that they state."""
    found: dict[tuple[str, str], set[str]] = {}
    for id, why in documents.unknown.items():
        if _is_currency(why.reason) and why.field and not why.value and id in documents.uncertain:
            found.setdefault((why.field, why.reason), set()).add(id)
    return {of: frozenset(ids) for of, ids in sorted(found.items(), key=lambda each: min(each[1]))}


def _is_currency(reason: str) -> bool:
    return len(reason) == 3 and reason.isupper()


def in_other_units(documents: Documents) -> dict[str, Unknown]:
    """The documents that take no part since what they state is in another currency or unit than most."""
    return {id: why for id, why in documents.unknown.items() if why.value and id in documents.uncertain}


def left_out_sentences(documents: Documents, title: Callable[[str], str]) -> tuple[str, ...]:
    """Documents left out for the currency or unit of what they state, in words. title: of a document."""
    apart = sorted((title(id), why.value, why.reason) for id, why in in_other_units(documents).items())
    if not apart:
        return ()
    said = ", ".join(f"{name} ({value}, {reason})" for name, value, reason in apart)
    return (f"Left out, since amounts in different units have no common order or sum: {said}.",)


STATES_SEVERAL = "The document states several; which of them is asked for is not certain."
_ASKS_ONE = re.compile(r"\b(?:(?:what|which|when) (?:is|was|does|did)|how (?:much|many|long|high))\b", re.I)
MOST_LINES = 25
"""Documents that are told one by one, each with its citations; the table always has them all."""


def compose_documents(
    node: SelectionNode, found: Documents, facts: AnswerFacts, noun: str, said: str = "", about_them: str = ""
) -> ComputedDraft:
    """The documents that were found. said: what they fulfil, of many (`lack notice`)."""
    chosen = found.order or tuple(sorted(found.present, key=lambda id: (facts.title(id).casefold(), id)))
    shown = shown_fields(node)
    lines = [replace(line_of(id, shown, facts), row=at) for at, id in enumerate(chosen[:MOST_LINES])]
    lacks = is_lack(node)
    field = ", ".join(asked_fields(node))
    value = _the_value(chosen, node, facts)
    unread = tuple(id for id in chosen if any((id, name) in facts.pending for name in shown))
    return ComputedDraft(
        lead=DraftLine(
            _value_lead(chosen[0], node, facts)
            if value
            else _stated_lead(chosen, node, facts, noun, said)
            or _lead(node, found, len(chosen), noun, said, about_them)
        ),
        lines=tuple(lines),
        value=value,
        table=table_of(chosen, shown, facts),
        ledger=ledger_of(found, field, is_lack=lacks, title=facts.field_title),
        gaps=(
            *unknown_sentences(found, noun, about(asked_fields(node), facts), facts.field_title),
            *_unread_sentences(unread, len(chosen), shown, facts, noun),
            *left_out_sentences(found, facts.title),
        ),
        left_out=max(0, len(chosen) - MOST_LINES),
        unread=unread,
        confidence=round(facts.confidence * known_share(found), 4),
    )


def one_of_several(
    draft: ComputedDraft, question: str, chosen: Collection[str], node: SelectionNode, facts: AnswerFacts
) -> ComputedDraft:
    """The draft, not HIGH where one figure or day is asked for, and its one document states several."""
    asked = _asked(node)
    if len(chosen) != 1 or len(asked) != 1 or facts.field_type(asked[0]) not in ORDERED:
        return draft
    values = {each.text for id in chosen for each in facts.values(id, asked[0])}
    plurals = {singular(word).casefold() for word in re.findall(r"\w+", question) if is_plural(word)}
    is_of_all = bool(plurals & {singular(word).casefold() for word in facts.field_title(asked[0]).split()})
    if len(values) < 2 or is_of_all or not _ASKS_ONE.search(question):
        return draft
    most = min(draft.confidence, HIGH - 0.01)
    return replace(draft, gaps=(*draft.gaps, STATES_SEVERAL), confidence=most)


def _unread_sentences(
    unread: Sequence[str], count: int, shown: Sequence[str], facts: AnswerFacts, noun: str
) -> tuple[str, ...]:
    """That what is shown of some of these documents is still being read; () where all of it was."""
    if not unread:
        return ()
    fields = [name for name in shown if any((id, name) in facts.pending for id in unread)]
    return (f"Still reading {len(unread):,} of {counted(count, noun)} for {about(fields, facts)}.",)


def shown_fields(node: SelectionNode) -> tuple[str, ...]:
    """The fields that an answer shows of each document: what was asked for, and what chose and ordered it."""
    ordered = (node.order_by,) if node.order_by else ()
    return tuple(dict.fromkeys((*node.fields, *ordered, *asked_fields(node))))


MOST_ASKED = 4  # fields that a question names; more of them are shown without being asked for


def with_unstated(
    draft: ComputedDraft,
    fields: Sequence[str],
    found: Documents,
    facts: AnswerFacts,
    *,
    is_chosen: bool = False,
) -> ComputedDraft:
    """The draft that says which of the fields that were asked for no document states, where more is shown.

    is_chosen: what the documents were chosen by is shown, too.
    """
    shown = [name for name in fields if any(facts.text(id, name) is not None for id in found.present)]
    own = [name for name in fields if any(facts.has_field(id, name) for id in found.present)]
    left = [name for name in own if name not in shown]
    is_more_shown = bool(shown or is_chosen) and bool(found.present)
    if not left or not is_more_shown or len(fields) > MOST_ASKED:
        return draft
    said = " or ".join(phrase(facts.field_title(name)) for name in left)
    where = "it" if len(found.present) == 1 else "any of them"
    if any((id, name) in facts.pending for id in found.present for name in left):
        told = f"The {said} is still being read."
        return replace(draft, lead=replace(draft.lead, text=f"{draft.lead.text} {told}"))
    is_known = all(facts.is_absent(id, name) for id in found.present for name in left)
    verb = be(facts.field_title(left[-1]))
    told = f"No {said} {verb} stated in {where}." if is_known else f"No {said} could be read from {where}."
    return replace(draft, lead=replace(draft.lead, text=f"{draft.lead.text} {told}"))


def line_of(document: str, fields: Sequence[str], facts: AnswerFacts) -> DraftLine:
    """A document with what it states in some fields, and where."""
    parts: list[str] = []
    spans: list[Span] = []
    for name in fields:
        text, is_clause = facts.text(document, name), facts.field_type(name) is FieldType.BOOLEAN
        if text is None and not is_clause:
            continue  # what might be meant in a cell that is not sure is nothing that the document states
        spans += facts.spans(document, name)
        if text is not None and not is_clause:
            parts.append(f"{facts.field_title(name)}: {text}")
    return DraftLine("; ".join(parts), tuple(dict.fromkeys(spans)), label=facts.title(document))


def about(fields: Sequence[str], facts: AnswerFacts) -> str:
    """The titles of fields in a sentence."""
    return listed([phrase(facts.field_title(name)) for name in fields if name])


def _value_lead(document: str, node: SelectionNode, facts: AnswerFacts) -> str:
    """Of one document and one field: `The expiration date of “Software License” is 30 Jun 2025.`"""
    field = _asked(node)[0]
    title, text = phrase(facts.field_title(field)), facts.text(document, field)
    if facts.field_type(field) is FieldType.BOOLEAN:
        return f"“{facts.title(document)}” has {'no ' if facts.is_absent(document, field) else ''}{title}."
    return f"The {title} of “{facts.title(document)}” {be(title)} {text}."


def _stated_lead(chosen: Sequence[str], node: SelectionNode, facts: AnswerFacts, noun: str, said: str) -> str:
    """What the documents state in the fields that are asked for; "" where no field is, or none is stated.

    Of one document the values, of more that they follow: how many documents there are answers none of it.
    """
    asked = tuple(name for name in _asked(node) if facts.field_type(name) is not FieldType.BOOLEAN)
    stated = [name for name in asked if any(facts.text(id, name) is not None for id in chosen)]
    if said or not chosen or len(asked) > MOST_ASKED or (node.limit and node.order_by):
        return ""
    if len(chosen) == 1 and stated:
        told = listed([f"{phrase(facts.field_title(name))} {facts.text(chosen[0], name)}" for name in stated])
        return f"“{facts.title(chosen[0])}” states: {told}."
    if not stated:
        return ""
    return f"{about(stated, facts).capitalize()} of {counted(len(chosen), noun)}, one by one."


def _lead(node: SelectionNode, found: Documents, count: int, noun: str, said: str, about: str) -> str:
    scope = len(found.scope)
    if not said and node.limit and node.order_by and not count:
        return f"None of {counted(scope, noun)} is known to state what they are put in order by."
    if not said and node.limit and node.order_by:
        return f"{counted(count, noun)} of {scope:,}, in order."
    if not said:
        return f"There {'is' if count == 1 else 'are'} {counted(count, noun)}."
    if count == 0:
        return _none(found, counted(scope, noun), noun, said, about)
    return f"{count:,} of {counted(scope, noun)}{about} {of_one(said) if count == 1 else said}."


def _none(found: Documents, all_of_them: str, noun: str, said: str, about: str) -> str:
    """That there is none, as far as that is known."""
    if not (found.uncertain or found.unreadable) or said.startswith("are "):
        return f"None of {all_of_them}{about} {of_one(said)}."
    units = [
        f"{counted(len(ids), noun)} {'states' if len(ids) == 1 else 'state'} it in {unit}"
        for (_, unit), ids in of_other_units(found).items()
    ]
    why = f": {listed(units)}, which is not compared" if units else ""
    return f"None of {all_of_them}{about} is known to {said}{why}."


def _the_value(chosen: Sequence[str], node: SelectionNode, facts: AnswerFacts) -> Value | None:
    """The one value that was asked for: of one document and one field."""
    asked = _asked(node)
    if len(chosen) != 1 or len(asked) != 1:
        return None
    if facts.is_absent(chosen[0], asked[0]) and facts.field_type(asked[0]) is FieldType.BOOLEAN:
        return Value(type="boolean", value="false")
    values = facts.values(chosen[0], asked[0])
    return cell_value(values[0]) if len(values) == 1 else None


def _asked(node: SelectionNode) -> tuple[str, ...]:
    """The fields whose values are asked for; of an order only where nothing else is."""
    others = tuple(name for name in node.fields if name != node.order_by or node.limit != 1)
    return others or ((node.order_by,) if node.order_by and node.limit == 1 else ())


def table_of(chosen: Sequence[str], fields: Sequence[str], facts: AnswerFacts) -> Table:
    """The documents with what they state; a field that none of them states (they lack it) has no column."""
    stated = [name for name in fields if any(facts.text(id, name) for id in chosen)]
    columns = (
        Column(name="Document", type="text"),
        *(Column(name=facts.field_title(name), type=facts.field_type(name).value) for name in stated),
    )
    rows = tuple((facts.title(id), *(facts.text(id, name) for name in stated)) for id in chosen)
    return Table(columns=columns, rows=rows, documents=tuple(chosen))


def known_share(documents: Documents) -> float:
    """Share of the scope of which it is known whether it belongs, 0 to 1; 1 of an empty one."""
    known = len(documents.present) + len(documents.absent)
    return known / len(documents.scope) if documents.scope else 1.0
