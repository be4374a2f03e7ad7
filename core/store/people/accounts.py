"""Accounts and groups with their roles."""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.principal import LOCAL_ADMIN, SYSTEM
from core.domain.trust.account import Account, AccountGroup
from core.errors import NotFoundError, UsageError
from core.store.database.db import Repository, from_row, insert_or_ignore, insert_or_update
from core.store.database.schema import meta
from core.store.database.trust_tables import (
    account_groups,
    accounts,
    api_tokens,
    browser_sessions,
    memberships,
    role_grants,
)

_ACCOUNT, _GROUP = "account", "group"
RESERVED = frozenset({LOCAL_ADMIN.user, SYSTEM})
"""Users that are no accounts: whoever got the name would get their conversations, and deeds."""


def _removed(name: str) -> str:
    """Key of the note that an account of that name was removed."""
    return f"removed account {name}"


class Accounts(Repository):
    """Reads and changes accounts and groups. Thread-safe. Unknown names raise NotFoundError.

    There is always an admin who can sign in: a change that would leave none raises UsageError.
    """

    def exist(self) -> bool:
        """True where there is an account; cheap."""
        return self._database.first(sa.select(accounts.c.name).limit(1)) is not None

    def find(self, name: str) -> Account | None:
        """The account of that name, None where there is none."""
        with self._database.read() as connection:
            return next(iter(_accounts(connection, accounts.c.name == name)), None)

    def get(self, name: str) -> Account:
        """The account of that name."""
        found = self.find(name)
        if found is None:
            raise _no_account(name)
        return found

    def of_identity(self, identity: str) -> Account | None:
        """The account that an identity provider's issuer and subject belong to."""
        with self._database.read() as connection:
            return next(iter(_accounts(connection, accounts.c.identity == identity)), None)

    def add(
        self,
        name: str,
        *,
        display: str = "",
        password: str = "",
        identity: str | None = None,
        must_change: bool = False,
        roles: Collection[str] = (),
        groups: Collection[str] = (),
        again: bool = False,
        now: datetime | None = None,
    ) -> Account:
        """A new account. password: its hash. The first one must be an admin.

        again: it may have the name of one that was removed, with all that belongs to that name. Raises
        UsageError.
        """
        if name in RESERVED:
            raise UsageError(
                f"{name!r} stands for this machine itself, and what it did.", next_step="Choose another name."
            )
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            if connection.execute(sa.select(accounts.c.name).where(accounts.c.name == name)).first():
                raise UsageError(f"There is an account {name!r} already.", next_step="Choose another name.")
            was_there = connection.execute(sa.select(meta.c.key).where(meta.c.key == _removed(name))).first()
            if was_there and not again:
                raise UsageError(
                    f"{name!r} is the name of an account that was removed: its conversations, audits and "
                    "access would be those of whoever gets the name.",
                    next_step="Choose another name; for the same person run: groundwork accounts add "
                    f"{name} --again",
                )
            connection.execute(sa.delete(meta).where(meta.c.key == _removed(name)))
            row = {
                "name": name,
                "display": display or name,
                "password": password,
                "identity": identity,
                "disabled": False,
                "must_change": must_change,
                "created_at": now,
                "updated_at": now,
            }
            connection.execute(sa.insert(accounts).values(row))
            _set_roles(connection, _ACCOUNT, name, roles)
            _set_groups(connection, name, groups, now)
            _require_admin_left(connection)
            return _one(connection, name)

    def change(
        self,
        name: str,
        *,
        display: str | None = None,
        roles: Collection[str] | None = None,
        groups: Collection[str] | None = None,
        disabled: bool | None = None,
        now: datetime | None = None,
    ) -> Account:
        """Change what is given. Who is disabled or loses roles or groups is signed out everywhere."""
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            before = _locked(connection, name)
            values: dict[str, object] = {"updated_at": now}
            if display is not None:
                values["display"] = display or name
            if disabled is not None:
                values["disabled"] = disabled
            connection.execute(sa.update(accounts).where(accounts.c.name == name).values(values))
            if roles is not None:
                _set_roles(connection, _ACCOUNT, name, roles)
            if groups is not None:
                _set_groups(connection, name, groups, now)
            _require_admin_left(connection)
            after = _one(connection, name)
            if after.is_disabled or before.all_roles - after.all_roles or before.groups - after.groups:
                _sign_out(connection, [name])
            return after

    def set_password(
        self,
        name: str,
        password: str,
        *,
        must_change: bool,
        keep_session: str = "",
        now: datetime | None = None,
    ) -> None:
        """Another password (its hash); every session but `keep_session` ends."""
        with self._database.write_rows() as connection:
            _locked(connection, name)
            connection.execute(
                sa.update(accounts)
                .where(accounts.c.name == name)
                .values(password=password, must_change=must_change, updated_at=now or datetime.now(UTC))
            )
            _sign_out(connection, [name], keep_session)

    def rehash(self, name: str, password: str, before: str) -> None:
        """Keep a newer hash of the same password, unless it was changed since."""
        with self._database.write_rows(is_upkeep=True) as connection:
            connection.execute(
                sa.update(accounts)
                .where(accounts.c.name == name, accounts.c.password == before)
                .values(password=password)
            )

    def remove(self, name: str) -> None:
        """Remove an account with its sessions and tokens; what it asked and did stays, under its name, which
        nobody else gets.
        """
        with self._database.write_rows() as connection:
            _locked(connection, name)
            connection.execute(
                sa.delete(role_grants).where(role_grants.c.kind == _ACCOUNT, role_grants.c.holder == name)
            )
            for table in (memberships, browser_sessions, api_tokens):
                connection.execute(sa.delete(table).where(table.c.account == name))
            connection.execute(sa.delete(accounts).where(accounts.c.name == name))
            removed = {"key": _removed(name), "value": {"at": datetime.now(UTC).isoformat()}}
            insert_or_update(connection, meta, removed)
            if connection.execute(sa.select(accounts.c.name).limit(1)).first():
                _require_admin_left(connection)

    def list(self) -> builtins.list[Account]:
        """All accounts, by name."""
        with self._database.read() as connection:
            return _accounts(connection, sa.true())

    def groups(self) -> builtins.list[AccountGroup]:
        """All groups, by name, with roles and members."""
        with self._database.read() as connection:
            rows = connection.execute(sa.select(account_groups).order_by(account_groups.c.name)).all()
            roles = _roles(connection, _GROUP)
            members: dict[str, set[str]] = defaultdict(set)
            for account, group in connection.execute(sa.select(*memberships.c)):
                members[group].add(account)
        return [
            AccountGroup(row.name, row.note, roles.get(row.name, frozenset()), frozenset(members[row.name]))
            for row in rows
        ]

    def set_group(
        self,
        name: str,
        *,
        note: str | None = None,
        roles: Collection[str] | None = None,
        now: datetime | None = None,
    ) -> None:
        """Make a group, or change it; members that lose roles by it are signed out."""
        with self._database.write_rows() as connection:
            _make_groups(connection, [name], now or datetime.now(UTC))
            if note is not None:
                connection.execute(
                    sa.update(account_groups).where(account_groups.c.name == name).values(note=note)
                )
            if roles is not None:
                lost = _roles(connection, _GROUP).get(name, frozenset()) - frozenset(roles)
                _set_roles(connection, _GROUP, name, roles)
                if lost:
                    _sign_out(connection, _members(connection, name))
            _require_admin_left(connection)

    def remove_group(self, name: str) -> None:
        """Remove a group; its members are signed out."""
        with self._database.write_rows() as connection:
            if not connection.execute(sa.select(account_groups).where(account_groups.c.name == name)).first():
                raise NotFoundError(
                    f"There is no group {name!r}.", next_step="Run: groundwork accounts groups"
                )
            _sign_out(connection, _members(connection, name))
            connection.execute(
                sa.delete(role_grants).where(role_grants.c.kind == _GROUP, role_grants.c.holder == name)
            )
            connection.execute(sa.delete(memberships).where(memberships.c.group_name == name))
            connection.execute(sa.delete(account_groups).where(account_groups.c.name == name))
            _require_admin_left(connection)

    def note_sign_in(self, name: str, now: datetime | None = None) -> None:
        """Keep when an account signed in last."""
        self._database.run_rows(
            sa.update(accounts).where(accounts.c.name == name).values(signed_in_at=now or datetime.now(UTC))
        )


def _accounts(connection: Connection, condition: sa.ColumnElement[bool]) -> list[Account]:
    rows = connection.execute(sa.select(accounts).where(condition).order_by(accounts.c.name)).all()
    if not rows:
        return []
    own, by_group = _roles(connection, _ACCOUNT), _roles(connection, _GROUP)
    groups: dict[str, set[str]] = defaultdict(set)
    within = sa.select(memberships)
    if len(rows) == 1:
        within = within.where(memberships.c.account == rows[0].name)
    for account, group in connection.execute(within):
        groups[account].add(group)
    found = []
    for row in rows:
        roles = own.get(row.name, frozenset())
        found.append(
            from_row(
                Account,
                row,
                roles=roles,
                groups=frozenset(groups[row.name]),
                all_roles=roles.union(*(by_group.get(group, frozenset()) for group in groups[row.name])),
                is_disabled=row.disabled,
                has_password=bool(row.password),
            )
        )
    return found


def _one(connection: Connection, name: str) -> Account:
    found = _accounts(connection, accounts.c.name == name)
    if not found:
        raise _no_account(name)
    return found[0]


def _locked(connection: Connection, name: str) -> Account:
    """The account; nobody else changes it until the transaction ends."""
    connection.execute(sa.select(accounts.c.name).where(accounts.c.name == name).with_for_update())
    return _one(connection, name)


def _no_account(name: str) -> NotFoundError:
    return NotFoundError(f"There is no account {name!r}.", next_step="Run: groundwork accounts list")


def _roles(connection: Connection, kind: str) -> Mapping[str, frozenset[str]]:
    rows = sa.select(role_grants.c.holder, role_grants.c.role).where(role_grants.c.kind == kind)
    found: dict[str, set[str]] = defaultdict(set)
    for holder, role in connection.execute(rows):
        found[holder].add(role)
    return {holder: frozenset(roles) for holder, roles in found.items()}


def _set_roles(connection: Connection, kind: str, holder: str, roles: Collection[str]) -> None:
    connection.execute(
        sa.delete(role_grants).where(role_grants.c.kind == kind, role_grants.c.holder == holder)
    )
    rows = [{"kind": kind, "holder": holder, "role": role} for role in sorted(set(roles))]
    insert_or_ignore(connection, role_grants, rows)


def _set_groups(connection: Connection, name: str, groups: Collection[str], now: datetime) -> None:
    _make_groups(connection, groups, now)
    connection.execute(sa.delete(memberships).where(memberships.c.account == name))
    rows = [{"account": name, "group_name": group} for group in sorted(set(groups))]
    insert_or_ignore(connection, memberships, rows)


def _make_groups(connection: Connection, names: Collection[str], now: datetime) -> None:
    rows = [{"name": name, "note": "", "created_at": now} for name in sorted(set(names))]
    insert_or_ignore(connection, account_groups, rows)


def _members(connection: Connection, group: str) -> list[str]:
    rows = sa.select(memberships.c.account).where(memberships.c.group_name == group)
    return list(connection.execute(rows).scalars())


def _sign_out(connection: Connection, names: Collection[str], keep: str = "") -> None:
    connection.execute(
        sa.delete(browser_sessions).where(
            browser_sessions.c.account.in_(list(names)), browser_sessions.c.id != keep
        )
    )


def _require_admin_left(connection: Connection) -> None:
    """Raise UsageError where no admin could sign in after this transaction."""
    # Two who take the last two admins away at once must not both succeed: they take turns at these rows.
    connection.execute(sa.select(role_grants.c.holder).where(role_grants.c.role == "admin").with_for_update())
    if not any(
        "admin" in each.all_roles for each in _accounts(connection, accounts.c.disabled == sa.false())
    ):
        raise UsageError(
            "There would be no admin left who can sign in.",
            next_step="Give an account that is not disabled the role admin first.",
        )
