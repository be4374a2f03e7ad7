"""Problem that a check finds, and how much it matters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.plan.reading import ReadCondition


class Severity(StrEnum):
    """Consequence of a problem for the plan."""

    REFUSES = "refuses"  # it cannot run, or says another thing than the question
    LEAVES_OUT = "leaves_out"  # words of the question are in no part of it
    DOUBTS = "doubts"  # it may be right, and is no surer than that


@dataclass(frozen=True, slots=True)
class CheckProblem:
    """Problem of a plan, in plain sentences for a model and a page. words: those of the question, if any.

    condition: the one that it is about, where it is mended by turning that round.
    """

    name: str
    message: str
    next_step: str = ""
    words: str = ""
    severity: Severity = Severity.REFUSES
    condition: ReadCondition | None = None


Problems = Iterator[CheckProblem]


def left_out(name: str, words: str) -> CheckProblem:
    """The problem that nothing in the plan says some words."""
    step = "Add what they ask for, or answer from the text."
    return CheckProblem(name, f"Nothing in the plan says “{words}”.", step, words, Severity.LEAVES_OUT)
