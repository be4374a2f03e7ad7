"""People of a home: who a name stands for, whether an account or a user of groundwork.toml."""

from __future__ import annotations

from dataclasses import replace

from core.config.models import Settings
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import UsageError
from core.store.people.accounts import Accounts


def principal_of(accounts: Accounts, settings: Settings, user: str | None, origin: str = "") -> Principal:
    """The principal that a user name stands for on this machine; None: the built-in admin.

    An account comes before a user of groundwork.toml. Raises UsageError for an unknown or disabled one.
    """
    if user is None or user == LOCAL_ADMIN.user:
        return replace(LOCAL_ADMIN, origin=origin)
    account = accounts.find(user)
    if account is not None and account.is_disabled:
        raise UsageError(f"The account {user!r} is disabled.", next_step="Choose another with --as.")
    if account is not None:
        return account.principal(origin)
    found = settings.users.get(user)
    if found is None:
        known = ", ".join(sorted({LOCAL_ADMIN.user, *people(accounts, settings)}))
        raise UsageError(
            f"Unknown user {user!r}. Expected one of: {known}.",
            next_step=f"Run: groundwork accounts add {user}; or choose another name.",
        )
    return Principal(user, frozenset(found.roles), frozenset(found.groups), origin)


def people(accounts: Accounts, settings: Settings) -> list[str]:
    """Names of all that may come in, sorted."""
    known = accounts.list()
    disabled = {each.name for each in known if each.is_disabled}
    return sorted({*settings.users, *(each.name for each in known)} - disabled)


def groups(accounts: Accounts, settings: Settings) -> list[str]:
    """Names of all groups that somebody can be in, sorted."""
    of_file = (group for each in settings.users.values() for group in each.groups)
    return sorted({*of_file, *(each.name for each in accounts.groups())})
