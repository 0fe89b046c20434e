"""Every error has one shape, one status and two languages, and never says too much."""

from collections.abc import AsyncGenerator, Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from structlog.testing import capture_logs

from gieok import Gieok
from gieok.kernel import errors
from gieok.kernel.errors import GieokError
from gieok.surfaces.rest import Tokens, create_app
from support.rest_people import HOUR, TRUST, Person, serving

SAID = "민지는 강남구에 산다"
"""What must never be in an answer or a log that did not ask for it."""

RAISED: dict[str, tuple[GieokError, int]] = {
    "GieokError": (errors.GieokError(), 500),
    "InvalidInputError": (errors.InvalidInputError("content", "it is empty"), 422),
    "InvalidFileError": (errors.InvalidFileError("it is not JSON"), 422),
    "NotFoundError": (errors.NotFoundError("memory"), 404),
    "ConflictError": (errors.ConflictError("the memory is in use"), 409),
    "SessionExpiredError": (errors.SessionExpiredError(), 409),
    "LimitReachedError": (errors.LimitReachedError(5), 409),
    "SyncConflictError": (errors.SyncConflictError("they do not agree"), 409),
    "SyncGapError": (errors.SyncGapError(), 409),
    "SyncForkError": (errors.SyncForkError(), 409),
    "SyncEpochError": (errors.SyncEpochError(), 409),
    "SyncUnknownError": (errors.SyncUnknownError(), 409),
    "DeviceGoneError": (errors.DeviceGoneError("it was shut out"), 410),
    "ProtocolError": (errors.ProtocolError(1), 426),
    "NotPermittedError": (
        errors.NotPermittedError("memory is switched off in the person's settings"),
        403,
    ),
    "AuthenticationError": (errors.AuthenticationError("the token has expired"), 401),
    "TamperedError": (errors.TamperedError("user_memories.content"), 500),
    "ConfigurationError": (errors.ConfigurationError("/srv/secret.key is bad"), 500),
    "DataDirectoryError": (errors.DataDirectoryError("/srv/data is full"), 500),
    "KeyFileError": (errors.KeyFileError("/srv/gieok.key is exposed"), 500),
    "EmbedderMismatchError": (errors.EmbedderMismatchError("e5 or openai"), 500),
    "SchemaError": (errors.SchemaError("run gieok db upgrade"), 500),
    "UnavailableError": (errors.UnavailableError("Redis", "timed out"), 503),
    "DatabaseUnavailableError": (errors.DatabaseUnavailableError("timed out"), 503),
    "StorageFullError": (errors.StorageFullError(), 507),
    "ModelRefusedError": (errors.ModelRefusedError("gpt", "filtered"), 503),
    "ModelUnavailableError": (errors.ModelUnavailableError("gpt", "timed out"), 503),
    "NoChatModelError": (errors.NoChatModelError(), 503),
}


def kinds(kind: type[GieokError] = GieokError) -> Iterator[type[GieokError]]:
    """Yield the kernel's classes of errors."""
    if kind.__module__ == errors.__name__:
        yield kind
    for below in kind.__subclasses__():
        yield from kinds(below)


@pytest.fixture(scope="module")
async def broken(gieok: Gieok, tokens: Tokens) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of an app with routes that break in every way there is."""
    app = create_app(gieok, tokens)
    _break(app)
    headers = {"Authorization": f"Bearer {tokens.issue('someone', HOUR)}"}
    async with (
        serving(app) as url,
        httpx.AsyncClient(base_url=url, headers=headers, verify=TRUST) as http,
    ):
        yield http


def _break(app: FastAPI) -> None:
    @app.get("/raise/{name}")
    async def raises(name: str) -> None:
        raise RAISED[name][0]

    @app.get("/crash")
    async def crash() -> None:
        raise RuntimeError(SAID)

    @app.get("/bad-answer")
    async def bad_answer() -> dict[str, Any]:
        return {SAID: object()}

    @app.get("/telemetry")
    async def telemetry(request: Request) -> list[str]:
        return [name for name in request.scope if "telemetry" in name]


def test_every_kind_of_error_is_tried() -> None:
    assert {kind.__name__ for kind in kinds()} == set(RAISED)


@pytest.mark.parametrize("name", RAISED)
async def test_every_error_has_its_status_and_shape(
    broken: httpx.AsyncClient, name: str
) -> None:
    error, status = RAISED[name]
    answer = await broken.get(f"/raise/{name}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    (only,) = answer.json().keys()
    assert only == "error"
    body = answer.json()["error"]
    has_field = isinstance(error, errors.InvalidInputError)
    assert set(body) == {"code", "message"} | ({"field"} if has_field else set())
    if not isinstance(error, errors.ConfigurationError):
        assert body["code"] == error.code
        assert body["message"] == str(error)
    assert ("retry-after" in answer.headers) is (status == 503)
    assert ("www-authenticate" in answer.headers) is (status == 401)


@pytest.mark.parametrize(
    "name",
    [
        kind
        for kind, (error, _) in RAISED.items()
        if isinstance(error, errors.ConfigurationError)
    ],
)
async def test_a_wrong_set_up_is_told_to_the_log_and_not_to_the_caller(
    broken: httpx.AsyncClient, name: str
) -> None:
    with capture_logs() as logged:
        answer = await broken.get(f"/raise/{name}")
    error = RAISED[name][0]
    assert str(error) not in answer.text
    assert answer.json()["error"]["code"] == "internal"
    assert str(error) in [line.get("problem") for line in logged]


@pytest.mark.parametrize("path", ["/crash", "/bad-answer"])
async def test_what_nobody_foresaw_has_an_id_and_no_content(
    broken: httpx.AsyncClient, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with capture_logs() as logged:
        answer = await broken.get(path)
    assert answer.status_code == 500
    assert answer.headers["x-content-type-options"] == "nosniff"
    body = answer.json()["error"]
    assert body["code"] == "internal"
    (line,) = [line for line in logged if line["event"] == "request_broke"]
    assert line["error_id"] in body["message"]
    assert line["route"] == f"GET {path}"
    assert SAID not in f"{answer.text}{logged}{caplog.text}"


async def test_a_server_that_broke_goes_on(broken: httpx.AsyncClient) -> None:
    for _ in range(3):
        assert (await broken.get("/crash")).status_code == 500
    assert (await broken.get("/health/live")).status_code == 200


async def test_the_framework_records_no_telemetry(broken: httpx.AsyncClient) -> None:
    assert (await broken.get("/telemetry")).json() == []


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("ko", "ko"),
        ("ko-KR", "ko"),
        ("KO-kr,ko;q=0.9,en-US;q=0.8,en;q=0.7", "ko"),
        ("en-US,en;q=0.9,ko;q=0.8", "en"),
        ("en;q=0.5, ko;q=0.6", "ko"),
        ("ko;q=0, en", "en"),
        ("ko;q=0", "en"),
        ("fr, ko;q=0.1", "ko"),
        ("ja", "en"),
        ("ko;q=much,en", "en"),
        ("kok", "en"),
        (",;,=;q", "en"),
    ],
)
async def test_errors_come_in_the_language_the_caller_likes_best(
    broken: httpx.AsyncClient, accepted: str | None, language: str
) -> None:
    headers = {} if accepted is None else {"Accept-Language": accepted}
    answer = await broken.get("/raise/NotFoundError", headers=headers)
    expected = {
        "ko": "이 아이디의 기억을(를) 찾을 수 없습니다.",
        "en": "There is no memory with this id.",
    }
    assert answer.json()["error"]["message"] == expected[language]
    assert answer.headers["content-language"] == language


KOREAN = {
    "Accept-Language": "ko",
}


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        (
            "POST",
            "memories",
            {"content": ""},
            "`content` 값을 받을 수 없습니다: 비어 있습니다.",
        ),
        ("POST", "memories", {}, "`content` 값을 받을 수 없습니다: 빠져 있습니다."),
        (
            "POST",
            "memories",
            {"content": "x" * 4_001},
            "`content` 값을 받을 수 없습니다: 4,000바이트보다 깁니다.",
        ),
        (
            "PATCH",
            "memory-settings",
            {"max_memories": 0},
            "`max_memories` 값을 받을 수 없습니다: 1부터 10000까지의 정수여야 합니다.",
        ),
        (
            "DELETE",
            "memories/x",
            None,
            "`memory_id` 값을 받을 수 없습니다: UUID여야 합니다.",
        ),
        (
            "PATCH",
            "memory-settings",
            {"promotion_policy": "never"},
            (
                "`promotion_policy` 값을 받을 수 없습니다: "
                "다음 중 하나여야 합니다: stated, strict."
            ),
        ),
    ],
)
async def test_korean_errors_are_korean_throughout(
    minji: Person, method: str, path: str, body: Any, message: str
) -> None:
    where = f"/api/v1/users/me/{path}"
    answer = await minji.http.request(method, where, json=body, headers=KOREAN)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"] == message


async def test_the_gate_and_the_limit_speak_korean_too(
    anyone: httpx.AsyncClient, minji: Person
) -> None:
    refused = await anyone.get("/api/v1/sessions", headers=KOREAN)
    assert refused.json()["error"]["message"] == (
        "유효한 토큰이 필요합니다: 토큰이 없습니다."
    )
    large = await minji.http.post(
        "/api/v1/recall", content=b"x" * (3 * 2**20), headers=KOREAN
    )
    assert large.json()["error"]["message"] == "본문이 2,097,152바이트보다 큽니다."
    nowhere = await minji.http.get("/nowhere", headers=KOREAN)
    assert nowhere.json()["error"]["message"] == "없는 주소입니다."


async def test_a_method_that_is_not_there_says_which_are(minji: Person) -> None:
    answer = await minji.http.put("/api/v1/sessions")
    assert answer.status_code == 405
    assert answer.json()["error"]["code"] == "method_not_allowed"
    assert answer.headers["allow"]
