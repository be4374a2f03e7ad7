"""`groundwork ask` and `groundwork summary`: answers with every claim cited."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from core.answer.value import show_calculation
from core.ask.request import QuestionHandle
from core.cli.batch import BatchQuestion, read_done, read_questions, run_batch
from core.cli.options import Common, common_options
from core.cli.output import FAILED, REFUSED, SOME_FAILED, note, print_json
from core.domain.answer import Answer, Status
from core.domain.conversation import Turn, TurnState
from core.domain.event import Event, Waiting
from core.domain.fields import PromiseLevel, SummaryKind
from core.domain.ids import ConversationId, DocumentId, TurnId
from core.domain.llm.use import ModelUse
from core.errors import PlanError, UsageError
from core.guard.answer_notes import guard_notes
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of, read_plan_file
from core.text.markdown import unescape

if TYPE_CHECKING:
    from core.ask.request import Agent
    from core.workbench import Session


@click.command()
@click.argument("question", required=False)
@click.option("--bucket", help="Only this bucket.")
@click.option("--offline", is_flag=True, help="Use no language model, even where one is configured.")
@click.option(
    "--agent",
    type=click.Choice(["orchestrator", "loop"]),
    help="With a language model: one that plans first, or one that calls tools in a loop.",
)
@click.option(
    "--plan", "plan_file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Run this plan."
)
@click.option("--file", "source", type=click.Path(path_type=Path), help="Many questions: .txt, .csv, .jsonl.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="JSON lines, with --file.")
@click.option(
    "--export",
    "listed",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the whole list of the answer as .csv.",
)
@click.option(
    "--promise",
    type=click.Choice(["bucket", *(each.value for each in PromiseLevel)]),
    default="bucket",
    help="How sure clauses must be to count, for this question.",
)
@common_options
def ask(
    question: str | None,
    bucket: str | None,
    offline: bool,
    agent: Literal["orchestrator", "loop"] | None,
    plan_file: Path | None,
    source: Path | None,
    out: Path | None,
    listed: Path | None,
    promise: str,
    common: Common,
) -> int:
    """Answer QUESTION from the collection."""
    if plan_file is not None and question is None and source is None:
        return _run_plan(plan_file, listed, common)
    if source is not None and listed is not None:
        raise UsageError("--export writes one list.", next_step="Ask one question with it.")
    if (question is None) == (source is None) or (source is None) != (out is None):
        raise UsageError("What is the question?", next_step="Give a question, or --file IN with --out OUT.")
    if promise != "bucket" and (source is not None or plan_file is not None):
        raise UsageError("--promise is for one question.", next_step="Write `promise` into the plan instead.")
    with common.open() as session:
        common.require_bucket(session, bucket)
        if source is not None and out is not None:
            return _ask_file(session, source, out, bucket, offline=offline, agent=agent or "")
        if plan_file is not None:
            answer = session.plans.run(_read_plan(plan_file, question))
        else:
            level: PromiseLevel | Literal["bucket"] = (
                "bucket" if promise == "bucket" else PromiseLevel(promise)
            )
            answer = session.questions.ask(
                question or "",
                buckets=(bucket,) if bucket else (),
                promise=level,
                offline=offline,
                agent=agent or "",
                handle=QuestionHandle(_note_wait),
            )
        _export(session, answer, listed)
    return _show(answer, common, is_exported=listed is not None)


@click.command()
@click.argument("documents", nargs=-1, metavar="[DOCUMENT]...")
@click.option("--bucket", help="All documents of this bucket.")
@click.option(
    "--kind",
    type=click.Choice([each.value for each in SummaryKind]),
    default=SummaryKind.EXECUTIVE.value,
    show_default=True,
    help="For whom it is.",
)
@click.option("--offline", is_flag=True, help="Use no language model, even where one is configured.")
@common_options
def summary(documents: tuple[str, ...], bucket: str | None, kind: str, offline: bool, common: Common) -> int:
    """Summarise DOCUMENTs, named by their ids, or a bucket: what they come to, and what is unusual."""
    if bool(documents) == (bucket is not None):
        raise UsageError(
            "What is to be summarised?",
            next_step="Give ids of documents (see `groundwork documents list`), or --bucket B.",
        )
    with common.open() as session:
        common.require_bucket(session, bucket)
        wanted = (SummaryKind(kind), tuple(map(DocumentId, documents)), bucket)
        if offline or not session.summaries.model:
            answer = session.summaries.show(*wanted)
        else:
            answer = session.summaries.write(*wanted, QuestionHandle(_note_wait))
    return _show(answer, common)


def _note_wait(event: Event) -> None:
    if isinstance(event, Waiting):
        note(f"{event.label}.")


def _run_plan(path: Path, listed: Path | None, common: Common) -> int:
    """Run a plan for the question that it was made for."""
    with common.open() as session:
        answer = session.plans.run(_read_plan(path, None))
        _export(session, answer, listed)
    return _show(answer, common, is_exported=listed is not None)


def _export(session: Session, answer: Answer, file: Path | None) -> None:
    """Write the list of an answer, where that was asked for. Raises NotFoundError where it has none."""
    if file is None:
        return
    found = session.questions.write_list(answer, file)
    left_out = f"; {found.left_out:,} left out, which are gone or may not be seen" if found.left_out else ""
    note(f"Wrote {len(found.lines):,} documents to {str(file)!r}{left_out}.")


def _read_plan(path: Path, question: str | None) -> Plan:
    """The plan of a file: as `groundwork plan --json` writes it, or the plan alone. Raises UsageError."""
    try:
        plan = plan_of(read_plan_file(path.read_text(encoding="utf-8")).plan)
    except PlanError as error:
        raise PlanError(
            f"The plan {str(path)!r} cannot be used. {error.message}",
            next_step=error.next_step,
            problems=error.problems,
        ) from error
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(
            f"The plan {str(path)!r} cannot be read: {reason}.",
            next_step="Write one with `groundwork plan QUESTION --json`, and change that.",
        ) from error
    return plan if question is None else plan.model_copy(update={"question": question})


def _show(answer: Answer, common: Common, *, is_exported: bool = False) -> int:
    if common.as_json:
        print_json(answer.model_dump(mode="json"))
    else:
        _print(answer)
        for each in guard_notes(answer):
            note(each)
        asked = answer.clarification
        if asked is not None and asked.type == "overload" and not is_exported:
            note(f"{asked.reason} Ask again with --export FILE.csv to have all of them as a file.")
    if answer.status is Status.REFUSED:
        return REFUSED
    return FAILED if answer.status is Status.FAILED else 0


def _ask_file(
    session: Session, source: Path, out: Path, bucket: str | None, *, offline: bool, agent: Agent
) -> int:
    """Answer a file of questions; earlier turns of a conversation are read back when a run resumes."""
    questions = read_questions(source)
    conversations: dict[str, list[Turn]] = {}
    done = read_done(out)
    for earlier in questions:
        record = done.get(earlier.id, {})
        if earlier.conversation and "answer" in record:
            history = conversations.setdefault(earlier.conversation, [])
            history.append(_turn(earlier, Answer.model_validate(record["answer"]), len(history)))

    def answer(asked: BatchQuestion) -> dict[str, Any]:
        history = conversations.setdefault(asked.conversation, []) if asked.conversation else []
        chosen = asked.bucket or bucket
        found = session.questions.ask(
            asked.question,
            buckets=(chosen,) if chosen else (),
            history=tuple(history),
            offline=offline,
            agent=agent,
        )
        history.append(_turn(asked, found, len(history)))
        return {"answer": found.model_dump(mode="json")}

    report = run_batch(questions, out, answer)
    note(f"Wrote {report.written:,} answers to {str(out)!r}.")
    return SOME_FAILED if report.failed else 0


def _turn(asked: BatchQuestion, answer: Answer, ordinal: int) -> Turn:
    """A turn of a conversation that lives in a file, not in the records."""
    return Turn(
        TurnId(asked.id),
        ConversationId(asked.conversation or ""),
        ordinal + 1,
        asked.question,
        TurnState.DONE,
        answer,
        datetime.now(UTC),
    )


def _plain(markdown: str) -> str:
    """The text of an answer for a terminal: without the marks and escapes that a page needs."""
    return unescape(markdown.replace("**", ""))


def _use_line(use: ModelUse) -> str:
    """Calls, tokens and cost of language models in a line."""
    cost = use.cost_usd
    parts = [f"{len(use.calls):,} calls of a model", f"{use.tokens:,} tokens"]
    parts += [f"USD {cost:.4f}"] if cost is not None else []
    parts += [f"{use.failed:,} gave nothing"] if use.failed else []
    return " · ".join(parts)


def _print(answer: Answer) -> None:
    for number, part in enumerate(answer.parts):
        click.echo(("\n" if number else "") + part.question)
        _print(part)
    if answer.parts:
        return
    if answer.reading:
        note(f"Read as: {' · '.join(part.text for part in answer.reading)}")
    for other in answer.other_readings:
        note(f"Also read as: {other.text}" + (f" ({other.count:,})" if other.count is not None else ""))
    click.echo(_plain(answer.text))
    for made in answer.calculations:
        click.echo(show_calculation(made))
    if answer.citations:
        click.echo()
    for citation in answer.citations:
        quote = " ".join(citation.quote.split())
        click.echo(f"[{citation.n}] {citation.title}, page {citation.page}: “{quote}”")
    for near in answer.nearest:
        quote = " ".join(near.quote.split())
        click.echo(f" ·  {near.title}, page {near.page}: {quote[:160]}")
    facts = [answer.status.value, f"confidence {answer.confidence_label.value} ({answer.confidence:.2f})"]
    total = answer.timings_ms.get("total")
    if total is not None:
        facts.append(f"{total:.0f} ms")
    note("\n" + " · ".join(facts))
    if answer.ledger is not None and answer.ledger.scope_said not in _plain(answer.text):
        note(answer.ledger.scope_said)
    if answer.ledger is not None and answer.ledger.promise:
        note(f"Clauses were decided at the promise level {answer.ledger.promise}.")
    if answer.ledger is not None and answer.ledger.model_said:
        note(answer.ledger.model_said)
    if answer.ledger is not None and answer.ledger.copies_said:
        note(f"Copies are counted once: {answer.ledger.copies_said}.")
    if answer.ledger is not None and answer.ledger.gaps_said:
        note(f"{answer.ledger.gaps_said}.")
    for source in answer.sources:
        if alike := answer.copies.get(source.document):
            note(f"{len(alike) + 1:,} copies of {source.title!r}.")
    if answer.estimate is not None:
        found = answer.estimate
        note(f"About {found.value:,} ({found.low:,} to {found.high:,}), with what is not sure.")
    for gap in answer.gaps:
        note(f"Gap: {gap}")
    if answer.struck:
        again = sum(each.is_replaced for each in answer.struck)
        note(f"Struck of what the model wrote: {len(answer.struck) - again}; written once more: {again}.")
    for struck in answer.struck:
        note(f"  {struck.text} ({struck.reason})")
    if answer.model_use is not None:
        note(_use_line(answer.model_use))
    for degradation in answer.degradations:
        note(f"{degradation.code}: {degradation.message}")
