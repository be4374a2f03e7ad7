"""Checks of written claims: unsupported sentences caught, supported ones struck, changed ones caught.

Run: python -m bench.claim_checks --data DIR [--show KIND] [--sweep] [--seed N] [--turns]
or:  python -m bench.claim_checks --written SET [--show missed|struck]

--turns: only changes that keep the words and turn what they say (parts, periods, bounds, conditions, order,
and one document's figure beside another's name), by halves of the documents; `--show` then prints of the
tuning half alone.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from bench.claims.mutations import MUTATIONS, reworded
from bench.claims.sources import MarkedSentence, halved_sentences, marked_sentences, source_sentences
from bench.claims.turned import TURNS, mix
from bench.claims.written import SETS, written_pairs
from core.answer.prose.checks import ClaimReport, check_claim
from core.domain.answer import Check

CHANGED = 1_000
TURNED = 200  # of each kind and half


def main() -> None:
    """Measure both parts and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--data", type=Path)
    asked.add_argument("--written", choices=SETS, help="claims that a person wrote")
    parser.add_argument("--show", default="", help="print what was missed of a kind, or 'struck'")
    parser.add_argument("--sweep", action="store_true", help="thresholds over the tuning half")
    parser.add_argument("--seed", type=int, default=17, help="of the sentences that are changed, and how")
    parser.add_argument("--turns", action="store_true", help="what keeps its words and is turned")
    given = parser.parse_args()
    if given.written:
        _written(given.written, given.show)
        return
    if given.turns:
        for half, title in enumerate(("tuning half", "other half")):
            _turns(given.data, title, half, "" if half else given.show, given.seed)
        return
    if given.show != "marked":
        _mutations(given.data, given.show, given.seed)
    marked = marked_sentences(given.data)
    _marked("tuning half", [each for each in marked if each.question % 2 == 0], given.show, given.sweep)
    if not given.sweep:
        _marked("other half", [each for each in marked if each.question % 2], "", False)


def _mutations(data: Path, show: str, seed: int) -> None:
    rng = random.Random(seed)
    names = list(MUTATIONS)
    caught, tried, struck, took = Counter[str](), Counter[str](), Counter[str](), 0.0
    unchanged = 0
    for number, sentence in enumerate(source_sentences(data, rng)):
        if sum(tried.values()) >= CHANGED:
            break
        order = sorted(names, key=lambda name: (tried[name], name))
        claim = reworded(sentence.text, rng) if number % 2 else sentence.text
        spans = [sentence.around if rng.random() < 0.5 else sentence.text]
        made = next(((name, new) for name in order if (new := MUTATIONS[name](claim, rng))), None)
        if made is None:
            continue
        name, changed = made
        started = perf_counter()
        report, plain = check_claim(changed, spans), check_claim(claim, spans)
        took += perf_counter() - started
        tried[name] += 1
        caught[name] += bool(report.failed)
        unchanged += 1
        if plain.failed:
            struck[_reason(plain)] += 1
            if show == "struck":
                print(f"STRUCK {_words(plain)}\n  claim {claim}\n  span  {spans[0]}")
        if not report.failed and show == name:
            print(f"MISSED {name}\n  claim {changed}\n  span  {spans[0]}")
    for name in names:
        print(f"{name:12} {caught[name]}/{tried[name]} caught")
    asked = [name for name in names if name != "unit"]
    print(f"all changed: {caught.total()}/{tried.total()} = {caught.total() / tried.total():.3f}")
    print(f"number, date, name, not: {sum(caught[n] for n in asked) / sum(tried[n] for n in asked):.3f}")
    print(f"unchanged struck: {struck.total()}/{unchanged} = {struck.total() / unchanged:.3f} {dict(struck)}")
    print(f"{took / (2 * unchanged) * 1e3:.2f} ms a claim")


def _written(name: str, show: str) -> None:
    """False claims caught by class, and honest ones struck by check."""
    tried, caught, struck = Counter[str](), Counter[str](), Counter[str]()
    for pair in written_pairs(name):
        failed = faults_of(pair.text, [pair.spans])
        tried[pair.kind] += 1
        caught[pair.kind] += bool(failed)
        if pair.kind and not failed and show == "missed":
            print(f"MISSED {pair.kind}\n  claim {pair.text}\n  spans {pair.spans}")
        if not pair.kind and failed:
            struck[failed[0].name] += 1
            if show == "struck":
                print(
                    f"STRUCK {failed[0].name}: {failed[0].detail}\n  claim {pair.text}\n  spans {pair.spans}"
                )
    honest, wrong = tried.pop(""), caught.pop("")
    for kind in sorted(tried):
        print(f"{kind:12} {caught[kind]}/{tried[kind]} caught")
    print(f"all false: {caught.total()}/{tried.total()} = {caught.total() / tried.total():.3f}")
    print(f"honest struck: {wrong}/{honest} = {wrong / honest:.3f} {dict(struck)}")


def _turns(data: Path, title: str, half: int, show: str, seed: int) -> None:
    """Up to `TURNED` changes of each kind, and the sentences as they were, reworded every other time."""
    rng = random.Random(seed)
    tried, caught, struck = Counter[str](), Counter[str](), Counter[str]()
    unchanged, last = 0, ""
    for number, sentence in enumerate(halved_sentences(data, half, rng)):
        spans = [sentence.around if number % 3 else sentence.text]
        made = [
            (name, new) for name in TURNS if tried[name] < TURNED and (new := TURNS[name](sentence.text, rng))
        ]
        for name, changed in made:
            _count(name, changed, [spans], tried, caught, show)
        if made:
            unchanged += 1
            plain = reworded(sentence.text, rng) if number % 2 else sentence.text
            if wrong := faults_of(plain, [spans]):
                struck[wrong[0].name] += 1
                if show == "struck":
                    print(f"STRUCK {wrong[0].name}: {wrong[0].detail}\n  claim {plain}\n  span  {spans[0]}")
        if last and tried["documents"] < TURNED and (mixed := mix(sentence.text, last)):
            _count("documents", mixed, [[sentence.text], [last]], tried, caught, show)
        last = sentence.text
    print(title)
    for name in (*TURNS, "documents"):
        print(f"  {name:10} {caught[name]}/{tried[name]} caught = {caught[name] / max(tried[name], 1):.3f}")
    print(
        f"  unchanged struck: {struck.total()}/{unchanged} = {struck.total() / unchanged:.3f} {dict(struck)}"
    )


def _count(
    name: str,
    claim: str,
    documents: Sequence[Sequence[str]],
    tried: Counter[str],
    caught: Counter[str],
    show: str,
) -> None:
    found = faults_of(claim, documents)
    tried[name] += 1
    caught[name] += bool(found)
    if not found and show == name:
        print(f"MISSED {name}\n  claim {claim}\n  spans {documents}")


def faults_of(claim: str, documents: Sequence[Sequence[str]]) -> list[Check]:
    """Failed checks of a claim that cites these spans of these documents."""
    return list(check_claim(claim, [span for spans in documents for span in spans]).failed)


def _marked(title: str, sentences: Sequence[MarkedSentence], show: str, is_sweep: bool) -> None:
    reports = [check_claim(each.text, each.passages) for each in sentences]
    bad = [(e, r) for e, r in zip(sentences, reports, strict=True) if e.is_unsupported]
    good = [(e, r) for e, r in zip(sentences, reports, strict=True) if not e.is_unsupported]
    recall = sum(bool(r.failed) for _, r in bad) / len(bad)
    false = sum(bool(r.failed) for _, r in good) / len(good)
    print(
        f"ragtruth, {title}: {recall:.3f} of {len(bad)} unsupported caught, {false:.3f} of {len(good)} struck"
    )
    names = sorted({check.name for _, r in (*bad, *good) for check in r.checks})
    for name in names:
        hits = [
            sum(any(c.name == name and not c.ok for c in r.checks) for _, r in side) for side in (bad, good)
        ]
        print(f"  {name:10} fails {hits[0]}/{len(bad)} unsupported, {hits[1]}/{len(good)} supported")
    if is_sweep:
        for threshold in (0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9):
            shares = [sum(r.support < threshold for _, r in side) / len(side) for side in (bad, good)]
            print(f"  support < {threshold:.2f}: {shares[0]:.3f} caught, {shares[1]:.3f} struck")
    if show == "marked":
        for each, report in good:
            if report.failed:
                print(f"STRUCK {_words(report)}\n  claim {each.text}")


def _reason(report: ClaimReport) -> str:
    return next(check.name for check in report.checks if not check.ok)


def _words(report: ClaimReport) -> str:
    return "; ".join(f"{check.name}: {check.detail}" for check in report.checks if not check.ok)


if __name__ == "__main__":
    main()
