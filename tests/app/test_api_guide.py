"""The examples of docs/api.md, run in their order against a real server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.support.api_server import LEASE, ApiServer

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
BLOCK = re.compile(r"```(python|http)\n(.*?)```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """A request of the guide with the status that it says."""

    method: str
    path: str
    headers: dict[str, str]
    body: str
    status: int


def example_of(text: str) -> Example:
    head, *rest = text.strip().split("\n\n")
    first, *lines = head.splitlines()
    method, path = first.split()
    headers = dict(line.split(": ", 1) for line in lines)
    return Example(method, path, headers, "\n\n".join(rest[:-1]), int(rest[-1]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("guide")
    (made / "contracts").mkdir()
    (made / "contracts" / "lease.txt").write_text(LEASE)
    return made


def test_every_example_does_what_the_guide_says(
    server: ApiServer, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {"address": server.address, "token": server.token}
    blocks = BLOCK.findall(GUIDE)
    assert {kind for kind, _ in blocks} == {"python", "http"}
    with httpx.Client(base_url=server.address, timeout=90) as plain:
        for kind, text in blocks:
            if kind == "python":
                exec(compile(text, "docs/api.md", "exec"), names)
                continue
            example = example_of(text)
            headers = {**example.headers, "Authorization": f"Bearer {server.token}"}
            found = plain.request(example.method, example.path, headers=headers, content=example.body or None)
            assert found.status_code == example.status, (text, found.text)
            if example.status >= 400:
                assert found.headers["content-type"] == "application/problem+json"
                assert {"detail", "next_step", "request_id"} <= found.json().keys()
    printed = capsys.readouterr().out
    assert "ninety days" in printed
    assert "finished" in printed
