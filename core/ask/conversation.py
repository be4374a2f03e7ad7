"""A conversation for the next question: its state, follow-ups, and what an answer leaves in hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import about_of, noun_of, said_of
from core.ask.clarification import is_about_one
from core.ask.request import Run
from core.domain.answer import CLEARED, Answer, ConversationSet, Kind, Route, Status
from core.domain.conversation import Turn
from core.domain.ids import DocumentId
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, document_title
from core.plan.conversation_state import ConversationState, Focus, SetInHand, base_of, plan_read, source_of
from core.plan.ir.nodes import Plan
from core.plan.reading import ReadInHand
from core.plan.reading_edits import set_part
from core.search.classify import PAPERS, UnnamedThing, classify, clean_question, unnamed_things
from core.search.names import fold
from core.search.resolve import QueryWord, question_words
from core.text.analyse import analyse, content_terms, text_terms
from core.text.words import word_list

MOST_IN_HAND = 20_000  # documents that are kept with an answer
MOST_EARLIER = 12  # sets that can be gone back to
_TOLD = (Status.ANSWERED, Status.PARTIAL)
_TOLD_CHARS = 500  # of an answer, to a model
MAX_CARRIED_CHARS = 400
MAX_TURNS = 10
_TOKEN = re.compile(r"\w+(?:[-'’./&]\w+)*|[^\w\s]")
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|there|one|ones|former|"
    r"latter|same|such|above|previous|mentioned|said|else|other|another)\b",
    re.IGNORECASE,
)
# Verbs and fillers that questions are made of; they end a noun phrase.
_NOT_NOUNS = word_list("asking", "phrase_ends")
# How a question begins that needs an earlier one to be whole, whatever it names: "what about Beta?".
_ELLIPTICAL = re.compile(
    r"^(?:and|but|or|so|also|then|what about|how about|what if|why not|which ones?|more|yes|no|same|"
    r"i mean)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|"
    r"should|has|have|had)\b",
    re.IGNORECASE,
)
# "that" points back only where no clause follows it; "its" behind a name means the name.
_REFERRING = re.compile(
    r"\b(?:it|they|them|he|him|she|this|these|those|the (?:same|former|latter|other))\b"
    r"|(?:^|\b(?:is|was|about|of|does|did|for|in|to|with|on|and|under|from|than) )that\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:its|their|theirs|his|her|hers)\b", re.IGNORECASE)
_DOCUMENT = re.compile(rf"\b(?:{'|'.join(PAPERS)}|handbook|guide)s?\b", re.IGNORECASE)
FRAGMENT_TERMS = 2  # beside its names, from which on a phrase without a verb is a question of its own
SELF_CONTAINED_TERMS = 8  # mtrag_un: carrying always gives AUC .82, below five terms only .80, never .73


def state_of(history: Sequence[Turn]) -> ConversationState:
    """The state after these turns, the oldest first.

    Turns without an answer, and questions back, leave it as it was; of one that asked several things the last
    counts.
    """
    state = ConversationState()
    for turn in history:
        answers = (turn.answer.parts or (turn.answer,)) if turn.answer is not None else ()
        for answer in answers:
            state = _next(state, answer)
    return state


def hand_of(state: ConversationState, history: Sequence[Turn]) -> ReadInHand | None:
    """The last answer as a model is told of it; None where that was not over fields or rows."""
    last = history[-1].answer if history else None
    held, plan = state.in_hand, state.last_plan
    if last is None or held is None or plan is None or plan.route is not Route.STRUCTURED:
        return None
    told = last.text[:_TOLD_CHARS]
    return ReadInHand(last.question, plan.reading, held.documents, len(held.documents), told)


def since_cleared(history: Sequence[Turn]) -> list[Turn]:
    """The turns behind the last that put everything before it away."""
    answers = enumerate((turn.answer for turn in history), 1)
    return list(history[max((at for at, each in answers if each and CLEARED in each.flags), default=0) :])


def _next(state: ConversationState, answer: Answer) -> ConversationState:
    held = answer.conversation if answer.conversation and answer.conversation.documents else None
    if answer.status not in _TOLD or answer.kind is Kind.GENERAL:
        return _named_in_vain(state, answer)
    plan = plan_read(answer.plan)
    after = _set_after(state, held, answer, plan) if held is not None else None
    return ConversationState(after, plan, _focus(answer), _earlier(state, after))


def named_alone(answer: Answer) -> str:
    """The one document that an answer's question named, by the scope of all its steps; "" for none."""
    plan = plan_read(answer.plan)
    return is_about_one(plan) if plan is not None else ""


def _named_in_vain(state: ConversationState, answer: Answer) -> ConversationState:
    """The state after a turn without an answer: what was in hand stays, and "it" is the document it named."""
    named = named_alone(answer) if answer.status is Status.ABSTAINED else ""
    if not named:
        return state
    places = (*answer.citations, *answer.nearest)
    title = next((place.title for place in places if place.document == named), "the document that was named")
    in_hand = state.in_hand or SetInHand((named,), f"“{title}”")
    return replace(state, in_hand=in_hand, focus=Focus((named,)))


def _earlier(state: ConversationState, after: SetInHand | None) -> tuple[SetInHand, ...]:
    """The sets that were in hand before, each once, with the one that another took the place of.

    One that was gone back to by its reading is no earlier one any more, nor are those since.
    """
    before = state.in_hand
    if before is None or after is None or _is_same_set(before, after):
        return state.earlier
    is_read = after.plan is not None and after.plan.reading is not None
    back = next((n for n, each in enumerate(state.earlier) if _is_same_set(each, after)), None)
    if is_read and back is not None:
        return state.earlier[:back]
    kept = (each for each in state.earlier if not _is_same_set(each, before))
    return (*kept, before)[-MOST_EARLIER:]


def _is_same_set(one: SetInHand, other: SetInHand) -> bool:
    """True of the same documents, and the same rows of them where readings say which."""
    if set(one.documents) != set(other.documents):
        return False
    readings = [each.plan.reading for each in (one, other) if each.plan is not None]
    rows = [set_part(each) for each in readings if each is not None and each.is_rows]
    return len(rows) < 2 or rows[0] == rows[1]


def _set_after(
    state: ConversationState, held: ConversationSet, answer: Answer, plan: Plan | None
) -> SetInHand:
    """The set after an answer: the one before where one document of it was spoken of, or none is left."""
    before, base = state.in_hand, base_of(plan)
    is_same = before is not None and (before.documents, before.label) == (held.documents, held.label)
    is_end = base is not None and (len(base.scope.documents) == 1 or base.limit == 1)
    is_of_one = len(held.documents) > 1 and (is_end or len(_shown(answer)) == 1)
    is_none = answer.table is None or not answer.table.rows
    is_explained = plan is not None and plan.decides == "why"
    if before is not None and is_same and (is_of_one or is_none or is_explained):
        return before
    has_source = plan is not None and bool(source_of(plan))
    return SetInHand(held.documents, held.label, plan if has_source else None)


def _shown(answer: Answer) -> tuple[str, ...]:
    table = answer.table
    ids = (*table.documents, *chain.from_iterable(table.members)) if table is not None else ()
    return tuple(dict.fromkeys(filter(None, ids)))


def _focus(answer: Answer) -> Focus:
    cited = tuple(dict.fromkeys(citation.document for citation in answer.citations))
    is_grouped = answer.table is not None and answer.table.members
    groups = tuple(str(row[0]) for row in answer.table.rows) if answer.table and is_grouped else ()
    return Focus(_shown(answer) or cited, groups)


def in_hand(
    plan: Plan, given: Documents | None, answer: Answer, facts: AnswerFacts, catalogue: Catalogue
) -> ConversationSet | None:
    """The set that an answer leaves in hand: its documents, in the order shown; None for none.

    given: the documents that the answer's plan came to, where it came to any.
    """
    shown = _shown(answer)
    found = given.present if given is not None else frozenset(shown)
    first = (*(given.order if given is not None else ()), *shown)
    by_title = sorted(found, key=lambda id: (document_title(id, catalogue).casefold(), id))
    documents = tuple(dict.fromkeys(id for id in (*first, *by_title) if id in found))
    if not documents or len(documents) > MOST_IN_HAND:
        return None
    if len(documents) == 1:
        return ConversationSet(documents=documents, label=f"“{document_title(documents[0], catalogue)}”")
    return ConversationSet(documents=documents, label=label_of(plan, given, facts, catalogue))


def label_of(plan: Plan, given: Documents | None, facts: AnswerFacts, catalogue: Catalogue) -> str:
    """The documents of a plan in words: `contracts that have Delaware as governing law`."""
    source = source_of(plan)
    if not source:
        return "documents of the last answer"
    node, base = plan.node(source), base_of(plan)
    noun = noun_of(catalogue, base, given or Documents())
    about, said = about_of(plan, node, facts, False).removeprefix(" that "), said_of(plan, node, facts)
    that = ", and ".join(part for part in (about, said) if part)
    if base is not None and base.limit is not None and base.order_by:
        end = "highest" if base.descending else "lowest"
        title = facts.field_title(base.order_by).lower()
        return f"{noun} with the {end} {title}" + (f" of those that {that}" if that else "")
    return f"{noun} that {that}" if that else noun


def cited_in_hand(answer: Answer) -> ConversationSet | None:
    """The set that an answer from text leaves in hand: the documents that it cites; None for none."""
    cited = tuple(dict.fromkeys(citation.document for citation in answer.citations))
    if not cited:
        return None
    titles = list(dict.fromkeys(citation.title for citation in answer.citations))
    label = f"“{titles[0]}”" if len(cited) == 1 else f"documents of the last answer, among them “{titles[0]}”"
    return ConversationSet(documents=cited, label=label)


def held(state: ConversationState) -> ConversationSet | None:
    """The set that a state has in hand, as answers carry it; None for nothing."""
    own = state.in_hand
    return ConversationSet(documents=own.documents, label=own.label) if own is not None else None


def left_in_hand(run: Run, answer: Answer) -> ConversationSet | None:
    """What is in hand after an answer: what it is about, or what was in hand before where it goes on."""
    before = held(run.state) if CLEARED not in answer.flags else None
    if answer.status not in _TOLD or answer.kind is Kind.GENERAL:
        return before
    if run.follows:
        return before if run.keeps_set and before is not None else answer.conversation or before
    return answer.conversation if answer.route is Route.STRUCTURED else cited_in_hand(answer)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question as it is searched for: its own text and what earlier turns add ("" for nothing).

    documents: what the last answer rested on, where the question points back at it; looked into first.
    is_of_document: the question asks for something of it ("its liability cap").
    unnamed: things that it speaks of as known and that nothing said before tells ("this credit card").
    """

    question: str
    carried: str
    documents: tuple[DocumentId, ...] = ()
    is_of_document: bool = False
    unnamed: tuple[UnnamedThing, ...] = ()


def read_follow_up(question: str, history: Sequence[Turn]) -> FollowUp:
    """A question with what earlier turns add to it, and what they leave open; most add nothing."""
    last = history[-1].answer if history else None
    asked = last.clarification if last is not None and last.status is Status.CLARIFY else None
    # Behind a question back about it, a thing is what the answer said.
    is_answered = asked is not None and asked.phrase and asked.phrase.casefold() in question.casefold()
    things = () if is_answered else unnamed_things(question, [_told(turn) for turn in history])
    return replace(_carrying(question, history), unnamed=things)


def _told(turn: Turn) -> str:
    """Everything that a turn said: question and answer, and titles of documents that it cites."""
    if turn.answer is None:
        return turn.question
    titles = {cited.title for claim in turn.answer.claims for cited in claim.citations}
    return " \n".join((turn.question, turn.answer.question, turn.answer.text, *sorted(titles)))


def _carrying(question: str, history: Sequence[Turn]) -> FollowUp:
    """Words to carry over from the earlier turns, most recent first, at most MAX_CARRIED_CHARS characters.

    A question that stands on its own (no pronoun, no "and what about", eight terms or more) carries nothing,
    and neither does one with a subject of its own (`read_subjects`) that no earlier question has. One whose
    subjects were all named before carries as a follow-up does: AUC .82 -> .80 on mtrag_un by the rule as it
    is, .79 where such a question leaves out the turns about other subjects, .78 where it carries nothing.
    """
    if not history or not (points_back(question) or len(text_terms(question)) < SELF_CONTAINED_TERMS):
        return FollowUp(question, "")
    subjects = read_subjects(question)
    known = {term for turn in history for term in _folded(turn.question)}
    if subjects is not None and (not subjects or subjects - known):
        return FollowUp(question, "")
    own = set(text_terms(question))
    phrases: list[str] = []
    size = 0
    for turn in reversed(history[-MAX_TURNS:]):
        earlier = clean_question(turn.question)
        if not earlier or classify(earlier).kind is Kind.GENERAL:
            continue
        for phrase in noun_phrases(earlier):
            terms = set(analyse(phrase))
            if not terms or terms <= own or size + len(phrase) > MAX_CARRIED_CHARS:
                continue
            own |= terms
            phrases.append(phrase)
            size += len(phrase) + 1
    documents = _pointed_at(question, history)
    names = [word for word in question_words(question) if _is_name(word)]
    is_of_document = bool(documents) and _has_foreign_possessive(question, names)
    return FollowUp(question, " ".join(phrases), documents, is_of_document)


def _pointed_at(question: str, history: Sequence[Turn]) -> tuple[DocumentId, ...]:
    """The document of the last answer's first claim, if the question says "it", "and when" or the like."""
    if not points_back(question):
        return ()
    for answer in (turn.answer for turn in reversed(history) if turn.answer is not None):
        if answer.status is Status.ABSTAINED:  # its passages are only near; what it named is meant
            if named := named_alone(answer):
                return (DocumentId(named),)
        elif answer.claims:
            cited = (DocumentId(each.document) for claim in answer.claims for each in claim.citations)
            return tuple(cited)[:1]
    return ()


def answered_from_text(history: Sequence[Turn]) -> bool:
    """True where the last answer was looked for in the text, whether or not it was found there."""
    last = history[-1].answer if history else None
    if last is None or last.route is not Route.HYBRID or last.kind is Kind.GENERAL:
        return False
    return last.status in (Status.ANSWERED, Status.PARTIAL, Status.ABSTAINED)


def points_back(question: str) -> bool:
    """True where the question points at something said before, or begins as one that goes on."""
    return bool(_ELLIPTICAL.search(question) or _POINTING.search(question))


def read_subjects(question: str) -> frozenset[str] | None:
    """The subjects that a whole question names, as folded terms; empty for a comparison or list.

    None for one that leans on earlier turns: without a subject of its own, begun as a continuation ("what
    about Beta?"), or referring back ("does it cover AS-400?"). Subjects are names, codes and kinds of
    documents ("the supply agreement").
    """
    if _ELLIPTICAL.search(question):
        return None
    words = question_words(question)
    names = [word for word in words if _is_name(word)]
    if _REFERRING.search(question) or _has_foreign_possessive(question, names):
        return None
    if classify(question).kind in (Kind.COMPARISON, Kind.AGGREGATE, Kind.COMPLIANCE):
        return frozenset()
    named = [word.text for word in names]
    others = {term for word in words if word.text not in named for term in content_terms(word.text)}
    if not _CLAUSE.search(question) and len(others) < FRAGMENT_TERMS:
        return None
    subjects = {term for subject in (*named, *_described(question, words)) for term in _folded(subject)}
    return frozenset(subjects) or None


def _is_name(word: QueryWord) -> bool:
    """True where a word is written as a name or a code; "I'm" and plain numbers are not."""
    is_written_so = (word.is_quoted or word.is_capitalised) and len(word.text) > 1
    return is_written_so and not word.is_plain and not word.text.startswith(("I'", "I’"))


def _has_foreign_possessive(question: str, names: Sequence[QueryWord]) -> bool:
    """True where "its" or "their" stands before any name of the question, and so means something earlier."""
    match = _POSSESSIVE.search(question)
    return match is not None and not any(name.end <= match.start() for name in names)


def _described(question: str, words: Sequence[QueryWord]) -> list[str]:
    """The words right in front of a kind of document: `supply` of "the supply agreement"."""
    starts = {match.start() for match in _DOCUMENT.finditer(question)}
    beside = (word for word in words if word.end + 1 in starts and question[word.end] == " ")
    return [word.text for word in beside if content_terms(word.text)]


def _folded(text: str) -> set[str]:
    return {fold(term) for part in _TOKEN.findall(text) for term in analyse(part)}


def noun_phrases(text: str) -> list[str]:
    """Runs of content words of a question, in order, each once; function words and common verbs end a run."""
    runs = groupby(_TOKEN.findall(text), lambda t: bool(content_terms(t)) and t.casefold() not in _NOT_NOUNS)
    return list(dict.fromkeys(" ".join(tokens) for is_phrase, tokens in runs if is_phrase))
