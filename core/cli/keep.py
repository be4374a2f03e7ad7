"""`groundwork reindex`, `backup` and `restore`: keeping a home in order."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json
from core.cli.progress import JobProgress
from core.domain.wire import envelope


@click.command()
@click.option("--engine", type=click.Choice(["embedded"]), default="embedded", show_default=True)
@common_options
def reindex(engine: str, common: Common) -> int:
    """Build the search index anew from the records, beside the old one, and switch to it.

    Passages whose vectors came from another encoder are encoded again first.
    """
    with common.open_for_repair() as bench, JobProgress() as progress:
        passages = bench.reindex(common.principal(bench), on_progress=progress.show)
    if common.as_json:
        print_json(envelope(engine=engine, passages=passages))
    else:
        note(f"The index was rebuilt over {passages:,} passages.")
    return 0


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@common_options
def backup(file: Path, common: Common) -> int:
    """Write documents, originals, conversations and settings (without secrets) to FILE."""
    with common.open_for_repair() as bench:
        size_bytes = bench.backup(file, common.principal(bench))
    if common.as_json:
        print_json(envelope(file=str(file), size_bytes=size_bytes))
    else:
        note(f"Wrote {size_bytes / 1e6:,.1f} MB to {str(file)!r}.")
    return 0


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace what this home holds.")
@common_options
def restore(file: Path, force: bool, common: Common) -> int:
    """Fill this home from a backup FILE; the search index is rebuilt."""
    from core.workbench.keeping import restore_home

    documents = restore_home(file, home=common.home, force=force)
    if common.as_json:
        print_json(envelope(file=str(file), documents=documents))
    else:
        note(f"Restored {documents:,} documents from {str(file)!r}.")
    return 0
