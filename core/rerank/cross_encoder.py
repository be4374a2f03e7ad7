"""Cross-encoders by their folder, in a child process: torch and onnxruntime never load where it is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import RerankError
from core.processes.children import Child
from core.processes.loop import Reply
from core.rerank.base import RerankerSpec

LOADS_WITHIN_S = 120.0
WAITS_FOR_LOADING_S = 20.0  # of the first question of a process; a server has loaded it by then
_AGAIN_S = 60.0  # after it could not be loaded


class CrossEncoderReranker:
    """A Reranker over a cross-encoder. Thread-safe; one question is scored at a time."""

    def __init__(self, folder: Path, within_s: float) -> None:
        self._folder = folder
        self._within_s = within_s
        self._asking = threading.Lock()  # guards the child: one exchange at a time
        self._child: Child | None = None
        self._problem = ""
        self._again_at = 0.0
        self._is_closed = False
        self._ready = threading.Event()
        self._load()

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A number for each text. Raises RerankError while it is loaded, where it is late or broken."""
        if not self._ready.wait(WAITS_FOR_LOADING_S):
            raise RerankError(f"The reranker {self._folder.name!r} is still being loaded.")
        until = time.monotonic() + self._within_s
        if not self._asking.acquire(timeout=self._within_s):
            raise RerankError(f"The reranker {self._folder.name!r} is busy with other questions.")
        try:
            return self._scored(question, texts, max(until - time.monotonic(), 0.0))
        finally:
            self._asking.release()

    def close(self) -> None:
        """End the child; safe to call twice."""
        self._is_closed = True
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def _scored(self, question: str, texts: Sequence[str], within_s: float) -> Sequence[float]:
        if self._child is None:
            problem = self._problem or f"The reranker {self._folder.name!r} ended."
            if time.monotonic() >= self._again_at:
                self._load()
            raise RerankError(problem, next_step="Set retrieval.rerank to off, or name a complete folder.")
        try:
            reply: Reply[list[float]] = self._child.exchange((question, list(texts)), within_s)
        except (TimeoutError, EOFError) as error:
            self._let_go()
            late = isinstance(error, TimeoutError)
            what = f"took longer than {self._within_s:g} s (retrieval.rerank_s)" if late else "ended"
            raise RerankError(f"The reranker {self._folder.name!r} {what}.") from error
        if reply.value is None:
            raise RerankError(f"The reranker {self._folder.name!r} failed: {reply.reason}")
        return reply.value

    def _let_go(self) -> None:
        if self._child is not None:
            self._child.kill()
        self._child = None
        self._load()

    def _load(self) -> None:
        self._ready.clear()
        self._again_at = time.monotonic() + _AGAIN_S
        threading.Thread(target=self._start, name="reranker", daemon=True).start()

    def _start(self) -> None:
        child: Child | None = None
        try:
            child = Child("core.rerank.cross_encoder_child")
            child.exchange(str(self._folder), LOADS_WITHIN_S)
            reply: Reply[Any] = child.exchange(("ready?", ["ready"]), LOADS_WITHIN_S)
            self._problem = "" if reply.value else f"{str(self._folder)!r} is no reranker: {reply.reason}"
        except (OSError, EOFError, TimeoutError) as error:
            self._problem = f"The reranker {self._folder.name!r} cannot be started ({type(error).__name__})."
        if child is not None and (self._problem or self._is_closed):
            child.kill()
        elif child is not None:
            self._child = child
        self._ready.set()


def _open(folder: str, within_s: float) -> CrossEncoderReranker:
    path = Path(folder).expanduser()
    if not (path / "config.json").is_file():
        raise RerankError(
            f"There is no reranker in {folder!r}.",
            next_step="Name a folder with config.json, tokenizer.json and weights (or model.onnx).",
        )
    return CrossEncoderReranker(path, within_s)


CROSS_ENCODER = RerankerSpec(_open)
