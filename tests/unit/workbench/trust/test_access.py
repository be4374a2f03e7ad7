from __future__ import annotations

import pytest

from core.domain.ids import DocumentId
from core.domain.principal import Grantee, Principal
from core.domain.trust.access import AccessTarget
from core.domain.trust.deed import AuditQuery
from core.errors import NotFoundError, RefusedError, UsageError
from core.workbench.facade import Workbench
from tests.support.versions import new_version

ANN = Principal("ann", frozenset({"analyst"}), frozenset({"legal"}))


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    accounts = bench.local.accounts
    accounts.add("root", password="correct horse", roles=["admin"])
    accounts.add("ann", password="correct horse", roles=["analyst"], groups=["legal"])
    accounts.set_group("finance")
    for name in ("a", "b"):
        bench._parts.records.documents.publish(new_version(name, passages=0))
    return bench


def ids(home: Workbench) -> list[DocumentId]:
    return [each.id for each in home.documents()]


def test_a_bucket_is_closed_and_opened_at_once(home: Workbench) -> None:
    access, ann = home.local.access, home.for_principal(ANN)
    assert access.set_bucket("b", ["finance"]) == 2
    assert ann.documents.list() == []
    assert access.set_document(ids(home)[0], ["user:ann"]) == 1
    assert [each.id for each in home.for_principal(ANN).documents.list()] == ids(home)[:1]
    assert access.set_bucket("b", "everybody") == 1
    assert access.set_document(ids(home)[0], "bucket") == 1
    assert home.for_principal(ANN).documents.count() == 2
    names = [each.deed.name for each in home.local.audit_log.entries(AuditQuery())]
    kept = [name for name in names if name.startswith("access.")]
    assert kept == ["access.set_document", "access.set_bucket", "access.set_document", "access.set_bucket"]


def test_what_a_person_sees_is_told_before_it_is_changed(home: Workbench) -> None:
    access = home.local.access
    sight = access.preview(AccessTarget("bucket", "b"), ["finance"], "ann")
    assert (sight.before, sight.after, sight.lost, len(sight.some_lost)) == (2, 0, 2, 2)
    assert len(access.sees("ann")) == 2
    access.set_bucket("b", ["finance"])
    assert (list(access.sees("ann")), access.sees_buckets("ann")) == ([], [])
    more = access.preview_person("ann", groups=["finance"])
    assert (more.before, more.after, more.gained) == (0, 2, 2)
    assert access.preview_person("newcomer", groups=[]).after == 0
    assert access.preview_person("ann", groups=[], roles=["admin"]).after == 2


def test_only_who_is_there_can_be_named(home: Workbench) -> None:
    access = home.local.access
    assert Grantee("user", "ann") in access.grantees()
    assert Grantee("group", "finance") in access.grantees()
    for wrong in (["nobody"], ["user:nobody"], [], "bucket", ["role:x"]):
        with pytest.raises(UsageError):
            access.set_bucket("b", wrong)
    with pytest.raises(UsageError):
        access.set_document(ids(home)[0], "nobody")  # type: ignore[arg-type]
    with pytest.raises(NotFoundError):
        access.set_bucket("x", "everybody")
    assert access.set_document(ids(home)[0], ["admins:"]) == 1
    assert access.of_document(ids(home)[0]).acl == ("admins:",)
    assert [each.own for each in access.own()] == [("admins:",)]
    assert [each.bucket for each in access.buckets()] == ["b"]


def test_only_admins_look_at_access_and_change_it(home: Workbench) -> None:
    access, document = home.for_principal(ANN).access, ids(home)[0]
    for call in (
        access.buckets,
        access.own,
        access.people,
        access.grantees,
        lambda: access.of_bucket("b"),
        lambda: access.of_document(document),
        lambda: access.set_bucket("b", "everybody"),
        lambda: access.set_document(document, "everybody"),
        lambda: access.preview(AccessTarget("bucket", "b"), "everybody", "ann"),
        lambda: access.preview_person("ann", groups=()),
        lambda: access.sees("root"),
        lambda: access.sees_buckets("root"),
    ):
        with pytest.raises(RefusedError):
            call()
