"""Bad input: refused with the field's name, never a 5xx, never half written."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator

import httpx
import pytest

from support.rest_people import Person

MEMORIES = "/api/v1/users/me/memories"
JSON = {"Content-Type": "application/json"}
LIMIT = 2 * 2**20

GOOD = {
    "Korean": "강남구에 산다",
    "English": "lives in Busan",
    "mixed": "Kubernetes 클러스터를 운영한다 (на работе, 仕事で)",
    "emoji only": "🐶🐱",
    "family emoji": "👨‍👩‍👧‍👦",
    "flag and skin tone": "🇰🇷👍🏽",
    "right to left": "يسكن في بوسان",
    "old Hangul": "ᄒᆞᆫ글",
    "markup": "<script>alert(1)</script> & 'quotes' \"both\" \\ /",
    "SQL": "'; DROP TABLE users; --",
    "braces": "{field} %s {0} ${x}",
    "lines": "first line\nsecond line\ttabbed",
    "longest": "가" * 1_333,
}
BAD: dict[str, bytes] = {
    "missing": b"{}",
    "empty": b'{"content": ""}',
    "spaces": b'{"content": " \\n\\t\\u3000"}',
    "null": b'{"content": null}',
    "number": b'{"content": 7}',
    "boolean": b'{"content": true}',
    "list": b'{"content": ["a"]}',
    "object": b'{"content": {"a": 1}}',
    "NUL": b'{"content": "a\\u0000b"}',
    "half a surrogate": b'{"content": "\\ud800"}',
    "other half": b'{"content": "a\\udc00"}',
    "halves the wrong way": b'{"content": "\\udc00\\ud800"}',
    "too long": b'{"content": "' + b"x" * 4_001 + b'"}',
    "too long in bytes": b'{"content": "' + "가".encode() * 1_334 + b'"}',
    "over a megabyte": b'{"content": "' + b"x" * 1_000_001 + b'"}',
}
BROKEN: dict[str, bytes] = {
    "nothing": b"",
    "cut": b'{"content": "a',
    "comma": b'{"content": "a",}',
    "text": b"hello",
    "two values": b"{} {}",
    "not UTF-8": b'{"content": "\xff\xfe"}',
    "raw surrogate": b'{"content": "\xed\xa0\x80"}',
    "UTF-16, cut": b"\xff\xfe{\x00",
    "list": b"[]",
    "string": b'"content"',
    "number": b"1",
    "null": b"null",
    "long number": b'{"content": ' + b"9" * 5_000 + b"}",
    "deep list": b"[" * 100_000,
    "deep object": b'{"a":' * 50_000,
    "NUL byte": b"\x00",
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD.keys())
async def test_whatever_is_text_is_kept_as_it_is(minji: Person, content: str) -> None:
    memory_id = await minji.remembers(content)
    (memory,) = (await minji.http.get(MEMORIES)).json()["memories"]
    assert (memory["id"], memory["content"]) == (memory_id, content)


async def test_decomposed_hangul_is_composed(minji: Person) -> None:
    composed = "강남구에 산다"
    decomposed = unicodedata.normalize("NFD", composed)
    assert decomposed != composed
    first = await minji.remembers(decomposed)
    assert await minji.remembers(composed) == first
    (memory,) = (await minji.http.get(MEMORIES)).json()["memories"]
    assert memory["content"] == composed


@pytest.mark.parametrize("body", BAD.values(), ids=BAD.keys())
async def test_a_bad_text_is_named_and_nothing_is_kept(
    minji: Person, body: bytes
) -> None:
    answer = await minji.http.post(MEMORIES, content=body, headers=JSON)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("invalid_input", "content")
    assert len(answer.content) < 300
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize(
    "path", [MEMORIES, "/api/v1/recall", "/api/v1/context", "/api/v1/sessions"]
)
async def test_a_broken_body_is_refused(minji: Person, path: str, body: bytes) -> None:
    answer = await minji.http.post(path, content=body, headers=JSON)
    optional = path == "/api/v1/sessions" and body in {b"", b"null"}
    assert answer.status_code == (201 if optional else 422)
    if not optional:
        assert answer.json()["error"]["code"] == "invalid_input"
        assert answer.json()["error"]["field"]


@pytest.mark.parametrize("kind", [None, "text/plain", "application/octet-stream", "/"])
async def test_a_body_that_does_not_say_it_is_json_is_refused(
    minji: Person, kind: str | None
) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    body = b'{"content": "a"}'
    answer = await minji.http.post(MEMORIES, content=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "body"


@pytest.mark.parametrize(
    "more",
    [
        '"category": "강남구"',
        '"category": 7',
        '"강남구에 산다": 1',
        f'"{"x" * 500}": 1',
        '"\\ud800": 1',
        '"a\\u0000b": 1',
        '"<b>": 1',
    ],
    ids=range(7),
)
async def test_an_error_repeats_nothing_that_was_sent(minji: Person, more: str) -> None:
    body = f'{{"content": "a", {more}}}'.encode()
    answer = await minji.http.post(MEMORIES, content=body, headers=JSON)
    assert answer.status_code == 422
    for sent in ("강남구", "xxxx", "<b>", "ud800", "u0000"):
        assert sent not in answer.text


async def test_an_unknown_field_with_a_plain_name_is_named(minji: Person) -> None:
    body = {"content": "a", "confidence": 1}
    answer = await minji.http.post(MEMORIES, json=body)
    assert answer.json()["error"]["field"] == "confidence"


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        (MEMORIES, {"limit": "0"}, "limit"),
        (MEMORIES, {"limit": "1001"}, "limit"),
        (MEMORIES, {"limit": "ten"}, "limit"),
        (MEMORIES, {"offset": "-1"}, "offset"),
        (MEMORIES, {"offset": str(10**30)}, "offset"),
        (MEMORIES, {"offset": "9" * 5_000}, "offset"),
        (MEMORIES, {"include_inactive": "maybe"}, "include_inactive"),
        ("/api/v1/users/me/memory-candidates", {"status": "x"}, "status"),
        ("/api/v1/users/me/memory-candidates", {"limit": "0"}, "limit"),
        ("/api/v1/sessions", {"limit": "201"}, "limit"),
        ("/api/v1/sessions", {"offset": "1e3"}, "offset"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_bad_query_is_named(
    minji: Person, path: str, query: dict[str, str], field: str
) -> None:
    answer = await minji.http.get(path, params=query)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field


def nested(depth: int) -> bytes:
    notes = b'{"a":' * depth + b"1" + b"}" * depth
    return b'{"user_text":"a","assistant_text":"b","planner_summary":' + notes + b"}"


@pytest.mark.parametrize("depth", [1, 50, 150, 250, 260, 500, 900, 990, 3_000])
async def test_a_deep_planner_summary_is_kept_or_refused(
    minji: Person, depth: int
) -> None:
    path = f"/api/v1/sessions/{await minji.talks()}"
    answer = await minji.http.post(f"{path}/turns", content=nested(depth), headers=JSON)
    assert answer.status_code == (201 if depth <= 150 else answer.status_code)
    assert answer.status_code in {201, 422}
    assert len(answer.content) < 400
    found = await minji.http.get(path)
    assert len(found.json()["messages"]) == (2 if answer.status_code == 201 else 0)


@pytest.mark.parametrize(
    "notes", ['{"a": NaN}', '{"a": "\\ud800"}', '{"\\ud800": 1}', '{"a": "\\u0000"}']
)
async def test_a_strange_planner_summary_is_never_our_fault(
    minji: Person, notes: str
) -> None:
    path = f"/api/v1/sessions/{await minji.talks()}"
    body = f'{{"user_text":"a","assistant_text":"b","planner_summary":{notes}}}'
    answer = await minji.http.post(f"{path}/turns", content=body.encode(), headers=JSON)
    assert answer.status_code == (201 if "u0000" in notes else 422)
    assert (await minji.http.get(path)).status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            "/api/v1/sessions/{}/messages",
            '{"role":"user","content":"a","metadata":{"a":["\\ud83d"]}}',
        ),
        ("/api/v1/sessions", '{"config":{"\\udc00":1}}'),
    ],
    ids=["metadata", "config"],
)
async def test_half_a_surrogate_in_an_object_is_refused(
    minji: Person, path: str, body: str
) -> None:
    where = path.format(await minji.talks())
    answer = await minji.http.post(where, content=body.encode(), headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid_input"


async def test_a_megabyte_fits_however_it_is_escaped(minji: Person) -> None:
    path = f"/api/v1/sessions/{await minji.talks()}"
    text = "가" * 333_333
    escaped = '{"role": "user", "content": "' + "\\uac00" * 333_333 + '"}'
    answer = await minji.http.post(
        f"{path}/messages", content=escaped.encode(), headers=JSON
    )
    assert answer.status_code == 201
    assert (await minji.http.get(path)).json()["messages"][0]["content"] == text


async def test_more_than_a_megabyte_of_text_is_named(minji: Person) -> None:
    path = f"/api/v1/sessions/{await minji.talks()}/messages"
    body = {"role": "user", "content": "x" * 1_000_001}
    answer = await minji.http.post(path, json=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "content"


async def pieces(size: int) -> AsyncIterator[bytes]:
    """Yield a body piece by piece, so that its length is not announced."""
    for start in range(0, size, 65_536):
        yield b" " * min(65_536, size - start)


@pytest.mark.parametrize("size", [LIMIT + 1, 3 * LIMIT])
@pytest.mark.parametrize("announced", [True, False])
async def test_an_overlong_body_is_refused(
    minji: Person, size: int, *, announced: bool
) -> None:
    content = b" " * size if announced else pieces(size)
    answer = await minji.http.post(MEMORIES, content=content, headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "body_too_large"
    assert (await minji.http.get(MEMORIES)).status_code == 200


async def test_a_body_of_exactly_the_limit_is_read(minji: Person) -> None:
    body = b'{"content": "a"}'.ljust(LIMIT)
    answer = await minji.http.post(MEMORIES, content=body, headers=JSON)
    assert answer.status_code == 201


async def test_who_has_no_token_gets_to_read_why_even_after_a_large_body(
    anyone: httpx.AsyncClient,
) -> None:
    answer = await anyone.post(MEMORIES, content=b" " * LIMIT, headers=JSON)
    assert answer.status_code == 401


async def test_who_hangs_up_in_the_middle_leaves_nothing(minji: Person) -> None:
    host, port = minji.http.base_url.host, minji.http.base_url.port
    _, writer = await asyncio.open_connection(host, port)
    token = minji.http.headers["authorization"]
    request = (
        f"POST {MEMORIES} HTTP/1.1\r\nHost: {host}\r\nAuthorization: {token}\r\n"
        'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"content": "a"}'
    )
    writer.write(request.encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    await asyncio.sleep(0.05)
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0
