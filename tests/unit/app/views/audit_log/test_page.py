from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from app import services
from core.domain.principal import LOCAL_ADMIN
from core.store.database.trust_tables import audit_entries
from tests.app.test_matrix import open_page
from tests.support.contracts_at_hand import Contracts


def shown(app: AppTest) -> str:
    every = (*app.markdown, *app.error, *app.warning, *app.success, *app.info, *app.caption)
    return "\n".join(str(each.value) for each in every)


def test_a_whole_chain_is_said_with_its_head(app: AppTest, contracts: Contracts) -> None:
    open_page(app, "audit")
    app.button(key="audit-verify").click().run()

    assert "entries is whole" in shown(app)
    assert contracts.bench.local.audit_log.head().hash[:16] in shown(app)


def test_a_broken_link_is_pointed_at(app: AppTest, contracts: Contracts) -> None:
    with contracts.records.database.write_rows(is_upkeep=True) as connection:
        edited = sa.update(audit_entries).where(audit_entries.c.sequence == 1)
        connection.execute(edited.values(account="nobody"))
    open_page(app, "audit")

    app.button(key="audit-verify").click().run()

    assert "broken at entry 1: changed" in shown(app)
    app.button(key="audit-around").click().run()
    assert app.query_params["entry"] == "1"
    assert app.query_params["before"] == "7"


def test_people_without_the_role_have_no_such_page(
    app: AppTest, contracts: Contracts, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyst = replace(LOCAL_ADMIN, user="ann", roles=frozenset({"analyst"}))
    monkeypatch.setattr(services, "current_principal", lambda: analyst)
    open_page(app, "audit")

    assert [each.value for each in app.title] != ["Audit log"]
