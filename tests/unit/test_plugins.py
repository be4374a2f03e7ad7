"""Plug-ins of other distributions: what is used, and what is named and left out while the rest works."""

from __future__ import annotations

import logging
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from core import plugins
from core.config.schema_store import SchemaStore
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.trust.permission import Action, PolicyRequest
from core.errors import DeadlineError, InputError, PluginError, PolicyFileError
from core.guard.policies.in_force import Policies
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.ingest.render import PageRenderer
from core.plan.ir.nodes import Plan
from core.plan.reading_planner import ReadingPlanner
from core.workbench.catalogue import PluginReaders
from tests.support.compact_readings import COLLECTION
from tests.support.hashed_encoder import HashedEncoder
from tests.support.little_distribution import SCHEMA, Install, forget, of_parsers, parser, reasons
from tests.support.marked_reader import MarkedReader

LIMITS = ParseLimits()
ANN = Principal("ann", frozenset({"contract_read"}))


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "a.note"
    path.write_text("The rent is due on Monday.", "utf-8")
    return path


def test_our_own_parts_stand_in_every_group() -> None:
    registry = plugins.registry()

    assert {group: len(registry.plugins(group)) for group in plugins.GROUPS} == {
        plugins.ENGINES: 2,
        plugins.PARSERS: 10,
        plugins.SCHEMAS: 12,
        plugins.READERS: 1,
        plugins.RERANKERS: 1,
        plugins.POLICIES: 3,
        plugins.PAGE_IMAGES: 1,
    }
    assert all(each.is_shipped for group in plugins.GROUPS for each in registry.plugins(group).values())
    assert registry.left_out() == []


def test_a_name_that_nobody_brings_is_refused_with_those_there_are() -> None:
    with pytest.raises(PluginError, match="There are: embedded, weaviate") as caught:
        plugins.registry().find(plugins.ENGINES, "weviate")

    assert "pip install" in caught.value.next_step


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
    forget("acme_look")

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


def test_a_schema_of_others_is_beside_ours_and_can_be_changed_by_a_home(
    installed: Install, tmp_path: Path
) -> None:
    entry_points = {plugins.SCHEMAS: {"leases": "acme_leases"}}
    installed("acme-leases", entry_points, {"acme_leases/leases.toml": SCHEMA})
    store = SchemaStore(tmp_path / "home")

    store.remove_field("leases", "rent")

    assert store.schema("leases").fields == ()
    assert store.restore_field("leases", "rent").fields[0].title == "Rent"
    assert len(store.schemas()) == 13


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
    forget("acme_torn")

    assert len(SchemaStore(tmp_path / "home").schemas()) == 12
    assert reason in reasons()["acme-leases"]


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
    forget("acme_sad")

    with pytest.raises(PolicyFileError, match=r"'acme' .* of 'acme-rules' are not in force") as caught:
        Policies(tmp_path).decide(ANN, QUERY)

    assert "uninstall 'acme-rules'" in caught.value.next_step
    assert Policies(tmp_path).decide(LOCAL_ADMIN, QUERY).is_allowed


READER = """
from core.plan.reading import ReadCondition, ReadField, Reading
from core.plan.readers.trained.reading import ReaderSpec

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
    return ReadingPlanner(COLLECTION, trained, today=date(2024, 11, 22), others=others.readings)


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
    monkeypatch.setattr("core.workbench.catalogue.READ_WITHIN_S", 0.3)
    files = {"acme_reads.py": READER.format(body=body)}
    installed("acme-words", {plugins.READERS: {"shortcuts": "acme_reads:READER"}}, files)
    forget("acme_reads")

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
