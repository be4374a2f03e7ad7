"""Actions of the page Ask: questions, clicks, renames and follow-ups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from app import services, state
from app.components.answer import Action
from app.components.shell import guarded
from app.panels.secrets import share_answer
from app.presenting.answer_parts import PART
from app.presenting.wording import counted
from app.running.attendance import current_session
from app.views.ask.welcome import Loading
from core.ask.request import Question
from core.domain.answer import Understood
from core.domain.conversation import Turn, find_turn
from core.domain.fields import PromiseLevel
from core.domain.ids import ConversationId, DocumentId, TurnId
from core.domain.trust.permission import Action as Deed
from core.errors import GroundworkError, NotFoundError
from core.jobs.kinds import READ_CELLS

if TYPE_CHECKING:
    from core.ask.request import Agent, Way
    from core.plan.ir.nodes import Plan


@guarded
def ask(
    question: str,
    chosen: Understood | None = None,
    way: Way = "",
    plan: Plan | None = None,
    before: int | None = None,
) -> None:
    """Put a question in the open conversation, or begin one with it.

    chosen: what was clicked in a dialog; plan: the reading that was; before: the place of the turn that is
    asked once more.
    """
    question = question.strip()
    if not question:
        return
    state.asked.add()
    state.accept()
    if state.evidence():
        state.close_evidence()
    session = services.session()
    current = state.conversation()
    if current and not any(each.id == current for each in session.conversations.list()):
        state.forget_conversation()  # a link to one that is gone: the question begins a new one
        current = None
    conversation = (
        session.conversations.get(current) if current else session.conversations.create(state.scope())
    )
    asked = Question(
        question,
        session.principal,
        conversation.buckets,
        chosen=chosen,
        way=way,
        plan=plan,
        promise="bucket" if state.promise() == "bucket" else PromiseLevel(state.promise()),
        offline=state.answering() == "offline",
        agent=_agent(),
        before=before,
    )
    services.turns().start(conversation.id, asked, current_session())
    if current is None:
        state.open_conversation(conversation.id)


def _agent() -> Agent:
    """The agent that was chosen beside the question; "": as it is set."""
    way = state.answering()
    return "loop" if way == "loop" else "orchestrator" if way == "orchestrator" else ""


def submit() -> None:
    """Take the question from the chat input."""
    ask(str(state.widget("question") or ""))


def _choose(turn: Turn, choice: Mapping[str, Any]) -> None:
    """Ask the question that was chosen; what was meant by which words is remembered with it.

    A choice that is a whole plan is run for it.
    """
    phrase, label = str(choice.get("phrase", "")), str(choice.get("label", ""))
    chosen = Understood(phrase=phrase, meaning=label) if phrase else None
    plan = _chosen_plan(turn, choice.get("option"))
    ask(str(choice["question"]), chosen=chosen, plan=plan)


def _chosen_plan(turn: Turn, option: object) -> Plan | None:
    if not isinstance(option, int):
        return None
    whole, number = _whole(turn)
    try:
        plan = services.session().readings.option(turn.conversation, whole, option, number).plan
    except GroundworkError as error:
        state.complain(error.message, error.next_step)
        return None
    if plan is None:
        return None
    from core.plan.ir.serialization import plan_of  # late: what plans need is not for the first paint

    return plan_of(plan)


def _otherwise(turn: Turn, into: object = None) -> None:
    """Ask the same of documents of every kind, or with amounts in one currency, behind the answer."""
    whole, number = _whole(turn)
    readings = services.session().readings
    try:
        if isinstance(into, str):
            plan = readings.converted(turn.conversation, whole, into[:40], number)
        else:
            plan = readings.of_all_kinds(turn.conversation, whole, number)
    except GroundworkError as error:
        state.complain(error.message, error.next_step)
        return
    ask(turn.question, plan=plan, before=turn.ordinal)


def _change(turn: Turn, change: Mapping[str, Any]) -> None:
    """Change a part of the reading of an answer; where that cannot be, its line says why."""
    from core.plan.reading_line.changes import ReadingChange

    whole, number = _whole(turn)
    wanted = {name: change[name] for name in ("node", "kind", "places", "action", "to") if name in change}

    def deed() -> None:
        found = ReadingChange.model_validate(wanted)
        services.session().readings.change(turn.conversation, whole, found, number)

    _try(turn, deed)


def _reading(turn: Turn, number: int) -> None:
    """Take another reading of the question."""
    whole, part = _whole(turn)
    _try(turn, lambda: services.session().readings.choose(turn.conversation, whole, number, part))


def _take_back(turn: Turn, how: Literal["restore", "forget"]) -> None:
    """Back to the question as it was first read; or keep the answer, and read its wording afresh later."""
    readings = services.session().readings
    deed = readings.restore if how == "restore" else readings.forget
    _try(turn, lambda: deed(turn.conversation, turn.id))


def _afresh(turn: Turn) -> None:
    """Ask what was asked before something was chosen, and take nothing of what was chosen for granted."""
    turns = services.session().conversations.turns(turn.conversation)
    ask(asked_first(turn, turns), way="afresh")


def _try(turn: Turn, deed: Callable[[], object]) -> None:
    whole, _ = _whole(turn)
    state.accept()
    if (shown := state.evidence()) and shown[0].partition(".")[0] == whole:
        state.close_evidence()  # it is of the answer that goes
    try:
        deed()
    except GroundworkError as error:
        state.refuse(turn.id, error.message, error.next_step)
    except ValueError:  # what the browser sent is no change
        state.refuse(turn.id, "This change could not be read.", "Open the menu again.")


def _whole(turn: Turn) -> tuple[TurnId, int | None]:
    """The turn that is kept, and which of its questions this is; None where it is one."""
    id, _, number = turn.id.partition(".")
    return TurnId(id), int(number) if number else None


@guarded
def clear_set(conversation: ConversationId) -> None:
    """Let later questions be about everything again."""
    services.session().conversations.clear_set(conversation)


def asked_first(turn: Turn, turns: Sequence[Turn]) -> str:
    """The question that was asked back about before a choice became the question of this turn."""
    for earlier in reversed([each for each in turns if each.ordinal < turn.ordinal]):
        back = earlier.answer.clarification if earlier.answer is not None else None
        offered = {option.question for option in back.options} if back is not None else set()
        labels = {option.label.casefold() for option in back.options} if back is not None else set()
        if turn.question in offered or turn.question.casefold() in labels:
            return earlier.question
    question = turn.question
    for each in turn.answer.understood if turn.answer is not None else ():
        at = question.casefold().find(each.meaning.casefold())
        if at >= 0 and each.phrase.casefold() not in question.casefold():
            question = question[:at] + each.phrase + question[at + len(each.meaning) :]
    return question


def show(turn: str, kind: str, number: int) -> None:
    """Open a place of an answer beside it."""
    if kind in ("cite", "near") or PART.fullmatch(kind):
        state.show_evidence(turn, kind, number)
        st.rerun("evidence")


@guarded
def _feedback(turn: Turn, sent: Mapping[str, Any]) -> None:
    word = str(sent["word"])
    judged: Literal["right", "wrong", ""] = "right" if word == "right" else "wrong" if word == "wrong" else ""
    services.session().questions.give_feedback(turn.id, judged, reason=str(sent.get("why", "")))


@guarded
def _share(turn: Turn, sent: object) -> None:
    share_answer(turn.conversation, turn.id)


ON_ANSWER: Mapping[str, Action] = {
    "cite": lambda turn, sent: show(turn.id, "cite", int(sent["n"])),
    "near": lambda turn, sent: show(turn.id, "near", int(sent["i"])),
    "place": lambda turn, sent: show(turn.id, str(sent["part"]), int(sent["number"])),
    "choose": _choose,
    "everything": lambda turn, sent: ask(turn.question, way="text", before=turn.ordinal),
    "have": lambda turn, sent: ask(turn.question, way="whatever", before=turn.ordinal),
    "all_kinds": lambda turn, sent: _otherwise(turn),
    "convert": lambda turn, sent: _otherwise(turn, str(sent["into"])),
    "afresh": lambda turn, sent: _afresh(turn),
    "change": _change,
    "reading": lambda turn, sent: _reading(turn, int(sent["number"])),
    "restore": lambda turn, sent: _take_back(turn, "restore"),
    "forget": lambda turn, sent: _take_back(turn, "forget"),
    "ask": lambda turn, sent: ask(str(sent["text"])),
    "again": lambda turn, sent: ask(turn.question, before=turn.ordinal),
    "stop": lambda turn, sent: services.turns().stop(turn.id),
    "feedback": _feedback,
    "share": _share,
    "done": lambda turn, sent: None,
}
"""What each click in an answer does; the same asked again stands behind what stood before it."""


@guarded
def rename(conversation: ConversationId, title: str) -> None:
    """Give a conversation another title."""
    services.session().conversations.rename(conversation, title)


@guarded
def delete(conversation: ConversationId) -> None:
    """Delete a conversation with its answers."""
    services.session().conversations.delete(conversation)
    if state.conversation() == conversation:
        state.forget_conversation()


def accept_link(turns: Sequence[Turn]) -> None:
    """Open the evidence that the address points at, once."""
    if not state.linked_once():
        return
    turn, cite = state.from_address("turn"), state.from_address("cite")
    if find_turn(turns, turn) is None:
        return
    if cite.isdecimal():
        state.show_evidence(turn, "cite", int(cite))
        return
    part, _, number = state.from_address("at").partition(".")
    if PART.fullmatch(part) and number.isdecimal():
        state.show_evidence(turn, part, int(number))


def accept_subject() -> None:
    """Begin a conversation about what the address names, once: buckets, and a document to suggest."""
    buckets, document = state.from_address("in"), state.from_address("about")
    if not buckets:
        return
    state.forget_conversation()
    state.scope.set(tuple(buckets.split(",")))
    state.subject.set(document)
    state.to_address(**{"in": None, "about": None})


def starters() -> list[str]:
    """Questions to begin with: about the document that the user came from, else those of the collection."""
    session, subject = services.session(), state.subject()
    found = session.questions.starters()
    if not subject:
        return found
    try:
        about = session.documents.get(DocumentId(subject))
    except NotFoundError:
        return found
    return [f"Summarise “{about.summary.name}”"]


def searchable(buckets: tuple[str, ...]) -> tuple[int, int]:
    """Documents in these buckets (all where none is named) that can be searched, and all of them."""
    found, unreadable = services.session().documents.buckets(), services.unreadable()
    chosen = [bucket for bucket in found if not buckets or bucket.name in buckets]
    total = services.session().documents.totals(buckets).documents
    return max(0, total - sum(unreadable[bucket.name] for bucket in chosen)), total


def describe_scope(buckets: tuple[str, ...]) -> str:
    """`44 of 47 documents in all buckets; the others cannot be read`, `12 documents in contracts`."""
    ready, total = searchable(buckets)
    where = " and ".join(buckets) if buckets else "all buckets"
    if ready == total:
        return f"{counted(total, 'document')} in {where}"
    return f"{ready:,} of {counted(total, 'document')} in {where}; the others cannot be read"


def describe_count(buckets: tuple[str, ...]) -> str:
    """`44 of 47 documents can be searched`; where all can, just `44 documents`."""
    ready, total = searchable(buckets)
    if ready == total:
        return counted(total, "document")
    return f"{ready:,} of {counted(total, 'document')} can be searched"


def loading() -> Loading | None:
    """Progress of the documents that are being read; None where nothing runs, or one may not follow it.

    What a model reads of documents that are there has a line of its own.
    """
    if not services.may(Deed.INGEST):
        return None
    session = services.session()
    jobs = [job for job in session.jobs.list() if not job.state.is_ended and job.kind != READ_CELLS]
    if not jobs:
        return None
    documents = session.settings.status().documents
    return Loading(documents, sum(job.done for job in jobs), sum(job.total for job in jobs))
