import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli.doctor import doctor
from core.cli.main import groundwork, main
from core.domain.upkeep import Repair, RepairReport
from core.errors import RefusedError, UsageError
from core.workbench import Workbench


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a readable lease, a restricted memo and a file that failed."""
    folder = tmp_path_factory.mktemp("cli")
    home = folder / "home"
    home.mkdir()
    (home / "groundwork.toml").write_text(
        "[users.ann]\nroles = ['contract_read']\ngroups = ['legal']\n[users.bob]\nroles = ['contract_read']\n"
    )
    (folder / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.")
    (folder / "memo.txt").write_text("The settlement with Kappa Haulage costs $90,000.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing more")
    run(home, "ingest", str(folder / "memo.txt"), "--acl", "legal")
    code, _ = run(home, "ingest", str(folder / "lease.txt"), str(folder / "broken.pdf"), "--bucket", "leases")
    assert code == 3
    return home


def run(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON document of a command."""
    result = CliRunner().invoke(
        groundwork, [*arguments, "--home", str(home), "--json"], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    return int(result.return_value or 0), json.loads(result.stdout)


def test_the_list_of_documents_has_the_keys_of_the_interface(home: Path) -> None:
    _, listed = run(home, "documents", "list")

    assert listed["schema"] == 1
    assert {row["status"] for row in listed["documents"]} == {"ready", "failed"}
    needed = {"id", "title", "source", "bucket", "status", "reason", "version", "pages", "passages"}
    assert all(needed <= row.keys() for row in listed["documents"])


def test_a_summary_counts_what_could_not_be_read_and_needs_something_to_summarise(home: Path) -> None:
    _, found = run(home, "summary", "--bucket", "leases", "--kind", "financial")

    assert found["ledger"]["scope"] == 2
    assert "1 more document could not be read" in found["text"]
    with pytest.raises(UsageError, match="What is to be summarised"):
        run(home, "summary")


def test_a_search_hit_equals_its_place_in_the_page_text(home: Path) -> None:
    _, found = run(home, "search", "monthly rent", "--top-k", "3")

    hit = found["hits"][0]
    _, shown = run(home, "documents", "show", hit["document"])
    text = next(page["text"] for page in shown["pages"] if page["page"] == hit["page"])
    assert text[hit["start"] : hit["end"]] == hit["text"]
    assert [h["rank"] for h in found["hits"]] == list(range(1, len(found["hits"]) + 1))
    assert [h["score"] for h in found["hits"]] == sorted((h["score"] for h in found["hits"]), reverse=True)


def test_an_answer_has_every_key_of_the_interface(home: Path) -> None:
    code, answer = run(home, "ask", "What is the monthly rent of the Mill Road warehouse?")

    assert code == 0
    assert answer["status"] == "answered"
    assert {"claims", "value", "table", "ledger", "confidence_label", "gaps", "conflicts", "sources"} <= set(
        answer
    )
    assert {"follow_ups", "assets", "clarification", "degradations", "flags", "plan", "timings_ms"} <= set(
        answer
    )


def test_another_user_neither_lists_nor_finds_a_restricted_document(home: Path) -> None:
    _, anns = run(home, "documents", "list", "--as", "ann")
    _, bobs = run(home, "documents", "list", "--as", "bob")
    _, found = run(home, "search", "settlement Kappa Haulage", "--as", "bob")

    assert len(anns["documents"]) == len(bobs["documents"]) + 1
    assert all("settlement" not in hit["text"] for hit in found["hits"])
    with pytest.raises(RefusedError):
        run(home, "jobs", "list", "--as", "bob")


def test_a_batch_of_questions_writes_a_line_each(home: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("What is the monthly rent?\nWhat does the settlement cost?\n")
    result = CliRunner().invoke(
        groundwork,
        ["ask", "--file", str(tmp_path / "in.txt"), "--out", str(tmp_path / "o.jsonl"), "--home", str(home)],
        standalone_mode=False,
    )

    assert result.exception is None
    lines = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["1", "2"]
    assert all(line["answer"]["schema"] == 1 for line in lines)


def test_jobs_are_listed_with_their_progress(home: Path) -> None:
    _, listed = run(home, "jobs", "list")

    assert {job["state"] for job in listed["jobs"]} == {"done", "partial"}
    assert all(job["done"] == job["total"] for job in listed["jobs"])


def test_nothing_to_ingest_is_a_wrong_usage(home: Path) -> None:
    with pytest.raises(UsageError, match="Nothing to ingest"):
        run(home, "ingest")


def test_the_doctor_finds_a_working_home_well_and_a_broken_setting_not(home: Path, tmp_path: Path) -> None:
    code, found = run(home, "doctor")
    (tmp_path / "groundwork.toml").write_text("[ingets]\n")
    broken = CliRunner().invoke(doctor, ["--home", str(tmp_path), "--json"], standalone_mode=False)

    assert (code, found["ok"]) == (0, True)
    assert broken.return_value == 1
    checks = json.loads(broken.stdout)["checks"]
    failed = [check for check in checks if check["required"] and not check["ok"]]
    assert "ingets" in failed[0]["detail"]
    assert failed[0]["next_step"]


def test_wrong_usage_with_json_is_one_document_on_stdout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["groundwork", "search", "rent", "--top-k", "0", "--json"])

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 2
    assert "--top-k" in json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rent", "--alpha", "nan"], "--alpha is nan, but must be from 0 to 1."),
        (["rent", "--alpha", "2"], "--alpha is 2, but must be from 0 to 1."),
        (["  "], "The query is empty."),
    ],
)
def test_a_search_that_cannot_be_made_is_refused_in_plain_words(
    home: Path, arguments: list[str], told: str
) -> None:
    with pytest.raises(UsageError) as caught:
        run(home, "search", *arguments)

    assert caught.value.message == told
    assert caught.value.next_step


def test_an_unknown_bucket_is_refused_with_those_that_exist(home: Path) -> None:
    for command in (("ask", "What is the rent?"), ("search", "rent"), ("documents", "list")):
        with pytest.raises(UsageError, match=r"no bucket 'nope'.*default, leases"):
            run(home, *command, "--bucket", "nope")


def test_a_terminal_shows_an_answer_without_marks(home: Path) -> None:
    asked = ["ask", "What is the monthly rent of the Mill Road warehouse?", "--home", str(home)]
    shown = CliRunner().invoke(groundwork, asked).stdout
    assert "$15,000" in shown
    assert "**" not in shown
    assert "\\$" not in shown


def test_the_home_may_stand_before_the_command(home: Path) -> None:
    shown = CliRunner().invoke(groundwork, ["--home", str(home), "documents", "list"]).stdout
    assert "lease" in shown


def test_an_engine_can_be_rebuilt_by_its_name_and_one_that_is_not_configured_is_refused(home: Path) -> None:
    code, rebuilt = run(home, "reindex", "--engine", "embedded")

    assert code == 0
    assert (rebuilt["engine"], rebuilt["passages"]) == ("embedded", 2)
    with pytest.raises(UsageError, match="name no engine 'weaviate'"):
        run(home, "reindex", "--engine", "weaviate")


def test_the_doctor_says_what_the_last_check_of_the_index_found(home: Path) -> None:
    with Workbench.open(home=home) as bench:
        report = RepairReport(2, missing=1, lost=0, surplus=0, repaired=1, is_rebuilt=True)
        at = datetime(2026, 11, 22, 8, 30, tzinfo=UTC)
        bench._parts.records.repairs.save(Repair("embedded", at, 1.0, "Somebody asked for it.", report))

    _, said = run(home, "doctor")

    [check] = [check for check in said["checks"] if check["name"] == "records and index"]
    assert "last check 2026-11-22 08:30 UTC: 2 passages, 1 missing" in check["detail"]
    assert "1 of these repaired; the index was built anew" in check["detail"]


def test_only_an_admin_restores_a_backup(home: Path, tmp_path: Path) -> None:
    file, target = tmp_path / "home.zip", tmp_path / "restored"
    target.mkdir()
    (target / "groundwork.toml").write_text("[users.eve]\n[users.root]\nroles = ['admin']\n")
    run(home, "backup", str(file))

    with pytest.raises(RefusedError, match="'eve' may not restore backups"):
        run(target, "restore", str(file), "--force", "--as", "eve")
    with pytest.raises(UsageError, match="Unknown user 'nobody'"):
        run(target, "restore", str(file), "--force", "--as", "nobody")

    assert [path.name for path in target.iterdir()] == ["groundwork.toml"]
    assert run(target, "restore", str(file), "--force", "--as", "root")[1]["documents"] == 3


def test_a_document_is_shown_with_its_family(home: Path) -> None:
    _, listed = run(home, "documents", "list")
    shown = [run(home, "documents", "show", each["id"])[1] for each in listed["documents"]]

    assert all(set(each["family"]) == {"parents", "children", "count"} for each in shown)
