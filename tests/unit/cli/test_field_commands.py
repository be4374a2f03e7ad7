"""`matrix`, `extract`, `search --index` and the fields of `documents show`: the JSON of the interface."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli.main import groundwork
from core.errors import RefusedError, UsageError

LEASE = """WAREHOUSE LEASE AGREEMENT

This Lease Agreement is entered into as of March 1, 2024 by and between Mill Road Holdings LLC ("Landlord")
and Orchard Foods Inc. ("Tenant").

9. INSURANCE

The Tenant shall maintain commercial general liability insurance of at least $1,000,000 at all times.

12. GOVERNING LAW

This Agreement shall be governed by and construed in accordance with the laws of the State of Delaware.
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fields")
    home = folder / "home"
    home.mkdir()
    (home / "groundwork.toml").write_text(
        "[users.ann]\nroles = ['contract_read']\ngroups = ['legal']\n[users.bob]\nroles = ['contract_read']\n"
    )
    (folder / "=lease.txt").write_text(LEASE)
    run(home, "ingest", str(folder / "=lease.txt"), "--bucket", "contracts", "--acl", "legal")
    return home


def run(home: Path, *arguments: str) -> dict[str, Any]:
    """The JSON document of a command."""
    result = CliRunner().invoke(
        groundwork, [*arguments, "--home", str(home), "--json"], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_matrix_has_the_keys_of_the_interface_and_values_of_their_types(home: Path) -> None:
    found = run(home, "matrix", "--bucket", "contracts")

    needed = {"document", "field", "value", "status", "confidence", "method", "spans", "type", "unit"}
    assert all(needed <= cell.keys() for cell in found["cells"])
    assert {field["name"] for field in found["fields"]} >= {cell["field"] for cell in found["cells"]}
    cells = {cell["field"]: cell for cell in found["cells"]}
    assert cells["governing_law"]["value"] == "Delaware"
    assert cells["agreement_date"]["value"] == "2024-03-01"
    assert all(cell["value"] is None for cell in found["cells"] if cell["status"] != "present")
    assert all(
        cell["value"] is True
        for cell in found["cells"]
        if cell["status"] == "present" and cell["type"] == "boolean"
    )


def test_only_the_fields_asked_for_come_in_the_order_asked_for(home: Path) -> None:
    found = run(home, "matrix", "--fields", "insurance,governing_law")

    assert [field["name"] for field in found["fields"]] == ["insurance", "governing_law"]
    assert [cell["field"] for cell in found["cells"]] == ["insurance", "governing_law"]
    with pytest.raises(UsageError, match="no field 'lawyer'"):
        run(home, "matrix", "--fields", "lawyer")


def test_a_shown_document_states_its_fields_with_their_exact_words(home: Path) -> None:
    [listed] = run(home, "documents", "list")["documents"]

    shown = run(home, "documents", "show", listed["id"])

    pages = {page["page"]: page["text"] for page in shown["pages"]}
    spans = [span for cell in shown["fields"] for span in cell["spans"]]
    assert spans
    assert all(pages[span["page"]][span["start"] : span["end"]] == span["quote"] for span in spans)


def test_a_search_in_clauses_finds_one_where_its_conditions_hold(home: Path) -> None:
    found = run(home, "search", "insurance", "--index", "clauses", "--where", "governing_law = Delaware")
    other = run(home, "search", "insurance", "--index", "clauses", "--where", "governing_law = Nevada")
    passages = run(home, "search", "insurance", "--where", "governing_law = Nevada")

    hit = found["hits"][0]
    assert {
        "rank",
        "score",
        "index",
        "document",
        "title",
        "source",
        "page",
        "start",
        "end",
        "text",
    } <= hit.keys()
    assert hit["index"] == "clauses"
    assert other["hits"] == passages["hits"] == []


def test_what_a_user_may_not_see_is_in_no_command(home: Path) -> None:
    assert run(home, "matrix", "--as", "bob")["cells"] == []
    assert run(home, "matrix", "--as", "ann")["cells"]
    assert run(home, "search", "insurance", "--index", "clauses", "--as", "bob")["hits"] == []
    with pytest.raises(RefusedError):
        run(home, "extract", "--as", "ann")


def test_an_export_names_every_document_and_begins_no_formula(home: Path, tmp_path: Path) -> None:
    run(home, "matrix", "--out", str(tmp_path / "matrix.csv"))

    with (tmp_path / "matrix.csv").open(encoding="utf-8-sig", newline="") as file:
        [row] = csv.DictReader(file)
    assert row["Governing law"] == "Delaware"
    assert row["Governing law status"] == "present"
    assert "page=1" in row["Governing law link"]
    assert not [value for value in row.values() if value.startswith(("=", "+", "-", "@"))]


def test_an_extraction_fills_what_lacks_and_again_all(home: Path) -> None:
    nothing = run(home, "extract", "--bucket", "contracts")
    everything = run(home, "extract", "--again")

    assert (nothing["state"], nothing["total"]) == ("done", 0)
    assert (everything["state"], everything["done"], everything["total"]) == ("done", 1, 1)
    assert [item["status"] for item in everything["items"]] == ["ready"]
