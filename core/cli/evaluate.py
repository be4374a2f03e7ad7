"""`groundwork evaluate`: suites of questions with known answers, asked of this home, and runs compared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli.options import Common, common_options
from core.cli.output import FAILED, SOME_FAILED, note, print_json, print_table
from core.cli.progress import JobProgress
from core.domain.ids import JobId
from core.domain.wire.shapes import envelope
from core.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from core.evaluate.comparison import EvaluationComparison
    from core.evaluate.measured import EvaluationRun, RunDetails
    from core.evaluate.metrics import MetricFigure
    from core.evaluate.suite import Case
    from core.workbench.session import Session


_MAIN = ("exact", "hallucination_rate", "citation_accuracy", "p95_ms")
"""Metrics that lists of runs show."""


class _RunsByDefault(click.Group):
    """A group of which an unknown first word is the suite to run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Arguments with `run` before them, where they name no command."""
        is_named = not args or args[0] in (*self.commands, "-h", "--help")
        return super().parse_args(ctx, args if is_named else ["run", *args])


@click.group(cls=_RunsByDefault)
def evaluate() -> None:
    """Measure answers: `evaluate SUITE` asks a suite of questions with known answers.

    SUITE: one that ships (`questions`, `design`, `lookups`, `aggregates`, `compliance`, `multi-hop`,
    `subset`), `reviews` (what reviewers found correct), `home` (made of this home), an own one, or a .jsonl
    file.
    """


@evaluate.command("run")
@click.argument("suite")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the report as JSON.")
@click.option("--with-model", is_flag=True, help="Ask each question with the language model, too.")
@click.option("--fail-under", multiple=True, metavar="METRIC=VALUE", help="Exit code 1 where it is worse.")
@common_options
def run_suite(
    suite: str, out: Path | None, with_model: bool, fail_under: Sequence[str], common: Common
) -> int:
    """Ask every question of SUITE (see `evaluate --help`).

    Without --with-model no language model is called; with it, the exit code is 3 where calls gave nothing.
    --fail-under holds of the run without a model, or of that with one where both are made.
    """
    from core.evaluate.gate import failures, parse_limits

    limits = parse_limits(fail_under)
    name, cases = _suite(suite)
    with common.open() as session:
        if with_model:
            session.evaluations.require_model()
        found, broken = _run(session, name, cases, with_model=False)
        asked = None
        if with_model and not broken:
            asked, broken = _run(session, name, cases, with_model=True)
    lost = _give(found, asked, common, out)
    missed = failures(limits, (asked or found).run.figures)
    for said in (*([broken] if broken else []), *missed):
        note(said)
    return FAILED if missed else SOME_FAILED if broken or lost else 0


def _give(found: RunDetails, asked: RunDetails | None, common: Common, out: Path | None = None) -> int:
    """Print a run, and that with a model; gives how many of its calls gave nothing. out: a file of JSON."""
    from core.evaluate.shapes import report_json

    document = report_json(found, asked)
    if out is not None:
        out.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        note(f"Wrote the report to {str(out)!r}.")
    by_model = document["with_model"]
    if common.as_json:
        print_json(envelope(**document))
    else:
        _print(found, document)
        if asked is not None:
            _print_model(asked, by_model)
    return by_model["failed"] if by_model else 0


def _suite(suite: str) -> tuple[str, tuple[Case, ...] | None]:
    """Name of a suite, and its cases where it is a file."""
    path = Path(suite)
    if path.suffix != ".jsonl" and not path.is_file():
        return suite, None
    if not path.is_file():
        raise UsageError(f"There is no file {suite!r}.", next_step="Give a .jsonl file of questions.")
    from core.evaluate.suite import load_suite

    return path.name, load_suite(path)


def _run(
    session: Session, name: str, cases: tuple[Case, ...] | None, *, with_model: bool
) -> tuple[RunDetails, str]:
    with _named_here():
        asked = session.evaluations.cases(name) if cases is None else cases
        run = session.evaluations.start(name, with_model=with_model, cases=asked)
    if not with_model and (problem := session.evaluations.problem(name, asked)):
        note(problem)
    return _followed(session, run)


@contextmanager
def _named_here() -> Iterator[None]:
    """A name on the command line that is not there is wrong usage."""
    try:
        yield
    except NotFoundError as error:
        raise UsageError(error.message, next_step=error.next_step) from None


def _followed(session: Session, run: str) -> tuple[RunDetails, str]:
    """A run at its end, and what broke it off."""
    job = session.evaluations.run(run).run.job
    with JobProgress(JobId(job.id) if job is not None else None) as progress:
        details = session.evaluations.follow(run, progress.show)
    found = details.run
    if found.is_complete:
        return details, ""
    error = found.job.error if found.job is not None and found.job.error else "It was cancelled."
    step = f"Go on with: groundwork evaluate resume {run}"
    return details, f"Stopped after {found.done:,} of {found.total:,} questions: {error} {step}"


@evaluate.command("resume")
@click.argument("run")
@common_options
def resume_run(run: str, common: Common) -> int:
    """Go on with RUN: what is measured is not asked again."""
    with common.open() as session:
        session.evaluations.resume(run)
        details, broken = _followed(session, run)
    _give(details, None, common)
    if broken:
        note(broken)
    return SOME_FAILED if broken else 0


@evaluate.command("list")
@click.option("--suite", default="", help="Runs of this suite alone.")
@common_options
def list_runs(suite: str, common: Common) -> int:
    """List suites that can be run, and runs with their figures, newest first."""
    from core.evaluate.shapes import run_json, suite_json

    with common.open() as session:
        suites, runs = session.evaluations.suites(), session.evaluations.runs(suite)
    if common.as_json:
        return print_json(envelope(suites=list(map(suite_json, suites)), runs=list(map(run_json, runs))))
    print_table(
        ("suite", "cases", "muted", "about"),
        [(each.name, each.cases or "-", each.muted, each.problem or each.about) for each in suites],
        is_last_whole=True,
    )
    click.echo()
    print_table(
        ("run", "suite", "when", "measured", "exact", "hallucinations", "citations", "p95"), map(_line, runs)
    )
    return 0


def _line(run: EvaluationRun) -> tuple[object, ...]:
    figures = (_shown(run.figure(name)) for name in _MAIN)
    model = " with the model" if run.with_model else ""
    done = f"{run.done:,} of {run.total:,}"
    return (run.id, f"{run.suite}{model}", f"{run.created_at:%Y-%m-%d %H:%M}", done, *figures)


@evaluate.command("compare")
@click.argument("before")
@click.argument("after")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it as JSON.")
@common_options
def compare_two(before: str, after: str, out: Path | None, common: Common) -> int:
    """Compare the runs BEFORE and AFTER case by case."""
    from core.evaluate.shapes import comparison_json

    with common.open() as session:
        found = session.evaluations.compare(before, after)
    document = envelope(**comparison_json(found))
    if out is not None:
        out.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        note(f"Wrote the comparison to {str(out)!r}.")
    if common.as_json:
        print_json(document)
    else:
        _print_comparison(found)
    return 0


def _print_comparison(found: EvaluationComparison) -> None:
    for name, (old, new) in found.versions.items():
        note(f"{name}: {old or '-'}, then {new or '-'}")
    print_table(
        ("metric", "before", "after", ""),
        [
            (each.name, _shown(each.before), _shown(each.after), _word(each.is_better))
            for each in found.figures
        ],
    )
    click.echo()
    print_table(("cases", "count"), [(change.value, count) for change, count in found.counts.items()])
    changed = [each for each in found.cases if each.change.value != "same"]
    if changed:
        click.echo()
        print_table(
            ("case", "change", "difference"),
            [(each.id, each.change.value, "; ".join(each.differences)) for each in changed],
            is_last_whole=True,
        )


def _word(is_better: bool | None) -> str:
    return "" if is_better is None else "better" if is_better else "worse"


@evaluate.command("trend")
@click.argument("suite")
@click.option("--metric", "metrics", multiple=True, help="A metric to show (default: the main ones).")
@common_options
def show_trend(suite: str, metrics: Sequence[str], common: Common) -> int:
    """Show the figures of SUITE over its runs and their versions, the oldest first."""
    from core.evaluate.metrics import METRICS
    from core.evaluate.shapes import trend_json

    for name in metrics:
        if name not in METRICS:
            step = f"Choose one of: {', '.join(METRICS)}."
            raise UsageError(f"There is no metric {name!r}.", next_step=step)
    with common.open() as session, _named_here():
        runs = session.evaluations.trend(suite)
    names = tuple(metrics) or _MAIN
    heads = ("run", "when", "model", "version", "data", "measured", *names)
    return common.table(heads, (_point(each, names) for each in runs), **trend_json(suite, runs))


def _point(run: EvaluationRun, names: Sequence[str]) -> tuple[object, ...]:
    made, model = run.versions, (run.versions.model or "with a model") if run.with_model else "-"
    figures = (_shown(run.figure(name)) for name in names)
    done = f"{run.done:,} of {run.total:,}"
    return (
        run.id,
        f"{run.created_at:%Y-%m-%d %H:%M}",
        model,
        made.product,
        made.data_version,
        done,
        *figures,
    )


@evaluate.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--name", default="", help="Name of the suite (default: of the file).")
@common_options
def import_suite(file: Path, name: str, common: Common) -> int:
    """Keep the suite of FILE (.jsonl, a case a line) in this home."""
    from core.evaluate.shapes import suite_json

    with common.open() as session:
        kept = session.evaluations.import_suite(file, name)
    said = f"Kept {kept.cases:,} cases. Run them with: groundwork evaluate {kept.name}"
    return common.give(said, suite=suite_json(kept))


@evaluate.command("mute")
@click.argument("suite")
@click.argument("case")
@click.option("--reason", required=True, help="Why it does not count.")
@common_options
def mute_case(suite: str, case: str, reason: str, common: Common) -> int:
    """Let CASE of SUITE not count; it is kept and asked."""
    with common.open() as session:
        muted = session.evaluations.mute(suite, case, reason)
    return common.give(
        f"{case} does not count any more: {muted.reason}", suite=suite, case=case, reason=reason
    )


@evaluate.command("unmute")
@click.argument("suite")
@click.argument("case")
@common_options
def unmute_case(suite: str, case: str, common: Common) -> int:
    """Let CASE of SUITE count again."""
    with common.open() as session:
        session.evaluations.unmute(suite, case)
    return common.give(f"{case} counts again.", suite=suite, case=case)


@evaluate.command("sampled")
@common_options
def list_sampled(common: Common) -> int:
    """List live answers of the random sample that wait for a person."""
    from core.domain.wire.reviews import review_json

    with common.open() as session:
        items = session.evaluations.sampled()
    rows = ((each.id, each.status, each.question) for each in items)
    heads = ("item", "status", "question")
    return common.table(heads, rows, is_last_whole=True, reviews=list(map(review_json, items)))


@evaluate.command("promote")
@click.argument("item")
@click.argument("suite")
@common_options
def promote_item(item: str, suite: str, common: Common) -> int:
    """Make a case of an own SUITE of ITEM, a sampled or flagged answer that is right."""
    with common.open() as session:
        case = session.evaluations.promote(item, suite)
    said = f"Kept {case.id}. Run it with: groundwork evaluate {suite}"
    return common.give(said, suite=suite, case=case.model_dump(mode="json"))


def _print_model(asked: RunDetails, told: Mapping[str, Any]) -> None:
    note(f"With {told['model']}:")
    _print_figures(asked.run.figures)
    cost = f", USD {told['cost_usd']:.4f}" if told["cost_usd"] is not None else ""
    note(f"{told['calls']:,} calls, {told['tokens']:,} tokens{cost}; {told['failed']:,} calls gave nothing")
    note(f"better on {len(told['better']):,} questions, worse on {len(told['worse']):,}:")
    for question in told["worse"]:
        note(f"  worse: {question}")
    note(f"Run {asked.run.id}")


def _print(found: RunDetails, told: Mapping[str, Any]) -> None:
    counts = Counter(each.result.shape.value for each in found.cases if each.counts)
    rows = [
        (
            shape.replace("_", " "),
            counts[shape],
            *(_of_shape(own[name]) for name in ("exact", "silently_wrong")),
        )
        for shape, own in told["shapes"].items()
    ]
    print_table(("questions", "counted", "exact", "silently wrong"), rows)
    _print_figures(found.run.figures)
    if told["muted"]:
        note(f"{len(told['muted']):,} cases are muted and do not count.")
    for reason, count in found.run.skipped.items():
        note(f"{count:,} of {found.run.total:,} cases were skipped. {reason}")
    note(f"Run {found.run.id}")


def _of_shape(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _print_figures(figures: Sequence[MetricFigure]) -> None:
    from core.evaluate.metrics import METRICS

    click.echo()
    rows = [
        (each.name, _shown(each), each.cases, each.reason or METRICS[each.name].definition)
        for each in figures
    ]
    print_table(("metric", "figure", "of", "definition"), rows, is_last_whole=True)


def _shown(figure: MetricFigure) -> Any:
    if figure.value is None:
        return "-"
    return f"{figure.value:,.0f}" if figure.name in ("p50_ms", "p95_ms", "tokens") else f"{figure.value:.3f}"
