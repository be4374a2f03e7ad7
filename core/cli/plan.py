"""`groundwork plan`: what would be done for a question, checked and not run."""

from __future__ import annotations

import click

from core.cli import exit_codes
from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.domain.wire.shapes import envelope
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan


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
    return exit_codes.FAILED if problems else 0


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
