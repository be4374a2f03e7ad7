"""`groundwork review`, `replay` and `evidence-pack`: flagged answers judged, answers proved."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import FAILED, note, print_json, print_table
from core.domain.answer import Answer
from core.domain.ids import TraceId
from core.domain.trust.review import FLAG_WORDS, AnswerVerdict, FlagReason, ReviewFilter, ReviewState
from core.domain.wire.reviews import feedback_json, review_json, verdicts_json
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.review.flags import claims_in
from core.workbench.trust.replay import Replay


@click.group()
def review() -> None:
    """List flagged answers, look at them, and judge them."""


@review.command("list")
@click.option("--state", type=click.Choice(["open", "resolved", "all"]), default="open", show_default=True)
@click.option("--reason", type=click.Choice([each.value for each in FlagReason]), help="Flagged for this.")
@click.option("--assignee", default="", help="Of this reviewer; - for nobody's.")
@click.option("--find", "text", default="", help="Words of the question.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True)
@common_options
def list_items(state: str, reason: str | None, assignee: str, text: str, limit: int, common: Common) -> int:
    """List flagged answers, newest first."""
    wanted = ReviewFilter(
        state=None if state == "all" else ReviewState(state),
        reason=None if reason is None else FlagReason(reason),
        assignee=assignee,
        text=text,
        limit=limit,
    )
    with common.open() as session:
        page = session.reviews.page(wanted)
    is_cut = len(page.items) < page.total
    return common.table(
        ("id", "flagged", "asked by", "for", "state", "question"),
        (
            (
                each.id,
                f"{each.flagged_at:%Y-%m-%d %H:%M}",
                each.asker,
                ", ".join(FLAG_WORDS[flag.reason] for flag in each.flags),
                each.verdict.value if each.verdict is not None else each.assignee or each.state.value,
                each.question,
            )
            for each in page.items
        ),
        said=f"{len(page.items):,} of {page.total:,} answers; --limit shows more." if is_cut else "",
        reviews=[review_json(each) for each in page.items],
        total=page.total,
    )


@review.command("show")
@click.argument("item")
@common_options
def show(item: str, common: Common) -> int:
    """Show a flagged answer with its claims, and what was said of it."""
    with common.open() as session:
        found = session.reviews.get(item)
    if common.as_json:
        return print_json(
            envelope(
                review=review_json(found.item),
                answer=None if found.answer is None else found.answer.model_dump(mode="json", by_alias=True),
                verdicts=verdicts_json(found.verdicts),
                feedback=feedback_json(found.feedback),
            )
        )
    click.echo(f"{found.item.question}\n")
    click.echo(found.answer.text if found.answer is not None else found.missing)
    for number, claim in enumerate(_claims(found.answer)):
        click.echo(f"\n  {number}: {claim}")
    for each in found.item.flags:
        note(f"{FLAG_WORDS[each.reason]}: {each.note}")
    for verdict in found.verdicts:
        of = "the answer" if verdict.claim < 0 else f"claim {verdict.claim}"
        note(f"{verdict.reviewer} found {of} {verdict.verdict.value}. {verdict.note}".rstrip())
    return 0


@review.command("resolve")
@click.argument("item")
@click.option("--verdict", type=click.Choice([each.value for each in AnswerVerdict]), required=True)
@click.option("--claim", "claims", multiple=True, metavar="NUMBER=VERDICT", help="Of one claim; repeatable.")
@click.option("--note", "said", default="", help="For the asker.")
@common_options
def resolve(item: str, verdict: str, claims: tuple[str, ...], said: str, common: Common) -> int:
    """Judge a flagged answer; its asker sees the verdict, and a correct one becomes an evaluation case."""
    given: dict[int, AnswerVerdict | str] = {}
    for each in claims:
        number, _, word = each.partition("=")
        if not number.isdecimal() or not word:
            raise UsageError(f"{each!r} is no verdict on a claim.", next_step="Write it as 0=correct.")
        given[int(number)] = word
    with common.open() as session:
        kept = session.reviews.resolve(item, verdict, claims=given, note=said)
    return common.give(f"{kept.id}: found {verdict}.", review=review_json(kept))


@review.command("cases")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write them as a suite (.jsonl)."
)
@common_options
def cases(out: Path | None, common: Common) -> int:
    """List the evaluation cases that came from verdicts; `groundwork evaluate reviews` asks them."""
    with common.open() as session:
        found = session.reviews.cases()
    if out is not None:
        out.write_text("".join(f"{each.model_dump_json()}\n" for each in found), encoding="utf-8")
        note(f"Wrote {len(found):,} cases to {str(out)!r}.")
    if common.as_json:
        print_json(envelope(cases=[each.model_dump(mode="json") for each in found]))
    elif out is None:
        print_table(
            ("id", "shape", "question"), ((each.id, each.shape.value, each.question) for each in found)
        )
    return 0


@click.command()
@click.argument("trace")
@common_options
def replay(trace: str, common: Common) -> int:
    """Ask the question of an answer again and compare; TRACE is its `trace_id`. Exit code 1: it differs."""
    with common.open() as session:
        found = session.replays.replay(TraceId(trace))
    if common.as_json:
        print_json(envelope(**replay_json(found)))
    else:
        click.echo(found.text)
        for each in (*found.notes, *(f"{one.name} changed since." for one in found.changed)):
            note(each)
        for difference in found.differences:
            click.echo(f"\n{difference.name}\n  then: {difference.before}\n  now:  {difference.after}")
    return 0 if found.is_equal else FAILED


@click.command("evidence-pack")
@click.argument("trace")
@click.option("--out", "file", type=click.Path(path_type=Path), required=True, help="A ZIP that is made.")
@common_options
def evidence_pack(trace: str, file: Path, common: Common) -> int:
    """Write an answer with all that it rests on to a ZIP that opens without Groundwork."""
    with common.open() as session:
        count = session.evidence_packs.write(TraceId(trace), file)
    return common.give(
        f"{count:,} files were written to {file}. Open answer.html in it.", file=str(file), files=count
    )


def replay_json(found: Replay) -> dict[str, object]:
    """A replay as JSON."""
    return {
        "trace_id": found.trace.trace_id,
        "equal": found.is_equal,
        "text": found.text,
        "data_version": {"then": found.before.data_version, "now": found.data_version},
        "differences": [
            {"name": each.name, "then": each.before, "now": each.after} for each in found.differences
        ],
        "changed": [
            {"document": str(each.document), "name": each.name, "gone": each.is_gone, "version": each.version}
            for each in found.changed
        ],
        "citations": {"cited": found.cited, "held": found.held},
        "notes": list(found.notes),
    }


def _claims(answer: Answer | None) -> list[str]:
    return [] if answer is None else [f"{each.text} ({each.verdict.value})" for each in claims_in(answer)]
