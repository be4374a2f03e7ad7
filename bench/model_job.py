"""A job that has a model read hundreds of contracts: kills, budgets, a key that ends, questions beside it.

    python -m bench.model_job [--data DIR] [--documents 310] [--minute 400000] [--at-once 4] [--wait-s 0.4]

The model is a scripted server on a real socket whose answer hangs on the prompt alone; it counts what it is
paid for by content. The contracts are those of the samples with other names and numbers, or of DIR/cuad. A
worker process (`groundwork worker`) does the job: it stops at a budget of 1,000 tokens a day, then at one
that reaches for a quarter, then at a key that ends (429, insufficient quota); each time the job is resumed.
Then the worker and all its children are killed three times (SIGKILL). This process asks questions meanwhile,
without the model, and before and after while the worker is idle.

Told are the calls paid for twice, and whether these were under way at a kill; the most tokens that the server
saw in any minute and in the day; what each stop said; p50 and p95 of the questions. Ends with 1 where a
document is not read, something else was paid twice, or a budget was passed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.ask_latency import questions
from bench.process_tree import ProcessTree
from core.config.load import load_settings
from core.config.models import Settings
from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.workbench import Workbench
from tests.support.paid_calls import PaidCalls
from tests.support.reading_cells import reading
from tests.support.scripted_llm import ScriptedLlm

BUCKET = "contracts"
KILLS = (0.45, 0.6, 0.8)
DAY = 50_000_000
LONGEST_S = 3_000.0
_SAMPLES = Path(__file__).parents[1] / "samples" / "collection" / "contracts"
_WORDS = ("Acme", "Agreement", "Contract", "Lease", "License")
_START_S = 15.0  # in which a worker is begun: it imports and looks through the home
_NAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper", "Larch")


def contracts(folder: Path, count: int, data: Path | None) -> None:
    """Write so many contracts into a folder."""
    folder.mkdir(parents=True)
    if data is not None:
        paths = sorted((data / "cuad" / "contracts").glob("*.txt"), key=lambda path: path.stat().st_size)
        for path in paths[:count]:
            (folder / path.name).write_bytes(path.read_bytes())
        return
    paths = [path for path in sorted(_SAMPLES.iterdir()) if path.suffix in (".md", ".txt", ".html")]
    for number in range(count):
        path = paths[number % len(paths)]
        name = f"{_NAMES[number % len(_NAMES)]}{number}"
        text = path.read_text("utf-8")
        for word in _WORDS:  # in the title, too, which stands in every prompt: no two prompts are alike
            text = text.replace(word, f"{name} {word}").replace(word.upper(), f"{name} {word}".upper())
        text = text.replace("00 ", f"{number % 90 + 10} ")
        (folder / f"{name.lower()}-{path.name}").write_text(f"{text}\nFile number {number}.\n", "utf-8")


def stated(title: str, evidence: str) -> tuple[str, str, str]:
    """Status, value and quote of a field: the first line with a long word of its title, else absent."""
    words = [word for word in title.casefold().split() if len(word) > 4]
    for line in evidence.splitlines():
        if any(word in line.casefold() for word in words):
            return "present", "yes", line.strip()
    return "absent", "", ""


def answer(body: dict[str, Any]) -> Any:
    """Reply that hangs on the prompt alone; its prompt tokens are a quarter of its characters."""
    step = reading(stated)(body)
    size = sum(len(each["content"]) for each in body["messages"]) // 4
    said = step.pieces[0].replace(b'"prompt_tokens": 500', f'"prompt_tokens": {size}'.encode())
    return type(step)((said.replace(b'"total_tokens": 600', f'"total_tokens": {size + 100}'.encode()),))


class Asking:
    """Questions asked in turn, without the model."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._questions = [f"What is said about {each}?" for each in ("termination", "payment", "liability")]
        self._questions += questions(8)
        self._next = 0
        self.begun: list[float] = []

    def ask(self, until: Callable[[], bool], least: int = 0) -> list[float]:
        """Milliseconds of each question's answer, `least` of them and until `until`."""
        waits: list[float] = []
        while len(waits) < least or not until():
            question = self._questions[self._next % len(self._questions)]
            self._next += 1
            began, waited = time.perf_counter(), 0.0
            self.begun.append(time.monotonic())
            for event in self._bench.stream(question, offline=True):
                if not waited and getattr(event, "answer", None) is not None:
                    waited = 1000 * (time.perf_counter() - began)
            waits.append(waited)
            time.sleep(0.05)
        return waits


def quantile(waits: Sequence[float], share: float) -> float:
    """The value below which that share lies."""
    return sorted(waits)[int(share * (len(waits) - 1))]


class JobRun:
    """The job and its worker."""

    def __init__(self, bench: Workbench, home: Path, paid: PaidCalls) -> None:
        self._bench, self._home, self._paid = bench, home, paid
        self._job: JobId | None = None
        self.kills: list[float] = []
        self.starts: list[float] = []
        self.worker = self._start()

    def _start(self) -> ProcessTree:
        self.starts.append(time.monotonic())
        return ProcessTree(["worker", "--home", self._home], self._home / "worker.log")

    @property
    def job(self) -> Job:
        """Its row now."""
        assert self._job is not None
        return self._bench.local.jobs.get(self._job)

    def begin(self) -> None:
        """Submit or resume it."""
        if self._job is None:
            self._job = self._bench.local.model_cells.start(BUCKET)
        else:
            self._bench.local.jobs.resume(self._job)

    def has_reached(self, share: float) -> bool:
        """True once it has read that share, or has ended."""
        job = self.job
        return job.state.is_ended or job.done >= share * max(1, job.total)

    def kill(self) -> int:
        """Kill the worker, start another; gives how many documents were read."""
        done = self.job.done
        self.kills.append(time.monotonic())
        self.worker.kill()
        self.worker.close()
        self.worker = self._start()
        return done

    def budget(self, **choices: str) -> None:
        """Set the budgets."""
        self._bench.local.settings.choose_model(**choices)


def run(bench: Workbench, home: Path, paid: PaidCalls, options: argparse.Namespace) -> list[str]:
    """All of it; gives what is wrong."""
    faults: list[str] = []
    asking, job = Asking(bench), JobRun(bench, home, paid)
    asking.ask(lambda: True, 60)  # not counted
    idle = asking.ask(lambda: True, 120)
    estimate = bench.local.model_cells.estimate(BUCKET)
    print(f"{estimate.documents} documents, {estimate.cells:,} cells, {estimate.calls} calls, about "
          f"{estimate.tokens:,} tokens", flush=True)  # fmt: skip
    began, waits = time.monotonic(), list[float]()

    def until_stop() -> Job:
        job.begin()
        until = time.monotonic() + LONGEST_S
        waits.extend(asking.ask(lambda: job.job.state.is_ended or time.monotonic() > until))
        return job.job

    minute = str(options.minute)
    for day, title in ((1_000, "1,000 tokens a day"), (estimate.tokens // 4, "a day for a part")):
        job.budget(tokens_per_day=str(day), tokens_per_minute=minute)
        ended, taken = until_stop(), sum(each.tokens for each in paid.calls)
        print(f"{title}: {ended.state}, {ended.done} read, {taken:,} of {day:,} tokens: {ended.error}")
        if ended.state is not JobState.FAILED or taken > day:
            faults.append(f"{title}: it did not stop, or was passed")
    paid.most = len(paid.calls) + max(4, estimate.calls // 8)
    job.budget(tokens_per_day=str(DAY))
    ended = until_stop()
    print(
        f"a key that ends: {ended.state}, {ended.done} read, {paid.refused} refused: {ended.error}",
        flush=True,
    )
    if ended.state is not JobState.FAILED:
        faults.append("the key ended, and the job did not stop")
    paid.most = None
    job.begin()
    for share in KILLS:
        waits.extend(asking.ask(lambda share=share: job.has_reached(share)))  # type: ignore[misc]
        print(f"killed after {job.kill()} documents", flush=True)
    until = time.monotonic() + LONGEST_S
    waits.extend(asking.ask(lambda: job.job.state.is_ended or time.monotonic() > until))
    ended, seconds = job.job, time.monotonic() - began
    pairs = list(zip(asking.begun[-len(waits) :], waits, strict=True))
    calm = [wait for at, wait in pairs if not any(0 <= at - start < _START_S for start in job.starts)]
    time.sleep(5)
    idle_after = asking.ask(lambda: True, 120)
    job.worker.stop()
    faults += told(bench, job, paid, ended, options.minute, options.at_once)
    tally = bench.local.model_cells.tally(ended.id)
    print(f"{ended.state}: {ended.done} of {ended.total} read in {seconds:.0f} s; {tally.read:,} cells, "
          f"{tally.decided:,} decided")  # fmt: skip
    for name, found in (
        ("idle before", idle),
        ("while it reads", calm),
        ("with starts of workers", waits),
        ("idle after", idle_after),
    ):
        print(f"questions, {name}: {len(found)}, p50 {quantile(found, 0.5):.0f} ms, "
              f"p95 {quantile(found, 0.95):.0f} ms")  # fmt: skip
    return faults


def told(bench: Workbench, job: JobRun, paid: PaidCalls, ended: Job, minute: int, at_once: int) -> list[str]:
    """Print what was paid; gives what is wrong with it."""
    again, others = paid.again(job.kills)
    day, most = sum(each.tokens for each in paid.calls), paid.most_tokens(60.0)
    counted = bench._parts.records.model_calls.day_tokens()
    print(
        f"{len(paid.calls):,} calls paid, {sum(again) + others} of them again: {', '.join(map(str, again))} "
        f"that were under way at the kills, {others} others\n"
        f"most tokens in a minute at the server: {most:,} of {minute:,}; in the day {day:,}, "
        f"counted {counted:,}"
    )
    faults = []
    if ended.state not in (JobState.DONE, JobState.PARTIAL) or ended.done < ended.total:
        faults.append(f"the job ended {ended.state}: {ended.error}")
    if others or max(again) > at_once:
        faults.append("something was paid twice that was not under way at a kill")
    if most > minute or day > counted:
        faults.append("a budget was passed")
    return faults


def main() -> int:
    """Measure and print; exit code 1 where something is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of public data; default: the samples")
    parser.add_argument("--documents", type=int, default=310)
    parser.add_argument("--minute", type=int, default=400_000)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--wait-s", type=float, default=0.4)
    options = parser.parse_args()
    paid = PaidCalls(answer, options.wait_s)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ScriptedLlm(paid) as server:
        home = Path(folder) / "home"
        os.environ |= {
            "GROUNDWORK_LLM__BASE_URL": server.url,
            "GROUNDWORK_LLM__READING_AT_ONCE": str(options.at_once),
        }
        contracts(Path(folder) / "texts", options.documents, options.data)
        settings: Settings = load_settings(home)
        with Workbench.open(home, settings) as bench:
            bench.local.documents.ingest([Path(folder) / "texts"], bucket=BUCKET)
            bench.warm()
            faults = run(bench, home, paid, options)
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
