"""Rule-based extraction model, which needs no API key: small classifiers judge."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.errors import NoChatModelError
from gieok.kernel.language import (
    Basis,
    Conversation,
    Embedder,
    Finding,
    FindingOperation,
    Gist,
    ModelReply,
    Role,
    SummaryNote,
    Utterance,
    Vectors,
)
from gieok.models.rules.added_findings import AddedFinding
from gieok.models.rules.answers import merge_answers
from gieok.models.rules.assessment import (
    FORGET,
    ClauseAssessment,
    EncodedClauses,
    MeasuredConversation,
    classify_clauses,
    find_touching_clauses,
    resolve_references,
)
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.changes.corrected_findings import restore_evidence
from gieok.models.rules.changes.corrections import CorrectedTalk, WordPair, correct_talk
from gieok.models.rules.changes.denials import replace_denied
from gieok.models.rules.changes.effect import ReadPairs, Touching, weigh_effects
from gieok.models.rules.changes.joined_memories import (
    find_joined_memories,
    merge_joined,
    replace_joined,
)
from gieok.models.rules.changes.outdated_memories import (
    build_outdated_finding,
    drop_quoted_changes,
    list_doubted,
    list_message_pairs,
    list_new_beside,
    quote_doubt,
    render_instead,
    select_instead,
    select_outdated,
)
from gieok.models.rules.changes.restated_memories import end_restated_memories
from gieok.models.rules.clause_item_encoder import (
    ABOUT,
    ClauseItemPair,
    compute_pair_odds,
    join_clause_parts,
    render_pairs,
    select_close_pairs,
    update_references,
)
from gieok.models.rules.encoders import RuleEncoders, embed_texts
from gieok.models.rules.findings import build_findings, merge_findings
from gieok.models.rules.linear import Numbers
from gieok.models.rules.lone_messages import list_lone_messages
from gieok.models.rules.measuring import (
    MAX_KNOWN,
    collect_texts,
    find_wishes,
    measure_conversation,
    restore_spelling,
)
from gieok.models.rules.memory_check import (
    WORTH,
    collect_checked,
    select_wordings,
    select_worthwhile,
    weigh_checks,
)
from gieok.models.rules.memory_pairs import (
    CONTRADICTS,
    MEANS,
    weigh_message_vectors,
    weigh_vectors,
)
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.reference import (
    ItemReferences,
)
from gieok.models.rules.statement_encoder import render_clauses
from gieok.models.rules.summaries.condensing import summarize_notes
from gieok.models.rules.summaries.gist import build_digest, build_gist
from gieok.models.rules.verification import (
    ReadTalk,
    is_in_read_language,
    render_checks,
    verify_findings,
)
from gieok.models.rules.weights import (
    JudgeWeights,
    load_judge_weights,
    load_mood_weights,
)
from gieok.models.rules.wishes.exceptions import (
    ExceptedTalk,
    keep_excepted,
    remove_exceptions,
)
from gieok.models.rules.wishes.forget_request import (
    join_chances,
    list_possible_requests,
    weigh_requests,
)
from gieok.models.rules.wishes.scores import (
    apply_targets,
    render_wishes,
    weigh_wish,
)
from gieok.models.rules.wishes.subjects import WishSubject
from gieok.models.rules.withheld_findings import (
    HEARD,
    drop_withheld,
    find_possible_wishes,
    locate_findings,
)
from gieok.text.kiwi import Morphology

NAME: Final = "rules/6"
DIMENSION: Final = 384  # of the vectors the weights were trained on
MAX_CORRECTED: Final = 4
"""Times that what is corrected is read, words measured between."""


class JudgedConversation(NamedTuple):
    """A conversation with what the judges say of its clauses."""

    found: tuple[ClauseCandidate, ...]
    material: MeasuredConversation
    assessed: ClauseAssessment
    weights: JudgeWeights


class RulesModel:
    """Extracts facts with morphology, frames and logistic judges; no key needed.

    The judges were trained on the vectors of the bundled embedder, so it has to be
    given here even where recall uses another one.
    """

    def __init__(
        self,
        embedder: Embedder,
        morphology: Morphology,
        *,
        encoders: RuleEncoders | None = None,
        weights: JudgeWeights | None = None,
    ) -> None:
        if embedder.dimension != DIMENSION:
            message = (
                f"the rules need the bundled embedder ({DIMENSION} dimensions), "
                f"not {embedder.name}"
            )
            raise ValueError(message)
        self._embedder = embedder
        self._encoders = encoders or RuleEncoders()
        self._morphology = morphology
        self._weights = weights

    @property
    def can_reply(self) -> bool:
        """That it never answers."""
        return False

    @property
    def name(self) -> str:
        """Name and version, kept as the provenance of everything it finds."""
        return NAME

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what the conversation says about its user; may be empty."""
        conversation = await asyncio.to_thread(restore_spelling, conversation)
        joined = await asyncio.to_thread(
            find_joined_memories, conversation.known, self._morphology
        )
        known = replace_joined(conversation.known, joined)
        found = await self._extract_facts(replace(conversation, known=known))
        return merge_joined(found, joined)

    async def _extract_facts(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what is said where every known memory tells one fact."""
        excepted = await asyncio.to_thread(
            remove_exceptions, conversation, self._morphology
        )
        found = await self._extract_spoken(excepted)
        if not excepted.kept:
            return found
        return await asyncio.to_thread(
            keep_excepted, found, conversation, excepted.kept, self._morphology
        )

    async def _extract_spoken(self, excepted: ExceptedTalk) -> tuple[Finding, ...]:
        """Return what is said of the user in words that mean all that they say."""
        conversation = excepted.conversation
        talk = await self._correct_talk(conversation)
        told = replace(conversation, messages=talk.messages)
        found = await self._extract_corrected(told, talk.restated, excepted.kept)
        if not (talk.corrections or talk.known):
            return found
        return await asyncio.to_thread(
            restore_evidence,
            found,
            talk,
            conversation.known,
            conversation.messages,
            self._morphology,
        )

    async def _correct_talk(self, conversation: Conversation) -> CorrectedTalk:
        """Return the talk with what its user corrected put right."""
        likeness: dict[WordPair, float] = {}
        talk = CorrectedTalk(conversation.messages)
        for _ in range(MAX_CORRECTED):
            talk = await asyncio.to_thread(
                correct_talk,
                conversation.messages,
                conversation.known,
                self._morphology,
                likeness,
            )
            if not talk.unmeasured:
                break
            pairs = sorted(talk.unmeasured)
            words = [word for pair in pairs for word in pair]
            rows = await embed_texts(self._embedder, words)
            alike = (rows[::2] * rows[1::2]).sum(axis=1)
            likeness |= dict(zip(pairs, alike.tolist(), strict=True))
        return talk

    async def _extract_corrected(
        self,
        conversation: Conversation,
        restated: frozenset[int],
        spared: Sequence[WishSubject] = (),
    ) -> tuple[Finding, ...]:
        """Return what is said of the user where everything is said as it is right.

        `spared` is what wishes to forget in it leave out.
        """
        judged = await self._weigh_clauses(conversation)
        if judged is None:
            return ()
        related, kept = await self._find_related_and_new(
            conversation, judged, restated, spared
        )
        told = {place for each in (*related, *kept) for place in each.evidence}
        kept += await self._extract_alone(conversation, judged.found, told | restated)
        changes = await self._find_outdated(conversation, judged, related, kept)
        outdated = [*related, *changes]
        outdated += await asyncio.to_thread(
            lambda: [
                *end_restated_memories(outdated, conversation.known, self._morphology)
            ]
        )
        new = await asyncio.to_thread(
            drop_quoted_changes, kept, changes, conversation.known, self._morphology
        )
        changed = {each.target for each in outdated}
        standing = [memory for memory in conversation.known if memory.id not in changed]
        new = await asyncio.to_thread(
            replace_denied, new, standing[-MAX_KNOWN:], self._morphology
        )
        denied = await asyncio.to_thread(
            lambda: [*end_restated_memories(new, standing, self._morphology)]
        )
        return merge_findings([*outdated, *denied], new)

    async def _find_related_and_new(
        self,
        conversation: Conversation,
        judged: JudgedConversation,
        restated: frozenset[int],
        spared: Sequence[WishSubject],
    ) -> tuple[Sequence[Finding], list[Finding]]:
        """Return what becomes of what is known as the clauses say, and what is new."""
        found, material, assessed, weights = judged
        references = assessed.references
        pairs = select_close_pairs(assessed.intents, references)
        read = await self._read_pairs(material, pairs)
        said = weights.reader.compute_logits(read.astype(np.float64))
        about: list[float] = said[:, ABOUT].tolist()
        wishes = await self._read_wishes(conversation, material, assessed, weights)
        references = update_references(references, pairs, about, weights.about)
        sure = replace(assessed, references=references, wishes=wishes)
        related, added = await asyncio.to_thread(
            _decide, material, sure, ReadPairs(pairs, said), weights
        )
        added, unquoted = await asyncio.to_thread(
            self._drop_withheld_findings, judged, added, spared
        )
        restated |= unquoted
        kept = await self._check_memories(conversation, found, added, restated)
        return related, kept

    async def _find_outdated(
        self,
        conversation: Conversation,
        judged: JudgedConversation,
        related: Sequence[Finding],
        new: Sequence[Finding],
    ) -> list[Finding]:
        """Return the changes and ends that are said by the way."""
        material = judged.material
        if not material.known:
            return []
        pairs = await asyncio.to_thread(
            list_message_pairs,
            select_messages(conversation),
            material,
            judged.assessed,
            _find_wishing(judged),
            related,
        )
        odds = await self._read_messages([each.text for each in pairs])
        changes: list[Finding] = []
        for one in select_outdated(pairs, odds):
            known = material.known[one.pair.known]
            beside = [*list_new_beside(one, new)]
            read = await self._read_messages(
                [render_instead(one, each, known) for each in beside]
            )
            instead = select_instead(beside, read)
            changes.append(build_outdated_finding(one, known, instead))
        told = {index for each in (*new, *changes) for index in each.evidence}
        quoted = await asyncio.to_thread(
            lambda: [
                quote_doubt(each, material.known[each.known], conversation.at.date())
                for each in list_doubted(pairs, odds, told)
            ]
        )
        return [*changes, *(each for each in quoted if each)]

    async def _read_messages(self, texts: Sequence[str]) -> Numbers:
        """Return log-odds that something known is untrue by what is beside it."""
        rows = await embed_texts(self._encoders.message_pairs, texts)
        odds: Numbers = weigh_message_vectors(rows)
        return odds[:, CONTRADICTS]

    def _drop_withheld_findings(
        self,
        judged: JudgedConversation,
        added: Sequence[AddedFinding],
        spared: Sequence[WishSubject],
    ) -> tuple[Sequence[AddedFinding], frozenset[int]]:
        """Return what is new but for what is to be kept out of memory.

        Beside it, the messages that are not to be quoted for that.
        """
        possible = find_possible_wishes(
            judged.found,
            judged.material.known,
            judged.assessed,
            judged.weights.pointing.compute_clause_chances(judged.material.evidence),
            self._morphology,
        )
        kept = drop_withheld(added, possible, spared, self._morphology)
        gone = [each.finding.evidence for each in added if each not in kept]
        wished = [wish.clause.clause.message for wish in possible if wish.is_heard]
        return kept, frozenset([*wished, *(place for own in gone for place in own)])

    async def _extract_alone(
        self,
        conversation: Conversation,
        candidates: Sequence[ClauseCandidate],
        told: Collection[int],
    ) -> list[Finding]:
        """Return what is new in short messages by themselves, but in those `told`."""
        spoken = [m for m in conversation.messages if m.role is Role.USER]
        if len(spoken) == 1:
            return []
        lone = list_lone_messages(candidates, told)
        found: list[Finding] = []
        for message in spoken:
            if message.index in lone:
                alone = replace(conversation, messages=(message,))
                judged = await self._weigh_clauses(alone)
                if judged:
                    _, own = await self._find_related_and_new(
                        alone, judged, frozenset(), ()
                    )
                    found += own
        return found

    async def verify(
        self, conversation: Conversation, findings: Sequence[Finding]
    ) -> tuple[Finding, ...]:
        """Return what a language model found, as far as it can be followed here."""
        conversation = await asyncio.to_thread(restore_spelling, conversation)
        judged = await self._weigh_clauses(conversation) if findings else None
        if judged is None:
            return tuple(
                each for each in findings if not _is_removal(each, conversation)
            )
        found, material, assessed, weights = judged
        messages = select_messages(conversation)
        talk = ReadTalk(
            messages,
            found,
            assessed.intents,
            await self._read_wishes(conversation, material, assessed, weights),
            material.known,
            assessed.references.scores,
            self._morphology,
        )
        texts = [render_checks(each, messages) for each in findings]
        flat = [text for own in texts for text in own]
        odds = weigh_checks(await embed_texts(self._encoders.memory_checks, flat))
        read = dict(zip(flat, odds[:, WORTH].tolist(), strict=True))
        worth = [max((read[text] for text in own), default=None) for own in texts]
        verified = await asyncio.to_thread(verify_findings, findings, worth, talk)
        return await asyncio.to_thread(
            self._drop_unwanted, judged, verified, conversation
        )

    def _drop_unwanted(
        self,
        judged: JudgedConversation,
        findings: Sequence[Finding],
        conversation: Conversation,
    ) -> tuple[Finding, ...]:
        """Return findings of a language model as wishes in the talk let them be."""
        spared = remove_exceptions(conversation, self._morphology).kept
        adds = FindingOperation.ADD
        new = [each for each in findings if each.operation is adds]
        located = locate_findings(new, judged.found, self._morphology)
        told, _ = self._drop_withheld_findings(judged, located, spared)
        kept = [each.finding for each in told]
        followed = [each for each in findings if each not in new or each in kept]
        return keep_excepted(followed, conversation, spared, self._morphology)

    async def _weigh_clauses(
        self, conversation: Conversation
    ) -> JudgedConversation | None:
        """Return what the judges say of the clauses; None if there are none."""
        found = await asyncio.to_thread(self._collect_candidates, conversation)
        if not found:
            return None
        known = conversation.known[-MAX_KNOWN:]
        vectors = await embed_texts(self._embedder, collect_texts(found, known))
        material, references = await asyncio.to_thread(
            self._measure_conversation, conversation, found, vectors
        )
        weights = self._weights or load_judge_weights()
        touching = await asyncio.to_thread(
            find_touching_clauses, material, references, weights
        )
        asks = await self._read_requests(material, weights)
        wishes = await asyncio.to_thread(
            find_wishes, material, asks, self._morphology, weights.subjects
        )
        material = replace(material, wishes=wishes)
        nearest = [(clause, references.nearest[clause]) for clause in touching]
        read = await self._read_pairs(material, nearest)
        stated = await self._encoders.statements.passages(
            render_clauses(found, select_messages(conversation))
        )
        encoded = EncodedClauses(
            touching,
            compute_pair_odds(read, touching, len(found), weights.reader),
            weights.statement.compute_odds(stated),
        )
        assessed = await asyncio.to_thread(
            classify_clauses, material, references, encoded, asks, weights
        )
        return JudgedConversation(found, material, assessed, weights)

    async def summarize(self, conversation: Conversation) -> Gist:
        """Return what the conversation was about, in its user's own words."""
        weights = load_mood_weights()
        read = await asyncio.to_thread(
            build_digest, conversation, self._morphology, weights.salience
        )
        if read is None:
            return Gist("")
        rows = await self._embedder.passages([read.chosen_text])
        return await asyncio.to_thread(build_gist, read, rows[0], weights)

    async def condense(self, notes: Sequence[SummaryNote], language: str) -> str:
        """Return the most important notes as one text, in order of time."""
        return await asyncio.to_thread(
            summarize_notes, notes, language, self._morphology
        )

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Say that rules cannot talk.

        Raises:
            NoChatModelError: always.
        """
        del instructions, messages
        raise NoChatModelError

    def _collect_candidates(
        self, conversation: Conversation
    ) -> tuple[ClauseCandidate, ...]:
        """Return the clauses that may be judged."""
        said = collect_candidates(select_messages(conversation), self._morphology)
        return merge_answers(said, self._morphology)

    def _measure_conversation(
        self,
        conversation: Conversation,
        found: tuple[ClauseCandidate, ...],
        vectors: Vectors,
    ) -> tuple[MeasuredConversation, ItemReferences]:
        """Measure a conversation, and find what its clauses are about."""
        weights = self._weights or load_judge_weights()
        material = measure_conversation(
            conversation, found, vectors, self._morphology, weights.subjects
        )
        return material, resolve_references(material, weights)

    async def _read_requests(
        self, material: MeasuredConversation, weights: JudgeWeights
    ) -> Numbers:
        """Return how likely each clause asks to forget something.

        An encoder reads those that may.
        """
        found = material.evidence.candidates
        chances = await asyncio.to_thread(
            weights.forget.compute_chances, material.evidence
        )
        read = list_possible_requests(found, chances)
        texts = [join_clause_parts(found[place], asked=False) for place in read]
        odds = weigh_requests(await embed_texts(self._encoders.forget_checks, texts))
        return join_chances(found, chances, read, odds)

    async def _read_pairs(
        self, material: MeasuredConversation, pairs: Sequence[ClauseItemPair]
    ) -> Vectors:
        """Return the encoder's vectors of pairs of a clause and an item."""
        candidates = material.evidence.candidates
        texts = render_pairs(candidates, material.known, pairs)
        return await self._encoders.clause_item_pairs.passages(texts)

    async def _read_wishes(
        self,
        conversation: Conversation,
        material: MeasuredConversation,
        assessed: ClauseAssessment,
        weights: JudgeWeights,
    ) -> dict[int, Numbers]:
        """Return how likely each wish to forget means each known item, by clause."""
        readings = render_wishes(
            material.evidence.candidates,
            material.known,
            select_messages(conversation),
            assessed.intents,
            assessed.references,
            material.wishes,
        )
        texts = [text for each in readings for text in each.texts]
        rows = await embed_texts(self._encoders.memory_pairs, texts)
        read = weigh_vectors(rows)[:, MEANS]
        odds = dict(zip(texts, read.tolist(), strict=True))
        return {
            each.clause: apply_targets(
                weigh_wish(
                    each,
                    np.array([odds[text] for text in each.texts]),
                    assessed.references.scores[each.clause],
                    float(assessed.intents[each.clause, FORGET]),
                    material.wishes,
                    weights.wish,
                ),
                each.clause,
                material.wishes,
            )
            for each in readings
        }

    async def _check_memories(
        self,
        conversation: Conversation,
        candidates: Sequence[ClauseCandidate],
        added: Sequence[AddedFinding],
        restated: frozenset[int],
    ) -> list[Finding]:
        """Return of what is new only what is worth keeping, in words fit to keep.

        Messages that are `restated` are not quoted: nobody said them so.
        """
        checked = await asyncio.to_thread(
            lambda: collect_checked(added, select_messages(conversation))
        )
        texts = [each.text for each in checked]
        odds = weigh_checks(await embed_texts(self._encoders.memory_checks, texts))
        worthy = await asyncio.to_thread(
            lambda: [
                *select_worthwhile(checked, odds, candidates, conversation.at.date())
            ]
        )
        worthy = [
            each
            if restated.isdisjoint(each.finding.evidence)
            else each._replace(quotations=(), texts=())
            for each in worthy
        ]
        texts = [text for each in worthy for text in each.texts]
        quoted = weigh_checks(await embed_texts(self._encoders.memory_checks, texts))
        requested = [
            each.finding for each in added if each.finding.basis is Basis.REQUESTED
        ]
        return [*requested, *select_wordings(worthy, quoted)]


def _find_wishing(judged: JudgedConversation) -> frozenset[int]:
    """Return the messages that ask to forget something, or had asked to."""
    chances = judged.assessed.intents[:, FORGET]
    return frozenset(
        each.clause.message
        for each, chance in zip(judged.found, chances.tolist(), strict=True)
        if chance >= HEARD or each.flags["forget"]
    )


def _is_removal(finding: Finding, conversation: Conversation) -> bool:
    """Tell whether it takes something away for what says nothing to the rules."""
    said = [m.content for m in conversation.messages if m.index in finding.evidence]
    deletes = finding.operation is FindingOperation.DELETE
    return deletes and any(map(is_in_read_language, said))


def _decide(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    read: ReadPairs,
    weights: JudgeWeights,
) -> tuple[tuple[Finding, ...], tuple[AddedFinding, ...]]:
    """Return what is found, with what clauses do to what is known weighed anew."""
    if material.near is not None:
        touching = Touching(
            material.evidence.candidates,
            material.known,
            material.near,
            assessed.references,
            assessed.intents,
            assessed.worth,
        )
        intents = weigh_effects(touching, read, weights.effect)
        assessed = replace(assessed, intents=intents)
    return build_findings(material, assessed, weights.thresholds)
