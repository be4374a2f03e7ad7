"""Flagged answers as the page Review words them: rows of the queue, and an item with its claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from app.presenting.wording import counted
from core.domain.answer import Answer, Claim
from core.domain.event import ClaimStruck, QuestionRead, ToolUsed, Trace
from core.domain.trust.review import (
    FEEDBACK_REASONS,
    FLAG_WORDS,
    WHOLE,
    AnswerVerdict,
    ClaimVerdict,
    Feedback,
    FeedbackWord,
    ReviewItem,
    ReviewOutcome,
    ReviewState,
)
from core.review.flags import claims_in

if TYPE_CHECKING:
    from core.workbench.trust.reviews import ReviewDetails

VERDICT_WORDS: Mapping[AnswerVerdict, str] = {
    AnswerVerdict.CORRECT: "correct",
    AnswerVerdict.WRONG: "wrong",
    AnswerVerdict.PARTLY: "partly correct",
}
CORRECTION_WORDS = {"cell": "A cell", "word": "A word", "plan": "The plan"}
_MOST_RAW = 20_000  # characters of one reply


def reasons_of(item: ReviewItem) -> list[dict[str, str]]:
    """The reasons of an item, each with its note."""
    return [{"word": FLAG_WORDS[each.reason], "note": each.note} for each in item.flags]


def state_of(item: ReviewItem) -> tuple[str, str]:
    """The word for how far an item is, and its look in the table."""
    if item.verdict is not None:
        look = {"correct": "ready", "wrong": "unreadable", "partly": "failed"}[item.verdict.value]
        return f"found {VERDICT_WORDS[item.verdict]}", look
    return ("in work", "failed") if item.assignee else ("open", "idle")


def outcome_words(outcome: ReviewOutcome) -> str:
    """A verdict in a sentence, for the asker."""
    fixed = (
        f" {counted(outcome.corrections, 'thing')} behind it was corrected since."
        if outcome.corrections
        else ""
    )
    if outcome.corrections > 1:
        fixed = f" {counted(outcome.corrections, 'thing')} behind it were corrected since."
    note = f" “{outcome.note}”" if outcome.note else ""
    return f"Reviewed by {outcome.reviewer}: {VERDICT_WORDS[outcome.verdict]}.{note}{fixed}"


def item_json(
    found: ReviewDetails,
    *,
    me: str,
    place: int,
    total: int,
    focus: int | None,
    said: tuple[str, str],
    moment: Any,
) -> dict[str, Any]:
    """An item as its component draws it. place: in the list, from 0. said: text and tone of a message."""
    item, answer = found.item, found.answer
    mine = {each.claim: each.verdict.value for each in found.verdicts if each.reviewer == me}
    return {
        "id": item.id,
        "revision": item.revision,
        "question": item.question,
        "asker": item.asker,
        "flagged": moment(item.flagged_at),
        "confidence": f"{100 * item.confidence:.0f} %",
        "status": item.status,
        "reasons": reasons_of(item),
        "resolved": item.state is ReviewState.RESOLVED,
        "assignee": item.assignee,
        "me": me,
        "place": place,
        "total": total,
        "focus": focus,
        "said": said[0],
        "tone": said[1],
        "missing": found.missing,
        "text": "" if answer is None else answer_text(answer),
        "ledger": "" if answer is None else ledger_words(answer),
        "gaps": [] if answer is None else gap_words(answer),
        "claims": []
        if answer is None
        else [_claim(number, each) for number, each in enumerate(claims_in(answer))],
        "mine": mine,
        "note": item.note if item.reviewer == me else "",
        "others": list(_verdicts(item, [each for each in found.verdicts if each.reviewer != me], moment)),
        "feedback": [_feedback(each) for each in found.feedback],
        "corrections": [_correction(each) for each in item.corrections],
        "raw": [] if found.trace is None else [list(each) for each in raw_replies(found.trace)],
    }


def answer_text(answer: Answer) -> str:
    """The text of an answer; of several in one, each under its question."""
    if not answer.parts:
        return answer.text
    return "\n\n".join(f"## {part.question}\n{part.text}" for part in answer.parts)


def ledger_words(answer: Answer) -> str:
    """The counts of its ledger; "" where it has none."""
    ledger = answer.ledger
    if ledger is None:
        return ""
    return (
        f"{ledger.scope:,} in scope = {ledger.present:,} present + {ledger.absent:,} absent + "
        f"{ledger.uncertain:,} uncertain + {ledger.unreadable:,} unreadable"
    )


def gap_words(answer: Answer) -> list[str]:
    """Sentences on what an answer lacks; words of the question that no quote has stand in one of them."""
    sentences = [each for each in answer.gaps if each.rstrip().endswith((".", "!", "?"))]
    words = [each for each in answer.gaps if each not in sentences]
    if words:
        name = "Word" if len(words) == 1 else "Words"
        sentences.insert(0, f"{name} of the question that no quote has: {' · '.join(words)}")
    return list(dict.fromkeys(sentences))


def raw_replies(trace: Trace) -> list[tuple[str, str]]:
    """Words of a model on the way to an answer, label and text: readings, tools, struck sentences."""
    found: list[tuple[str, str]] = []
    for event in trace.events:
        if isinstance(event, QuestionRead):
            parts = [each.model_dump_json(indent=2) for each in event.parts]
            found.append(("How it read the question", "\n".join(parts)))
        elif isinstance(event, ToolUsed):
            found.append((f"It called {event.tool}", f"{event.arguments}\n\n{event.result}"))
        elif isinstance(event, ClaimStruck):
            found.append((f"Struck: {event.claim.reason}", event.claim.text))
    return [(label, text[:_MOST_RAW]) for label, text in found]


def _claim(number: int, claim: Claim) -> dict[str, Any]:
    return {
        "number": number,
        "text": claim.text,
        "verdict": claim.verdict.value,
        "checks": [each.model_dump(mode="json") for each in claim.checks],
        "citations": [
            {"n": each.n, "title": each.title, "page": each.page, "quote": " ".join(each.quote.split())}
            for each in claim.citations
        ],
    }


def _verdicts(item: ReviewItem, verdicts: Sequence[ClaimVerdict], moment: Any) -> Iterable[str]:
    by: dict[str, list[ClaimVerdict]] = {}
    for each in verdicts:
        by.setdefault(each.reviewer, []).append(each)
    for reviewer, every in by.items():
        whole = next((each for each in every if each.claim == WHOLE), None)
        claims = [
            f"claim {each.claim + 1} {VERDICT_WORDS[each.verdict]}" for each in every if each.claim != WHOLE
        ]
        said = VERDICT_WORDS[whole.verdict] if whole is not None else "no verdict on the whole"
        note = f" “{whole.note}”" if whole is not None and whole.note else ""
        at = moment(every[-1].at)
        yield f"{reviewer}, {at}: {said}.{note} {', '.join(claims)}".rstrip()
    if not by and item.assignee:
        yield f"{item.assignee} works on it."


def _feedback(feedback: Feedback) -> str:
    sign = "thumbs down" if feedback.word is FeedbackWord.DOWN else "thumbs up"
    of = f" on citation {feedback.citation}" if feedback.citation else ""
    reason = f", {FEEDBACK_REASONS.get(feedback.reason, feedback.reason)}" if feedback.reason else ""
    note = f" “{feedback.note}”" if feedback.note else ""
    return f"{feedback.account}: {sign}{of}{reason}.{note}"


def _correction(correction: Mapping[str, Any]) -> str:
    kind = CORRECTION_WORDS.get(str(correction.get("kind")), "Something")
    of = f" ({correction['field']})" if correction.get("field") else ""
    at = datetime.fromisoformat(str(correction["at"]))
    return f"{kind}{of} was corrected by {correction.get('by')} on {at:%Y-%m-%d}."
