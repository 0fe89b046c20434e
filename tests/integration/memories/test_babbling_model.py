"""A model that asks to erase everything, as configured and over real HTTP (D05)."""

import json
from pathlib import Path

import pytest

from gieok import ALL_CATEGORIES, Config, Settings, Turn, open_memory
from support.fake_model import Body, FakeModel


class BabblingModel(FakeModel):
    """Takes whatever is said for a wish to forget all that it is shown."""

    def answer(self, asked: Body) -> Body:
        message = super().answer(asked)
        (call,) = message["tool_calls"]
        if "findings" in call["function"]["arguments"]:
            lines = asked["messages"][-1]["content"].split("\n")
            begin = next(n for n, line in enumerate(lines) if "=====BEGIN" in line)
            shown = json.loads(lines[begin + 1])
            wishes = [
                {"operation": "delete", "target": item["id"], "content": ""}
                | {"category": "context", "confidence": 0.95, "basis": "requested"}
                | {"evidence": [shown["messages"][0]["index"]]}
                for item in shown["known"]
            ]
            call["function"]["arguments"] = json.dumps({"findings": wishes})
        return message


@pytest.mark.req("D05")
async def test_only_a_wish_erases_and_only_what_it_means(tmp_path: Path) -> None:
    with BabblingModel() as model:
        config = Config(
            data=tmp_path / "gieok",
            defaults=Settings(allowed_categories=ALL_CATEGORIES),
            model="openai:m",
            model_base_url=model.url,
            model_api_key="none",
        )
        async with open_memory(config, worker=False) as gieok:
            me = gieok.person("me")
            for known in ("User lives in Oslo", "User plays the cello"):
                await gieok.memories.remember(me, known)
            left: list[int] = []
            for said in ("Good morning", "Please forget where I live"):
                session = (await gieok.sessions.start(me)).session_id
                await gieok.sessions.record(me, session, Turn(said, "OK."))
                await gieok.memories.extract(me, session)
                memories, _ = await gieok.memories.page(me)
                left.append(len(memories))
            assert left == [2, 1]
            assert memories[0].content == "User plays the cello"
