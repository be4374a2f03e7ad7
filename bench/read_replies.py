"""Run a command with a model whose readings of questions are kept in a file, as somebody wrote them by hand.

    python -m bench.read_replies REPLIES.jsonl WAITING.jsonl -- python -m bench.workbooks --kept

An OpenAI-compatible server stands before the command. Readings are answered from REPLIES, lines with `key`
and `reply`; those without a reply are written to WAITING, with `key` and `messages`, and read as questions
about the text meanwhile. All other requests get an empty reply. Whoever stands in for a model answers what
waits, seeing nothing but these prompts, and the command is run again until nothing waits. The day and its
weekday are no part of a key, so that a file of replies can be used on another day.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

OF_TEXT = json.dumps({"need": "collection", "reading": "", "steps": [{"id": "s1", "operation": "text"}]})
"""The reading of a question whose reply is still to be written."""

_CHANGING = re.compile(r"Today is \w+, [\d-]+\.|data-[0-9a-f]+")  # the day, and the mark of a block


def key_of(body: dict[str, Any]) -> str:
    """The key of a request: a digest of what it asks, whatever the day."""
    said = [_CHANGING.sub("", each["content"]) for each in body["messages"] if each["role"] == "user"]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def is_reading(body: dict[str, Any]) -> bool:
    """True of a request for the reading of a question."""
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema", {})
    return "steps" in schema.get("properties", {})


class _Kept(ThreadingHTTPServer):
    def __init__(self, replies: dict[str, str], waiting: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies, self.waiting, self.lock = replies, waiting, threading.Lock()
        self.asked: set[str] = set()

    def reply(self, body: dict[str, Any]) -> str | None:
        """The reply to a request; None for one that reads no question."""
        if not is_reading(body):
            return None
        key = key_of(body)
        if key not in self.replies:
            with self.lock:
                if key not in self.asked:
                    self.asked.add(key)
                    line = json.dumps({"key": key, "messages": body["messages"]}, ensure_ascii=False)
                    with self.waiting.open("a", encoding="utf-8") as file:
                        file.write(line + "\n")
        return self.replies.get(key, OF_TEXT)


class _Handler(BaseHTTPRequestHandler):
    server: _Kept

    def do_GET(self) -> None:
        """The list of models."""
        self._send_bytes(json.dumps({"object": "list", "data": [{"id": "kept", "object": "model"}]}).encode())

    def do_POST(self) -> None:
        """One completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if body.get("stream"):
            self._send_bytes(b"data: [DONE]\n\n", "text/event-stream")
            return
        reply = self.server.reply(body) or ""  # which no caller can use
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        said = {"id": "k", "object": "chat.completion", "model": "kept", "choices": [choice], "usage": usage}
        self._send_bytes(json.dumps(said).encode())

    def _send_bytes(self, data: bytes, media_type: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""


@contextmanager
def serving(replies: Path, waiting: Path) -> Iterator[str]:
    """A server over a file of replies; gives its address."""
    lines = replies.read_text(encoding="utf-8").splitlines() if replies.exists() else []
    waiting.unlink(missing_ok=True)
    server = _Kept({line["key"]: line["reply"] for line in map(json.loads, lines)}, waiting)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()


def main() -> int:
    """Run the command; its code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("replies", type=Path)
    parser.add_argument("waiting", type=Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with serving(options.replies, options.waiting) as url:
        limits = {"TOKENS_PER_QUESTION": "400000", "TOKENS_PER_DAY": "1000000000", "TOKENS_PER_MINUTE": "0"}
        env = {f"GROUNDWORK_LLM__{name}": value for name, value in limits.items()}
        code = subprocess.run(
            options.command, env=os.environ | env | {"GROUNDWORK_LLM__BASE_URL": url}, check=False
        ).returncode
    waits = options.waiting.read_text(encoding="utf-8").count("\n") if options.waiting.exists() else 0
    print(f"{waits} readings wait for a reply")
    return code


if __name__ == "__main__":
    sys.exit(main())
