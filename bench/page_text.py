"""Main text of web pages against the article that each generator marks: words kept, words of navigation.

    python -m bench.page_text --data DIR [--other DIR]... [--worst 5] [--json FILE]

DIR holds unpacked documentation trees (Debian's postgresql-doc-15, python3.11-doc, sqlite3-doc); every HTML
file below it is read. The article is defined by the generator's own markup and never by the product's code:

- Sphinx: the element with role=main (div.body), without its headerlinks;
- DocBook: the body without .navheader and .navfooter (or a table "Navigation header/footer");
- SQLite: the body after its head (the first div.nosearch) up to the line "This page last modified on",
  without the table of contents that stays folded until it is clicked (div.fancy_toc);
- rustdoc: the element with id=main-content; mdBook: <main>; Node.js: div#apicontent; npm: div#content;
- any other: not measured, and counted.

Words are counted as often as they stand. Kept: the share of the article's words that the main text holds.
Navigation: the share of the main text's words that the article lacks and the rest of the page holds. Scripts,
styles, drawings and form controls belong to neither, nor do the numbers that a browser sets before the items
of a numbered list: the main text has them, and the markup does not. Of each tree: median, mean, and the worst
1 % of pages.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html.document import decode_html, document_from_html

_WORD = re.compile(r"\w+")
_INLINE = frozenset(
    [
        "a",
        "b",
        "i",
        "u",
        "s",
        "em",
        "strong",
        "code",
        "tt",
        "kbd",
        "var",
        "span",
        "sub",
        "sup",
        "small",
        "mark",
    ]
)
_NO_TEXT = [
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "head",
    "select",
    "button",
    "iframe",
    "textarea",
]


@dataclass(slots=True)
class Tree:
    """Figures of the pages of one kind; `names` are their files, in order."""

    kept: list[float] = field(default_factory=list)
    navigation: list[float] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    seconds: float = 0.0


def main() -> None:
    """Measure every page and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--other", type=Path, action="append", default=[], help="trees not looked at before")
    parser.add_argument("--most", type=int, default=3_000, help="pages of each other tree, evenly spread")
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    shown: dict[str, dict[str, float]] = {}
    for folder, most in [(asked.data, 0), *((other, asked.most) for other in asked.other)]:
        trees, unknown = measure(folder, most)
        for name, tree in sorted(trees.items()):
            shown[f"{folder.name}: {name}"] = report(f"{folder.name}: {name}", tree, asked.worst)
        print(f"{folder.name}: {unknown} pages of generators that are not known, or without an article")
    if asked.json:
        asked.json.write_text(json.dumps(shown, indent=2))


def measure(folder: Path, most: int = 0) -> tuple[dict[str, Tree], int]:
    """Figures by generator, and the number of pages without a definition of their article."""
    trees: dict[str, Tree] = defaultdict(Tree)
    unknown = 0
    paths = sorted(folder.rglob("*.html"))
    if most and len(paths) > most:
        paths = paths[:: len(paths) // most + 1]
    for path in paths:
        markup = decode_html(path.read_bytes())
        if not markup.strip():
            continue
        found = article(markup)
        if found is None:
            unknown += 1
            continue
        kind, inside, outside, numbers = found
        began = time.process_time()
        text = document_from_html(markup, path.name, ParseLimits()).pages[0].text
        tree = trees[kind]
        tree.seconds += time.process_time() - began
        ours = words(text)
        tree.kept.append(sum((ours & inside).values()) / max(1, sum(inside.values())))
        stray = (ours - inside - numbers) & outside
        tree.navigation.append(sum(stray.values()) / max(1, sum(ours.values())))
        tree.names.append(str(path))
    return dict(trees), unknown


def article(markup: str) -> tuple[str, Counter[str], Counter[str], Counter[str]] | None:
    """The generator with the words of its article, those of the rest of the page, and numbers of lists."""
    root = lxml_html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", markup).encode(), parser=_parser())
    body = root.find("body")
    if body is None:
        return None
    for element in list(body.iter(*_NO_TEXT)):
        if element.getparent() is not None:
            element.drop_tree()
    everything, numbers = words(_text(body) or ""), Counter(_list_numbers(body))
    generator = " ".join(
        each.get("content", "") for each in root.iter("meta") if each.get("name") == "generator"
    )
    kind, inside = _article(root, body, generator, markup)
    if inside is None or not words(inside):
        return None
    return kind, words(inside), everything - words(inside), numbers


def _list_numbers(body: Any) -> Iterator[str]:
    """Marks of the items of numbered lists as browsers count them."""
    for each in body.iter("ol"):
        start = each.get("start", "")
        number = int(start) if start.isdigit() else 1
        for item in each.findall("li"):
            stated = item.get("value", "")
            number = int(stated) if stated.isdigit() else number
            kind = each.get("type", "1")
            yield chr(ord("a") + (number - 1) % 26) if kind in ("a", "A") else str(number)
            number += 1


def _parser() -> Any:
    return lxml_html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")


def _article(root: Any, body: Any, generator: str, markup: str) -> tuple[str, str | None]:
    if "DocBook" in generator or body.find(".//div[@class='navheader']") is not None:
        _remove(body, ".//div[@class='navheader']", ".//div[@class='navfooter']")
        _remove(body, ".//table[@summary='Navigation header']", ".//table[@summary='Navigation footer']")
        _remove(body, ".//table[@class='navigation']", ".//div[@class='footer']")
        return "DocBook", _text(body)
    if "Docutils" in generator or body.find(".//div[@class='body'][@role='main']") is not None:
        _remove(body, ".//a[@class='headerlink']")
        return "Sphinx", _text(body.find(".//*[@role='main']"))
    if "rustdoc" in generator:
        return "rustdoc", _text(body.find(".//*[@id='main-content']"))
    if "Book generated using mdBook" in markup:
        return "mdBook", _text(body.find(".//main"))
    if body.find(".//div[@id='apicontent']") is not None:
        return "Node.js", _text(body.find(".//div[@id='apicontent']"))
    if body.find(".//section[@id='content']") is not None and "npm" in markup[:20_000]:
        return "npm", _text(body.find(".//section[@id='content']"))
    head = body.find("./div[@class='nosearch']")
    if head is not None:
        head.drop_tree()
        _remove(body, ".//div[@class='fancy_toc']")
        for line in body.findall(".//p[@align='center']"):
            if "This page last modified on" in line.text_content():
                line.drop_tree()
        return "SQLite", _text(body)
    return "", None


def _remove(body: Any, *paths: str) -> None:
    for path in paths:
        for element in body.findall(path):
            element.drop_tree()


def _text(element: Any) -> str | None:
    return None if element is None else "".join(_pieces(element))


def _pieces(element: Any) -> Iterator[str]:
    """Texts in order, with a blank where a block begins or ends: inline marks do not divide a word."""
    for event, each in etree.iterwalk(element, events=("start", "end")):
        if each.tag not in _INLINE:
            yield " "
        piece = each.text if event == "start" else each.tail if each is not element else ""
        yield piece or ""


def words(text: str) -> Counter[str]:
    """Words as often as they stand, in lower case."""
    return Counter(_WORD.findall(text.casefold()))


def report(name: str, tree: Tree, worst: int) -> dict[str, float]:
    """Print one tree's row; `worst`: the pages that keep least and that hold most navigation."""
    last = max(1, len(tree.kept) // 100)
    kept, stray = sorted(tree.kept), sorted(tree.navigation, reverse=True)
    row = {
        "pages": len(kept),
        "kept median": statistics.median(kept),
        "kept mean": statistics.mean(kept),
        "kept worst 1 %": statistics.mean(kept[:last]),
        "pages that keep 95 %": sum(each >= 0.95 for each in kept) / len(kept),
        "navigation median": statistics.median(stray),
        "navigation mean": statistics.mean(stray),
        "navigation worst 1 %": statistics.mean(stray[:last]),
        "pages with at most 5 %": sum(each <= 0.05 for each in stray) / len(stray),
        "pages a second of CPU": len(kept) / max(tree.seconds, 1e-9),
    }
    print(name)
    for key, value in row.items():
        print(f"  {key:24} {value:,.4f}" if value <= 1 else f"  {key:24} {value:,.0f}")
    if worst:
        order = sorted(zip(tree.kept, tree.navigation, tree.names, strict=True))
        for each in order[:worst]:
            print(f"    kept {each[0]:.3f} navigation {each[1]:.3f} {each[2]}")
        for each in sorted(order, key=lambda each: -each[1])[:worst]:
            print(f"    kept {each[0]:.3f} navigation {each[1]:.3f} {each[2]}")
    return row


if __name__ == "__main__":
    main()
