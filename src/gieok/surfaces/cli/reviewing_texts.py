"""Texts of `rollback` and of quarantine: (Korean, English)."""

from typing import Final

REVIEWING: Final[dict[str, tuple[str, str]]] = {
    "help.rollback": (
        "어느 때부터, 또는 한 대화에서 알게 된 것을 되돌립니다.",
        "Take back what was learned since a time or from a session.",
    ),
    "opt.since": (
        "날짜나 시각, 예: 2026-11-20 또는 2026-11-20T09:00+09:00",
        "A day or a time: 2026-11-20, or 2026-11-20T09:00+09:00.",
    ),
    "opt.from_session": ("대화의 ID, 또는 그 끝.", "A session, or the end of its id."),
    "opt.roll_back": ("정말로 되돌립니다.", "Really take it back."),
    "help.memories.held": (
        "격리된 후보를 봅니다. confirm으로 풀고 reject로 버립니다.",
        "Candidates in quarantine; confirm releases, reject discards.",
    ),
    "rollback.none": ("되돌릴 것이 없습니다.", "There is nothing to take back."),
    "rollback.would": (
        "기억 {count}개를 되돌리게 됩니다. 하려면 --yes를 붙이세요.",
        "Memories that would go: {count}. Add --yes to take them back.",
    ),
    "rollback.done": (
        "기억 {count}개를 되돌렸습니다. 하나씩 다시 쓸 수 있습니다.",
        "Memories taken back: {count}. Each can be reactivated.",
    ),
    "held.suspicious": ("지시로 읽힘", "reads as an instruction"),
    "held.contradiction": ("부탁받은 것과 어긋남", "contradicts what was asked for"),
    "held.ambiguous": ("이것이 아닐 수 있음", "may not be what was meant"),
    "held.high_impact": ("중요한데 분명히 말하지 않음", "weighty, not plainly said"),
    "held.influence": ("한 대화에서 너무 많음", "too much from one session"),
}
