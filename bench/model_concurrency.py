"""Many questions at once through one process, each answered in prose by a slow model: do they stay apart?

    python -m bench.model_concurrency [--questions 50] [--within-s 5] [--between-s 0.3]

Every question is about a plant that one document alone names, with figures of its own. The model is a
scripted server on a real socket that writes slowly what the evidence of its prompt says of the plant that the
question of its prompt asks about, and nothing where the evidence has nothing. So whatever is mixed up on the
way (prompts, streams, citations) shows in an answer: it then rests on quotes alone, or holds a figure or a
document of another question. They come within --within-s seconds (0: all in the same moment), and the model
writes long enough that all of them are in flight together. Every fifth question is cancelled while it is
being written; its connection must be free soon after, and a question asked at the end must be answered.
Memory is the peak of this process, model server included.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.config.models import LlmSettings, Settings
from core.domain.answer import Answer
from core.domain.event import Event, Finished, ProseWritten
from core.workbench import Workbench
from tests.support.scripted_llm import ScriptedLlm, Step, reply_json, stream

CANCELLED_EVERY = 5
LONGEST_S = 5.0  # that a cancelled connection may stay open
PIECE = 8  # characters that the model sends at once
_STARTS = ("Bal", "Cor", "Dun", "Eck", "Fal", "Gor", "Hal", "Ib", "Jar", "Kel", "Lor", "Mar", "Nor")
_ENDS = ("bury", "dale", "den", "feld", "holm", "mere", "mouth", "stead", "wick", "worth")
_UNIT = re.compile(r'<data-\w+ id="(e\d+)">\n\[(?:.*?)\]\n(.*?)\n</data-', re.S)
_QUESTION = re.compile(r"inspection of the pumps at the (\w+) plant")


@dataclass(frozen=True, slots=True)
class Plant:
    """A subject that one document alone names, with its own figures."""

    name: str
    weeks: int
    code: int

    @property
    def question(self) -> str:
        """A question that only its document answers."""
        return f"Explain the inspection of the pumps at the {self.name} plant."

    @property
    def text(self) -> str:
        """Its document."""
        return (
            f"# Inspection of the pumps at the {self.name} plant\n\n"
            f"The pumps at the {self.name} plant are inspected every {self.weeks} weeks by an engineer. "
            f"The inspection of the pumps at the {self.name} plant is logged under the code {self.code}. "
            f"A pump of the {self.name} plant that fails the inspection is taken out of service.\n"
        )


@dataclass
class Outcome:
    """What came of one question. before_ms: until the model was asked to write."""

    plant: Plant
    answer: Answer | None = None
    before_ms: float = 0.0
    began: float = 0.0
    ended: float = 0.0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ConcurrencyReport:
    """What was found. freed_s: from the last cancel until every cancelled connection was closed.

    outcomes: of those that stayed, and one afterwards; asked: all at once. cpu_ms: of this process for one
    question, all of it. peak_mb: of the whole process.
    """

    outcomes: Sequence[Outcome]
    asked: Sequence[Outcome]
    cancelled: int
    freed_s: float
    is_free: bool
    seconds: float
    cpu_ms: float
    peak_mb: float
    grown_mb: float

    @property
    def in_flight(self) -> int:
        """The most that ran at one moment."""
        return max(sum(each.began <= at.began < each.ended for each in self.asked) for at in self.asked)

    @property
    def faults(self) -> list[str]:
        """Everything that was mixed up or missing."""
        return [fault for each in self.outcomes for fault in each.faults]

    def before_ms(self, share: float) -> float:
        """Quantile of the time before the model was asked to write."""
        found = sorted(each.before_ms for each in self.outcomes)
        return found[min(len(found) - 1, int(share * len(found)))]


def plants(number: int) -> list[Plant]:
    """So many subjects, none like another."""
    names = [f"{start}{end}" for start in _STARTS for end in _ENDS]
    random.Random(17).shuffle(names)
    return [Plant(name, 3 + at, 40_000 + 137 * at) for at, name in enumerate(names[:number])]


def written(body: dict[str, Any], between_s: float) -> Step:
    """Reply of the model: the sentences of its prompt's evidence on the plant of its prompt's question."""
    user = body["messages"][-1]["content"]
    if not body.get("stream"):
        form = (body.get("response_format") or {}).get("json_schema", {}).get("schema", {})
        names = set(form.get("properties", {}))
        if "tool" in names:
            return reply_json({"decision": "enough", "tool": "", "arguments": "", "reason": ""})
        return reply_json({"claims": []})
    asked = _QUESTION.search(user)
    lines = []
    for id, text in _UNIT.findall(user):
        if asked and asked[1] in text:
            sentences = re.findall(r"(?:The pumps|The inspection|A pump) [^.]+\.", " ".join(text.split()))
            lines += [{"text": sentence, "ids": [id]} for sentence in sentences if asked[1] in sentence]
    whole = "".join(json.dumps(line) + "\n" for line in lines[:3]) or '{"text": "", "ids": []}\n'
    pieces = [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]
    return stream(*pieces, between_s=between_s, usage=(900, 90))


@contextmanager
def open_plants(home: Path, number: int, between_s: float) -> Iterator[tuple[Workbench, ScriptedLlm]]:
    """A workbench over a document for each plant, with the slow model configured."""
    with ScriptedLlm(lambda body: written(body, between_s)) as server:
        llm = LlmSettings(
            base_url=server.url, tokens_per_minute=0, tokens_per_day=100_000_000, verify=False, deadline_s=300
        )
        with Workbench.open(home, Settings(home=home, llm=llm)) as bench:
            folder = home / "texts"
            folder.mkdir(parents=True, exist_ok=True)
            for each in plants(number):
                (folder / f"{each.name.lower()}.md").write_text(each.text, encoding="utf-8")
            bench.ingest([folder])
            bench.warm()
            yield bench, server


def run(bench: Workbench, server: ScriptedLlm, number: int, within_s: float = 0.0) -> ConcurrencyReport:
    """Ask all of them within so many seconds, cancel some, and look at what came back."""
    subjects = plants(number)
    outcomes = [Outcome(each) for each in subjects]
    kept = [each for at, each in enumerate(outcomes) if at % CANCELLED_EVERY or number == 1]
    cancelled = [each for each in outcomes if each not in kept]
    start, waits = threading.Barrier(number + 1), [within_s * at / number for at in range(number)]
    spent_s = time.process_time()
    before_mb, known_pipes = _memory_mb(), server.broken_pipes
    pause = {each.plant: wait_s for each, wait_s in zip(outcomes, waits, strict=True)}
    threads = [_thread(_ask, bench, each, start, pause[each.plant]) for each in kept]
    leavers = [_thread(_leave, bench, each, start, pause[each.plant]) for each in cancelled]
    for thread in (*threads, *leavers):
        thread.start()
    start.wait()
    began = time.perf_counter()
    for thread in leavers:
        thread.join()
    left = time.perf_counter()
    while server.broken_pipes - known_pipes < len(cancelled) and time.perf_counter() - left < LONGEST_S:
        time.sleep(0.01)
    freed_s = time.perf_counter() - left
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    is_free = server.broken_pipes - known_pipes == len(cancelled) and server.wait_until_idle(LONGEST_S)
    cpu_ms = 1000 * (time.process_time() - spent_s) / number
    last = Outcome(subjects[0])
    _ask(bench, last)  # after those that were cancelled: there is room for it
    for each in (*kept, last):
        each.faults += _faults(each, subjects)
    peak_mb = _memory_mb()
    return ConcurrencyReport(
        [*kept, last],
        outcomes,
        len(cancelled),
        freed_s,
        is_free,
        seconds,
        cpu_ms,
        peak_mb,
        peak_mb - before_mb,
    )


def _thread(
    deed: Callable[[Workbench, Outcome], None],
    bench: Workbench,
    outcome: Outcome,
    start: threading.Barrier,
    wait_s: float,
) -> threading.Thread:
    def begin() -> None:
        start.wait()
        time.sleep(wait_s)
        deed(bench, outcome)

    return threading.Thread(target=begin)


def _ask(bench: Workbench, outcome: Outcome) -> None:
    outcome.began = time.perf_counter()
    try:
        for event in bench.stream(outcome.plant.question):
            _look(outcome, event)
    except Exception as error:  # the thread's edge: a question that failed is a finding
        outcome.faults.append(f"{outcome.plant.name}: {type(error).__name__}: {error}")
    outcome.ended = time.perf_counter()


def _look(outcome: Outcome, event: Event) -> None:
    if isinstance(event, Finished):
        outcome.answer = event.answer
        timings = event.answer.timings_ms
        outcome.before_ms = timings["total"] - timings.get("write", 0.0)


def _leave(bench: Workbench, outcome: Outcome) -> None:
    """Ask, and go away in the middle of what the model writes."""
    outcome.began = time.perf_counter()
    events = bench.stream(outcome.plant.question)
    for event in events:
        if isinstance(event, ProseWritten) and event.index:
            break
    events.close()  # type: ignore[attr-defined]
    outcome.ended = time.perf_counter()


def _faults(outcome: Outcome, subjects: Sequence[Plant]) -> Iterator[str]:
    answer, plant = outcome.answer, outcome.plant
    if answer is None:
        yield f"{plant.name}: no answer"
        return
    if not answer.written_by:
        reasons = "; ".join(each.message for each in answer.degradations) or answer.status
        yield f"{plant.name}: not written by the model: {reasons}"
    if str(plant.code) not in answer.text or plant.name not in answer.text:
        yield f"{plant.name}: its own figures are missing: {answer.text!r}"
    for other in subjects:
        if other is not plant and (other.name in answer.text or str(other.code) in answer.text):
            yield f"{plant.name}: figures of {other.name}: {answer.text!r}"
    for cited in answer.citations:
        if plant.name.lower() not in cited.source.lower() or plant.name not in cited.quote:
            yield f"{plant.name}: cites {cited.source}: {cited.quote!r}"


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> int:
    """Measure and print; exit code 1 where anything was mixed up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--within-s", type=float, default=5.0)
    parser.add_argument("--between-s", type=float, default=0.3)
    options = parser.parse_args()
    number = options.questions
    with (
        tempfile.TemporaryDirectory() as folder,
        open_plants(Path(folder) / "home", number, options.between_s) as (bench, server),
    ):
        for _ in bench.stream(plants(1)[0].question, offline=True):  # what loads with the first question
            pass
        report = run(bench, server, number, options.within_s)
    for fault in report.faults:
        print(f"FAULT {fault}")
    print(
        f"{number} questions within {options.within_s:g} s, {report.in_flight} in flight at once, "
        f"{report.cancelled} cancelled while written: "
        f"{len(report.faults)} mixed up or missing, all ended after {report.seconds:.1f} s\n"
        f"before the model was asked: p50 {report.before_ms(0.5):.0f} ms, "
        f"p95 {report.before_ms(0.95):.0f} ms\n"
        f"processor time: {report.cpu_ms:.0f} ms a question, the model server's included\n"
        f"cancelled connections closed {report.freed_s:.2f} s after the last cancel, none left open: "
        f"{report.is_free}\n"
        f"peak memory {report.peak_mb:.0f} MB, {report.grown_mb:.0f} MB of it for these questions"
    )
    return 1 if report.faults or not report.is_free else 0


if __name__ == "__main__":
    sys.exit(main())
