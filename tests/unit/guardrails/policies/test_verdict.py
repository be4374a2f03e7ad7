from __future__ import annotations

from core.domain.guards.verdict import NOT_PERMITTED, GuardAction
from core.errors import RefusedError
from core.guardrails.policies.verdict import policy_verdict


def test_the_verdict_says_what_is_lacking_and_what_to_do() -> None:
    verdict = policy_verdict(RefusedError("'ann' may not.", next_step="Ask an admin.", lacking=("admin",)))

    assert (verdict.action, verdict.flag) == (GuardAction.REFUSE, NOT_PERMITTED)
    assert verdict.detail == "'ann' may not. Ask an admin."
