"""`groundwork llm`: the language model tested, chosen, and what it spent."""

from __future__ import annotations

from typing import Any

import click

from core.cli.options import Common, common_options
from core.cli.output import FAILED, note, print_json, print_table
from core.config.llm_choices import CHOOSABLE
from core.domain.llm.report import ModelTestReport
from core.domain.wire.shapes import envelope

KINDS = {"structured": "replies of a form", "tools": "tool calls", "stream": "streamed text"}


@click.group()
def llm() -> None:
    """Test and choose the language model, and see what was spent."""


@llm.command()
@common_options
def test(common: Common) -> int:
    """Make one small call of each kind; exit code 1 where one fails."""
    with common.open(verify_encoder=False) as session:
        report = session.settings.test_model()
    if common.as_json:
        print_json(envelope(ok=report.ok, **report.model_dump(mode="json")))
    else:
        print_report(report)
    return 0 if report.ok else FAILED


@llm.command()
@common_options
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Newest calls.")
def use(common: Common, limit: int) -> int:
    """Tokens, cost and refusals of today (UTC), and the newest calls."""
    with common.open(verify_encoder=False) as session:
        spent = session.settings.model_use(limit)
    if common.as_json:
        return print_json(envelope(**spent.model_dump(mode="json")))
    cost = "price not known" if spent.cost_usd is None else f"${spent.cost_usd:.4f}"
    note(
        f"Today: {spent.calls:,} calls, {spent.tokens:,} of {spent.token_limit:,} tokens, {cost}, "
        f"{spent.refused:,} kept back by a limit, {spent.failed:,} failed."
    )
    print_table(
        ("at", "role", "prompt", "model", "outcome", "tokens", "ms", "detail"),
        [
            (
                f"{each.at:%Y-%m-%d %H:%M:%S}",
                each.call.role,
                each.call.prompt,
                each.call.model,
                each.call.outcome,
                each.call.tokens,
                round(each.call.latency_ms),
                each.call.detail,
            )
            for each in spent.recent
        ],
        is_last_whole=True,
    )
    return 0


@llm.command()
@common_options
@click.argument("choices", nargs=-1, metavar="NAME=VALUE…")
def choose(common: Common, choices: tuple[str, ...]) -> int:
    """Choose server and models, such as base_url=http://localhost:11434/v1; an empty value takes one back."""
    pairs = dict(each.partition("=")[::2] for each in choices)
    with common.open(verify_encoder=False) as session:
        settings = session.settings.choose_model(**pairs) if pairs else session.settings.llm
    values = {name: str(getattr(settings, name)) for name in CHOOSABLE}
    document: dict[str, Any] = {**values, "is_configured": settings.is_configured}
    return common.table(("name", "value"), values.items(), is_last_whole=True, **document)


def print_report(report: ModelTestReport) -> None:
    """A test for people, on stdout."""
    click.echo(f"Server: {report.server}")
    for call in report.calls:
        sign = "ok  " if call.ok else "FAIL"
        click.echo(f"{sign}  {KINDS[call.kind]} ({call.model}, {call.latency_ms:,.0f} ms): {call.detail}")
        if call.next_step:
            click.echo(f"      {call.next_step}")
