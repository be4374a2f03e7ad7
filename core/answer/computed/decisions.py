"""Yes or no: what a set of documents decides, with the reason; not for sure where fields leave it open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import asked_fields, line_of, pending_of, shown_fields, table_of
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import counted, listed
from core.domain.answer import Value
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.results import Documents
from core.plan.ir.nodes import Condition, SelectionNode, flattened
from core.text.titles import be, phrase

Decides = Literal["", "any", "all", "there", "missing"]

MOST_NAMED = 3  # documents in a sentence
MOST_READ = 25  # documents whose fields are read for the reason
OPEN_CONFIDENCE = 0.35  # of an answer that decides nothing: always LOW


def documents_read(decides: Decides, found: Documents) -> frozenset[str]:
    """The documents whose fields give the reason, beside those that fulfil what was asked."""
    if decides == "all":
        return found.absent if len(found.absent) <= MOST_READ else frozenset()
    if decides == "any":
        return found.uncertain if len(found.uncertain) <= MOST_READ and not found.present else frozenset()
    return found.scope if decides and len(found.scope) <= MOST_READ else frozenset()


def decided(
    decides: Decides,
    node: SelectionNode,
    found: Documents,
    facts: AnswerFacts,
    draft: ComputedDraft,
    noun: str,
) -> ComputedDraft:
    """The draft of a list as a decision. facts: also of `documents_read`.

    Its value is true or false; none where it is left open.
    """
    if not decides:
        return draft
    decision = _Decision(decides, node, found, facts, draft, noun)
    if not found.scope:
        return replace(draft, lead=replace(draft.lead, text=f"No: {decision.said}"))
    if decides == "any":
        return decision.any()
    return decision.every() if decides == "all" else decision.named()


def decided_by_count(draft: ComputedDraft, count: int, is_open: bool) -> ComputedDraft:
    """The draft of groups or rows as a decision on whether there are any. is_open: some are not known."""
    said = _lowered(draft.lead.text)
    if count:
        return _with(draft, f"Yes: {said}", True)
    if is_open:
        return _with(replace(draft, confidence=OPEN_CONFIDENCE), f"Not for sure: {said}", None)
    return _with(draft, f"No: {said}", False)


@dataclass(frozen=True)
class _Decision:
    """A set of documents of which yes or no is asked; see `decided`."""

    decides: Decides
    node: SelectionNode
    found: Documents
    facts: AnswerFacts
    draft: ComputedDraft
    noun: str

    @property
    def said(self) -> str:
        """The sentence on the set, behind a colon."""
        return _lowered(self.draft.lead.text)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that it is about."""
        return asked_fields(self.node) or shown_fields(self.node)

    def any(self) -> ComputedDraft:
        """Decision on whether there is any document of the set."""
        found, facts = self.found, self.facts
        if found.present:
            return _with(self.draft, f"Yes: {self.said}", True)
        unknown = found.uncertain | found.unreadable
        if not unknown and found.is_exhaustive:
            return _with(self.draft, f"No: {self.said}", False)
        maybe = sorted(found.uncertain, key=lambda id: (-_likelihood(id, self.node, facts), facts.title(id)))
        asked = asked_fields(self.node)
        lines = tuple(line for id in maybe[:MOST_NAMED] for line in _maybe(id, asked, facts))
        named = self._titles((*maybe, *sorted(found.unreadable))[:MOST_NAMED])
        more = "" if len(unknown) <= MOST_NAMED else f" and {len(unknown) - MOST_NAMED:,} more"
        of = f" It is not known of {counted(len(unknown), self.noun)}: {named}{more}." if unknown else ""
        return self._open(replace(self.draft, lines=lines), of)

    def every(self) -> ComputedDraft:
        """Decision on whether all documents asked about fulfil it, with those that do not."""
        found, facts, shown = self.found, self.facts, self.fields
        fails = sorted(found.absent, key=lambda id: (facts.title(id), id))
        if fails:
            told = enumerate(fails[:MOST_READ])
            draft = replace(
                self.draft,
                lines=tuple(replace(line_of(id, shown, facts), row=at) for at, id in told),
                table=table_of(fails, shown, facts),
                left_out=max(0, len(fails) - MOST_READ),
            )
            these = "this one" if len(fails) == 1 else f"these {len(fails):,}"
            return _with(draft, f"No: {self.said} It does not hold of {these}:", False)
        if found.uncertain | found.unreadable or not found.is_exhaustive:
            return self._open(self.draft)
        return _with(self.draft, f"Yes: {self.said}", True)

    def named(self) -> ComputedDraft:
        """Decision on documents that the question names."""
        facts, fields = self.facts, self.fields
        order = sorted(self.found.scope, key=lambda id: (facts.title(id).casefold(), id))
        truths = {id: self._truth(id) for id in order}
        lines = tuple(line for id in order[:MOST_READ] for line in _reasons(truths[id], id, fields, facts))
        confidence, verdict = self.draft.confidence, _of_all(truths.values())
        if len(order) == 1:
            lead = _of_one(verdict, order[0], fields, facts)
            confidence = _confidence(order[0], fields, facts, confidence)
        else:
            lead = self._of_several(verdict, truths)
        if verdict is None:
            confidence = min(confidence, OPEN_CONFIDENCE)
        return _with(replace(self.draft, lines=lines, confidence=round(confidence, 4)), lead, verdict)

    def _open(self, draft: ComputedDraft, more: str = "") -> ComputedDraft:
        """An open decision: nothing is in doubt where all that is not known is still being read."""
        found = self.found
        is_only_pending = found.uncertain and found.uncertain == pending_of(found) and not found.unreadable
        word = "Still reading" if is_only_pending and found.is_exhaustive else "Not for sure"
        draft = replace(draft, confidence=min(draft.confidence, OPEN_CONFIDENCE))
        return _with(draft, f"{word}: {self.said}{more}", None)

    def _truth(self, id: str) -> bool | None:
        """Truth of what was asked of a document; None where it is not known."""
        if asked_fields(self.node):
            return True if id in self.found.present else False if id in self.found.absent else None
        states = [_has(id, name, self.facts) for name in self.fields]
        if any(state is None for state in states) or not states:
            return None
        return all(state is (self.decides == "there") for state in states)

    def _of_several(self, verdict: bool | None, truths: dict[str, bool | None]) -> str:
        all_of_them, holds = counted(len(truths), self.noun), sum(truth is True for truth in truths.values())
        if verdict is True:
            return f"Yes: it holds of all {all_of_them}."
        if verdict is None:
            return f"Not for sure: {self.said}"
        if not holds:
            return f"No: it holds of none of {all_of_them} for sure."
        named = self._titles([id for id, truth in truths.items() if truth is False][:MOST_NAMED])
        return f"No: it holds of {holds} of {all_of_them}, and not of {named}."

    def _titles(self, ids: Sequence[str]) -> str:
        return listed([f"“{self.facts.title(id)}”" for id in ids])


def _has(id: str, field: str, facts: AnswerFacts) -> bool | None:
    if facts.values(id, field):
        return True
    return False if facts.is_absent(id, field) else None


def _of_one(truth: bool | None, id: str, fields: Sequence[str], facts: AnswerFacts) -> str:
    title = f"“{facts.title(id)}”"
    things = [phrase(facts.field_title(name)) for name in fields]
    if truth is None:
        if any(facts.is_unreadable(id, name) for name in fields):
            return f"Not for sure: {title} could not be read."
        return f"Not for sure: what {title} states about {listed(things)} is not sure enough."
    answer = "Yes" if truth else "No"
    stated = [
        f"the {phrase(called)} of {title} {be(called)} {facts.text(id, name)}"
        for name in fields
        for called in (facts.field_title(name),)
        if facts.text(id, name) and facts.field_type(name) is not FieldType.BOOLEAN
    ]
    if stated:
        return f"{answer}: {listed(stated)}."
    has = [name for name in fields if facts.values(id, name)]
    lacks = [name for name in fields if not facts.values(id, name)]
    parts = [f"has {listed(_titles(has, facts))}"] if has else []
    if lacks:
        verb = "has no" if _are_flags(lacks, facts) else "states no"
        parts.append(f"{verb} {listed(_titles(lacks, facts), 'or')}")
    return f"{answer}: {title} {listed(parts)}."


def _are_flags(fields: Iterable[str], facts: AnswerFacts) -> bool:
    """True where these fields say that something is there, and no value of it."""
    return all(facts.field_type(name) is FieldType.BOOLEAN for name in fields)


def _titles(fields: Iterable[str], facts: AnswerFacts) -> list[str]:
    return [phrase(facts.field_title(name)) for name in fields]


def _of_all(truths: Iterable[bool | None]) -> bool | None:
    """All of them; not known where one is unknown and none is false."""
    known = list(truths)
    if any(truth is False for truth in known):
        return False
    return None if any(truth is None for truth in known) else True


def _reasons(truth: bool | None, id: str, fields: Sequence[str], facts: AnswerFacts) -> list[DraftLine]:
    if truth is None:
        return _maybe(id, fields, facts) or [DraftLine("", label=facts.title(id))]
    return [line_of(id, fields, facts)]


def _maybe(id: str, fields: Iterable[str], facts: AnswerFacts) -> list[DraftLine]:
    """The places that may state it, the best of each field."""
    found = []
    for name in fields:
        span = facts.best_candidate(id, name)
        if span is not None:
            text = f"it may be here: “{' '.join(span.quote.split())}”"
            found.append(DraftLine(text, (span,), label=facts.title(id)))
    return found


def _likelihood(id: str, node: SelectionNode, facts: AnswerFacts) -> float:
    """Probability that an uncertain document fulfils what was asked, roughly: by its best candidates."""
    conditions = [each for each in flattened(node.conditions) if not each.narrows]
    found = 1.0
    for each in conditions:
        p = facts.probability(id, each.field)
        found *= (1 - p) if isinstance(each, Condition) and each.op is Operator.MISSING else p
    return found


def _confidence(id: str, fields: Iterable[str], facts: AnswerFacts, otherwise: float) -> float:
    """Confidence of the cells that decide, those that say that nothing is there among them."""
    found = [cell.finding.confidence for name in fields if (cell := facts.cells.get((id, name))) is not None]
    return sum(found) / len(found) if found else otherwise


def _with(draft: ComputedDraft, lead: str, verdict: bool | None) -> ComputedDraft:
    value = None if verdict is None else Value(type="boolean", value="true" if verdict else "false")
    return replace(draft, lead=replace(draft.lead, text=lead), value=value)


def _lowered(sentence: str) -> str:
    """A sentence as it goes on behind a colon."""
    first = sentence.split(" ", 1)[0]
    return sentence[:1].lower() + sentence[1:] if first in ("There", "None", "No", "The") else sentence
