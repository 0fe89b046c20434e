"""Reads the labelled talk and says which clause states or does what.

Six kinds: dialogues (one long or short session each, in the evaluation format),
people (what is known of somebody, and many short sessions that start from there),
months (a year of somebody's sessions, most of which hold nothing), statements (one
ordinary thing that somebody says, every other of them worth nothing), talks (a few
messages, every other of them without anything to remember), and plain talks, in which
nothing was written to mislead.
"""

import hashlib
import json
import random
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from gieok.kernel.language import Category, Conversation, KnownMemory, Role, Utterance
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.intent import INTENTS, Intent
from gieok.models.rules.message_context import select_messages
from gieok.text.kiwi import Morphology, get_shared_morphology

DIALOGUES = Path(__file__).parent / "dialogues"
PEOPLE = Path(__file__).parent / "people"
MONTHS = Path(__file__).parent / "months"
UNSEEN = "fourth_*.jsonl"
"""People from whom only what weighs the judges' opinions learns."""
LATER = "later_*.jsonl"
"""Dialogues from which only that learns."""
STATEMENTS = Path(__file__).parent / "statements"
TALKS = Path(__file__).parent / "talks"
PLAIN = Path(__file__).parent / "plain"
TRAPS = Path(__file__).parent / "traps"
CASUAL = Path(__file__).parent / "casual"
CASUAL_ANSWERS = Path(__file__).parent / "casual_answers"
CHANGES = Path(__file__).parent / "changes" / "later"
TERSE = Path(__file__).parent / "terse"
REWRITES = Path(__file__).parent / "rewrites"
LEARNED_TERSE = 2 / 3
"""Of each file of `terse/`, how much may be learned from."""
FOLDS = 5
MIN_OVERLAP = 3  # characters a clause and a quote must share
UNKNOWN = 0.1  # what a clause counts of which nobody said what it does
SOME_KNOWN = (0, 1, 3, 8)
"""How many of a person's known items a session is told with, besides all of them."""
AT = "2026-03-02T19:10:00+09:00"

Row = dict[str, Any]
_INTENT = {
    "update": Intent.CHANGE,
    "end": Intent.END,
    "forget": Intent.FORGET,
    "reinforce": Intent.REPEAT,
}


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One labelled session with its candidates."""

    id: str
    person: str
    kind: str
    """long, short, people, said, months, statement, talk, plain or rewrite."""
    conversation: Conversation
    candidates: tuple[ClauseCandidate, ...]
    facts: tuple[Row, ...]

    @property
    def fold(self) -> int:
        """The part of the cross-validation it is held out in, fixed by the person."""
        return int(hashlib.sha256(self.person.encode()).hexdigest(), 16) % FOLDS


def load_dialogues() -> list[Dialogue]:
    """Return the sessions in the evaluation format, long and short."""
    return load_files(set(DIALOGUES.glob("*.jsonl")) - set(DIALOGUES.glob(LATER)))


def load_files(paths: Iterable[Path]) -> list[Dialogue]:
    """Return the sessions of files in the evaluation format."""
    morphology = get_shared_morphology()
    found: list[Dialogue] = []
    for path in sorted(paths):
        kind = "short" if "short" in path.stem else "long"
        found += [dialogue_of(row, kind, morphology) for row in _rows(path)]
    return [dialogue for dialogue in found if dialogue.candidates]


def load() -> list[Dialogue]:
    """Return all sessions that the judges learn from."""
    morphology = get_shared_morphology()
    found = load_dialogues()
    for path in sorted(set(PEOPLE.glob("*.jsonl")) - set(PEOPLE.glob(UNSEEN))):
        for person in _rows(path):
            found += _sessions(person, morphology)
    return [dialogue for dialogue in found if dialogue.candidates]


def load_unseen() -> list[Dialogue]:
    """Return the sessions that the judges have not seen, short and long."""
    morphology = get_shared_morphology()
    found = [
        dialogue
        for path in sorted(PEOPLE.glob(UNSEEN))
        for person in _rows(path)
        for dialogue in _sessions(person, morphology)
        if dialogue.kind != "said" and not dialogue.id.endswith("/some")
    ]
    found += load_files(DIALOGUES.glob(LATER))
    return [dialogue for dialogue in found if dialogue.candidates] + load_months()


def load_statements() -> list[Dialogue]:
    """Return what somebody says by itself, or in answer to one line, as sessions."""
    morphology = get_shared_morphology()
    found = [
        replace(
            _statement_of(row, f"{path.stem}/{number}", morphology), person=path.stem
        )
        for path in sorted(STATEMENTS.glob("*.jsonl"))
        for number, row in enumerate(_rows(path))
    ]
    return [dialogue for dialogue in found if dialogue.candidates]


def _statement_of(row: Row, name: str, morphology: Morphology) -> Dialogue:
    asked = [{"role": "assistant", "content": row["asked"]}] if row["asked"] else []
    facts = [
        {"say": fact["say"], "op": "add", "category": [fact.get("category")]}
        | {"evidence": [len(asked)], "quote": [fact["quote"]], "source": "explicit"}
        for fact in row["facts"]
    ]
    said = [*asked, {"role": "user", "content": row["text"]}]
    whole = {"id": name, "at": AT, "known": [], "messages": said}
    return dialogue_of(whole | {"gold": {"facts": facts}}, "statement", morphology)


def load_talks() -> list[Dialogue]:
    """Return short talks of several messages, with nothing known before."""
    return _load_talks(TALKS, "talk")


def load_plain() -> list[Dialogue]:
    """Return ordinary talks, in which nothing was written to mislead."""
    return _load_talks(PLAIN, "plain")


def load_traps() -> list[Dialogue]:
    """Return talks whose words look like facts of the user and are none, or are."""
    return _load_talks(TRAPS, "trap")


def load_casual() -> list[Dialogue]:
    """Return talks as people type and dictate them."""
    return _load_talks(CASUAL, "casual")


def load_casual_answers() -> list[Dialogue]:
    """Return casual talks in which nearly every message answers the assistant."""
    return _load_talks(CASUAL_ANSWERS, "answer")


def load_changes() -> list[Dialogue]:
    """Return talks in which something that is known changes, or seems to.

    Left out are those of which nobody wrote what is new: what is said again in other
    words, and ends.
    """
    return _load_talks(CHANGES, "change", _convert_change)


def load_terse() -> list[Dialogue]:
    """Return the lines said in haste that may be learned from, each a talk."""
    return _load_talks(TERSE, "terse", _convert_terse)


def _convert_change(row: Row, place: float) -> Row | None:
    """Return a talk of `changes/later` as one of `plain`."""
    del place
    if row["kind"] == "same" or (row["kind"] == "end" and not row["new"]):
        return None
    messages: list[tuple[str, str]] = []
    said: list[int] = []
    for turn in row["turns"]:
        messages += [("a", turn["asked"])] if turn["asked"] else []
        said.append(len(messages))
        messages.append(("u", turn["user"]))
    facts = [fact | {"message": said[fact["turn"]]} for fact in row["new"]]
    return {"messages": messages, "facts": facts}


def _convert_terse(row: Row, place: float) -> Row | None:
    """Return a line of `terse` as a talk of `plain`, but for the last third."""
    if place >= LEARNED_TERSE:
        return None
    messages = [("a", row["asked"])] if row["asked"] else []
    facts = [fact | {"message": len(messages)} for fact in row["facts"]]
    return {"messages": [*messages, ("u", row["text"])], "facts": facts}


def _load_talks(
    folder: Path,
    kind: str,
    convert: Callable[[Row, float], Row | None] = lambda row, _: row,
) -> list[Dialogue]:
    """Return the talks of a folder; `convert` gets each and its place in its file."""
    morphology = get_shared_morphology()
    found: list[Dialogue] = []
    for path in sorted(folder.glob("*.jsonl")):
        rows = [*_rows(path)]
        for number, row in enumerate(rows):
            talk = convert(row, number / len(rows))
            if talk is not None:
                name = f"{kind}/{path.stem}/{number}"
                told = _talk_of(talk, kind, name, morphology)
                found.append(replace(told, person=path.stem))
    return [dialogue for dialogue in found if dialogue.candidates]


def _talk_of(row: Row, kind: str, name: str, morphology: Morphology) -> Dialogue:
    facts = [
        {"say": fact["say"], "op": "add", "category": [fact.get("category")]}
        | {"evidence": [fact["message"]], "quote": [fact["quote"]]}
        for fact in row["facts"]
    ]
    said = [
        {"role": "user" if who == "u" else "assistant", "content": text}
        for who, text in row["messages"]
    ]
    whole = {"id": name, "at": AT, "known": [], "messages": said}
    return dialogue_of(whole | {"gold": {"facts": facts}}, kind, morphology)


def load_rewrites() -> list[Dialogue]:
    """Return messages with the turns before them; only the last has candidates.

    What nobody wrote a memory of may still last, so it counts less.
    """
    morphology = get_shared_morphology()
    found = [
        replace(_rewrite_of(row, f"{path.stem}/{number}", morphology), person=path.stem)
        for path in sorted(REWRITES.glob("*.jsonl"))
        for number, row in enumerate(_rows(path))
    ]
    return [dialogue for dialogue in found if dialogue.candidates]


def _rewrite_of(row: Row, name: str, morphology: Morphology) -> Dialogue:
    last = len(row["before"])
    facts = [
        {"op": "add", "category": [], "evidence": [last], "quote": [fact["quote"]]}
        for fact in row["facts"]
        if fact.get("say")
    ]
    said = [
        {"role": "user" if who == "u" else "assistant", "content": text}
        for who, text in row["before"]
    ]
    said.append({"role": "user", "content": row["text"]})
    whole = {"id": name, "at": AT, "known": [], "messages": said}
    found = dialogue_of(whole | {"gold": {"facts": facts}}, "rewrite", morphology)
    own = tuple(c for c in found.candidates if c.clause.message == last)
    return replace(found, candidates=own)


def load_months() -> list[Dialogue]:
    """Return every session of the people of a year."""
    return [
        dialogue
        for path in sorted(MONTHS.glob("*.jsonl"))
        for dialogue in load_months_file(path)
    ]


def load_months_file(path: Path) -> list[Dialogue]:
    """Return every session of the people of one file in which anything is said."""
    morphology = get_shared_morphology()
    found = [
        dialogue
        for person in _rows(path)
        for dialogue in _months_sessions(person, morphology)
    ]
    return [dialogue for dialogue in found if dialogue.candidates]


def load_slots() -> dict[tuple[str, str], list[str]]:
    """Return which slots what is known of people fills, by person and item."""
    return {
        (person["id"], item["id"]): item["slots"]
        for path in sorted(PEOPLE.glob("*.jsonl"))
        for person in _rows(path)
        for item in person["known"]
    }


def _rows(path: Path) -> Iterator[Row]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return (json.loads(line) for line in lines if line.strip())


def _known(items: Sequence[Row]) -> tuple[KnownMemory, ...]:
    return tuple(
        KnownMemory(k["id"], k["content"], Category(k["category"])) for k in items
    )


def dialogue_of(row: Row, kind: str, morphology: Morphology) -> Dialogue:
    """Return one session in the evaluation format with its candidates."""
    messages = tuple(
        Utterance(index, Role(m["role"]), m["content"])
        for index, m in enumerate(row["messages"])
    )
    at = datetime.fromisoformat(row["at"])
    conversation = Conversation(messages, _known(row["known"]), at)
    found = collect_candidates(select_messages(conversation), morphology)
    facts = [dict(fact) for fact in row["gold"]["facts"]]
    for fact in facts:
        if fact["op"] == "delete":
            fact["op"] = "forget" if _wishes(found, fact) else "end"
    return Dialogue(row["id"], row["id"], kind, conversation, found, tuple(facts))


def _wishes(found: Sequence[ClauseCandidate], fact: Row) -> bool:
    """Tell whether a known item goes because the user asked to forget it."""
    said = [c for c in found if c.clause.message in fact["evidence"]]
    return any(c.flags["forget"] for c in said)


def _sessions(person: Row, morphology: Morphology) -> Iterator[Dialogue]:
    """Yield a person's sessions with all that is known and with some of it.

    Where somebody asks to forget what they said in the session, the wish also comes
    alone, beside the session's other messages as if they were known.
    """
    for number, session in enumerate(person["sessions"]):
        name = f"{person['id']}/{number}"
        messages = tuple(
            Utterance(index, Role.USER if who == "u" else Role.ASSISTANT, text)
            for index, (who, text) in enumerate(session["messages"])
        )
        known = _known(person["known"])
        at = datetime.fromisoformat(AT)
        conversation = Conversation(messages, known, at)
        found = collect_candidates(select_messages(conversation), morphology)
        facts = [_fact(fact, messages) for fact in session["facts"]]
        whole = Dialogue(
            name, person["id"], "people", conversation, found, tuple(facts)
        )
        yield whole
        yield _with_some_known(whole)
        if any("about" in fact for fact in facts):
            yield _said(whole, morphology)


def _months_sessions(person: Row, morphology: Morphology) -> Iterator[Dialogue]:
    """Yield the sessions of a year, each with what was true before it.

    What is new is labelled. What ends in a session, and what is mentioned of what is
    known, is not said clause by clause: those clauses are neither right nor wrong.
    """
    for number, session in enumerate(person["sessions"]):
        messages = tuple(
            Utterance(index, Role.USER if who == "u" else Role.ASSISTANT, text)
            for index, (who, text) in enumerate(session["messages"])
        )
        before = [
            fact
            for fact in person["facts"]
            if fact["since"] < number
            and (fact["until"] is None or fact["until"] >= number)
        ]
        known = tuple(
            KnownMemory(fact["id"], fact["text"], Category.CONTEXT) for fact in before
        )
        at = datetime.fromisoformat(session["at"])
        conversation = Conversation(messages, known, at)
        found = collect_candidates(select_messages(conversation), morphology)
        facts = list(_months_facts(person["facts"], number, messages))
        for fact in facts:
            if fact["op"] == "end" and _wishes(found, fact):
                fact["op"] = "forget"
        said = {fact.get("target") for fact in facts}
        facts += [
            {**_months_fact({**fact, "quote": None}, messages), "op": "touch"}
            for fact in before
            if fact["id"] not in said
        ]
        yield Dialogue(
            f"{person['id']}/{number}",
            person["id"],
            "months",
            conversation,
            found,
            tuple(fact for fact in facts if fact["op"] != "touch" or fact["evidence"]),
        )


def _months_facts(
    facts: Sequence[Row], number: int, messages: Sequence[Utterance]
) -> Iterator[Row]:
    """Yield what one session says anew, changes, ends and says again."""
    replaced = {fact["replaces"] for fact in facts if "replaces" in fact}
    for fact in facts:
        if fact["since"] == number:
            target = fact.get("replaces")
            op = "update" if target else "add"
            yield _months_fact(fact, messages) | {"op": op, "target": target}
        ends = fact["until"] == number and "end_quote" in fact
        if ends and fact["id"] not in replaced:
            row = _months_fact({"must": [], "quote": fact["end_quote"]}, messages)
            yield row | {"op": "end", "target": fact["id"]}
        for session, quote in fact.get("again", ()):
            if session == number:
                row = _months_fact({**fact, "quote": quote}, messages)
                yield row | {"op": "reinforce", "target": fact["id"]}


def _months_fact(fact: Row, messages: Sequence[Utterance]) -> Row:
    """Return a fact of a year in the form of the dialogues.

    Where nobody quoted it, it stands in the messages that hold a word of it.
    """
    quote, words = fact.get("quote"), [w for group in fact["must"] for w in group]
    where = [
        m.index
        for m in messages
        if m.role is Role.USER
        and (
            quote in m.content
            if quote
            else any(hit([[word]], m.content) for word in words)
        )
    ]
    return {
        "must": fact["must"],
        "evidence": where,
        "category": [fact.get("category")] if "category" in fact else [],
        "quote": [quote] if quote else [],
    }


def _fact(fact: Row, messages: Sequence[Utterance]) -> Row:
    """Return a fact in the form of the dialogues."""
    quote = fact.get("quote", "")
    where = [m.index for m in messages if m.role is Role.USER and quote in m.content]
    category = [fact["category"]] if "category" in fact else []
    return {**fact, "evidence": where[:1], "quote": [quote], "category": category}


def _with_some_known(dialogue: Dialogue) -> Dialogue:
    """Return a session as it is when less is known."""
    chance = random.Random(dialogue.id)  # noqa: S311 - a draw that repeats
    items = dialogue.conversation.known
    some = chance.sample(items, min(len(items), chance.choice(SOME_KNOWN)))
    ids = {item.id for item in some}
    facts: list[Row] = []
    for fact in dialogue.facts:
        if fact.get("target") is None or fact["target"] in ids:
            facts.append(fact)
        elif fact["op"] in ("update", "reinforce"):
            say, kind = fact.get("say", ""), fact["category"] or ["context"]
            facts.append({**fact, "op": "add", "say": say, "category": kind})
        elif fact["op"] == "forget":
            facts.append({**fact, "target": None})
    conversation = replace(dialogue.conversation, known=tuple(some))
    return replace(
        dialogue,
        id=dialogue.id + "/some",
        conversation=conversation,
        facts=tuple(facts),
    )


def _said(dialogue: Dialogue, morphology: Morphology) -> Dialogue:
    """Return a wish alone, with the rest of its session in the place of the known."""
    wish = next(fact for fact in dialogue.facts if "about" in fact)
    messages = dialogue.conversation.messages
    last = wish["evidence"][0] if wish["evidence"] else messages[-1].index
    known = tuple(
        KnownMemory(f"m{m.index}", m.content, Category.CONTEXT)
        for m in messages
        if m.index != last
    )
    conversation = replace(
        dialogue.conversation, messages=(messages[last],), known=known
    )
    facts = [{**wish, "target": f"m{index}"} for index in wish["about"]]
    return Dialogue(
        dialogue.id + "/said",
        dialogue.person,
        "said",
        conversation,
        collect_candidates(select_messages(conversation), morphology),
        tuple(fact for fact in facts if fact["target"] != f"m{last}"),
    )


def hit(must: list[list[str]], text: str) -> bool:
    """Tell whether a text holds a term of every group."""
    low = text.lower()
    return all(any(term.lower() in low for term in group) for group in must)


def _overlap(candidate: ClauseCandidate, quotes: list[str]) -> int:
    """Count the characters a clause shares with the quotes of a fact."""
    text, clause, shared_length = candidate.turn.text, candidate.clause, 0
    for quote in quotes:
        start = text.find(unicodedata.normalize("NFC", quote)) if quote else -1
        if start >= 0:
            end = start + len(quote)
            shared_length += max(0, min(clause.end, end) - max(clause.start, start))
    return shared_length


def states(dialogue: Dialogue, fact: Row) -> Iterator[tuple[float, int]]:
    """Yield (how fully, place) of the clauses that state a fact."""
    must = fact.get("must", [])
    for place, candidate in enumerate(dialogue.candidates):
        if candidate.clause.message not in fact["evidence"]:
            continue
        overlap = _overlap(candidate, fact.get("quote", []))
        text = candidate.clause.text
        alone = bool(must) and hit(must, text)
        joined = bool(must) and hit(must, candidate.turn.asked + " " + text)
        partly = any(hit([[t]], text) for group in must for t in group)
        said = overlap >= MIN_OVERLAP if fact.get("quote") else alone or partly
        if said:
            yield 3 * alone + joined + partly + overlap / 100, place


@dataclass(slots=True)
class Labels:
    """What the classifiers should answer for the candidates of one dialogue."""

    intents: np.ndarray
    weight: np.ndarray
    category: list[list[str]]
    about: list[set[int]]
    """The known items that a clause does something to."""
    facts: list[set[int]]

    @property
    def worth(self) -> np.ndarray:
        """Whether each clause tells something lasting."""
        return self.intents[:, INTENTS.index(Intent.TELL)]


def labels_of(dialogue: Dialogue) -> Labels:
    """Return the labels of one dialogue.

    A fact belongs to the clause that states it most fully; the other clauses of the
    same quotation are neither right nor plainly wrong, so they count less.
    """
    count = len(dialogue.candidates)
    labels = Labels(
        intents=np.zeros((count, len(INTENTS))),
        weight=np.ones((count, len(INTENTS))),
        category=[[] for _ in range(count)],
        about=[set() for _ in range(count)],
        facts=[set() for _ in range(count)],
    )
    places = {item.id: n for n, item in enumerate(dialogue.conversation.known)}
    for number, fact in enumerate(dialogue.facts):
        ranked = sorted(states(dialogue, fact), reverse=True)
        for _, place in ranked:
            labels.facts[place].add(number)
        if fact["op"] == "touch":
            _label_unknown(labels, ranked)
            continue
        _label_intent(labels, dialogue, fact, ranked)
        if ranked and fact.get("target") in places:
            first = _commanding(dialogue, fact, ranked)[0][1]
            labels.about[first].add(places[fact["target"]])
        if fact["op"] in ("add", "update", "reinforce"):
            _label_worth(labels, fact, ranked)
        else:
            for _, place in ranked:
                lasting = labels.weight[place, 0]
                labels.weight[place, 0] = min(lasting, 0.5)
    return labels


Ranked = list[tuple[float, int]]


def _commanding(dialogue: Dialogue, fact: Row, ranked: Ranked) -> Ranked:
    """Return the clauses with those first that ask to forget, if the fact is that."""
    if fact["op"] != "forget" or dialogue.kind not in ("long", "short"):
        return ranked
    flagged = [(dialogue.candidates[p].flags["forget"], s, p) for s, p in ranked]
    return [(score, place) for _, score, place in sorted(flagged, reverse=True)]


def _label_intent(
    labels: Labels, dialogue: Dialogue, fact: Row, ranked: Ranked
) -> None:
    intent = _INTENT.get(fact["op"])
    if intent is None:
        return
    column = INTENTS.index(intent)
    for order, (_, place) in enumerate(_commanding(dialogue, fact, ranked)):
        if order == 0:
            labels.intents[place, column] = 1
            labels.weight[place, column] = 1
        elif not labels.intents[place, column]:
            labels.weight[place, column] = 0.3
    for place, candidate in enumerate(dialogue.candidates):
        near = candidate.clause.message in fact["evidence"]
        if near and not labels.intents[place, column]:
            labels.weight[place, column] = min(labels.weight[place, column], 0.3)


def _label_unknown(labels: Labels, ranked: Ranked) -> None:
    """Let clauses count for next to nothing, unless they tell something new as well."""
    for _, place in ranked:
        lasting = labels.weight[place, 0]
        labels.weight[place] = np.minimum(labels.weight[place], UNKNOWN)
        if labels.worth[place]:
            labels.weight[place, 0] = lasting


def _label_worth(labels: Labels, fact: Row, ranked: Ranked) -> None:
    for order, (fullness, place) in enumerate(ranked):
        if order:
            lower = 0.4 if fullness >= 1 else 0.7
            if not labels.worth[place]:
                labels.weight[place, 0] = min(labels.weight[place, 0], lower)
            continue
        labels.intents[place, 0] = labels.weight[place, 0] = 1
        labels.category[place] += fact["category"]
