"""Families of documents from real files, for who may see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.fields import Family, Fit
from core.domain.principal import Principal
from core.errors import NotFoundError
from core.workbench import Workbench
from tests.support.roles import MAY_ASK

MASTER = (
    "MASTER SERVICES AGREEMENT\n\nThis Master Services Agreement is made as of March 9, 2023 by and between "
    'Acme Corporation ("Acme") and Beta Works GmbH ("Supplier").\n\n1. Services. Supplier gives services.\n'
)
ORDER = (
    "STATEMENT OF WORK\n\nThis Statement of Work is issued under the Master Services Agreement dated "
    'March 9, 2023 by and between Acme Corporation ("Acme") and Beta Works GmbH ("Supplier").\n'
)


def test_an_order_is_under_its_master_for_who_may_see_both(tmp_path: Path) -> None:
    for name, text in (("master.txt", MASTER), ("order.txt", ORDER)):
        (tmp_path / name).write_text(text)
    with Workbench.open(tmp_path / "home") as bench:
        bench.local.documents.ingest([tmp_path / "master.txt"], bucket="contracts", acl=["board"])
        bench.local.documents.ingest([tmp_path / "order.txt"], bucket="contracts")
        ids = {Path(each.source).name: each.id for each in bench.local.documents.list()}
        master, order = ids["master.txt"], ids["order.txt"]

        (parent,) = bench.local.documents.family(order).parents
        (child,) = bench.local.documents.family(master).children
        assert (parent.id, parent.kinship, parent.fit) == (master, "under", Fit.STATED)
        assert (child.id, "dated March 9, 2023" in " ".join(child.quote.quote.split())) == (order, True)

        stranger = bench.for_principal(Principal("eve", MAY_ASK))
        assert stranger.documents.family(order) == Family()
        with pytest.raises(NotFoundError):
            stranger.documents.family(master)
