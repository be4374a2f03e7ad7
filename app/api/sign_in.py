"""Signing in and out: pages of plain HTML, for nothing of the workbench is shown to who is nobody yet."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs, quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from app import identity, services
from app.api.identity import address_of, cookies_of, is_secure, set_cookie
from app.identity import COOKIE, SIGN_IN, own_path
from core.errors import GroundworkError, SignInError, ThrottledError, UsageError
from core.workbench.trust.sign_in import SignedIn, sealed, unsealed

MOST_BYTES = 16_384
MEMORY, MEMORY_S = "groundwork_provider", 600
STYLE = """
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{min-height:100vh;margin:0;display:grid;place-items:center;background:Canvas;color:CanvasText}
main{width:min(22rem,90vw)}h1{font-size:1.4rem;margin:0 0 1rem}
label{display:block;margin:.9rem 0 .25rem}
input{width:100%;box-sizing:border-box;font:inherit;padding:.5rem .6rem}
input{border:1px solid GrayText;border-radius:.4rem}
button,a.button{display:block;width:100%;box-sizing:border-box;margin-top:1.2rem;padding:.55rem;font:inherit;
text-align:center;text-decoration:none;border:0;border-radius:.4rem;background:#0b6e66;color:#fff;cursor:pointer}
a.button{background:none;border:1px solid GrayText;color:inherit}
.fault{border-left:.25rem solid #c0397b;padding:.2rem .7rem}.note{font-size:.9rem}
:focus-visible{outline:.15rem solid #0b6e66;outline-offset:.1rem}
"""
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def show(request: Request) -> Response:
    """The form; who is signed in, or need not be, goes on at once."""
    wanted = own_path(request.query_params.get("next", "/"))
    if not services.needs_sign_in() or identity.caller() is not None:
        return RedirectResponse(wanted, 303)
    return _form(wanted)


async def enter(request: Request) -> Response:
    """Sign in with name and password."""
    form = await _posted(request)
    wanted = own_path(form.get("next", "/"))
    if not services.needs_sign_in():
        return RedirectResponse(wanted, 303)
    try:
        signed_in = await run_in_threadpool(
            services.bench().sign_in.by_password,
            form.get("name", ""),
            form.get("password", ""),
            address=address_of(request.scope),
            browser=request.headers.get("user-agent", ""),
        )
    except (SignInError, ThrottledError) as error:
        return _form(wanted, error, name=form.get("name", ""))
    return _welcome(request, signed_in, wanted)


def ask_password(request: Request) -> Response:
    """The form for another password of one's own."""
    if identity.caller() is None:
        return RedirectResponse(SIGN_IN, 303)
    return _password_form(own_path(request.query_params.get("next", "/")))


async def change_password(request: Request) -> Response:
    """Change one's own password; every other browser is signed out."""
    form, caller = await _posted(request), identity.caller()
    wanted = own_path(form.get("next", "/"))
    if caller is None or not caller.session:
        return RedirectResponse(SIGN_IN, 303)
    try:
        if form.get("new", "") != form.get("again", ""):
            raise UsageError("The two new passwords differ.", next_step="Type the same one twice.")
        if form.get("new", "") == form.get("old", ""):
            raise UsageError("The new password is the old one.", next_step="Choose another.")
        await run_in_threadpool(
            services.session().accounts.change_password,
            form.get("old", ""),
            form.get("new", ""),
            session=caller.session,
        )
    except GroundworkError as error:
        return _password_form(wanted, error)
    return RedirectResponse(wanted, 303)


def ask_out(_request: Request) -> Response:
    """A page with the button that signs out: a link alone must not."""
    return _page(
        "Sign out",
        '<form method="post" action="/sign-out"><button autofocus>Sign out</button></form>'
        '<a class="button" href="/">Stay signed in</a>',
    )


async def leave(request: Request) -> Response:
    """Sign this browser out."""
    signed_in = await run_in_threadpool(
        services.bench().sign_in.by_cookie, cookies_of(request.headers).get(COOKIE, "")
    )
    if signed_in is not None:
        await run_in_threadpool(services.bench().sign_in.out, signed_in.session)
    answer = RedirectResponse(SIGN_IN, 303, headers={"Clear-Site-Data": '"cache"'})
    set_cookie(answer, "", secure=is_secure(request.scope))
    return answer


def to_provider(request: Request) -> Response:
    """Send the browser to the identity provider."""
    provider = services.provider()
    if provider is None:
        return RedirectResponse(SIGN_IN, 303)
    wanted = own_path(request.query_params.get("next", "/"))
    try:
        address, memory = provider.begin(_callback(request))
    except SignInError as error:
        return _form(wanted, error)
    answer = RedirectResponse(address, 303, headers={"Cache-Control": "no-store"})
    value = sealed(f"{quote(wanted, safe='')} {memory}", services.bench().sign_in.key)
    answer.set_cookie(
        MEMORY,
        value,
        max_age=MEMORY_S,
        httponly=True,
        samesite="lax",
        secure=is_secure(request.scope),
        path=SIGN_IN,
    )
    return answer


def from_provider(request: Request) -> Response:
    """Take the browser back from the identity provider."""
    provider, sign_in = services.provider(), services.bench().sign_in
    kept = unsealed(cookies_of(request.headers).get(MEMORY, ""), sign_in.key, within_s=MEMORY_S)
    if provider is None or kept is None:
        return _form("/", SignInError("This sign-in took too long.", next_step="Begin it again."))
    place, _, memory = kept.partition(" ")
    wanted = own_path(parse_qs(f"next={place}").get("next", ["/"])[0])
    asked = request.query_params
    try:
        visitor = provider.finish(
            _callback(request), memory, code=asked.get("code", ""), state=asked.get("state", "")
        )
        signed_in = sign_in.by_identity(
            visitor.identity,
            name=visitor.name,
            display=visitor.display,
            address=address_of(request.scope),
            browser=request.headers.get("user-agent", ""),
            may_join=services.bench().settings.sign_in.joins,
        )
    except SignInError as error:
        return _form(wanted, error)
    answer = _welcome(request, signed_in, wanted)
    answer.delete_cookie(MEMORY, path=SIGN_IN)
    return answer


def _callback(request: Request) -> str:
    base = services.public_url() or str(request.base_url)
    return f"{base.rstrip('/')}{SIGN_IN}/callback"


def _welcome(request: Request, signed_in: SignedIn, wanted: str) -> Response:
    place = f"{SIGN_IN}/password?next={quote(wanted, safe='')}" if signed_in.must_change else wanted
    answer = RedirectResponse(place, 303, headers={"Cache-Control": "no-store"})
    set_cookie(answer, signed_in.cookie, secure=is_secure(request.scope))
    return answer


async def _posted(request: Request) -> dict[str, str]:
    """The fields of a form; of too large a one none."""
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > MOST_BYTES:
            return {}
    found = parse_qs(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20)
    return {name: values[0] for name, values in found.items()}


def _form(wanted: str, error: GroundworkError | None = None, *, name: str = "") -> Response:
    settings = services.bench().settings.sign_in
    hidden = f'<input type="hidden" name="next" value="{escape(wanted)}">'
    local = (
        f'<form method="post" action="{SIGN_IN}">{hidden}'
        f'<label for="name">Name</label><input id="name" name="name" value="{escape(name[:100])}" '
        f'autocomplete="username" autocapitalize="none" required{" autofocus" * (not name)}>'
        '<label for="password">Password</label><input id="password" name="password" type="password" '
        f'autocomplete="current-password" required{" autofocus" * bool(name)}><button>Sign in</button></form>'
    )
    other = ""
    if settings.has_provider:
        place = f"{SIGN_IN}/provider?next={quote(wanted, safe='')}"
        other = f'<a class="button" href="{escape(place)}">Sign in with {escape(settings.label)}</a>'
    return _page("Sign in to Groundwork", local + other, error)


def _password_form(wanted: str, error: GroundworkError | None = None) -> Response:
    fields = "".join(
        f'<label for="{name}">{label}</label><input id="{name}" name="{name}" type="password" '
        f'autocomplete="{kind}-password" required>'
        for name, label, kind in (
            ("old", "Password until now", "current"),
            ("new", "New password, at least 10 characters", "new"),
            ("again", "New password once more", "new"),
        )
    )
    hidden = f'<input type="hidden" name="next" value="{escape(wanted)}">'
    inside = f"{hidden}{fields}<button>Change password</button>"
    body = f'<form method="post" action="{SIGN_IN}/password">{inside}</form>'
    return _page("Change your password", body, error)


def _page(title: str, body: str, error: GroundworkError | None = None) -> Response:
    fault = ""
    if error is not None:
        fault = f'<p class="fault" role="alert">{escape(error.message)} {escape(error.next_step)}</p>'
    headers = dict(HEADERS)
    status = 200
    if isinstance(error, ThrottledError):
        status, headers["Retry-After"] = 429, str(error.retry_after_s)
    elif error is not None:
        status = 401 if isinstance(error, SignInError) else 400
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">'
        f"<style>{STYLE}</style></head><body><main><h1>{escape(title)}</h1>{fault}{body}</main></body></html>"
    )
    return HTMLResponse(text, status, headers)


ROUTES = [
    Route(SIGN_IN, show),
    Route(SIGN_IN, enter, methods=["POST"]),
    Route(f"{SIGN_IN}/password", ask_password),
    Route(f"{SIGN_IN}/password", change_password, methods=["POST"]),
    Route(f"{SIGN_IN}/provider", to_provider),
    Route(f"{SIGN_IN}/callback", from_provider),
    Route("/sign-out", ask_out),
    Route("/sign-out", leave, methods=["POST"]),
]
