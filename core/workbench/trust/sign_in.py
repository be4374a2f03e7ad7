"""The door of a home: who somebody is, by password, by an identity provider, by cookie or by token."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from core.domain.principal import Principal
from core.domain.trust.account import Account, BrowserSession, account_name
from core.domain.trust.deed import Deed
from core.errors import RecordsError, SignInError, ThrottledError, UsageError
from core.store.database.chain import doing
from core.store.store import Records
from core.workbench.trust import passwords

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody signed in by a browser. cookie: what it is to hold from now on, "" for the same."""

    principal: Principal
    session: BrowserSession
    cookie: str = ""
    must_change: bool = False


@dataclass(frozen=True, slots=True)
class Bearer:
    """Somebody who calls with a token, and what the token may be used for."""

    principal: Principal
    token: str
    scopes: frozenset[str]


class SignIn:
    """Checks who somebody is. Thread-safe. Failures say the same, whatever was wrong.

    has_provider: whether people may also sign in at an identity provider.
    """

    def __init__(self, records: Records, *, has_provider: bool = False) -> None:
        self._records = records
        self._has_provider = has_provider

    @property
    def is_required(self) -> bool:
        """True where somebody must sign in: there are accounts, or an identity provider is configured."""
        return self._has_provider or self._records.accounts.exist()

    @property
    def key(self) -> bytes:
        """The key by which cookies are signed."""
        return self._records.browser_sessions.key()

    def require_for(self, host: str) -> None:
        """Refuse an address that others reach while nobody has to sign in. Raises UsageError."""
        if host not in LOOPBACK and not self.is_required:
            raise UsageError(
                f"Whoever reaches {host} would be admin here: there are no accounts yet, and only this "
                "machine itself (127.0.0.1) may be served without them.",
                next_step="Run: groundwork accounts add NAME --role admin; or configure an identity "
                "provider ([sign_in] issuer and client_id in groundwork.toml, "
                "GROUNDWORK_SIGN_IN__CLIENT_SECRET in the environment). Then start again.",
            )

    def by_password(self, name: str, password: str, *, address: str, browser: str = "") -> SignedIn:
        """Sign in with a local account. Raises SignInError, ThrottledError."""
        try:
            known = account_name(name)
        except UsageError:
            known = ""
        keys = (f"account:{known or name.strip().lower()[:200]}", f"address:{address}")
        wait = self._records.throttle.wait_s(keys)
        if wait:
            raise ThrottledError(
                "Too many failed sign-ins.", retry_after_s=wait, next_step=f"Try again in {_words(wait)}."
            )
        account = self._records.accounts.find(known) if known else None
        is_right = passwords.is_password(password, account.password if account is not None else "")
        if account is None or not is_right or account.is_disabled:
            self._records.throttle.fail(keys)
            # Of a name that is none the entry says nothing: people type their password there.
            self._failed(account.name if account is not None else "", address)
            raise SignInError(
                "This name and password do not fit.",
                next_step="Try again, or ask an admin for a new password.",
            )
        self._records.throttle.forget(keys[:1])
        if passwords.needs_rehash(account.password):
            fresh = passwords.password_hash(password)
            self._records.accounts.rehash(account.name, fresh, account.password)
        return self._begin(account, address, browser, "password")

    def by_identity(
        self,
        identity: str,
        *,
        name: str,
        display: str,
        address: str,
        browser: str = "",
        may_join: bool = False,
    ) -> SignedIn:
        """Sign in somebody whom an identity provider vouched for. identity: its issuer and subject.

        Who is not known yet gets an account without roles where `may_join`. Raises SignInError.
        """
        accounts = self._records.accounts
        account = accounts.of_identity(identity)
        if account is None and may_join and accounts.exist():
            with suppress(UsageError):  # a name that is taken stays with who has it
                account = accounts.add(account_name(name), display=display, identity=identity)
        if account is None or account.is_disabled:
            self._failed(account.name if account is not None else "", address)
            raise SignInError(
                "There is no account here for that identity.",
                next_step="Ask an admin of this workbench to link it to an account of yours.",
            )
        return self._begin(account, address, browser, "provider")

    def by_cookie(self, cookie: str, origin: str = "page") -> SignedIn | None:
        """Whoever's browser holds that cookie; None where it is forged, or its session or account ended."""
        secret = unsigned(cookie, self._records.browser_sessions.key())
        found = None if secret is None else self._records.browser_sessions.open(secret)
        if found is None:
            return None
        signed_in = self._with_account(found.session, origin)
        if signed_in is None:
            return None
        renewed = signed(found.secret, self._records.browser_sessions.key()) if found.secret else ""
        return SignedIn(signed_in.principal, found.session, renewed, signed_in.must_change)

    def by_session(self, id: str) -> SignedIn | None:
        """The same by the session's id, for a connection that it opened and that lives on."""
        session = self._records.browser_sessions.live(id)
        return None if session is None else self._with_account(session, "page")

    def by_token(self, text: str, origin: str = "api") -> Bearer:
        """Whoever calls with an API token. Raises SignInError where it is forged, expired or revoked."""
        token = self._records.api_tokens.find(text)
        account = None if token is None else self._records.accounts.find(token.account)
        if token is None or account is None or account.is_disabled:
            raise SignInError(
                "This token is not valid.", next_step="Make a new one under My account, or ask an admin."
            )
        return Bearer(account.principal(f"{origin} token {token.id}"), token.id, token.scopes)

    def out(self, session: BrowserSession, origin: str = "page") -> None:
        """Sign a browser out."""
        with doing(Deed("account.sign_out", session.account, origin)):
            self._records.browser_sessions.end(session.id)

    def _with_account(self, session: BrowserSession, origin: str) -> SignedIn | None:
        account = self._records.accounts.find(session.account)
        if account is None or account.is_disabled:
            return None
        return SignedIn(account.principal(origin), session, must_change=account.must_change)

    def _begin(self, account: Account, address: str, browser: str, by: str) -> SignedIn:
        origin = f"page {address}"
        with doing(Deed("account.sign_in", account.name, origin, account.name, detail={"by": by})):
            secret, session = self._records.browser_sessions.begin(
                account.name, address=address, browser=browser
            )
        self._records.accounts.note_sign_in(account.name, datetime.now(UTC))
        cookie = signed(secret, self._records.browser_sessions.key())
        return SignedIn(account.principal(origin), session, cookie, account.must_change)

    def _failed(self, account: str, address: str) -> None:
        with suppress(RecordsError):  # the refusal itself stands
            self._records.audit_log.append(
                Deed("account.sign_in", account, f"page {address}", account, outcome="refused")
            )


def _words(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} seconds"
    return f"{(seconds + 59) // 60} minutes"


def signed(text: str, key: bytes) -> str:
    """The text with its signature, fit for a cookie. text: of the letters of base64url."""
    return f"{text}.{_signature(text, key)}"


def unsigned(cookie: str, key: bytes) -> str | None:
    """The text of a cookie; None where its signature is another."""
    text, _, signature = cookie.rpartition(".")
    try:
        is_ours = hmac.compare_digest(_signature(text, key).encode(), signature.encode())
    except UnicodeEncodeError:
        return None
    return text if text and is_ours else None


def sealed(text: str, key: bytes, now: float | None = None) -> str:
    """Any text, signed with the time of its making."""
    whole = f"{int(time.time() if now is None else now)}:{text}".encode()
    return signed(base64.urlsafe_b64encode(whole).decode().rstrip("="), key)


def unsealed(cookie: str, key: bytes, *, within_s: float, now: float | None = None) -> str | None:
    """The text that was sealed; None where it is forged or older than that."""
    text = unsigned(cookie, key)
    if text is None:
        return None
    at, _, found = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition(":")
    return found if int(at) + within_s > (time.time() if now is None else now) else None


def _signature(text: str, key: bytes) -> str:
    digest = hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
