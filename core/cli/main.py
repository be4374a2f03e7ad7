"""The `groundwork` command: its subcommands are imported when they are called, so each starts fast."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path

import click

from core.cli.output import FAILED, REFUSED, WRONG_USAGE, print_error, print_json
from core.domain.wire.shapes import error_json
from core.errors import GroundworkError, RefusedError, UsageError

COMMANDS = {
    "up": "core.cli.serve",
    "worker": "core.cli.serve",
    "ingest": "core.cli.ingest",
    "crawl": "core.cli.crawl",
    "documents": "core.cli.documents",
    "search": "core.cli.search",
    "map": "core.cli.search",
    "ask": "core.cli.ask",
    "summary": "core.cli.ask",
    "plan": "core.cli.plans",
    "plans": "core.cli.plans",
    "learning": "core.cli.plans",
    "evaluate": "core.cli.evaluate",
    "experiments": "core.cli.experiments.command",
    "matrix": "core.cli.matrix",
    "extract": "core.cli.matrix",
    "contradictions": "core.cli.matrix",
    "annotations": "core.cli.annotations",
    "datasets": "core.cli.rows.datasets",
    "jobs": "core.cli.jobs",
    "accounts": "core.cli.trust.accounts",
    "tokens": "core.cli.trust.accounts",
    "access": "core.cli.trust.access",
    "audit": "core.cli.trust.audit",
    "policies": "core.cli.trust.policies",
    "review": "core.cli.trust.review",
    "replay": "core.cli.trust.review",
    "evidence-pack": "core.cli.trust.review",
    "mcp": "core.cli.mcp.command",
    "llm": "core.cli.llm",
    "rates": "core.cli.annotations",
    "doctor": "core.cli.doctor",
    "reindex": "core.cli.keep",
    "backup": "core.cli.keep",
    "restore": "core.cli.keep",
    "encode-server": "core.cli.serve",
}


class LazyGroup(click.Group):
    """A group whose commands live in modules that are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command called `name`, or None."""
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[name]), name.replace("-", "_"))
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="groundwork")
@click.option("--home", type=click.Path(path_type=Path), help="Home folder; may stand after the command too.")
def groundwork(home: Path | None) -> None:
    """Ask questions of large document collections, with every claim checked and cited."""


def main() -> None:
    """Run the command line; ends the process: 0 done, 1 failed, 2 wrong usage, 3 in part, 4 refused."""
    arguments = sys.argv[1:]
    as_json = "--json" in arguments
    try:
        code = groundwork.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        if as_json:
            print_json(error_json(error.format_message(), None, "Run the command with --help."))
        sys.exit(WRONG_USAGE)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except GroundworkError as error:
        if "--debug" in arguments:
            traceback.print_exc()
        print_error(error, as_json=as_json)
        sys.exit(_exit_code(error))
    except Exception as error:
        if "--debug" in arguments:
            raise
        print_error(
            GroundworkError(
                f"Something unexpected went wrong: {type(error).__name__}: {error}.",
                next_step="Run the command again with --debug to see where.",
            ),
            as_json=as_json,
        )
        sys.exit(FAILED)


def _exit_code(error: GroundworkError) -> int:
    if isinstance(error, UsageError):
        return WRONG_USAGE
    return REFUSED if isinstance(error, RefusedError) else FAILED


if __name__ == "__main__":  # `python -m core.cli.main` is what somebody types, too
    main()
