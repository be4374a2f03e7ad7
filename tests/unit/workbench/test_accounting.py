"""Exchange rates and the fiscal year: set by admins, on the command line, kept in the audit log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli.main import groundwork
from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.errors import NotFoundError, RefusedError, UsageError
from core.values.accounting import read_rate
from core.workbench import Workbench
from tests.support.roles import MAY_ASK

USD = read_rate("USD", "0.92", "2024-01-01", "ECB")


def run(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(groundwork, ["rates", *arguments, "--home", str(home)])


def test_what_is_set_holds_and_every_change_is_in_the_audit_log(tmp_path: Path) -> None:
    with Workbench.open(tmp_path) as bench:
        accounting = bench.local.accounting
        accounting.choose("eur", ["invoice_date"], 4)
        accounting.set_rates([USD])
        accounting.import_rates("currency,rate,day\nUSD,0.93,2024-01-01\nGBP,1.2,2024-01-01\n")
        now = accounting.now()
        assert (now.base, now.dated_by, now.fiscal_month) == ("EUR", ("invoice_date",), 4)
        assert [(e.currency, str(e.rate)) for e in now.rates] == [("GBP", "1.2"), ("USD", "0.93")]
        assert accounting.remove_rates("GBP") == 1
        with pytest.raises(NotFoundError):
            accounting.remove_rates("GBP")
        deeds = [e.deed.name for e in bench.local.audit_log.entries(AuditQuery())]
        details = json.dumps([e.deed.detail for e in bench.local.audit_log.entries(AuditQuery())])
    assert deeds[:5].count("rates.set") == 2
    assert {"accounting.choose", "rates.remove"} <= set(deeds)
    assert "USD 0.92 on 2024-01-01, ECB" in details


def test_a_wrong_line_changes_nothing_and_another_base_has_rates_of_its_own(tmp_path: Path) -> None:
    with Workbench.open(tmp_path) as bench:
        accounting = bench.local.accounting
        with pytest.raises(UsageError, match="No base currency"):
            accounting.set_rates([USD])
        accounting.choose("EUR")
        accounting.set_rates([USD])
        with pytest.raises(UsageError, match="Line 3"):
            accounting.import_rates("currency,rate\nGBP,1.2\nCHF,0\n", instead=True)
        assert [e.currency for e in accounting.now().rates] == ["USD"]
        assert accounting.choose("USD").rates == ()
        assert accounting.choose("EUR").rates == (USD,)
        assert not accounting.choose("").currencies
        with pytest.raises(UsageError, match="no month 13"):
            accounting.choose(fiscal_month=13)


def test_only_an_admin_sets_rates_and_everybody_sees_them(tmp_path: Path) -> None:
    with Workbench.open(tmp_path) as bench:
        asking = bench.for_principal(Principal("ann", MAY_ASK)).accounting
        assert asking.now().base == ""
        with pytest.raises(RefusedError):
            asking.choose("EUR")
        with pytest.raises(RefusedError):
            asking.set_rates([USD])


def test_the_command_lists_sets_and_imports(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text("currency,rate,day\nGBP,1.2,2024-01-01\n")
    home = tmp_path / "home"
    run(home, "choose", "--base", "EUR", "--fiscal-month", "7", "--dated-by", "end")
    run(home, "set", "USD=0.92", "--day", "2024-01-01", "--source", "ECB")
    assert run(home, "import", str(file)).exit_code == 0
    found = json.loads(run(home, "list", "--json").stdout)
    assert (found["base"], found["fiscal_month"], found["dated_by"]) == ("EUR", 7, ["end"])
    assert [e["currency"] for e in found["rates"]] == ["GBP", "USD"]
    assert isinstance(run(home, "set", "USD=0").exception, UsageError)
    run(home, "set", "GBP=", "--json")
    assert [e["currency"] for e in json.loads(run(home, "list", "--json").stdout)["rates"]] == ["USD"]
