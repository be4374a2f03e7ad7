"""Accounts, groups and roles, for admins; and what everybody may change of their own account."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from core.domain.trust.account import (
    Account,
    AccountGroup,
    ApiToken,
    BrowserSession,
    account_name,
    checked_roles,
    checked_scopes,
)
from core.domain.trust.permission import Action
from core.errors import NotFoundError, SignInError, ThrottledError, UsageError
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.trust import passwords


class AccountService(Service):
    """Accounts of the home. Changing those of others takes an admin."""

    @property
    def exist(self) -> bool:
        """True where people have to sign in with an account."""
        return self._parts.records.accounts.exist()

    def own(self) -> Account | None:
        """This principal's account; None of the local start, which has none."""
        return self._parts.records.accounts.find(self._principal.user)

    def get(self, name: str) -> Account:
        """An account. Raises NotFoundError, RefusedError."""
        self._permit(Action.PEOPLE, "see accounts")
        return self._parts.records.accounts.get(name)

    @recorded("account.add", "name", "roles", "groups")
    def add(
        self,
        name: str,
        *,
        password: str = "",
        display: str = "",
        roles: Collection[str] = (),
        groups: Collection[str] = (),
        identity: str | None = None,
        again: bool = False,
    ) -> tuple[Account, str]:
        """A new account, and the password that its owner has to change; "" where one was given.

        With `identity` it has no password: its owner signs in at the provider. The first account must be an
        admin. again: for the same person, whose account was removed. Raises UsageError, RefusedError.
        """
        self._permit(Action.PEOPLE, "add accounts")
        made = "" if password or identity else passwords.new_password()
        hashed = "" if identity and not password else passwords.password_hash(password or made)
        account = self._parts.records.accounts.add(
            account_name(name),
            display=display.strip()[:200],
            password=hashed,
            identity=identity,
            must_change=bool(made),
            roles=checked_roles(frozenset(roles)),
            groups=[account_name(group) for group in groups],
            again=again,
        )
        return account, made

    @recorded("account.change", "name", "roles", "groups")
    def change(
        self,
        name: str,
        *,
        roles: Collection[str] | None = None,
        groups: Collection[str] | None = None,
        display: str | None = None,
    ) -> Account:
        """Change what is given; who loses a role or group is signed out. Raises UsageError, RefusedError."""
        self._permit(Action.PEOPLE, "change accounts")
        return self._parts.records.accounts.change(
            name,
            display=display,
            roles=None if roles is None else checked_roles(frozenset(roles)),
            groups=None if groups is None else [account_name(group) for group in groups],
        )

    @recorded("account.disable", "name")
    def disable(self, name: str) -> Account:
        """Shut an account out at once, with its sessions and tokens. Raises UsageError, RefusedError."""
        self._permit(Action.PEOPLE, "disable accounts")
        return self._parts.records.accounts.change(name, disabled=True)

    @recorded("account.enable", "name")
    def enable(self, name: str) -> Account:
        """Let a disabled account in again."""
        self._permit(Action.PEOPLE, "enable accounts")
        return self._parts.records.accounts.change(name, disabled=False)

    @recorded("account.reset_password", "name")
    def reset_password(self, name: str) -> str:
        """A new password, to be given to the account's owner, who has to change it; their sessions end."""
        self._permit(Action.PEOPLE, "reset passwords")
        made = passwords.new_password()
        self._parts.records.accounts.set_password(name, passwords.password_hash(made), must_change=True)
        return made

    @recorded("account.remove", "name")
    def remove(self, name: str) -> None:
        """Remove an account with its sessions and tokens; what it asked and did stays in the records,
        under its name, which nobody else gets.
        """
        self._permit(Action.PEOPLE, "remove accounts")
        self._parts.records.accounts.remove(name)

    @recorded("account.change_password")
    def change_password(self, old: str, new: str, *, session: str = "") -> None:
        """Change one's own password; every session but `session` ends. Raises SignInError, UsageError."""
        records = self._parts.records
        account = records.accounts.get(self._principal.user)
        keys = (f"account:{account.name}",)
        wait = records.throttle.wait_s(keys)
        if wait:
            raise ThrottledError(
                "Too many failed tries.", retry_after_s=wait, next_step=f"Try again in {wait} seconds."
            )
        if not passwords.is_password(old, account.password):
            records.throttle.fail(keys)
            raise SignInError("The old password does not fit.", next_step="Try again, or ask an admin.")
        hashed = passwords.password_hash(new)
        records.accounts.set_password(account.name, hashed, must_change=False, keep_session=session)

    def sessions(self, name: str | None = None) -> builtins.list[BrowserSession]:
        """Signed-in browsers of one's own, or, for an admin, of an account."""
        if name is not None and name != self._principal.user:
            self._permit(Action.PEOPLE, "see sessions of others")
        return self._parts.records.browser_sessions.list(name or self._principal.user)

    @recorded("account.end_session", "session")
    def end_session(self, session: str) -> None:
        """Sign a browser out: one's own, or, for an admin, anybody's. Raises NotFoundError."""
        found = self._parts.records.browser_sessions.live(session)
        if found is None or not (found.account == self._principal.user or self._door.may(Action.PEOPLE)):
            raise NotFoundError("This session has ended.", next_step="Look at the list again.")
        self._parts.records.browser_sessions.end(session)

    @recorded("account.end_sessions", "name")
    def end_sessions(self, name: str) -> int:
        """Sign out every browser of an account; gives how many."""
        if name != self._principal.user:
            self._permit(Action.PEOPLE, "end sessions of others")
        return self._parts.records.browser_sessions.end_all(name)

    def groups(self) -> builtins.list[AccountGroup]:
        """All groups. Raises RefusedError."""
        self._permit(Action.PEOPLE, "see groups")
        return self._parts.records.accounts.groups()

    @recorded("group.set", "name", "roles")
    def set_group(self, name: str, *, note: str | None = None, roles: Collection[str] | None = None) -> None:
        """Make a group or change it. Raises UsageError, RefusedError."""
        self._permit(Action.PEOPLE, "change groups")
        self._parts.records.accounts.set_group(
            account_name(name),
            note=None if note is None else note.strip()[:500],
            roles=None if roles is None else checked_roles(frozenset(roles)),
        )

    @recorded("group.remove", "name")
    def remove_group(self, name: str) -> None:
        """Remove a group; its members are signed out. Raises NotFoundError, UsageError, RefusedError."""
        self._permit(Action.PEOPLE, "remove groups")
        self._parts.records.accounts.remove_group(name)

    def list(self) -> builtins.list[Account]:
        """All accounts, by name. Raises RefusedError."""
        self._permit(Action.PEOPLE, "see accounts")
        return self._parts.records.accounts.list()


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
