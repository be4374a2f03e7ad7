"""Times of "there is no such thing" and of "you may not see it", over HTTP: nobody shall tell them apart.

    python -m bench.refusal_times [--times 1000]

A home of public and restricted documents, a signed-in account without access, `groundwork up` in a process of
its own. Each route is asked in random order for restricted documents and for ids that are none. Prints the
medians, and the share of pairs in which the restricted one took longer (0.5: they cannot be told apart) with
its 95 % interval (Mann-Whitney U, normal approximation). Ends with 1 where status or body differ, or where
the interval leaves out 0.5 by more than .02.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx

from bench.page_load import PASSWORD, serving
from core.config.load import load_settings
from core.workbench.facade import Workbench

DOCUMENTS = 200
UNLIMITED = {"GROUNDWORK_API__REQUESTS_PER_S": "100000", "GROUNDWORK_API__BURST": "100000"}
ROUTES = (
    "/api/v1/documents/{}",
    "/api/v1/documents/{}?pages=1",
    "/api/documents/{}/versions/1/pages/1/text",
    "/api/documents/{}/versions/1/pages/1.jpg",
    "/api/documents/{}/original",
    "/api/documents/{}/versions/1/page.html",
)


def _fill(home: Path) -> list[str]:
    """Public and restricted documents; gives the ids of those."""
    folder = home.parent / "files"
    for name in ("open", "secret"):
        (folder / name).mkdir(parents=True)
        for number in range(DOCUMENTS):
            text = f"Agreement {name} {number} is governed by the laws of Ohio. The fee is ${number + 1}."
            (folder / name / f"{name}-{number}.txt").write_text(text, encoding="utf-8")
    with Workbench.open(home=home, settings=load_settings(home), verify_encoder=False) as bench:
        bench.ingest([folder / "open"], bucket="open")
        report = bench.ingest([folder / "secret"], bucket="secret", acl=("board",))
        return [str(item.document) for item in report.items]


def _unlike(text: str, id: str) -> str:
    """A body without what always differs: the id that was asked for, and the request's own."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    found.pop("request_id", None)
    return json.dumps(found, sort_keys=True).replace(id, "ID")


def later_share(first: list[float], second: list[float]) -> tuple[float, float]:
    """Share of pairs in which one of the first is above one of the second, and half its 95 % interval.

    Source: Mann and Whitney 1947, U / (n m) with its variance under equality.
    """
    n, m = len(first), len(second)
    order = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    ranks = sum(rank for rank, (_, which) in enumerate(order, start=1) if which == 0)
    share = (ranks - n * (n + 1) / 2) / (n * m)
    return share, 1.96 * math.sqrt((n + m + 1) / (12 * n * m))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=1000)
    options = parser.parse_args()
    rng, is_told = random.Random(7), False
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        secret = _fill(home)
        with (
            serving(home, 1, UNLIMITED) as (base, _),
            httpx.Client(base_url=base, headers={"origin": base}, timeout=30) as web,
        ):
            web.post("/sign-in", data={"name": "user0", "password": PASSWORD})
            for route in ROUTES:
                asked = [True, False] * options.times
                rng.shuffle(asked)
                times: dict[bool, list[float]] = {True: [], False: []}
                bodies: dict[bool, set[tuple[int, str]]] = {True: set(), False: set()}
                for is_secret in asked:
                    known = rng.choice(secret)
                    id = known if is_secret else f"d{rng.getrandbits(80):020x}"
                    began = time.perf_counter()
                    answer = web.get(route.format(id))
                    times[is_secret].append(time.perf_counter() - began)
                    bodies[is_secret].add((answer.status_code, _unlike(answer.text, id)))
                share, half = later_share(times[True], times[False])
                medians = [statistics.median(times[each]) * 1000 for each in (True, False)]
                is_same = bodies[True] == bodies[False]
                is_told = is_told or not is_same or abs(share - 0.5) - half > 0.02
                print(
                    f"{route:45} restricted {medians[0]:6.2f} ms, none {medians[1]:6.2f} ms, "
                    f"later {share:.3f} ± {half:.3f}, {'same' if is_same else f'DIFFERENT {bodies}'[:400]}"
                )
    sys.exit(int(is_told))


if __name__ == "__main__":
    main()
