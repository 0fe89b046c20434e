"""Measures what is remembered of talks that wish something kept out of memory.

    .venv/bin/python training/measure_withheld.py            # ten minutes
    .venv/bin/python training/measure_withheld.py --only beside  # three minutes

`beside` are the 80 talks of `wishes_beside/`, lived through from end to end: what must
be gone, and what must stay. `joined` are the first 110 messages of either file of
`forget_requests/*_c`, which tell something and wish it forgotten: of how many anything
is told.
"""

import argparse
import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from gieok import ALL_CATEGORIES, Config, Turn, open_memory
from gieok.kernel.language import Conversation, FindingOperation, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.text.kiwi import get_shared_morphology

HERE = Path(__file__).parent
JOINED = 110
"""Messages of each hand that tell something and wish it forgotten, the first ones."""
AT = datetime(2026, 11, 29, tzinfo=UTC)


async def measure_beside() -> None:
    """Print of the talks what is gone, and what stays."""
    lines = (HERE / "wishes_beside/blind.jsonl").read_text("utf-8").splitlines()
    gone, stays = [], []
    with TemporaryDirectory() as folder:
        config = Config(data=Path(folder) / "data")
        async with open_memory(config, worker=False) as memory:
            for number, row in enumerate(map(json.loads, lines)):
                person = memory.person(f"p{number}")
                chosen = {"allowed_categories": ALL_CATEGORIES}
                await memory.settings.update(person, chosen)
                session = (await memory.sessions.start(person)).session_id
                for text in row["messages"]:
                    await memory.sessions.record(person, session, Turn(text, "ok"))
                await memory.sessions.close(person, session)
                await memory.settled(person)
                found, _ = await memory.memories.page(person)
                told = " ".join(each.content for each in found).lower()
                if row["gone"]:
                    gone.append(not any(word in told for word in row["gone"]))
                stays += [word in told for word in row["stay"]]
    print(f"what must go is gone of {sum(gone)} of {len(gone)} talks")
    print(f"of {len(stays)} other facts {sum(stays)} stay")


async def measure_joined() -> None:
    """Print of how many messages with a fact and a wish anything is told."""
    model = RulesModel(E5Embedder(), get_shared_morphology())
    for path in sorted((HERE / "forget_requests").glob("*_c.jsonl")):
        lines = path.read_text("utf-8").splitlines()[:JOINED]
        heard = told = 0
        for row in map(json.loads, lines):
            said = (
                Utterance(0, Role.USER, row["text"]),
                Utterance(1, Role.ASSISTANT, "ok"),
            )
            found = await model.extract(Conversation(said, (), AT))
            done = {each.operation for each in found}
            heard += FindingOperation.DELETE in done
            told += FindingOperation.ADD in done
        print(f"{path.stem}: of {len(lines)} {heard} heard, of {told} something told")


async def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("beside", "joined"))
    only = parser.parse_args().only
    if only != "joined":
        await measure_beside()
    if only != "beside":
        await measure_joined()


if __name__ == "__main__":
    asyncio.run(main())
