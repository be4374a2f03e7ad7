"""Nodes that find a value which a later node needs: the limit of a policy, where a company is at home."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.annotation import Aggregate as Function
from core.domain.answer import Attempt
from core.domain.predicate import Operator
from core.plan.build.steps import PlanSteps
from core.plan.catalogue import DocumentEntry, FieldEntry, PartyEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, Option
from core.plan.ir.nodes import Choice, Condition, Reference, Scope
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Described, stems

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
        """What a field comes to over all documents of the kind: a Select and an Aggregate."""
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
        """Where an organisation is registered, as the documents that name it say."""
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
        """Which organisation is described: a Select of the documents that describe it, and a Hop."""
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
