"""Texts around the documentation of the API: (Korean, English)."""

from typing import Final

DOCS: Final[dict[str, tuple[str, str]]] = {
    "docs.site": ("gieok API", "gieok API"),
    "docs.title": ("모든 호출", "Every call"),
    "docs.footer": (
        "이 서버가 답하는 API입니다. 설명은 영어이며, /openapi.json과 같은 내용입니다.",
        "The API that this server answers, as /openapi.json has it.",
    ),
    "docs.name": ("이름", "Name"),
    "docs.type": ("형식", "Type"),
    "docs.meaning": ("뜻", "Meaning"),
    "docs.required": ("필수", "required"),
    "docs.schemas": ("형식", "Schemas"),
    "docs.fields": ("필드", "Fields"),
    "docs.parameters": ("{name}의 매개변수", "Parameters of {name}"),
    "docs.body": ("본문:", "Body:"),
    "docs.answers": ("응답:", "Answers:"),
}
