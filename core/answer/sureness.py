"""How likely an answer is right, by the kind of its evidence and by what that lacks of the question.

One logistic curve for each kind, over the same signs. `sureness.json` holds them, as `python -m bench.labels
fit --write` made them; docs/performance/answers.md says how far they can be trusted.
"""

from __future__ import annotations

import json
import math
from dataclasses import astuple, dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from core.answer.standing import MOST_CONFIDENT_IN_PART, with_confidence
from core.answer.value import asked_words, stated_values
from core.domain.annotation import Calculation
from core.domain.answer import Answer, Kind, Route, Status
from core.search.evidence.score import WORD, lacks_name, logistic, missing_share
from core.text.analyse import analyse, text_terms
from core.text.numbered import read_place_number

ARTEFACT = Path(__file__).with_name("sureness.json")
_ENOUGH = 2  # terms that a quote adds to those of the question: from here on it says something
_CLAIMS = 3


class Basis(StrEnum):
    """Kind of evidence of an answer."""

    QUOTE = "passage quote"
    VALUE = "value cut from a passage"
    TABLE_LINE = "line of a table"
    CLAUSE = "numbered clause"
    SEVERAL = "list or summary of passages"
    MENTION = "mention"
    CELL = "matrix cells"
    ROW = "table row"
    COUNT = "computed count"
    FIGURE = "computed sum"


TEXTUAL = (Basis.QUOTE, Basis.VALUE, Basis.TABLE_LINE, Basis.CLAUSE, Basis.SEVERAL)


@dataclass(frozen=True, slots=True)
class Signs:
    """Lacks of the evidence, each 0 to 1 but the first: the more, the less likely is the answer right.

    doubt: log odds against it, as the lead of a quote over others or the reading of the question has them.
    missing: share of the question's words that it does not say itself. unnumbered: share of the question's
    numbers and codes that it lacks. bare: nothing is added to the words of the question, no column is
    asked for by its name, few rows are counted. several: more than one value of the kind asked for, or row.
    partial: more was asked for.
    """

    doubt: float
    missing: float
    unnumbered: float
    bare: float
    several: float
    partial: float


def basis_of(answer: Answer) -> Basis:
    """The kind of evidence that an answer rests on, by its plan and its first claim."""
    nodes = _nodes(answer)
    if answer.route is not Route.STRUCTURED:
        if answer.ledger is not None:
            return Basis.MENTION
        if answer.kind is not Kind.LOOKUP or not answer.claims:
            return Basis.SEVERAL
        if read_place_number(answer.question) is not None:
            return Basis.CLAUSE
        if " | " in answer.claims[0].text:
            return Basis.TABLE_LINE
        return Basis.VALUE if answer.value is not None else Basis.QUOTE
    last = nodes[-1] if nodes else {}
    if last.get("type") != "query":
        return Basis.CELL
    computed = {each for each in Calculation if f"{each.value}(" in last.get("sql", "").lower()}
    if not computed:
        return Basis.ROW
    return Basis.COUNT if Calculation.COUNT in computed else Basis.FIGURE


def signs_of(answer: Answer) -> Signs:
    """The signs of an answer that has not been judged by them."""
    question, is_text, first = answer.question, basis_of(answer) in TEXTUAL, answer.claims[:1]
    own = " ".join(claim.text for claim in first)
    cited = [f"{c.quote} {c.title} {c.source}" for claim in answer.claims[:_CLAIMS] for c in claim.citations]
    table = answer.table
    cells = [*table.columns, *table.rows] if table is not None else []
    said = (
        [own]
        if is_text
        else [answer.text, *(c.text for c in answer.claims[:_CLAIMS]), *cited, *map(str, cells)]
    )
    stated = stated_values(question, own)
    numbers = [word for word in WORD.findall(question) if any(map(str.isdigit, word))]
    known = set(analyse(" ".join([*said, *cited])))
    sure = min(max(answer.confidence, 0.02), 0.98)
    return Signs(
        doubt=math.log((1 - sure) / sure),
        missing=missing_share(question, said, answered=asked_words(question) if stated else ()),
        unnumbered=sum(not set(analyse(each)) & known for each in numbers) / max(1, len(numbers)),
        bare=_emptiness(answer) if not is_text else 0.0 if stated else _bareness(question, own),
        several=float(len({str(each.value) for each in stated}) > 1) if is_text else float(_rows(answer) > 1),
        partial=float(answer.status is Status.PARTIAL),
    )


def _bareness(question: str, quote: str) -> float:
    added = text_terms(quote) - text_terms(question)
    return 1 - min(len(added), _ENOUGH) / _ENOUGH


def _emptiness(answer: Answer) -> float:
    """Of rows: 1 where no column was asked for by name. Of what is computed of them: less, the more rows."""
    if basis_of(answer) is Basis.ROW:
        return float(not ((answer.plan or {}).get("reading") or {}).get("asked"))
    return 1 / (1 + _rows(answer))


def _rows(answer: Answer) -> int:
    """The rows that the choice of them found."""
    return max(((each.get("ran") or {}).get("hits") or 0 for each in _nodes(answer)), default=0)


def _nodes(answer: Answer) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = (answer.plan or {}).get("nodes", [])
    return nodes


@cache
def load_curves() -> dict[Basis, tuple[tuple[float, ...], float]]:
    """Weights of the signs and bias, by kind of evidence."""
    stored = json.loads(ARTEFACT.read_text(encoding="utf-8"))
    return {Basis(name): (tuple(curve["weights"]), curve["bias"]) for name, curve in stored.items()}


def judged(answer: Answer) -> Answer:
    """The answer with the probability that it is right; not for one that was judged before.

    One that tells nothing, or rests on what has no curve, has the word for the confidence that it came with.
    """
    is_told = answer.status in (Status.ANSWERED, Status.PARTIAL) and bool(answer.claims or answer.table)
    curve = load_curves().get(basis_of(answer)) if is_told else None
    if curve is None:
        return with_confidence(answer, answer.confidence)
    signs = signs_of(answer)
    sure = round(logistic(*curve, astuple(signs)), 4)
    if basis_of(answer) in TEXTUAL and (signs.bare == 1 or lacks_name(answer.question, _texts(answer))):
        sure = min(sure, MOST_CONFIDENT_IN_PART)  # a heading alone, or words alike about another thing
    return with_confidence(answer, sure)


def _texts(answer: Answer) -> list[str]:
    """What the first claims and their places say, with the titles and files of these."""
    claims = answer.claims[:_CLAIMS]
    cited = [f"{c.quote} {c.title} {c.source}" for claim in claims for c in claim.citations]
    return [*(claim.text for claim in claims), *cited]
