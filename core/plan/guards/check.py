"""Guards of plans, in order: the one check that a plan has to pass, whoever made it.

Each guard is a function of a question, its plan and what is known of the collection. `check` runs them all; a
planner that reads the question itself may run `check_wording` and `check_names` before it builds anything,
`check_plan` on what it built, and then has run the same guards once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from core.domain.answer import Kind, Route
from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue, NoTexts, Texts
from core.plan.clarify import AskBackError, Clarify
from core.plan.guards.ambiguity import (
    check_compared,
    check_counts,
    check_criterion,
    check_dates,
    check_nothing_asked,
    check_pointing,
    check_vague,
    check_when,
)
from core.plan.guards.coverage import covered
from core.plan.guards.misreadings import (
    check_meant,
    check_parties,
    check_places,
    check_purpose,
    gives_another_thing,
)
from core.plan.guards.unknown_attributes import check_attribute
from core.plan.guards.unknown_names import check_absent
from core.plan.guards.unknown_words import NamedInTextError, compounds, settled, unordered
from core.plan.ir.nodes import Plan, SelectionNode
from core.plan.language.interpretation import interpret, lexicon_of
from core.plan.language.lexicon.meaning import FieldMeanings, Known
from core.plan.language.pieces import DocumentSet, Mentions, Parties, UnknownWord
from core.plan.text.classify import asks_what_is_said, clean_question

_NAMED = (DocumentSet, Parties, UnknownWord)  # of which something may not exist, beside what has digits


@dataclass(frozen=True, slots=True)
class GuardFinding:
    """Something that a guard objects to. phrase: the words of the question that it is about.

    clarify: what has to be asked back; None where the plan leaves these words out or gives another thing.
    """

    guard: str
    phrase: str
    clarify: Clarify | None = None


def check(
    question: str,
    plan: Plan,
    catalogue: Catalogue,
    texts: Texts | None = None,
    *,
    meanings: FieldMeanings | None = None,
    words: TokenCounter | None = None,
    buckets: tuple[str, ...] = (),
    today: date | None = None,
) -> tuple[GuardFinding, ...]:
    """The findings of all guards on a plan for a question; () where it may run as it is.

    Words that a note of the plan explains, or that it names as not covered, are not found again.
    """
    question = clean_question(question)
    if plan.route is Route.NONE or not question:
        return ()
    known = Known(lexicon_of(catalogue), meanings, texts or NoTexts(), buckets, words)
    day = today or (date.fromisoformat(plan.today) if plan.today else date.today())
    mentions = interpret(question, known, day).reading
    found = [*_caught("ambiguity", lambda: check_wording(question, mentions, known))]
    if not _is_over_rows(plan):
        found += _caught("names", lambda: check_names(mentions, known))
        found += _caught("unknown words", lambda: _check_words(mentions, plan, known))
        found += _caught("unknown attribute", lambda: _check_attribute(question, mentions, plan, known))
    if plan.route is Route.STRUCTURED:
        found += _caught("misreading", lambda: check_plan(mentions, plan, known))
        other = gives_another_thing(mentions, plan, known.lexicon)
        found += [GuardFinding("misreading", other)] if other else []
    if plan.route is Route.STRUCTURED and not _is_over_rows(plan):
        left = covered(mentions, plan).uncovered
        found += [GuardFinding("coverage", text) for text in left if text not in plan.uncovered]
    return tuple(each for each in found if each.clarify is None or not _explains(plan, each.phrase))


def check_wording(question: str, mentions: Mentions, known: Known) -> None:
    """Raises AskBackError for dates, numbers and values that can be read in no way or in several."""
    check_dates(question)
    check_counts(mentions)
    check_meant(mentions, known.lexicon)


def check_names(mentions: Mentions, known: Known) -> None:
    """Raises AskBackError where a question names nothing, or what does not exist."""
    check_vague(mentions, known.lexicon.catalogue)
    check_pointing(mentions)
    check_when(mentions)
    if any(isinstance(p.meaning, _NAMED) or any(map(str.isdigit, p.text)) for p in mentions.pieces):
        check_absent(mentions, known)


def check_plan(mentions: Mentions, plan: Plan, known: Known) -> None:
    """Raises AskBackError where a structured plan would answer another question than the one asked."""
    check_criterion(mentions, plan, known.lexicon.catalogue)
    check_places(plan, known.lexicon.catalogue)
    check_parties(plan, known)
    check_purpose(mentions, plan, known)


def _check_words(mentions: Mentions, plan: Plan, known: Known) -> None:
    """Raises AskBackError for words that a structured plan rests on and nothing is called by."""
    check_nothing_asked(mentions, known.lexicon.catalogue)
    check_compared(mentions, known.lexicon.catalogue)
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    schema = known.lexicon.catalogue.schema(selects[-1].scope.schema_name) if selects else None
    if plan.route is not Route.STRUCTURED or schema is None or plan.kind is Kind.LOOKUP:
        return
    compounds(mentions, schema, known)
    unordered(mentions, schema, known)
    settled(mentions, schema, known)


def _check_attribute(question: str, mentions: Mentions, plan: Plan, known: Known) -> None:
    if plan.kind in (Kind.LOOKUP, Kind.AGGREGATE) and not asks_what_is_said(question.casefold()):
        check_attribute(mentions, known)


def _caught(guard: str, run: Callable[[], None]) -> Iterator[GuardFinding]:
    try:
        run()
    except AskBackError as needs:
        yield GuardFinding(guard, needs.clarify.phrase, needs.clarify)
    except NamedInTextError:
        yield GuardFinding(guard, "")


def _is_over_rows(plan: Plan) -> bool:
    return any(isinstance(node, SelectionNode) and node.of == "rows" for node in plan.nodes)


def _explains(plan: Plan, phrase: str) -> bool:
    """True where a plan says how it read these very words, or that it does not cover them."""
    said = (*(note.phrase for note in plan.notes), *plan.uncovered)
    return bool(phrase) and any(phrase.casefold() in text.casefold() for text in said)
