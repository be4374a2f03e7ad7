"""Scans as an administrator sees them: what waits, what it costs, and one call that has it done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import ContentHash
from core.domain.principal import Principal
from core.errors import RefusedError, UsageError
from core.ingest import ocr
from core.jobs import queue
from core.jobs.kinds import INSTALL, OCR
from core.processes.extra import Extra
from core.store.base import NewVersion
from core.workbench.facade import Workbench
from core.workbench.services.jobs import SECONDS_A_PAGE, ScanService
from core.workbench.wiring import Parts
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Parts]:
    made = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    monkeypatch.setattr(ocr, "EXTRA", Extra("ocr", "no_such_package_of_ours"))
    yield made
    made.close()


@pytest.fixture
def scans(parts: Parts) -> ScanService:
    return Workbench(parts).local.scans


@pytest.fixture
def has_ocr(monkeypatch: pytest.MonkeyPatch, parts: Parts) -> None:
    monkeypatch.setattr(ocr, "EXTRA", Extra("ocr", "json"))  # a module that is always there


def _add(parts: Parts, name: str, pages: int, text: str = "") -> None:
    made = tuple(Page(number, text) for number in range(1, pages + 1))
    reason = "" if text else "No page holds text."
    parsed = ParsedDocument(name, "application/pdf", made, unreadable_reason=reason)
    content = ContentHash((name[0] * 64).lower())
    parts.records.documents.publish(NewVersion("leases", f"{name}.pdf", parsed, content, 10, force=True))


def test_the_offer_counts_what_waits_and_says_what_it_costs(parts: Parts, scans: ScanService) -> None:
    _add(parts, "Annex", 3)
    _add(parts, "Bill", 2)
    _add(parts, "Contract", 9, text="The rent is $900.")

    offer = scans.offer()

    assert (offer.documents, offer.pages, offer.is_installed, offer.job) == (2, 5, False, None)
    assert offer.seconds == 5 * SECONDS_A_PAGE
    assert 0 < offer.download_mb < offer.disk_mb


def test_where_it_is_missing_it_is_installed_once(parts: Parts, scans: ScanService) -> None:
    _add(parts, "Annex", 3)

    first = scans.read()

    assert scans.read() == first
    assert [job.kind for job in parts.records.jobs.list()] == [INSTALL]
    found = scans.offer().job
    assert found is not None
    assert found.id == first


def test_a_failed_one_may_be_asked_for_again(parts: Parts, scans: ScanService) -> None:
    first = scans.read()
    queue.cancel(parts.records, first)

    assert scans.offer().job is None
    assert scans.read() != first


@pytest.mark.usefixtures("has_ocr")
def test_where_it_is_installed_the_scans_are_read(parts: Parts, scans: ScanService) -> None:
    _add(parts, "Annex", 3)

    scans.read()

    [job] = parts.records.jobs.list()
    assert (job.kind, job.title) == (OCR, "Reading 1 scan")


@pytest.mark.usefixtures("has_ocr")
def test_nothing_to_read_is_said(scans: ScanService) -> None:
    with pytest.raises(UsageError, match="No scan waits"):
        scans.read()


def test_who_is_no_admin_neither_sees_nor_begins_it(parts: Parts) -> None:
    _add(parts, "Annex", 3)
    of_ann = Workbench(parts).for_principal(Principal("ann", MAY_ASK)).scans

    with pytest.raises(RefusedError):
        of_ann.offer()
    with pytest.raises(RefusedError):
        of_ann.read()
    assert parts.records.jobs.list() == []
