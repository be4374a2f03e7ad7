"""Normal forms of addresses: one page, one address, as far as that shows in the address itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote_plus, urljoin, urlsplit, urlunsplit

from w3lib.url import canonicalize_url

LONGEST_URL = 2_000
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NO_ADDRESSES = ("javascript", "data", "about", "blob", "vbscript", "view-source")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_USERINFO = re.compile(r"^([a-zA-Z][\w+.-]*://)[^/?#@]*@")
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_IGNORED = re.compile("[\t\n\r]")
_TRACKING = re.compile(
    r"(?:utm_\w+|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_cid"
    r"|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|__hs\w+|hsctatracking|oly_enc_id|oly_anon_id|vero_id|vero_conv"
    r"|wickedid|s_cid|piwik_\w+|pk_\w+|matomo_\w+|mtm_\w+|spm|ref_src)",
    re.IGNORECASE,
)
_SESSION = re.compile(
    r"(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|sessionid|session_id|sessid|cfid|cftoken"
    r"|zenid|oscsid|xtc?sid)",
    re.IGNORECASE,
)
# Many sites call a story or a section "sid": only what looks made by a machine is a session.
_SESSION_ID = re.compile(r"(?=[^&]*\d)[\w,-]{20,}")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sessionid|sid)=[^/;?#]*", re.IGNORECASE)
_DOTNET_SESSION = re.compile(r"/\((?:[A-Z]\([^()/]+\))+\)(?=/)")
_CALENDAR = re.compile(
    r"(?<=/)(?:19|20)\d\d(?:[/-](?:0?[1-9]|1[0-2])(?:[/-](?:0?[1-9]|[12]\d|3[01]))?)(?=/|\.|$)"
)
_MOST_REPEATED = 3  # times that one folder may stand in an address


@dataclass(frozen=True, slots=True)
class Address:
    """An address in its normal form. scheme: "http" or "https", or that of an address not to be fetched."""

    url: str
    scheme: str
    host: str  # with the port, where it is not the scheme's own
    path: str  # with the query

    @property
    def name(self) -> str:
        """The host without its port."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """The port, also where the address leaves it out."""
        return urlsplit(self.url).port or _DEFAULT_PORTS.get(self.scheme, 0)

    @property
    def is_web(self) -> bool:
        """True of http and https."""
        return self.scheme in _DEFAULT_PORTS


def address_of(given: str, base: str = "", encoding: str = "utf-8") -> Address | None:
    """The address that a link names, None where it names none (a script, data, a broken one).

    base: of the page that it stands on. encoding: of that page, in which browsers write what is not ASCII
    in a query. Fragments, default ports, tracking parameters and session ids go; hosts are lower case and
    punycode; dot segments are resolved, percent-encodings written in one way, parameters sorted by name.
    """
    link = _IGNORED.sub("", given.strip("\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x1b "))
    scheme = _SCHEME.match(link)
    if scheme and scheme[1].lower() not in _DEFAULT_PORTS:
        name = scheme[1].lower()
        shown = _CONTROL.sub("", link)
        return None if name in _NO_ADDRESSES else Address(_USERINFO.sub(r"\1", shown), name, "", "")
    try:
        # A browser reads "\" as "/", and "http:page" on a page of http as relative to it.
        link = re.sub(r"^[^?#]+", lambda head: head[0].replace("\\", "/"), link)
        joined = urljoin(base, link) if base else link
        return _normal(joined, encoding)
    except (ValueError, UnicodeError):
        return None


@lru_cache(maxsize=20_000)  # pages of a site link to the same addresses again and again
def _normal(url: str, encoding: str) -> Address | None:
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not parts.hostname:
        return None
    host = _host(parts.hostname)
    port = parts.port
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        netloc = f"{netloc}:{port}"
    path = _DOTNET_SESSION.sub("", _PATH_SESSION.sub("", parts.path))
    query = "&".join(part for part in parts.query.split("&") if part and not _is_noise(part))
    plain = urlunsplit((scheme, netloc, path or "/", query, ""))
    again = urlsplit(canonicalize_url(plain, encoding=encoding))
    again = again._replace(query=_bare(again.query, query))
    normal = urlunsplit(again)
    shown = again.path + (f"?{again.query}" if again.query else "")
    return Address(normal, scheme, again.netloc, shown)


def _host(name: str) -> str:
    name = name.rstrip(".").lower()
    if name.isascii():
        return name
    return name.encode("idna").decode("ascii")


def _is_noise(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    is_session = _SESSION.fullmatch(name) or (name.lower() == "sid" and _SESSION_ID.fullmatch(value))
    return bool(_TRACKING.fullmatch(name) or is_session)


def _bare(normal: str, given: str) -> str:
    """The query without the "=" that its normal form gives to words alone: wikis call pages by "?Page"."""
    words = {unquote_plus(part) for part in given.split("&") if "=" not in part}
    if not words:
        return normal
    return "&".join(
        part[:-1] if part.endswith("=") and unquote_plus(part[:-1]) in words else part
        for part in normal.split("&")
    )


def pattern_of(address: Address) -> str:
    """The address without what varies, where it looks like one of endlessly many; "" for any other.

    That are addresses with parameters (searches, calendars, filters), with a date in their folders, and
    with one folder again and again, as a relative link that is wrong makes them.
    """
    path, mark, query = address.path.partition("?")
    start = f"{address.scheme}://{address.host}"
    segments = [segment for segment in path.split("/") if segment]
    most = max((segments.count(segment) for segment in set(segments)), default=0)
    if most >= _MOST_REPEATED:
        return f"{start}/{'/'.join(sorted(set(segments)))}/..."
    dated = _CALENDAR.sub("#", path)
    if mark:
        names = sorted({part.partition("=")[0] for part in query.split("&")})
        return f"{start}{dated}?{'&'.join(f'{name}=' for name in names)}"
    return f"{start}{dated}" if dated != path else ""
