from __future__ import annotations

from core.domain.answer import Answer, Kind, Route, Status
from core.guard.answer_notes import guard_notes


def answer(question: str, *flags: str) -> Answer:
    return Answer(
        question=question,
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.LOOKUP,
        route=Route.NONE,
        text="",
        flags=flags,
    )


def test_the_kinds_that_were_masked_are_named_once() -> None:
    (note,) = guard_notes(answer("[e-mail address] or [e-mail address 2] or [IBAN]", "pii_masked"))
    assert note.startswith("Masked in your question: e-mail address, IBAN.")


def test_other_flags_are_no_notes() -> None:
    assert guard_notes(answer("What?", "low_confidence")) == ()
    assert len(guard_notes(answer("What?", "injection_suspected", "links_removed"))) == 2
