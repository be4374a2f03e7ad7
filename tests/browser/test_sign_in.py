"""From the sign-in page over People to an account that is disabled while its page is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from core.workbench.facade import Workbench
from tests.browser.conftest import Server, Visit, free_port, serve

pytestmark = pytest.mark.browser
NEW = "correct horse battery"


@pytest.fixture(scope="module")
def home_with_admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    home, port = tmp_path_factory.mktemp("accounts") / "home", free_port()
    with Workbench.open(home=home, verify_encoder=False) as bench:
        _, password = bench.local.accounts.add("root", roles=["admin"])
        bench.local.accounts.add("eve", password=NEW)
    command = ["-m", "core.cli", "up", "--no-worker", "--port", str(port), "--home", str(home)]
    for server in serve(command, port, home, lambda health: health["status"] == "ok"):
        yield server, password


def sign_in(visit: Visit, path: str, name: str, password: str) -> None:
    """Sign in with a password that has to be changed, and change it."""
    page = visit.page
    page.goto(visit.server.url + path)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Password until now").fill(password)
    page.get_by_label("New password, at least").fill(NEW)
    page.get_by_label("New password once more").fill(NEW)
    page.get_by_role("button", name="Change password").click()
    visit.idle()
    expect(page).to_have_url(visit.server.url + path)


def test_an_account_is_made_used_and_disabled(
    home_with_admin: tuple[Server, str], visit: Callable[..., Visit]
) -> None:
    server, password = home_with_admin
    root = visit(server)
    root.page.goto(f"{server.url}/people")
    root.page.get_by_label("Name").fill("root")
    root.page.get_by_label("Password").fill("wrong")
    root.page.get_by_role("button", name="Sign in").click()
    expect(root.page.get_by_role("alert")).to_contain_text("do not fit")

    sign_in(root, "/people", "root", password)
    root.page.get_by_label("Name", exact=True).fill("ann")
    roles = root.page.get_by_role("combobox", name="Roles", exact=True)
    roles.click()  # which opens the list, or only leaves the field before it
    roles.press("ArrowDown")
    root.page.get_by_role("option", name="analyst: questions").click()
    root.page.keyboard.press("Escape")
    root.page.get_by_role("button", name="Add account").click()
    root.idle()
    made = root.page.locator(".st-key-secret code").inner_text().strip()
    root.page.get_by_role("button", name="I have kept it").click()
    root.idle()
    expect(root.page.get_by_text("not shown again")).to_have_count(0)

    ann = visit(server)
    sign_in(ann, "/account", "ann", made)
    expect(ann.page.get_by_text("Signed in as ann")).to_be_visible()
    expect(ann.page.get_by_role("link", name="People")).to_have_count(0)
    ann.page.get_by_label("Name of the token").fill("nightly")
    ann.page.get_by_role("button", name="Make token").click()
    ann.idle()
    token = ann.page.locator(".st-key-secret code").inner_text().strip()
    api = f"{server.url}/api/v1/matrix"
    bearer = {"authorization": f"Bearer {token}"}
    assert root.page.request.get(api, headers=bearer).status == 200

    root.open("/people?people-which=ann")
    root.page.get_by_role("button", name="Disable").click()
    root.idle()
    expect(root.page.get_by_role("button", name="Enable")).to_be_visible()

    app = ann.page.get_by_test_id("stApp")
    expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED", timeout=15_000)
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Sign in")).to_be_visible()
    assert ann.page.request.get(api, headers=bearer).status == 401
    ann.page.get_by_label("Name").fill("ann")
    ann.page.get_by_label("Password").fill(NEW)
    ann.page.get_by_role("button", name="Sign in").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("do not fit")


def test_signing_out_leaves_nothing_behind(
    home_with_admin: tuple[Server, str], visit: Callable[..., Visit]
) -> None:
    server, _ = home_with_admin
    eve = visit(server)
    eve.page.goto(f"{server.url}/sign-in")
    eve.page.get_by_label("Name").fill("eve")
    eve.page.get_by_label("Password").fill(NEW)
    eve.page.get_by_role("button", name="Sign in").click()
    eve.idle()
    eve.page.get_by_role("link", name="Sign out").click()
    eve.page.get_by_role("button", name="Sign out").click()
    expect(eve.page.get_by_role("button", name="Sign in")).to_be_visible()
    eve.page.goto(f"{server.url}/documents")
    expect(eve.page.get_by_role("button", name="Sign in")).to_be_visible()
