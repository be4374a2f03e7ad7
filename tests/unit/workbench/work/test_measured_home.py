from __future__ import annotations

from pathlib import Path

from core.evaluate.fitted import HomeFile
from core.store.database.visibility import Visibility
from core.workbench.work.measured_home import files_of, suite_ground
from tests.support.contracts_at_hand import BUCKET, contracts_at_hand

SEEN = Visibility.everything()


def test_the_ground_of_a_suite_follows_what_comes_in_and_who_looks(tmp_path: Path) -> None:
    with contracts_at_hand(tmp_path / "home") as found:
        records = found.records
        before, own = suite_ground(records, SEEN, "design"), suite_ground(records, SEEN, "mine")
        found.add("acme-software-license", "Texas", acl=("board",))

        of_reader = suite_ground(records, Visibility(frozenset()), "design")
        assert (before.added, own.added) == (frozenset(), frozenset())  # nothing of the sample is here
        assert suite_ground(records, SEEN, "design").added == {BUCKET}
        assert (of_reader.added, "acme-software-license.txt" in of_reader.read) == (frozenset(), False)
        assert HomeFile(BUCKET, "acme-software-license.txt") in files_of(records, SEEN)
