"""`groundwork summary`: a document, or all of a bucket, summarised for a reader."""

from __future__ import annotations

import click

from core.ask.request import QuestionHandle
from core.cli.ask import note_wait, show_answer
from core.cli.options import Common, common_options
from core.domain.fields import SummaryKind
from core.domain.ids import DocumentId
from core.errors import UsageError


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
            answer = session.summaries.write(*wanted, QuestionHandle(note_wait))
    return show_answer(answer, common)
