"""`groundwork evaluate`: a suite of questions with known answers, asked of this home."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.options import Common, common_options
from core.cli.output import SOME_FAILED, note, print_json, print_table
from core.domain.wire.shapes import envelope
from core.errors import GroundworkError, UsageError

if TYPE_CHECKING:
    from core.domain.answer import Answer
    from core.evaluate.runner import ModelComparison, Report
    from core.evaluate.scoring import CaseResult
    from core.evaluate.suite import Case


REVIEWS = "reviews"
"""Suite of the cases that came from verdicts."""


@click.command()
@click.argument("suite")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the report as JSON.")
@click.option("--with-model", is_flag=True, help="Ask each question with the language model, too.")
@common_options
def evaluate(suite: str, out: Path | None, with_model: bool, common: Common) -> int:
    """Ask every question of SUITE: `questions` (about the sample collection), `reviews` (what reviewers found
    correct) or a .jsonl file.

    Without --with-model no language model is called; with it, the exit code is 3 where calls gave nothing.
    """
    from core.evaluate.runner import compare, report, run_cases
    from core.evaluate.suite import load_suite

    cases = () if suite == REVIEWS else load_suite(_path(suite))
    with common.open() as session:
        if suite == REVIEWS and not (cases := session.reviews.cases()):
            raise UsageError(
                "No answer has become a case yet.",
                next_step="Find answers correct on the page Review, or with: groundwork review resolve",
            )
        names = {str(each.id): each.source for each in session.documents.list()}
        if not names:
            raise UsageError(
                "There are no documents to ask about.",
                next_step="Run: groundwork ingest --sample" if suite == "questions" else "Ingest them first.",
            )

        if with_model and not session.settings.llm.is_configured:
            raise UsageError(
                "No language model is configured.", next_step="Set GROQ_API_KEY or GROUNDWORK_LLM__BASE_URL."
            )

        def ask(question: str, buckets: tuple[str, ...]) -> Answer:
            return session.questions.ask(question, buckets=buckets, offline=True)

        answers: list[Answer] = []

        def ask_model(question: str, buckets: tuple[str, ...]) -> Answer:
            answers.append(session.questions.ask(question, buckets=buckets))
            return answers[-1]

        asked = run_cases(cases, ask, names)
        with click.progressbar(asked, length=len(cases), label="Asking", file=sys.stderr) as bar:
            without = list(bar)
        found, broken = report(suite, without), ""
        if with_model:
            asked = run_cases(cases, ask_model, names)
            done: list[tuple[Case, CaseResult, float]] = []
            with click.progressbar(
                asked, length=len(cases), label="Asking with the model", file=sys.stderr
            ) as bar:
                try:
                    done.extend(bar)
                except GroundworkError as error:  # what was asked so far is in `done`, and paid for
                    broken = f"Stopped after {len(done):,} of {len(cases):,} questions: {error.message}"
            if done:
                by_model = compare(report(suite, without[: len(done)]), report(suite, done), answers)
                found = found.model_copy(update={"with_model": by_model})
    if out is not None:
        out.write_text(found.model_dump_json(indent=2) + "\n", encoding="utf-8")
        note(f"Wrote the report to {str(out)!r}.")
    if common.as_json:
        print_json(envelope(**found.model_dump(mode="json")))
    else:
        _print(found)
    if broken:
        note(broken)
    is_lost = found.with_model is not None and found.with_model.failed > 0
    return SOME_FAILED if broken or is_lost else 0


def _path(suite: str) -> Path:
    if suite == "questions":
        from samples import QUESTIONS

        return QUESTIONS
    path = Path(suite)
    if not path.is_file():
        raise UsageError(
            f"There is no suite {suite!r}.",
            next_step="Give `questions`, `reviews`, or a .jsonl file of questions.",
        )
    return path


def _print_model(found: ModelComparison) -> None:
    note(f"With {found.model}:")
    rates = found.summary.overall
    note(f"exact {rates.exact:.3f}, silently wrong {rates.silently_wrong:.3f}, p95 {found.p95_ms:,.0f} ms")
    cost = f", USD {found.cost_usd:.4f}" if found.cost_usd is not None else ""
    note(f"{found.calls:,} calls, {found.tokens:,} tokens{cost}; {found.failed:,} calls gave nothing")
    note(f"better on {len(found.better):,} questions, worse on {len(found.worse):,}:")
    for question in found.worse:
        note(f"  worse: {question}")


def _print(found: Report) -> None:
    summary = found.summary
    rows = [("all", summary.overall), ("own wording", summary.base), ("paraphrases", summary.paraphrases)]
    rows += [(shape.value.replace("_", " "), rates) for shape, rates in summary.by_shape.items()]
    print_table(
        ("questions", "asked", "exact", "silently wrong"),
        [(name, rates.cases, f"{rates.exact:.3f}", f"{rates.silently_wrong:.3f}") for name, rates in rows],
    )
    for name, rates in (("clarify", summary.clarify), ("abstain", summary.abstain)):
        precision = "-" if rates.precision is None else f"{rates.precision:.3f}"
        recall = "-" if rates.recall is None else f"{rates.recall:.3f}"
        note(f"{name}: precision {precision}, recall {recall}")
    if found.with_model is not None:
        _print_model(found.with_model)
    note(f"95 of 100 answers within {found.p95_ms:,.0f} ms")
