"""`groundwork search`: the passages that fit a query; `groundwork map`: what connects documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from core.cli.batch import BatchQuestion, read_questions, run_batch
from core.cli.options import Common, common_options
from core.cli.output import SOME_FAILED, note, print_json, print_table
from core.domain.evidence.connection import ConnectionMap, MapEdge, MapNode, MapNodeKind, in_words
from core.domain.search import SearchQuery
from core.domain.wire.connections import map_json, paths_json
from core.domain.wire.records import SearchResult
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.spreadsheet import replaced

_SHOWN_NODES = 40
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
        return print_json(SearchResult.of(report).json_ready())
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


@click.command()
@click.option("--bucket", help="Only this bucket.")
@click.option("--from", "one", default="", metavar="NAME", help="What is around this name.")
@click.option("--to", "other", default="", metavar="NAME", help="With --from: the ways between both.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([each.value for each in MapNodeKind]),
    help="Only such nodes, and documents.",
)
@click.option("--least", type=click.FloatRange(0, 1), default=0.0, help="Least probability of an edge.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write .csv, .xlsx or .graphml.")
@common_options
def map(
    bucket: str | None,
    one: str,
    other: str,
    kinds: tuple[str, ...],
    least: float,
    out: Path | None,
    common: Common,
) -> int:
    """Show how parties, documents, products and places are connected, each connection with its words."""
    from core.workbench.explore.map import MapFilter

    if other and not one:
        raise UsageError("--to needs --from.", next_step="Give both names, or --from alone.")
    wanted = MapFilter(bucket, tuple(MapNodeKind(each) for each in kinds), least)
    with common.open() as session:
        common.require_bucket(session, bucket)
        if other:
            routes = session.map.paths(wanted, one, other)
            if common.as_json:
                return print_json(
                    envelope(**paths_json(routes.one, routes.other, routes.paths, routes.others))
                )
            for number, way in enumerate(routes.paths, 1):
                print_table((f"way {number}", "page", "words"), _steps(way.nodes, way.edges), widest=90)
            if not routes.paths:
                note(f"No way leads from {routes.one.name!r} to {routes.other.name!r}.")
            return 0
        if out is not None:
            made = session.map.file(wanted, out.suffix.lstrip(".").casefold())
            with replaced(out) as draft:
                draft.write_bytes(made)
            note(f"Wrote the map to {str(out)!r}.")
            return 0
        found = session.map.part(wanted, one)
    if common.as_json:
        return print_json(envelope(**map_json(found)))
    _print_map(found, is_whole=not one)
    return 0


def _steps(nodes: Iterable[MapNode], edges: Iterable[MapEdge]) -> Iterator[tuple[object, ...]]:
    """A line for each edge: a sentence, the page and the words."""
    names = {each.id: each.name for each in nodes}
    for each in edges:
        quote = each.places[0].quote
        yield in_words(each, names[each.source], names[each.target]), quote.span.page_no, quote.quote


def _print_map(found: ConnectionMap, *, is_whole: bool) -> None:
    if is_whole:
        nodes = sorted(found.nodes.values(), key=lambda each: -len(found.at[each.id]))
        rows = ((each.kind.value, each.name, len(found.at[each.id])) for each in nodes[:_SHOWN_NODES])
        print_table(("kind", "name", "connections"), rows, widest=80)
    else:
        print_table(("connection", "page", "words"), _steps(found.nodes.values(), found.edges), widest=90)
    note(f"{len(found.nodes):,} nodes, {len(found.edges):,} connections.")
    for why, count in found.left_out.items():
        note(f"Left out: {count:,} {why}.")
