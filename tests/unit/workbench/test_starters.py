from __future__ import annotations

from pathlib import Path

from core.config.models import Settings
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.services.questions import starters
from tests.support.versions import new_version

LEASE = "contracts/delta-warehouse-lease.txt"
PANELS = "datasheets/alphasolar-product-family.md"


def test_starters_are_those_whose_documents_are_there_and_may_be_seen(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        assert starters(records, Visibility.everything()) == []
        records.documents.publish(new_version(LEASE, bucket="contracts", acl=("legal",)))
        records.documents.publish(new_version(PANELS, bucket="datasheets"))

        everything = starters(records, Visibility.everything())

        assert everything == [
            "What is the minimum panel width for AlphaSolar models?",
            "When does the warehouse lease expire?",
        ]
        assert starters(records, Visibility(frozenset({"legal"}))) == everything
        assert starters(records, Visibility(frozenset())) == everything[:1]
