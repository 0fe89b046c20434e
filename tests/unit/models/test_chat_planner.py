"""The configured model as a planner: its decision is read, its babble refused."""

import json
from collections.abc import Sequence

import pytest

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import ModelReply, Role, Utterance
from gieok.kernel.planning import PlannerDecision
from gieok.models.chat_planner import INSTRUCTIONS, ChatPlanner
from gieok.testing import ScriptedModel

DECISION = {
    "route_family": "ODL",
    "planner_summary": {"selected_route": "clean", "confidence": 0.9},
    "assistant_text": "안방으로 갈게요.",
    "active_workflow_id": None,
}


class Talker(ScriptedModel):
    """Answers with the same words, and notes what it was asked."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words
        self.asked: list[tuple[str, Sequence[Utterance]]] = []

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        self.asked.append((instructions, messages))
        return ModelReply(self.words)


@pytest.mark.req("A12")
@pytest.mark.parametrize("form", ["{}", "```json\n{}\n```", "\n {} \n"])
async def test_a_decision_is_read_fenced_or_not(form: str) -> None:
    model = Talker(form.format(json.dumps(DECISION, ensure_ascii=False)))
    decided = await ChatPlanner(model, None).plan({"text": "현재 발화: 불 켜줘"})
    assert decided == PlannerDecision(**DECISION)
    ((instructions, (said,)),) = model.asked
    assert instructions == INSTRUCTIONS
    assert (said.role, said.content) == (Role.USER, "현재 발화: 불 켜줘")


@pytest.mark.parametrize(
    "babble", ["", "Sure!", "[]", '{"route_family": 5}', "{" * 900]
)
async def test_what_is_no_decision_is_refused(babble: str) -> None:
    with pytest.raises(ModelUnavailableError):
        await ChatPlanner(Talker(babble), None).plan({"text": "hello"})
