"""`groundwork search`: the passages that fit a query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.cli.batch import BatchQuestion, read_questions, run_batch
from core.cli.options import Common, common_options
from core.cli.output import SOME_FAILED, note, print_json, print_table
from core.domain.search import SearchQuery
from core.domain.wire.records import SearchResult
from core.errors import UsageError

INDICES = ("passages", "clauses", "parties", "financials", "summaries")


@click.command()
@click.argument("query", required=False)
@click.option("--mode", type=click.Choice(["hybrid", "keyword", "semantic"]), default="hybrid")
@click.option("--alpha", type=float, help="Weight of the semantic list (default .5).")
@click.option("--top-k", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option("--bucket", help="Only this bucket.")
@click.option("--index", type=click.Choice(INDICES), default="passages")
@click.option(
    "--where", multiple=True, metavar="'FIELD OP VALUE'", help="Only where it holds; may be given again."
)
@click.option("--resolve/--no-resolve", default=True, help="Search a document that the query names first.")
@click.option("--file", "source", type=click.Path(path_type=Path), help="Many queries: .txt, .csv or .jsonl.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="JSON lines, with --file.")
@common_options
def search(
    query: str | None,
    mode: str,
    alpha: float | None,
    top_k: int,
    bucket: str | None,
    index: str,
    where: tuple[str, ...],
    resolve: bool,
    source: Path | None,
    out: Path | None,
    common: Common,
) -> int:
    """Find the passages, clauses, parties, amounts or summaries that fit QUERY best."""
    if (query is None) == (source is None) or (source is None) != (out is None):
        raise UsageError("What is to be searched?", next_step="Give a query, or --file IN with --out OUT.")
    if query is not None and not query.strip():
        raise UsageError("The query is empty.", next_step="Give some words to search for.")
    if alpha is not None and not 0 <= alpha <= 1:  # a "nan" gets past most comparisons
        raise UsageError(
            f"--alpha is {alpha:g}, but must be from 0 to 1.",
            next_step="0 counts words alone, 1 meaning alone, .5 both.",
        )

    def asked(text: str, only: str | None, depth: int | None) -> SearchQuery:
        chosen = only or bucket
        return SearchQuery(
            text,
            mode,
            alpha,
            depth or top_k,
            buckets=(chosen,) if chosen else (),
            resolve=resolve,
            index=index,
            where=where,
        )

    with common.open() as session:
        common.require_bucket(session, bucket)
        if source is not None and out is not None:

            def answer(question: BatchQuestion) -> dict[str, Any]:
                report = session.documents.search(asked(question.question, question.bucket, question.top_k))
                found = SearchResult.of(report).json_ready()
                return {"hits": found["hits"], "degradations": found["degradations"]}

            batch = run_batch(read_questions(source), out, answer)
            note(f"Wrote {batch.written:,} results to {str(out)!r}.")
            return SOME_FAILED if batch.failed else 0
        report = session.documents.search(asked(query or "", None, None))
    if common.as_json:
        print_json(SearchResult.of(report).json_ready())
        return 0
    print_table(
        ("#", "score", "document", "page", "text"),
        ((h.rank, f"{h.score:.3f}", h.title, h.page, h.text) for h in report.hits),
        widest=80,
    )
    for degradation in report.degradations:
        note(f"{degradation.code}: {degradation.message}")
    if not report.hits:
        note(
            "Nothing found. Try other words, another --bucket, or --mode semantic; "
            "`groundwork documents list` shows what there is."
        )
    return 0
