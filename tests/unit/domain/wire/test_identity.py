"""The identity of a document as it is kept."""

from __future__ import annotations

import json

from core.domain.fields import Identity, IdentityPart, Quote
from core.domain.span import PageSpan
from core.domain.wire.documents import identity_from_json, identity_json


def test_an_identity_comes_back_as_it_was_kept() -> None:
    party = IdentityPart("ACME", 0.9, (Quote(PageSpan(1, 4, 20), "ACME Corporation"),), "ACME Corporation")
    identity = Identity("Lease · ACME", IdentityPart("Lease", 0.7), (party,), IdentityPart("2024-03", 0.5))

    assert identity_from_json(json.loads(json.dumps(identity_json(identity)))) == identity
