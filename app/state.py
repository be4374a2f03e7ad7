"""Memory of a browser session between runs: ids and plain values; all else is looked up again.

The address holds what a copied link must reopen; this module keeps both in step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Literal, TypeVar

import streamlit as st

from core.domain.ids import ConversationId, JobId

T = TypeVar("T")
Width = Literal["closed", "half", "wide"]
PLAN = "plan"
Kind = str  # cite, near, or a part: present, absent, uncertain, unreadable, row, item, group-N, plan


def _get(name: str, default: Any) -> Any:
    return st.session_state.get(f"gw_{name}", default)


def _set(name: str, value: Any) -> None:
    st.session_state[f"gw_{name}"] = value


class Memory(Generic[T]):
    """One value of a browser session; `default` until it is set."""

    def __init__(self, name: str, default: T) -> None:
        self._name, self._default = name, default

    def __call__(self) -> T:
        """The value as it is now."""
        found: T = _get(self._name, self._default)
        return found

    def set(self, value: T) -> None:
        """Remember another value."""
        _set(self._name, value)


class Count(Memory[int]):
    """How often something was done in a session."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 0)

    def add(self) -> None:
        """It was done once more."""
        self.set(self() + 1)


scope = Memory[tuple[str, ...]]("scope", ())
"""The buckets that a new conversation will be asked in; () means all."""
promise = Memory("promise", "bucket")
"""How sure clauses must be for the next question: a promise level, or "bucket"."""
answering = Memory("answering", "")
"""The way in which the next questions are answered by a model: "" (as set), orchestrator, loop, offline."""
subject = Memory("subject", "")
"""The document that the user came to ask about, to suggest a question; "" for none."""
shows_earlier = Memory("earlier", False)
"""True where all turns of a long conversation are drawn."""
asked = Count("asked")
"""Questions that this session has sent, answered or not."""
same_names = Memory[tuple[Any, Sequence[Any]] | None]("same_names", None)

batch = Memory[str | None]("batch", None)
"""The upload that is being put together."""
dataset_batch = Memory[str | None]("dataset_batch", None)
"""The upload of files of rows that is being put together."""
chosen = Memory[Sequence[str]]("chosen", ())
"""The documents ticked in the table, by id."""
chain_report = Memory[list[Any] | None]("chain_report", None)
"""The last check of the audit chain: text, whether it is whole, broken entry, head, its hash."""
removed = Memory("removed", "")
"""The field that was taken out last in this session; "" for none."""
word_trial = Memory("word_trial", "")
"""The field in words that is being tried, by its mark; "" for none."""
undo = Memory[Sequence[str]]("undo", ())
"""The last step on the page Learning, so that it can be taken back; () for nothing."""
inspection = Memory[dict[str, Any] | None]("inspection", None)
"""Inspector's state: its plan with what was changed, and the ids of its runs."""
beside_run = Memory[tuple[str, str]]("beside_run", ("", ""))
"""The turn whose plan ran last beside the conversation, and the id of that run; "" for none."""
picks = Count("picks")
"""Nodes of plans that this session has opened."""
shown_filters = Memory[Sequence[str]]("ledger_filters", ())
"""Filters of a ledger that its widgets were last set to, to notice where the address says something else."""
matrix_views = Count("matrix_views")
"""How often the page, and not the grid itself, chose what the matrix shows."""


def widget(key: str, default: Any = None) -> Any:
    """The value of a widget by its key, for callbacks."""
    return st.session_state.get(key, default)


def on_sent(key: str, actions: Mapping[str, Callable[[Any], None]]) -> dict[str, Any]:
    """Callbacks of a browser component: each action gets the value that was sent under its name."""

    def told(name: str) -> None:
        actions[name](st.session_state[key].get(name))

    return {f"on_{name}_change": partial(told, name) for name in actions}


def from_address(name: str) -> str:
    """The value of a query parameter, "" where it is not given."""
    return str(st.query_params.get(name, ""))


def to_address(**values: str | int | None) -> None:
    """Set query parameters; None removes one. What does not change is not touched."""
    for name, value in values.items():
        if value is None:
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def conversation() -> ConversationId | None:
    """The open conversation: the address wins, then the last one of this session."""
    asked = from_address("conversation") or _get("conversation", "")
    return ConversationId(asked) if asked else None


def open_conversation(conversation: ConversationId | None) -> None:
    """Open a conversation, or none (a new one begins with its first question)."""
    if conversation != _get("conversation", ""):
        close_evidence()
    _set("conversation", conversation or "")
    shows_earlier.set(False)
    to_address(conversation=conversation, turn=None, cite=None, at=None)


def remember_conversation(conversation: ConversationId) -> None:
    """Keep the address and the session on the conversation that is shown."""
    _set("conversation", conversation)
    to_address(conversation=conversation)


def forget_conversation() -> None:
    """The open conversation is gone."""
    open_conversation(None)


def evidence() -> tuple[str, Kind, int] | None:
    """Content of the evidence panel: turn, kind, number (n of a citation, index of a passage or document)."""
    found = _get("evidence", None)
    return (found[0], found[1], found[2]) if found else None


def show_evidence(turn: str, kind: Kind, number: int) -> None:
    """Point the panel at a place of an answer, and open it at its last width."""
    _set("evidence", [turn, kind, number])
    if width() == "closed":
        _set("width", _get("open_width", "half"))
    is_cite, is_near = kind == "cite", kind == "near"
    to_address(
        turn=turn,
        cite=number if is_cite else None,
        at=None if is_cite or is_near else f"{kind}.{number}",
        **({} if kind == PLAN else {"node": None}),
    )


def width() -> Width:
    """Width of the evidence panel."""
    found: Width = _get("width", "closed")
    return found


def set_width(value: Width) -> None:
    """Close, open or widen the panel; the width it had when closed comes back."""
    if value != "closed":
        _set("open_width", value)
    _set("width", value)


def close_evidence() -> None:
    """Nothing is shown beside the conversation."""
    _set("width", "closed")
    _set("evidence", None)
    to_address(turn=None, cite=None, at=None, node=None)


def linked_once() -> bool:
    """True the first time that this session sees this link: it is followed once, then the user leads."""
    link = [from_address(name) for name in ("conversation", "turn", "cite", "at")]
    if not link[1] or link == _get("linked", None):
        return False
    _set("linked", link)
    return True


def open_job() -> JobId | None:
    """The job whose progress is shown."""
    asked = from_address("job")
    return JobId(asked) if asked else None


def flash(message: str, job: JobId | None = None) -> None:
    """Say this once, on the next run, with a link to the job where it began one."""
    _set("flash", [message, job or ""])


def show_once(label: str, secret: str) -> None:
    """Show a new password or token until it is put away; it is looked up nowhere again."""
    _set("secret", [label, secret])


def shown_once() -> tuple[str, str] | None:
    """What and for whom such a secret is, and the secret."""
    found = _get("secret", None)
    return (found[0], found[1]) if found else None


def put_secret_away() -> None:
    """Forget the secret that is shown."""
    _set("secret", None)


def set_review_message(item: str, message: str) -> None:
    """Say this at a flagged answer while it is open."""
    _set("review_message", [item, message])


def review_message(item: str) -> str:
    """What is to be said at that flagged answer; "" for nothing."""
    found = _get("review_message", None)
    return str(found[1]) if found and found[0] == item else ""


def complain(message: str, next_step: str) -> None:
    """Say on the next run what an action could not do."""
    _set("complaint", [message, next_step])


def take_complaint() -> tuple[str, str] | None:
    """Complaint of an action that could not be done, once."""
    found = _get("complaint", None)
    _set("complaint", None)
    return (found[0], found[1]) if found else None


def wrong_choice(setting: str, value: str) -> str:
    """Why a setting cannot be this value, as it was told of the last try to save; "" where it was not."""
    found = _get("wrong_choice", None)
    return str(found[2]) if found and found[:2] == [setting, value] else ""


def set_wrong_choice(setting: str = "", value: str = "", reason: str = "") -> None:
    """Say beside a setting why it cannot be so; of none, take that back."""
    _set("wrong_choice", [setting, value, reason] if setting else None)


def take_flash() -> tuple[str, str]:
    """Message to show now, once, and the job that it is about."""
    found = _get("flash", None) or ["", ""]
    _set("flash", None)
    return found[0], found[1]


def hit_of(words: str) -> int:
    """Number of the hit shown of a search within a document; a new search begins at the first."""
    found = _get("hit", ["", 0])
    return int(found[1]) if found[0] == words else 0


def set_hit(words: str, index: int) -> None:
    """Show another hit of the same search."""
    _set("hit", [words, index])


def is_cancelling(job: JobId) -> bool:
    """True where this session asked the job to stop."""
    return job in _get("cancelling", [])


def note_cancel(job: JobId, asked: bool = True) -> None:
    """Remember that this session asked the job to stop, or that it let it go on."""
    rest = [each for each in _get("cancelling", []) if each != job]
    _set("cancelling", [*rest, str(job)] if asked else rest)


def trial(of: str) -> list[dict[str, str]] | None:
    """Result of the last trial of this very draft of a field; None before it was tried."""
    found = _get("trial", None)
    return found[1] if found and found[0] == of else None


def set_trial(of: str, found: list[dict[str, str]]) -> None:
    """Keep what a trial found, until the next one."""
    _set("trial", [of, found])


def word_verdicts(of: str) -> list[dict[str, object]]:
    """Verdicts that were given in the trial of a field in words, as plain values; [] for none."""
    return list(_get("word_verdicts", {}).get(of, []))


def set_word_verdicts(of: str, verdicts: list[dict[str, object]]) -> None:
    """Keep the verdicts of a trial until the field is saved."""
    _set("word_verdicts", {of: verdicts})


def refuse(turn: str, message: str, next_step: str) -> None:
    """Keep why the reading of a turn could not be changed, until the next change."""
    _set("refusal", [turn, message, next_step])


def accept() -> None:
    """The last change could be made."""
    _set("refusal", None)


def refusal(turn: str) -> tuple[str, str, str] | None:
    """The reason why the last change of this turn could not be made, and what to do; None where it could.

    Before them, which of several questions in one it was; "" where the turn is one.
    """
    found = _get("refusal", None)
    whole, _, part = found[0].partition(".") if found else ("", "", "")
    return (part, found[1], found[2]) if found and whole == turn else None


def set_widget(key: str, value: Any) -> None:
    """Give a widget another value, before it is drawn."""
    st.session_state[key] = value


def forget_widget(key: str) -> None:
    """Let a widget begin anew at its next run."""
    st.session_state.pop(key, None)


def redraw() -> None:
    """More than the fragment that has the widget is to be drawn again."""
    _set("redraw", True)


def take_redraw() -> bool:
    """True where the whole page is to be drawn again, once."""
    asked = bool(_get("redraw", False))
    _set("redraw", False)
    return asked


def show_question(key: str, question: str) -> str:
    """The default of a question's widget, which is written where it stood with another plan before.

    A value that is written is lost in the browser where two runs of a new page follow closely; a default is
    not. Words that are being typed are left alone.
    """
    is_other = key in st.session_state and question != _get("question_shown", "")
    _set("question_shown", question)
    if is_other:
        st.session_state[key] = question
        return ""
    return question


def show_in_matrix(**address: str | None) -> None:
    """Have the matrix show what this address says, for callbacks."""
    to_address(**address)
    matrix_views.add()
