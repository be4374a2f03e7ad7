"""Turns about one document: picked from what is in hand, spoken of before, or asked why it is not there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.answer import Kind, Route
from core.domain.predicate import Operator
from core.plan.catalogue import DocumentEntry
from core.plan.clarify import MOST_OFFERED, Clarify, Option
from core.plan.conversation.alteration import ClauseClass, clause_class, with_base
from core.plan.conversation.choice import ask_in_turn, in_other_words
from core.plan.conversation.completion import asks, forms
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.explanation import explain
from core.plan.conversation.field_question import asks_who, plan_field_question
from core.plan.conversation.fragment import Fragment, clauses_of, computes, plan_forms
from core.plan.conversation.restriction import (
    Clauses,
    clause_texts,
    over_documents,
    own_clauses,
    with_purpose,
)
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation.subject import is_code, named_documents, noun_of
from core.plan.conversation.turn import Move, Pointer, PointerKind, phrases, read_turn
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Choice, Condition, Plan, Scope, clause_parts, without_aspect
from core.plan.ir.steps import PlanSteps
from core.plan.language.pieces import Ask, DocumentSet, Filler, Negator, Noun, Parties, Top, Values
from core.plan.names.alike import told_apart
from core.plan.reader.reading import SURE_OF_FIELD, Operation, QuestionReading, SpanRole
from core.plan.text.classify import classify
from core.plan.text.text_plan import text_plan

_OFFERED = 8
_SHOWN = 8  # fields of a document of which nothing is asked
_MEMBERSHIP = phrases("membership")
_SEVERAL = 2
_SHOWN_WHOLE = re.compile(
    r"(?:can\s+you\s+|please\s+|just\s+)*(?:tell\s+me(?:\s+more)?(?:\s+about)?|show(?:\s+me)?|open(?:\s+up)?|more\s+(?:about|on)|"
    r"(?:give\s+me\s+)?(?:the\s+)?details?\s+(?:of|on|about|for)|what\s+about|what['’]?s\s+in|describe|"
    r"(?:let['’]?s\s+)?look\s+at|pull\s+up)",
)
_OF_ONE = re.compile(
    r"(?:what|when|who|whose|how long|how much|where|until when|since when|till when)\b", re.IGNORECASE
)
_OF_MEASURE = re.compile(r"(?:for\s+)?how\s+(?:long|much|often|soon|far)\b", re.IGNORECASE)
_OF_A_SET = {Move.NARROWING, Move.EXCLUDING, Move.RELEASING, Move.EITHER, Move.RETURNING}
_OF_VALUES = (ClauseClass.TEXT, ClauseClass.DATE, ClauseClass.AMOUNT, ClauseClass.PARTY)
_BEHIND_NAMES = (":", ",", "-", "–", "—")


@dataclass(frozen=True, slots=True)
class DocumentReference:
    """The document that words mean: by its id, or by conditions that it alone may fulfil (its party)."""

    id: str = ""
    naming: Clauses = ()


class OneDocument:
    """Plans of one turn that is about a document."""

    def __init__(self, at: TurnSetting) -> None:
        self._at = at

    def pick(self) -> FollowUpPlan | Clarify | None:
        """Something of one of the documents in hand, by its place or its name; the same of another one."""
        kinds = (PointerKind.NTH, PointerKind.NAMED, PointerKind.OTHER_ONE)
        pointer = next(iter(self._at.turn.of(*kinds)), None)
        if pointer is None:
            return self._named_instead()
        documents = self._at.in_hand.documents
        if pointer.kind is PointerKind.NTH:
            document = self._nth(pointer)
            if not document:
                return self._too_few(len(documents))
            return self._of_document(DocumentReference(document), pointer)
        if pointer.kind is PointerKind.OTHER_ONE:
            others = [id for id in documents if id != self._at.state.one]
            if len(others) == 1:
                return self._of_document(DocumentReference(others[0]), pointer)
            entries = [entry for id in others if (entry := self._at.catalogue.document(id)) is not None]
            phrase = self._at.words_of(pointer.start, pointer.end)
            if not others:
                return self._too_few(len(documents))
            is_few = 1 < len(entries) <= MOST_OFFERED
            return self._which(entries, phrase) if is_few and self._at.has_set else None
        meant = self._meant(pointer.name, self._at.words_of(pointer.start, pointer.end), documents)
        return self._of_document(meant, pointer) if isinstance(meant, DocumentReference) else meant

    def ask_by_name(self) -> FollowUpPlan | Clarify | None:
        """Something of a document in hand that a whole question calls by its name: "when does Sonos end?"."""
        at, documents = self._at, self._at.in_hand.documents
        if len(documents) < _SEVERAL or at.turn.pointers or at.turn.moves & _OF_A_SET or at.counts:
            return None
        asks_of_one = at.is_check or bool(_OF_ONE.match(at.turn.text))
        if not asks_of_one or any(
            isinstance(p.meaning, Noun) and p.meaning.is_plural for p in at.reading.pieces
        ):
            return None
        for start, end in self._names():
            phrase = at.words_of(start, end)
            found = named_documents(phrase, at.catalogue, documents, at.schema)
            if len(found) == 1 and found[0].id not in documents:
                return None  # a part of these words, such as one party, may fit what is in hand all the same
            if len(found) != 1:
                continue
            pointer = Pointer(start, end, PointerKind.NAMED, name=phrase)
            rest = at.with_turn(replace(at.turn, pointers=(pointer,)))
            if any(not isinstance(each.meaning, Filler | Ask) for each in rest.reading.pieces) or asks_who(
                rest.turn.text, None
            ):
                return OneDocument(rest)._asked_of(DocumentReference(found[0].id))
        return None

    def _names(self) -> list[tuple[int, int]]:
        """Parts of the turn that name a document, as both readers have them; with an article and a noun."""
        at, text = self._at, self._at.turn.text
        pieces = [each for each in at.reading.pieces if isinstance(each.meaning, Parties | DocumentSet)]
        tokens = at.reading.tokens
        found = [(tokens[each.first].start, tokens[each.end - 1].end) for each in pieces]
        if len(found) > 1:
            found.insert(0, (found[0][0], found[-1][1]))
        read = at.propose(text) if at.propose is not None else None
        spans = read.reading.of(SpanRole.DOCUMENT, SpanRole.PARTY) if read is not None else ()
        found += [(span.start, span.end) for span in spans]
        return [_with_its_noun(text, start, end, at.noun.singular) for start, end in found]

    def _named_instead(self) -> FollowUpPlan | Clarify | None:
        """The same of another document: "how about the Delta lease?" behind a question about one."""
        at = self._at
        is_of_one = at.state.one and at.turn.moves & {Move.INSTEAD, Move.CONTINUING}
        if at.state.last_plan is not None and computes(at.state.last_plan) is not None:
            return None  # the same figure is wanted of others, also where it was of one document
        names = [
            each
            for each in at.reading.pieces
            if isinstance(each.meaning, Parties | DocumentSet)
            or (isinstance(each.meaning, Values) and is_code(each.text))
        ]
        if not is_of_one or not names or asks(at.reading) or at.turn.pointers:
            return None
        others = tuple(id for id in at.in_hand.documents if id != at.state.one)
        meant = self._meant(at.turn.text, at.turn.text, others)
        if isinstance(meant, DocumentReference):
            return self._in_its_place(meant)
        return meant if any(isinstance(piece.meaning, Noun) for piece in at.reading.pieces) else None

    def follow_focus(self) -> FollowUpPlan | Clarify | None:
        """Something of the document that was spoken of: by a pronoun, or by going on about it."""
        pointers = self._at.turn.of(PointerKind.ONE, PointerKind.ONE_OWN)
        document = self._at.state.one
        if not pointers:
            goes_on = document and self._goes_on_about_it()
            return self._asked_of(DocumentReference(document)) if goes_on else None
        if document:
            return self._asked_of(DocumentReference(document))
        entries = [self._at.catalogue.document(id) for id in self._at.in_hand.documents]
        if not entries or not self._at.has_set:
            return None
        phrase = self._at.words_of(pointers[0].start, pointers[0].end)
        return self._which([each for each in entries if each is not None], phrase)

    def check_membership(self) -> FollowUpPlan | None:
        """The check that a document that is named is among those found."""
        found = self.explain_membership() if Move.AMONG in self._at.turn.moves else None
        if found is None:
            return None
        return replace(found, plan=found.plan.model_copy(update={"decides": "among"}))

    def explain_membership(self) -> FollowUpPlan | None:
        """The reasons for which a document that is named is, or is not, among those found."""
        pointed = [self._pointed(each) for each in self._at.turn.pointers]
        documents = [id for id in pointed if id]
        name = self._name_in_passing()
        found = (
            named_documents(name, self._at.catalogue, (), self._at.schema) if name and not documents else ()
        )
        outside = [each.id for each in found if each.id not in set(self._at.in_hand.documents)]
        documents = documents or outside or [each.id for each in found]
        naming = self._naming(name) if name and len(documents) != 1 else ()
        if self._narrowest is None or not (documents or naming):
            return None
        known = () if naming else documents[:_OFFERED]
        plan = explain(self._narrowest, known, naming, self._at.question, self._at.catalogue)
        return FollowUpPlan(plan, Edit.EXPLAIN) if plan is not None else None

    @property
    def _narrowest(self) -> Plan | None:
        """The plan whose conditions are explained: the last one, also where it left nothing in hand."""
        anchor, last = self._at.anchor, self._at.state.last_plan
        base, narrower = base_of(anchor), base_of(last)
        if base is None or narrower is None or narrower.of != "documents" or last is anchor:
            return anchor
        before, after = clause_texts(own_clauses(base)), clause_texts(own_clauses(narrower))
        return last if before < after and last is not None and last.decides != "why" else anchor

    def _nth(self, pointer: Pointer) -> str:
        """The document at a place of what is in hand, from its end where that is said; "" for none."""
        documents = self._at.in_hand.documents
        place = pointer.nth if pointer.nth < 0 else pointer.nth - 1
        return documents[place] if -len(documents) <= place < len(documents) else ""

    def _pointed(self, pointer: Pointer) -> str:
        if pointer.kind is PointerKind.NTH:
            return self._nth(pointer)
        if pointer.kind is PointerKind.NAMED:
            found = named_documents(pointer.name, self._at.catalogue)
            return found[0].id if len(found) == 1 else ""
        return self._at.state.one if pointer.kind is PointerKind.ONE else ""

    def _name_in_passing(self) -> str:
        """The words that name a document beside what is asked: "why isn't Beta's lease in there?"."""
        if Move.AMONG in self._at.turn.moves:
            return self._at.turn.rest
        pieces = self._at.reading.pieces
        called = [piece.text for piece in pieces if isinstance(piece.meaning, Parties | DocumentSet)]
        if called:
            return " ".join(called)
        idle = (Ask, Negator, Filler)
        words = [piece.text for piece in self._at.reading.pieces if not isinstance(piece.meaning, idle)]
        return " ".join(word for word in words if word.casefold() not in _MEMBERSHIP)

    def _meant(self, name: str, phrase: str, among: tuple[str, ...]) -> DocumentReference | Clarify | None:
        """The document that a name means, of some before any other; asks where several are really alike."""
        entries = named_documents(name, self._at.catalogue, among)
        if len(entries) == 1:
            return DocumentReference(entries[0].id)
        naming = self._naming(name)
        if naming:
            return DocumentReference(naming=naming)
        return self._which(entries, phrase) if entries else None

    def _naming(self, name: str) -> Clauses:
        """The conditions that documents with a party of this name fulfil; () where it names none."""
        parties = [each.text for each in self._at.read(name).pieces if isinstance(each.meaning, Parties)]
        if len(parties) != 1:
            return ()
        noun, schema = self._at.noun.plural, self._at.schema
        found = plan_forms((f"{noun} with {parties[0]}",), self._at.plan).whole
        own = clauses_of(found) if found is not None else ()
        classes = {clause_class(each, schema, self._at.catalogue) for each in own}
        return own if classes == {ClauseClass.PARTY} else ()

    @property
    def _is_about_one(self) -> bool:
        """True where the last plan asked one document, and did not only come to one."""
        last = self._at.state.last_plan
        base = base_of(last)
        if last is None or base is None or not self._at.state.one:
            return False
        if base.of == "rows" or last.decides == "why":
            return False
        return len(base.scope.documents) == 1 or (last.kind is Kind.LOOKUP and bool(base.fields))

    @property
    def _continues_a_text(self) -> bool:
        """True where a pronoun stands for a thing that the text was asked for, and not for its document."""
        last = self._at.state.last_plan
        pronouns = self._at.turn.of(PointerKind.ONE, PointerKind.ONE_OWN)
        return bool(pronouns) and last is not None and last.route is not Route.STRUCTURED

    def _goes_on_about_it(self) -> bool:
        """True where a turn that points at nothing is about the document that was spoken of."""
        if self._at.turn.pointers or self._at.counts or self._at.asks_for_documents:
            return False
        if self._at.turn.moves & _OF_A_SET or self._speaks_of_the_set():
            return False
        return self._is_about_one or self._asks_of_only_one()

    def _speaks_of_the_set(self) -> bool:
        """True where a turn behind a question about one of several is about these: it has their noun in the
        plural, orders them, or names a value of a field by which they were chosen.
        """
        at = self._at
        if len(at.in_hand.documents) < _SEVERAL:
            return False
        words = {token.word for token in at.reading.tokens}
        if words & {"ones", at.noun.plural} or any(isinstance(p.meaning, Top) for p in at.reading.pieces):
            return True
        base, new = at.base, clauses_of(plan) if (plan := at.fragment().whole) is not None else ()
        is_check = at.is_check and not words & {"any", "there", "anything", "others"}
        if base is None or asks(at.reading) or is_check or not new:
            return False
        values = [each for each in new if clause_class(each, at.schema, at.catalogue) in _OF_VALUES]
        return len(values) == len(new)

    def _asks_of_only_one(self) -> bool:
        """True where one document is in hand, and the turn asks for what it states."""
        if len(self._at.in_hand.documents) != 1:
            return False
        plan = self._at.fragment().whole
        base = base_of(plan)
        return plan is not None and base is not None and bool(base.fields) and not clauses_of(plan)

    def _schema_of(self, document: DocumentReference) -> str:
        entry = self._at.catalogue.document(document.id) if document.id else None
        return entry.schema if entry is not None else self._at.schema

    def _of_document(self, document: DocumentReference, pointer: Pointer) -> FollowUpPlan | Clarify | None:
        """Something of a document that words pick: what the rest of the turn asks, or the same as before."""
        turn = self._at.turn
        before, behind = turn.text[: pointer.start].strip(), turn.text[pointer.end :].lstrip()
        if not before and behind.startswith(_BEHIND_NAMES) and behind[1:].strip():
            rest = replace(read_turn(behind[1:].strip(), self._at.noun), moves=turn.moves)
            return OneDocument(self._at.with_turn(rest))._asked_of(document)
        if not any(not isinstance(piece.meaning, Filler) for piece in self._at.reading.pieces):
            return self._in_its_place(document)
        if _SHOWN_WHOLE.fullmatch(before.casefold()) and not behind.strip(" ?.!"):
            return self._shown(document)
        return self._asked_of(document)

    def _in_its_place(self, document: DocumentReference) -> FollowUpPlan | None:
        """The last question about one document, of another; what was asked of all, where there is none."""
        last = self._at.state.last_plan
        base = base_of(last)
        if last is None or base is None or not self._is_about_one or not (base.fields or last.decides):
            return self._shown(document)
        own = tuple(each for each in own_clauses(base) if self._is_asked(each))
        alone = base.model_copy(update={"conditions": own, "inputs": (), "limit": None, "ran": None})
        plan = last.model_copy(update={"nodes": (alone,), "answer_node": alone.id})
        return FollowUpPlan(self._of_one(plan, document), Edit.FOCUS)

    def _is_asked(self, clause: Condition | Choice) -> bool:
        """True where a condition is asked of a document, and does not name it."""
        return clause_class(clause, self._at.schema, self._at.catalogue) is not ClauseClass.PARTY

    def _shown(self, document: DocumentReference) -> FollowUpPlan | None:
        """A document with what was asked of all in hand."""
        schema = self._at.catalogue.schema(self._schema_of(document))
        if schema is None:
            return None
        base = self._at.base
        parts = [part for clause in own_clauses(base) for part in clause_parts(clause)] if base else []
        names = [*(base.fields if base else ()), *(without_aspect(part.field) for part in parts)]
        known = [name for name in dict.fromkeys(names) if schema.field(name) is not None]
        fields = known or [each.name for each in schema.fields if each.documents]
        steps = PlanSteps()
        scope = Scope(schema_name=schema.name, documents=(document.id,) if document.id else ())
        shown = tuple(fields[:_SHOWN])
        purpose = "Show what it states"
        node = steps.select(purpose, scope, document.naming, fields=shown, reason="it was chosen")
        plan = Plan(
            question=self._at.question,
            kind=Kind.LOOKUP,
            route=Route.STRUCTURED,
            nodes=(node,),
            answer_node=node.id,
        )
        return FollowUpPlan(plan, Edit.FOCUS)

    def _asked_of(self, document: DocumentReference) -> FollowUpPlan | Clarify | None:
        """The question of the turn, of one document; its text is searched where no field says it."""
        at = self._at
        noun = noun_of(self._schema_of(document), at.lexicon)
        shown = at.show_named_fields(self._schema_of(document))
        if shown is not None and at.turn.of(PointerKind.ONE_OWN):
            return FollowUpPlan(self._of_one(shown, document), Edit.FOCUS)
        questions = forms(at.turn, noun, at.known, at.read, of_one=True)
        found = plan_forms(questions, at.plan)
        structured = self._read_beside(found, questions, self._schema_of(document)) or shown or found.partial
        loses = structured is not None and self._loses_to_text(structured, found)
        if loses and questions and document.id and not self._continues_a_text:
            structured = None
            found = replace(found, text=found.text or text_plan(classify(questions[0]), questions[0], ()))
        if structured is not None:
            return FollowUpPlan(self._of_one(structured, document), Edit.FOCUS)
        if found.text is not None and document.id and not self._continues_a_text:
            plan = over_documents(found.text, (document.id,))
            return FollowUpPlan(plan, Edit.FOCUS) if plan is not None else None
        if found.clarify is None or found.clarify.type != "several_meanings":
            return None
        return ask_in_turn(found.clarify, at.question, lambda plan: self._of_one(plan, document))

    def _loses_to_text(self, plan: Plan, found: Fragment) -> bool:
        """True where a plan leaves words out that the text may speak of, or asks another thing.

        "How long does the duty last after it ends?" is no test of when it ends.
        """
        if plan is found.partial and plan.uncovered:
            return True
        base = base_of(plan)
        is_test = base is not None and not base.fields and computes(plan) is None and bool(own_clauses(base))
        return (is_test or bool(plan.decides)) and bool(_OF_MEASURE.match(self._at.turn.text))

    def _read_beside(self, found: Fragment, questions: Sequence[str], schema_name: str) -> Plan | None:
        """The whole plan; what the trained reader takes to be asked where there is none, or it misses that.

        A plan that tests where a value is asked for misses it: "which country's law is it under".
        """
        at, whole = self._at, found.whole
        schema = at.catalogue.schema(schema_name)
        if schema is None or not questions:
            return whole
        read = at.propose(questions[0]) if at.propose is not None else None
        reading = read.reading if read is not None else None
        if whole is not None:
            base = base_of(whole)
            is_who = asks_who(questions[0], reading)
            is_test = base is not None and not base.fields and (computes(whole) is None or is_who)
            is_missed = is_who or (reading is not None and _looks_up(reading))
            return (
                plan_field_question(questions[0], reading, schema, least=SURE_OF_FIELD)
                if is_test and is_missed
                else None
            ) or whole
        if self._continues_a_text:
            return None
        by_fields = plan_field_question(questions[0], reading, schema)
        return by_fields or at.with_proposal(found, questions).whole

    def _of_one(self, plan: Plan, document: DocumentReference) -> Plan:
        """The plan on one document alone: a clause that it would have to have is shown, and decided."""
        base = base_of(plan)
        if base is None:
            return (over_documents(plan, (document.id,)) if document.id else None) or plan
        own = own_clauses(base)
        named = (document.id,) if document.id else ()
        scope = base.scope.model_copy(update={"documents": named, "buckets": ()})
        change: dict[str, object] = {"scope": scope, "conditions": (*document.naming, *own)}
        decides = plan.decides
        is_check = bool(own) and not base.fields and computes(plan) is None
        clause = own[0] if len(own) == 1 else None
        schema = base.scope.schema_name
        if (
            is_check
            and isinstance(clause, Condition)
            and clause_class(clause, schema, self._at.catalogue) is ClauseClass.PRESENCE
        ):
            change |= {"conditions": document.naming, "fields": (clause.field,)}
            decides = "missing" if clause.op is Operator.MISSING else "there"
        elif is_check:
            decides = decides or "any"
        kind = plan.kind if computes(plan) is not None else Kind.LOOKUP
        changed = with_base(plan, with_purpose(base.model_copy(update=change), self._at.catalogue))
        return changed.model_copy(update={"single": "", "decides": decides, "kind": kind})

    def _which(self, documents: Sequence[DocumentEntry], phrase: str) -> Clarify:
        question = self._at.question
        options = []
        for each, name in zip(documents[:MOST_OFFERED], told_apart(documents), strict=False):
            said = in_other_words(question, phrase, f"“{name}”")
            options.append(Option(label=name, question=said, documents=1, document=each.id))
        return Clarify(
            type="ambiguous",
            question=question,
            phrase=phrase,
            reason=f"“{phrase}” may be any of {len(documents)} documents. Which of them?",
            options=tuple(options),
        )

    def _too_few(self, count: int) -> Clarify:
        there = "There is 1 document" if count == 1 else f"There are {count:,} documents"
        reason = f"{there} in hand, and no such one among them. Which do you mean?"
        return Clarify(type="vague", question=self._at.question, reason=reason)


def _looks_up(reading: QuestionReading) -> bool:
    """True where the reader is sure that a value is asked for."""
    return reading.operation is Operation.LOOKUP and bool(reading.of(SpanRole.ASKED))


def _with_its_noun(text: str, start: int, end: int, noun: str) -> tuple[int, int]:
    """A part of a text with the article in front of it and the noun behind it: "the Sonos deal"."""
    before = re.search(r"\b(?:the|that|this)\s+$", text[:start], re.IGNORECASE)
    things = "|".join((*phrases("thing"), re.escape(noun)))
    behind = (
        re.match(rf"(?:['’]s)?\s+(?:{things})\b", text[end:], re.IGNORECASE) if before is not None else None
    )
    return (
        before.start() if before is not None else start,
        end + (behind.end() if behind is not None else 0),
    )
