"""The one workbench of this process, who is asking, and the turns that run: all that pages and routes share.

Opened once and kept for the life of the process; `cache_resource` is not used, because the routes run
outside of any script and must share the same one.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app import identity
from app.running.uploads import Staging
from core.cache import Cache
from core.config.models import ApiSettings
from core.domain.answer import Answer, Citation
from core.domain.document import DocumentStatus
from core.domain.evidence.change import EvidenceStanding
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import GroundworkError, SignInError

if TYPE_CHECKING:
    from app.running.audit_runs import AuditRuns
    from app.running.model_tests import ModelTests
    from app.running.plan_runs import PlanRuns
    from app.running.turns import TurnRegistry
    from core.domain.trust.permission import Action
    from core.workbench import Session, Workbench
    from core.workbench.trust.oidc import Provider

R = TypeVar("R")
HOME = "GROUNDWORK_HOME"
WARM_AFTER_S = 1.0
MOST = 5000
SIGN_IN_KNOWN_S = 1.0
_DEFAULT_LIMITS = ApiSettings()
_LOCAL = replace(LOCAL_ADMIN, origin="page")

_lock = threading.RLock()  # guards: the workbench is opened once, however many threads ask for it first
_bench: Workbench | None = None
_runners: dict[Any, Any] = {}  # by class
_unreadable: tuple[tuple[int, Principal], Counter[str]] | None = None
_standings: Cache[tuple[int, Principal, Sequence[Citation]], list[EvidenceStanding]] = Cache(64)
_of_pages: Cache[tuple[str, int], Principal] = Cache(256)  # by session and second: a page asks often
_warmed = threading.Event()
_begun = threading.Event()  # somebody opens the workbench, or has done so
_needs = (-1e9, False)  # when it was looked up, and whether people must sign in
_tried = threading.Event()  # it was opened once, or could not be


def bench() -> Workbench:
    """The workbench; opens it at the first call. Raises what `Workbench.open` raises, at every call."""
    global _bench
    with _lock:
        if _bench is None:
            from core.workbench import Workbench

            home = os.environ.get(HOME)
            _bench = Workbench.open(home=Path(home) if home else None)
            _tried.set()
        return _bench


def has_opened() -> bool:
    """True where `bench()` answers at once: the workbench is open, or could not be opened."""
    return _tried.is_set()


def open_soon(after_s: float = 0.0) -> None:
    """Open the workbench beside, unless somebody does already."""

    def begin() -> None:
        if _begun.is_set():
            return
        _begun.set()
        try:
            with contextlib.suppress(GroundworkError):  # the pages and /healthz say it, with the next step
                bench()
        finally:
            _tried.set()

    timer = threading.Timer(after_s, begin)
    timer.daemon = True
    timer.start()


def unreadable() -> Counter[str]:
    """Number of documents without text to search by bucket: scans, encrypted files, failed ones."""
    global _unreadable
    key = bench().data_version(), current_principal()
    if _unreadable is None or _unreadable[0] != key:
        states = (DocumentStatus.UNREADABLE, DocumentStatus.FAILED)
        found = (bench().documents(current_principal(), status=state.value, limit=MOST) for state in states)
        _unreadable = key, Counter(summary.bucket for part in found for summary in part)
    return _unreadable[1]


def standings(answer: Answer) -> dict[int, EvidenceStanding]:
    """How the citations of an answer stand now, by their number; kept until the collection changes."""
    places = answer.citations
    if not places:
        return {}
    key = (bench().data_version(), current_principal(), places)
    found = _standings.get_or_make(key, lambda: session().citations.standings(places))
    return {place.n: each for place, each in zip(places, found, strict=True)}


def use(workbench: Workbench) -> None:
    """Serve this workbench from now on; what ran on an earlier one is forgotten."""
    global _bench, _unreadable, _needs
    with _lock:
        _needs = -1e9, False
        _bench, _unreadable = workbench, None
        _runners.clear()
        _standings.clear()
        _of_pages.clear()
        _tried.set()


def _runner(make: Callable[[Workbench], R]) -> R:
    """What runs work on threads of this process, made at the first call; each is made once a workbench."""
    with _lock:
        if make not in _runners:
            _runners[make] = make(bench())
        found: R = _runners[make]
        return found


def turns() -> TurnRegistry:
    """The questions that run in this process."""
    from app.running.turns import TurnRegistry

    return _runner(TurnRegistry)


def audit_runs() -> AuditRuns:
    """The audits that are run again in this process."""
    from app.running.audit_runs import AuditRuns

    return _runner(AuditRuns)


def model_tests() -> ModelTests:
    """The tests of the language model that run in this process."""
    from app.running.model_tests import ModelTests

    return _runner(ModelTests)


def plan_runs() -> PlanRuns:
    """The plans that run in this process."""
    from app.running.plan_runs import PlanRuns

    return _runner(PlanRuns)


def staging() -> Staging:
    """Staging area of uploads that wait for their ingest."""
    return Staging(bench().settings.home / "staging")


def needs_sign_in() -> bool:
    """True where whoever calls must sign in first: there are accounts, or an identity provider.

    Cheap; answered before the workbench is open where the home's own file tells. Raises what `bench` raises.
    """
    global _needs
    known_at, found = _needs
    if found or time.monotonic() - known_at < SIGN_IN_KNOWN_S:
        return found
    needed: bool | None = None
    if not has_opened():
        from core.config.load import load_settings
        from core.store.store_file import has_accounts

        home = os.environ.get(HOME)
        settings = load_settings(Path(home) if home else None)
        needed = settings.sign_in.has_provider or has_accounts(settings)
    if needed is None:
        needed = bench().sign_in.is_required
    _needs = time.monotonic(), needed
    return needed


def is_signed_in(session: str) -> bool:
    """True while that session lives and its account may come in."""
    return bench().sign_in.by_session(session) is not None


def public_url() -> str:
    """The address of this home for people, where one is configured."""
    return bench().settings.app.public_url if has_opened() else ""


def api_limits() -> ApiSettings:
    """Limits of the interface: as configured, once the workbench is open."""
    bench = _bench
    return _DEFAULT_LIMITS if bench is None else bench.settings.api


def provider() -> Provider | None:
    """The identity provider, None where none is configured."""
    settings = bench().settings.sign_in
    if not settings.has_provider:
        return None
    from core.workbench.trust.oidc import Provider  # with its libraries, for those who use it

    return Provider(settings)


def current_principal() -> Principal:
    """Principal who asks: the request's caller, or whose page this is. Raises SignInError where it is nobody.

    Without accounts it is the built-in admin of a local start.
    """
    caller = identity.caller()
    if caller is not None:
        return caller.principal
    session = identity.session_of_page()
    if session:
        return _of_pages.get_or_make((session, int(time.monotonic())), lambda: _of_page(session))
    if needs_sign_in():
        raise _nobody()
    return _LOCAL


def forget_sign_in() -> None:
    """Look anew whether who calls must sign in: an account was added."""
    global _needs
    _needs = -1e9, False


def _of_page(session: str) -> Principal:
    signed_in = bench().sign_in.by_session(session)
    if signed_in is None or signed_in.must_change:
        raise _nobody()
    return signed_in.principal


def _nobody() -> SignInError:
    return SignInError("Nobody is signed in.", next_step="Load the page anew to sign in.")


def session() -> Session:
    """The home as whoever is asking may see and change it."""
    return bench().for_principal(current_principal())


def may(action: Action) -> bool:
    """True where whoever asks may do such deeds, by the policies of this home; for pages that offer them.

    The admin of a local start may do everything: nothing is opened to know that.
    """
    principal = current_principal()
    return principal == LOCAL_ADMIN or bench().for_principal(principal).may(action)


def close() -> None:
    """Stop what runs and close the workbench; the next call opens it again."""
    global _bench, _needs
    with _lock:
        _needs = -1e9, False
        for runner in _runners.values():
            runner.close()
        _runners.clear()
        if _bench is not None:
            _bench.close()
        _bench = None
        _standings.clear()
        _of_pages.clear()


def warm() -> None:
    """Load what the first question needs, a moment after the first page stands and not before it.

    pandas and pyarrow (.4 s, 75 MB) are left to Streamlit, which imports them for the first table it draws.
    """
    if not _warmed.is_set():
        _warmed.set()
        timer = threading.Timer(WARM_AFTER_S, _warm)
        timer.daemon = True
        timer.start()


def _warm() -> None:
    with contextlib.suppress(GroundworkError):  # whoever needs it next is told what is wrong
        bench().warm()
    gc.collect()
    gc.freeze()  # what stands now stays: walking it for garbage stopped every page for up to .28 s
