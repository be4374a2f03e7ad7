"""No request to a language model holds anything of a document that the asker may not see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.config.load import load_settings
from core.domain.answer import Answer
from core.domain.principal import Principal
from core.workbench import Workbench
from core.workbench.session import Session
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.model_desk import ModelDesk
from tests.support.model_plans import TEXT
from tests.support.roles import MAY_ASK
from tests.support.scripted_llm import ScriptedLlm, Step, reply, reply_json

OPEN = """# Maple agreement

This Service Agreement is made between Maple Corporation and Nordwind GmbH.
It is effective on 2019-03-01. Either party may terminate on 30 days written notice.
This Agreement is governed by the laws of Texas.
"""
HIDDEN = """# Orpington agreement

This Service Agreement is made between Orpington Corporation and Xylomer Holdings LLC.
It is effective on 2021-09-13. Either party may terminate on 77 days written notice.
This Agreement is governed by the laws of Montana. The code word is quillfeather.
"""
LEDGER = "Depot,Vexillum units\nWobbleton,471152830\nSnorkelby,815\n"
NEVER = (
    *("orpington", "xylomer", "montana", "quillfeather", "2021-09-13", "77 days"),
    *("vexillum", "wobbleton", "snorkelby", "471152830", "mergers"),
)
ANN = Principal("ann", MAY_ASK, groups=frozenset({"sales"}))
BOB = Principal("bob", MAY_ASK, groups=frozenset({"board"}))


@dataclass
class Desk(ModelDesk):
    """Plans nothing that runs, and calls these tools, one at a time."""

    tools: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def __call__(self, body: dict[str, Any]) -> Step:
        form = (body.get("response_format") or {}).get("json_schema", {})
        if "steps" in form.get("schema", {}).get("properties", {}):
            return reply_json(TEXT)
        if body.get("tools"):
            called = sum(message["role"] == "tool" for message in body["messages"])
            if called == len(self.tools):
                return reply("Done.")
            name, arguments = self.tools[called]
            return reply(tool_calls=[(name, json.dumps(arguments))])
        if "tool" in form.get("schema", {}).get("properties", {}) and self.tools:
            name, arguments = self.tools[0]
            return reply_json(
                {"decision": "more", "tool": name, "arguments": json.dumps(arguments), "reason": ""}
            )
        return super().__call__(body)


class Asking:
    """A workbench with documents for everybody, for sales and for the board, and its scripted model."""

    def __init__(self, bench: Workbench, desk: Desk, server: ScriptedLlm) -> None:
        self.bench, self.desk, self.server = bench, desk, server
        documents = bench.for_principal(BOB).documents.list()
        self.hidden = {Path(each.source).name: str(each.id) for each in documents if "board" in each.acl}
        assert len(self.hidden) == 2

    @property
    def ann(self) -> Session:
        return self.bench.for_principal(ANN)

    def ask(
        self, question: str, *tools: tuple[str, dict[str, Any]], who: Principal = ANN, **how: Any
    ) -> Answer:
        """What the model was sent for it, is in `sent`."""
        self.desk.tools = list(tools)
        self.server.requests.clear()
        return self.bench.for_principal(who).questions.ask(question, **how)

    def sent(self) -> str:
        """All that was sent, without what the model itself had said before."""
        assert self.server.requests
        bodies = [
            {**body, "messages": [each for each in body["messages"] if each["role"] != "assistant"]}
            for body in self.server.requests
        ]
        return json.dumps(bodies).casefold()

    def leaked(self, *but: str) -> list[str]:
        sent = self.sent()
        return [each for each in (*NEVER, *self.hidden.values()) if each in sent and each not in but]


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    folder = tmp_path_factory.mktemp("hidden")
    for name, text in (("maple.md", OPEN), ("orpington.md", HIDDEN), ("wobbleton.csv", LEDGER)):
        (folder / name).write_text(text, encoding="utf-8")
    desk = Desk()
    parts = PartsWith(load_settings(folder / "home"), HashedEncoder())
    with ScriptedLlm(desk) as server, Workbench(parts) as bench:
        admin = bench.local
        admin.settings.choose_model(base_url=server.url, tokens_per_minute="0", verify="false")
        admin.documents.ingest([folder / "maple.md"], bucket="contracts", acl=("sales",))
        admin.documents.ingest([folder / "orpington.md"], bucket="contracts", acl=("board",))
        admin.documents.ingest([folder / "wobbleton.csv"], bucket="mergers", acl=("board",))
        admin.schemas.extract()
        yield Asking(bench, desk, server)


HARD = (
    "How many agreements sit beneath Texan rules and are floral?",
    "Which agreements with holdings are floral and older than the vexillum units of the depot?",
)


@pytest.mark.parametrize("question", HARD)
def test_a_planning_prompt_holds_nothing_that_is_hidden(asking: Asking, question: str) -> None:
    asking.ask(question)

    said = [each for each in NEVER if each in question.casefold()]
    assert '"operation"' in asking.sent()
    assert asking.leaked(*said) == []


def test_who_may_see_it_has_it_in_the_planning_prompt(asking: Asking) -> None:
    asking.ask(HARD[1], who=BOB)

    assert "mergers" in asking.leaked()


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_text", {"query": "Orpington Xylomer"}),
    ("search_semantic", {"query": "which depot holds the most units", "top_k": 1000}),
    ("search_text", {"query": "notice", "bucket": "mergers"}),
    ("search_text", {"query": "notice", "filters": ["governing_law = Montana"]}),
    ("search_text", {"query": "notice", "index": "sentences"}),
    ("search_text", {"query": "depot", "index": "tables"}),
    ("annotations_search", {"predicates": [{"field": "governing_law", "op": "=", "value": "Montana"}]}),
    ("annotations_search", {"predicates": [{"field": "governing_law", "op": "present"}]}),
    ("annotations_search", {"bucket": "mergers"}),
    ("annotations_aggregate", {"group_by": ["governing_law"]}),
    ("annotations_aggregate", {"group_by": ["parties"]}),
    ("annotations_aggregate", {"bucket": "mergers"}),
    ("get_document_metadata", {"doc_id": "nothing"}),
)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: json.dumps(call[1]))
@pytest.mark.parametrize("agent", ["loop", "orchestrator"])
def test_a_tool_gives_nothing_that_is_hidden(asking: Asking, agent: str, call: tuple[str, Any]) -> None:
    asking.ask("On how many days may either party terminate?", call, agent=agent)

    assert asking.leaked() == []


@pytest.mark.parametrize("source", ["orpington.md", "wobbleton.csv"])
def test_a_hidden_document_is_as_one_that_there_is_none_of(asking: Asking, source: str) -> None:
    id = asking.hidden[source]
    calls = [
        ("search_text", {"query": "notice depot", "doc_id": id}),
        ("annotations_search", {"doc_id": id}),
        ("annotations_aggregate", {"doc_id": id}),
        ("get_document_metadata", {"doc_id": id}),
    ]
    results = []
    for name, arguments in calls:
        for doc_id in (id, "0" * len(id)):
            asking.ask(
                "On how many days may either party terminate?",
                (name, {**arguments, "doc_id": doc_id}),
                agent="loop",
            )
            told = [
                m["content"]
                for body in asking.server.requests
                for m in body["messages"]
                if m["role"] == "tool"
            ]
            results.append(told[0].replace(doc_id, "ID"))
            assert asking.leaked(id) == []
    for hidden, absent in zip(results[::2], results[1::2], strict=True):
        assert hidden.split("\n")[1:-1] == absent.split("\n")[1:-1]


def test_prose_is_written_over_what_may_be_seen(asking: Asking) -> None:
    answer = asking.ask("On how many days written notice may either party terminate the agreement?")

    assert asking.leaked() == []
    assert not any(each in answer.model_dump_json().casefold() for each in NEVER)


def test_a_clarification_names_nothing_that_is_hidden(asking: Asking) -> None:
    answer = asking.ask("When does the agreement of the corporation become effective?")

    assert not any(each in answer.model_dump_json().casefold() for each in NEVER)
    assert asking.leaked() == []


def test_what_an_earlier_answer_quoted_is_not_sent_once_it_is_hidden(asking: Asking) -> None:
    follow_up = "And by fax or telephone?"
    question = "On how many days written notice may either party terminate the agreement?"
    conversations = asking.bench.for_principal(BOB).conversations
    seen = conversations.create().id
    turn = conversations.start_turn(seen, question)
    conversations.finish_turn(turn.id, asking.ask(question, who=BOB))
    asking.ask(follow_up, who=BOB, conversation=seen)
    assert "orpington" in asking.leaked()
    moved = Principal(BOB.user, MAY_ASK, groups=frozenset({"sales"}))

    asking.ask(follow_up, who=moved, conversation=seen)

    assert asking.leaked() == []
