"""Documents that words of people name: how many are found, asked back needlessly, or wrong, and how fast.

    python -m bench.naming --data DIR [--words FILE] [--home HOME] [--show] [--documents 50000]

Each line of the file is a document's file, a question and the words in it that name the document. The
collection is the contracts of both folders of CUAD as plain files: titles, file names and opening words,
nothing extracted; or what a home holds, with the parties that it knows. Right: that document and no other
is given. Asked: the person is asked which of several is meant, and it is one of them. Wrong: another is
given. Denied: none. In place of a file `?several` says that the words fit several documents, and it is right
to ask; `?none` that nothing is called so, and it is right to deny. Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.naming.contracts import contract_files, entries_of, plain_entries
from bench.naming.speed import speed
from core.plan.names.index import NameIndex
from core.plan.names.resolve import NameDecision, NameResolution, resolve

KEPT = Path(__file__).parent.parent / "reader" / "kept" / "names.tsv"


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """Words of a question that name a document, with its file."""

    file: str
    question: str
    words: str


def named_documents(path: Path) -> Iterator[NamedDocument]:
    """The lines of a file of names; those that begin with # and the heading are none."""
    for line in path.read_text(encoding="utf-8").splitlines():
        parts = line.split("\t")
        if len(parts) == 3 and not line.startswith("#") and parts[0] != "File":
            yield NamedDocument(*parts)


SEVERAL, NONE = "?several", "?none"
_DUE = {SEVERAL: NameDecision.SEVERAL, NONE: NameDecision.NONE}


def outcome(named: NamedDocument, found: NameResolution) -> str:
    """right, asked, asked without it, denied or wrong."""
    if _DUE.get(named.file) is found.decision:
        return "right"
    files = [each.source.rsplit("/", 1)[-1] for each in found.documents]
    if found.decision is NameDecision.NONE:
        return "denied"
    if found.decision is NameDecision.SEVERAL:
        return "asked" if named.file in files else "asked without it"
    return "right" if files == [named.file] else "wrong"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words", type=Path, default=KEPT)
    parser.add_argument("--home", type=Path, help="a home with the contracts in place of plain files")
    parser.add_argument("--show", action="store_true", help="print the names that are not right")
    parser.add_argument("--documents", type=int, default=50_000, help="of which speed is measured; 0: not")
    options = parser.parse_args()
    entries = entries_of(options.home) if options.home else plain_entries(contract_files(options.data))
    index = NameIndex(entries)
    counts: Counter[str] = Counter()
    controls: Counter[tuple[str, str]] = Counter()
    times = []
    for named in named_documents(options.words):
        started = time.perf_counter()
        found = resolve(named.words, index)
        times.append((time.perf_counter() - started) * 1_000)
        what = outcome(named, found)
        counts[what] += 1
        if options.show and what != "right":
            given = ", ".join(each.source.rsplit("/", 1)[-1][:40] for each in found.documents[:3])
            print(f"{what}: {named.words!r} is {named.file[:50]}, given: {given or 'none'}")
        if named.file in _DUE:
            controls[named.file, what] += 1
    total = sum(counts.values())
    print(f"{total} names of {len(entries)} documents")
    for (file, what), count in sorted(controls.items()):
        print(f"  of {file[1:]}: {what} {count}")
    for what, count in counts.most_common():
        print(f"  {what:18} {count:4}  {count / total:.3f}")
    times.sort()
    print(
        f"  p50 {times[total // 2]:.1f} ms, p95 {times[int(0.95 * total)]:.1f} ms, worst {times[-1]:.1f} ms"
    )
    if options.documents:
        fast = speed(options.documents)
        print(
            f"{fast.documents:,} made-up documents: index {fast.build_s:.1f} s, "
            f"again {fast.rebuild_s:.1f} s, "
            f"resolution p50 {fast.p50_ms:.1f} ms, p95 {fast.p95_ms:.1f} ms, worst {fast.worst_ms:.1f} ms, "
            f"peak {fast.peak_mb:.0f} MB"
        )


if __name__ == "__main__":
    main()
