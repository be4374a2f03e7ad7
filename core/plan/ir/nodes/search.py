"""Search: the passages, or rows of another index, that fit a text best."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.plan.ir.node import Reference, ScopedNode
from core.plan.ir.spec import Checks, EstimateSetting, FormField, FormRow, NodeEstimate, NodeSpec, Said, Title
from core.plan.ir.statistics import Cost

Index = Literal["passages", "clauses", "parties", "financials", "summaries"]
_INDICES = {
    "passages": "Text passages",
    "clauses": "Clauses",
    "parties": "Parties",
    "financials": "Amounts",
    "summaries": "Summaries",
}
MOST_WORDINGS = 3
LONGEST_WORDING = 200  # characters
Wording = Annotated[str, Field(min_length=1, max_length=LONGEST_WORDING)]
_MODES = {"hybrid": "Both", "keyword": "Words", "semantic": "Meaning"}


class Search(ScopedNode):
    """Find passages, or rows of another index. An input of documents narrows it. Gives passages.

    where: conditions `field op value` on columns of the index, which choose before the ranking.
    pairs_with: an input search whose passages are ranked in pairs with what is found here, for questions that
    no passage answers alone; it does not narrow.
    wordings: other ways of saying the text. Each is searched for, too, and the rankings are fused; a planner
    gives them where the documents may use other words, rules never do.
    """

    type: Literal["search"] = "search"
    index: Index = "passages"
    text: str = Field(max_length=4_000)
    mode: Literal["keyword", "semantic", "hybrid"] = "hybrid"
    alpha: float = Field(default=0.5, ge=0, le=1)
    top_k: int = Field(default=20, ge=1, le=1000)
    where: tuple[str, ...] = Field(default=(), max_length=20)
    pairs_with: Reference | None = None
    wordings: tuple[Wording, ...] = Field(default=(), max_length=MOST_WORDINGS)


def _checks(node: Search, checks: Checks) -> Said:
    beside = node.pairs_with.node if node.pairs_with is not None else None
    yield from checks.narrowing(node, 1 if beside is None else 2)
    if beside is not None and beside not in node.inputs:
        yield f"It pairs with {beside!r}, which is not an input of it.", "Connect the two nodes."
    elif beside is not None and checks.types[beside] != "passages":
        yield f"{beside!r} gives no passages to pair with.", "Pair with a search."
    yield from checks.scope(node.scope)
    if not node.text.strip() and not node.where:
        yield "It looks for nothing.", "Give it a text to search for."
    if node.wordings and node.index != "passages":
        yield "Further wordings are for text passages alone.", "Remove them, or search in text passages."


def _estimate(node: Search, setting: EstimateSetting) -> NodeEstimate:
    searches = 1 + len(node.wordings)
    because = "the best that are asked for" + (f", of {searches} searches" if node.wordings else "")
    return NodeEstimate(0, node.top_k, because, times=searches)


def _ways(node: Search, title: Title) -> str:
    return f"Words and meaning, alpha {node.alpha:g}" if node.mode == "hybrid" else _MODES[node.mode]


SEARCH = NodeSpec(
    node=Search,
    word="Search",
    about="The passages that fit a text best",
    takes=(),
    gives=lambda node: "passages",
    unit=lambda node: "passage",
    cost=Cost(120.0, 0.0),
    estimate=_estimate,
    checks=_checks,
    begins="Find passages",
    parts=lambda start: {"text": start.question, "scope": start.any_kind},
    form=(
        FormField("text", "Looks for", "text"),
        FormField(
            "wordings",
            "Also looks for (a wording a line, at most 3)",
            "lines",
            brief="Also looks for",
            none="a synonym, or the same in other words",
        ),
        FormRow(
            (
                FormField("index", "In", "choice", options=_INDICES),
                FormField("mode", "By", "segments", options=_MODES, says=_ways),
                FormField(
                    "top_k",
                    "At most",
                    "number",
                    key="top",
                    low=1,
                    high=1000,
                    says=lambda node, title: f"{node.top_k:,} passages",
                ),
            ),
            (1.3, 1.6, 1),
        ),
        FormField(
            "alpha",
            "Words 0 · alpha · 1 meaning",
            "share",
            help="How much meaning counts beside words where both are searched.",
            needs=("mode", "hybrid"),
        ),
        FormField("scope", "", "scope", of_kind=False),
        FormField(
            "where",
            "Only rows that fulfil (one condition a line)",
            "lines",
            brief="Only rows that fulfil",
            none="page <= 3",
        ),
    ),
    words=lambda node: (node.text,),  # not the further wordings: who adds words covers none of the question's
    is_exact=lambda node: False,
    looks_at="nothing",
    source="index",
)
