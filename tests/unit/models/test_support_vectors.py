"""Support vector machines: the same margins in one block or many, one class or more."""

import numpy as np
import pytest

from gieok.models import support_vectors
from gieok.models.support_vectors import SupportVectorMachine

SIZE, CLASSES = 6, 3


def make_machine(shares: np.ndarray) -> SupportVectorMachine:
    chance = np.random.default_rng(7)
    support = chance.normal(size=(shares.shape[-1], SIZE)).astype(np.float32)
    support /= np.linalg.norm(support, axis=1, keepdims=True)
    bias = np.linspace(-1, 1, CLASSES)[: shares[..., 0].size]
    center = np.zeros(SIZE, np.float32)
    return SupportVectorMachine.from_vectors(
        center, support, shares, bias.reshape(shares.shape[:-1]), 1.0
    )


def test_blocks_change_no_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(1)
    machine = make_machine(chance.normal(size=(CLASSES, 10)))
    vectors = chance.normal(size=(4, SIZE)).astype(np.float32)
    whole = machine.compute_margins(vectors)
    monkeypatch.setattr(support_vectors, "BLOCK", 3)
    assert machine.compute_margins(vectors) == pytest.approx(whole, abs=1e-5)


def test_every_class_is_judged_as_if_it_were_alone() -> None:
    chance = np.random.default_rng(2)
    shares = chance.normal(size=(CLASSES, 10))
    vectors = chance.normal(size=(4, SIZE)).astype(np.float32)
    together = make_machine(shares)
    margins = together.compute_margins(vectors)
    assert margins.shape == (CLASSES, len(vectors))
    for row, share, bias in zip(margins, shares, together.bias, strict=True):
        alone = together._replace(share=share, bias=bias)
        assert alone.compute_margins(vectors) == pytest.approx(row, abs=1e-5)


def test_a_stored_machine_says_the_same() -> None:
    chance = np.random.default_rng(3)
    machine = make_machine(chance.normal(size=(CLASSES, 10)).astype(np.float32))
    again = SupportVectorMachine.from_arrays(machine.to_arrays())
    vectors = chance.normal(size=(4, SIZE)).astype(np.float32)
    same = machine.compute_margins(vectors)
    assert again.compute_margins(vectors) == pytest.approx(same, abs=1e-5)
