"""What the tutor's handler takes beside DynamoDB and the model, on moto's server.

Times are processor time of the calling process, where not said otherwise: what moto
takes, and what else is busy on the machine, is none of it.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Any

import boto3
from report import Figure

from gieok.kernel.language import ModelReply, Utterance
from gieok.profile.dynamodb import PATIENCE, DynamoProfileDocuments
from gieok.profile.merge import compare_names, merge_documents
from gieok.surfaces.tutor.handler import TutorEndpoint
from gieok.surfaces.tutor.identity import Identity
from gieok.surfaces.tutor.service import Tutor

FAKE = {
    "AWS_ACCESS_KEY_ID": "bench",
    "AWS_SECRET_ACCESS_KEY": "bench",
    "AWS_DEFAULT_REGION": "ap-northeast-2",
    "AWS_EC2_METADATA_DISABLED": "true",
}
TABLE, USER = "bench", "bench-user"
KEY = {"PK": {"S": f"USER#{USER}"}, "SK": {"S": "MEMORY"}}
CARD = {
    "name": "영광",
    "occupation": "개발자",
    "interests": [f"관심사 {n}" for n in range(20)],
    "mentioned_facts": [f"fact number {n}" for n in range(20)],
}
GET = {"action": "get_user_memory", "user_id": USER}
CHAT = {**GET, "action": "chat", "messages": [{"role": "user", "content": "Hello!"}]}
ENTRIES = 1_000
COLD = """
import json, sys, time
begun = time.process_time()
from gieok.surfaces.tutor.handler import answer_lambda
answer_lambda(json.loads(sys.argv[1]), None)
print(time.process_time() - begun)
"""


class _QuickModel:
    """Answers at once: what is left is ours."""

    name = "quick"

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Answer whatever was asked."""
        del instructions, messages
        return ModelReply("Sure!")


def measure_calls(compiled: str, *, runs: int, starts: int) -> list[Figure]:
    """Return the figures; `compiled` holds the bytecode that a cold start finds."""
    with run_moto() as endpoint:
        os.environ.update(FAKE)
        client: Any = boto3.client("dynamodb", endpoint_url=endpoint, config=PATIENCE)
        create_table(client)
        documents = DynamoProfileDocuments.create(TABLE, endpoint=endpoint)
        handler = TutorEndpoint(
            Tutor(documents, _QuickModel()), Identity(None, trusts_body=True)
        )
        handler.answer_event({**GET, "action": "save_user_memory", "memory": CARD})
        alone, read, chat = _time_in_turn(
            [
                lambda: client.get_item(TableName=TABLE, Key=KEY, ConsistentRead=True),
                lambda: handler.answer_event(GET),
                lambda: handler.answer_event(CHAT),
            ],
            runs,
        )
        cold = [_start_cold(compiled, endpoint) for _ in range(starts + 1)][1:]
    return [
        Figure("boto3's own GetItem, p50", alone, "ms"),
        Figure("get_user_memory adds, p50", read - alone, "ms", at_most=3),
        Figure("chat without the model, p50", chat, "ms", at_most=10),
        Figure("merge of 1,000-entry lists", _time_merge(runs), "ms", at_most=5),
        Figure("cold start: import and first event", min(cold), "ms"),
    ]


def _time_in_turn(calls: Sequence[Callable[[], object]], runs: int) -> list[float]:
    """Return the median milliseconds of processor time of each call, made in turn."""
    took: list[list[float]] = [[] for _ in calls]
    for _ in range(runs):
        for call, times in zip(calls, took, strict=True):
            begun = time.process_time()
            call()
            times.append((time.process_time() - begun) * 1_000)
    return [statistics.median(times) for times in took]


def _time_merge(runs: int) -> float:
    """Merge two cards of which half of each list is new."""
    known = {"interests": [f"관심사 {n}" for n in range(ENTRIES)]}
    new = {"interests": [f"관심사 {n + ENTRIES // 2}" for n in range(ENTRIES)]}
    return _time_in_turn([lambda: merge_documents(known, new, compare_names)], runs)[0]


def _start_cold(compiled: str, endpoint: str) -> float:
    child = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", COLD, json.dumps(GET)],
        env={
            **os.environ,
            "GIEOK_TUTOR_TABLE": TABLE,
            "GIEOK_TUTOR_TRUST_BODY": "yes",
            "GIEOK_DYNAMODB_ENDPOINT": endpoint,
            "PYTHONPYCACHEPREFIX": compiled,
            "PYTHONDONTWRITEBYTECODE": "",
        },
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return float(child.stdout) * 1_000


def create_table(client: Any) -> None:
    """Create the document's table."""
    client.create_table(
        TableName=TABLE,
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")
        ],
        BillingMode="PAY_PER_REQUEST",
    )


@contextmanager
def run_moto() -> Iterator[str]:
    """Run moto's server and give its address."""
    server = subprocess.Popen(
        [sys.executable, "-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        for line in server.stderr or ():
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                # It writes a line a request, and stops where nobody reads them.
                Thread(target=server.communicate, daemon=True).start()
                yield found[0]
                return
        problem = "moto did not start"
        raise RuntimeError(problem)
    finally:
        server.terminate()
        server.wait(timeout=10)
