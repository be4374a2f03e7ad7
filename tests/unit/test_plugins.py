"""Plug-ins of other distributions: what is used, and what is named and left out while the rest works."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from core import plugins
from core.cli.main import groundwork
from core.config.load import load_settings
from core.config.models import IngestSettings, Settings
from core.config.schema_store import SchemaStore
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.search import SearchQuery
from core.domain.trust.permission import Action, PolicyRequest
from core.errors import DeadlineError, InputError, PluginError, PolicyFileError, SettingsError
from core.guardrails.policies.in_force import Policies
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.ingest.parse_pool import ParsePool
from core.ingest.render import PageRenderer
from core.plan.ir.nodes import Plan
from core.plan.reader.plugged import PluginReaders
from core.plan.reading_planner import ReadingPlanner
from core.workbench.facade import Workbench
from core.workbench.plugged import examine_plugins
from tests.support.compact_readings import COLLECTION
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.little_distribution import install
from tests.support.marked_reader import MarkedReader

LIMITS = ParseLimits()
PARSER = """
from core.domain.document import Page, ParsedDocument
from core.ingest.parse.formats import FileFormat

def parse(path, source, limits):
    {body}

FORMAT = FileFormat("Note", "text/x-note", ("note",), parse{more})
"""
GOOD = 'return ParsedDocument("", "", (Page(1, path.read_text()),))'
ANN = Principal("ann", frozenset({"contract_read"}))

Install = Callable[..., None]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a distribution: its name, its entry points by group, its files by path."""

    def made(name: str, entry_points: Mapping[str, Mapping[str, str]], files: Mapping[str, str]) -> None:
        install(tmp_path, name, entry_points, files, monkeypatch)

    return made


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "a.note"
    path.write_text("The rent is due on Monday.", "utf-8")
    return path


def parser(body: str = GOOD, more: str = "") -> str:
    return PARSER.format(body=body, more=more)


def of_parsers(module: str, name: str = "note") -> dict[str, dict[str, str]]:
    return {plugins.PARSERS: {name: f"{module}:FORMAT"}}


def reasons() -> dict[str, str]:
    """Why plug-ins of now are left out, by distribution."""
    return {each.plugin.distribution: each.reason for each in plugins.registry().left_out()}


def test_our_own_parts_stand_in_every_group() -> None:
    registry = plugins.registry()

    assert {group: len(registry.plugins(group)) for group in plugins.GROUPS} == {
        plugins.ENGINES: 2,
        plugins.PARSERS: 8,
        plugins.SCHEMAS: 7,
        plugins.READERS: 1,
        plugins.POLICIES: 3,
        plugins.PAGE_IMAGES: 1,
    }
    assert all(each.is_shipped for group in plugins.GROUPS for each in registry.plugins(group).values())
    assert registry.left_out() == []


def test_a_name_that_nobody_brings_is_refused_with_those_there_are() -> None:
    with pytest.raises(PluginError, match="There are: embedded, weaviate") as caught:
        plugins.registry().find(plugins.ENGINES, "weviate")

    assert "pip install" in caught.value.next_step


def test_a_format_of_others_is_read_in_a_child_process(
    installed: Install, tmp_path: Path, note: Path
) -> None:
    installed("acme-note", of_parsers("acme_note"), {"acme_note.py": parser()})

    with ParsePool(Settings(home=tmp_path, ingest=IngestSettings(processes=1))) as parsers:
        parsed = parsers.parse(note, "a.note").parsed

    assert (parsed.pages[0].text, parsed.media_type) == ("The rent is due on Monday.", "text/x-note")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return {'pages': []}", "gave a 'dict', not a ParsedDocument"),
        ("return ParsedDocument('', '', (Page(2, 'x'),))", "not numbered 1, 2, 3"),
        ("return ParsedDocument('', '', ('x',))", "gave pages that are no Page"),
        ("return path.no_such_thing", "failed on it (AttributeError"),
    ],
)
def test_a_parser_that_gives_something_else_is_named_beside_its_file(
    installed: Install, note: Path, body: str, reason: str
) -> None:
    installed("acme-note", of_parsers("acme_bad"), {"acme_bad.py": parser(body)})
    plain = note.with_suffix(".txt")
    plain.write_text("Still read.", "utf-8")
    _forget("acme_bad")

    with pytest.raises(InputError) as caught:
        parse_file(note, "a.note", LIMITS)

    assert "'note' of 'acme-note'" in caught.value.message
    assert reason in caught.value.message
    assert parse_file(plain, "b.txt", LIMITS).pages[0].text == "Still read."


def test_a_parser_that_is_slow_is_ended_with_its_child(
    installed: Install, tmp_path: Path, note: Path
) -> None:
    body = "import time; time.sleep(60)"
    installed("acme-note", of_parsers("acme_slow"), {"acme_slow.py": parser(body)})
    plain = note.with_suffix(".txt")
    plain.write_text("Still read.", "utf-8")
    limits = IngestSettings(processes=1, parse_timeout_s=15)  # a fifth of it for a small file

    with ParsePool(Settings(home=tmp_path, ingest=limits)) as parsers:
        with pytest.raises(InputError, match="took longer than 3"):
            parsers.parse(note, "a.note")
        assert parsers.parse(plain, "b.txt").parsed.pages[0].text == "Still read."


@pytest.mark.parametrize(
    ("files", "target", "reason"),
    [
        ({}, "acme_gone:FORMAT", "it does not import (ModuleNotFoundError"),
        ({"acme_broken.py": "1 / 0"}, "acme_broken:FORMAT", "it does not import (ZeroDivisionError"),
        ({"acme_exit.py": "raise SystemExit"}, "acme_exit:FORMAT", "it does not import (RuntimeError"),
        ({"acme_else.py": "FORMAT = 7"}, "acme_else:FORMAT", "names a 'int', not a 'FileFormat'"),
        ({"acme_none.py": ""}, "acme_none:FORMAT", "it does not import (AttributeError"),
        (
            {"acme_text.py": parser().replace('("note",)', '"note"')},
            "acme_text:FORMAT",
            "extensions is a tuple of strings",
        ),
    ],
)
def test_a_parser_that_does_not_load_is_left_out_by_name(
    installed: Install,
    note: Path,
    caplog: pytest.LogCaptureFixture,
    files: dict[str, str],
    target: str,
    reason: str,
) -> None:
    installed("acme-note", {plugins.PARSERS: {"note": target}}, files)

    with caplog.at_level(logging.WARNING):
        parsed = parse_file(note, "a.note", LIMITS)

    assert parsed.media_type == "text/plain"  # as if it were not installed
    assert reason in reasons()["acme-note"]
    assert "'note' (groundwork.parsers) of 'acme-note' is left out" in caplog.text


def test_an_import_that_never_ends_is_not_waited_for(
    installed: Install, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_IMPORT_WITHIN_S", 0.3)
    installed("acme-note", of_parsers("acme_sleep"), {"acme_sleep.py": "import time; time.sleep(5)"})

    assert parse_file(note, "a.note", LIMITS).media_type == "text/plain"
    assert reasons() == {"acme-note": "it took longer than 0.3 s to import"}


@pytest.mark.parametrize("look", ["1 / 0", "__import__('time').sleep(5)"])
def test_a_format_that_fails_or_dawdles_over_the_first_bytes_is_left_out(
    installed: Install, note: Path, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    monkeypatch.setattr("core.ingest.parse.formats._LOOK_WITHIN_S", 0.3)
    installed(
        "acme-note", of_parsers("acme_look"), {"acme_look.py": parser(more=f", knows=lambda head: {look}")}
    )
    _forget("acme_look")

    assert parse_file(note, "a.note", LIMITS).media_type == "text/plain"
    assert "division by zero" in reasons()["acme-note"] or "longer than 0.3 s" in reasons()["acme-note"]


def test_a_name_that_is_taken_stays_with_who_has_it(installed: Install, note: Path) -> None:
    installed("acme-note", {plugins.PARSERS: {"note": "acme_one:FORMAT"}}, {"acme_one.py": parser()})
    installed(
        "zeta-note",
        {plugins.PARSERS: {"note": "zeta:FORMAT", "pdf": "zeta:FORMAT", "Bad name": "zeta:FORMAT"}},
        {"zeta.py": "1 / 0"},
    )

    assert parse_file(note, "a.note", LIMITS).media_type == "text/x-note"
    left_out = {each.plugin.name: each.reason for each in plugins.registry().left_out()}
    assert left_out["note"] == "'acme-note' has that name already"
    assert left_out["pdf"] == "'groundwork' has that name already"
    assert "its name is not of lower-case letters" in left_out["Bad name"]


def test_damaged_metadata_and_groups_that_there_are_none_of_harm_nobody(
    installed: Install, note: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    installed("acme-note", of_parsers("acme_fine"), {"acme_fine.py": parser()})
    installed("odd", {"groundwork.parser": {"note": "odd:FORMAT"}}, {})
    installed("torn", {}, {"torn-1.0.dist-info/entry_points.txt": "[groundwork.parsers]\nno equals sign\n"})

    with caplog.at_level(logging.WARNING):
        assert parse_file(note, "a.note", LIMITS).media_type == "text/x-note"

    assert "there is no such group" in reasons()["odd"]
    assert "Entry points cannot be read" in caplog.text


SCHEMA = """
name = "leases"
title = "Leases"
recognise = ["lease"]

[[fields]]
name = "rent"
title = "Rent"
type = "money"
extractors = [{ method = "key_value", keys = ["rent"] }]
"""


def test_a_schema_of_others_is_beside_ours_and_can_be_changed_by_a_home(
    installed: Install, tmp_path: Path
) -> None:
    entry_points = {plugins.SCHEMAS: {"leases": "acme_leases"}}
    installed("acme-leases", entry_points, {"acme_leases/leases.toml": SCHEMA})
    store = SchemaStore(tmp_path / "home")

    store.remove_field("leases", "rent")

    assert store.schema("leases").fields == ()
    assert store.restore_field("leases", "rent").fields[0].title == "Rent"
    assert len(store.schemas()) == 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name = ", "is not valid TOML"),
        ('name = "others"\ntitle = "Others"', "calls its schema 'others'"),
        (SCHEMA.replace('"money"', '"cash"'), "rent"),
        (SCHEMA.replace("key_value", "pattern").replace("keys", "patterns").replace('rent"]', '("]'), "rent"),
        (None, "holds no file 'leases.toml'"),
    ],
)
def test_a_schema_that_cannot_be_read_is_left_out(
    installed: Install, tmp_path: Path, text: str | None, reason: str
) -> None:
    files = {"acme_torn/leases.toml": text} if text is not None else {"acme_torn/other.toml": ""}
    installed("acme-leases", {plugins.SCHEMAS: {"leases": "acme_torn"}}, files)
    _forget("acme_torn")

    assert len(SchemaStore(tmp_path / "home").schemas()) == 7
    assert reason in reasons()["acme-leases"]


def test_a_schema_with_a_rule_that_nobody_knows_is_found_by_doctor(installed: Install) -> None:
    text = SCHEMA.replace('method = "key_value", keys = ["rent"]', 'method = "rule", rule = "astrology"')
    installed("acme-rules", {plugins.SCHEMAS: {"leases": "acme_rules"}}, {"acme_rules/leases.toml": text})

    others, left_out = examine_plugins()

    assert others == []
    assert "astrology" in left_out[0].reason


FORBID = """@id("no_reviews_by_ann")
forbid (principal == User::"ann", action == Action::"query", resource);
"""
QUERY = PolicyRequest(Action.QUERY)


def test_a_policy_of_others_is_in_force_and_a_home_replaces_it(installed: Install, tmp_path: Path) -> None:
    installed("acme-rules", {plugins.POLICIES: {"acme": "acme_pol"}}, {"acme_pol/acme.cedar": FORBID})
    policies = Policies(tmp_path)
    assert not policies.decide(ANN, QUERY).is_allowed

    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "acme.cedar").write_text("// nothing is forbidden here\n", "utf-8")

    assert policies.decide(ANN, QUERY).is_allowed


@pytest.mark.parametrize("text", [None, "forbid (", 'forbid (principal, action == Action::"fly", resource);'])
def test_a_policy_that_cannot_be_in_force_stops_all_but_who_runs_the_machine(
    installed: Install, tmp_path: Path, text: str | None
) -> None:
    """It may forbid something: a home that went on without it would allow that to everybody."""
    files = {"acme_sad/acme.cedar": text} if text is not None else {"acme_sad/other.cedar": ""}
    installed("acme-rules", {plugins.POLICIES: {"acme": "acme_sad"}}, files)
    _forget("acme_sad")

    with pytest.raises(PolicyFileError, match=r"'acme' .* of 'acme-rules' are not in force") as caught:
        Policies(tmp_path).decide(ANN, QUERY)

    assert "uninstall 'acme-rules'" in caught.value.next_step
    assert Policies(tmp_path).decide(LOCAL_ADMIN, QUERY).is_allowed


READER = """
from core.plan.reading import ReadCondition, ReadField, Reading
from core.plan.reader.plugged import ReaderSpec

class Shortcuts:
    def read(self, question, catalogue):
        if question != "open points": return None
        {body}

READER = ReaderSpec(lambda encoder: Shortcuts())
"""
LACKING = """field = ReadField(name="insurance", schema_name="contracts")
        lacks = ReadCondition(field=field, op="is-missing", words="open points")
        return Reading(
            by="shortcuts", question=question, operation="list", kind="contracts", conditions=(lacks,)
        )"""


@pytest.fixture
def planner() -> ReadingPlanner:
    trained = MarkedReader(["list\topen points", "list\tall the contracts"])
    others = PluginReaders(HashedEncoder)
    return ReadingPlanner(COLLECTION, trained, today=date(2024, 11, 22), others=others)


def test_a_reader_of_others_reads_first_and_leaves_the_rest(
    installed: Install, planner: ReadingPlanner
) -> None:
    files = {"acme_reader.py": READER.format(body=LACKING)}
    installed("acme-words", {plugins.READERS: {"shortcuts": "acme_reader:READER"}}, files)

    plan = planner.plan("open points")
    assert isinstance(plan, Plan)
    assert plan.reading is not None
    assert plan.reading.by == "shortcuts"
    assert "insurance" in plan.model_dump_json()
    assert Plan.model_validate_json(plan.model_dump_json()) == plan
    rest = planner.plan("all the contracts")
    assert isinstance(rest, Plan)
    assert rest.reading is not None
    assert rest.reading.by == "trained"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 1 / 0", "it failed (ZeroDivisionError"),
        ("return 'contracts'", "it gave a 'str', not a 'Reading'"),
        ("import time; time.sleep(5)", "it took longer than 0.3 s"),
    ],
)
def test_a_reader_that_fails_is_left_out_and_the_trained_one_reads(
    installed: Install, planner: ReadingPlanner, monkeypatch: pytest.MonkeyPatch, body: str, reason: str
) -> None:
    monkeypatch.setattr("core.plan.reader.plugged._WITHIN_S", 0.3)
    files = {"acme_reads.py": READER.format(body=body)}
    installed("acme-words", {plugins.READERS: {"shortcuts": "acme_reads:READER"}}, files)
    _forget("acme_reads")

    plan = planner.plan("open points")

    assert isinstance(plan, Plan)
    assert plan.reading is not None
    assert plan.reading.by == "trained"
    assert reason in reasons()["acme-words"]


def test_a_reading_that_no_plan_comes_of_is_passed_over(installed: Install, planner: ReadingPlanner) -> None:
    files = {"acme_wrong.py": READER.format(body=LACKING.replace('name="insurance"', 'name="astrology"'))}
    installed("acme-words", {plugins.READERS: {"shortcuts": "acme_wrong:READER"}}, files)

    plan = planner.plan("open points")

    assert isinstance(plan, Plan)
    assert plan.reading is not None
    assert plan.reading.by == "trained"
    assert reasons() == {}


ENGINE = """
from core.index.rebuildable import EngineSpec
from tests.support.memory_engine import Memory, MemoryEngine

class Engine(MemoryEngine):
    def search(self, request):
        {body}

ENGINE = EngineSpec(lambda place: Engine(Memory(place.signature)), where="in memory")
"""
QUESTION = SearchQuery("monthly rent")


def engine_home(home: Path, name: str = "memory") -> Workbench:
    home.mkdir(exist_ok=True)
    (home / "groundwork.toml").write_text(f'[index]\nengine = "{name}"\n', "utf-8")
    return Workbench(PartsWith(load_settings(home), HashedEncoder()))


def test_an_engine_of_others_answers_and_follows_the_records(installed: Install, tmp_path: Path) -> None:
    files = {"acme_engine.py": ENGINE.format(body="return super().search(request)")}
    installed("acme-memory", {plugins.ENGINES: {"memory": "acme_engine:ENGINE"}}, files)
    (tmp_path / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.", "utf-8")

    with engine_home(tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
        report = bench.search(QUESTION)
        status = bench.local.settings.status()
        bench.local.index.rebuild(engine="memory")
        again = bench.search(QUESTION)

    assert [hit.source for hit in report.hits] == [hit.source for hit in again.hits]
    assert len(again.hits) == 1
    assert (status.engine, status.search_note, report.degradations) == ("memory", "", again.degradations)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 1 / 0", "failed (ZeroDivisionError"),
        ("return {'hits': []}", "no list of EngineHit"),
        ("import time; time.sleep(5)", "took longer than 0.3 s (index.deadline_s)"),
    ],
)
def test_where_an_engine_of_others_fails_the_embedded_one_answers(
    installed: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reason: str
) -> None:
    monkeypatch.setenv("GROUNDWORK_INDEX__DEADLINE_S", "0.3")
    installed(
        "acme-memory",
        {plugins.ENGINES: {"memory": "acme_fails:ENGINE"}},
        {"acme_fails.py": ENGINE.format(body=body)},
    )
    _forget("acme_fails")
    (tmp_path / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.", "utf-8")

    with engine_home(tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
        report = bench.search(QUESTION)

    assert [hit.source.rpartition("/")[2] for hit in report.hits] == ["lease.txt"]
    assert reason in report.degradations[0].message


def test_an_engine_that_does_not_import_leaves_the_embedded_one(installed: Install, tmp_path: Path) -> None:
    installed("acme-memory", {plugins.ENGINES: {"memory": "acme_no_engine:ENGINE"}}, {})
    (tmp_path / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.", "utf-8")

    with engine_home(tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
        report = bench.search(QUESTION)
        status = bench.local.settings.status()

    assert [hit.source.rpartition("/")[2] for hit in report.hits] == ["lease.txt"]
    assert "acme-memory" in report.degradations[0].message
    assert "'memory' (groundwork.engines) of 'acme-memory': it does not import" in status.left_out[0]


def test_an_engine_that_is_not_installed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"index.engine.*should be one of: embedded, weaviate"):
        engine_home(tmp_path / "home", "weviate")


IMAGES = """
from core.ingest.page_images import PageImages

def jpeg(path, page_no, width_px):
    {body}

IMAGES = PageImages(jpeg, lambda path, page_no: (200, 100))
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return b'\\xff\\xd8' + path.read_bytes()", ""),
        ("return 'a picture'", "gave no right 'jpeg'"),
        ("return {}['x']", r"cannot be drawn \(KeyError\)"),
        ("import time; time.sleep(60)", "took more than"),
    ],
)
def test_pages_of_others_are_drawn_in_a_child_process(
    installed: Install, note: Path, body: str, reason: str
) -> None:
    installed(
        "acme-note",
        {**of_parsers("acme_drawn"), plugins.PAGE_IMAGES: {"note": "acme_images:IMAGES"}},
        {"acme_drawn.py": parser(), "acme_images.py": IMAGES.format(body=body)},
    )

    with closing(PageRenderer(timeout_s=5.0)) as renderer:
        assert renderer.size(note, 1, of="note") == (200, 100)
        assert renderer.boxes(note, 1, [(0, 3)], "The", of="note") == [[]]
        assert renderer.words(note, 1, of="note") == []
        if not reason:
            assert renderer.jpeg(note, 1, of="note").startswith(b"\xff\xd8The rent")
            return
        with pytest.raises((InputError, DeadlineError), match=reason):
            renderer.jpeg(note, 1, of="note")
        assert renderer.size(note, 1, of="note") == (200, 100)


def test_doctor_names_what_is_left_out_and_ends_well(installed: Install, tmp_path: Path) -> None:
    installed("acme-note", of_parsers("acme_well"), {"acme_well.py": parser()})
    installed("acme-gone", {plugins.ENGINES: {"memory": "acme_never:ENGINE"}}, {})

    said = CliRunner().invoke(
        groundwork, ["doctor", "--home", str(tmp_path / "home"), "--json"], standalone_mode=False
    )

    [check] = [check for check in json.loads(said.stdout)["checks"] if check["name"] == "plug-ins"]
    assert said.return_value == 0
    assert check["detail"].startswith("1 beside our own (note of acme-note). 'memory' (groundwork.engines)")
    assert "uninstall 'acme-gone'" in check["next_step"]


def _forget(module: str) -> None:
    """Have a module imported anew: each case of a test has another one of that name."""
    import sys

    for name in [each for each in sys.modules if each.partition(".")[0] == module]:
        del sys.modules[name]
