"""`groundwork plans`: plans that are kept as audits, run again, compared, written out and read in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.options import Common, common_options
from core.cli.output import FAILED, note, print_json, print_table
from core.domain.answer import Answer, Status
from core.domain.audit import CHANGE_WORDS, Audit, AuditRun, DocumentChange, Why
from core.domain.wire.audits import (
    AuditRecord,
    AuditRow,
    OutdatedRecord,
    RunDifferences,
    RunRecord,
    UncoveredRecord,
)
from core.domain.wire.failures import FailedShapeRecord
from core.domain.wire.shapes import envelope
from core.errors import NotFoundError, UsageError
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan

if TYPE_CHECKING:
    from core.domain.trust.failures import FailedShape
    from core.plan.ir.nodes import Plan
    from core.workbench import Session


_WHY: tuple[Why, ...] = ("document_updated", "document_withdrawn", "document_removed", "document_added")
_AUDIT = click.argument("audit", metavar="AUDIT")
_SHARE = click.option(
    "--share", multiple=True, metavar="GROUP", help="Who else may see it: groups, or 'everybody'."
)


@click.group()
def plans() -> None:
    """Keep plans as audits, run them again, compare what they give. AUDIT is a name or an id."""


@plans.command("list")
@common_options
def list_audits(common: Common) -> int:
    """List the audits that you may see."""
    with common.open() as session:
        found = session.audits.list()
    none = "No audits yet. Keep one with: groundwork plans save QUESTION"
    return common.table(
        ("id", "name", "runs", "owner", "changed", "question"),
        ((a.id, a.name, a.runs, a.owner, f"{a.updated_at:%Y-%m-%d}", a.question) for a in found),
        is_last_whole=True,
        said=f"{len(found):,} audits." if found else none,
        audits=list(map(AuditRow.of, found)),
    )


@plans.command("outdated")
@click.option("--run", "runs", is_flag=True, help="Run them again, and say what is different.")
@common_options
def outdated(runs: bool, common: Common) -> int:
    """List the audits whose evidence has changed since their last run."""
    with common.open() as session:
        found = session.audits.outdated()
        compared = [session.audits.run_again(each.audit.id) for each in found] if runs else []
    if common.as_json:
        more = {"compared": list(map(RunDifferences.of, compared))} if runs else {}
        return print_json(envelope(audits=list(map(OutdatedRecord.of, found)), **more))
    if not found:
        note("The evidence of all audits is as it was at their last run.")
        return 0
    print_table(
        ("id", "name", "last run", "newer version", "gone from its site", "removed", "new in scope"),
        (
            (each.audit.id, each.audit.name, f"{each.run.at:%Y-%m-%d}", *map(each.count, _WHY))
            for each in found
        ),
    )
    for each, one in zip(found, compared, strict=False):
        note(f"{each.audit.name}: {one.summary}. See: groundwork plans compare {each.audit.id}")
    return 0


@plans.command("save")
@click.argument("question", required=False)
@click.option("--name", required=True, help="What the audit is called.")
@click.option(
    "--plan", "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="This plan."
)
@click.option("--bucket", help="Only this bucket.")
@_SHARE
@common_options
def save(
    question: str | None,
    name: str,
    file: Path | None,
    bucket: str | None,
    share: tuple[str, ...],
    common: Common,
) -> int:
    """Keep the plan for QUESTION, or that of a file, under a name."""
    if (question is None) == (file is None):
        raise UsageError("Which plan?", next_step="Give a question, or --plan FILE.")
    with common.open() as session:
        common.require_bucket(session, bucket)
        if file is not None:
            plan = session.plans.load(_read(file))
        else:
            plan = _planned(session, question or "", bucket)
        audit = session.audits.save(plan, name, acl=_acl(share))
    return _show(audit, common, "Kept")


@plans.command("show")
@_AUDIT
@common_options
def show(audit: str, common: Common) -> int:
    """Show an audit with its parameters and its runs."""
    with _opened(common, audit) as at:
        found = at.audit
        runs = at.session.audits.runs(found.id, limit=50)
    if common.as_json:
        return print_json(envelope(audit=AuditRecord.of(found), runs=list(map(RunRecord.of, runs))))
    click.echo(f"{found.name or found.id}\n{found.question}\n")
    _print_parameters(found)
    click.echo()
    print_table(
        ("run", "at", "by", "status", "value", "documents"),
        (
            (
                r.id,
                f"{r.at:%Y-%m-%d %H:%M}",
                r.user,
                r.status,
                _value(r),
                r.counts["answers"] or r.counts["cited"],
            )
            for r in runs
        ),
        is_last_whole=True,
    )
    return 0


@plans.command("run")
@_AUDIT
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter; several with ;")
@click.option("--bucket", multiple=True, help="Over this bucket instead of the audit's own.")
@common_options
def run(audit: str, settings: tuple[str, ...], bucket: tuple[str, ...], common: Common) -> int:
    """Run an audit now, and keep what it gives."""
    with _opened(common, audit) as at:
        values = _values(settings)
        kept, answer = at.session.audits.run(at.audit.id, values, buckets=bucket or None)
    if common.as_json:
        print_json(envelope(run=RunRecord.of(kept), answer=answer))
    else:
        _print_run(kept, answer)
    return FAILED if answer.status is Status.FAILED else 0


@plans.command("compare")
@_AUDIT
@click.argument("before", required=False)
@click.argument("after", required=False)
@common_options
def compare(audit: str, before: str | None, after: str | None, common: Common) -> int:
    """Compare two runs of an audit: the last two, or those given by their ids."""
    if (before is None) != (after is None):
        raise UsageError("Which two runs?", next_step="Give two ids, or none for the last two runs.")
    with _opened(common, audit) as at:
        ids = (before, after) if before and after else at.session.audits.last_two_runs(at.audit.id)
        comparison = at.session.audits.compare(*ids)
    if common.as_json:
        return print_json(envelope(**RunDifferences.of(comparison).json_ready()))
    for kind, changes in comparison.by_kind.items():
        _print_changes(CHANGE_WORDS[kind], changes)
    note(f"{comparison.summary[:1].upper()}{comparison.summary[1:]}.")
    note(f"Documents that are the same: {comparison.unchanged:,}.")
    return 0


@plans.command("export")
@_AUDIT
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it to this file.")
@common_options
def export(audit: str, out: Path | None, common: Common) -> int:
    """Write an audit as JSON that `import`, and `ask --plan`, read."""
    with _opened(common, audit) as at:
        written = at.session.audits.export(at.audit.id)
    if out is None:
        return print_json(written)
    out.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    note(f"Wrote {str(out)!r}.")
    return 0


@plans.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--name", default="", help="Another name than that of the file.")
@_SHARE
@common_options
def read_in(file: Path, name: str, share: tuple[str, ...], common: Common) -> int:
    """Keep the plan of FILE as an audit."""
    with common.open() as session:
        audit = session.audits.load(_read(file), name=name, acl=_acl(share))
    return _show(audit, common, "Kept")


@plans.command("rename")
@_AUDIT
@click.argument("name")
@common_options
def rename(audit: str, name: str, common: Common) -> int:
    """Give an audit another name."""
    with _opened(common, audit) as at:
        renamed = at.session.audits.rename(at.audit.id, name, at.audit.version)
    return _show(renamed, common, "Renamed")


@plans.command("remove")
@_AUDIT
@common_options
def remove(audit: str, common: Common) -> int:
    """Take an audit away; `restore` brings it back for 30 days."""
    with _opened(common, audit) as at:
        found = at.audit
        at.session.audits.remove(found.id)
    return common.give(
        f"Removed {found.name!r}. Bring it back with: groundwork plans restore {found.id}", removed=[found.id]
    )


@plans.command("restore")
@click.argument("id", metavar="ID")
@common_options
def restore(id: str, common: Common) -> int:
    """Bring a removed audit back, by its id."""
    with common.open() as session:
        audit = session.audits.restore(id)
    return _show(audit, common, "Restored")


@plans.command("uncovered")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True, help="How many.")
@common_options
def uncovered(limit: int, common: Common) -> int:
    """List the words of questions that no condition took, the most frequent first."""
    with common.open() as session:
        found = session.learning.uncovered(limit=limit)
    rows = ((each.count, each.phrase, each.questions[0]) for each in found)
    heads, phrases = ("times", "words", "last question"), list(map(UncoveredRecord.of, found))
    return common.table(heads, rows, is_last_whole=True, phrases=phrases)


@plans.command("phrase")
@click.argument("field")
@click.argument("phrase")
@click.option("--schema", default="", help="Where several have a field of that name.")
@common_options
def phrase(field: str, phrase: str, schema: str, common: Common) -> int:
    """Let PHRASE mean FIELD in questions from now on."""
    with common.open() as session:
        changed = session.learning.add_phrase(field, phrase, schema=schema)
    return common.give(
        f"{phrase!r} means {changed.title} now.", field=changed.name, phrases=list(changed.phrases)
    )


@dataclass(frozen=True, slots=True)
class _Opened:
    """A session, and the audit that was named."""

    session: Session
    audit: Audit


@contextmanager
def _opened(common: Common, named: str) -> Iterator[_Opened]:
    with common.open() as session:
        yield _Opened(session, _audit(session, named))


def _audit(session: Session, named: str) -> Audit:
    """The audit of that id, else of that name. Raises NotFoundError, UsageError where several have it."""
    found = [each for each in session.audits.list() if named in (each.id, each.name)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"{each.id} of {each.owner!r}" for each in found)
        raise UsageError(f"{len(found)} audits are called {named!r}.", next_step=f"Give one of: {ids}.")
    if re.fullmatch(r"[lp][0-9a-f]{20,24}", named):
        return session.audits.get(named)
    raise NotFoundError(f"There is no audit {named!r}.", next_step="See: groundwork plans list")


def _planned(session: Session, question: str, bucket: str | None) -> Plan:
    from core.plan.clarify import Clarify

    found = session.plans.make(question, buckets=(bucket,) if bucket else ())
    if isinstance(found, Clarify):
        choices = "; ".join(option.question for option in found.options)
        raise UsageError(
            f"The question has to be clearer. {found.reason}",
            next_step=f"Ask one of: {choices}" if choices else "Ask it in other words.",
        )
    return found


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"The file {str(file)!r} cannot be read: {str(error).splitlines()[0]}.",
            next_step="Give a file that `groundwork plans export` or `groundwork plan --json` wrote.",
        ) from error


def _values(settings: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    found = {}
    for each in settings:
        name, sign, value = each.partition("=")
        if not sign or not name.strip():
            raise UsageError(
                f"{each!r} sets nothing.", next_step="Write NAME=VALUE, as --set today=2026-12-31."
            )
        found[name.strip()] = tuple(part.strip() for part in value.split(";"))
    return found


def _acl(share: tuple[str, ...]) -> tuple[str, ...] | None:
    if not share:
        return None
    return () if "everybody" in share else share


def _show(audit: Audit, common: Common, deed: str) -> int:
    if common.as_json:
        return print_json(envelope(audit=AuditRecord.of(audit)))
    note(f"{deed} {audit.name!r} ({audit.id}).")
    _print_parameters(audit)
    return 0


def _print_parameters(audit: Audit) -> None:
    rows = (
        (
            each.name,
            each.type,
            "; ".join(each.default) or ("today" if each.type == "today" else "all"),
            each.title,
        )
        for each in audit.parameters
    )
    print_table(("parameter", "type", "value", "what it is"), rows, is_last_whole=True)


def _print_run(kept: AuditRun, answer: Answer) -> None:
    click.echo(answer.text.replace("**", ""))
    note(f"\n{kept.status} · run {kept.id} · {kept.latency_ms:.0f} ms")
    for gap in answer.gaps:
        note(f"Gap: {gap}")


def _print_changes(title: str, changes: tuple[DocumentChange, ...]) -> None:
    if changes:
        click.echo(f"{title}:")
    for each in changes:
        click.echo(f"- {each.title} ({each.document})")
        for reason in each.reasons:
            click.echo(f"    {reason.text}")


def _value(run: AuditRun) -> str:
    return "" if run.value is None else f"{run.value.value} {run.value.unit or ''}".strip()


@click.command()
@click.argument("question")
@click.option("--bucket", help="Only this bucket.")
@common_options
def plan(question: str, bucket: str | None, common: Common) -> int:
    """Show the plan for QUESTION without running it."""
    with common.open() as session:
        common.require_bucket(session, bucket)
        found = session.plans.make(question, buckets=(bucket,) if bucket else ())
        problems = session.plans.problems(found) if isinstance(found, Plan) else ()
    if common.as_json:
        key = "clarification" if isinstance(found, Clarify) else "plan"
        print_json(envelope(**{key: found.model_dump(mode="json")}))
    elif isinstance(found, Clarify):
        _print_clarify(found)
    else:
        _print(found)
    for problem in problems:
        note(f"{problem.node or 'plan'}: {problem.message} {problem.next_step}")
    return FAILED if problems else 0


def _print(found: Plan) -> None:
    click.echo(f"{found.kind.value}, by {found.route.value.replace('_', ' ')} search or computation")
    rows = [
        (
            ("→ " if node.id == found.answer_node else "") + node.id,
            node.type,
            ", ".join(node.inputs),
            f"~{node.estimate.rows:,}" if node.estimate else "",
            f"~{node.estimate.latency_ms:,.0f} ms" if node.estimate else "",
            node.purpose,
        )
        for node in found.nodes
    ]
    print_table(("node", "type", "from", "rows", "time", "purpose"), rows, is_last_whole=True)
    for each in found.notes:
        note(f"“{each.phrase}”: {each.reading}" if each.phrase else each.reading)
    for phrase in found.uncovered:
        note(f"Not covered: “{phrase}”")


def _print_clarify(found: Clarify) -> None:
    click.echo(found.reason)
    for option in found.options:
        count = "" if option.documents is None else f" ({option.documents:,} documents)"
        click.echo(f"- {option.label}{count}: {option.question}")


@click.group()
def learning() -> None:
    """Show what went wrong."""


@learning.command("failures")
@click.option("--shape", default="", help="One of them, with what was learnt since.")
@click.option("--again", is_flag=True, help="Ask its questions once more.")
@common_options
def failures(shape: str, again: bool, common: Common) -> int:
    """List the questions that failed, by their shape: at which stage, and what was tried."""
    if again and not shape:
        raise UsageError("Which questions shall be asked again?", next_step="Give --shape SHAPE.")
    with common.open() as session:
        if again:
            job = session.failures.ask_again(shape).id
            return common.give(f"They are asked again by job {job}.", job=job)
        found = [session.failures.shape(shape)] if shape else session.failures.shapes()
    if common.as_json:
        return print_json(envelope(shapes=list(map(FailedShapeRecord.of, found))))
    heads = ("failed", "of", "open", "stage", "shape", "last question")
    rows = (
        (each.failed, each.count, each.open, next(iter(each.stages)), each.shape, each.questions[0].question)
        for each in found
    )
    print_table(heads, rows, is_last_whole=True)
    for each in found if shape else ():
        _print_failures(each)
    return 0


def _print_failures(found: FailedShape) -> None:
    for way in found.tried:
        note(f"tried by {way.route} {way.reader}: {way.count:,}, failed {way.failed:,}")
    for change in found.changes:
        before, after = change.before, change.after
        note(
            f"{change.at:%Y-%m-%d} {change.kind}: {change.words} (failed before {before.failed:,} of "
            f"{before.count:,}, since {after.failed:,} of {after.count:,})"
        )
    for each in found.questions:
        note(f"{each.question}: {each.before} -> {each.now}")
    note(found.first or "Asked in the usual way.")
