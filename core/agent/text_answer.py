"""From what was gathered to the Answer: which layout, which status, and everything around the claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.agent.base import DocumentSource
from core.agent.conversation.clarification import nothing_found, nothing_in, vague, which_rival
from core.agent.gather import SearchedPassages
from core.agent.introduction import CollectionProfile, needs_profile, reply_to
from core.agent.request import label_of
from core.agent.scope import QuestionScope
from core.agent.suggestions.text import COUNT as EXAMPLES
from core.agent.suggestions.text import suggest, summaries_of
from core.answer import abstain, compose
from core.answer.asked_form import lacks_form_asked
from core.answer.cite import Draft, Layout, Numbering, Verifier, collect_assets, list_sources
from core.answer.cuts import complete_or_mark
from core.answer.fit import (
    lacks_asked,
    lacks_form,
    lacks_name,
    misses_thing,
    misses_topic,
    other_things,
    unknown_names,
    unsaid_condition,
)
from core.answer.follow_on import with_what_follows
from core.answer.listing import MAX_READ, Entry, compose_documents
from core.answer.render import render_text
from core.answer.steps import find_procedure
from core.answer.table_rows import LabelledRow, find_rows
from core.answer.value import asked_words, direct_value, stated_values
from core.answer.weighing import weigh_passages
from core.config.models import AnswerSettings
from core.domain.answer import (
    CLEARED,
    Answer,
    Claim,
    Clarification,
    ConfidenceLabel,
    Degradation,
    Kind,
    Route,
    Status,
    Table,
    Value,
)
from core.domain.guards.verdict import NOT_PERMITTED
from core.domain.passage import StoredPassage
from core.errors import QuestionError, RefusedError
from core.evidence.base import Evidence
from core.evidence.gaps import find_gaps, missing_share
from core.evidence.score import Features, coverage, features
from core.plan.ir.nodes import Plan
from core.plan.text.classify import CLEAR, Classification, Listing, asks_what_is_said, classify, read_listing
from core.plan.text.text_plan import text_plan
from core.records.base import DocumentQuery
from core.records.database.visibility import Visibility
from core.text.analyse import analyse
from core.text.markdown import escape

LOW_CONFIDENCE = "low_confidence"
MOST_CONFIDENT_IN_PART = 0.35  # of an answer that shows only the closest passages: always LOW
_MOST_MISSING = 0.5  # of the question's words, of an answer that is more than LOW
_SUMMARY_WORDS = frozenset(
    term
    for word in (
        *("summary", "summarize", "summarise", "overview", "outline", "gist", "main", "key", "points"),
        *("terms", "document", "contract", "agreement", "report", "brief", "briefly", "explain"),
    )
    for term in analyse(word)
)


Introduction = Callable[[], tuple[str, tuple[str, ...]]]
"""Kinds of documents in words, and questions that work."""


@dataclass(slots=True)
class TextOutcome:
    """An answer in the making: its layout, and the claims that have held so far with their drafts.

    unknown: names and codes of the question that stand in nothing found. unsaid: the words for what is asked
    for, where no sentence that was found says it; "" where one does.
    """

    layout: Layout
    features: Features
    is_thin: bool = False
    unknown: tuple[str, ...] = ()
    unsaid: str = ""
    drafts: list[Draft] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    degradations: list[Degradation] = field(default_factory=list)
    numbering: Numbering = field(default_factory=Numbering)
    verifier: Verifier | None = None
    is_late: bool = False

    def stop_late(self) -> None:
        """Note that time ran out before every claim was checked."""
        self.is_late = True
        message = "Time ran out before everything was checked, so this is a part of the answer. Ask again."
        self.degradations.append(Degradation(code="E005", message=message))


@dataclass(frozen=True)
class Composer:
    """Makes the Answer of one question; holds what all its parts need to know.

    read_scope: where it is asked; it is read when it is first told, which a computed answer never does.
    """

    question: str
    trace_id: str
    data_version: int
    read_scope: Callable[[], QuestionScope]
    documents: DocumentSource
    visibility: Visibility
    settings: AnswerSettings

    @cached_property
    def scope(self) -> QuestionScope:
        """Scope of the question."""
        return self.read_scope()

    def refuse(self, error: QuestionError, *, is_empty: bool) -> Answer:
        """A question that cannot be read: a clarification where it is empty, a refusal if too long."""
        text = error.explanation
        if not is_empty:
            return self._answer(Status.REFUSED, Kind.LOOKUP, Route.NONE, text)
        return self._answer(Status.CLARIFY, Kind.LOOKUP, Route.NONE, text, clarification=vague(error.message))

    def forbid(self, error: RefusedError) -> Answer:
        """A question that no policy allows; it names the roles that are lacking."""
        answer = self._answer(Status.REFUSED, Kind.LOOKUP, Route.NONE, escape(error.explanation))
        return answer.model_copy(update={"flags": (NOT_PERMITTED,), "lacking": error.lacking})

    def ask_back(self, found: Classification) -> Answer:
        """A question without a word to search for."""
        reason = "The question names nothing to look for."
        clarification = vague(reason)
        text = f"{reason} {clarification.hints[0]}"
        return self._answer(Status.CLARIFY, found.kind, Route.NONE, text, clarification=clarification)

    def ask_which(self, found: Classification, plan: Plan, asked: Clarification) -> Answer:
        """A question about something that has no name in it."""
        drawn = plan.model_dump(mode="json")
        text = escape(asked.reason)
        return self._answer(Status.CLARIFY, found.kind, found.route, text, clarification=asked, plan=drawn)

    def reply(self, found: Classification, plan: Plan, introduction: Introduction) -> Answer:
        """The answer to small talk and to questions about the collection as a whole; nothing was searched."""
        profile = CollectionProfile(QuestionScope((), (), 0))
        if needs_profile(found.small_talk):
            profile = CollectionProfile(self.scope, *introduction())
            examples = (*profile.examples, *summaries_of(self._titles()))[:EXAMPLES]
            profile = replace(profile, examples=examples)
        return self._answer(
            Status.ANSWERED,
            Kind.GENERAL,
            Route.NONE,
            reply_to(found.small_talk, profile),
            confidence=1.0,
            confidence_label=ConfidenceLabel.HIGH,
            follow_ups=profile.examples,
            flags=(CLEARED,) if found.small_talk == CLEAR else (),
            plan=plan.model_dump(mode="json"),
        )

    def fail(self, found: Classification, plan: Plan, degradation: Degradation) -> Answer:
        """The search engine did not answer."""
        text = f"The question could not be searched for. {escape(degradation.message)}"
        return self._answer(
            Status.FAILED,
            found.kind,
            found.route,
            text,
            plan=plan.model_dump(mode="json"),
            degradations=(degradation,),
        )

    def compose(self, found: Classification, gathered: SearchedPassages) -> TextOutcome:
        """Text and parts of the answer, not yet checked."""
        evidence = gathered.evidence
        scores = features(evidence)
        is_single = found.kind in (Kind.LOOKUP, Kind.SUMMARY) and not evidence.named_documents
        unknown = unknown_names(found.normalised, evidence) if is_single else _unsaid(found, evidence)
        is_thin = abstain.should_abstain(scores, self.settings.abstain_below) or bool(unknown)
        is_lookup = found.kind is Kind.LOOKUP and not found.is_procedure
        asked = gathered.plan.asked
        is_unsaid = is_lookup and (
            lacks_asked(asked, evidence, found.normalised) or lacks_name(found.normalised, asked, evidence)
        )
        lacks = is_lookup and (
            is_unsaid
            or lacks_form(found.normalised, evidence)
            or lacks_form_asked(found.normalised, evidence)
            or misses_topic(evidence)
        )
        is_unsure = label_of(abstain.confidence(scores)) is ConfidenceLabel.LOW
        if found.is_procedure or (is_lookup and is_unsure):
            lacks = lacks or misses_thing(found.normalised, evidence)
        asks_section = is_lookup and asks_what_is_said(found.normalised)
        if asks_section and evidence.sentences and evidence.named_documents:
            # Words of a question for a whole section are few; its heading says that it is the one.
            section = compose.compose_section(evidence, self.documents, self.visibility)
            is_thin, lacks = is_thin and section is None, lacks and section is None
        rows = self._rows(found, gathered) if is_lookup else ()
        is_thin, is_unsaid = is_thin and not rows, is_unsaid and not rows
        outcome = TextOutcome(Layout(()), scores, is_thin or (lacks and not rows), tuple(unknown))
        outcome.unsaid = asked if is_unsaid else ""
        if rows:
            outcome.layout = compose.compose_rows(rows, evidence)
        elif not evidence.sentences:
            outcome.degradations.append(Degradation(code="E002", message=nothing_in(self.scope)))
        elif is_thin and not evidence.named_documents:
            pass
        elif outcome.is_thin:
            where = "in " + (" and ".join(f"“{escape(t)}”" for t in _named(evidence)) or self.scope.label)
            outcome.layout = compose.compose_closest(evidence, self.settings.max_claims, where)
        else:
            outcome.layout = self._layout(found, gathered)
        return outcome

    def _rows(self, found: Classification, gathered: SearchedPassages) -> tuple[LabelledRow, ...]:
        if found.over_collection or any(side.sentences for side in gathered.sides):
            return ()
        return find_rows(found.normalised, gathered.evidence, self.documents, self.visibility)

    def _layout(self, found: Classification, gathered: SearchedPassages) -> Layout:
        evidence, limit = gathered.evidence, self.settings.max_claims
        if found.over_collection:
            listing = read_listing(found.normalised) if found.kind is Kind.AGGREGATE else None
            listed = self._listed(listing, evidence) if listing else None
            return listed or compose.compose_list(evidence, limit, self.scope.label)
        if any(side.sentences for side in gathered.sides):
            return compose.compose_comparison(gathered.sides)
        if found.is_procedure:
            procedure = find_procedure(evidence, self.documents, self.visibility)
            if procedure is not None:
                return compose.compose_steps(
                    procedure.steps, procedure.is_numbered, procedure.heading, procedure.title
                )
        if found.is_procedure or found.kind is Kind.SUMMARY:
            summary = compose.compose_summary(evidence, limit, _SUMMARY_WORDS)
            return with_what_follows(summary, self.documents, self.visibility)
        if asks_what_is_said(found.normalised):
            section = compose.compose_section(evidence, self.documents, self.visibility)
            if section is not None:
                return section
        lookup = compose.compose_lookup(found.normalised, evidence, limit)
        return with_what_follows(lookup, self.documents, self.visibility)

    def _listed(self, listing: Listing, evidence: Evidence) -> Layout | None:
        """The documents that fit a list: among those found, and those that have the kind in their name."""
        entries = {
            stored.passage.document: Entry(
                stored.passage.document, stored.passage.version, stored.name, stored.source, has_text=True
            )
            for stored in (candidate.stored for candidate in evidence.candidates)
        }
        for bucket in self.scope.buckets or (None,):
            for kind in listing.kinds:
                query = DocumentQuery(bucket=bucket, text=kind, limit=MAX_READ)
                for s in self.documents.list(self.visibility, query):
                    entries.setdefault(s.id, Entry(s.id, s.version, s.name, s.source, bool(s.passages)))
        return compose_documents(listing, evidence, tuple(entries.values()), self.documents, self.visibility)

    def verify(self, draft: Draft, outcome: TextOutcome) -> Claim | None:
        """The numbered claim where every check holds; otherwise None, and the outcome says why."""
        if outcome.verifier is None:
            outcome.verifier = Verifier(self.documents, self.visibility, self.question)
        draft = complete_or_mark(draft, outcome.verifier.page_text)
        checks = outcome.verifier.check(draft)
        failed = [check for check in checks if not check.ok]
        if failed:
            message = f"A statement was left out because its check failed. {failed[0].detail}"
            outcome.degradations.append(Degradation(code="E004", message=message))
            return None
        claim = outcome.numbering.claim(draft, checks)
        outcome.drafts.append(draft)
        outcome.claims.append(claim)
        return claim

    def conclude(self, found: Classification, gathered: SearchedPassages, outcome: TextOutcome) -> Answer:
        """The answer that the checked claims make; an abstention where none is left."""
        if not outcome.claims:
            return self._abstain(found, gathered, outcome)
        evidence = gathered.evidence
        if gathered.plan.single and outcome.layout.has_rivals:
            asked = which_rival(self.question, gathered.plan, outcome.claims)
            return self.ask_which(found, gathered.plan, asked)
        complete = outcome.layout.is_complete and not outcome.is_late
        status = Status.ANSWERED if complete else Status.PARTIAL
        if outcome.is_thin and found.kind is Kind.LOOKUP:
            status = Status.ABSTAINED  # the closest passages are shown, and none of them answers
        value = self._value(found, evidence, outcome)
        is_told = outcome.layout.confidence is None
        shown = outcome.features
        if found.kind is Kind.LOOKUP and not found.is_procedure:
            shown = replace(shown, first_coverage=coverage(evidence, [outcome.claims[0].text]))
        confidence = abstain.confidence(shown) if is_told else outcome.layout.confidence or 0.0
        is_beside = is_told and self._is_beside_the_point(found, evidence, outcome.claims)
        if is_beside or outcome.layout.is_in_doubt or not outcome.layout.is_complete:
            # The model judges the quotes; whether they are all there are, as a count needs, nobody knows.
            confidence = min(confidence, MOST_CONFIDENT_IN_PART)
        label = label_of(confidence)
        passages = [candidate.stored for candidate in evidence.candidates]
        return self._answer(
            status,
            found.kind,
            found.route,
            render_text(outcome.layout, outcome.drafts, outcome.claims, value),
            claims=tuple(outcome.claims),
            value=value,
            table=self._table(found, gathered, outcome),
            confidence=confidence,
            confidence_label=label,
            gaps=tuple(
                dict.fromkeys(
                    (
                        *((outcome.unsaid,) if outcome.unsaid else ()),
                        *self._gaps(evidence, outcome.claims, found.kind is Kind.COMPARISON),
                        *outcome.layout.gaps,
                    )
                )
            ),
            evidence=weigh_passages(evidence, outcome.claims),
            sources=list_sources(outcome.claims),
            nearest=abstain.nearest_passages(evidence) if outcome.is_thin else (),
            follow_ups=self._follow_ups(evidence, outcome.claims),
            assets=collect_assets(outcome.claims, passages),
            flags=(LOW_CONFIDENCE,) if label is ConfidenceLabel.LOW else (),
            plan=gathered.plan.model_dump(mode="json"),
        )

    def _is_beside_the_point(
        self, found: Classification, evidence: Evidence, claims: Sequence[Claim]
    ) -> bool:
        """True where the quotes and the passages around them hold too few of the question's words.

        More than half must not be missing; of how something is done, or is as a whole, half must not.
        """
        texts = [*_around(evidence, claims), *(claim.text for claim in claims)]
        answered = asked_words(self.question) if stated_values(self.question, claims[0].text) else ()
        missing = missing_share(self.question, texts, answered=answered)
        is_broad = found.is_procedure or found.kind is Kind.SUMMARY
        return missing > _MOST_MISSING or (is_broad and missing == _MOST_MISSING)

    def _abstain(self, found: Classification, gathered: SearchedPassages, outcome: TextOutcome) -> Answer:
        evidence = gathered.evidence
        nearest = abstain.nearest_passages(evidence)
        called = [f"{s.title} {s.name} {s.source}" for s in _stored_of_named(evidence)]
        missing = find_gaps(self.question, [*(near.quote for near in nearest), *called])
        unsaid = (outcome.unsaid,) if outcome.unsaid else ()
        gaps = tuple(dict.fromkeys((*unsaid, *outcome.unknown, *missing)))
        text = abstain.abstention_text(self.scope.label, gaps, bool(nearest), self.scope.unread_note)
        if self.scope.is_empty:
            text = abstain.NO_DOCUMENTS
        elif found.over_collection:
            text = f"{compose.NOT_COUNTED} {text}"
        confidence = abstain.confidence(outcome.features)
        return self._answer(
            Status.ABSTAINED,
            found.kind,
            found.route,
            text,
            confidence=confidence,
            confidence_label=label_of(confidence),
            gaps=gaps,
            evidence=weigh_passages(evidence),
            nearest=nearest,
            follow_ups=self._follow_ups(evidence, ()),
            clarification=None if nearest else nothing_found(gathered.plan, self.scope),
            plan=gathered.plan.model_dump(mode="json"),
        )

    def _value(self, found: Classification, evidence: Evidence, outcome: TextOutcome) -> Value | None:
        is_lookup = found.kind is Kind.LOOKUP and not found.is_procedure and not outcome.is_thin
        if outcome.layout.value or outcome.layout.is_in_doubt or not outcome.layout.is_complete:
            return outcome.layout.value
        if outcome.layout.has_rivals or other_things(self.question, outcome.claims[0], evidence):
            return None
        return direct_value(self.question, outcome.claims[0].text) if is_lookup else None

    def _table(self, found: Classification, gathered: SearchedPassages, outcome: TextOutcome) -> Table | None:
        if outcome.is_thin:
            return None
        if found.kind is Kind.COMPARISON and any(side.sentences for side in gathered.sides):
            return compose.comparison_table(outcome.claims, [side.subject for side in gathered.sides])
        # "Which ones lack ..." cannot be listed from passages that hold the thing: no table is better.
        if found.kind is Kind.AGGREGATE and found.over_collection:
            return compose.list_table(outcome.claims)
        return None

    def _gaps(self, evidence: Evidence, claims: Sequence[Claim], is_comparison: bool) -> tuple[str, ...]:
        texts = _around(evidence, claims)
        is_stated = any(stated_values(self.question, claim.text) for claim in claims[:1])
        answered = asked_words(self.question) if is_stated else ()
        gaps = find_gaps(self.question, [*texts, *(claim.text for claim in claims)], answered=answered)
        if not is_comparison:
            gaps = tuple(dict.fromkeys((*gaps, *other_things(self.question, claims[0], evidence))))
        meant = compose.equally_meant(evidence, claims)
        if len(meant) > 1 and not is_comparison:
            names = " or ".join(f"“{title}”" for title in meant)
            gaps = (*gaps, f"The question may mean {names}; name one to be sure.")
        return gaps

    def _follow_ups(self, evidence: Evidence | None, claims: Sequence[Claim]) -> tuple[str, ...]:
        candidates = evidence.candidates if evidence else ()
        titles: list[str] = []
        if evidence is None:  # nothing was searched, so nothing is near
            titles = self._titles()
        return suggest(self.question, claims, candidates, titles)

    def _titles(self) -> list[str]:
        """Titles of a few documents in scope that have text."""
        bucket = self.scope.buckets[0] if self.scope.buckets else None
        query = DocumentQuery(bucket=bucket, limit=6)
        return [s.name for s in self.documents.list(self.visibility, query) if s.passages]

    def _answer(self, status: Status, kind: Kind, route: Route, text: str, **fields: object) -> Answer:
        values: dict[str, object] = {
            "question": self.question,
            "trace_id": self.trace_id,
            "data_version": self.data_version,
            "status": status,
            "kind": kind,
            "route": route,
            "text": text,
        }
        if "follow_ups" not in fields:
            values["follow_ups"] = self._follow_ups(None, ())
        return Answer.model_validate({**values, **fields})


def _around(evidence: Evidence, claims: Sequence[Claim]) -> list[str]:
    """Title, names, section and text of the passages that begin on a page that is cited."""
    cited = {(c.document, c.version, c.page) for claim in claims for c in claim.citations}
    return [
        " ".join((stored.title, stored.name, stored.source, *stored.passage.section, stored.passage.text))
        for stored in (candidate.stored for candidate in evidence.candidates)
        for part in stored.passage.parts[:1]
        if (stored.passage.document, stored.passage.version, part.page_no) in cited
    ]


def _unsaid(found: Classification, evidence: Evidence) -> Sequence[str]:
    """The words of what is asked of every document of a list that none of those found says."""
    is_list = found.over_collection and found.kind is Kind.AGGREGATE and not evidence.named_documents
    listing = read_listing(found.normalised) if is_list else None
    return unsaid_condition(listing.condition, evidence) if listing is not None else ()


def _stored_of_named(evidence: Evidence) -> list[StoredPassage]:
    """A passage of each document that the question names."""
    of = {c.stored.passage.document: c.stored for c in evidence.candidates}
    return [of[document] for document in evidence.named_documents if document in of]


def _named(evidence: Evidence) -> list[str]:
    titles = {c.stored.passage.document: c.stored.name for c in evidence.candidates}
    return list(dict.fromkeys(titles[d] for d in evidence.named_documents if d in titles))[:3]


def general_reply(composer: Composer, question: str, introduction: Introduction) -> Answer:
    """The reply to what no document could answer, where no rule knows the topic: what can be asked here."""
    remark = classify("help")
    return composer.reply(remark, text_plan(remark, question, ()), introduction)
