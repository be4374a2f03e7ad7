"""Client of a Groundwork server: documents brought in, questions asked and followed, answers drilled down.

with Client("http://127.0.0.1:8501", token) as client:
    client.wait(client.ingest(["contracts/"], bucket="contracts").id)
    answer = client.ask("Which contracts lack a force majeure clause?")
    for citation in answer.citations:
        assert client.read(citation).is_exact
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from core.client.transport import ApiError, Transport
from core.domain.answer import Answer, QuotedPlace
from core.domain.wire.records import (
    DocumentRow,
    Health,
    JobDetail,
    JobInput,
    PlanMade,
    QuestionState,
    SearchResult,
    WholeDocument,
)
from core.errors import DeadlineError, InputError, UsageError

MOST_FILES = 1_000
WAIT_S = 20.0
LOOK_S = 0.5
AROUND = 200
PAGE = 200


LAST = ("finished", "stopped", "interrupted")
"""Types of the event after which there comes no other."""


@dataclass(frozen=True, slots=True)
class StreamedEvent:
    """One event. number: its place, from 0; type: of `data`, as "planned" or "answered"."""

    number: int
    type: str
    data: Mapping[str, Any]

    @property
    def answer(self) -> Answer | None:
        """The whole answer, where this event carries it."""
        return Answer.model_validate(self.data["answer"]) if self.type == "answered" else None

    @property
    def is_last(self) -> bool:
        """True where the question has ended."""
        return self.type in LAST


class JobRecord(JobDetail):
    """Progress of a job, with the outcome of each input so far where it was asked for by its id."""

    items: tuple[JobInput, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A citation held against its document. before, after: the text of the page around the quote.

    is_exact: the page's text at that place equals the citation's quote, character for character.
    """

    document: str
    page: int
    quote: str
    before: str
    after: str
    is_exact: bool


class Client:
    """One account's calls to a server. Thread-safe; every method raises ApiError where the server refuses.

    address: of the server, as people open it. token: of `groundwork tokens add`; "" on a machine without
    accounts.
    """

    def __init__(
        self, address: str, token: str = "", *, timeout_s: float = 60.0, transport: Transport | None = None
    ) -> None:
        self._calls = transport or Transport(address, token, timeout_s=timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._calls.close()

    def health(self) -> Health:
        """Health of the server."""
        return Health.model_validate(self._calls.call("GET", "healthz"))

    def ingest(
        self, paths: Iterable[str | Path], *, bucket: str = "default", acl: Sequence[str] = ()
    ) -> JobRecord:
        """Send files, and those of folders, to be read by a job. acl: groups that may see them.

        At most 1,000 at once. Raises InputError for a path that is not there, UsageError where there is none.
        """
        files = [found for path in paths for found in _files(Path(path))]
        if not files or len(files) > MOST_FILES:
            raise UsageError(
                f"There are {len(files):,} files to send; from 1 to {MOST_FILES:,} go at once.",
                next_step="Send them in parts, or as a ZIP archive.",
            )
        form = [("bucket", bucket), *(("acl", group) for group in acl)]
        return JobRecord.model_validate(self._calls.send_files("documents", files, form)["job"])

    def documents(self, *, bucket: str = "", status: str = "", text: str = "") -> Iterator[DocumentRow]:
        """The documents by title, read page by page as they are asked for."""
        chosen = {"bucket": bucket, "status": status, "text": text, "limit": PAGE}
        cursor: str | None = None
        while True:
            found = self._calls.call("GET", "documents", query={**chosen, "cursor": cursor})
            yield from map(DocumentRow.model_validate, found["documents"])
            cursor = found["next_cursor"]
            if cursor is None:
                return

    def document(self, id: str, version: int | None = None) -> WholeDocument:
        """A document with the text of its pages. version: None for the current one."""
        found = self._calls.call("GET", f"documents/{_part(id)}", query={"version": version})
        return WholeDocument.model_validate(found)

    def remove(self, id: str) -> None:
        """Remove a document with all its versions."""
        self._calls.call("DELETE", f"documents/{_part(id)}")

    def search(self, query: str, **options: Any) -> SearchResult:
        """Passages or facts that fit a query.

        options: mode, alpha, top_k, bucket, buckets, documents, index, where, resolve, as `POST search` has
        them.
        """
        return SearchResult.model_validate(
            self._calls.call("POST", "search", body={"query": query, **options})
        )

    def begin(self, question: str, *, wait_s: float = 0.0, **options: Any) -> QuestionState:
        """Ask, and wait at most `wait_s` seconds for the answer.

        options: bucket, buckets, conversation, offline, plan, as `POST rag/query` has them.
        """
        body = {"question": question, "wait_s": wait_s, **options}
        return QuestionState.model_validate(self._calls.call("POST", "rag/query", body=body))

    def status(self, id: str) -> QuestionState:
        """A question of yours, with its answer once there is one."""
        return QuestionState.model_validate(self._calls.call("GET", f"rag/status/{_part(id)}"))

    def ask(self, question: str, *, within_s: float = 300.0, **options: Any) -> Answer:
        """The answer of a question, however long it takes within `within_s` seconds; options as for `begin`.

        Raises DeadlineError where it takes longer: the question goes on, and `status` has it.
        """
        ends = time.monotonic() + within_s
        found = self.begin(question, wait_s=min(WAIT_S, within_s), **options)
        while not found.is_ended and time.monotonic() < ends:
            time.sleep(LOOK_S)
            found = self.status(found.id)
        if found.answer is not None:
            return found.answer
        if found.is_ended:
            raise ApiError(f"The question was {found.state}.", status=0, next_step="Ask again.")
        raise DeadlineError(
            f"The answer took longer than {within_s:g} s.",
            next_step=f"Look for it with status({found.id!r}).",
        )

    def stream(self, question: str, **options: Any) -> Iterator[StreamedEvent]:
        """The events of a question as it is answered, one of them with the answer. Options as for `begin`."""
        yield from self.follow(self.begin(question, **options).id)

    def follow(self, id: str, *, after: int = -1, tries: int = 5) -> Iterator[StreamedEvent]:
        """The events of a question behind the number `after`, to the last one.

        A stream that breaks off is taken up where it was, `tries` times without an event between.
        """
        left = tries
        while True:
            headers = {"Last-Event-ID": str(after)} if after >= 0 else {}
            try:
                with self._calls.lines(f"rag/stream/{_part(id)}", headers) as lines:
                    for event in events_of(lines):
                        after, left = event.number, tries
                        yield event
                        if event.is_last:
                            return
                failure: ApiError | None = None
            except ApiError as error:
                if not error.is_passing:
                    raise
                failure = error
            left -= 1
            if left < 0:
                raise failure or ApiError("The stream broke off.", status=0, next_step="Follow it again.")
            time.sleep(LOOK_S)

    def give_feedback(self, id: str, feedback: str) -> QuestionState:
        """Say of an answer that it was "right" or "wrong"; "" takes it back."""
        body = {"id": id, "feedback": feedback}
        return QuestionState.model_validate(self._calls.call("POST", "rag/feedback", body=body))

    def read(self, place: QuotedPlace) -> CitedPlace:
        """The place of a citation in its document as the server holds it, with the text around it."""
        text = self.document(place.document, place.version).text_of(place.page)
        return CitedPlace(
            place.document,
            place.page,
            text[place.start : place.end],
            text[max(0, place.start - AROUND) : place.start],
            text[place.end : place.end + AROUND],
            text[place.start : place.end] == place.quote,
        )

    def plan(self, question: str, *, buckets: Sequence[str] = ()) -> PlanMade:
        """The plan of a question, validated and estimated, not run."""
        body = {"question": question, "buckets": list(buckets)}
        return PlanMade.model_validate(self._calls.call("POST", "plans", body=body))

    def check(self, plan: Mapping[str, Any]) -> PlanMade:
        """An edited plan with what is wrong with it."""
        return PlanMade.model_validate(self._calls.call("POST", "plans", body={"plan": plan}))

    def run(self, id: str, *, parameters: Mapping[str, Any] | None = None) -> Answer:
        """The answer of a plan that is kept under this id."""
        body = {"parameters": parameters} if parameters else {}
        return Answer.model_validate(self._calls.call("POST", f"plans/{_part(id)}/run", body=body)["answer"])

    def matrix(self, bucket: str = "", fields: Sequence[str] = ()) -> dict[str, Any]:
        """Fields, documents and cells of a bucket, as `GET matrix` gives them."""
        found: dict[str, Any] = self._calls.call(
            "GET", "matrix", query={"bucket": bucket, "fields": ",".join(fields)}
        )
        return found

    def crawl(self, urls: Sequence[str], **options: Any) -> JobRecord | None:
        """Crawl sites; gives the job of the first run. options: as `POST crawls` has them."""
        found = self._calls.call("POST", "crawls", body={"urls": list(urls), **options})["job"]
        return None if found is None else JobRecord.model_validate(found)

    def job(self, id: str) -> JobRecord:
        """A job with the outcome of each input so far."""
        return JobRecord.model_validate(self._calls.call("GET", f"jobs/{_part(id)}"))

    def cancel(self, id: str) -> JobRecord:
        """Stop a job; what it has finished stays."""
        return JobRecord.model_validate(self._calls.call("DELETE", f"jobs/{_part(id)}"))

    def wait(self, id: str, *, within_s: float = 3600.0) -> JobRecord:
        """A job once it has ended, also where it failed. Raises DeadlineError where that takes longer."""
        ends = time.monotonic() + within_s
        while True:
            found = self.job(id)
            if found.is_ended:
                return found
            if time.monotonic() > ends:
                raise DeadlineError(
                    f"The job took longer than {within_s:g} s.", next_step=f"It goes on; see job({id!r})."
                )
            time.sleep(LOOK_S)


def _files(path: Path) -> list[tuple[str, Path]]:
    """The files of a path, with the name that the server shall know each by."""
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if each.is_file() and not each.name.startswith("."))
        return [(each.relative_to(path.parent).as_posix(), each) for each in found]
    if not path.is_file():
        raise InputError("there is no such file", source=str(path), next_step="Correct the path.")
    return [(path.name, path)]


def _part(id: str) -> str:
    """An id as one part of an address."""
    return quote(id, safe="")


def events_of(lines: Iterable[str]) -> Iterator[StreamedEvent]:
    """The events of a stream's lines; one that broke off in its midst is left out, and so are comments.

    Source: WHATWG HTML Living Standard, 9.2.6 "Interpreting an event stream".
    """
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            yield StreamedEvent(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}
