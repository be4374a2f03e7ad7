"""`groundwork experiments`: other settings beside those that serve, compared and switched to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.cli.progress import JobProgress
from core.config.variants import PROMPTS
from core.domain.experiments.variant import ENCODER, PROFILE
from core.domain.wire.experiments import variant_record
from core.domain.wire.shapes import envelope
from core.errors import NotFoundError, UsageError
from core.llm.prompts import prompt_text

if TYPE_CHECKING:
    from core.domain.experiments.variant import VariantComparison
    from core.evaluate.suite import Case
    from core.workbench import Session

_WORST = 10


@click.group()
def experiments() -> None:
    """Build variants of this home beside it, compare them, switch to one and roll back."""


@experiments.command("list")
@common_options
def list_variants(common: Common) -> int:
    """List variants, the home itself first, with what lags behind."""
    with common.open(verify_encoder=False) as session:
        found = session.experiments.list()
    return common.table(
        ("name", "status", "encoder", "passages", "missing", "settings"),
        (
            (
                each.variant.name,
                each.status + (" (before)" if each.is_before else ""),
                f"{each.encoder} ({each.dimension})" if each.encoder else "",
                each.passages,
                each.missing,
                ", ".join(
                    key if key in PROMPTS else f"{key} = {value}"
                    for key, value in each.variant.settings.items()
                ),
            )
            for each in found
        ),
        widest=60,
        said="\n".join(f"{each.variant.name}: {lag.explanation}" for each in found for lag in each.lags),
        variants=list(map(variant_record, found)),
    )


@experiments.command("build")
@click.argument("name")
@click.option("--encoder", help="A folder, or the name of an encoder on this machine.")
@click.option("--profile", help="The chunk profile: standard or long.")
@click.option("--prompt", "prompts", multiple=True, metavar="NAME=FILE", help="A text for read, write or so.")
@click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", help="Another setting that differs.")
@common_options
def build(
    name: str,
    encoder: str | None,
    profile: str | None,
    prompts: tuple[str, ...],
    changes: tuple[str, ...],
    common: Common,
) -> int:
    """Make the variant NAME where it is new, and build what it lacks; questions go on meanwhile."""
    wanted = dict(map(_pair, changes)) | dict(map(_prompt, prompts))
    wanted |= {key: value for key, value in ((ENCODER, encoder), (PROFILE, profile)) if value}
    with common.open(verify_encoder=False) as session, JobProgress() as progress:
        if wanted or not _is_known(session, name):
            session.experiments.add(name, wanted)
        ended = session.experiments.follow(session.experiments.build(name), progress.show)
        state = next(each for each in session.experiments.list() if each.variant.name == name)
    said = f"The variant {name!r} is {state.status}: {state.encoder}, {state.dimension} numbers a passage."
    return common.give(said, job=ended.id, variant=variant_record(state))


@experiments.command("prompt")
@click.argument("name", type=click.Choice([each.partition(".")[2] for each in PROMPTS]))
def show_prompt(name: str) -> int:
    """Print the text of the prompt NAME, to edit it for a variant."""
    click.echo(prompt_text(name))
    return 0


@experiments.command("evaluate")
@click.argument("name")
@click.argument("suite")
@click.option("--with-model", is_flag=True, help="Ask with the configured language model.")
@common_options
def evaluate(name: str, suite: str, with_model: bool, common: Common) -> int:
    """Run SUITE on the variant NAME while another one serves; runs are compared by `evaluate compare`."""
    with common.open(verify_encoder=False) as session, JobProgress() as progress:
        run = session.experiments.evaluate(name, suite, with_model=with_model)
        found = session.evaluations.follow(run, progress.show).run
    figures = ", ".join(f"{each.name} {each.value:.3f}" for each in found.figures if each.value is not None)
    said = f"Run {run} of {suite!r} by {name!r}: {found.done} of {found.total} cases; {figures}"
    return common.give(said, run=run, done=found.done, figures=found.figures)


@experiments.command("compare")
@click.argument("left")
@click.argument("right", default="home")
@click.option(
    "--suite",
    help="A suite of this home, or a .jsonl file of cases (default: the last questions).",
)
@click.option("--recent", type=click.IntRange(1, 1000), default=50, help="How many of the last questions.")
@common_options
def compare(left: str, right: str, suite: str | None, recent: int, common: Common) -> int:
    """Ask LEFT and RIGHT the same questions, and show where what they find differs."""
    with common.open(verify_encoder=False) as session, JobProgress() as progress:
        cases = _cases(session, suite)
        job = session.experiments.compare(left, right, cases=cases, recent=0 if cases else recent)
        session.experiments.follow(job, progress.show)
        report = session.experiments.comparison(job)
    if report is None:
        raise NotFoundError("The comparison was forgotten meanwhile.", next_step="Run it again.")
    if common.as_json:
        print_json(envelope(job=job, **report.model_dump(mode="json")))
    else:
        _print(report)
    return 0


@experiments.command("switch")
@click.argument("name")
@common_options
def switch(name: str, common: Common) -> int:
    """Let NAME answer from the next question on; what it lacks is encoded first."""
    return _switch(common, name)


@experiments.command("rollback")
@common_options
def rollback(common: Common) -> int:
    """Switch back to what answered before."""
    return _switch(common, "")


@experiments.command("remove")
@click.argument("name")
@common_options
def remove(name: str, common: Common) -> int:
    """Forget the variant NAME; its vectors and its index go within the hour."""
    with common.open(verify_encoder=False) as session:
        session.experiments.remove(name)
    return common.give(f"The variant {name!r} is gone.", removed=name)


def _switch(common: Common, name: str) -> int:
    with common.open(verify_encoder=False) as session, JobProgress() as progress:
        job = session.experiments.switch(name) if name else session.experiments.rollback()
        if job is not None:
            session.experiments.follow(job, progress.show)
        live = next(each for each in session.experiments.list() if each.status == "live")
    return common.give(f"{live.variant.name!r} answers now.", variant=variant_record(live))


def _is_known(session: Session, name: str) -> bool:
    return any(each.variant.name == name for each in session.experiments.list())


def _pair(change: str) -> tuple[str, str]:
    key, sign, value = change.partition("=")
    if not sign:
        raise UsageError(f"{change!r} is no setting.", next_step="Write it as retrieval.alpha=0.3.")
    return key.strip(), value.strip()


def _prompt(given: str) -> tuple[str, str]:
    name, file = _pair(given)
    try:
        return f"prompt.{name}", Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file!r} cannot be read as text.", next_step="Give a text file.") from error


def _cases(session: Session, suite: str | None) -> tuple[Case, ...]:
    if suite is None:
        return ()
    if not suite.endswith(".jsonl"):
        return session.evaluations.cases(suite)
    from core.evaluate.suite import load_suite

    return load_suite(Path(suite))


def _print(report: VariantComparison) -> None:
    print_table(
        ("variant", "known", "precision@10", "recall@10", "MRR", "characters", "median ms"),
        (
            (
                each.variant,
                each.known,
                *map(_figure, (each.precision_at_10, each.recall_at_10, each.mrr)),
                f"{each.characters:,}",
                each.median_ms,
            )
            for each in (report.left, report.right)
        ),
    )
    note(
        f"{report.questions:,} questions: {report.overlap_at_10:.3f} of the text of the first ten passages is"
        " the same (characters of pages that both hold, over the side that holds more), "
        f"{report.same_first:.3f} of the first passages."
    )
    for each in report.differences[:_WORST]:
        note(f"  {each.overlap:.2f}  {each.question}")


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
