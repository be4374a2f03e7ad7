"""Answers from the text: retrieved, composed from quotes and verified, with the events that tell of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.answer import abstain, compose, fit
from core.answer.blocks import find_procedure, with_what_follows
from core.answer.cite import Draft, Layout, Numbering, Verifier, collect_assets, list_sources, render_text
from core.answer.entries import RowSource
from core.answer.entry_answer import compose_entry
from core.answer.files import unread_gaps
from core.answer.numbered import compose_numbered
from core.answer.quotes import complete_or_mark
from core.answer.standing import MEDIUM, MOST_CONFIDENT_IN_PART, less_sure
from core.answer.table_rows import LabelledRow, find_rows
from core.answer.value import asked_words, direct_value, stated_values
from core.ask.clarification import nothing_found, nothing_in, vague, which_rival, which_thing
from core.ask.conversation import FollowUp
from core.ask.gather import Gathering, SearchedPassages, has_hops, node_events
from core.ask.request import COURTESIES, QuestionScope, Run, answer_to, read_scope, reply_to
from core.ask.suggestions import COUNT as EXAMPLES
from core.ask.suggestions import suggest, summaries_of
from core.config.models import Settings
from core.domain.answer import CLEARED, Answer, Claim, Clarification, Degradation, Kind, Route, Status, Value
from core.domain.document import DocumentStatus
from core.domain.event import ClaimAdded, Degraded, Event, PlanDrawn
from core.domain.guards.verdict import NOT_PERMITTED
from core.errors import IndexUnavailableError, QuestionError, RefusedError
from core.plan.ir.graph_edits import over_documents
from core.plan.ir.nodes import Note, Plan, ScopedNode
from core.plan.readers.trained.reading import OF_SEVERAL
from core.plan.reading import Operation
from core.plan.text_plan import searches, text_plan
from core.search.classify import CLEAR, Classification, asks_what_is_said
from core.search.evidence.base import Evidence
from core.search.evidence.listing import weigh_passages
from core.search.evidence.score import Features, features, find_gaps, lead_of, logistic, missing_share
from core.search.search import PassageFinder
from core.search.sentences import TOP_PASSAGES
from core.store.base import DocumentQuery
from core.store.documents.copies import CopyRecords
from core.store.documents.documents import DocumentRecords
from core.text.analyse import analyse
from core.text.language import foreign_language
from core.text.markdown import escape
from core.text.numbered import read_place_number

MOST_CONFIDENT_IN_KIND = MEDIUM  # where what is cited is in the language of the question
UNMENTIONED = "no text that was searched mentions it"
"""Note on words of a question to which a likely reading over fields was given."""
_IN_PART = "The fields did not answer this: passages are quoted, and whether they are all is not known."
_NEAR = 0.4  # confidence of sentences that say enough of the question without its weightiest words
_MOST_MISSING = 0.5  # of the question's words, of an answer that is more than LOW
_LATE = "Time ran out before everything was checked, so this is a part of the answer. Ask again."
_SUMMARY_WORDS = frozenset(
    analyse(
        "summary summarize summarise overview outline gist main key points terms document contract agreement "
        "report brief briefly explain"
    )
)


def text_of(plan: Plan, found: Classification, buckets: tuple[str, ...]) -> Plan:
    """The search of the text for the question of a plan, in the same documents."""
    notes = (*plan.notes, *_fallen_back(plan))
    return _in_documents(text_plan(found, plan.question, buckets, notes=notes), plan)


def with_understood(text: Plan, understood: Plan) -> Plan:
    """A search of the text with what was understood of its question, in the documents that it names."""
    noted = {name: getattr(understood, name) for name in ("single", "asked", "today")}
    notes = (*understood.notes, *_fallen_back(understood), *text.notes)
    found = _in_documents(text.model_copy(update={**noted, "notes": notes}), understood)
    own = [node for node in searches(understood.nodes) if node.scope.documents]
    if len(own) != 1 or len(understood.nodes) != 1 or found.kind is not Kind.LOOKUP:
        return found
    # one search of a document: in the words that were understood, without its name
    only = searches(found.nodes)[0].model_copy(update={"text": own[0].text, "scope": own[0].scope})
    return found.model_copy(update={"nodes": (only,), "answer_node": only.id})


def in_part(answer: Answer, understood: Plan | None) -> Answer:
    """An answer of quotes, no more than LOW where the question was read as one about a set over fields."""
    reading = understood.reading if understood is not None else None
    if reading is None or not (reading.kind or reading.is_rows) or answer.status is not Status.ANSWERED:
        return answer
    is_of_set = reading.operation in (*OF_SEVERAL, Operation.COMPARE)
    gaps = (*answer.gaps, _IN_PART)
    return less_sure(answer, MOST_CONFIDENT_IN_PART, gaps=gaps) if is_of_set else answer


def unmentioned(plan: Plan, nothing: Answer) -> Plan:
    """A plan that runs where no text answered, with words that none mentions; no surer than its reading."""
    said, sure = nothing.question.casefold(), plan.reading.probability if plan.reading is not None else 1.0
    gaps = (gap for gap in ("", *nothing.gaps) if gap.casefold() in said)
    notes = (Note(phrase=gap, reading=UNMENTIONED, confidence=sure) for gap in gaps)
    return plan.model_copy(update={"fallbacks": (), "notes": (*plan.notes, *notes)})


def _in_documents(text: Plan, understood: Plan) -> Plan:
    """A search of the text in the documents that the question was understood to name, if it names any."""
    documents = next((node.scope.documents for node in understood.nodes if isinstance(node, ScopedNode)), ())
    return over_documents(text, documents) or text if documents else text


def _fallen_back(understood: Plan) -> tuple[Note, ...]:
    """That the text is searched since the fields gave too little, where they were asked."""
    note = Note(phrase="", reading="The fields were asked first and state too little, so text is searched")
    return (note,) if understood.route is Route.STRUCTURED else ()


def as_understood(answer: Answer, language: str) -> Answer:
    """The answer to a question that is in this language; as it is where language is "".

    It is never sure and has no headline, unless all that it cites is in the same language.
    """
    if not language or answer.kind is Kind.GENERAL or answer.status in (Status.REFUSED, Status.FAILED):
        return answer
    note = (
        f"This question seems to be in {language}. Questions are read in English: of this one, only names, "
        "numbers and words that English shares were understood. Ask it in English to be sure."
    )
    if answer.status is Status.ABSTAINED and answer.route is Route.NONE:  # for words that are no names
        return answer.model_copy(update={"text": escape(note), "gaps": (note,), "clarification": None})
    is_answered, quotes = answer.status is Status.ANSWERED, [each.quote for each in answer.citations]
    gaps = (note, *answer.gaps)
    if is_answered and quotes and all(foreign_language(quote) == language for quote in quotes):
        return less_sure(answer, MOST_CONFIDENT_IN_KIND, gaps=gaps)
    status = Status.PARTIAL if is_answered else answer.status
    text = f"{escape(note)}\n\n{answer.text}"
    return less_sure(answer, MOST_CONFIDENT_IN_PART, text=text, gaps=gaps, value=None, status=status)


@dataclass(slots=True)
class TextOutcome:
    """An answer in the making: what it is made from, and the claims that have held so far with their drafts.

    unknown: names and codes of the question that stand in nothing found. unsaid: the words for what is asked
    for, where no sentence that was found says it; "" where one does.
    """

    found: Classification
    gathered: SearchedPassages
    features: Features
    verifier: Verifier
    is_thin: bool = False
    unknown: tuple[str, ...] = ()
    unsaid: str = ""
    drafts: list[Draft] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    degradations: list[Degradation] = field(default_factory=list)
    numbering: Numbering = field(default_factory=Numbering)
    layout: Layout = field(default_factory=lambda: Layout(()))
    is_late: bool = False

    @property
    def evidence(self) -> Evidence:
        """The evidence of all searches."""
        return self.gathered.evidence

    @property
    def has_sides(self) -> bool:
        """True where several things are compared, of which something is said."""
        return any(side.sentences for side in self.gathered.sides)

    def verify(self, draft: Draft) -> Claim | None:
        """The numbered claim where every check holds; None where one does not, which is noted."""
        draft = complete_or_mark(draft, self.verifier.page_text)
        checks = self.verifier.check(draft)
        failed = next((check for check in checks if not check.ok), None)
        if failed is not None:
            message = f"A statement was left out because its check failed. {failed.detail}"
            self.degradations.append(Degradation(code="E004", message=message))
            return None
        claim = self.numbering.claim(draft, checks)
        self.drafts.append(draft)
        self.claims.append(claim)
        return claim


@dataclass(frozen=True)
class Composer:
    """Makes the Answer of one question; holds what all its parts need to know."""

    question: str
    run: Run
    documents: DocumentRecords
    copies: CopyRecords
    rows: RowSource
    settings: Settings
    introduction: Callable[[Run], tuple[str, tuple[str, ...]]]
    tables: Callable[[Run], tuple[str, ...]] = lambda _: ()

    @cached_property
    def scope(self) -> QuestionScope:
        """Scope of the question; read when it is first told, which a computed answer never does."""
        seen = self.copies.counted_once(self.run.visibility)
        queries = [DocumentQuery(status=s) for s in (DocumentStatus.UNREADABLE, DocumentStatus.FAILED)]
        listed = [each for query in queries for each in self.documents.list(seen, query)]
        unread = [each for each in listed if not each.passages]
        scope = read_scope(self.documents.buckets(seen), self.run.buckets, unread)
        return replace(scope, has_tables=bool(self.tables(self.run)))

    def refuse(self, error: QuestionError, *, is_empty: bool) -> Answer:
        """A question that cannot be read: a clarification where it is empty, a refusal if too long."""
        if not is_empty:
            return self._answer(Status.REFUSED, error.explanation)
        return self._answer(Status.CLARIFY, error.explanation, clarification=vague(error.message))

    def forbid(self, error: RefusedError) -> Answer:
        """A question that no policy allows; it names the roles that are lacking."""
        text = escape(error.explanation)
        return self._answer(Status.REFUSED, text, flags=(NOT_PERMITTED,), lacking=error.lacking)

    def ask_back(self, found: Classification) -> Answer:
        """A question without a word to search for."""
        clarification = vague("The question names nothing to look for.")
        text = f"{clarification.reason} {clarification.hints[0]}"
        return self._answer(Status.CLARIFY, text, kind=found.kind, clarification=clarification)

    def ask_which(self, found: Classification, plan: Plan, asked: Clarification) -> Answer:
        """A question about something that has no name in it."""
        return self.searched(Status.CLARIFY, found, plan, escape(asked.reason), clarification=asked)

    def reply(self, topic: str, plan: Plan) -> Answer:
        """The answer to small talk and to questions about the collection as a whole; nothing was searched."""
        kinds, scope, examples = "", QuestionScope((), (), 0), tuple[str, ...]()
        if topic not in COURTESIES:
            (kinds, examples), scope = self.introduction(self.run), self.scope
            examples = (*examples, *summaries_of(self._titles()))[:EXAMPLES]
        return self._answer(
            Status.ANSWERED,
            reply_to(topic, scope, kinds, examples),
            plan,
            confidence=1.0,
            follow_ups=examples,
            flags=(CLEARED,) if topic == CLEAR else (),
        )

    def compose(self, found: Classification, gathered: SearchedPassages) -> TextOutcome:
        """Text and parts of the answer, not yet checked."""
        evidence, question, asked = gathered.evidence, found.normalised, gathered.plan.asked
        scores = features(evidence)
        is_single = found.kind in (Kind.LOOKUP, Kind.SUMMARY) and not evidence.named_documents
        unknown: Sequence[str] = fit.unknown_names(question, evidence) if is_single else ()
        is_thin = abstain.should_abstain(scores, self.settings.answer.abstain_below) or bool(unknown)
        is_lookup = _is_lookup(found)
        is_unsaid = is_lookup and fit.is_unsaid(question, asked, evidence)
        lacks = is_lookup and (is_unsaid or fit.lacks_shape(question, evidence))
        if found.is_procedure or (is_lookup and abstain.confidence(scores) < _NEAR):
            lacks = lacks or fit.misses_thing(question, evidence)
        verifier = Verifier(self.documents, self.run.visibility, self.question)
        outcome = TextOutcome(found, gathered, scores, verifier, unknown=tuple(unknown))
        rows: tuple[LabelledRow, ...] = ()
        if is_lookup and not found.over_collection and not outcome.has_sides:
            rows = find_rows(question, evidence, self.documents, self.run.visibility)
        outcome.is_thin = not rows and (is_thin or lacks)
        numbered: Layout | None = None
        if is_lookup and not (rows or outcome.has_sides) and read_place_number(question) is not None:
            numbered = compose_numbered(question, evidence, self.documents, self.run.visibility)
            outcome.is_thin = numbered is None and (outcome.is_thin or asks_what_is_said(question))
        elif is_lookup and not (rows or outcome.has_sides or found.over_collection):
            numbered = compose_entry(question, evidence, self.documents, self.rows, self.run.visibility)
            outcome.is_thin = numbered is None and outcome.is_thin
        outcome.unsaid = asked if is_unsaid and not rows and numbered is None else ""
        if rows:
            outcome.layout = compose.compose_rows(rows, evidence)
        elif numbered is not None:
            outcome.layout = numbered
        elif not evidence.sentences:
            outcome.degradations.append(Degradation(code="E002", message=nothing_in(self.scope)))
        elif outcome.is_thin and (evidence.named_documents or not is_thin):
            where = f"in {compose.names_in(evidence) or self.scope.label}"
            outcome.layout = compose.compose_closest(evidence, self.settings.answer.max_claims, where)
        elif not outcome.is_thin:
            outcome.layout = self._layout(outcome)
        return outcome

    def _layout(self, outcome: TextOutcome) -> Layout:
        found, evidence, limit = outcome.found, outcome.evidence, self.settings.answer.max_claims
        if found.over_collection:
            return compose.compose_list(evidence, limit, self.scope.label)
        if outcome.has_sides:
            return compose.compose_comparison(outcome.gathered.sides)
        if found.is_procedure:
            steps = find_procedure(evidence, self.documents, self.run.visibility)
            if steps is not None:
                return compose.compose_steps(steps.steps, steps.is_numbered, steps.heading, steps.title)
        if found.is_procedure or found.kind is Kind.SUMMARY:
            made = compose.compose_summary(evidence, limit, _SUMMARY_WORDS)
        else:
            made = compose.compose_lookup(found.normalised, evidence, limit)
        return with_what_follows(made, self.documents, self.run.visibility)

    def conclude(self, outcome: TextOutcome) -> Answer:
        """The answer that the checked claims make; an abstention where none is left."""
        if not outcome.claims:
            return self._abstain(outcome)
        found, evidence, layout, claims = outcome.found, outcome.evidence, outcome.layout, outcome.claims
        plan = outcome.gathered.plan
        if plan.single and layout.has_rivals:
            return self.ask_which(found, plan, which_rival(self.question, plan, claims))
        status = Status.ANSWERED if layout.is_complete and not outcome.is_late else Status.PARTIAL
        if outcome.is_thin and found.kind is Kind.LOOKUP:
            status = Status.ABSTAINED  # the closest passages are shown, and none of them answers
        value, table = self._value(outcome), None
        if found.kind is Kind.COMPARISON and outcome.has_sides and not outcome.is_thin:
            table = compose.comparison_table(claims, [side.subject for side in outcome.gathered.sides])
        elif found.kind is Kind.AGGREGATE and found.over_collection and not outcome.is_thin:
            # "Which ones lack ..." cannot be listed from passages that hold the thing: no table is better.
            table = compose.list_table(claims)
        gaps = (*filter(None, (outcome.unsaid,)), *self._gaps(outcome), *layout.gaps)
        return self.searched(
            status,
            found,
            plan,
            render_text(layout, outcome.drafts, claims, value),
            claims=tuple(claims),
            value=value,
            table=table,
            confidence=self._confidence(outcome),
            gaps=tuple(dict.fromkeys(gaps)),
            evidence=weigh_passages(evidence, claims),
            sources=list_sources(claims),
            nearest=abstain.nearest_passages(evidence) if outcome.is_thin else (),
            follow_ups=suggest(self.question, claims, evidence.candidates),
            assets=collect_assets(claims, [candidate.stored for candidate in evidence.candidates]),
        )

    def _confidence(self, outcome: TextOutcome) -> float:
        """Confidence in the claims; LOW where these and what is around them lack too many of the words.

        More than half must not be missing; of how something is done, or is as a whole, half must not.
        """
        layout, found, told, is_beside = outcome.layout, outcome.found, outcome.layout.confidence, False
        if told is None:
            told = abstain.confidence(outcome.features)
            if _is_lookup(found):
                told = logistic((1.0,), 0.0, (lead_of(outcome.evidence, outcome.claims[0].citations[0]),))
            missing = missing_share(self.question, _said(outcome), answered=self._answered(outcome))
            is_broad = found.is_procedure or found.kind is Kind.SUMMARY
            is_beside = missing > _MOST_MISSING or (is_broad and missing == _MOST_MISSING)
        # The model judges the quotes; whether they are all there are, as a count needs, nobody knows.
        is_in_part = is_beside or layout.is_in_doubt or not layout.is_complete
        return min(told, MOST_CONFIDENT_IN_PART) if is_in_part else told

    def _answered(self, outcome: TextOutcome) -> Sequence[str]:
        """The words of the question that the value in the first claim answers."""
        return asked_words(self.question) if stated_values(self.question, outcome.claims[0].text) else ()

    def _abstain(self, outcome: TextOutcome) -> Answer:
        evidence, found, plan = outcome.evidence, outcome.found, outcome.gathered.plan
        nearest = abstain.nearest_passages(evidence)
        of = {c.stored.passage.document: c.stored for c in evidence.candidates}
        named = [of[document] for document in evidence.named_documents if document in of]
        called = [f"{stored.title} {stored.name} {stored.source}" for stored in named]
        missing = find_gaps(self.question, [*(near.quote for near in nearest), *called])
        gaps = tuple(dict.fromkeys((*filter(None, (outcome.unsaid,)), *outcome.unknown, *missing)))
        sources = {stored.passage.document: stored.source for stored in named}
        unread = unread_gaps(sources, self.documents, self.run.visibility)
        told = " ".join(filter(None, (self.scope.unread_note, *map(escape, unread))))
        text = abstain.abstention_text(self.scope.label, gaps, bool(nearest), told)
        if self.scope.is_empty:
            text = abstain.nothing_here(self.tables(self.run))
        elif found.over_collection:
            text = f"{compose.NOT_COUNTED} {text}"
        confidence = abstain.confidence(outcome.features)
        return self.searched(
            Status.ABSTAINED,
            found,
            plan,
            text,
            confidence=confidence,
            gaps=(*gaps, *unread),
            evidence=weigh_passages(evidence),
            nearest=nearest,
            follow_ups=suggest(self.question, (), evidence.candidates),
            clarification=None if nearest else nothing_found(plan, self.scope),
        )

    def _value(self, outcome: TextOutcome) -> Value | None:
        layout, first = outcome.layout, outcome.claims[0]
        if layout.value or layout.is_in_doubt or not layout.is_complete:
            return layout.value
        if layout.has_rivals:
            return None
        is_direct = _is_lookup(outcome.found) and not outcome.is_thin
        return direct_value(self.question, first.text) if is_direct else None

    def _gaps(self, outcome: TextOutcome) -> tuple[str, ...]:
        evidence, claims = outcome.evidence, outcome.claims
        gaps = find_gaps(self.question, _said(outcome), answered=self._answered(outcome))
        if outcome.found.kind is Kind.COMPARISON:
            return gaps
        meant = compose.equally_meant(evidence, claims)
        names = " or ".join(f"“{title}”" for title in meant)
        unsure = (f"The question may mean {names}; name one to be sure.",) if len(meant) > 1 else ()
        return (*gaps, *unsure)

    def _titles(self) -> list[str]:
        """Titles of a few documents in scope that have text."""
        query = DocumentQuery(bucket=self.scope.buckets[0] if self.scope.buckets else None, limit=6)
        return [s.name for s in self.documents.list(self.run.visibility, query) if s.passages]

    def searched(
        self, status: Status, found: Classification, plan: Plan, text: str, **fields: object
    ) -> Answer:
        """The answer of a search with these fields."""
        return self._answer(status, text, plan, kind=found.kind, route=found.route, **fields)

    def _answer(self, status: Status, text: str, plan: Plan | None = None, **fields: object) -> Answer:
        if "follow_ups" not in fields:  # nothing was searched, so nothing is near
            fields["follow_ups"] = suggest(self.question, (), (), self._titles())
        return answer_to(self.run.asking(self.question), plan, status=status, text=text, **fields)


def _is_lookup(found: Classification) -> bool:
    return found.kind is Kind.LOOKUP and not found.is_procedure


def _said(outcome: TextOutcome) -> list[str]:
    """What is quoted, and title, names, section and text of the passages that begin on a cited page."""
    cited = {(c.document, c.version, c.page) for claim in outcome.claims for c in claim.citations}
    around = [
        " ".join((stored.title, stored.name, stored.source, *stored.passage.section, stored.passage.text))
        for stored in (candidate.stored for candidate in outcome.evidence.candidates)
        for part in stored.passage.parts[:1]
        if (stored.passage.document, stored.passage.version, part.page_no) in cited
    ]
    return [*around, *(claim.text for claim in outcome.claims)]


def answer_from_text(
    composer: Composer, found: Classification, plan: Plan, follow_up: FollowUp, finder: PassageFinder
) -> Generator[Event, None, Answer]:
    """The answer from what the searches of a plan find; one that says so where the search engine is down.

    Raises RefusedError.
    """
    run = composer.run
    run.require(plan)
    yield run.start_stage("retrieve", f"Searching {composer.scope.label}")
    if has_hops(plan):
        yield PlanDrawn(at_ms=run.at(), plan=plan.model_dump(mode="json"))
    try:
        pool = composer.settings.retrieval.pool
        gathered = Gathering(follow_up, finder, composer.documents, run.visibility, pool).gather(plan)
    except IndexUnavailableError as error:
        degradation = Degradation(code="E003", message=error.explanation)
        yield Degraded(at_ms=run.at(), degradation=degradation)
        yield run.finish_stage("retrieve", "The search engine did not answer", "engine")
        text = f"The question could not be searched for. {escape(degradation.message)}"
        return composer.searched(Status.FAILED, found, plan, text, degradations=(degradation,))
    run.timings.update({f"retrieve.{name}": ms for name, ms in gathered.timings_ms.items()})
    if has_hops(plan):
        yield from node_events(gathered.plan, run.at())
    yield from run.degrade(*gathered.degradations)
    evidence = gathered.evidence
    counts = {"passages": len(evidence.candidates), "named_documents": len(evidence.named_documents)}
    yield run.finish_stage("retrieve", f"Found {counts['passages']:,} passages", "index", **counts)
    names_document = bool(evidence.named_documents) and evidence.named_documents != follow_up.documents
    if run.question.way not in ("text", "whatever") and not names_document:
        told = f"{follow_up.question} {follow_up.carried}"
        asked = which_thing(follow_up.question, follow_up.unnamed, evidence, told)
        if asked is not None:
            return composer.ask_which(found, gathered.plan, asked)
    return (yield from _composed(composer, found, gathered))


def _composed(
    composer: Composer, found: Classification, gathered: SearchedPassages
) -> Generator[Event, None, Answer]:
    """The answer that was composed, of the claims that hold.

    The first is checked even when time has run out: late is not "no answer".
    """
    run, evidence = composer.run, gathered.evidence
    yield run.start_stage("answer", f"Reading {min(TOP_PASSAGES, len(evidence.candidates))} passages")
    outcome = composer.compose(found, gathered)
    total = len(outcome.layout.drafts)
    counts = {"sentences": len(evidence.sentences), "claims": total}
    yield run.finish_stage("answer", "Composed from quotes", "extractive", **counts)
    yield run.start_stage("verify", f"Checking {total} claim{'s' if total != 1 else ''}")
    for at, draft in enumerate(outcome.layout.drafts):
        if at and run.at() > composer.settings.retrieval.deadline_s * 1000:
            outcome.is_late = True
            outcome.degradations.append(Degradation(code="E005", message=_LATE))
            break
        claim = outcome.verify(draft)
        if claim is not None:
            yield ClaimAdded(at_ms=run.at(), index=len(outcome.claims) - 1, claim=claim)
    yield from run.degrade(*outcome.degradations)
    counts = {"claims": len(outcome.claims), "struck": total - len(outcome.claims)}
    yield run.finish_stage("verify", "Compared with the stored pages", "records", **counts)
    return composer.conclude(outcome)
