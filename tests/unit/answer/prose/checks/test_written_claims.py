"""False and honest claims that a person wrote on the sample collection: see bench/claims."""

from __future__ import annotations

from bench.claim_checks import faults_of
from bench.claims.written import written_pairs


def test_honest_claims_stand_and_wrong_units_and_names_do_not() -> None:
    pairs = written_pairs("strangers")
    told, honest = (
        [each for each in pairs if each.kind in ("unit", "subject")],
        [e for e in pairs if not e.kind],
    )
    caught = sum(bool(faults_of(each.text, [each.spans])) for each in told)
    struck = sum(bool(faults_of(each.text, [each.spans])) for each in honest)
    assert caught >= 0.85 * len(told)
    assert struck <= 0.02 * len(honest)
