"""A scripted model that counts by content what it is paid for, and whose key can end."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.scripted_llm import Step, failure

_MARK = re.compile(r"data-\w+")  # of a fence: made anew for each prompt


@dataclass(frozen=True, slots=True)
class PaidCall:
    """One request that was answered. key: of its content; ended: the moment for which its end is planned."""

    key: str
    began: float
    ended: float
    tokens: int


class PaidCalls:
    """Answers as `answer` does, each after `wait_s`. Thread-safe."""

    def __init__(self, answer: Callable[[dict[str, Any]], Step], wait_s: float = 0.0) -> None:
        self._answer, self._wait_s = answer, wait_s
        self._lock = threading.Lock()  # guards the list
        self.calls: list[PaidCall] = []
        self.refused = 0
        self.most: int | None = None  # calls until the key ends

    def __call__(self, body: dict[str, Any]) -> Step:
        with self._lock:
            if self.most is not None and len(self.calls) >= self.most:
                self.refused += 1
                return failure(429, "You exceeded your current quota.", code="insufficient_quota")
        step = self._answer(body)
        told = "\n".join(_MARK.sub("data", each["content"]) for each in body["messages"])
        usage = re.search(rb'"total_tokens": (\d+)', step.pieces[0])
        now = time.monotonic()
        call = PaidCall(
            hashlib.sha256(told.encode()).hexdigest(),
            now,
            now + self._wait_s,
            int(usage[1]) if usage else 0,
        )
        with self._lock:
            self.calls.append(call)
        return Step(step.pieces, wait_s=self._wait_s)

    def again(self, moments: Sequence[float], late_s: float = 5.0) -> tuple[list[int], int]:
        """How many calls were paid again that had been under way at each moment, and how many others.

        Under way is a call whose reply was not kept: it came before the moment, and again behind it. late_s:
        it ended so long before at most; more is no matter of its being kept in time.
        """
        counts, others, known = [0] * len(moments), 0, dict[str, PaidCall]()
        for each in self.calls:
            before = known.get(each.key)
            known[each.key] = each
            if before is None:
                continue
            between = [at for at, moment in enumerate(moments) if before.began <= moment <= each.began]
            if between and moments[between[0]] <= before.ended + late_s:
                counts[between[0]] += 1
            else:
                others += 1
        return counts, others

    def most_tokens(self, within_s: float) -> int:
        """The most tokens of calls that came within so many seconds."""
        most = taken = first = 0
        for each in self.calls:
            taken += each.tokens
            while self.calls[first].began <= each.began - within_s:
                taken -= self.calls[first].tokens
                first += 1
            most = max(most, taken)
        return most
