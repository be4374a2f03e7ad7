"""Variants in the records: named, moved, switched, removed."""

import pytest

from core.domain.experiments.variant import HOME, SideFigures, VariantComparison
from core.domain.ids import JobId
from core.encode.base import EncoderSignature
from core.errors import NotFoundError, UsageError
from core.store.store import Records

BGE = EncoderSignature("bge", 3, "bb")


def test_variants_of_one_encoder_share_vectors_and_others_follow_the_home(
    records: Records,
) -> None:
    variants = records.variants
    first = variants.add("first", {"encode.model": "bge"}, BGE, "ann")
    second = variants.add("second", {"encode.model": "bge"}, BGE, "ann")
    plain = variants.add("plain", {"retrieval.alpha": "0.3"}, None, "ann")
    assert (first.vector_set, plain.vector_set) == (second.vector_set, 0)
    variants.arrive(variants.move(variants.get("home"), BGE))
    assert {each.vector_set for each in variants.list()} == {first.vector_set}
    with pytest.raises(UsageError, match="already"):
        variants.add("plain", {}, None, "ann")
    with pytest.raises(NotFoundError, match="none"):
        variants.get("none")


def test_the_pointer_remembers_what_served_before(records: Records) -> None:
    variants = records.variants
    assert (variants.serving().variant.id, variants.serving().before) == (HOME, None)
    plain = variants.add("plain", {"retrieval.alpha": "0.3"}, None, "ann")
    assert variants.switch(plain)
    assert (variants.serving().variant, variants.serving().before) == (plain, HOME)
    with pytest.raises(UsageError, match="answers questions now"):
        variants.remove(plain)
    assert variants.switch(variants.get("home"))
    variants.remove(plain)
    assert (variants.serving().variant.id, variants.serving().history) == (HOME, ())
    with pytest.raises(UsageError, match="home itself"):
        variants.remove(variants.get("home"))


def test_rollbacks_go_along_the_switches_and_end_at_the_first(records: Records) -> None:
    variants = records.variants
    made = [variants.add(name, {"retrieval.alpha": "0.3"}, None, "ann") for name in ("one", "two", "three")]
    for each in made:
        assert variants.switch(each)
    served = []
    while (before := variants.serving().before) is not None:
        assert variants.switch(variants.by_id(before), is_back=True)
        served.append(variants.serving().variant.name)
    assert served == ["two", "one", "home"]
    variants.switch(made[0])
    variants.switch(made[1])
    variants.switch(made[0])
    variants.remove(made[1])
    assert variants.serving().history == (HOME,)  # not from one to itself


def test_a_name_of_digits_hides_no_variant_with_that_id(records: Records) -> None:
    variants = records.variants
    digits = variants.add("2", {"retrieval.alpha": "0.3"}, None, "ann")
    real = variants.add("real", {"retrieval.alpha": "0.4"}, None, "ann")
    assert (digits.id, real.id) == (1, 2)
    assert (variants.by_id(2), variants.get("2"), variants.get("1")) == (real, digits, digits)
    with pytest.raises(NotFoundError, match="of id 9"):
        variants.by_id(9)


def test_a_comparison_is_kept_by_its_job(records: Records) -> None:
    side = SideFigures(
        variant="home", known=0, precision_at_10=None, recall_at_10=None, mrr=None, median_ms=1
    )
    report = VariantComparison(
        left=side, right=side, questions=0, overlap_at_10=1, same_first=1, differences=()
    )
    records.variants.keep_comparison(JobId("j1"), report)
    assert records.variants.comparison(JobId("j1")) == report
    assert records.variants.comparison(JobId("j2")) is None
