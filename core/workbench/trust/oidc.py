"""Signing in at an identity provider (OpenID Connect): the code flow, with PKCE, state and nonce."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from core.config.models import SignInSettings
from core.errors import SignInError

TIMEOUT_S = 10.0
ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
_AGAIN = "Try again; where it stays so, ask an admin to look at the settings of the sign-in."


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody whom the provider vouched for. identity: issuer and subject."""

    identity: str
    name: str
    display: str


class Provider:
    """One identity provider, as configured. Its answers are asked for when they are needed."""

    def __init__(self, settings: SignInSettings) -> None:
        self._settings = settings

    def begin(self, redirect: str) -> tuple[str, str]:
        """The address to send a browser to, and the memory of it for `finish`. Raises SignInError."""
        memory = {
            "state": secrets.token_urlsafe(24),
            "nonce": secrets.token_urlsafe(24),
            "verifier": secrets.token_urlsafe(48),
        }
        with self._client(redirect) as client:
            place = self._metadata(client)["authorization_endpoint"]
            address, _ = client.create_authorization_url(
                place, state=memory["state"], nonce=memory["nonce"], code_verifier=memory["verifier"]
            )
        return str(address), json.dumps(memory)

    def finish(self, redirect: str, memory: str, *, code: str, state: str) -> Visitor:
        """Whoever comes back from the provider. Raises SignInError where anything does not fit."""
        known = json.loads(memory)
        if not code or not secrets.compare_digest(known["state"].encode(), state.encode("utf-8", "replace")):
            raise SignInError("This sign-in was not begun here.", next_step="Begin it again.")
        with self._client(redirect) as client:
            metadata = self._metadata(client)
            try:
                token = client.fetch_token(
                    metadata["token_endpoint"], code=code, code_verifier=known["verifier"]
                )
                published: Any = _json(client, metadata["jwks_uri"])
                keys = KeySet.import_key_set(published)
                claims = jwt.decode(str(token["id_token"]), keys, algorithms=ALGORITHMS).claims
                self._check(claims, str(metadata["issuer"]), known["nonce"])
            except SignInError:
                raise
            except (AuthlibBaseError, JoseError, OSError, ValueError, KeyError, TypeError) as error:
                raise self._fault("did not vouch for you") from error
            except Exception as error:  # of its HTTP client, whose types belong to another file
                raise self._fault("did not answer") from error
        subject = str(claims["sub"])
        name = str(claims.get("preferred_username") or claims.get("email") or subject)
        return Visitor(f"{claims['iss']}#{subject}", name, str(claims.get("name") or name)[:200])

    def _check(self, claims: Mapping[str, Any], issuer: str, nonce: str) -> None:
        registry = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": self._settings.client_id},
            exp={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": nonce},
            leeway=60,
        )
        registry.validate(dict(claims))
        audience = claims["aud"]
        if isinstance(audience, list) and len(audience) > 1 and claims.get("azp") != self._settings.client_id:
            raise self._fault("vouched for another program")

    def _client(self, redirect: str) -> Any:
        return OAuth2Client(
            client_id=self._settings.client_id,
            client_secret=self._settings.client_secret.get_secret_value() or None,
            scope=self._settings.scope,
            redirect_uri=redirect,
            code_challenge_method="S256",
            timeout=TIMEOUT_S,
        )

    def _metadata(self, client: Any) -> Mapping[str, Any]:
        base = self._settings.issuer.rstrip("/")
        try:
            found = _json(client, f"{base}/.well-known/openid-configuration")
            if str(found["issuer"]).rstrip("/") != base:
                raise ValueError("another issuer")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                if not str(found[name]).startswith(("https://", "http://")):
                    raise ValueError(name)
        except Exception as error:  # of its HTTP client, whose types belong to another file
            raise self._fault("cannot be reached, or says nothing of itself") from error
        return found

    def _fault(self, reason: str) -> SignInError:
        return SignInError(f"The identity provider {reason}.", next_step=_AGAIN)


def _json(client: Any, address: str) -> dict[str, Any]:
    response = client.request("GET", address, withhold_token=True)
    response.raise_for_status()
    found = response.json()
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found
