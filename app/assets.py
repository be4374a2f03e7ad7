"""Scripts and styles of our components: read once, served under a fingerprint, never sent inline.

Inline, every redraw of a mount carries its script again (30 KB an answer); from a route the browser
fetches it once and caches it for good.
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "components" / "assets"
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, ready to be served."""

    text: str
    media_type: str


@functools.cache
def _all() -> dict[str, Asset]:
    files = sorted(path for path in FOLDER.iterdir() if path.suffix in _TYPES)
    return {path.name: Asset(path.read_text("utf-8"), _TYPES[path.suffix]) for path in files}


def asset(name: str) -> Asset | None:
    """The asset of that file name; None where there is none."""
    return _all().get(name)


@functools.cache
def fingerprint() -> str:
    """Changes with any asset."""
    digest = hashlib.sha256()
    for name, found in _all().items():
        digest.update(f"{name}\0{found.text}\0".encode())
    return digest.hexdigest()[:16]


def picture(name: str) -> str:
    """The path of an image among the assets."""
    return str(FOLDER / name)


def loader(name: str, *styles: str) -> str:
    """The inline script of a component whose module is `name`.js and whose style is `name`.css.

    styles: others whose rules it shares, by name; all have those of base.css first. All come from our own
    route; it stands for the module, so that nothing else is inline.
    """
    base, sheets = f"/api/assets/{fingerprint()}", json.dumps(["base", name, *styles])
    return f"""
const at = (file) => new URL("{base}/" + file, location.origin).href;
const styles = {sheets}.map((name) => fetch(at(name + ".css")).then((r) => r.text()));
const [module, ...css] = await Promise.all([import(at("{name}.js")), ...styles]);
const sheet = new CSSStyleSheet();
sheet.replaceSync(css.join(""));
export default (component) => {{
  const root = component.parentElement;
  if (root.adoptedStyleSheets && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [sheet];
  return module.default({{ ...component, data: component.data[0] }});
}};
"""
