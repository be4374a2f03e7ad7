"""Three trips through the program: the modules, database reads, planner runs and children that each takes.

    python -m bench.trips [--home DIR] [--list] [--json FILE]

Over a copy of a home with the sample collection (DIR, filled where there is none; a temporary one without
--home). One trip of each kind goes first and is not counted, so that imports and lazy parts do not count:

- one PDF, from its upload through its job, which runs in this process, to the end of the job: it is indexed
  and its cells are filled;
- "Which contracts lack force majeure?" as Ask asks it, in a conversation: until the stream gives the answer,
  and until the turn is kept;
- a verdict on a cell of a PDF: the request that the matrix page sends, until its reply.

Modules: those of core, app and crawler of which a function ran, here or in a child process; what an import
or the generated code of a dataclass runs does not count. Reads: SELECT statements that SQLAlchemy sends;
some of an ingest are polls, whose number depends on how long it takes.
Versions: calls of `data_version`; what another transaction sees of it is not among them. Plans: outermost
calls of `ReadingPlanner.planned`. Tasks: messages to children other than their setup. Calls: of functions of
ours in this process, also of those of dataclasses; a generator that goes on counts again.

Shapes of a file: dataclasses, pydantic models and NamedTuples of ours of which the trip made an instance,
here or in a child, with a field named path, paths or source, or annotated with Path, ContentHash or Page, or
with another such class. At first that gave 30 where a person counted 29; the current input of a job is made
only where the job lasts over a second.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import importlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import sqlalchemy as sa

from app import services
from app.api.problems import problem
from app.api.routes import ROUTES
from app.running.turns import TurnRegistry
from bench import trip_profile
from bench.trip_profile import OURS, Profile
from core.ask.request import Question
from core.domain.principal import LOCAL_ADMIN
from core.errors import GroundworkError
from core.plan.reading_planner import ReadingPlanner
from core.workbench import Workbench
from samples import COLLECTION

QUESTIONS = ("Which contracts lack indemnification?", "Which contracts lack force majeure?")
PDFS = ("contracts/beta-services-agreement.pdf", "contracts/acme-master-services-agreement.pdf")
BUCKET = "contracts"
ROOT = Path(__file__).resolve().parents[1]

EXCHANGE, MESSAGE = "Child.exchange", "message"  # the call that hands a child a task, and its argument
DATA_VERSION = ".data_version"  # the call of the records that reads it

_HOLDS = frozenset({"path", "paths", "source"})
_FILES = frozenset({"Path", "ContentHash", "Page"})
_BOOKKEEPING = (
    "core.store.database.db.",
    "core.store.database.sql_log.",
)  # frames that every statement passes
_CALLERS = 4
_MOST_CALLED = 40
_SETTLE_S = 0.3  # for what goes on after an answer on threads of its own


@dataclass(frozen=True)
class Read:
    """A SELECT. callers: functions of ours, the innermost first. is_poll: of a thread that only waits."""

    sql: str
    callers: tuple[str, ...]
    is_poll: bool

    @property
    def innermost(self) -> str:
        """The function of ours that sent it; "" of a library's own."""
        return self.callers[0] if self.callers else ""


@dataclass
class Counts:
    """What a trip, or its part before the answer, took."""

    modules: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    reads: list[Read] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)

    @property
    def figures(self) -> dict[str, int]:
        """Every column of the table."""
        return {
            "modules": len(self.modules),
            "calls": self.calls.total(),
            "reads": len(self.reads),
            "data_version": sum(each.innermost.endswith(DATA_VERSION) for each in self.reads),
            "polls": sum(each.is_poll for each in self.reads),
            "planner_runs": len(self.planned),
            "follow_up_plans": sum(each not in QUESTIONS for each in self.planned),
            "children_started": len(self.started),
            "child_tasks": len(self.tasks),
            "shapes": len(shapes_of(self.made)),
        }


class Recorder:
    """Counts what this process and its children do while a recording is on; one at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._is_on = False
        self._counts = Counts()
        self._before: Counts | None = None
        self._waiting: int | None = None  # the thread that only waits for a job
        self._depth = threading.local()
        trip_profile.prepare(folder)
        self._profile = Profile(folder, called=self._note_call)
        self._profile.install()
        sa.event.listen(sa.Engine, "before_cursor_execute", self._note_statement)
        self._hook_children()

    def hook_planner(self) -> None:
        """Count the planner's outermost runs from now on."""
        planner = ReadingPlanner
        plan, recorder = planner.planned, self

        def counted(self: object, question: str, *given: Any, **named: Any) -> Any:
            depth = recorder._depth
            depth.value = getattr(depth, "value", 0) + 1
            if recorder._is_on and depth.value == 1:
                recorder._counts.planned.append(question)
            try:
                return plan(self, question, *given, **named)
            finally:
                depth.value -= 1

        planner.planned = counted

    def record(self, trip: Callable[[], object]) -> tuple[Counts, Counts | None]:
        """The counts of a trip, and of its part before `mark` was called, if it was."""
        self._number += 1
        self._counts, self._before = Counts(), None
        self._profile.begin(self._number)
        self._is_on = True
        try:
            trip()
        finally:
            self._is_on = False
            counts = self._so_far()
            self._profile.begin(0)
        return counts, self._before

    def mark(self) -> None:
        """Keep what was counted so far: now the answer is given."""
        if self._is_on and self._before is None:
            self._before = self._so_far()

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """While this thread only waits for a job, its reads are polls."""
        self._waiting = threading.get_ident()
        try:
            yield
        finally:
            self._waiting = None

    def _so_far(self) -> Counts:
        modules, made = trip_profile.of_children(self._folder, self._number)
        counts = self._counts
        return Counts(
            modules | self._profile.modules,
            made | self._profile.made,
            list(counts.reads),
            list(counts.planned),
            list(counts.started),
            list(counts.tasks),
            Counter(counts.calls),
        )

    def _note_call(self, frame: FrameType) -> None:
        self._counts.calls[f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}"] += 1
        if frame.f_code.co_qualname == EXCHANGE:
            message = type(frame.f_locals.get(MESSAGE)).__name__
            if not message.endswith("Setup"):
                self._counts.tasks.append(message)

    def _note_statement(self, connection: Any, _cursor: object, sql: str, *_rest: object) -> None:
        if self._is_on and sql.lstrip().upper().startswith(("SELECT", "WITH")):
            is_poll = threading.get_ident() == self._waiting
            read = Read(" ".join(sql.split()), _callers(sys._getframe()), is_poll)
            self._counts.reads.append(read)

    def _hook_children(self) -> None:
        start, recorder = subprocess.Popen.__init__, self

        def started(self: object, command: Any, *given: Any, **named: Any) -> None:
            if recorder._is_on:
                words = [command] if isinstance(command, str) else [str(each) for each in command]
                found = re.search(r"from (\S+) import main", words[-1])
                recorder._counts.started.append(found[1] if found else " ".join(words))
            start(self, command, *given, **named)  # type: ignore[call-overload]

        subprocess.Popen.__init__ = started  # type: ignore[method-assign, assignment]


def _callers(frame: FrameType | None) -> tuple[str, ...]:
    callers: list[str] = []
    while frame is not None and len(callers) < _CALLERS:
        name = f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}"
        if name.startswith(OURS) and not name.startswith(_BOOKKEEPING):
            callers.append(name)
        frame = frame.f_back
    return tuple(callers)


def shapes_of(made: set[str]) -> list[str]:
    """Those of the classes that hold the file; see the module."""
    fields = {name: found for name in made if (found := _fields(name)) is not None}
    shapes, words = set[str](), set(_FILES)
    while True:
        more = {
            name
            for name, found in fields.items()
            if not _HOLDS.isdisjoint(found)
            or not words.isdisjoint(re.findall(r"\w+", " ".join(found.values())))
        }
        if more == shapes:
            return sorted(shapes)
        shapes = more
        words |= {name.rpartition(":")[2] for name in shapes}


def _fields(name: str) -> dict[str, str] | None:
    """The fields of a class with their annotations; None of one that is no record, or is local."""
    module, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for step in path.split("."):
            found = getattr(found, step)
    except AttributeError:
        return None
    if dataclasses.is_dataclass(found):
        return {each.name: str(each.type) for each in dataclasses.fields(found)}
    if hasattr(found, "model_fields") or hasattr(found, "_fields"):
        names = {*getattr(found, "model_fields", ()), *getattr(found, "_fields", ())}
        annotated = {
            k: str(v) for each in found.__mro__ for k, v in vars(each).get("__annotations__", {}).items()
        }
        return {each: annotated.get(each, "") for each in names}
    return None


class Watched:
    """A workbench that calls `mark` when a stream of it gives the answer; all else is passed on."""

    def __init__(self, bench: Any, mark: Callable[[], None]) -> None:
        self._bench = bench
        self._mark = mark

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._bench, name)
        if name == "for_principal":
            return lambda *given: Watched(found(*given), self._mark)
        if not callable(found) and type(found).__module__.startswith("core.workbench"):
            return Watched(found, self._mark)
        return found

    def stream(self, *given: Any, **named: Any) -> Iterator[Any]:
        """The events, as they come."""
        for event in self._bench.stream(*given, **named):
            if getattr(event, "answer", None) is not None:
                self._mark()
            yield event


class Travel:
    """The trips over one home."""

    def __init__(self, home: Path, recorder: Recorder) -> None:
        self._recorder = recorder
        self._bench = Workbench.open(home)
        self._services = services
        self._services.use(self._bench)
        self._bench.warm()
        recorder.hook_planner()
        self._turns = TurnRegistry(Watched(self._bench, recorder.mark))
        self._app = _app()

    def close(self) -> None:
        """Let go of the home."""
        self._bench.close()

    def ask(self, question: str) -> None:
        """A question in a conversation of its own, until its turn is kept."""
        conversation = self._bench.local.conversations.create()
        turn = self._turns.start(conversation.id, Question(question, LOCAL_ADMIN))
        while not turn.done:
            time.sleep(0.01)
        time.sleep(_SETTLE_S)
        answer = next(each["answer"] for each in reversed(turn.events) if each.get("answer"))
        assert answer["status"] == "answered", f"{question!r} was {answer['status']}"

    def ingest(self, name: str, data: bytes) -> None:
        """A file, from its upload to the end of its job."""
        staging = self._services.staging()
        batch = staging.new_batch()
        self._request("PUT", f"/uploads/{batch}", data, f"name={name}")
        assert [file.name for file in staging.files(batch)] == [name]
        paths = staging.paths(batch)
        with self._recorder.waiting():
            report = self._bench.ingest(paths, bucket=BUCKET)
        assert report.counts["ready"] == 1, f"{name!r} was {report.items[0].outcome.value}"

    def decide(self, cell: Any) -> None:
        """A cell confirmed."""
        body = {"action": "confirm", "expected": cell.event}
        self._request("POST", f"/matrix/cells/{cell.document}/{cell.field}", json.dumps(body).encode())

    def cells(self) -> list[Any]:
        """A present cell of two PDFs, the same field."""
        found: list[Any] = []
        matrix = self._bench.matrix(BUCKET)
        by_place = {(each.document, each.field): each for each in matrix.cells}
        for pdf in PDFS:
            document = next(each for each in matrix.documents if each.source == pdf)
            cell = by_place[document.id, "governing_law"]
            assert cell.finding.status.value == "present", f"no governing law in {pdf!r}"
            found.append(cell)
        return found

    def _request(self, method: str, path: str, body: bytes, query: str = "") -> None:
        status, said = asyncio.run(_request(self._app, method, path, body, query))
        assert status < 300, f"{method} {path}: {status} {said[:200]!r}"


def _app() -> Any:
    from starlette.applications import Starlette

    handlers = {GroundworkError: problem}
    return Starlette(routes=ROUTES, exception_handlers=handlers)


async def _request(app: Any, method: str, path: str, body: bytes, query: str) -> tuple[int, bytes]:
    """The status and the body of a reply, without a server between."""
    waiting, sent = [{"type": "http.request", "body": body, "more_body": False}], list[dict[str, Any]]()
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> dict[str, Any]:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent[1:])


@dataclass(frozen=True)
class Trip:
    """A line of the table."""

    key: str
    called: str
    counts: Counts
    first: Counts | None = None  # of the trip of its kind that went before

    @property
    def figures(self) -> dict[str, Any]:
        """The table's columns, for JSON with the names behind them."""
        counts = self.counts
        return {
            **counts.figures,
            "names": {
                "modules": sorted(counts.modules),
                "shapes": shapes_of(counts.made),
                "planned": counts.planned,
                "children": counts.started,
                "tasks": counts.tasks,
                "reads": [{"sql": each.sql, "callers": each.callers} for each in counts.reads],
            },
            "first": None if self.first is None else self.first.figures,
        }


def travel(home: Path, folder: Path) -> list[Trip]:
    """All trips over a home that holds the sample collection; the home is changed by them."""
    recorder = Recorder(folder)
    trips = Travel(home, recorder)
    try:
        first, _ = recorder.record(partial(trips.ask, QUESTIONS[0]))
        whole, before = recorder.record(partial(trips.ask, QUESTIONS[1]))
        assert before is not None, "no event of the stream had an answer"
        cells = trips.cells()
        decided = [recorder.record(partial(trips.decide, cell))[0] for cell in cells]
        files = [(COLLECTION / name).read_bytes() for name in PDFS]
        read = [
            # Words behind the end of a PDF make it another file with the same pages.
            recorder.record(partial(trips.ingest, f"trip-{at}.pdf", data + b"\n% trip\n"))[0]
            for at, data in enumerate(files)
        ]
    finally:
        trips.close()
    return [
        Trip("pdf", "one PDF, upload to indexed", read[1], read[0]),
        Trip("before", "a lack question, before its answer", before),
        Trip("question", "a lack question, in all", whole, first),
        Trip("verdict", "a verdict on a cell", decided[1], decided[0]),
    ]


HEADS = {
    "modules": "modules",
    "calls": "calls",
    "reads": "reads",
    "data_version": "versions",
    "planner_runs": "plans",
    "children_started": "started",
    "child_tasks": "tasks",
    "shapes": "shapes",
}
THRESHOLDS = {
    "before": {"modules": 90, "reads": 20, "planner_runs": 1},
    "verdict": {"modules": 25, "reads": 6, "children_started": 0, "child_tasks": 0},
    "pdf": {"modules": 120, "shapes": 15},
}


def print_table(trips: Sequence[Trip]) -> None:
    """The table, what is behind some figures, and the thresholds."""
    print(f"{'':<36}" + "".join(f"{head:>10}" for head in HEADS.values()))
    for trip in trips:
        figures = trip.counts.figures
        shown = (figures[key] if key != "shapes" or trip.key == "pdf" else "" for key in HEADS)
        print(f"{trip.called:<36}" + "".join(f"{each:>10}" for each in shown))
    by_key = {trip.key: trip for trip in trips}
    figures = by_key["pdf"].counts.figures
    polls = figures["polls"]
    print(f"\none PDF: {polls} of the reads are polls")
    figures = by_key["question"].counts.figures
    print(f"a lack question: {figures['follow_up_plans']} of the planner runs are for follow-ups")
    for trip in trips:
        if trip.first is not None:
            first = trip.first.figures
            print(f"{trip.called}, the first of its kind: {first['modules']} modules, {first['reads']} reads")
    print()
    for key, limits in THRESHOLDS.items():
        figures = by_key[key].counts.figures
        for name, limit in limits.items():
            verdict = "met" if figures[name] <= limit else "NOT MET"
            words = name.replace("_", " ")
            print(f"{by_key[key].called:<36} {words:<17} {figures[name]:>4} of {limit:<4} {verdict}")


def print_names(trips: Sequence[Trip]) -> None:
    """The modules of each trip, its shapes, and its reads with their callers, the most frequent first."""
    for trip in trips:
        counts = trip.counts
        print(f"\n== {trip.called}: modules")
        print("\n".join(sorted(counts.modules)))
        print(f"\n== {trip.called}: calls, the functions that were called most")
        print("\n".join(f"{times:>7,}  {name}" for name, times in counts.calls.most_common(_MOST_CALLED)))
        print(f"\n== {trip.called}: reads")
        for (sql, callers), times in Counter((e.sql[:110], e.callers) for e in counts.reads).most_common():
            print(f"{times:>3}  {sql}\n     {' < '.join(callers)}")
        for what, names in (
            ("planned", counts.planned),
            ("children", counts.started),
            ("tasks", counts.tasks),
        ):
            print(f"\n== {trip.called}: {what}")
            print("\n".join(names))
    shapes = next(shapes_of(trip.counts.made) for trip in trips if trip.key == "pdf")
    print("\n== shapes of one file")
    print("\n".join(shapes))


def main() -> None:
    """Record and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--home", type=Path, help="a home with the sample collection; made where it is not")
    parser.add_argument("--list", action="store_true", help="the modules and reads of each trip")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all of it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-trips-") as folder:
        home = options.home or Path(folder) / "sample"
        if not (home / "index").is_dir():
            command = [sys.executable, "-m", "core.cli", "ingest", "--sample", "--home", str(home)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        copy, logs = Path(folder) / "home", Path(folder) / "logs"
        shutil.copytree(home, copy)
        logs.mkdir()
        trips = travel(copy, logs)
    print_table(trips)
    if options.list:
        print_names(trips)
    if options.json is not None:
        options.json.write_text(json.dumps({trip.key: trip.figures for trip in trips}, indent=1))


if __name__ == "__main__":
    main()
