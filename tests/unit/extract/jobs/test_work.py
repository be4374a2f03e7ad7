"""The work of the child that extracts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.config.models import Settings
from core.config.schema_store import shipped_schemas
from core.extract.base import Definitions, opening_fields
from core.extract.jobs.pool import ExtractTask, Work
from core.extract.jobs.work import make_work
from tests.support.document_text import document_text

LEASE = (
    'LEASE AGREEMENT\n\nThis Lease is made as of March 9, 2024 by and between ACME Corporation ("ACME") and '
    'Beta Works GmbH ("Tenant").\n\nWHEREAS the parties agree, it is governed by the laws of Texas.'
)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    home: Path = tmp_path_factory.mktemp("home")
    return make_work(Settings(home=home), Definitions(tuple(shipped_schemas().values())))


def test_the_opening_is_read_with_the_name_of_the_document(work: Work) -> None:
    text = document_text(LEASE, bucket="contracts")

    found = work(ExtractTask(text, is_opening=True))

    assert set(found.findings) == set(opening_fields(shipped_schemas()["contracts"]))
    assert found.identity is not None
    assert found.identity.name == "Lease Agreement · ACME / Beta Works · Mar 2024"


def test_a_pass_for_some_fields_says_nothing_of_the_name(work: Work) -> None:
    found = work(ExtractTask(document_text(LEASE, bucket="contracts"), fields=("governing_law",)))

    assert set(found.findings) == {"governing_law"}
    assert found.identity is None


def test_a_document_without_text_has_no_name_of_its_own(work: Work) -> None:
    found = work(ExtractTask(replace(document_text("", bucket="contracts"), title="scan")))

    assert found.identity is None
