"""`groundwork contradictions`: what documents say otherwise of one thing."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.domain.contradiction import ContradictionState
from core.domain.wire.contradictions import HEADS, contradiction_json, contradiction_lines
from core.domain.wire.shapes import envelope
from core.spreadsheet import write_lines

_STATES = [each.value for each in ContradictionState]


@click.command()
@click.option("--bucket", help="Only this bucket.")
@click.option(
    "--field", "fields", multiple=True, help="Only this field or label; may be given several times."
)
@click.option("--state", type=click.Choice(_STATES), help="Only open, possible or resolved ones.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write a .csv file.")
@common_options
def contradictions(
    bucket: str | None, fields: tuple[str, ...], state: str | None, out: Path | None, common: Common
) -> int:
    """List different values of one thing, in documents and between them, with their words side by side."""
    with common.open() as session:
        common.require_bucket(session, bucket)
        report = session.matrix.contradictions(bucket, fields)
    found = [each for each in report.contradictions if state in (None, each.state.value)]
    lines = [line for each in found for line in contradiction_lines(each)]
    if out is not None:
        write_lines(out, HEADS, lines)
    if common.as_json:
        print_json(
            envelope(contradictions=[contradiction_json(each) for each in found], is_whole=report.is_whole)
        )
        return 0
    if out is None:
        print_table(HEADS, lines, widest=28)
    counts = ", ".join(f"{sum(each.state == name for each in found):,} {name}" for name in _STATES)
    note(f"{len(found):,} contradiction{'' if len(found) == 1 else 's'}: {counts}.")
    if not report.is_whole:
        note("There are more than are listed: choose a bucket.")
    return 0
