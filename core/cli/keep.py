"""`groundwork reindex`, `backup` and `restore`: keeping a home in order."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.progress import JobProgress
from core.config.load import load_settings
from core.domain.principal import LOCAL_ADMIN, Principal, require_admin
from core.errors import UsageError


@click.command()
@click.option(
    "--engine",
    metavar="NAME",
    help="Only this one, such as embedded (default: each that the settings name).",
)
@common_options
def reindex(engine: str | None, common: Common) -> int:
    """Build the search index anew from the records, beside the old one, and switch to it.

    With another engine, such as a Weaviate server, there are two: its own, and the local one that answers
    while it is away.
    Passages whose vectors came from another encoder are encoded again first.
    """
    with common.open(verify_encoder=False) as session, JobProgress() as progress:
        passages = session.index.rebuild(on_progress=progress.show, engine=engine or "")
        rebuilt = engine or session.settings.values.index.engine
    return common.give(
        f"The index was rebuilt over {passages:,} passages.", engine=rebuilt, passages=passages
    )


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@common_options
def backup(file: Path, common: Common) -> int:
    """Write documents, originals, conversations and settings (without secrets) to FILE."""
    with common.open(verify_encoder=False) as session:
        size_bytes = session.settings.backup(file)
    return common.give(
        f"Wrote {size_bytes / 1e6:,.1f} MB to {str(file)!r}.", file=str(file), size_bytes=size_bytes
    )


def _require_admin(common: Common) -> None:
    """Refuse a restore to all but admins by this home's settings; the home itself may not open."""
    if common.user is None or common.user == LOCAL_ADMIN.user:
        return
    users = load_settings(common.home).users
    if common.user not in users:
        known = ", ".join(sorted({LOCAL_ADMIN.user, *users}))
        raise UsageError(
            f"Unknown user {common.user!r}. Expected one of: {known}.",
            next_step=f"Add [users.{common.user}] to groundwork.toml, or choose another name.",
        )
    found = users[common.user]
    require_admin(Principal(common.user, frozenset(found.roles), frozenset(found.groups)), "restore backups")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace what this home holds.")
@common_options
def restore(file: Path, force: bool, common: Common) -> int:
    """Fill this home from a backup FILE; the search index is rebuilt."""
    from core.workbench.backup import restore_home

    _require_admin(common)
    documents = restore_home(file, home=common.home, force=force)
    return common.give(
        f"Restored {documents:,} documents from {str(file)!r}.", file=str(file), documents=documents
    )
