from __future__ import annotations

from pathlib import Path

import pytest

from core.workbench import Workbench
from tests.support.planted import open_home
from tests.support.twins import settings_of

CONTRACT = """Haulage Agreement

This Haulage Agreement is made on {day} between Tarn Freight Ltd and Ostrea GmbH.
This Agreement is governed by the laws of Texas.
"""
INVOICE = """INVOICE

Invoice number: K-{number}
Invoice date: {day}
From: Tarn Freight Ltd
To: Ostrea GmbH
Total: USD 300.00
"""


@pytest.mark.parametrize("question", ["Which documents are older than 2023?", "documents dated before 2023"])
def test_documents_of_every_kind_are_asked_for_their_date(question: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in (
        ("old.txt", CONTRACT.format(day="4 May 2020")),
        ("new.txt", CONTRACT.format(day="5 June 2024")),
        ("bill.txt", INVOICE.format(number=71, day="2021-02-03")),
        ("later.txt", INVOICE.format(number=72, day="2024-02-03")),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    with open_home(settings_of(tmp_path / "home")) as bench:
        bench.ingest([folder])
        answer = bench.local.questions.ask(question)
        assert answer.ledger is not None
        assert answer.ledger.scope == 4
        assert _stems(bench, answer.ledger.documents.present) == ["bill", "old"]


def _stems(bench: Workbench, ids: tuple[str, ...]) -> list[str]:
    return sorted(Path(each.source).stem for each in bench.documents() if each.id in ids)
