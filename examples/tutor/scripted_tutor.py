"""A tutor that needs no model: it asks its questions, and greets whom it remembers.

What it knows of a learner is what stands in its instructions, as with any model.
"""

from collections.abc import Mapping, Sequence

from gieok.kernel.language import ModelReply, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.parts import Parts
from gieok.text.kiwi import get_shared_morphology

HEADING = "[User Memory"
QUESTIONS = (
    ("Name", "Hi! I'm your English tutor. What's your name, and what do you do?"),
    ("Interests", "Nice to meet you! What do you like to do in your free time?"),
    ("Learning goals", "That sounds fun! What are you learning English for?"),
)
GO_ON = "I see! Could you tell me a little more about that?"


class ScriptedTutor(RulesModel):
    """Extracts with the rules, and talks from a script."""

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return what the script says next."""
        said = sum(message.role is Role.USER for message in messages)
        return ModelReply(choose_line(read_memory(instructions), said))


def create_parts() -> Parts:
    """Return the parts with which gieok talks from a script."""
    embedder = E5Embedder()
    model = ScriptedTutor(embedder, get_shared_morphology())
    return Parts(model=model, embedder=embedder)


def read_memory(instructions: str) -> dict[str, str]:
    """Return what the block of memory in a prompt says, by its labels."""
    _, _, block = instructions.partition(HEADING)
    lines = (line for line in block.splitlines() if line.startswith("- "))
    told = (line.removeprefix("- ").partition(": ") for line in lines)
    return {label: value for label, _, value in told}


def choose_line(memory: Mapping[str, str], said: int) -> str:
    """Return the tutor's next line, after the learner has said so many things."""
    if said == 1 and memory:
        return greet_learner(memory)
    open_questions = [line for label, line in QUESTIONS if label not in memory]
    place = said - 1 if not memory else said - 2
    return open_questions[place] if place < len(open_questions) else GO_ON


def greet_learner(memory: Mapping[str, str]) -> str:
    """Return the greeting of somebody who has called before."""
    name = memory.get("Name")
    parts = [f"Hi {name}!" if name else "Hi again!"]
    if work := memory.get("Occupation"):
        parts.append(f"How's your work going? ({work})")
    if interests := memory.get("Interests"):
        parts.append(f"Last time you told me that you like {interests}. What's new?")
    if len(parts) == 1:
        parts.append("It's good to hear you again. What's new?")
    return " ".join(parts)
