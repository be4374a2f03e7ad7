"""Charts of a crawl as Plotly figures in variables of the theme, and the tables that say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from app.presenting.chart import Chart
from app.presenting.crawl.words import COLOUR, STATE, media_word
from app.presenting.wording import counted, size
from core.domain.crawl.ledger import CrawlProgress, CrawlRun, HostShare, LedgerGroup, Sample, UrlState

ORDER = (
    UrlState.KEPT,
    UrlState.DUPLICATE,
    UrlState.REDIRECTED,
    UrlState.FAILED,
    UrlState.GONE,
    UrlState.SKIPPED,
    UrlState.FETCHING,
    UrlState.QUEUED,
)
MOST_FOLDERS = 40
"""Folders of a host that the map shows, the largest; the others are one field together."""
MOST_HOSTS = 12
OTHER_FOLDERS, OTHER_HOSTS, NO_FOLDER, OUTSIDE = "other folders", "other hosts", "pages", "elsewhere"
NO_HOST = "no host (mail, files, scripts)"
_APART = "\n"  # stands in no address
_OPEN = (f"{_APART}{UrlState.QUEUED}", f"{_APART}{UrlState.FETCHING}")
_STRONG = (UrlState.KEPT, UrlState.REDIRECTED, UrlState.FAILED, UrlState.GONE)  # colours that hide dark words
_LONG_S = 180.0  # from there on a time axis has minutes
_SMALL = {"standoff": 6, "font": {"size": 13}}
_MAP_PX, _LINES_PX, _BARS_PX, _BAR_PX = 380, 230, 70, 34

Rows = list[dict[str, str | int]]


def depth_chart(groups: Sequence[LedgerGroup]) -> Chart:
    """A bar a depth, parted by state. The id of a part is its depth and state, apart by a line break."""
    depths = sorted({group.depth for group in groups})
    sums: Counter[tuple[int, UrlState]] = Counter()
    for group in groups:
        sums[group.depth, group.state] += group.urls
    present = [state for state in ORDER if any(sums[depth, state] for depth in depths)]
    names = [f"Depth {depth}" for depth in depths]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": plain_word(state),
            "y": names,
            "x": [sums[depth, state] for depth in depths],
            "customdata": [f"{depth}{_APART}{state.value}" for depth in depths],
            "marker": {"color": COLOUR[state], "line": {"color": "--st-background-color", "width": 1}},
            "hovertemplate": f"%{{y}}, {plain_word(state).lower()}: %{{x:,}}<extra></extra>",
        }
        for state in present
    ]
    layout = {
        "barmode": "stack",
        "height": _BARS_PX + _BAR_PX * max(1, len(depths)),
        "margin": {"l": 8, "r": 12, "t": 26, "b": 8},
        "bargap": 0.3,
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        "showlegend": True,
        "yaxis": {"autorange": "reversed", "type": "category", "showgrid": False},
        "xaxis": {"tickformat": ",", "rangemode": "tozero"},
    }
    rows: Rows = [
        {"Depth": depth, **{plain_word(state): sums[depth, state] for state in present}} for depth in depths
    ]
    return Chart(
        "Bar chart: addresses at each depth by state. Its values are in the table.",
        {"data": data, "layout": layout},
        rows,
    )


def time_chart(samples: Sequence[Sample]) -> Chart:
    """Lines over the time since the start: fetched, queued, failed."""
    start = samples[0].at
    seconds = [(sample.at - start).total_seconds() for sample in samples]
    unit, word, short = (60, "Minutes", "min") if seconds[-1] >= _LONG_S else (1, "Seconds", "s")
    times = [round(each / unit, 2) for each in seconds]
    lines = (
        ("Fetched", "--st-blue-color", "solid", [sample.fetched for sample in samples]),
        ("Queued", "--st-gray-color", "dash", [sample.queued for sample in samples]),
        ("Failed", "--st-violet-color", "dot", [sample.failed for sample in samples]),
    )
    data = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": times,
            "y": values,
            "line": {"color": colour, "width": 2, "dash": dash},
            "hovertemplate": f"{name}: %{{y:,}} after %{{x:.1f}} {short}<extra></extra>",
        }
        for name, colour, dash, values in lines
    ]
    layout = {
        "height": _LINES_PX,
        "margin": {"l": 8, "r": 12, "t": 26, "b": 8},
        "hovermode": "x",
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {"title": {"text": f"{word} since the start", **_SMALL}, "rangemode": "tozero"},
        "yaxis": {"tickformat": ",", "rangemode": "tozero"},
    }
    rows: Rows = [
        {
            "Time": f"{sample.at:%H:%M:%S}",
            "Fetched": sample.fetched,
            "Queued": sample.queued,
            "Failed": sample.failed,
            "Data": size(sample.size_bytes),
        }
        for sample in samples
    ]
    return Chart(
        "Line chart: addresses fetched, queued and failed over time. Its values are in the table.",
        {"data": data, "layout": layout},
        rows,
    )


def site_map(shares: Sequence[HostShare]) -> Chart:
    """The site as a tree map: hosts hold folders, folders hold a field for each state, as large as its count.

    The id of a field is host, folder and state, apart by line breaks. Hosts of which nothing was fetched are
    no part of the site: the note says how many there are. Raises ValueError where nothing was.
    """
    own = {share.host for share in shares if share.state is not UrlState.SKIPPED}
    sums = _joined([share for share in shares if share.host in own])
    totals: Counter[tuple[str, str]] = Counter()
    hosts: Counter[str] = Counter()
    for (host, folder, _state), urls in sums.items():
        totals[host, folder] += urls
        hosts[host] += urls
    fields: list[tuple[str, str, str, int, str, str]] = []
    for host, urls in hosts.most_common():
        fields.append((host, f"{host} <b>{urls:,}</b>", "", urls, "--st-secondary-background-color", ""))
    for (host, folder), urls in totals.most_common():
        label = _shown(folder, [each for each_host, each in totals if each_host == host])
        plain = "--st-secondary-background-color"
        fields.append((f"{host}{_APART}{folder}", f"{label} <b>{urls:,}</b>", host, urls, plain, ""))
    for (host, folder, state), urls in sums.items():
        colour = COLOUR[state]
        parent = f"{host}{_APART}{folder}"
        text = "--on" if state in _STRONG else ""
        fields.append(
            (f"{parent}{_APART}{state.value}", f"{STATE[state].word} {urls:,}", parent, urls, colour, text)
        )
    ids, labels, parents, values, colours, texts = (list(column) for column in zip(*fields, strict=True))
    waiting = {each[0] for each in fields if each[0].endswith(_OPEN)}
    trace = {
        "type": "treemap",
        "ids": ids,
        "labels": labels,
        "parents": parents,
        "values": values,
        "branchvalues": "total",
        "textinfo": "label",
        "hovertemplate": "%{label}<extra></extra>",
        "marker": {
            "colors": colours,
            "line": {"color": "--st-background-color", "width": 1},
            "pattern": {"shape": ["/" if id in waiting else "" for id in ids], "size": 7, "solidity": 0.12},
            "pad": {"t": 22, "l": 3, "r": 3, "b": 3},
        },
        "textfont": {"color": [text or "--st-text-color" for text in texts], "size": 13},
        "pathbar": {"visible": False},
        "tiling": {"packing": "squarify", "pad": 2},
    }
    layout = {"height": _MAP_PX, "margin": {"l": 0, "r": 0, "t": 0, "b": 0}, "uniformtext": {"minsize": 10}}
    rows: Rows = []
    for (host, folder), urls in totals.most_common():
        by_state = {plain_word(state): sums.get((host, folder, state), 0) for state in _present(sums)}
        rows.append({"Host": host, "Folder": folder or OUTSIDE, **by_state, "All": urls})
    return Chart(
        "Tree map: addresses by host, folder and state. Its values are in the table.",
        {"data": [trace], "layout": layout},
        rows,
        _elsewhere([share for share in shares if share.host not in own]),
    )


def states_of(shares: Sequence[HostShare]) -> list[UrlState]:
    """The states that a map has, in the order of its legend."""
    present = {share.state for share in shares}
    return [state for state in ORDER if state in present]


def picked(id: str) -> tuple[str, ...]:
    """The parts of an id that a click on a chart sent."""
    return tuple(id.split(_APART))


def plain_word(state: UrlState) -> str:
    """The word of a state without its sign, where a legend has a colour in its place."""
    return STATE[state].word.partition(" ")[2]


def by_host(groups: Sequence[LedgerGroup]) -> Rows:
    """A row a host: addresses, pages, bytes; those with the most pages first."""
    found: dict[str, Counter[str]] = {}
    for group in groups:
        one = found.setdefault(group.host or NO_HOST, Counter())
        one["all"] += group.urls
        if group.state is UrlState.KEPT:
            one["pages"] += group.urls
    ordered = sorted(found.items(), key=lambda each: (-each[1]["pages"], -each[1]["all"], each[0]))
    return [{"Host": host, "Pages": one["pages"], "Addresses": one["all"]} for host, one in ordered]


def by_type(groups: Sequence[LedgerGroup]) -> Rows:
    """A row a type of page that is kept: how many, and how many bytes."""
    pages: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for group in groups:
        if group.state is UrlState.KEPT:
            pages[media_word(group.media_type)] += group.urls
            sizes[media_word(group.media_type)] += group.size_bytes
    return [
        {"Type": word or "unknown", "Pages": number, "Size": size(sizes[word])}
        for word, number in pages.most_common()
    ]


def _elsewhere(shares: Sequence[HostShare]) -> str:
    urls, hosts = sum(share.urls for share in shares), len({share.host for share in shares})
    if not urls:
        return ""
    return f"Not drawn: {counted(urls, 'address', 'addresses')} of {counted(hosts, 'other site')}, left out."


def _present(sums: Mapping[tuple[str, str, UrlState], int]) -> list[UrlState]:
    return [state for state in ORDER if any(each is state for _, _, each in sums)]


def _joined(shares: Sequence[HostShare]) -> Counter[tuple[str, str, UrlState]]:
    """The counts, small hosts and small folders as one each."""
    hosts: Counter[str] = Counter()
    folders: dict[str, Counter[str]] = {}
    for share in shares:
        hosts[share.host] += share.urls
        folders.setdefault(share.host, Counter())[share.folder] += share.urls
    large = {host for host, _ in hosts.most_common(MOST_HOSTS if len(hosts) > MOST_HOSTS + 1 else None)}
    kept = {
        host: {name for name, _ in each.most_common(MOST_FOLDERS if len(each) > MOST_FOLDERS + 1 else None)}
        for host, each in folders.items()
    }
    sums: Counter[tuple[str, str, UrlState]] = Counter()
    for share in shares:
        if share.host not in large or not share.host:
            sums[OTHER_HOSTS, "", share.state] += share.urls
        else:
            folder = share.folder if share.folder in kept[share.host] else OTHER_FOLDERS
            sums[share.host, folder, share.state] += share.urls
    return sums


def _shown(folder: str, siblings: Sequence[str]) -> str:
    """The name of a folder below the one that all share; "pages" for what lies in that one itself, and
    "elsewhere" for what lies outside of it."""
    if folder == OTHER_FOLDERS or not folder:
        return folder or OUTSIDE
    shortest = min((each for each in siblings if each and each != OTHER_FOLDERS), key=len)
    is_base = folder == shortest and any(each.startswith(folder) and each != folder for each in siblings)
    return NO_FOLDER if is_base else folder.rstrip("/").rpartition("/")[2] or NO_FOLDER


WINDOW_S = 30.0
"""Seconds by which the speed is measured: long enough for a slow site, short enough to follow a change."""


def pages_a_second(run: CrawlRun | None) -> float | None:
    """Addresses settled a second lately; None before two points tell it."""
    samples = run.samples if run is not None else ()
    if len(samples) < 2:
        return None
    last = samples[-1]
    first = next(each for each in samples if (last.at - each.at).total_seconds() <= WINDOW_S)
    if first is last:
        first = samples[-2]
    seconds = (last.at - first.at).total_seconds()
    return max(0.0, (last.fetched - first.fetched) / seconds) if seconds > 0 else None


def seconds_left(progress: CrawlProgress, rate: float | None, max_pages: int) -> float | None:
    """Seconds for the addresses that are known and still fit the page limit; None where nothing moves."""
    if not rate:
        return None
    room = max(0, max_pages - progress.counts.get(UrlState.KEPT, 0))
    return min(progress.queued, room) / rate
