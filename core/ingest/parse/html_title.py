"""Title of a web page without the name of its site."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.document import Heading
from core.text.headings import clean_title

_SEPARATOR = re.compile(r"\s+(?:[|\u2013\u2014\u00b7\u2022\u00bb\u00ab<>/~]|-{1,3}|::)\s+|::?\s+")
_SITE_PART = re.compile(
    r"(?:documentation|docs|manual|wiki(?:pedia)?|home ?page|website|blog|web site|help cent(?:er|re))$",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"(?:untitled(?: document)?|home(?: ?page)?|index(?:\.html?)?|document|new page|page|title|welcome)\W*$",
    re.IGNORECASE,
)


def page_title(stated: str, headings: Sequence[Heading], site: str = "") -> str:
    """The part of the stated title that is the page's own; else its first heading; "" where there is neither.

    headings: of the page's main content. site: the site's name, as the page declares it.
    """
    first = next((each for each in headings if each.level == 1), None)
    first = first or next((each for each in headings if each.level == 2), None)
    heading = clean_title(first.text) if first else ""
    title = clean_title(stated)
    if not title or _SAYS_NOTHING.match(title):
        return heading or title
    if heading and (own := _shared(title, heading)):
        return own
    return _without_site(title, site)


def _shared(title: str, heading: str) -> str:
    """The heading as the title says it, where the title begins or ends with it; "" else."""
    low, own = title.casefold(), heading.casefold()
    if low == own:
        return title
    if low.startswith(own) and _SEPARATOR.match(title, len(own)):
        return title[: len(own)]
    if low.endswith(own):
        before = title[: len(title) - len(own)]
        if before.endswith(" ") and _SEPARATOR.search(before, max(0, len(before.rstrip()) - 4)):
            return title[len(title) - len(own) :]
    return ""


def _without_site(title: str, site: str) -> str:
    parts = _SEPARATOR.split(title)
    marks = _SEPARATOR.findall(title)
    if len(parts) < 2:
        return title
    is_site = [_names(part, site) for part in parts]
    if is_site[-1] or _SITE_PART.search(parts[-1]):
        return title[: title.rindex(marks[-1] + parts[-1])].strip() or title
    if is_site[0] or (_SITE_PART.search(parts[0]) and len(parts[0].split()) > 1):
        return title[len(parts[0]) + len(marks[0]) :].strip() or title
    return title


def _names(part: str, site: str) -> bool:
    return bool(site) and part.strip().casefold() == site.strip().casefold()
