"""The guard on a question, before it is kept, searched or sent anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.guards.verdict import (
    INJECTION_SUSPECTED,
    NOT_PERMITTED,
    PII_MASKED,
    GuardAction,
    GuardSpan,
    GuardVerdict,
)
from core.errors import RefusedError
from core.guard.harmful_request import check_request
from core.guard.injection import find_injections, without_orders
from core.guard.masking import Masking, masking_of
from core.guard.personal_data import WORDS, find_personal_data

SEARCHABLE = frozenset({"email", "phone", "iban", "ip_address"})
"""Kinds that documents are rightly looked up by: the run that asks may search for them, and nothing else."""

MOST_CHARS = 20_000
"""Of a question that is read; what is longer is refused, and kept no further than this."""


@dataclass(frozen=True)
class GuardedQuestion:
    """A question after its guards.

    text: with all masks, to be kept, shown and sent. search_text: to be searched in this run and in no other
    place, with what may be searched for unmasked, and without what gives orders to a model.
    masking: of what search_text still holds.
    """

    text: str
    search_text: str = field(repr=False)
    masking: Masking
    verdicts: tuple[GuardVerdict, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """Flags that the answer bears for it."""
        return tuple(dict.fromkeys(verdict.flag for verdict in self.verdicts if verdict.flag))

    @property
    def refusal(self) -> GuardVerdict | None:
        """The verdict by which it is not answered."""
        return next((v for v in self.verdicts if v.action is GuardAction.REFUSE), None)


def guard_question(question: str, most_chars: int = MOST_CHARS) -> GuardedQuestion:
    """The question as it may be kept and as it may be searched, with the verdicts that are no pass.

    most_chars: where a longer one is cut.
    """
    question = question[:most_chars]
    spans = find_personal_data(question)
    whole = masking_of(question, spans)
    secret = Masking(
        {v: m for v, m in whole.masks.items() if m not in _searchable_masks(question, spans, whole)}
    )
    free = Masking({v: m for v, m in whole.masks.items() if v not in secret.masks})
    verdicts = [check_request(question), injection_verdict([question], "question"), _masked(spans)]
    return GuardedQuestion(
        text=whole.text(question),
        search_text=without_orders(secret.text(question)),
        masking=free,
        verdicts=tuple(verdict for verdict in verdicts if verdict.action is not GuardAction.PASS),
    )


def masked_question(question: str) -> str:
    """The question as it may be kept."""
    return guard_question(question).text


def injection_verdict(texts: Sequence[str], where: str) -> GuardVerdict:
    """The verdict of the tripwire on a question ("question") or on what was found ("passages")."""
    spans = [span for text in texts for span in find_injections(text)]
    if not spans:
        return GuardVerdict(name="injection", action=GuardAction.PASS)
    told = (
        "The question speaks to a language model; such orders are not followed, and it is read as a question."
        if where == "question"
        else "A passage that was found gives orders to a language model; they are not followed."
    )
    return GuardVerdict(
        name="injection",
        action=GuardAction.FLAG,
        detail=told,
        flag=INJECTION_SUSPECTED,
        spans=tuple(spans) if len(texts) == 1 else (),
    )


def policy_verdict(error: RefusedError) -> GuardVerdict:
    """The verdict of a refusal by the policies."""
    return GuardVerdict(
        name="policy", action=GuardAction.REFUSE, detail=error.explanation, flag=NOT_PERMITTED
    )


def _searchable_masks(question: str, spans: Sequence[GuardSpan], whole: Masking) -> set[str]:
    return {whole.masks[question[s.start : s.end]] for s in spans if s.kind in SEARCHABLE}


def _masked(spans: Sequence[GuardSpan]) -> GuardVerdict:
    if not spans:
        return GuardVerdict(name="personal data", action=GuardAction.PASS)
    kinds = list(dict.fromkeys(span.kind for span in spans))
    searched = [kind for kind in kinds if kind in SEARCHABLE]
    hidden = [kind for kind in kinds if kind not in SEARCHABLE]
    told = f"Masked in your question: {_listed(kinds)}. It is kept and shown only so."
    if searched:
        told += f" The {_listed(searched)} {_was(searched)} searched for once, and not kept."
    if hidden:
        told += f" The {_listed(hidden)} {_was(hidden)} not used at all."
    return GuardVerdict(
        name="personal data", action=GuardAction.MASK, detail=told, flag=PII_MASKED, spans=tuple(spans)
    )


def _listed(kinds: Sequence[str]) -> str:
    words = [WORDS[kind] for kind in kinds]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _was(kinds: Sequence[str]) -> str:
    return "was" if len(kinds) == 1 else "were"
