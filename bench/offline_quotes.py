"""Answers that are made of quotes: how often the first one answers, or one of three, and how sure they are.

python -m bench.offline_quotes --questions FILE --home HOME [--show]
FILE: of bench/answers/kept, or questions.jsonl of financebench or of the mixed set; HOME: their files,
ingested, without a model.
A judgement by numbers and words is a help only: --show prints each answer, to be read.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from core.answer.prose.checks.quantities import quantities
from core.domain.answer import Answer, Status
from core.text.analyse import text_terms
from core.workbench import Workbench

_ONLY_A_FIGURE = re.compile(r"[-$€£]?\s?[\d,]+(?:\.\d+)?\s?%?")
_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 6, 9))
_WORDS_SHARED = 0.5  # of what the right answer says
_QUOTES = 3


def main() -> None:
    """Print the share of right answers by place and by label, and the time an answer took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print each question with its answer")
    given = parser.parse_args()
    ends: Counter[str] = Counter()
    took: list[float] = []
    with Workbench.open(home=given.home) as bench:
        for line in given.questions.read_text("utf-8").splitlines():
            each = json.loads(line)
            question, truth = each["question"].split("||")[0].strip(), each.get("answer") or each["truth"]
            began = time.process_time()
            answer = bench.ask(question)
            took.append(time.process_time() - began)
            place = place_of(truth, answer)
            label = answer.confidence_label.value
            ends[f"right at {place}" if place else "not right"] += 1
            ends[f"{label} {'right at first' if place == 1 else 'not right at first'}"] += 1
            ends["without a search"] += not is_searched(answer)
            ends[f"status {answer.status.value}"] += 1
            if given.show:
                print(f"\n[{place or '-'}] {label} {answer.status.value} | {question[-150:]} | {truth[:99]}")
                print("   ", answer.text[:900].replace("\n", "\n    "))
                print("    gaps:", answer.gaps)
    took.sort()
    print("\n" + ", ".join(f"{name}: {count}" for name, count in sorted(ends.items())))
    p95 = took[int(0.95 * (len(took) - 1))]
    print(f"processor seconds: median {statistics.median(took):.3f}, p95 {p95:.3f}")


def place_of(truth: str, answer: Answer) -> int:
    """The place of the first quote that answers, 1 to 3; 0 for none, and where the answer abstains."""
    if answer.status not in (Status.ANSWERED, Status.PARTIAL):
        return 0
    values = [answer.value.value] if answer.value is not None else []
    stated = [" ".join((*values, claim.text)) for claim in answer.claims[:1]]
    stated += [claim.text for claim in answer.claims[1:_QUOTES]]
    return next((at for at, text in enumerate(stated or [answer.text], 1) if says(truth, text)), 0)


def says(truth: str, text: str) -> bool:
    """True where a text states the figure that is right, in any scale, or half of the words of the answer."""
    told = figures(truth)
    if _ONLY_A_FIGURE.fullmatch(truth.strip()) and told:
        return any(
            abs(one * scale - told[0]) <= _step(told[0]) / 2
            or abs(one / scale - told[0]) <= _step(told[0]) / 2
            for one in figures(text)
            for scale in _SCALES
        )
    wanted = text_terms(re.sub(r"\([^)]*(?:\.\w{2,4}|\bp\d)[^)]*\)", "", truth))
    return bool(wanted) and len(wanted & text_terms(text)) >= _WORDS_SHARED * len(wanted)


def figures(text: str) -> Sequence[Decimal]:
    """The figures of a text without their signs."""
    return [abs(each.value) for each in quantities(text) if each.value is not None]


def _step(value: Decimal) -> Decimal:
    exponent = value.normalize().as_tuple().exponent
    return Decimal(1).scaleb(min(0, exponent if isinstance(exponent, int) else 0))


def is_searched(answer: Answer) -> bool:
    """True where passages were looked at, or fields and rows."""
    return bool(answer.evidence or answer.nearest or answer.claims or answer.table)


if __name__ == "__main__":
    main()
