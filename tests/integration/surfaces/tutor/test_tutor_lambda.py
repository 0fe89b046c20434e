"""The document's endpoint as a Lambda handler, on moto's DynamoDB over HTTP."""

import asyncio
import base64
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import ModelReply, Role, Utterance
from gieok.models.deadline import await_answer, compute_end
from gieok.models.openai_chat import OpenAIChat
from gieok.surfaces.tutor.environment import TutorConfig
from support.kms_server import Line
from support.tutor_cloud import (
    TABLE,
    ChatServer,
    http_v1,
    http_v2,
    sign,
)

boto3 = pytest.importorskip("boto3")
pytest.importorskip("moto.server")
bedrock_chat = pytest.importorskip("gieok.models.bedrock_chat")
handler = pytest.importorskip("gieok.surfaces.tutor.handler")

TALK = [
    {"role": "user", "content": "Hi, my name is 영광. I'm a developer."},
    {"role": "assistant", "content": "Nice to meet you! What do you develop?"},
    {"role": "user", "content": "I work on backend systems, mainly using Python."},
    {"role": "assistant", "content": "Python is great for backend!"},
]
"""The document's first session."""
FOUND = {
    "name": "영광",
    "occupation": "backend developer",
    "interests": [],
    "learning_goals": [],
    "preferences": [],
    "mentioned_facts": ["uses Python", "owns a boat"],
}


def open_endpoint(environment: dict[str, str]) -> Any:
    config = TutorConfig.from_environment(environment)
    return handler.TutorEndpoint.from_config(config)


@pytest.fixture
def endpoint(environment: dict[str, str]) -> Iterator[Any]:
    opened = open_endpoint(environment)
    yield opened
    opened.runner.close()


def read(answer: dict[str, Any]) -> dict[str, Any]:
    return json.loads(answer["body"])


@pytest.mark.req("C01", "C03", "C05", "C06", "C08", "C09")
def test_what_the_first_session_said_is_known_in_the_second(
    endpoint: Any, chat: ChatServer, user: str
) -> None:
    """The document's own two sessions; a fact that nobody said is left out."""
    token = sign(user)
    chat.answers = [f"Here it is:\n```json\n{json.dumps(FOUND)}\n```"]
    body = {"action": "extract_user_info", "user_id": user, "messages": TALK}
    first = read(endpoint.answer_event(http_v2(body, token)))
    card = {
        "name": "영광",
        "occupation": "backend developer",
        "mentioned_facts": ["uses Python"],
    }
    assert first == {"extracted": card, "merged": card}
    asked = {"action": "get_user_memory", "user_id": user}
    assert read(endpoint.answer_event(http_v1(asked, token))) == {"memory": card}
    chat.answers = ["Hi 영광! How's your backend work going?"]
    talk = {
        "action": "chat",
        "user_id": user,
        "messages": [{"role": "user", "content": "Hello!"}],
        "settings": {"accent": "uk", "level": "beginner", "topic": "business"},
    }
    answer = endpoint.answer_event(http_v2(talk, token))
    assert read(answer) == {"message": "Hi 영광! How's your backend work going?"}
    system = chat.asked[-1]["messages"][0]["content"]
    assert "British" in system
    assert "beginner" in system
    assert "business" in system
    assert system.endswith(
        "[User Memory - Things you know about this user]\n"
        "- Name: 영광\n"
        "- Occupation: backend developer\n"
        "- Other facts: uses Python\n"
        "\n"
        "Use this information naturally in conversation when relevant."
    )


@pytest.mark.req("C03", "C04")
def test_a_memory_is_saved_and_read_by_direct_invocation(
    endpoint: Any, user: str
) -> None:
    saved = {"name": "영광", "interests": ["AI"], "occupation": ""}
    asked = {"action": "save_user_memory", "memory": saved, "token": sign(user)}
    assert endpoint.answer_event(asked) == {"success": True}
    asked = {"action": "get_user_memory", "token": sign(user)}
    memory = endpoint.answer_event(asked)
    assert memory == {"memory": {"name": "영광", "interests": ["AI"]}}


@pytest.mark.req("C01")
def test_the_same_extraction_twice_changes_nothing(
    endpoint: Any, chat: ChatServer, user: str
) -> None:
    """Lambda sends an asynchronous event again that it believes lost."""
    body = {"action": "extract_user_info", "messages": TALK}
    answers = []
    for _ in range(2):
        chat.answers = [json.dumps(FOUND)]
        answers.append(read(endpoint.answer_event(http_v2(body, sign(user)))))
    assert answers[0] == answers[1]


@pytest.mark.req("C02")
def test_a_new_occupation_replaces_and_a_lost_interest_goes(
    endpoint: Any, chat: ChatServer, user: str
) -> None:
    """What users expect beyond the document's rule; sent again it changes nothing."""
    known = {"occupation": "개발자", "interests": ["AI", "여행"]}
    save = {"action": "save_user_memory", "memory": known}
    endpoint.answer_event(http_v2(save, sign(user)))
    said = "이제 기획자야. AI에는 관심 없어졌어. 여행하는 것은 아직 좋아."
    talk = [{"role": "user", "content": said}]
    body = {"action": "extract_user_info", "messages": talk}
    for _ in range(2):
        found = {"occupation": "기획자", "interests": ["여행하는 것", "AI"]}
        chat.answers = [json.dumps(found)]
        answer = read(endpoint.answer_event(http_v2(body, sign(user))))
        assert answer["merged"] == {"occupation": "기획자", "interests": ["여행"]}
        assert answer["extracted"]["interests"] == ["여행하는 것"]


@pytest.mark.req("C01")
@pytest.mark.parametrize("messages", [None, []])
def test_without_messages_nothing_is_extracted(
    endpoint: Any, chat: ChatServer, user: str, messages: Any
) -> None:
    body = {"action": "extract_user_info", "messages": messages}
    answer = endpoint.answer_event(http_v2(body, sign(user)))
    assert (answer["statusCode"], read(answer)) == (200, {"extracted": {}})
    assert chat.asked == []


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    "babble", ['{"name": "영광", "inter', "Sure, here you go!", "[1, 2]", '{"a": 1}']
)
def test_a_model_that_babbles_writes_nothing(
    endpoint: Any, chat: ChatServer, user: str, babble: str
) -> None:
    chat.answers = [babble, babble]
    body = {"action": "extract_user_info", "messages": TALK}
    answer = endpoint.answer_event(http_v2(body, sign(user)))
    assert answer["statusCode"] == 503
    assert read(answer)["error"]["code"] == "model_unavailable"
    asked = {"action": "get_user_memory"}
    assert read(endpoint.answer_event(http_v2(asked, sign(user)))) == {"memory": {}}


@pytest.mark.req("C05")
def test_a_memory_that_fails_does_not_break_the_chat(
    endpoint: Any, line: Line, user: str, caplog: pytest.LogCaptureFixture
) -> None:
    line.refusals["GetItem"] = b'{"__type": "AccessDeniedException"}'
    talk = {"action": "chat", "messages": TALK[:1]}
    answer = endpoint.answer_event(http_v2(talk, sign(user)))
    assert (answer["statusCode"], read(answer)) == (200, {"message": "Sure!"})
    assert "memory_not_loaded" in caplog.text
    assert "영광" not in caplog.text
    asked = {"action": "get_user_memory"}
    answer = endpoint.answer_event(http_v2(asked, sign(user)))
    assert answer["statusCode"] == 500
    assert TABLE not in answer["body"]


@pytest.mark.req("C05")
def test_a_map_that_another_program_wrote_does_not_break_the_chat(
    endpoint: Any, chat: ChatServer, moto: str, user: str
) -> None:
    boto3.client("dynamodb", endpoint_url=moto).put_item(
        TableName=TABLE,
        Item={
            "PK": {"S": f"USER#{user}"},
            "SK": {"S": "MEMORY"},
            "memory": {
                "M": {
                    "name": {"N": "7"},
                    "interests": {"L": [{"S": "AI"}, {"M": {}}, {"NULL": True}]},
                    "🙂": {"S": "theirs"},
                }
            },
        },
    )
    talk = {"action": "chat", "messages": TALK[:1]}
    answer = endpoint.answer_event(http_v2(talk, sign(user)))
    assert answer["statusCode"] == 200
    assert "- Interests: AI\n" in chat.asked[-1]["messages"][0]["content"]
    memory = read(
        endpoint.answer_event(http_v2({"action": "get_user_memory"}, sign(user)))
    )["memory"]
    assert memory["🙂"] == "theirs"
    save = {"action": "save_user_memory", "memory": {**memory, "name": "영광"}}
    save["memory"]["interests"] = ["AI"]
    assert read(endpoint.answer_event(http_v2(save, sign(user)))) == {"success": True}


def test_without_a_model_the_chat_says_so(
    environment: dict[str, str], user: str
) -> None:
    endpoint = open_endpoint({**environment, "GIEOK_MODEL": "none"})
    talk = {"action": "chat", "messages": TALK[:1]}
    answer = endpoint.answer_event(http_v2(talk, sign(user)))
    assert answer["statusCode"] == 503
    assert read(answer)["error"]["code"] == "no_chat_model"
    endpoint.runner.close()


@pytest.mark.req("C08")
def test_a_wrong_key_names_its_variable(
    endpoint: Any, chat: ChatServer, user: str
) -> None:
    chat.answers = [401]
    talk = {"action": "chat", "messages": TALK[:1]}
    answer = endpoint.answer_event(http_v2(talk, sign(user)))
    assert answer["statusCode"] == 503
    assert "GIEOK_MODEL_API_KEY" in read(answer)["error"]["message"]


@pytest.mark.req("C08")
def test_a_model_that_is_away_is_a_503(
    endpoint: Any, chat: ChatServer, user: str
) -> None:
    chat.answers = [500]
    talk = {"action": "chat", "messages": TALK[:1]}
    answer = endpoint.answer_event(http_v2(talk, sign(user)))
    assert answer["statusCode"] == 503
    assert read(answer)["error"]["code"] == "model_unavailable"


@pytest.mark.req("C08")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"Sure!"',
        b"\xff\xfe{",
        b"[" * 100_000,
        b'{"choices": {}}',
        b'{"choices": [null]}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": 7}}], "usage": []}',
        b'{"choices": [{"message": {"content": [{"text": "Sure!"}]}}]}',
        b'{"output": []}',
        b'{"output": {"message": {"content": [{"toolUse": {}}]}}}',
    ],
)
@pytest.mark.parametrize("vendor", ["openai", "bedrock"])
async def test_a_vendors_odd_answer_is_no_answer(
    vendor: str, body: bytes, chat: ChatServer, line: Line
) -> None:
    model = create_chat(vendor, chat, line)
    chat.answers = [body]
    with pytest.raises(ModelUnavailableError):
        await model.reply("Be brief.", [Utterance(0, Role.USER, "Hi!")])


@pytest.mark.req("C08")
@pytest.mark.parametrize("usage", ["[]", "null", '{"total_tokens": "many"}', "7"])
async def test_a_reply_without_a_count_of_tokens_is_a_reply(
    usage: str, chat: ChatServer
) -> None:
    said = r'{"message": {"content": " Sure\ud800! "}}'
    chat.answers = [f'{{"choices": [{said}], "usage": {usage}}}'.encode()]
    model = OpenAIChat("scripted", chat.url, seconds=5)
    reply = await model.reply("Be brief.", [Utterance(0, Role.USER, "Hi!")])
    assert reply == ModelReply("Sure?!")


def create_chat(vendor: str, chat: ChatServer, line: Line) -> Any:
    assert line.url, "it has set credentials and a region"
    if vendor == "openai":
        return OpenAIChat("scripted", chat.url, seconds=1)
    return bedrock_chat.BedrockChat.create("scripted", seconds=1, endpoint=chat.url)


@pytest.mark.req("C08")
@pytest.mark.parametrize("vendor", ["openai", "bedrock"])
async def test_a_vendor_that_drips_has_the_whole_time_once(
    vendor: str, chat: ChatServer, line: Line
) -> None:
    """Each byte comes soon enough for a timeout of reads."""
    model = create_chat(vendor, chat, line)
    chat.drip = 0.2
    begun = time.perf_counter()
    with pytest.raises(ModelUnavailableError, match="in time"):
        await model.reply("Be brief.", [Utterance(0, Role.USER, "Hi!")])
    assert 0.9 < time.perf_counter() - begun < 2
    assert len(chat.asked) == 1


@pytest.mark.req("C08")
@pytest.mark.parametrize(
    ("answers", "pause", "seconds"), [([], 4.0, 10.0), ([500, "Sure!"], 1.6, 2.0)]
)
async def test_no_call_of_bedrock_outlives_the_time_it_had(
    chat: ChatServer,
    line: Line,
    answers: list[str | int | bytes],
    pause: float,
    seconds: float,
) -> None:
    """Its thread ends too, though it reads, or would try again."""
    assert line.url, "it has set credentials and a region"
    chat.answers, chat.pause = answers, pause
    model = bedrock_chat.BedrockChat.create(
        "scripted", seconds=seconds, endpoint=chat.url
    )
    ended = asyncio.Event()
    loop, converse = asyncio.get_running_loop(), model.client.converse

    def call(**fields: object) -> object:
        try:
            return converse(**fields)
        finally:
            loop.call_soon_threadsafe(ended.set)

    slow = replace(model, client=SimpleNamespace(converse=call))
    begun = time.perf_counter()
    with pytest.raises(ModelUnavailableError, match="in time"):
        await await_answer(
            "x",
            slow.reply("Be brief.", [Utterance(0, Role.USER, "Hi!")]),
            compute_end(2),
        )
    await asyncio.wait_for(ended.wait(), 10)
    assert 1.5 < time.perf_counter() - begun < 2.8


@pytest.mark.req("C08")
def test_questions_of_one_event_share_the_time_of_the_model(
    environment: dict[str, str], chat: ChatServer, user: str
) -> None:
    """A second question, about an answer that is no card, has what is left."""
    endpoint = open_endpoint({**environment, "GIEOK_REPLY_SECONDS": "2"})
    chat.answers, chat.pause = ["no card", json.dumps(FOUND)], 1.3
    body = {"action": "extract_user_info", "messages": TALK}
    begun = time.perf_counter()
    answer = endpoint.answer_event(http_v2(body, sign(user)))
    assert time.perf_counter() - begun < 2.6
    assert answer["statusCode"] == 503
    assert read(answer)["error"]["code"] == "model_unavailable"
    assert len(chat.asked) == 2
    endpoint.runner.close()


@pytest.mark.req("C08")
@pytest.mark.parametrize("action", ["chat", "extract_user_info"])
def test_an_event_is_answered_before_the_function_ends(
    endpoint: Any, chat: ChatServer, user: str, action: str
) -> None:
    """However long the model may take, the function has two seconds left."""
    chat.drip = 0.3
    body = {"action": action, "messages": TALK}
    begun = time.perf_counter()
    answer = endpoint.answer_event(http_v2(body, sign(user)), 2.0)
    assert time.perf_counter() - begun < 2
    assert read(answer)["error"]["code"] == "model_unavailable"


@pytest.mark.req("C08")
def test_a_table_that_hangs_is_said_before_the_function_ends(
    endpoint: Any, line: Line, user: str
) -> None:
    line.hangs = 3.0
    begun = time.perf_counter()
    asked = {"action": "get_user_memory"}
    answer = endpoint.answer_event(http_v2(asked, sign(user)), 1.5)
    assert time.perf_counter() - begun < 1.5
    assert (answer["statusCode"], read(answer)["error"]["code"]) == (503, "unavailable")


@pytest.mark.req("C05", "C08")
def test_a_table_that_hangs_does_not_break_the_chat(
    endpoint: Any, line: Line, user: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The model gets half of the time."""
    line.hangs = 3.0
    begun = time.perf_counter()
    talk = {"action": "chat", "messages": TALK[:1]}
    answer = endpoint.answer_event(http_v2(talk, sign(user)), 2.0)
    assert time.perf_counter() - begun < 2
    assert read(answer) == {"message": "Sure!"}
    assert "memory_not_loaded" in caplog.text


def test_nobody_reaches_anothers_memory(endpoint: Any, user: str) -> None:
    asked = {"action": "get_user_memory", "user_id": "somebody else"}
    answer = endpoint.answer_event(http_v2(asked, sign(user)))
    assert (answer["statusCode"], read(answer)["error"]["code"]) == (
        403,
        "not_permitted",
    )
    odd = (sign(user, exp=1), sign(user, aud="other"), sign(""))
    wrong = ("", "x.y.z", *odd, sign(user, actor="device"))
    for token in wrong:
        answer = endpoint.answer_event(http_v2({"action": "get_user_memory"}, token))
        assert answer["statusCode"] == 401, token
    by_body = {"action": "get_user_memory", "user_id": user}
    assert endpoint.answer_event(by_body)["status"] == 401


@pytest.mark.parametrize(
    "authorizer",
    [
        {"jwt": {"claims": {"sub": "minji"}}},
        {"claims": {"sub": "minji"}},
        {"principalId": "minji"},
        {"lambda": {"user_id": "minji"}},
    ],
)
def test_an_authorizer_names_the_person(
    endpoint: Any, authorizer: dict[str, Any]
) -> None:
    context = {"http": {"method": "POST"}, "authorizer": authorizer}
    asked = {"action": "get_user_memory", "user_id": "minji"}
    answer = endpoint.answer_event(http_v2(asked, requestContext=context))
    assert answer["statusCode"] == 200
    asked["user_id"] = "hana"
    answer = endpoint.answer_event(http_v2(asked, requestContext=context))
    assert answer["statusCode"] == 403


@pytest.mark.req("C03")
def test_the_body_is_trusted_by_a_switch_that_warns(
    environment: dict[str, str], user: str, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint = open_endpoint({**environment, "GIEOK_TUTOR_TRUST_BODY": "yes"})
    assert "WARNING" in capsys.readouterr().err
    save = {"action": "save_user_memory", "user_id": user, "memory": {"name": "영광"}}
    assert endpoint.answer_event(save) == {"success": True}
    asked = {"action": "get_user_memory", "user_id": user}
    assert endpoint.answer_event(asked) == {"memory": {"name": "영광"}}
    for nobody, answer in (
        ({"action": "get_user_memory"}, {"memory": {}}),
        ({"action": "save_user_memory", "memory": {}}, {"success": False}),
        ({"action": "extract_user_info", "messages": TALK}, {"extracted": {}}),
    ):
        assert endpoint.answer_event(nobody) == answer
    endpoint.runner.close()


@pytest.mark.req("C06")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("{", "body"),
        ("[]", "body"),
        ({"action": "drop"}, "action"),
        ({}, "action"),
        ({"action": "chat"}, "messages"),
        ({"action": "chat", "messages": "hi"}, "messages"),
        ({"action": "chat", "messages": [{"role": "system"}]}, "messages.0.role"),
        ({"action": "chat", "messages": [{"role": "user"}]}, "messages.0.content"),
        (
            {"action": "chat", "messages": TALK, "settings": {"accent": "xx"}},
            "settings.accent",
        ),
        (
            {"action": "chat", "messages": TALK, "settings": {"mood": "x"}},
            "settings.mood",
        ),
        ({"action": "save_user_memory"}, "memory"),
        ({"action": "save_user_memory", "memory": {"age": 7}}, "age"),
        ({"action": "save_user_memory", "memory": {"name": 7}}, "name"),
        ({"action": "get_user_memory", "user_id": 7}, "user_id"),
    ],
    ids=str,
)
def test_what_cannot_be_accepted_is_named(
    endpoint: Any, user: str, body: Any, field: str
) -> None:
    answer = endpoint.answer_event(http_v2(body, sign(user)))
    assert answer["statusCode"] == 422
    assert read(answer)["error"]["field"] == field


def test_sizes_methods_and_origins(endpoint: Any, user: str) -> None:
    large = http_v2("x" * (2 * 2**20 + 1), sign(user))
    assert endpoint.answer_event(large)["statusCode"] == 413
    huge = b'{"action": "get_user_memory", "x": "' + b"x" * 6 * 2**20 + b'"}'
    told = {"isBase64Encoded": True}
    packed = http_v2(base64.b64encode(huge).decode(), sign(user), **told)
    assert endpoint.answer_event(packed)["statusCode"] == 413
    direct = {"action": "get_user_memory", "x": huge.decode(), "token": sign(user)}
    assert endpoint.answer_event(direct)["status"] == 413
    no_base64 = http_v2("§", sign(user), isBase64Encoded=True)
    assert endpoint.answer_event(no_base64)["statusCode"] == 422
    get = http_v2("", requestContext={"http": {"method": "GET"}})
    assert endpoint.answer_event(get)["statusCode"] == 405
    ours, theirs = "https://tutor.example", "https://elsewhere.example"
    for origin, allowed in ((ours, ours), (theirs, None)):
        asked = http_v2(
            "",
            headers={"Origin": origin},
            requestContext={"http": {"method": "OPTIONS"}},
        )
        answer = endpoint.answer_event(asked)
        assert answer["statusCode"] == 204
        assert answer["headers"].get("Access-Control-Allow-Origin") == allowed
    korean = http_v2("{", headers={"accept-language": "ko-KR,ko;q=0.9"})
    message = read(endpoint.answer_event(korean))["error"]["message"]
    assert "받을 수 없습니다" in message


@pytest.mark.req("A19")
def test_personal_data_is_masked_before_it_is_kept(endpoint: Any, user: str) -> None:
    memory = {"mentioned_facts": ["주민번호는 900101-1234567"]}
    save = {"action": "save_user_memory", "memory": memory}
    endpoint.answer_event(http_v2(save, sign(user)))
    asked = http_v2({"action": "get_user_memory"}, sign(user))
    assert "1234567" not in endpoint.answer_event(asked)["body"]


@pytest.mark.parametrize(
    "changes",
    [
        {"GIEOK_TUTOR_TABLE": ""},
        {"GIEOK_TUTOR_SECRET": "short"},
        {"GIEOK_TUTOR_TRUST_BODY": "maybe"},
        {"GIEOK_TUTOR_SEAL": "yes"},
        {"GIEOK_MODEL": "telepathy"},
        {"GIEOK_CARD_RETENTION_DAYS": "soon"},
        {"GIEOK_MODEL": "rules", "GIEOK_TIME_ZONE": "Mars/Base"},
    ],
    ids=str,
)
def test_what_is_set_up_wrongly_is_said(
    environment: dict[str, str], changes: dict[str, str]
) -> None:
    with pytest.raises(handler.ConfigurationError):
        open_endpoint({**environment, **changes})


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    ("zone", "day"), [("", "2026-01-07"), ("Europe/London", "2026-01-06")]
)
def test_today_is_the_day_of_the_variable(
    environment: dict[str, str], user: str, zone: str, day: str
) -> None:
    """It is late on the fifth in London, and the sixth in Seoul."""
    chosen = {"GIEOK_MODEL": "rules", "GIEOK_TIME_ZONE": zone}
    endpoint = open_endpoint({**environment, **chosen})
    at = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
    reads = replace(endpoint.tutor.extractor, clock=lambda: at)
    endpoint = replace(endpoint, tutor=replace(endpoint.tutor, extractor=reads))
    talk = [{"role": "user", "content": "I start my new job at the hospital tomorrow."}]
    body = {"action": "extract_user_info", "messages": talk}
    card = read(endpoint.answer_event(http_v2(body, sign(user))))["extracted"]
    assert card == {
        "mentioned_facts": [f"starts their new job at the hospital tomorrow ({day})"]
    }
    endpoint.runner.close()


@pytest.mark.req("C08")
def test_rules_read_as_long_as_the_function_may(environment: dict[str, str]) -> None:
    chosen = {"GIEOK_MODEL": "rules", "GIEOK_REPLY_SECONDS": "1"}
    endpoint = open_endpoint({**environment, **chosen})
    assert endpoint.seconds is None
    endpoint.runner.close()
