"""What the layers of the reference agent ask a model, in Korean and English."""

from collections.abc import Sequence
from typing import Final

from gieok.sessions import Layer
from gieok.text.patterns import compile_lazily

_BULLET: Final = r"[-*•]+(?:\s+|$)|[-•](?=[^\W\d]|\*\*)"
_BOLD: Final = "**"
_MARK: Final = compile_lazily(
    rf"^(?:{_BULLET})?"
    r"(?:(?P<bold>\*\*)?\d{1,2}[.)](?!\d)\s*(?(bold)(?P<closed>\*\*)?\s*))?"
)
"""A bullet, a number or both before a step, perhaps in bold type that goes on in it;
what follows may begin with a number of its own."""

_TASKS: Final = {
    "ko": {
        Layer.COGNITIVE: "지금은 답하지 마세요. 사용자가 마지막 말로 무엇을 원하는지, "
        "알고 있는 정보 가운데 무엇이 관련되는지 한두 문장으로 적으세요.",
        Layer.PLANNING: "지금은 답하지 마세요. 사용자를 돕기 위한 계획을 한 줄에 한 "
        "단계씩, 다섯 단계 이내로 적으세요.",
        Layer.EXECUTION: "계획에 필요한 도구를 쓰세요. 더 필요한 것이 없으면 알아낸 "
        "것을 짧게 적으세요.",
        Layer.RESPONSE: "계획과 알아낸 것을 바탕으로 사용자의 마지막 말에 답하세요. "
        "계획 자체는 말하지 마세요.",
    },
    "en": {
        Layer.COGNITIVE: "Do not answer yet. Say in one or two sentences what the user "
        "wants with the last message, and what of the known information bears on it.",
        Layer.PLANNING: "Do not answer yet. Write a plan for helping the user, one "
        "step on each line, five steps at most.",
        Layer.EXECUTION: "Use the tools that the plan needs. When nothing more is "
        "needed, note briefly what was found.",
        Layer.RESPONSE: "Answer the user's last message, following the plan and what "
        "was found. Do not talk about the plan itself.",
    },
}
_WORDS: Final = {
    "ko": {"understanding": "[이해한 것]", "plan": "[계획]"},
    "en": {"understanding": "[Understood]", "plan": "[Plan]"},
}
MAX_STEPS: Final = 20
"""Steps of a plan that are kept."""


def build_task(
    layer: Layer, language: str, understanding: str | None, plan: Sequence[str] | None
) -> str:
    """Return what a layer asks, with what the layers before it came to."""
    spoken = "ko" if language == "ko" else "en"
    words = _WORDS[spoken]
    parts = [_TASKS[spoken][layer]]
    if understanding:
        parts.append(f"{words['understanding']}\n{understanding}")
    if plan:
        steps = "\n".join(f"{n}. {step}" for n, step in enumerate(plan, start=1))
        parts.append(f"{words['plan']}\n{steps}")
    return "\n\n".join(parts)


def parse_steps(text: str) -> list[str]:
    """Return the steps of a plan as a model wrote it, without numbers and bullets."""
    lines = (_remove_mark(line.strip()) for line in text.split("\n"))
    return [line for line in lines if line][:MAX_STEPS]


def _remove_mark(line: str) -> str:
    """Return a line of a plan without its mark, and without half of its bold type."""
    mark = _MARK.match(line)
    if mark is None:
        return line
    step = line[mark.end() :]
    is_open = mark["bold"] and not mark["closed"]
    return step.replace(_BOLD, "", 1) if is_open else step
