"""Questions over a crawled site: the share that is right by kind, with every citation opened and checked.

    python -m bench.crawl_questions --questions FILE.jsonl --home HOME [--wrong]

A line of the file is one question, written by somebody who sees the pages alone:

    {"id": "pg-07", "question": "...", "kind": "lookup",
     "expect": {"status": "answered", "contains_any": ["ACCESS SHARE"], "source": "explicit-locking.html"}}

status: one, or a list of several that are right; without it "answered" or "partial". contains_all: each of
them stands in what the answer says, its table and its quotes, of contains_any one; case and white space say
nothing. source: file of the page that a citation must be in, or a list of pages of which one does. Right is
a question for which all of that holds, and of whose citations every quote is the stored text at its place.
--wrong lists the others.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from core.domain.answer import Answer, Citation, Status
from core.domain.ids import DocumentId
from core.domain.principal import LOCAL_ADMIN
from core.store.store import Records
from core.workbench import Workbench
from tests.support.real_crawler import open_records

_ANSWERED = (Status.ANSWERED, Status.PARTIAL)


class Expectation(BaseModel):
    """What a right answer has; empty ones ask for nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: tuple[Status, ...] = _ANSWERED
    contains_all: tuple[str, ...] = ()
    contains_any: tuple[str, ...] = ()
    source: tuple[str, ...] = ()

    @field_validator("status", "contains_all", "contains_any", "source", mode="before")
    @classmethod
    def _are_several(cls, given: object) -> object:
        return (given,) if isinstance(given, str) else given


class CrawlQuestion(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str
    kind: str
    expect: Expectation = Expectation()
    answer: str = ""  # in the writer's words, and the page's: for who looks at the wrong ones
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with an answer; "" for nothing. citations, inexact: how many, and how many misquote."""

    question: CrawlQuestion
    answer: Answer
    fault: str
    citations: int
    inexact: int
    seconds: float


def questions_of(file: Path) -> list[CrawlQuestion]:
    """The questions of a file. Ends the program where a line is none."""
    found = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(CrawlQuestion.model_validate_json(line))
        except ValidationError as error:
            sys.exit(f"{file}, line {number}: {error.errors(include_url=False)[0]['msg']}")
    if not found:
        sys.exit(f"{file} holds no question.")
    return found


class Examiner:
    """Asks questions of one home and judges the answers."""

    def __init__(self, workbench: Workbench, records: Records) -> None:
        self._records = records
        self._session = workbench.for_principal(LOCAL_ADMIN)

    def judge(self, question: CrawlQuestion) -> Verdict:
        """Ask one question, and open what its answer cites."""
        begun = time.perf_counter()
        answer = self._session.questions.ask(question.question)
        seconds = time.perf_counter() - begun
        inexact = [one for one in answer.citations if not self._is_exact(one)]
        fault = self._fault(question.expect, answer)
        if not fault and inexact:
            fault = f"{inexact[0].quote[:60]!r} does not stand where the citation says"
        return Verdict(question, answer, fault, len(answer.citations), len(inexact), seconds)

    def _fault(self, expect: Expectation, answer: Answer) -> str:
        if answer.status not in expect.status:
            return f"it is {answer.status.value}"
        said = _plain(" ".join(_sayings(answer)))
        lacking = [each for each in expect.contains_all if _plain(each) not in said]
        if lacking:
            return f"it does not say {', '.join(lacking)}"
        if expect.contains_any and not any(_plain(each) in said for each in expect.contains_any):
            return f"it says none of {', '.join(expect.contains_any)}"
        pages = [self._page_of(citation) for citation in answer.citations]
        if expect.source and not any(_is_page(page, name) for page in pages for name in expect.source):
            return f"it cites {', '.join(dict.fromkeys(pages)) or 'nothing'}"
        return ""

    def _is_exact(self, citation: Citation) -> bool:
        page = self._session.documents.page(DocumentId(citation.document), citation.version, citation.page)
        return page.text[citation.start : citation.end] == citation.quote

    def _page_of(self, citation: Citation) -> str:
        """The address that the cited document was crawled from, else its source."""
        document = DocumentId(citation.document)
        row = self._records.crawl_ledger.of_documents([document]).get(document)
        return citation.source if row is None else row.url


def _sayings(answer: Answer) -> Iterator[str]:
    yield answer.text
    if answer.value is not None:
        yield answer.value.value
    for claim in answer.claims:
        yield claim.text
        yield from (citation.quote for citation in claim.citations)
    if answer.table is not None:
        yield from (str(cell) for row in answer.table.rows for cell in row)
    for part in answer.parts:
        yield from _sayings(part)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _is_page(address: str, name: str) -> bool:
    path = unquote(urlsplit(address).path)
    return path == name or path.endswith(f"/{name.lstrip('/')}")


def report(verdicts: list[Verdict], *, lists_wrong: bool) -> None:
    """Print the shares, the citations, and the times."""
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_kind[verdict.question.kind].append(verdict)
    for kind, some in (*sorted(by_kind.items()), ("all", verdicts)):
        right = sum(1 for verdict in some if not verdict.fault)
        print(f"{kind}: {right} of {len(some)} right ({right / len(some):.0%})")
    citations = sum(verdict.citations for verdict in verdicts)
    inexact = sum(verdict.inexact for verdict in verdicts)
    statuses = Counter(verdict.answer.status.value for verdict in verdicts)
    print(f"citations opened: {citations}, of which {inexact} are not at their place; {dict(statuses)}")
    print(f"median {statistics.median(verdict.seconds for verdict in verdicts):.2f} s a question")
    for verdict in verdicts:
        if lists_wrong and verdict.fault:
            print(json.dumps([verdict.question.id, verdict.question.question, verdict.fault]))


def main() -> None:
    """Ask every question of the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="JSONL file")
    parser.add_argument("--home", type=Path, required=True, help="home that holds the crawled site")
    parser.add_argument("--wrong", action="store_true", help="list the questions that went wrong")
    options = parser.parse_args()
    questions = questions_of(options.questions)
    with Workbench.open(options.home) as workbench, open_records(options.home) as records:
        examiner = Examiner(workbench, records)
        report([examiner.judge(question) for question in questions], lists_wrong=options.wrong)


if __name__ == "__main__":
    main()
