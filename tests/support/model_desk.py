"""A scripted model that writes what the evidence of its prompt says, well or badly, as a test chooses."""

from __future__ import annotations

import json
import re
import time
from typing import Any

from tests.support.scripted_llm import Step, data, event, reply, reply_json, stream

_UNIT = re.compile(r'<data-\w+ id="(e\d+)">\n\[(?:.*?)\]\n(.*?)\n</data-', re.S)
WRONG = "The pumps of the Halden plant were sold for USD 987,654."
PIECE = 12


class ModelDesk:
    """The script of a server, and how it behaves from the next request on.

    between_s: before each piece of prose. wrong: writes a sentence that no evidence bears, too. hangs: stays
    silent after its first sentence. whole: what a follow-up is turned into. first_at: when the first words
    of the last prose were sent, as `time.time()`. tools_wait_s: before the tool call of a test. calculates:
    has the share of the second row of a table in the first calculated. misses: words that it has searched for
    before it writes.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.between_s, self.wrong, self.hangs, self.whole, self.first_at = 0.0, False, False, "", 0.0
        self.tools_wait_s, self.calculates, self.misses = 0.0, False, ""

    def __call__(self, body: dict[str, Any]) -> Step:
        user = body["messages"][-1]["content"]
        if body.get("stream"):
            return self._write(user)
        if body.get("tools"):
            return self._call_a_tool(body)
        form = (body.get("response_format") or {}).get("json_schema", {}).get("schema", {})
        return self._fill(form, user)

    def _write(self, user: str) -> Step:
        units = _UNIT.findall(user)
        if not units:
            return stream("Hello from the model.", usage=(20, 5))
        if self.misses and "You searched for:" not in user:
            return stream(json.dumps({"search": self.misses, "doc_id": ""}) + "\n")
        if self.calculates:
            return stream(*(json.dumps(line) + "\n" for line in _calculated(*units[0])))
        lines = []
        for id, text in units[:2]:
            sentences = re.split(r"(?<=\.)\s+", " ".join(re.sub(r"#[^\n]*", "", text).split()))
            lines += [{"text": each, "ids": [id]} for each in sentences[:2] if len(each) > 20]
        if self.wrong:
            lines.insert(1, {"text": WRONG, "ids": [units[0][0]]})
        if self.hangs:
            first = json.dumps(lines[0]) + "\n"
            silent = (event({"delta": {"content": first}}), data({"id": "s", "choices": []}))
            return Step(silent, media_type="text/event-stream", between_s=10.0)
        text = "".join(json.dumps(line) + "\n" for line in lines)
        self.first_at = time.time() + self.between_s
        pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
        return stream(*pieces, between_s=self.between_s, usage=(900, 200))

    def _call_a_tool(self, body: dict[str, Any]) -> Step:
        names = [each["function"]["name"] for each in body["tools"]]
        if names == ["look_up"]:
            return reply(tool_calls=[("look_up", json.dumps({"word": "pump"}))], wait_s=self.tools_wait_s)
        if any(message["role"] == "tool" for message in body["messages"]):
            return reply("Done.")
        return reply(tool_calls=[("search_text", json.dumps({"query": "pumps", "top_k": 3}))])

    def _fill(self, form: dict[str, Any], user: str) -> Step:
        names = set(form.get("properties", {}))
        if "hour" in names:
            return reply_json({"hour": 9, "word": "nine"})
        if "verdicts" in names:
            claims = len(re.findall(r"^Claim \d+", user, re.MULTILINE))
            judged = [{"claim": at + 1, "supported": True, "reason": ""} for at in range(claims)]
            return reply_json({"verdicts": judged, "answers": "yes"})
        if "steps" in names:  # the reading of a question: what the text says, or the questions that it asks
            asked = user.rpartition('id="question">')[2].partition("</data")[0]
            several = re.findall(r"[^?]+\?", asked.strip())
            if len(several) > 1:
                return reply_json({"questions": [each.strip() for each in several]})
            return reply_json({"need": "collection", "steps": [{"id": "answer", "operation": "text"}]})
        if names == {"question"}:
            return reply_json({"question": self.whole})
        return reply_json({"claims": []})


def _calculated(id: str, text: str) -> list[dict[str, Any]]:
    rows = [line for line in text.splitlines() if line[-1:].isdigit() and "(" not in line]
    figures = [re.findall(r"[\d,]+", row)[0] for row in rows]
    operands = {
        name: {"id": id, "quote": row, "figure": figure}
        for name, row, figure in zip("ab", rows, figures, strict=False)
    }
    return [
        {"calc": "c1", "label": "cost of the revenue", "expr": "share(b, a)", "operands": operands},
        {"text": "The cost of the Fjord plant was {c1} of its revenue in 2022.", "ids": [id]},
    ]
