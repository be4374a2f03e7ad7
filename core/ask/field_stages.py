"""Stages that answer over fields and sets: a text divided, the plan as it was chosen, and its run."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from core.answer.abstain import nearest_passages
from core.answer.computed.inventory import kinds_said
from core.ask.clarification import MOST, ask_back, is_about_one, read_as_before
from core.ask.computed_answer import ComputedAnswer, Structured, with_counts
from core.ask.conversation import answered_from_text
from core.ask.model import ModelStages
from core.ask.request import Run, steps_label
from core.ask.suggestions import OF_PROGRAM, examples, suggest
from core.ask.text_answer import Composer, unmentioned
from core.cache import Cache
from core.domain.answer import Answer, Kind, Route, Status
from core.domain.conversation import Turn
from core.domain.event import FIELDS_STATE_NOTHING, Event
from core.domain.search import SearchQuery
from core.errors import IndexUnavailableError
from core.plan.clarify import Clarify, is_whole
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import check
from core.plan.reading import Operation, Reading
from core.plan.reading_planner import Planned
from core.plan.run.executor import PlanFinished
from core.plan.text_plan import text_plan
from core.search.classify import classify
from core.search.evidence.pack import pack
from core.search.resolve import FRAME
from core.search.search import PassageFinder
from core.store.database.visibility import Visibility
from core.text.analyse import content_terms, text_terms
from core.text.sentences import split_sentences

MOST_QUESTIONS = 6
MOST_CHARS = 2_000
"""Length of a text above which it is no list of questions, and is read as a whole."""
_LEAST_OF_TEXT = 2  # content words that a question for the text needs: "why?" asks nothing by itself
_SURE = 0.7
_ONES = text_terms("ones")  # "which ones?" asks for nothing more
_NUMBERED = re.compile(r"\s{0,8}(?:[-–—•*]|\(?\d{1,2}[.)])\s+(?=\S)")
_KEPT_EXAMPLES = 16  # states of collections


def divided(
    text: str, read: Callable[[str], Reading], is_answered: Callable[[str], bool] | None = None
) -> tuple[str, ...]:
    """The questions of a text, in order; () where it is one, or a part of it asks nothing by itself.

    Parted at the ends of sentences, at semicolons, and at numbered lines, nowhere else. A later part may lean
    on an earlier one. read: the reading of a part as a question of its own. is_answered: tells whether one
    plan says a whole text, which is no list of questions unless each part is one by itself; None for never.
    """
    if len(text) > MOST_CHARS:
        return ()
    parts = _numbered(text) or list(_sentences(text))
    if not 2 <= len(parts) <= MOST_QUESTIONS or len(dict.fromkeys(map(str.casefold, parts))) < len(parts):
        return ()
    is_one = is_answered is not None and is_answered(text)
    whole = [each for each in parts if each.endswith("?") and text_terms(each) - _ONES]
    if is_one and not (len(whole) == len(parts) and all(is_answered(each) for each in whole if is_answered)):
        return ()
    return tuple(parts) if all(_is_closed(each) and _asks(each, read) for each in parts) else ()


def _numbered(text: str) -> list[str]:
    """The lines of a list, without their numbers; [] where not all lines are of one."""
    lines = [line for line in text.splitlines() if line.strip()]
    marks = [_NUMBERED.match(line) for line in lines]
    return [mark.string[mark.end() :].strip() for mark in marks if mark is not None] * all(marks)


def _sentences(text: str) -> Iterator[str]:
    for start, end in split_sentences(text):
        parts = (part.strip().rstrip(";").rstrip() for part in re.split(r"(?<=[?;])(?=\s)", text[start:end]))
        yield from (part for part in parts if part.strip(" ?.!;"))


def _is_closed(part: str) -> bool:
    """True where no quotation or bracket goes on in another part."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    return part.count('"') % 2 == 0 and all(part.count(one) == part.count(other) for one, other in pairs)


def _asks(part: str, read: Callable[[str], Reading]) -> bool:
    """True of a part that a reader takes for a question, and not for words in front of the next part."""
    reading = read(part)
    if reading.operation is Operation.TEXT:
        return part.endswith("?") and len(content_terms(part)) >= _LEAST_OF_TEXT
    is_clear = not (reading.uncovered or FRAME.match(part)) or reading.probability >= _SURE
    is_said = part.endswith("?") or is_clear
    return is_said and reading.operation is not Operation.HELP


@dataclass(frozen=True, slots=True)
class FieldStages:
    """Answers over fields and sets, and None where the text has to be searched. Thread-safe."""

    structured: Structured
    models: ModelStages
    finder: PassageFinder
    examples: Cache[tuple[str, tuple[str, ...], str], tuple[str, ...]] = field(
        default_factory=lambda: Cache(_KEPT_EXAMPLES)
    )

    def divided(self, run: Run, text: str) -> tuple[str, ...]:
        """The questions that a text is answered as; () where it is one, or a part of one already.

        A model divides the rest: it tells a remark before a question, and "By how much?" behind one.
        """
        if run.is_part or run.question.way not in ("", "afresh"):
            return ()
        planner = self.structured.planner(run.visibility)
        parts = divided(text, planner.read, lambda whole: is_whole(planner.plan(whole, run.buckets)))
        are_clear = all(part.endswith("?") and len(content_terms(part)) > 1 for part in parts)
        return parts if run.calls is None or are_clear else ()

    def followed(self, run: Run, question: str, history: Sequence[Turn]) -> Planned | None:
        """The plan of a question that goes on from the conversation; None for any other.

        With no documents in hand "they" may mean what was spoken of in answers from text: no question back.
        """
        turn = self.structured.planner(run.visibility).follow(question, run.state, run.buckets)
        if turn is None:
            return None
        plan = self.structured.ready(turn.plan, run.visibility, run.buckets)
        if isinstance(plan, Clarify) and run.state.is_empty and answered_from_text(history):
            return None
        return replace(turn, plan=plan)

    def given(self, run: Run, plan: Plan) -> Plan:
        """A plan that was chosen, estimated over what may be seen. Raises PlanError where it cannot run."""
        check(plan, self.structured.catalogue(run.visibility))
        owned = self.structured.planner(run.visibility).owned(plan, run.buckets, run.state)
        return self.structured.estimated(owned, run.visibility)

    def plan_as_chosen(self, run: Run, question: str) -> Planned:
        """The plan, with words that may mean several things taken as they were chosen before."""
        planned = self.structured.plan(question, run.visibility, run.buckets)
        for _ in range(MOST):
            chosen = read_as_before(planned.plan, run.known) if isinstance(planned.plan, Clarify) else None
            if chosen is None:
                break
            run.chosen = tuple(dict.fromkeys((*run.chosen, chosen.understood)))
            if chosen.plan is not None:
                planned = Planned(self.given(run, chosen.plan))
            else:
                planned = self.structured.plan(chosen.question, run.visibility, run.buckets)
        return planned

    def computed(
        self, run: Run, composer: Composer, question: str, planned: Planned | None = None
    ) -> Generator[Event, None, Answer | None]:
        """The answer that fields and sets give; None where the text has to be searched.

        planned: where the plan was made already.
        """
        asked = run.asking(question)
        count = partial(self.structured.count, asked=asked)
        if planned is None:
            planned = self.plan_as_chosen(run, question)
            planned = yield from self.models.read(run, planned, question)
        plan, read = planned.plan, run.reading
        if run.divided:
            return None
        if read is None and isinstance(plan, Plan):
            read = plan.reading
        if read is not None and read.operation is Operation.HELP:
            yield run.finish_stage("plan", "A general remark", read.by, nodes=0)
            return composer.reply("help", text_plan(classify("help"), question, ()))
        if isinstance(plan, Clarify):
            if run.question.way == "whatever":
                return None
            is_absence = plan.type == "absent"
            label = "Not in the collection" if is_absence else "A word is missing"
            yield run.finish_stage("plan", label, "rules")
            catalogue = self.structured.catalogue(run.visibility)
            back = ask_back(
                with_counts(plan, catalogue, count), asked, composer.scope.unread_note if is_absence else ""
            )
            return with_surroundings(back, self.finder, run.visibility, run.buckets)
        run.require(plan)
        others = tuple(each for each in planned.others if run.door.refusal(each) is None)
        run.understood, run.others = plan, others
        if plan.route is not Route.STRUCTURED:
            return None
        is_told = run.question.way == "" and bool(is_about_one(plan))  # no text compares or counts
        if is_told and (why := self.structured.habit(plan, run.visibility).by_text):
            run.put_off = plan = plan.with_note(why)
            run.understood = plan.model_copy(update={"route": Route.HYBRID})
            return None
        return (yield from self.run_plan(run, plan, question, others))

    def run_plan(
        self, run: Run, plan: Plan, question: str, others: tuple[Plan, ...] = ()
    ) -> Generator[Event, None, Answer | None]:
        """The answer of a plan over fields and sets; None where these do not state it."""
        run.require(plan)
        yield run.finish_plan(plan)
        yield run.start_stage("compute", f"Computing {steps_label(len(plan.nodes))}")
        computed: ComputedAnswer | None = None
        for event in self.structured.run(plan, run.asking(question), others):
            if isinstance(event, ComputedAnswer):
                computed = event
            elif not isinstance(event, PlanFinished):
                yield event
        label = "Computed over fields" if computed is not None else FIELDS_STATE_NOTHING
        yield run.finish_stage("compute", label, "sql", nodes=len(plan.nodes))
        if computed is None:
            return None
        if computed.suggest is not None:
            seen, buckets = run.visibility, run.buckets
            run.suggest = lambda: with_surroundings(computed.whole, self.finder, seen, buckets).follow_ups
        return computed.answer

    def instead_of_nothing(self, run: Run, nothing: Answer) -> Generator[Event, None, Answer | None]:
        """The answer of a likely plan over fields where no text answers, said to be unsure; None for nothing.

        Of sets alone: what no field of a named document states is not there. What was put off comes first.
        """
        if run.put_off is not None:
            run.start_stage("plan", "Planning")
            answer = yield from self.run_plan(run, run.put_off, nothing.question, run.others)
            if answer is not None or nothing.status is not Status.ABSTAINED:
                return answer
        for plan in run.others:
            of_documents = plan.kind in (Kind.LOOKUP, Kind.COMPARISON)
            if not plan.is_whole or of_documents or run.door.refusal(plan) is not None:
                continue
            own = self.given(run, unmentioned(plan, nothing))
            run.start_stage("plan", "Planning")  # anew
            answer = yield from self.run_plan(run, own, nothing.question)
            if answer is not None and answer.status in (Status.ANSWERED, Status.PARTIAL):
                run.others = ()
                return answer
        return None

    def introduction(self, run: Run) -> tuple[str, tuple[str, ...]]:
        """The kinds of documents with their counts in words, and examples of questions that are answered."""
        catalogue = self.structured.catalogue(run.visibility)
        inside = [each for each in catalogue.documents if not run.buckets or each.bucket in run.buckets]

        def is_answered(question: str) -> bool:
            plan = self.structured.plan(question, run.visibility, run.buckets).plan
            if not is_whole(plan) or run.door.refusal(plan) is not None:
                return False
            *_, last = self.structured.run(plan, replace(run.asking(question), trace_id="", is_kept=False))
            return isinstance(last, ComputedAnswer) and last.answer.status is Status.ANSWERED

        key = (catalogue.fingerprint, run.buckets, run.door.known_by)
        tried = self.examples.get_or_make(key, lambda: examples(catalogue, run.buckets, is_answered))
        return kinds_said(inside, catalogue), tried

    def tables(self, run: Run) -> tuple[str, ...]:
        """Registered tables that may be asked, by their names."""
        found = self.structured.catalogue(run.visibility).datasets
        return tuple(each.title or each.parts[0].sheet for each in found)


def with_surroundings(
    answer: Answer, finder: PassageFinder, visibility: Visibility, buckets: tuple[str, ...]
) -> Answer:
    """The answer with questions to go on with; one that abstains with the passages nearest to it, too."""
    if answer.follow_ups or answer.status not in (Status.ANSWERED, Status.PARTIAL, Status.ABSTAINED):
        return answer
    titles = dict.fromkeys(source.title for source in answer.sources)
    if answer.status is not Status.ABSTAINED or answer.nearest:
        found = suggest(answer.question, answer.claims, (), titles)
        if answer.route is Route.STRUCTURED:
            found = tuple(each for each in found if each not in OF_PROGRAM)
        return answer.model_copy(update={"follow_ups": found})
    try:
        evidence = pack(finder.retrieve(SearchQuery(answer.question, buckets=buckets), visibility))
    except IndexUnavailableError:
        return answer  # what is absent is known without the index
    follow_ups = suggest(answer.question, answer.claims, evidence.candidates, titles)
    return answer.model_copy(update={"nearest": nearest_passages(evidence), "follow_ups": follow_ups})
