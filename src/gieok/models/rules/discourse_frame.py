"""In which frame a clause is said: earnest talk, play, fiction, drill, joke, report.

The frames follow from the whole conversation, the assistant's turns included.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from gieok.kernel.language import Role, Utterance
from gieok.models.rules import lexicon as lx
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.questions import extract_question
from gieok.text.kiwi import get_shared_morphology
from gieok.text.patterns import compile_lazily
from gieok.text.sentences import SENTENCE_END

_QUOTATION: Final = compile_lazily(r"[\"“'‘「]([^\"”’」]{8,})[\"”'’」]")
_WORD: Final = compile_lazily(r"\w+")
ECHO: Final = 0.75  # of the words of a clause that stand in what the assistant quoted
JOKE_REACH: Final = 2  # user messages after a claim in which it may be taken back
MUCH_SAID: Final = 3
"""Content words before a joke is called one, from which these are what was meant."""


@dataclass(frozen=True, slots=True)
class MessageFrame:
    """What surrounds one message."""

    roleplay: bool
    """Whether anybody spoke of a role play, or of playing, before it."""
    fiction: bool
    is_played: bool
    """Whether it stands in a role play that somebody began: nothing in it is told."""
    is_copied: bool
    """Whether it is sung along or copied out, as a song or a word problem is."""
    drill: bool
    pasted: bool
    planted: bool
    taken_back: bool

    @property
    def is_meant(self) -> bool:
        """Whether it is said in earnest: not played, pasted or taken back."""
        played = self.roleplay or self.is_played or self.fiction or self.drill
        others = self.is_copied or self.pasted or self.planted
        return not (played or others or self.taken_back)


@dataclass(frozen=True, slots=True)
class UserTurn:
    """One user message with what stands around it."""

    index: int
    text: str
    asked: str
    answered: str
    frame: MessageFrame
    day: date | None = None
    """When it was said, where that is known of this message."""
    before: str = ""
    """The user's message before it, where the assistant asked nothing in between."""
    written: str = ""
    """As the user wrote it; nothing where `text` says it in the same words."""

    @property
    def is_restated(self) -> bool:
        """Whether it asks to remember something, which `text` has as a statement."""
        return bool(self.written)


PLAYED_REACH: Final = 6
"""Messages that a role play goes on for which nobody ends."""
SUPPOSED_REACH: Final = 4
"""Messages that something supposed may go on for."""


def _find_roleplay(messages: Sequence[Utterance]) -> set[int]:
    """Return the indexes of the messages inside a role play."""
    inside, found = False, set[int]()
    for message in messages:
        text = message.content
        if inside and lx.ROLEPLAY_END.search(text):
            inside = False
        elif lx.ROLEPLAY_START.search(text):
            inside = True
        if inside:
            found.add(message.index)
    return found


def _find_played(messages: Sequence[Utterance]) -> set[int]:
    """Return the messages with which somebody begins a role play, and those in it."""
    going, found = 0, set[int]()
    for message in messages:
        if lx.ROLEPLAY_END.search(message.content):
            going = 0
        elif lx.ROLEPLAY_BEGUN.search(message.content):
            going = PLAYED_REACH
            found.add(message.index)
        elif going and message.role == Role.USER:
            going -= 1
            found.add(message.index)
    return found


def _find_supposed(messages: Sequence[Utterance]) -> set[int]:
    """Return the indexes of the messages that go on with what one before supposes.

    They answer what the assistant asks of it, and ask nothing new.
    """
    going, found = 0, set[int]()
    for place, message in enumerate(messages):
        if message.role != Role.USER:
            continue
        if lx.SUPPOSED.search(message.content):
            going = SUPPOSED_REACH
            continue
        asked = _get_neighbour(messages, place, -1).rstrip().endswith("?")
        going = going - 1 if asked and going else 0
        if going:
            found.add(message.index)
    return found


def _get_neighbour(messages: Sequence[Utterance], place: int, step: int) -> str:
    """Return the assistant's turn directly before or after, or nothing."""
    other = place + step
    if 0 <= other < len(messages) and messages[other].role == Role.ASSISTANT:
        return messages[other].content
    return ""


def _is_taken_back(messages: Sequence[Utterance], place: int) -> bool:
    """Tell whether the user takes back what was said here, as a joke."""
    own, *later = [m.content for m in messages[place:] if m.role == Role.USER]
    return lx.JOKE_TAKEN_BACK.search(own) is not None or any(
        _is_joke_about(text, own) for text in later[:JOKE_REACH]
    )


def _is_joke_about(text: str, earlier: str) -> bool:
    """Tell whether a message takes back, as a joke, what an earlier one says.

    What says much before it calls something a joke means that: "한국 가서 살까봐요
    농담". It means the earlier message only if it names something of it again.
    """
    found = lx.JOKE_TAKEN_BACK.search(text)
    if found is None:
        return False
    morphology = get_shared_morphology()
    said = extract_terms(text[: found.start()], morphology)
    return len(said) < MUCH_SAID or bool(said & extract_terms(earlier, morphology))


def collect_turns(messages: Sequence[Utterance]) -> tuple[UserTurn, ...]:
    """Return the user's messages, each with its surroundings and frame."""
    playing, supposed = _find_roleplay(messages), _find_supposed(messages)
    played = _find_played(messages)
    found: list[UserTurn] = []
    for place, message in enumerate(messages):
        if message.role != Role.USER:
            continue
        asked = _get_neighbour(messages, place, -1)
        text = message.content
        frame = MessageFrame(
            roleplay=message.index in playing,
            fiction=lx.FICTION.search(text) is not None or message.index in supposed,
            is_played=message.index in played,
            is_copied=lx.COPIED.search(text) is not None,
            drill=lx.DRILL.search(text) is not None
            or lx.DRILL.search(asked) is not None,
            pasted=lx.PASTED.search(text) is not None,
            planted=lx.INSTRUCTION_TO_MACHINE.search(text) is not None,
            taken_back=_is_taken_back(messages, place),
        )
        answered = _get_neighbour(messages, place, 1)
        day = message.at.date() if message.at else None
        before = found[-1].text if found and not extract_question(asked) else ""
        found.append(UserTurn(message.index, text, asked, answered, frame, day, before))
    return tuple(found)


def is_supposed(text: str, place: int) -> bool:
    """Tell whether what stands at a place of a message is only supposed.

    That is the sentence that supposes it, and behind a question ("뭐부터 하지?") the
    rest of the message.
    """
    found = lx.SUPPOSED.search(text)
    if found is None:
        return False
    ends = [match.start() for match in SENTENCE_END.finditer(text)]
    begin = max((end for end in ends if end < found.start()), default=-1)
    end = min((end for end in ends if end >= found.end()), default=len(text))
    return place > begin and (place < end or text[end : end + 1] == "?")


def is_echo(text: str, asked: str) -> bool:
    """Tell whether a clause repeats what the assistant just gave as an example."""
    spoken = set(_WORD.findall(text.lower()))
    example = set(_WORD.findall(" ".join(_QUOTATION.findall(asked)).lower()))
    enough = len(spoken) >= 3  # noqa: PLR2004  (a word or two is an answer)
    return enough and len(spoken & example) >= ECHO * len(spoken)
