"""Conditions that need a value from elsewhere: a policy, another document, a computation, a home."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.answer import Attempt
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import PartyEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, option_for, which_document
from core.plan.build.boolean_form import Either, Formula
from core.plan.language.syntax.choose import COMPUTED, NUMBERS, Chooser
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Bridge, Computed, Described, Documents, Fields, Parties, Policy
from core.plan.language.syntax.tree import Test
from core.plan.build.hops import Hops
from core.plan.ir.nodes import Condition, Note, OtherField

_TEXTS = (FieldType.TEXT, FieldType.ENUM)


@dataclass(slots=True)
class Typed:
    """What conditions came to. documents: those that the question names, None for no restriction."""

    documents: tuple[str, ...] | None = None
    notes: list[Note] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)


class LookedUp:
    """The part of a typer that looks values up. Raises AskBackError."""

    typed: Typed
    _lexicon: Lexicon
    _chooser: Chooser
    _schema: SchemaEntry
    _hops: Hops
    _question: str
    _kind: Condition | None

    def one_party(self, operand: Parties, text: str) -> PartyEntry:
        """The organisation that is meant. Raises AskBackError where several fit equally well."""
        parties = operand.parties
        own = [each for each in parties if any(schema == self._schema.name for schema, _ in each.fields)]
        parties = tuple(own) or parties
        if len({each.normal for each in parties}) == 1:
            return parties[0]
        options = tuple(option_for(self._question, text, each.name, each.documents) for each in parties[:8])
        raise AskBackError(
            Clarify(
                type="ambiguous",
                question=self._question,
                phrase=text,
                reason=f"{len(parties)} organisations are called “{text}”. Which do you mean?",
                attempts=(Attempt(tool="parties", args={"name": text}, hits=len(parties)),),
                options=options,
            )
        )

    def _policy(self, test: Test, policy: Policy) -> Formula | None:
        entry = None
        if test.fields is not None:
            entry = self._chooser.field(test.fields, test.pieces[0].text, NUMBERS)
        if entry is None and policy.words:
            for size in range(len(policy.words), 0, -1):
                fields = self._lexicon.fields(policy.words[-size:])
                if fields is not None:
                    entry = self._chooser.field(fields, " ".join(policy.words[-size:]), NUMBERS)
                if entry is not None:
                    break
        if entry is None:
            return self._uncovered(test)
        reference = self._hops.policy(policy.words, entry, test.text)
        self._note(test, f"{entry.title} is held against the limit that the policy sets", reference.node)
        return Condition(field=entry.name, op=test.op or Operator.GREATER, value=reference)

    def _bridge(self, test: Test, bridge: Bridge) -> Formula | None:
        entry = self._chooser.field(test.fields, test.pieces[0].text, _TEXTS) if test.fields else None
        if entry is None:
            return self._uncovered(test)
        party = self.one_party(bridge.parties, test.pieces[-1].text)
        fields = [each for each in self._schema.fields if each.type is FieldType.PARTY]
        reference = self._hops.home(party, fields, test.text)
        self._note(test, f"{entry.title} is where {party.name} is registered", reference.node)
        return Condition(field=entry.name, op=Operator.EQUAL, value=reference)

    def _described(self, test: Test, operand: Described) -> Formula | None:
        fields = [each for each in self._schema.fields if each.type is FieldType.PARTY]
        if not fields:
            return self._uncovered(test)
        text = next((p.text for p in test.pieces if p.meaning is operand), test.text)
        reference = self._hops.described(operand, text.removesuffix("'s").removesuffix("’s"))
        self._note(test, f"{operand.field.title} in other documents, read first", reference.node)
        parts = tuple(Condition(field=each.name, op=Operator.EQUAL, value=reference) for each in fields)
        return parts[0] if len(parts) == 1 else Either(parts)

    def _computed(self, test: Test, operand: Computed) -> Formula | None:
        entry = self._chooser.field(test.fields, test.pieces[0].text, NUMBERS) if test.fields else None
        entry = entry or (self._chooser.first(FieldType.MONEY) if test.fields is None else None)
        if entry is None:
            return self._uncovered(test)
        conditions = (self._kind,) if self._kind is not None else ()
        reference = self._hops.computed(operand.function, entry, conditions, test.text)
        self._note(
            test, f"{entry.title} is compared with the {operand.function.value} of all", reference.node
        )
        return Condition(field=entry.name, op=test.op or Operator.GREATER, value=reference)

    def _as_in_document(self, test: Test, operand: Documents) -> Formula | None:
        own = [each for each in operand.documents if each.schema == self._schema.name] or list(
            operand.documents
        )
        entry = self._chooser.field(test.fields, test.pieces[0].text) if test.fields else None
        if entry is None and test.fields is None:
            entry = self._chooser.first(FieldType.MONEY)
        if entry is None:
            return self._uncovered(test)
        if len(own) > 1:
            raise AskBackError(which_document(self._question, test.pieces[-1].text, own))
        reference = self._hops.of_document(own[0], entry, test.text)
        op = test.op or Operator.EQUAL
        self._note(test, f"{entry.title} {op.value} that of {own[0].title}", reference.node)
        return Condition(field=entry.name, op=op, value=reference)

    def _other_field(self, test: Test, other: Fields) -> Formula | None:
        """One field held against another of the same document: "a cap above the contract value"."""
        assert test.fields is not None  # the grammar makes no such test without
        entry = self._chooser.field(test.fields, test.pieces[0].text, COMPUTED)
        second = (
            self._chooser.field(other, test.pieces[-1].text, (entry.type,)) if entry is not None else None
        )
        if entry is None or second is None or entry.name == second.name:
            return self._uncovered(test)
        op = test.op or Operator.EQUAL
        self._note(test, f"{entry.title} {op.value} {second.title} of the same document")
        return Condition(field=entry.name, op=op, value=OtherField(field=second.name))

    def _uncovered(self, test: Test) -> Formula | None:
        self.typed.uncovered.append(test.text)
        return None

    def _note(self, test: Test, reading: str, node: str = "") -> None:
        self.typed.notes.append(Note(phrase=test.text, reading=reading, node=node))
