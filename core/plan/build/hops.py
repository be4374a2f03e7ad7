"""Values that other nodes find: policies, other documents, computations, homes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.annotation import Calculation as Function
from core.domain.answer import Attempt
from core.domain.fields import AMOUNTS, ORDERED, PLAIN_TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.build.conditions import Either, Formula
from core.plan.catalogue import DocumentEntry, FieldEntry, PartyEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, Option, option_for, which_document
from core.plan.ir.nodes import Choice, Condition, Note, OtherField, Reference, Scope
from core.plan.ir.steps import PlanSteps
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Bridge,
    Computed,
    Described,
    DocumentSet,
    FieldSenses,
    Parties,
    Policy,
    stems,
)
from core.plan.language.syntax.tree import Chooser, Test

POLICY = "policy"


class Hops(PlanSteps):
    """The nodes of a structured plan, those first that find a value which later ones need."""

    def __init__(self, lexicon: Lexicon, buckets: tuple[str, ...], question: str) -> None:
        super().__init__()
        self._lexicon = lexicon
        self._buckets = buckets
        self._question = question

    def policy(self, words: Sequence[str], entry: FieldEntry, text: str) -> Reference:
        """The limit that a policy sets for a field: a Select of the policy and a Hop."""
        document = self._policy_document(words, entry, text)
        select = self.select(
            purpose=f"Find the policy: {document.title}",
            scope=Scope(buckets=self._buckets, schema_name=document.schema, documents=(document.id,)),
            fields=(entry.name,),
            reason=f"“{text}” holds the answer against a policy, which has to be read first",
        )
        return self._hop(
            select.id,
            f"Read the limit for {entry.title.lower()} in it",
            entry.name,
            f"What limit does {{titles}} set for {entry.title.lower()}?",
        )

    def of_document(self, document: DocumentEntry, entry: FieldEntry, text: str) -> Reference:
        """The value of a field in one document, that others are compared with."""
        select = self.select(
            purpose=f"Find {document.title}",
            scope=Scope(buckets=self._buckets, schema_name=document.schema, documents=(document.id,)),
            fields=(entry.name,),
            reason=f"“{text}” compares with a value of this document",
        )
        purpose = f"Read its {entry.title.lower()}"
        return self._hop(select.id, purpose, entry.name, f"What is the {entry.title.lower()} of {{titles}}?")

    def computed(
        self, function: Function, entry: FieldEntry, conditions: Sequence[Condition], text: str
    ) -> Reference:
        """Value of a field over all documents of the kind: a Select and an Aggregate."""
        select = self.select(
            purpose=f"Find all of which {entry.title.lower()} is computed",
            scope=Scope(buckets=self._buckets, schema_name=entry.schema),
            conditions=tuple(conditions),
            reason=f"“{text}” compares with all of them",
        )
        aggregate = self.aggregate(
            purpose=f"Compute the {function.value} of {entry.title.lower()}",
            inputs=(select.id,),
            function=function,
            field=entry.name,
            reason="a later node needs this value",
        )
        return Reference(node=aggregate.id)

    def home(self, party: PartyEntry, fields: Sequence[FieldEntry], text: str) -> Reference:
        """Home of an organisation, as the documents that name it say."""
        ways = tuple(Condition(field=each.name, op=Operator.EQUAL, value=party.normal) for each in fields)
        schema = fields[0].schema if fields else ""
        select = self.select(
            purpose=f"Find the documents that name {party.name}",
            scope=Scope(buckets=self._buckets, schema_name=schema),
            conditions=(ways[0] if len(ways) == 1 else Choice(any_of=ways),) if ways else (),
            reason=f"“{text}” depends on where {party.name} is registered",
        )
        template = f"In which country or state is {party.name} registered, incorporated or organized?"
        return self._hop(select.id, f"Read where {party.name} is registered", "", template)

    def described(self, operand: Described, text: str) -> Reference:
        """Organisation that is described: a Select of the documents that describe it, and a Hop."""
        entry = operand.field
        title = (
            self._lexicon.catalogue.schema(entry.schema) or SchemaEntry(entry.schema, entry.schema)
        ).title
        select = self.select(
            purpose=f"Find the {title.lower()} that say who is meant",
            scope=Scope(
                buckets=self._buckets,
                schema_name=entry.schema,
                documents=tuple(each.id for each in operand.documents),
            ),
            conditions=tuple(
                Condition(
                    field=value.field,
                    op=Operator.CONTAINS if is_part else Operator.EQUAL,
                    value=value.text,
                    narrows=True,
                )
                for value, is_part in operand.values
            ),
            fields=(entry.name,),
            reason=f"“{text}” describes an organisation by what other documents state",
        )
        template = f"Who is the {entry.title.lower()} in {{titles}}?"
        return self._hop(select.id, f"Read the {entry.title.lower()} in them", entry.name, template, text)

    def _hop(self, source: str, purpose: str, name: str, template: str, phrase: str = "") -> Reference:
        reason = "a later node needs this value"
        hop = self.hop(purpose, source, field=name, template=template, phrase=phrase, reason=reason)
        return Reference(node=hop.id)

    def _policy_document(self, words: Sequence[str], entry: FieldEntry, text: str) -> DocumentEntry:
        policies = [each for each in self._lexicon.catalogue.documents if each.kind == POLICY]
        if not policies:
            policies = [
                title.document for title in self._lexicon.titled(stems(POLICY)) if not title.document.kind
            ]
        if not policies:
            raise AskBackError(
                Clarify(
                    type="no_match",
                    question=self._question,
                    phrase=text,
                    reason="No document that you may see is a policy, so there is no limit to compare with.",
                    attempts=(Attempt(tool="documents", args={"kind": POLICY}, hits=0),),
                )
            )
        wanted = [*words, *stems(entry.title)]
        scored = {each.id: sum(word in stems(each.title) for word in set(wanted)) for each in policies}
        best = max(scored.values())
        chosen = [each for each in policies if scored[each.id] == best]
        if len(chosen) == 1:
            return chosen[0]
        raise AskBackError(
            Clarify(
                type="ambiguous",
                question=self._question,
                phrase=text,
                reason=f"{len(chosen)} policies may be meant. Which of them?",
                attempts=(Attempt(tool="documents", args={"kind": POLICY}, hits=len(chosen)),),
                options=tuple(
                    Option(label=each.title, question=f"{self._question} ({each.title})", documents=1)
                    for each in chosen[:8]
                ),
            )
        )


@dataclass(slots=True)
class TypedConditions:
    """Typed conditions. documents: those that the question names, None for no restriction."""

    documents: tuple[str, ...] | None = None
    notes: list[Note] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)


class LookedUp:
    """The part of a typer that looks values up. Raises AskBackError."""

    typed: TypedConditions
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
            entry = self._chooser.field(test.fields, test.pieces[0].text, AMOUNTS)
        if entry is None and policy.words:
            for size in range(len(policy.words), 0, -1):
                fields = self._lexicon.fields(policy.words[-size:])
                if fields is not None:
                    entry = self._chooser.field(fields, " ".join(policy.words[-size:]), AMOUNTS)
                if entry is not None:
                    break
        if entry is None:
            return self._uncovered(test)
        reference = self._hops.policy(policy.words, entry, test.text)
        self._note(test, f"{entry.title} is held against the limit that the policy sets", reference.node)
        return Condition(field=entry.name, op=test.op or Operator.GREATER, value=reference)

    def _bridge(self, test: Test, bridge: Bridge) -> Formula | None:
        entry = self._chooser.field(test.fields, test.pieces[0].text, PLAIN_TEXTS) if test.fields else None
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
        entry = self._chooser.field(test.fields, test.pieces[0].text, AMOUNTS) if test.fields else None
        entry = entry or (self._chooser.first(FieldType.MONEY) if test.fields is None else None)
        if entry is None:
            return self._uncovered(test)
        conditions = (self._kind,) if self._kind is not None else ()
        reference = self._hops.computed(operand.function, entry, conditions, test.text)
        self._note(
            test, f"{entry.title} is compared with the {operand.function.value} of all", reference.node
        )
        return Condition(field=entry.name, op=test.op or Operator.GREATER, value=reference)

    def _as_in_document(self, test: Test, operand: DocumentSet) -> Formula | None:
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

    def _other_field(self, test: Test, other: FieldSenses) -> Formula | None:
        """One field held against another of the same document: "a cap above the contract value"."""
        assert test.fields is not None  # the grammar makes no such test without
        entry = self._chooser.field(test.fields, test.pieces[0].text, ORDERED)
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
