"""Names that are markup are shown as they are, on every page: nothing of them is drawn, runs or is fetched.

The policy of the pages would stop a script; here none comes so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from core.domain.crawl.request import CrawlRequest
from core.plan.ir.nodes import Plan
from core.workbench.facade import Workbench
from tests.browser.conftest import Server, Visit, free_port, serve

pytestmark = pytest.mark.browser
PASSWORD = "correct horse battery"
HTML = "<img src=x onerror=alert(1)>"
MARKDOWN = "![m](https://evil.example/m.png) [go](https://evil.example/) **loud** :red[red] $x^2$"
FILE = f"{HTML}.txt"
FORMULA = '=HYPERLINK("https:evil.example","total").txt'
QUESTION = f"Which law governs {HTML} {MARKDOWN}?"
FIELD = {
    "name": "hostile",
    "title": f"Site {HTML} **loud**",
    "type": "text",
    "synonyms": [f"plant {HTML}"],
    "description": f"{HTML} {MARKDOWN}",
    "extractors": [{"method": "pattern", "patterns": ["Plant: ([^\\n]+)"]}],
}
TEXT = f"""{HTML} {MARKDOWN}

Master Supply Agreement

This Agreement is made on 3 October 2024 between {HTML} Ltd and Acme Corporation.
Plant: {HTML} {MARKDOWN}

This Agreement is governed by the laws of the State of New York, {HTML}, {MARKDOWN}.
The total fee is $125,000.00 <script>alert(1)</script>.
"""
WALK = """() => {
  const found = [], link = /evil[.]example|^x$/;
  const seen = (root) => {
    for (const each of root.querySelectorAll('*')) {
      const names = each.getAttributeNames(), text = each.textContent, html = each.outerHTML.slice(0, 200);
      if (names.some((name) => name.startsWith('on'))) found.push(`handler: ${html}`);
      const leads = ['src', 'href', 'action'].map((name) => each.getAttribute(name) || '').find((to) => link.test(to));
      // An address in the text may open: it says where it leads.
      if (leads && !(each.tagName === 'A' && text === leads)) found.push(`link: ${html}`);
      if (each.tagName === 'SCRIPT' && text.includes('alert')) found.push(`script: ${html}`);
      // Each word of a search is set bold by the page itself, in a term of its own.
      const bold = ['STRONG', 'B'].includes(each.tagName) && !each.closest('.term');
      if (bold && text === 'loud') found.push(`bold: ${each.parentElement.outerHTML}`);
      if (each.shadowRoot) seen(each.shadowRoot);
    }
  };
  seen(document);
  return found; }"""  # noqa: E501


def _fill(home: Path, folder: Path) -> tuple[str, str]:
    """Seed everything that has a name of its own; gives the ids of a document and of a crawl."""
    with Workbench.open(home=home, verify_encoder=False) as bench:
        local = bench.local
        local.schemas.add_field("contracts", FIELD)
        folder.mkdir()
        for name in (FILE, FORMULA):
            (folder / name).write_text(TEXT, encoding="utf-8")
        report = bench.ingest([folder], bucket=HTML)
        assert [item.bucket for item in report.items] == [HTML, HTML]
        local.schemas.extract()
        local.accounts.add("root", password=PASSWORD, roles=["admin"], display=f"{HTML} {MARKDOWN}")
        local.accounts.set_group("legal", note=f"{HTML} {MARKDOWN}", roles=["analyst"])
        plan = local.plans.make("Which contracts are governed by the laws of New York?")
        assert isinstance(plan, Plan)
        local.audits.save(plan, f"{HTML} {MARKDOWN}")
        request = CrawlRequest.checked(urls=("https://site.example/",), bucket=HTML)
        crawl = local.crawls.start(request, title=f"{HTML} {MARKDOWN}")
        return str(report.items[0].document), str(crawl)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str, str]]:
    folder, port = tmp_path_factory.mktemp("hostile"), free_port()
    home = folder / "home"
    document, crawl = _fill(home, folder / "files")
    command = ["-m", "core.cli", "up", "--no-worker", "--port", str(port), "--home", str(home)]
    for server in serve(command, port, home, lambda health: health["status"] == "ok"):
        yield server, document, crawl


def test_no_name_is_drawn_as_markup_on_any_page(
    hostile: tuple[Server, str, str], visit: Callable[..., Visit]
) -> None:
    server, document, crawl = hostile
    here = visit(server)
    page, faults = here.page, []
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))

    def look(at: str) -> None:
        here.idle()
        faults.extend(f"{at}: {each}" for each in page.evaluate(WALK))

    page.goto(f"{server.url}/sign-in?next={quote('/account')}")
    page.get_by_label("Name").fill(HTML)
    page.get_by_label("Password").fill("wrong wrong wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    faults.extend(page.evaluate(WALK))
    page.get_by_label("Name").fill("root")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    look("account")
    page.get_by_label("Name of the token").fill(f"{HTML} {MARKDOWN}")
    page.get_by_role("button", name="Make token").click()
    look("token")

    here.open("/")
    look("welcome")
    here.ask(QUESTION)
    look("answer")
    here.ask("Which law governs each contract?")
    look("second answer")
    for chip in page.get_by_role("button", name="Citation").all()[:2]:
        chip.click()
        look("evidence")

    bucket = quote(HTML)
    for path in (
        "/documents",
        f"/documents?document={document}",
        f"/matrix?bucket={bucket}",
        f"/search?q={quote(QUESTION)}",
        f"/inspector?question={quote(QUESTION)}",
        "/ingest",
        "/crawl",
        f"/crawl?crawl={crawl}",
        "/jobs",
        "/schemas",
        f"/schemas?bucket={bucket}",
        "/learning",
        "/settings",
        "/people",
        "/account",
    ):
        page.goto(server.url + path)
        look(path)
        for tab in page.get_by_role("tab").all():
            tab.click()
            look(f"{path} {tab.inner_text()}")

    assert list(dict.fromkeys(faults)) == []
