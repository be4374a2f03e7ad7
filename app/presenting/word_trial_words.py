"""A trial of a field in words as a person reads it: how precise it is, and what it would decide."""

from __future__ import annotations

from app.presenting.wording import counted
from core.domain.certainty.share import CheckedShare
from core.domain.fields import Quote
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.fields.word_field import FieldVerdict, Likelihood, WordTrial

LIKELIHOOD = {
    Likelihood.LIKELY: "Likely states it",
    Likelihood.UNDECIDED: "Undecided",
    Likelihood.UNLIKELY: "Unlikely to state it",
}

_NEARNESS = ("Among the nearest to its words", "In between", "Among the farthest from its words")


def likelihoods(trial: WordTrial) -> list[str]:
    """Of each document to judge how likely it states the field.

    Before verdicts bear chances out only the order is known: thirds of it, and no percentages.
    """
    if trial.is_calibrated:
        return [f"{LIKELIHOOD[each.likelihood]} · {each.chance:.0%}" for each in trial.documents]
    order = sorted(range(len(trial.documents)), key=lambda at: -trial.documents[at].chance)
    place = {at: number for number, at in enumerate(order)}
    return [_NEARNESS[place[at] * 3 // len(order)] for at in range(len(order))]


def looked_at(trial: WordTrial) -> str:
    """How much was looked through, and in what time."""
    of = f" of {trial.total:,}" if trial.scanned < trial.total else ""
    return f"Looked at {trial.scanned:,}{of} documents in {trial.seconds:.1f} s."


def precision(trial: WordTrial) -> list[str]:
    """Sentences on how precise it is so far; none before the first verdict."""
    if not trial.verdicts:
        return []
    said = [f"**{counted(trial.verdicts, 'verdict')}**."]
    if trial.first_right.checked:
        said.append(f"The first sentence was the right one in {_share(trial.first_right)} that state it.")
    if trial.lacking:
        said.append(f"{counted(trial.lacking, 'more verdict')} before anything may be decided.")
    elif trial.decided_right.checked:
        said.append(
            f"It would decide about **{trial.decided:.0%}** of the cells; of the verdicts that it would have "
            f"decided unseen it was right in {_share(trial.decided_right)}."
        )
    else:
        said.append("The verdicts have too little in common for it to decide any cell: judge more.")
    return said


def verdict_of(plain: dict[str, object]) -> FieldVerdict:
    """A verdict out of the plain values that a session holds."""
    quotes: tuple[Quote, ...] = ()
    if plain.get("quote"):
        span = PageSpan(int(str(plain["page"])), int(str(plain["start"])), int(str(plain["end"])))
        quotes = (Quote(span, str(plain["quote"])),)
    return FieldVerdict(DocumentId(str(plain["document"])), bool(plain["is_stated"]), quotes)


def plain_verdict(document: DocumentId, quote: Quote | None) -> dict[str, object]:
    """A verdict as plain values; quote: None where the document does not state the field."""
    if quote is None:
        return {"document": str(document), "is_stated": False}
    span = quote.span
    return {
        "document": str(document),
        "is_stated": True,
        "page": span.page_no,
        "start": span.start,
        "end": span.end,
        "quote": quote.quote,
    }


def _share(share: CheckedShare) -> str:
    found = share.interval
    return f"**{share.right} of {share.checked}** documents ({found.low:.0%} to {found.high:.0%})"
