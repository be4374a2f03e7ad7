"""Follow-ups on mtrag_un: passages found for a turn, and turns that are asked back.

The collection is every context of the set, in two buckets, ingested as the product does it. A turn is asked
in its own bucket with the conversation before it: earlier questions and answers, never its own answer. R@5:
of the gold contexts (at most five) those among the first five documents found. Rules were developed on one
half of the conversations, chosen by a hash; `other` is the half to believe.

    python -m bench.follow_ups --data DIR [--home DIR] [--earlier] [--with-model] [--show HALF] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.answers.collection import data_folder, open_collection
from bench.answers.sets import mtrag
from bench.turns.sets import AskedTurn, asked_turns
from core.ask.conversation import read_follow_up
from core.ask.model import standalone_question
from core.config.models import Settings
from core.domain.answer import Status
from core.domain.principal import LOCAL_ADMIN
from core.domain.search import SearchQuery
from core.errors import LlmError
from core.search.classify import classify, clean_question
from core.search.search import Retriever
from core.store.database.visibility import Visibility
from core.workbench.wiring import Parts

FIRST = 5
Wording = Callable[[AskedTurn], tuple[str, str]]
"""What is searched for a turn: a text, and what is carried from earlier turns."""


def alone(turn: AskedTurn) -> tuple[str, str]:
    """The last question, and nothing else."""
    return classify(clean_question(turn.question)).normalised, ""


def as_asked(turn: AskedTurn) -> tuple[str, str]:
    """The question with what the product carries from earlier turns."""
    text, _ = alone(turn)
    return text, read_follow_up(text, turn.history).carried


def as_one_text(turn: AskedTurn) -> tuple[str, str]:
    """The same, written as one text and searched without weights."""
    text, carried = as_asked(turn)
    return f"{carried}: {text}" if carried else text, ""


def all_joined(turn: AskedTurn) -> tuple[str, str]:
    """The last question and every earlier one, whole, as what is carried."""
    return alone(turn)[0], " ".join(clean_question(each.question) for each in turn.history)


WORDINGS: dict[str, Wording] = {
    "alone": alone,
    "as asked": as_asked,
    "as one text": as_one_text,
    "all joined": all_joined,
}


def found(retriever: Retriever, turn: AskedTurn, wording: Wording) -> tuple[float, float]:
    """R@5 and the reciprocal rank of the first gold document."""
    text, carried = wording(turn)
    query = SearchQuery(text=text, top_k=20, buckets=(turn.bucket,), carried=carried)
    candidates = retriever.retrieve(query, Visibility.everything()).candidates if text else ()
    sources = list(dict.fromkeys(each.stored.source for each in candidates))
    first = next((at for at, each in enumerate(sources, start=1) if each in turn.gold), 0)
    hits = len(turn.gold & set(sources[:FIRST]))
    return hits / min(FIRST, len(turn.gold)), 1 / first if first else 0.0


def searches(parts: Parts, turns: Sequence[AskedTurn], wordings: dict[str, Wording]) -> dict[str, Any]:
    """R@5 and MRR of turns with earlier ones, by half, kind and wording."""
    scored: dict[tuple[str, str, str], list[tuple[float, float]]] = defaultdict(list)
    for turn in turns:
        if not turn.history or not turn.gold:
            continue
        for name, wording in wordings.items():
            score = found(parts.retriever, turn, wording)
            for half in (turn.half, "both"):
                scored[half, turn.kind, name].append(score)
                if turn.kind in ("ANSWERABLE", "PARTIAL"):
                    scored[half, "ANSWERABLE or PARTIAL", name].append(score)
    report: dict[str, Any] = {}
    for (half, kind, name), scores in sorted(scored.items()):
        recall, rank = (round(sum(each) / len(scores), 3) for each in zip(*scores, strict=True))
        row = {"turns": len(scores), "recall_at_5": recall, "mrr": rank}
        report.setdefault(half, {}).setdefault(kind, {})[name] = row
    return report


def decisions(parts: Parts, turns: Sequence[AskedTurn], show: str) -> dict[str, Any]:
    """How the product takes every turn, by half and kind: answered, asked back, abstained."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for turn in turns:
        *_, last = parts.orchestrator.stream(
            turn.question, LOCAL_ADMIN, (turn.bucket,), turn.history, offline=True
        )
        answer = getattr(last, "answer", None)
        status = answer.status if answer is not None else Status.FAILED
        for half in (turn.half, "both"):
            counts[half, turn.kind][status.value] += 1
        if show == turn.half and (status is Status.CLARIFY or turn.kind == "UNDERSPECIFIED"):
            print(f"{status.value:10} {turn.kind:14} {turn.question[:110]} -> {answer and answer.text[:140]}")
    report: dict[str, Any] = {}
    for (half, kind), statuses in sorted(counts.items()):
        total = sum(statuses.values())
        asked = round(statuses[Status.CLARIFY.value] / total, 3)
        report.setdefault(half, {})[kind] = {"turns": total, "asked_back": asked, **statuses}
    return report


def made_whole(parts: Parts) -> Wording:
    """The question that a configured model makes of a turn; as it is where the model makes none."""
    models = parts.models
    if models is None:
        sys.exit("No language model is configured: set GROQ_API_KEY, or choose a server in Settings.")

    def whole(turn: AskedTurn) -> tuple[str, str]:
        text, carried = as_asked(turn)
        if not carried:
            return text, ""
        calls = models.calls(LOCAL_ADMIN.user)
        assert calls is not None  # one is configured
        try:
            told = standalone_question(text, turn.history, calls)
        except LlmError as error:
            print(error.message, file=sys.stderr)
            told = ""
        finally:
            calls.stop()
        return (told, "") if told else (text, carried)

    return whole


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "groundwork-bench-answers")
    parser.add_argument("--earlier", action="store_true", help="also ask the turns before the last")
    parser.add_argument(
        "--with-model", action="store_true", help="also search for what a model makes of a turn"
    )
    parser.add_argument(
        "--show", default="", help="print what is taken wrongly of a half: developed or other"
    )
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    home = options.home / "mtrag"
    with open_collection(home, mtrag(options.data).texts):
        pass  # filled and indexed
    parts = Parts(Settings(home=home))
    try:
        wordings = {**WORDINGS, **({"by a model": made_whole(parts)} if options.with_model else {})}
        turns = asked_turns(options.data, with_earlier=options.earlier)
        report = {
            "searches": searches(parts, turns, wordings),
            "decisions": decisions(parts, turns, options.show),
        }
    finally:
        parts.close()
    _print(report)
    if options.out:
        options.out.write_text(json.dumps(report, indent=1), "utf-8")


def _print(report: dict[str, Any]) -> None:
    for half, kinds in report["searches"].items():
        for kind, wordings in kinds.items():
            shown = "  ".join(f"{n} {w['recall_at_5']:.3f}/{w['mrr']:.3f}" for n, w in wordings.items())
            turns = next(iter(wordings.values()))["turns"]
            print(f"R@5/MRR {half:9} {kind:22} {turns:4}  {shown}")
    for half, kinds in report["decisions"].items():
        for kind, row in kinds.items():
            rest = {name: count for name, count in row.items() if name not in ("turns", "asked_back")}
            print(f"asked back {half:9} {kind:15} {row['turns']:4}  {row['asked_back']:.3f}  {rest}")


if __name__ == "__main__":
    main()
