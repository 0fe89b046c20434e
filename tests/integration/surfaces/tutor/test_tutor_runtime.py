"""The handler in the runtime process of AWS Lambda, as it starts, stays and dies."""

import json
import sys
import time
from collections.abc import Iterator

import pytest

from support.kms_server import Line
from support.lambda_runtime import LambdaService, run_lambda_service
from support.tutor_cloud import ChatServer, http_v2, sign

pytest.importorskip("awslambdaric", reason="awslambdaric is not installed")
pytest.importorskip("boto3")

TALK = [
    {"role": "user", "content": "I'm a nurse and I like jazz."},
    {"role": "assistant", "content": "Nice!"},
]
CARD = {"occupation": "nurse", "interests": ["jazz"]}


@pytest.fixture
def service(environment: dict[str, str]) -> Iterator[LambdaService]:
    with run_lambda_service(environment) as service:
        yield service


@pytest.mark.req("C08")
def test_a_cold_start_is_followed_by_warm_events(
    service: LambdaService, chat: ChatServer, user: str
) -> None:
    """One process answers all; the second event waits for no start."""
    begun = time.perf_counter()
    service.start()
    process = service.process
    save = {"action": "save_user_memory", "memory": {"name": "영광"}}
    kind, answer = service.invoke(http_v2(save, sign(user)))
    assert (kind, answer["statusCode"]) == ("response", 200)
    assert json.loads(answer["body"]) == {"success": True}
    cold, begun = time.perf_counter() - begun, time.perf_counter()
    kind, answer = service.invoke({"action": "get_user_memory", "token": sign(user)})
    assert (kind, answer) == ("response", {"memory": {"name": "영광"}})
    assert time.perf_counter() - begun < cold / 2
    chat.answers = ["Hi 영광!"]
    talk = {"action": "chat", "messages": TALK[:1]}
    _, answer = service.invoke(http_v2(talk, sign(user)))
    assert json.loads(answer["body"]) == {"message": "Hi 영광!"}
    assert process is not None
    assert process.poll() is None


@pytest.mark.req("C08")
def test_a_model_that_hangs_is_said_before_the_sandbox_is_killed(
    service: LambdaService, chat: ChatServer, user: str
) -> None:
    service.start()
    service.invoke({"action": "get_user_memory", "token": sign(user)})
    service.timeout, chat.drip = 2.0, 0.3
    talk = {"action": "chat", "messages": TALK[:1]}
    _, answer = service.invoke(http_v2(talk, sign(user)), seconds=2.0)
    assert answer["statusCode"] == 503
    assert json.loads(answer["body"])["error"]["code"] == "model_unavailable"


@pytest.mark.req("C08", "C04")
def test_an_event_whose_sandbox_was_killed_is_done_by_the_next(
    service: LambdaService, chat: ChatServer, line: Line, user: str
) -> None:
    """A timeout ends the sandbox, and Lambda sends the event again."""
    service.start()
    chat.answers = [json.dumps(CARD)]
    chat.pause = 5.0
    body = {"action": "extract_user_info", "messages": TALK}
    event = http_v2(body, sign(user))
    with pytest.raises(TimeoutError):
        service.invoke(event, seconds=3)
    assert "UpdateItem" not in line.calls, "it died before it wrote"
    chat.pause, chat.answers = 0.0, [json.dumps(CARD)]
    service.start()
    _, answer = service.invoke(event)
    assert json.loads(answer["body"]) == {"extracted": CARD, "merged": CARD}


@pytest.mark.req("C08", "C04")
@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_sandbox_that_runs_out_of_memory_leaves_nothing_half_written(
    service: LambdaService, chat: ChatServer, line: Line, user: str
) -> None:
    """Lambda kills what holds more than it may; the next event is answered anew."""
    service.start()
    kind, _ = service.invoke({"action": "get_user_memory", "token": sign(user)})
    assert kind == "response"
    chat.answers, chat.pause = [json.dumps(CARD)], 20.0
    long = [{"role": "user", "content": "I like tea. " * 20_000}] * 7
    body = {"action": "extract_user_info", "messages": long}
    most = service.resident_bytes + 3_000_000
    service.exhaust(http_v2(body, sign(user)), max_bytes=most)
    assert "UpdateItem" not in line.calls
    service.start()
    _, answer = service.invoke({"action": "get_user_memory", "token": sign(user)})
    assert answer == {"memory": {}}


def test_a_function_that_is_set_up_wrongly_says_so(
    environment: dict[str, str],
) -> None:
    with run_lambda_service({**environment, "GIEOK_TUTOR_TABLE": ""}) as service:
        service.start()
        kind, answer = service.invoke({"action": "get_user_memory"})
        assert (kind, answer["errorType"]) == ("error", "ConfigurationError")
        assert "GIEOK_TUTOR_TABLE" in answer["errorMessage"]
