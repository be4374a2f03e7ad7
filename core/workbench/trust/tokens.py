"""API tokens: one's own, and, for admins, everybody's."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from core.domain.trust.account import ApiToken, checked_scopes
from core.domain.trust.permission import Action
from core.errors import UsageError
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

LONGEST_DAYS = 366


class TokenService(Service):
    """Tokens with which programs call on behalf of an account."""

    @recorded("token.add", "account", "scopes", "days")
    def add(
        self, name: str, scopes: Collection[str], *, days: int = 90, account: str | None = None
    ) -> tuple[str, ApiToken]:
        """A new token of one's own, or, by an admin, of an account; its text is given here and never again.

        Raises UsageError, RefusedError, and NotFoundError where there is no such account.
        """
        owner = account or self._principal.user
        if owner != self._principal.user:
            self._permit(Action.PEOPLE, "make tokens for others")
        if not 1 <= days <= LONGEST_DAYS:
            raise UsageError(
                f"A token lasts 1 to {LONGEST_DAYS} days, not {days}.", next_step="Choose fewer."
            )
        label = " ".join(name.split())[:100]
        if not label:
            raise UsageError(
                "A token needs a name.", next_step="Say what it is for, such as 'nightly report'."
            )
        wanted = checked_scopes(frozenset(scopes))
        found = self._parts.records.accounts.get(owner)
        if "admin" in wanted and "admin" not in found.all_roles:
            raise UsageError(
                f"{owner!r} is no admin, so a token of theirs cannot be.",
                next_step="Leave out the scope admin.",
            )
        until = datetime.now(UTC) + timedelta(days=days)
        return self._parts.records.api_tokens.add(found.name, label, wanted, until)

    @recorded("token.revoke", "token")
    def revoke(self, token: str) -> ApiToken:
        """End a token: one's own, or, for an admin, anybody's. Raises NotFoundError."""
        owner = None if self._door.may(Action.PEOPLE) else self._principal.user
        return self._parts.records.api_tokens.revoke(token, owner)

    def list(self, *, everybody: bool = False) -> builtins.list[ApiToken]:
        """One's own tokens, newest first, or everybody's. Raises RefusedError."""
        if everybody:
            self._permit(Action.PEOPLE, "see tokens of others")
        return self._parts.records.api_tokens.list(None if everybody else self._principal.user)
