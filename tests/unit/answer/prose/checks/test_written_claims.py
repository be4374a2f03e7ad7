"""False and honest claims that a person wrote on the sample collection: see bench/claims."""

from __future__ import annotations

from bench.claim_checks import faults_of
from bench.claims.written import written_pairs


def test_nearly_all_false_claims_are_caught_and_honest_ones_stand() -> None:
    pairs = written_pairs("strangers")
    false, honest = [each for each in pairs if each.kind], [each for each in pairs if not each.kind]
    caught = sum(bool(faults_of(each.text, [each.spans])) for each in false)
    struck = sum(bool(faults_of(each.text, [each.spans])) for each in honest)
    assert caught >= 0.95 * len(false)
    assert struck <= 0.02 * len(honest)
