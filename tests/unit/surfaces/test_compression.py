"""What a compressed body of sync is read as, whatever is sent."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.rest.compression import decode_gzip
from gieok.surfaces.rest.errors import BodyTooLargeError


@given(st.binary(max_size=300), st.integers(0, 300))
def test_a_body_comes_out_whole_or_is_too_large(plain: bytes, most: int) -> None:
    body = gzip.compress(plain)
    if len(plain) <= most:
        assert decode_gzip(body, most) == plain
        return
    with pytest.raises(BodyTooLargeError):
        decode_gzip(body, most)


@given(st.binary(max_size=300), st.data())
def test_a_part_of_a_body_is_never_taken_for_it(
    plain: bytes, data: st.DataObject
) -> None:
    body = gzip.compress(plain)
    cut = data.draw(st.integers(0, len(body) - 1))
    with pytest.raises(InvalidInputError):
        decode_gzip(body[:cut], 300)


@given(st.binary(max_size=300))
def test_bytes_that_are_no_gzip_are_refused(body: bytes) -> None:
    if not body.startswith(b"\x1f\x8b"):
        with pytest.raises(InvalidInputError):
            decode_gzip(body, 300)
