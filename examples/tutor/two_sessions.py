"""The tutor's document's two sessions: what the first says is known in the second.

Start a DynamoDB of your own with `moto_server -p 5555` (`pip install "moto[server]"`),
set GIEOK_MODEL and its key, and run this. The table is made if it is not there.
"""

import os
import sys
from typing import Any

import boto3

from gieok.surfaces.tutor.environment import TutorConfig
from gieok.surfaces.tutor.handler import TutorEndpoint

USER = "younggwang"
FIRST = [
    {"role": "user", "content": "Hi, my name is 영광. I'm a developer."},
    {"role": "assistant", "content": "Nice to meet you! What do you develop?"},
    {"role": "user", "content": "I work on backend systems, mainly using Python."},
    {"role": "assistant", "content": "Python is great for backend!"},
]
SECOND = [{"role": "user", "content": "Hello again!"}]
LOCAL = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": "ap-northeast-2",
    "GIEOK_TUTOR_TABLE": "tutor",
    "GIEOK_TUTOR_TRUST_BODY": "yes",
    "GIEOK_DYNAMODB_ENDPOINT": "http://127.0.0.1:5555",
}


def create_table(name: str, endpoint: str) -> None:
    """Make the document's table, unless it is there."""
    client: Any = boto3.client("dynamodb", endpoint_url=endpoint)
    if name in client.list_tables()["TableNames"]:
        return
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "PK", "AttributeType": "S"},
            {"AttributeName": "SK", "AttributeType": "S"},
        ],
    )


def main() -> None:
    """Have both sessions, and say what was known in the second."""
    environment = os.environ  # noqa: TID251 - boto3 reads it too
    for name, value in LOCAL.items():
        environment.setdefault(name, value)
    create_table(
        environment["GIEOK_TUTOR_TABLE"], environment["GIEOK_DYNAMODB_ENDPOINT"]
    )
    endpoint = TutorEndpoint.from_config(TutorConfig.from_environment())
    for action, body in (
        ("extract_user_info", {"messages": FIRST}),
        ("get_user_memory", {}),
        ("chat", {"messages": SECOND}),
    ):
        answer = endpoint.answer_event({"action": action, "user_id": USER, **body})
        sys.stdout.write(f"{action}: {answer}\n")
    endpoint.runner.close()


if __name__ == "__main__":
    main()
