"""Prompts of prose (writing, searching for more, writing again what failed, judging), and their replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Literal, Protocol

from core.answer.prose.assess import AssessedClaim, telling
from core.answer.prose.claim_lines import WrittenCalculation, WrittenFigure, WrittenSearch, plain_sentence
from core.answer.prose.units import EvidenceUnit, PackedEvidence, ValueUnit
from core.domain.answer import StruckClaim
from core.domain.event import ToolUsed
from core.domain.frozen import Frozen
from core.domain.llm.use import ModelRole
from core.llm.base import Prompt
from core.llm.prompts import day_told, fence, load_prompt
from core.search.evidence.base import Span
from core.text.marks import meanings


def write_prompt(
    question: str, packed: PackedEvidence, today: date, searches: int = 0, told: str = ""
) -> Prompt:
    """Asks for the answer, a sentence a line, or for what to look for first.

    searches: rounds of them that are left. told: what the last one changed.
    """
    left = "Searches left: none; write from what is here."
    if searches:
        left = f"Searches left: {searches}."
    evidence = evidence_text(packed)
    return load_prompt(
        "write",
        ModelRole.WRITE,
        question=fence("question", question),
        evidence=evidence,
        today=day_told(today),
        marks=meanings(evidence),
        searches=" ".join((told, left)).strip(),
    )


def repair_prompt(
    question: str,
    packed: PackedEvidence,
    failed: Sequence[StruckClaim],
    uncalculated: Sequence[StruckClaim] = (),
    calculated: Sequence[ValueUnit] = (),
) -> Prompt:
    """Asks for other sentences, and calculations, in place of those that failed."""
    evidence = evidence_text(replace(packed, values=(*packed.values, *calculated)))
    return load_prompt(
        "write_again",
        ModelRole.WRITE,
        question=fence("question", question),
        evidence=evidence,
        marks=meanings(evidence),
        failed=fence("failed", _numbered(failed)),
        uncalculated=fence("calculations", _numbered(uncalculated)) if uncalculated else "",
    )


def _numbered(failed: Sequence[StruckClaim]) -> str:
    return "\n".join(f"{at}. {claim.text}\n   {claim.reason}" for at, claim in enumerate(failed, 1))


def verify_prompt(question: str, claims: Sequence[AssessedClaim], today: date) -> Prompt:
    """Asks of every claim whether its evidence says it, then whether together they answer the question.

    Evidence that several cite stands there once, whole, so that a row is seen in its table; what a claim
    cites beside it, heads of tables further up and computed values, stands with the claim.
    """
    units = {unit.id: unit for claim in claims for unit in claim.units}
    blocks = [fence(id, f"{_place(unit)}\n{_telling(unit.place.quote)}") for id, unit in units.items()]
    evidence = "\n\n".join(blocks)
    return load_prompt(
        "verify",
        ModelRole.VERIFY,
        question=fence("question", question),
        evidence=evidence,
        today=day_told(today),
        marks=meanings(evidence),
        claims="\n\n".join(_claim(at, claim) for at, claim in enumerate(claims, 1)),
    )


def _telling(quote: str) -> str:
    return "\n…\n".join(quote[start:end] for start, end in telling(quote))


def _place(unit: EvidenceUnit) -> str:
    return f"[{unit.name}, page {unit.place.page}]"


def _claim(number: int, claim: AssessedClaim) -> str:
    named = ", ".join(unit.id for unit in claim.units)
    beside = [
        span.quote for span in claim.spans if not any(Span.of(unit.place).holds(span) for unit in claim.units)
    ]
    beside += [f"{value.label} = {value.shown} (computed, exact)" for value in claim.values]
    said = f"Claim {number}{f', from {named}' if named else ''}:\n{fence(f'claim-{number}', claim.text)}"
    return "\n".join((said, *([fence(f"beside-{number}", "\n…\n".join(beside))] if beside else ())))


def evidence_text(packed: PackedEvidence) -> str:
    """All evidence as it stands in a prompt: computed values in a list, every unit in a fence of its own."""
    values = [f"{value.id} = {value.shown} ({value.label})" for value in packed.values]
    listed = [fence("values", "\n".join(values))] if values else []
    units = [
        fence(
            unit.id,
            f"[{unit.name}, page {unit.place.page}, doc_id {unit.place.document}]\n{unit.place.quote}",
        )
        for unit in packed.units
    ]
    return "\n\n".join((*listed, *units))


class RepairedSentence(Frozen):
    """A sentence in place of one that failed, with the ids of its evidence."""

    text: str
    ids: list[str]


class RepairedCalculation(Frozen):
    """A calculation in place of one that was not to be made."""

    calc: str
    label: str
    expr: str
    operands: list[WrittenFigure]

    def written(self) -> WrittenCalculation:
        """The calculation in the form of a streamed one."""
        return WrittenCalculation(0, self.calc, plain_sentence(self.label), self.expr, tuple(self.operands))


class RepairReply(Frozen):
    """Reply of a repair: the sentences, and calculations, that stand in for those that failed."""

    claims: list[RepairedSentence]
    calculations: tuple[RepairedCalculation, ...] = ()


class SentenceJudgement(Frozen):
    """Whether the evidence of a sentence, by its number from 1, says it."""

    claim: int
    supported: bool
    reason: str


class JudgeReply(Frozen):
    """Reply of the checking model: a verdict for every claim, by its number, and whether they answer."""

    verdicts: list[SentenceJudgement]
    answers: Literal["yes", "part", "no"] = "part"


class EvidenceSearch(Protocol):
    """Searches in the scope of the question; `core.ask.model` has the real one."""

    def search(self, words: str, document: str, at_ms: float) -> Iterator[ToolUsed]:
        """Put what is found into the evidence. document: an id, "" for all that the question may see."""
        ...


def told_of_search(wanted: Sequence[WrittenSearch], before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What a search changed, for the model that asked for it. before, now: quotes by the ids of evidence."""
    looked = fence("searches", "\n".join(" ".join(each.words.split()) for each in wanted))
    added = [id for id, quote in now.items() if before.get(id) != quote]
    gone = [id for id in before if id not in now]
    said = f"It added {', '.join(added)}." if added else "It found nothing that is not in the evidence above."
    return f"You searched for:\n{looked}\n{said}" + (f" {', '.join(gone)} went for it." if gone else "")
