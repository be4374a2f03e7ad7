"""Verdict of the policies on a question, as traces keep it beside those of the other guards."""

from __future__ import annotations

from core.domain.guards.verdict import NOT_PERMITTED, GuardAction, GuardVerdict
from core.errors import RefusedError


def policy_verdict(error: RefusedError) -> GuardVerdict:
    """The verdict of a refusal."""
    return GuardVerdict(
        name="policy", action=GuardAction.REFUSE, detail=error.explanation, flag=NOT_PERMITTED
    )
