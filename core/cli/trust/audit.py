"""`groundwork audit`: what was done, whether the log is whole, and copies of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import FAILED, note, print_json
from core.domain.trust.deed import AuditQuery
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.store.people.audit_log import heads_in
from core.workbench.trust.audit_log import entry_json, report_json


@click.group()
def audit() -> None:
    """Read, verify, export and redact the log of what was done."""


@audit.command("list")
@click.option("--account", default="", help="Of whom.")
@click.option(
    "--deed", default="", help="A deed (document.remove), or its first part with a dot (document.)."
)
@click.option("--subject", default="", help="On what: an id or a name.")
@click.option("--trace", default="", help="Of one question.")
@click.option("--since", default="", help="From this day on (2026-11-26).")
@click.option("--until", default="", help="Until this day.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True)
@common_options
def list_entries(
    account: str, deed: str, subject: str, trace: str, since: str, until: str, limit: int, common: Common
) -> int:
    """List entries, newest first."""
    query = AuditQuery(
        account, deed, subject, trace, since=_day(since), until=_day(until, is_end=True), limit=limit
    )
    with common.open() as session:
        found, total = session.audit_log.entries(query), session.audit_log.count(query)
    return common.table(
        ("number", "at", "who", "deed", "on", "outcome", "from"),
        (
            (
                each.sequence,
                f"{each.at:%Y-%m-%d %H:%M:%S}",
                "(redacted)" if each.is_redacted else each.deed.account,
                each.deed.name,
                each.deed.subject or each.deed.trace,
                each.deed.outcome,
                each.deed.origin,
            )
            for each in found
        ),
        said=f"{len(found):,} of {total:,} entries; --limit shows more." if len(found) < total else "",
        entries=[entry_json(each) for each in found],
        total=total,
    )


@audit.command("verify")
@click.option(
    "--heads",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A copy of heads that was kept elsewhere (default: the home's own).",
)
@common_options
def verify(heads: Path | None, common: Common) -> int:
    """Compute every link anew; exit code 1 where one is broken, which is named."""
    with common.open() as session:
        report = session.audit_log.verify(None if heads is None else heads_in(heads))
    if common.as_json:
        print_json(envelope(**report_json(report)))
    else:
        note(report.text)
    return 0 if report.is_whole else FAILED


@audit.command("head")
@common_options
def head(common: Common) -> int:
    """Add the chain's head to the home's file of heads, once a day; copy that file elsewhere."""
    with common.open() as session:
        session.audit_log.export_head()
        found = session.audit_log.head()
    return common.give(
        f"Entry {found.sequence}: {found.hash}",
        sequence=found.sequence,
        hash=found.hash,
        at=found.at.isoformat(),
    )


@audit.command("export")
@click.option("--out", "file", type=click.Path(path_type=Path), required=True, help="A ZIP that is made.")
@click.option("--account", default="", help="Of whom.")
@click.option("--trace", default="", help="Of one question.")
@click.option("--since", default="", help="From this day on.")
@click.option("--until", default="", help="Until this day.")
@common_options
def export(file: Path, account: str, trace: str, since: str, until: str, common: Common) -> int:
    """Write entries as CSV and JSON lines, with the check of the chain and checksums, to a ZIP."""
    query = AuditQuery(account, trace=trace, since=_day(since), until=_day(until, is_end=True))
    with common.open() as session:
        count = session.audit_log.export(file, query)
    return common.give(f"{count:,} entries were written to {file}.", file=str(file), entries=count)


@audit.command("redact")
@click.argument("sequences", metavar="[NUMBER]...", type=int, nargs=-1)
@click.option("--older-than", "days", type=int, help="All entries older than so many days.")
@click.option("--reason", required=True, help="Why; it is kept.")
@common_options
def redact(sequences: tuple[int, ...], days: int | None, reason: str, common: Common) -> int:
    """Take the content of entries away; their place stays, and the chain stays whole."""
    with common.open() as session:
        count = session.audit_log.redact(reason, sequences=sequences, older_than_days=days)
    return common.give(f"{count:,} entries were redacted.", redacted=count)


def _day(text: str, *, is_end: bool = False) -> datetime | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no day.", next_step="Write it as 2026-11-26.") from error
    return datetime.combine(day, time.max if is_end else time(), UTC)
