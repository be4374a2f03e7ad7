"""The options that every command takes, and the opened workbench that they lead to."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli.output import note, print_json, print_table
from core.domain.wire.shapes import envelope
from core.errors import UsageError

if TYPE_CHECKING:
    from core.workbench import Session


@dataclass(frozen=True, slots=True)
class Common:
    """The options of every command: where, how to print, and as whom."""

    home: Path | None
    as_json: bool
    user: str | None

    @contextmanager
    def open(self, *, verify_encoder: bool = True) -> Iterator[Session]:
        """The home as the user that `--as` names, or the local admin, has it; closed at the end.

        verify_encoder=False opens it also where the index does not fit the configured encoder.
        """
        from core.workbench import Workbench

        with Workbench.open(home=self.home, verify_encoder=verify_encoder) as bench:
            yield bench.for_principal(bench.principal(self.user, origin="cli"))

    def give(self, said: str, **document: Any) -> int:
        """The document on stdout with --json, else what is said of it on stderr; the exit code of success."""
        if self.as_json:
            print_json(envelope(**document))
        else:
            note(said)
        return 0

    def table(
        self,
        heads: Sequence[str],
        rows: Iterable[Sequence[object]],
        *,
        widest: int = 48,
        is_last_whole: bool = False,
        said: str = "",
        **document: Any,
    ) -> int:
        """The document on stdout with --json, else the rows as a table and what is said of them; gives 0."""
        if self.as_json:
            print_json(envelope(**document))
        else:
            print_table(heads, rows, widest=widest, is_last_whole=is_last_whole)
            if said:
                note(said)
        return 0

    def require_bucket(self, session: Session, name: str | None) -> None:
        """Refuse a bucket that this principal sees nothing of, rather than search in nothing."""
        known = [bucket.name for bucket in session.documents.buckets()]
        if name is not None and name not in known:
            raise UsageError(
                f"There is no bucket {name!r}. "
                + (f"Expected one of: {', '.join(known)}." if known else "There are no buckets yet."),
                next_step="Choose one of them, or leave out --bucket." if known else "Run: groundwork ingest",
            )


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --home, --json, --as and --debug; the command receives them as `common`."""

    @click.option("--home", type=click.Path(path_type=Path), help="Home folder (default: GROUNDWORK_HOME).")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
    @click.option("--as", "user", metavar="USER", help="Act as this local user.")
    @click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
    @functools.wraps(command)
    def wrapped(
        *args: Any, home: Path | None, as_json: bool, user: str | None, debug: bool, **kwargs: Any
    ) -> Any:
        chosen = home or click.get_current_context().find_root().params.get("home")
        return command(*args, common=Common(chosen, as_json, user), **kwargs)

    return wrapped
