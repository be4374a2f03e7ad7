"""Questions that name a contract in words, asked whole: of how many the answer is about that contract.

    python -m bench.naming.asking --data DIR [--words FILE] [--home HOME] [--every 5] [--show]

The collection is the labelled contracts with the beginnings of their texts and their labels as cells. Right:
whatever is shown, cited or weighed is of that contract alone. Field: only which field is meant is asked back.
Asked: which document or organisation is. Unknown: it is said that nothing is called so, or that nothing is
there. Others: other documents take part. Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from bench.answers.collection import data_folder
from bench.naming.__main__ import NamedDocument, named_documents
from bench.naming.learn import DEVELOPMENT
from bench.plans.gold import Labels
from bench.plans.home import fill_from_labels
from core.domain.answer import Answer, Status
from core.workbench import Workbench

_WHICH_FIELD = "may mean"
_CHARS = 14_000  # of each contract: encoding them takes most of the time


def documents_of(answer: Answer) -> frozenset[str]:
    """The documents that an answer is about: in its scope, shown, cited, or weighed."""
    found = {each.document for claim in answer.claims for each in claim.citations}
    found |= {each.document for each in answer.sources}
    if answer.table is not None:
        found |= {id for id in answer.table.documents if id}
    if answer.ledger is not None:
        listed = answer.ledger.documents
        found |= {*listed.present, *listed.absent, *listed.unreadable, *listed.uncertain}
    return frozenset(found)


def outcome(named: NamedDocument, answer: Answer, files: Mapping[str, str]) -> str:
    """right, field, asked, unknown or others."""
    if answer.status is Status.CLARIFY:
        return "field" if _WHICH_FIELD in answer.text else "asked"
    about = {files.get(id, id) for id in documents_of(answer)}
    if not about:
        return "unknown"
    return "right" if about == {named.file} else "others"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--words", type=Path, default=DEVELOPMENT)
    parser.add_argument("--home", type=Path, help="where the collection is kept for the next time")
    parser.add_argument("--every", type=int, default=5, help="ask each so many of the questions")
    parser.add_argument("--show", action="store_true", help="print the questions that are not right")
    options = parser.parse_args()
    cuad = options.data / "cuad"
    cases = list(named_documents(options.words))[:: options.every]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if not home.exists():
            home.mkdir(parents=True)
            texts = {
                file.name: file.read_text(encoding="utf-8", errors="replace")[:_CHARS]
                for file in (cuad / "contracts").glob("*.txt")
            }
            fill_from_labels(home, Labels(cuad), texts)
        with Workbench.open(home) as bench:
            files = {str(each.id): each.source for each in bench.documents()}
            for named in cases:
                answer = bench.ask(named.question)
                what = outcome(named, answer, files)
                counts[what] += 1
                if options.show and what != "right":
                    about = sorted(files.get(id, id)[:40] for id in documents_of(answer))
                    print(f"{what}: {named.question!r} ({named.file[:30]}): {answer.status.value}, "
                          f"{len(about)} {about[:2]} {answer.text[:110]!r}")  # fmt: skip
    for what, count in counts.most_common():
        print(f"{what:8} {count:4} {count / len(cases):.3f}")


if __name__ == "__main__":
    main()
