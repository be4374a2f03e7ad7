from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.ids import TraceId
from core.domain.principal import Principal
from core.errors import NotFoundError, UsageError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand

ANN = Principal("ann", frozenset({"analyst"}))
BOB = Principal("bob", frozenset({"analyst"}))


@pytest.fixture
def contracts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def ask(contracts: Contracts, question: str, who: Principal = ANN) -> TraceId:
    return TraceId(contracts.bench.for_principal(who).questions.ask(question).trace_id)


def rows(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(archive.read(name).decode())))


def test_a_pack_holds_the_answer_its_pages_and_checksums_that_hold(
    contracts: Contracts, tmp_path: Path
) -> None:
    trace = ask(contracts, "What is the governing law of Acme?")
    file = tmp_path / "pack.zip"

    count = contracts.bench.local.evidence_packs.write(trace, file)

    with zipfile.ZipFile(file) as archive:
        names = set(archive.namelist())
        sums = dict(
            reversed(line.split("  ", 1)) for line in archive.read("SHA256SUMS").decode().splitlines()
        )
        assert set(sums) == names - {"SHA256SUMS"}
        for name, value in sums.items():
            assert hashlib.sha256(archive.read(name)).hexdigest() == value
        [image] = [name for name in names if name.endswith(".jpg")]
        assert archive.read(image).startswith(b"\xff\xd8")
        assert json.loads(archive.read("answer.json"))["trace_id"] == trace
        assert json.loads(archive.read("plan.json"))[0]["nodes"]
        assert json.loads(archive.read("audit-check.json"))["ok"]
        [cited] = rows(archive, "citations.csv")
        assert (cited["quote"], cited["holds"], cited["image"]) == ("Delaware", "yes", image)
        assert [each["part"] for each in rows(archive, "ledger.csv")] == ["present"]
        assert rows(archive, "audit.csv")[0]["deed"] == "question.ask"
        assert image in archive.read("answer.html").decode()
    assert count == len(names)
    with pytest.raises(UsageError, match="there already"):
        contracts.bench.local.evidence_packs.write(trace, file)


def test_a_name_that_is_a_formula_is_none_in_the_pack(contracts: Contracts) -> None:
    contracts.add("=cmd|'/c calc'!A0", "Texas")
    trace = ask(contracts, "List the contracts by governing law")

    with zipfile.ZipFile(io.BytesIO(contracts.bench.local.evidence_packs.data(trace))) as archive:
        for name in ("ledger.csv", "citations.csv", "audit.csv"):
            cells = [cell for row in csv.reader(io.StringIO(archive.read(name).decode())) for cell in row]
            assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "-"))]


def test_a_pack_is_for_who_asked_and_says_what_was_not_checked(contracts: Contracts) -> None:
    trace = ask(contracts, "What is the governing law of Cobalt?")

    with pytest.raises(NotFoundError):
        contracts.bench.for_principal(BOB).evidence_packs.data(trace)
    data = contracts.bench.for_principal(ANN).evidence_packs.data(trace)

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert json.loads(archive.read("audit-check.json"))["ok"] is None
        assert "was not checked" in archive.read("answer.html").decode()
        assert any(name.endswith(".txt") for name in archive.namelist() if name.startswith("evidence/"))


def test_a_removed_document_is_told(contracts: Contracts) -> None:
    trace = ask(contracts, "What is the governing law of Cobalt?")
    contracts.bench.local.documents.remove([contracts.made["Cobalt agreement"]])

    with zipfile.ZipFile(io.BytesIO(contracts.bench.local.evidence_packs.data(trace))) as archive:
        assert rows(archive, "citations.csv")[0]["holds"] == "no"
        assert "could not be read" in archive.read("answer.html").decode()
