"""The example of two sessions does what it says."""

import asyncio
import json
import os
import sys

import pytest

from support.kms_server import Line
from support.paths import ROOT
from support.tutor_cloud import FAKE, ChatServer


@pytest.mark.req("C09")
async def test_the_second_session_knows_what_the_first_said(
    line: Line, chat: ChatServer
) -> None:
    found = {"name": "영광", "occupation": "backend developer"}
    chat.answers = [json.dumps(found), "Hi 영광! How's your backend work going?"]
    ended = await asyncio.create_subprocess_exec(
        sys.executable,
        str(ROOT / "examples/tutor/two_sessions.py"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={
            **os.environ,
            **FAKE,
            "PYTHONPATH": str(ROOT / "src"),
            "GIEOK_DYNAMODB_ENDPOINT": line.url,
            "GIEOK_TUTOR_TABLE": "example",
            "GIEOK_MODEL": "openai:scripted",
            "GIEOK_MODEL_BASE_URL": chat.url,
        },
    )
    out, err = await ended.communicate()
    assert ended.returncode == 0, err.decode()
    assert "How's your backend work going?" in out.decode()
    assert b"WARNING" in err
    system = chat.asked[-1]["messages"][0]["content"]
    assert "- Name: 영광\n- Occupation: backend developer\n" in system
