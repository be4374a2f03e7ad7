"""Output of commands: JSON on stdout, tables for people, progress and errors on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from core.domain.wire.shapes import error_json
from core.errors import GroundworkError

FAILED = 1
WRONG_USAGE = 2  # or wrong configuration
SOME_FAILED = 3  # finished, but some inputs failed; they are listed
REFUSED = 4  # by a guardrail or a policy


def print_json(document: Mapping[str, Any]) -> int:
    """One JSON document on stdout; the exit code of success."""
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=indent) + "\n")
    sys.stdout.flush()
    return 0


def note(text: str) -> None:
    """A line for people, on stderr."""
    click.echo(text, err=True)


def print_error(error: GroundworkError, *, as_json: bool) -> None:
    """Error and next step on stderr; as a JSON document on stdout too if asked for."""
    code = f" [{error.code}]" if error.code else ""
    click.secho(f"{error.message}{code}", err=True, fg="red")
    if error.next_step:
        click.echo(error.next_step, err=True)
    if as_json:
        print_json(error_json(error.message, error.code, error.next_step))


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, widest: int = 48, is_last_whole: bool = False
) -> None:
    """An aligned table on stdout; longer cells than `widest` end in '…', save the last if wanted."""
    last = len(columns) - 1 if is_last_whole else len(columns)
    cells = [
        [_cell(value, widest if at < last else sys.maxsize) for at, value in enumerate(row)] for row in rows
    ]
    widths = [max([len(name), *(len(row[i]) for row in cells)]) for i, name in enumerate(columns)]
    for row in [list(columns), *cells]:
        click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object, widest: int) -> str:
    text = " ".join(str(value).split()) if value is not None else ""
    return text if len(text) <= widest else text[: widest - 1] + "…"
