"""The options that every command takes, and the opened workbench that they lead to."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.errors import UsageError

if TYPE_CHECKING:
    from core.domain.principal import Principal
    from core.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Common:
    """The options of every command: where, how to print, and as whom."""

    home: Path | None
    as_json: bool
    user: str | None

    def open(self) -> Workbench:
        """The workbench of this home; use it as a context manager."""
        from core.workbench import Workbench

        return Workbench.open(home=self.home)

    def open_for_repair(self) -> Workbench:
        """The same, also where the index does not fit the configured encoder."""
        from core.workbench import Workbench

        return Workbench.open(home=self.home, verify_encoder=False)

    def require_bucket(self, bench: Workbench, name: str | None) -> None:
        """Refuse a bucket that this principal sees nothing of, rather than search in nothing."""
        known = [bucket.name for bucket in bench.buckets(self.principal(bench))]
        if name is not None and name not in known:
            raise UsageError(
                f"There is no bucket {name!r}. "
                + (f"Expected one of: {', '.join(known)}." if known else "There are no buckets yet."),
                next_step="Choose one of them, or leave out --bucket." if known else "Run: groundwork ingest",
            )

    def principal(self, bench: Workbench) -> Principal:
        """The principal that `--as` names, or the local admin."""
        return bench.principal(self.user)


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
