"""A chat model behind an OpenAI-compatible endpoint, over httpx alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import ModelReply, Utterance
from gieok.models.chat_answers import ODD_ANSWER, build_reply, format_status
from gieok.models.deadline import await_answer, compute_end


@dataclass(frozen=True, slots=True)
class OpenAIChat:
    """Talks, where `LlmModel` with its vendors' packages is too large: on a Lambda."""

    model: str
    base_url: str
    api_key: str | None = field(default=None, repr=False)
    seconds: float = 25.0
    """How long an answer may take, from the connection to its last byte."""

    @property
    def name(self) -> str:
        """Vendor and model."""
        return f"openai:{self.model}"

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return the assistant's next message.

        Raises:
            ModelUnavailableError: no usable answer came in time.
        """
        asked = self._fetch_reply(instructions, messages)
        return await await_answer(self.name, asked, compute_end(self.seconds))

    async def _fetch_reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        listed = [{"role": "system", "content": instructions}]
        listed += [{"role": m.role.value, "content": m.content} for m in messages]
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        try:
            async with httpx.AsyncClient(timeout=self.seconds) as client:
                answer = await client.post(
                    f"{self.base_url.rstrip('/')}/chat/completions",
                    json={"model": self.model, "messages": listed},
                    headers=headers,
                )
        except httpx.HTTPError as error:
            raise ModelUnavailableError(self.name, type(error).__name__) from None
        if not answer.is_success:
            raise ModelUnavailableError(self.name, format_status(answer.status_code))
        return self._parse_answer(answer)

    def _parse_answer(self, answer: httpx.Response) -> ModelReply:
        try:
            body = answer.json()
            text, usage = body["choices"][0]["message"]["content"], body.get("usage")
        except ODD_ANSWER:
            text, usage = None, None
        return build_reply(self.name, text, usage, "total_tokens")
