"""`groundwork learning`: what a home learned from questions that went wrong."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json
from core.domain.wire.shapes import envelope
from core.errors import UsageError


@click.group()
def learning() -> None:
    """Write out what this home was taught."""


@learning.command("export")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of marked questions, a line each, with which the reader of questions can be trained.",
)
@common_options
def export(out: Path | None, common: Common) -> int:
    """Write the questions that were taught, with their marks."""
    if out is None and not common.as_json:
        raise UsageError("Where shall they be written?", next_step="Give --out FILE.tsv, or --json.")
    with common.open() as session:
        found = session.teaching.marked()
    if out is not None:
        try:
            out.write_text(found.text, encoding="utf-8")
        except OSError as error:
            raise UsageError(
                f"{str(out)!r} cannot be written: {error.strerror}.", next_step="Choose another file."
            ) from error
    if common.as_json:
        print_json(envelope(questions=list(found.questions)))
    else:
        note(f"Wrote {len(found.questions):,} taught questions to {str(out)!r}.")
    return 0
