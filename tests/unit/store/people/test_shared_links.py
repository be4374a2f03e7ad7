from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from core.errors import NotFoundError
from core.store.database.trust_tables import shared_links
from core.store.store import Records

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=30)


def test_a_link_is_found_by_its_secret_which_is_kept_nowhere(records: Records) -> None:
    secret, link = records.shared_links.add("answer", "c1/t1", "ann", LATER, NOW)
    assert records.shared_links.find(secret, NOW) == link
    with records.database.read() as connection:
        assert secret not in str(connection.execute(sa.select(shared_links)).one())


def test_forged_expired_and_revoked_links_are_not_found(records: Records) -> None:
    links = records.shared_links
    secret, link = links.add("conversation", "c1", "ann", LATER, NOW)
    assert links.find(secret[:-1] + ("A" if secret[-1] != "A" else "B"), NOW) is None
    assert links.find("' OR 1=1", NOW) is None
    assert links.find(secret, LATER) is None
    with pytest.raises(NotFoundError):
        links.revoke(link.id, "bob", NOW)
    links.revoke(link.id, "ann", NOW)
    assert links.find(secret, NOW) is None
    assert links.list("ann")[0].state(NOW) == "revoked"
    links.revoke(link.id, None, LATER)
    assert links.list("ann")[0].revoked_at == NOW


def test_links_are_listed_by_whose_they_are(records: Records) -> None:
    _, first = records.shared_links.add("audit", "p1", "ann", None, NOW)
    _, second = records.shared_links.add("audit", "p1", "bob", LATER, LATER)
    assert records.shared_links.list("ann") == [first]
    assert records.shared_links.list(None) == [second, first]
    assert first.state(LATER + timedelta(days=9_000)) == "open"
