from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest

from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.errors import RefusedError, UsageError
from core.workbench.facade import Workbench

ANN = Principal("ann", frozenset({"analyst"}), origin="page 10.0.0.4")
OFFICER = Principal("eve", frozenset({"compliance_officer"}))


def test_everybody_sees_their_own_deeds_and_officers_all(bench: Workbench) -> None:
    bench.local.documents.add_bucket("one")
    bench.for_principal(ANN).conversations.create()

    ann = bench.for_principal(ANN).audit_log
    [own] = ann.entries(AuditQuery())
    assert (own.deed.account, own.deed.name, own.deed.origin) == ("ann", "conversation.create", ANN.origin)
    assert ann.count(AuditQuery()) == 1
    with pytest.raises(RefusedError):
        ann.entries(AuditQuery(account="admin"))
    for deed in (ann.verify, ann.head, ann.export_head, lambda: ann.redact("x", sequences=[1])):
        with pytest.raises(RefusedError):
            deed()
    officer = bench.for_principal(OFFICER).audit_log
    assert officer.count(AuditQuery(outcome="done")) == 2
    assert officer.count(AuditQuery(account="ann", deed="policy.refuse", outcome="refused")) == 4
    assert officer.verify().is_whole
    with pytest.raises(RefusedError):
        officer.redact("x", sequences=[1])


def test_a_refused_deed_is_kept_and_nothing_else_of_it(bench: Workbench) -> None:
    with pytest.raises(RefusedError):
        bench.for_principal(ANN).documents.add_bucket("secret")

    [entry] = bench.local.audit_log.entries(AuditQuery(account="ann"))
    assert (entry.deed.outcome, entry.deed.subject) == ("refused", "secret")
    assert [each.name for each in bench.local.documents.buckets()] == []


def test_an_export_holds_entries_check_and_checksums(bench: Workbench, tmp_path: Path) -> None:
    bench.local.documents.add_bucket("one")
    bench.local.audit_log.note("document.show", "=cmd()", page=3)
    bench.local.audit_log.export_head()
    file = tmp_path / "audit.zip"

    assert bench.local.audit_log.export(file) == 2

    with zipfile.ZipFile(file) as archive:
        sums = dict(reversed(line.split("  ")) for line in archive.read("SHA256SUMS").decode().splitlines())
        for name, value in sums.items():
            assert hashlib.sha256(archive.read(name)).hexdigest() == value
        lines = [json.loads(line) for line in archive.read("entries.jsonl").splitlines()]
        rows = list(csv.DictReader(io.StringIO(archive.read("entries.csv").decode())))
        assert json.loads(archive.read("check.json"))["ok"]
        assert archive.read("heads.jsonl")
    assert [each["deed"] for each in lines] == ["document.show", "bucket.add"]
    assert lines[0]["detail"] == {"page": 3}
    assert not rows[0]["subject"].startswith("=")
    assert json.loads(rows[0]["detail"]) == {"page": 3}
    assert bench.local.audit_log.entries(AuditQuery(limit=1))[0].deed.name == "audit.export"
    with pytest.raises(UsageError, match="there already"):
        bench.local.audit_log.export(file)


def test_a_redaction_needs_a_reason_and_something_to_redact(bench: Workbench) -> None:
    bench.local.documents.add_bucket("one")
    log = bench.local.audit_log
    for deed in (
        lambda: log.redact(" ", sequences=[1]),
        lambda: log.redact("why"),
        lambda: log.redact("why", older_than_days=0),
    ):
        with pytest.raises(UsageError):
            deed()
    assert log.redact("a request", sequences=[1]) == 1
    assert log.verify().is_whole
    assert log.redact("age", older_than_days=1) == 0
