"""Questions back: a missing word, documents called alike, a list too long; and choices that were made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.answer.computed.draft import ComputedDraft
from core.answer.export import address
from core.ask.request import QuestionRequest, QuestionScope, answer_to
from core.config.models import RetrievalSettings
from core.domain.answer import (
    Answer,
    AnswerChoice,
    Attempt,
    Claim,
    Clarification,
    Degradation,
    Kind,
    Route,
    Status,
    Understood,
)
from core.domain.conversation import Turn
from core.domain.results import UNFIT, Documents, Result, Stopped
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.clarify import (
    MOST_OFFERED,
    Clarify,
    Option,
    option_for,
    options_of,
    place_of,
    told_apart,
    which_document,
)
from core.plan.conversation_state import base_of
from core.plan.ir.graph_edits import over_documents
from core.plan.ir.nodes import Hop, Plan, ScopedNode
from core.plan.run.executor import PlanFinished
from core.plan.text_plan import searches, text_plan
from core.search.classify import UnnamedThing, classify
from core.search.evidence.base import Evidence
from core.search.evidence.instances import named_instances
from core.text.analyse import analyse
from core.text.markdown import escape
from core.values.numbers import parse_ordinal

Planning = Callable[[str], Plan | Clarify]
INSTANCE_PASSAGES = 10  # in which names of the thing meant are looked for


def settled(planned: Plan | Clarify, plan: Planning, catalogue: Catalogue) -> Plan | Clarify:
    """The question back about documents, each of its choices a plan; as it is where it is about none.

    plan: makes plans of whole questions.
    """
    if isinstance(planned, Plan):
        return planned
    entries = [catalogue.document(each.document) for each in planned.options if each.document]
    known = [each for each in entries if each is not None]
    if not known or len(known) < len(planned.options):
        return planned
    place = place_of(planned.question, planned.phrase)
    first = plan_about(known[0], planned.question, place, plan)
    options = []
    for option, each in zip(planned.options, known, strict=True):
        if option.plan is None:  # of one kind, the plan of the first is one of the others
            is_alike = (each.schema, each.kind) == (known[0].schema, known[0].kind)
            is_over = is_alike and first.route is Route.STRUCTURED
            own = over(first, each.id) if is_over else plan_about(each, planned.question, place, plan)
            own = own.model_copy(update={"question": option.question[:500]})
            option = option.model_copy(update={"plan": own})
        options.append(option)
    return planned.model_copy(update={"options": tuple(options)})


def plan_about(document: DocumentEntry, question: str, place: tuple[int, int] | None, plan: Planning) -> Plan:
    """The plan of a question about one document; a search of its text where no field is asked for.

    place: of the words that name it in the question, and not it alone; None where none do.
    """
    name = document.source.replace("\\", "/").rsplit("/", 1)[-1]
    made = plan(_named(question, place, name))
    if isinstance(made, Plan) and is_about_one(made) == document.id and made.route is Route.STRUCTURED:
        left = tuple(each for each in made.uncovered if each not in name)
        return made.model_copy(update={"question": question, "single": "", "uncovered": left})
    return text_plan(classify(question), question, (), document=document.id)


def _named(question: str, place: tuple[int, int] | None, name: str) -> str:
    return f"{question[: place[0]]}{name}{question[place[1] :]}" if place else f"{question} ({name})"


def over(plan: Plan, document: str) -> Plan:
    """The plan with another document in the place of those that it names."""
    nodes = (
        _over(node, document) if isinstance(node, ScopedNode) and node.scope.documents else node
        for node in plan.nodes
    )
    return plan.model_copy(update={"nodes": tuple(nodes)})


def _over(node: ScopedNode, document: str) -> ScopedNode:
    scope = node.scope.model_copy(update={"documents": (document,)})
    return node.model_copy(update={"scope": scope, "ran": None, "estimate": None})


def is_about_one(plan: Plan) -> str:
    """The id of the one document that all of a plan is about; "" where it is about more."""
    named = {node.scope.documents for node in plan.nodes if isinstance(node, ScopedNode)}
    one = named.pop() if len(named) == 1 else ()
    return one[0] if len(one) == 1 else ""


def each_of(plan: Plan, question: str, phrase: str, documents: Sequence[DocumentEntry]) -> tuple[Option, ...]:
    """A choice for each of some documents that a plan found: the same plan, over that one alone."""
    options, base, place = [], base_of(plan), place_of(question, phrase)
    for document, label in zip(documents, told_apart(documents), strict=True):
        said = _named(question, place, label)
        fresh = (node.model_copy(update={"ran": None, "estimate": None}) for node in plan.nodes)
        nodes = tuple(_over(base, document.id) if base and node.id == base.id else node for node in fresh)
        own = plan.model_copy(update={"nodes": nodes, "single": "", "question": said[:500]})
        options.append(Option(label=label, question=said, documents=1, plan=own, document=document.id))
    return tuple(options)


def ask_back(clarify: Clarify, asked: QuestionRequest, unread: str = "") -> Answer:
    """The answer to a question that needs another word, or that names what is not there.

    unread: a sentence on documents that could not be read, which may hold what seems absent.
    """
    is_absence = clarify.type == "absent"
    is_unknown = clarify.type in ("no_match", "absent")
    choices = tuple(map(choice_of, clarify.options))
    clarification = _asks(clarify.reason, clarify.phrase, choices, clarify.attempts, is_unknown=is_unknown)
    text = f"No answer: {clarify.reason} {unread}".strip() if is_absence else clarify.reason
    return answer_to(
        asked,
        None,
        status=Status.ABSTAINED if is_absence else Status.CLARIFY,
        text=escape(text),
        gaps=(clarify.phrase,) if is_absence and clarify.phrase else (),
        clarification=clarification,
    )


def _asks(
    reason: str,
    phrase: str,
    choices: Sequence[AnswerChoice],
    attempts: Sequence[Attempt],
    *,
    hint: str = "",
    is_unknown: bool = False,
) -> Clarification:
    """A question back about a phrase. hint: what may help where there is nothing to choose from."""
    return Clarification(
        type="no_low" if is_unknown else "vague",
        reason=reason,
        phrase=phrase,
        attempts=tuple(attempts),
        hints=tuple(each.label for each in choices) or tuple(filter(None, (hint,))),
        options=tuple(choices),
    )


def choice_of(option: Option) -> AnswerChoice:
    """An option of a planner as an answer offers it."""
    return AnswerChoice.model_validate(option.model_dump(mode="json", exclude={"document"}))


def nothing_told(asked: QuestionRequest, plan: Plan) -> Answer:
    """The answer where a plan that was chosen finds something that makes none."""
    text = "What this reading finds makes no answer. Change one of its parts."
    return answer_to(asked, plan, status=Status.ABSTAINED, text=text)


def hop_of(plan: Plan, id: str) -> Hop | None:
    """The hop of that id; None where it is another node."""
    return next((node for node in plan.nodes if node.id == id and isinstance(node, Hop)), None)


def stopped(plan: Plan, why: Stopped | None, asked: QuestionRequest) -> Answer | None:
    """A question back where a node needs a word; an answer that says what is wrong where it failed."""
    if why is None:
        return None
    if why.is_question:
        hop = hop_of(plan, why.node)
        phrase = hop.phrase if hop is not None else ""
        options = tuple(_choice(asked.question, phrase, each) for each in why.options)
        reason = why.reason
        if phrase and options:
            reason = f"“{phrase}” may be any of {len(options)}: {', '.join(why.options)}. Which do you mean?"
        attempts = _attempts(plan)
        clarification = _asks(reason, phrase, options, attempts, hint=why.next_step, is_unknown=not options)
        return answer_to(asked, plan, status=Status.CLARIFY, text=escape(reason), clarification=clarification)
    if Route.HYBRID in plan.fallbacks:
        return None
    message = f"{why.reason} {why.next_step}".strip()
    if why.detail.get(UNFIT):
        return answer_to(asked, plan, status=Status.ABSTAINED, text=escape(message))
    degraded = Degradation(code=str(why.detail.get("code", "E004")), message=message)
    return answer_to(asked, plan, status=Status.FAILED, text=escape(message), degradations=(degraded,))


def _choice(question: str, phrase: str, value: str) -> AnswerChoice:
    """The question with a value in place of what it stands for, or behind it."""
    is_said = phrase and phrase.casefold() in question.casefold()
    said = option_for(question, phrase, value).question if is_said else f"{question} ({value})"
    return AnswerChoice(label=value, question=said)


def _attempts(plan: Plan) -> tuple[Attempt, ...]:
    texts = {node.id: node.text for node in searches(plan.nodes)}
    return tuple(
        Attempt(
            tool=node.type,
            args={"text": texts[node.id]} if node.id in texts else {"purpose": node.purpose},
            hits=node.ran.hits if node.ran else 0,
        )
        for node in plan.nodes
    )


def too_many(
    done: PlanFinished, given: Result, limits: RetrievalSettings, asked: QuestionRequest
) -> Clarification | None:
    """Ways to narrow a list of more documents than anybody reads; the list itself is whole."""
    count = len(given.present) if isinstance(given, Documents) else 0
    if count <= limits.max_hits:
        return None
    return Clarification(
        type="overload",
        reason=f"{count:,} documents fulfil this. The table holds all of them.",
        attempts=_attempts(done.plan),
        hints=("Add a condition.", "Ask how many there are in each group.", "Choose one bucket."),
        export=address(asked.trace_id) if asked.is_kept else None,
    )


def vague(reason: str) -> Clarification:
    """A question that names nothing."""
    hints = (
        "Say what you want to know and, if you can, about which document, party or product.",
        "For example: “What is the notice period in the services agreement?”",
        "Ask “What can you do?” to see the kinds of questions that work.",
    )
    return Clarification(type="vague", reason=reason, hints=hints)


def which_rival(question: str, plan: Plan, claims: Sequence[Claim]) -> Clarification:
    """One document is meant by the words of a plan, and several say other things: each is searched alone."""
    phrase = plan.single
    cited = {each.document: each for claim in claims for each in claim.citations[:1]}
    entries = [DocumentEntry(id, each.title, each.source, "") for id, each in cited.items()]
    reason = f"“{phrase}” may be any of {len(cited)} documents, which say different things. Which of them?"
    choices = []
    for each in options_of(question, phrase, entries):
        own = over_documents(plan, (each.document,))
        if own is not None:
            own = own.model_copy(update={"single": "", "question": each.question[:500]})
        choices.append(choice_of(each.model_copy(update={"plan": own})))
    return _asks(reason, phrase, choices, (Attempt(tool="search", args={"text": question}, hits=len(cited)),))


def which_thing(
    question: str, things: Sequence[UnnamedThing], evidence: Evidence, told: str
) -> Clarification | None:
    """Asks which one is meant of the things that a question does not name; None where that is no matter.

    So where passages of several documents name several of them, and where it points at one ("this card").
    told: the question with what it carries of earlier ones, which may name one.
    """
    texts = [
        (each.stored.passage.document, f"{each.stored.name}\n{each.stored.passage.text}")
        for each in evidence.candidates[:INSTANCE_PASSAGES]
    ]
    for thing in things:
        # Of several words the first alone is seldom the thing: "state" of "state library".
        for words in [each for each in thing.words if " " in each] or thing.words:
            names = named_instances(words, texts)
            if len(set(names.values())) > 1 and not _is_named(told, names, words):
                return _which(question, thing, words, list(names)[:MOST_OFFERED])
        if thing.is_certain:
            words = next((w for w in thing.words if any(w.casefold() in t.casefold() for _, t in texts)), "")
            return _which(question, thing, words or thing.words[-1], ())
    return None


def _is_named(told: str, names: Iterable[str], words: str) -> bool:
    """True where what tells one of the names apart was said."""
    said, kind = set(analyse(told)), set(analyse(words))
    own = [set(analyse(name)) - kind for name in names]
    shared = set.intersection(*own)
    return any(each - shared and each - shared <= said for each in own)


def _which(question: str, thing: UnnamedThing, words: str, names: Sequence[str]) -> Clarification:
    end = thing.first + len(words)
    phrase = question[thing.start : end]
    options = [
        AnswerChoice(label=name, question=f"{question[: thing.start]}the {name}{question[end:]}")
        for name in names
    ]
    if options:
        reason = f"“{phrase}” may be any of several, such as {', '.join(names[:3])}. Which one do you mean?"
    else:
        reason = f"Nothing said so far tells which one “{phrase}” is. Which one do you mean?"
    tried = Attempt(tool="search", args={"text": question}, hits=len(names))
    return _asks(reason, phrase, options, (tried,), hint=f"Ask again with a name in place of “{phrase}”.")


def nothing_in(scope: QuestionScope) -> str:
    """A sentence on a search that found nothing."""
    empty = "There are no documents" + (", and no dataset was asked." if scope.has_tables else " yet.")
    return empty if scope.is_empty else f"Nothing was found in {scope.label}."


def nothing_found(plan: Plan, scope: QuestionScope) -> Clarification:
    """Searches tried without a hit, and ways that may help."""
    attempts = tuple(
        Attempt(
            tool="search",
            args={"text": node.text, "buckets": list(node.scope.buckets)},
            hits=node.ran.hits if node.ran else 0,
        )
        for node in searches(plan.nodes)
    )
    hints: tuple[str, ...] = (
        "Use other words.",
        "Widen the scope to all buckets.",
        "Add the documents that hold the answer.",
    )
    if scope.is_empty:
        add = "Add documents on the Documents page, or run: groundwork ingest FOLDER"
        hints = ("Ask with the names of a dataset and of its columns.",) if scope.has_tables else (add,)
    return Clarification(type="no_low", reason=nothing_in(scope), attempts=attempts, hints=hints)


def which_one(plan: Plan, draft: ComputedDraft, given: object, catalogue: Catalogue) -> Clarify | None:
    """Asks which document is meant where the question means one, and several say different things."""
    if not plan.single or not isinstance(given, Documents) or len(given.present) < 2 or draft.table is None:
        return None
    stating = {
        document: row[1:]
        for document, row in zip(draft.table.documents, draft.table.rows, strict=True)
        if any(cell is not None for cell in row[1:])
    }
    if len(set(stating.values())) < 2 and not any(given.absent) and stating:
        return None
    entries = [entry for id in stating or given.present if (entry := catalogue.document(id)) is not None]
    asked = which_document(plan.question, plan.single, entries, "documents")
    options = each_of(plan, plan.question, plan.single, entries[: len(asked.options)])
    return asked.model_copy(update={"options": options})


def not_quoted(plan: Plan, claims: Sequence[Claim]) -> tuple[str, ...]:
    """The words that no node covers; of a lookup, without those that stand where its values do."""
    if plan.kind is not Kind.LOOKUP or not plan.uncovered:
        return plan.uncovered
    quoted = " ".join(f"{c.quote} {c.title} {c.source}" for claim in claims for c in claim.citations)
    said = set(analyse(quoted))
    return tuple(phrase for phrase in plan.uncovered if not set(analyse(phrase)) <= said)


_ENDS = "?.! "  # of a question, which choices do not have


MOST = 4  # choices that one question may need


@dataclass(frozen=True, slots=True)
class MeaningChoice:
    """A question in the words that were chosen, and what was understood for that. plan: of it, if any."""

    question: str
    understood: Understood
    plan: Plan | None = None


def named_choice(question: str, last: Turn) -> tuple[AnswerChoice, Understood | None] | None:
    """The choice of the last answer's question back that was typed, and what that says of its words."""
    answer = last.answer
    if answer is None or answer.status is not Status.CLARIFY or answer.clarification is None:
        return None
    said, phrase = question.strip(_ENDS).casefold(), answer.clarification.phrase
    options = answer.clarification.options
    words = [word for word in said.split() if word not in _OF_A_CHOICE.split()]
    word = words[0] if len(words) == 1 else ""
    at = -1 if word == "last" else int(word) if word.isdigit() else parse_ordinal(word) or 0
    if at and -len(options) <= at <= len(options):
        said = options[at - (at > 0)].label.casefold()
    exact = [each for each in options if each.label.casefold() == said]
    near = exact or [each for each in options if said and said in each.label.casefold()]
    near = near if len(near) == 1 else _told_by_words(question, options)
    if len(near) != 1:
        return None
    return near[0], Understood(phrase=phrase, meaning=near[0].label) if phrase else None


def _told_by_words(question: str, options: Sequence[AnswerChoice]) -> list[AnswerChoice]:
    """The choices whose labels have all telling words of what was typed: "the Northgate one"."""
    said = set(analyse(question)) - set(analyse(_OF_A_CHOICE))
    is_short = 0 < len(said) <= _MOST_SAID
    return [each for each in options if said <= set(analyse(each.label))] if is_short else []


_OF_A_CHOICE = "the a an one ones that please contract agreement document mean meant take"


_MOST_SAID = 5


def chosen_before(history: Sequence[Turn]) -> dict[str, Understood]:
    """Choices of the earlier turns, by the words that they are about; the latest counts."""
    answers = (turn.answer for turn in history if turn.answer is not None)
    understood = (each for answer in answers for each in answer.understood)
    return {each.phrase.casefold(): each for each in understood if each.phrase}


def stands_alone(plan: Plan | Clarify) -> bool:
    """True where a question without pointers is whole although it is short: it asks for a set or a figure of
    documents by their kind, or its words need a choice before they mean anything.
    """
    if isinstance(plan, Clarify):
        names_documents = any(option.document for option in plan.options)
        return names_documents or plan.type == "several_meanings"
    if plan.route is Route.STRUCTURED and is_about_one(plan) and not plan.uncovered:
        return True
    return plan.is_whole and plan.kind is not Kind.LOOKUP


def read_as_before(clarify: Clarify, known: dict[str, Understood]) -> MeaningChoice | None:
    """The question as the same words were meant before; None where nothing was chosen for them."""
    found = known.get(clarify.phrase.casefold()) if clarify.phrase else None
    if found is None:
        return None
    offered = next((o for o in clarify.options if o.label.casefold() == found.meaning.casefold()), None)
    if offered is not None:
        return MeaningChoice(offered.question, found, offered.plan)
    whole_words = re.compile(rf"(?<!\w){re.escape(clarify.phrase)}(?!\w)", re.IGNORECASE)
    said = whole_words.sub(lambda _match: found.meaning, clarify.question, count=1)
    return None if said == clarify.question else MeaningChoice(said, found)
