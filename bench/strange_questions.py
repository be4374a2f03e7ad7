"""Questions as no person would write them, planned without a model: the processor time of the slowest.

    python -m bench.strange_questions [--count 5000] [--seed 1]

Long codes, brackets in brackets, thousands of letters, repeated words of planning, control characters and
other scripts, alone and inside a plain question. The catalogue is that of `bench.planner_latency`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from bench.planner_latency import made_up, planner_of

LIMIT_S = 2.0
_PLAIN = (
    "Which contracts lack {} clauses?",
    "What is the purpose of {} cabinets here?",
    "How many {} are there per year?",
    "{}",
    "Compare {} with Halden, please",
    "the three longest after the first of {}",
)
_UNITS = (
    *("9F86D081", "(", "[", "[(", "A.", "a-", "1,", "1.", "0", "$", "USD 1 ", "'", '"', "/", "\\", "_"),
    *("and ", "or ", "not ", "of the ", "without ", "between 1 and ", "more than ", "Acme ", "Inc. "),
    *(
        "ACME-",
        "2019-01-",
        "in 2019 ",
        "the ",
        "x y ",
        "é",
        "合同",
        "ﬁ",
        "\u200b",
        "\x00",
        " ",
        "\n",
        "\t",
        "?",
    ),
)


def strange(count: int, seed: int = 1) -> Iterator[str]:
    """Questions of up to 4,000 letters, the same for a seed."""
    draw = random.Random(seed)
    for _ in range(count):
        length = draw.choice((20, 80, 300, 300, 1_000, 4_000))
        units = draw.choices(_UNITS, k=draw.choice((1, 1, 2, 3, 5)))
        if draw.random() < 0.3:
            units = ["".join(draw.choices("0123456789ABCDEFabcdef", k=draw.randint(1, 64)))]
        made = "".join(units)
        middle = (made * (length // len(made) + 1))[:length]
        yield draw.choice(_PLAIN).format(middle)[:4_000]


def main() -> None:
    """Plan them and print the slowest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    planner = planner_of(made_up(2_000, 3_000))
    planner.planned("Which contracts lack force majeure?")
    taken: list[tuple[float, str]] = []
    for question in strange(options.count, options.seed):
        began = time.process_time()
        planner.planned(question)
        taken.append((time.process_time() - began, question))
    taken.sort(reverse=True)
    slow = sum(seconds > LIMIT_S for seconds, _ in taken)
    mean = sum(seconds for seconds, _ in taken) / len(taken)
    print(f"{len(taken):,} questions, {slow} over {LIMIT_S} s, mean {mean:.3f} s")
    for seconds, question in taken[:8]:
        print(f"{seconds:.2f} s  {question[:90]!r}")


if __name__ == "__main__":
    main()
