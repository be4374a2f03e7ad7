"""`groundwork accounts`: who may sign in, with which roles and groups."""

from __future__ import annotations

from typing import Any

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json
from core.domain.principal import ROLES
from core.domain.trust.account import SCOPES, Account, AccountGroup
from core.domain.wire.shapes import envelope

_ROLE = click.Choice(ROLES)


@click.group()
def accounts() -> None:
    """Add, change, disable and list accounts and groups."""


@accounts.command("list")
@common_options
def list_accounts(common: Common) -> int:
    """List accounts with roles and groups."""
    with common.open() as session:
        rows = session.accounts.list()
    none = "There are no accounts. Add the first with: groundwork accounts add NAME --role admin"
    return common.table(
        ("name", "state", "roles", "groups", "signed in"),
        (
            (
                row.name,
                "disabled" if row.is_disabled else "active",
                ", ".join(sorted(row.all_roles)),
                ", ".join(sorted(row.groups)),
                f"{row.signed_in_at:%Y-%m-%d %H:%M}" if row.signed_in_at else "never",
            )
            for row in rows
        ),
        said="" if rows else none,
        accounts=[account_json(row) for row in rows],
    )


@accounts.command("add")
@click.argument("name")
@click.option("--role", "roles", multiple=True, type=_ROLE, help="May stand several times.")
@click.option("--group", "groups", multiple=True, help="May stand several times.")
@click.option("--display", default="", help="The name that people see.")
@click.option("--identity", help="Issuer and subject at an identity provider, as ISSUER#SUBJECT.")
@click.option(
    "--again",
    is_flag=True,
    help="The same person again, whose account was removed: they get what was theirs.",
)
@common_options
def add(
    name: str,
    roles: tuple[str, ...],
    groups: tuple[str, ...],
    display: str,
    identity: str | None,
    again: bool,
    common: Common,
) -> int:
    """Add an account; prints a password that its owner has to change."""
    with common.open() as session:
        account, password = session.accounts.add(
            name, roles=roles, groups=groups, display=display, identity=identity, again=again
        )
    if common.as_json:
        return print_json(envelope(**account_json(account), password=password or None))
    note(f"Account {account.name} was added.")
    _tell_password(password)
    return 0


@accounts.command("change")
@click.argument("name")
@click.option("--role", "roles", multiple=True, type=_ROLE, help="All roles from now on.")
@click.option("--group", "groups", multiple=True, help="All groups from now on.")
@click.option("--no-roles", is_flag=True, help="Take every role away.")
@click.option("--no-groups", is_flag=True, help="Take the account out of every group.")
@click.option("--display", help="The name that people see.")
@common_options
def change(
    name: str,
    roles: tuple[str, ...],
    groups: tuple[str, ...],
    no_roles: bool,
    no_groups: bool,
    display: str | None,
    common: Common,
) -> int:
    """Change roles, groups or the name that people see; who loses some is signed out."""
    with common.open() as session:
        account = session.accounts.change(
            name,
            roles=roles if roles or no_roles else None,
            groups=groups if groups or no_groups else None,
            display=display,
        )
    return _show(account, common)


@accounts.command("disable")
@click.argument("name")
@common_options
def disable(name: str, common: Common) -> int:
    """Shut an account out at once."""
    with common.open() as session:
        account = session.accounts.disable(name)
    return _show(account, common)


@accounts.command("enable")
@click.argument("name")
@common_options
def enable(name: str, common: Common) -> int:
    """Let a disabled account in again."""
    with common.open() as session:
        account = session.accounts.enable(name)
    return _show(account, common)


@accounts.command("reset-password")
@click.argument("name")
@common_options
def reset_password(name: str, common: Common) -> int:
    """Print a new password that the account's owner has to change; their sessions end."""
    with common.open() as session:
        password = session.accounts.reset_password(name)
    if common.as_json:
        print_json(envelope(name=name, password=password))
    else:
        _tell_password(password)
    return 0


@accounts.command("remove")
@click.argument("name")
@common_options
def remove(name: str, common: Common) -> int:
    """Remove an account with its sessions and tokens; what it did stays in the audit log."""
    with common.open() as session:
        session.accounts.remove(name)
    return common.give(f"Account {name} was removed.", removed=name)


@accounts.command("groups")
@common_options
def list_groups(common: Common) -> int:
    """List groups with roles and members."""
    with common.open() as session:
        rows = session.accounts.groups()
    return common.table(
        ("name", "roles", "members", "note"),
        ((row.name, ", ".join(sorted(row.roles)), ", ".join(sorted(row.members)), row.note) for row in rows),
        groups=[group_json(row) for row in rows],
    )


@accounts.command("set-group")
@click.argument("name")
@click.option("--role", "roles", multiple=True, type=_ROLE, help="All roles of its members from now on.")
@click.option("--no-roles", is_flag=True, help="Take every role away.")
@click.option("--note", "text", help="What the group is for.")
@common_options
def set_group(name: str, roles: tuple[str, ...], no_roles: bool, text: str | None, common: Common) -> int:
    """Make a group, or change it."""
    with common.open() as session:
        session.accounts.set_group(name, roles=roles if roles or no_roles else None, note=text)
        group = next(each for each in session.accounts.groups() if each.name == name.strip().lower())
    return common.give(
        f"Group {group.name}: roles {', '.join(sorted(group.roles)) or 'none'}.", **group_json(group)
    )


@accounts.command("remove-group")
@click.argument("name")
@common_options
def remove_group(name: str, common: Common) -> int:
    """Remove a group; its members are signed out."""
    with common.open() as session:
        session.accounts.remove_group(name)
    return common.give(f"Group {name} was removed.", removed=name)


@click.group()
def tokens() -> None:
    """Make, list and revoke API tokens."""


@tokens.command("list")
@click.option("--all", "everybody", is_flag=True, help="Tokens of everybody, for admins.")
@common_options
def list_tokens(everybody: bool, common: Common) -> int:
    """List tokens, newest first; their text is never shown again."""
    from datetime import UTC, datetime

    with common.open() as session:
        rows = session.tokens.list(everybody=everybody or common.user is None)
    now = datetime.now(UTC)
    found = [
        {
            "id": row.id,
            "account": row.account,
            "name": row.name,
            "scopes": sorted(row.scopes),
            "state": row.state(now),
            "created_at": row.created_at.isoformat(),
            "expires_at": row.expires_at.isoformat(),
            "used_at": row.used_at.isoformat() if row.used_at else None,
        }
        for row in rows
    ]
    return common.table(
        ("id", "account", "name", "scopes", "state", "expires", "used"),
        (
            (
                row.id,
                row.account,
                row.name,
                ", ".join(sorted(row.scopes)),
                row.state(now),
                f"{row.expires_at:%Y-%m-%d}",
                f"{row.used_at:%Y-%m-%d %H:%M}" if row.used_at else "never",
            )
            for row in rows
        ),
        tokens=found,
    )


@tokens.command("add")
@click.argument("name")
@click.option("--account", help="Whose it is (default: of --as).")
@click.option("--scope", "scopes", multiple=True, required=True, type=click.Choice(tuple(SCOPES)))
@click.option("--days", type=int, default=90, show_default=True, help="How long it lasts.")
@common_options
def add_token(name: str, account: str | None, scopes: tuple[str, ...], days: int, common: Common) -> int:
    """Make a token; its text is printed once, on stdout."""
    with common.open() as session:
        text, token = session.tokens.add(name, scopes, days=days, account=account)
    if common.as_json:
        return print_json(
            envelope(id=token.id, account=token.account, token=text, expires_at=token.expires_at.isoformat())
        )
    note(f"Token {token.id} of {token.account}, until {token.expires_at:%Y-%m-%d}. It is not shown again:")
    click.echo(text)
    return 0


@tokens.command("revoke")
@click.argument("token", metavar="ID")
@common_options
def revoke_token(token: str, common: Common) -> int:
    """End a token at once."""
    with common.open() as session:
        found = session.tokens.revoke(token)
    return common.give(f"Token {found.id} is revoked.", revoked=found.id)


def account_json(account: Account) -> dict[str, Any]:
    """An account as JSON."""
    return {
        "name": account.name,
        "display": account.display,
        "roles": sorted(account.roles),
        "all_roles": sorted(account.all_roles),
        "groups": sorted(account.groups),
        "disabled": account.is_disabled,
        "must_change_password": account.must_change,
        "created_at": account.created_at.isoformat(),
        "signed_in_at": account.signed_in_at.isoformat() if account.signed_in_at else None,
    }


def group_json(group: AccountGroup) -> dict[str, Any]:
    """A group as JSON."""
    return {
        "name": group.name,
        "note": group.note,
        "roles": sorted(group.roles),
        "members": sorted(group.members),
    }


def _show(account: Account, common: Common) -> int:
    if common.as_json:
        return print_json(envelope(**account_json(account)))
    state = "disabled" if account.is_disabled else "active"
    note(
        f"Account {account.name} is {state}; roles {', '.join(sorted(account.all_roles)) or 'none'}; "
        f"groups {', '.join(sorted(account.groups)) or 'none'}."
    )
    return 0


def _tell_password(password: str) -> None:
    if password:
        note("The password, to be changed at the first sign-in. It is not shown again:")
        click.echo(password)
