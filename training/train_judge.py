"""Trains `src/gieok/models/rules/judge.npz` from `training/dialogues` and `people`.

    pip install scikit-learn                            # beside .venv's packages
    .venv/bin/python training/train_judge.py            # writes the weights
    .venv/bin/python training/train_judge.py --dry-run  # prints the figures only

The figures printed are of one fold of five, by person, that no model saw but the one
that blends their opinions.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from corpus import FOLDS, Dialogue, Labels, labels_of, load, load_slots
from embeddings import DiskCachedE5
from logistic import fit
from measure import Score, score
from runs import train_runs

from gieok.kernel.language import Category
from gieok.models import tuned_e5
from gieok.models.rules.assessment import ClauseAssessment, MeasuredConversation
from gieok.models.rules.clause_item_encoder import (
    ABOUT,
    UNREAD,
    ClauseItemPair,
    build_about_features,
    render_pairs,
    select_close_pairs,
    update_references,
)
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.findings import build_findings, merge_findings
from gieok.models.rules.grouping import find_joints
from gieok.models.rules.intent import (
    INTENTS,
    TELL,
    Intent,
    build_clause_ngrams,
    build_intent_features,
)
from gieok.models.rules.linear import LinearModel, compute_probability
from gieok.models.rules.measuring import collect_texts, measure_conversation
from gieok.models.rules.reference import (
    ItemReferences,
    create_empty_references,
    predict_references,
)
from gieok.models.rules.session_features import (
    JudgeOpinions,
    build_session_features,
    build_surrounding_features,
    score_session,
)
from gieok.models.rules.slots import SLOTS, SlotModels
from gieok.models.rules.token_ngrams import NgramBuckets
from gieok.models.rules.weights import (
    CLASSIFIERS,
    RUN_PARTS,
    JudgeWeights,
    SubjectModels,
    load_judge_weights,
    load_pointing_model,
)
from gieok.text.kiwi import get_shared_morphology

WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/judge.npz"
VECTOR = 384
INTENT = (96, 40.0)  # dimensions of each vector, strength of the regularisation
SESSION = (64, 20.0)
ITEM_SLOT = (256, 5.0)
CLAUSE_SLOT = (128, 5.0)
REFERENCE = 10.0
SETTLE = 10.0
JOINT = 10.0
BLEND = 1.0
ABOUT_STRENGTH = 1.0
FORGET = INTENTS.index(Intent.FORGET)
READ = Path(tempfile.gettempdir()) / "gieok-training-read.npz"
LONG = 8.0  # what a long conversation counts, there being few
THRESHOLDS = {
    "add": -1.0,
    "join": 0.4,
    "extend": 0.5,
    "outdated": 0.45,
    "value": 1.0,
    Intent.FORGET: 0.5,
    "asked": 0.6,
    Intent.REPEAT: 0.2,
    "about": 0.4,
}
"""Chosen on the opened part of `tests/corpora/second` with eight things known: as many
new facts and changes as leave next to nothing unrelated lost."""


@dataclass(frozen=True, slots=True)
class Example:
    """One session, measured and labelled."""

    dialogue: Dialogue
    material: MeasuredConversation
    labels: Labels

    @property
    def evidence(self) -> ClauseEvidence:
        """The candidates with their vectors."""
        return self.material.evidence

    @property
    def known(self) -> int:
        """How many items were known."""
        return len(self.material.known)

    @property
    def is_long(self) -> bool:
        """Whether it is a long conversation, mostly idle."""
        return self.dialogue.kind == "long"

    @property
    def is_whole(self) -> bool:
        """Whether it is a session, not a wish taken out of one."""
        return self.dialogue.kind != "said"


@dataclass(frozen=True, slots=True)
class Measured:
    """One session with the vectors of its texts."""

    dialogue: Dialogue
    vectors: np.ndarray
    labels: Labels

    @property
    def clauses(self) -> np.ndarray:
        """The vectors of the clauses."""
        return self.vectors[: len(self.dialogue.candidates)]

    @property
    def items(self) -> np.ndarray:
        """The vectors of what is known."""
        return self.vectors[2 * len(self.dialogue.candidates) :]


def list_nearest_pairs(references: ItemReferences) -> list[ClauseItemPair]:
    """Return every clause with the item it is most likely about."""
    return list(enumerate(references.nearest))


def examples_of(
    dialogues: list[Dialogue], embedder: DiskCachedE5
) -> tuple[list[Example], SlotModels]:
    """Embed, label and measure every dialogue; return the models of slots with them.

    Each dialogue is measured with models that never saw its person.
    """
    texts = [collect_texts(d.candidates, d.conversation.known) for d in dialogues]
    rows = embedder.embed([text for own in texts for text in own])
    vectors = np.split(rows, np.cumsum([len(own) for own in texts])[:-1])
    measured = [
        Measured(dialogue, own, labels_of(dialogue))
        for dialogue, own in zip(dialogues, vectors, strict=True)
    ]
    unseen = [
        train_slots([m for m in measured if m.dialogue.fold != fold])
        for fold in range(FOLDS)
    ]
    found = [
        Example(
            each.dialogue,
            measure_conversation(
                each.dialogue.conversation,
                each.dialogue.candidates,
                each.vectors,
                get_shared_morphology(),
                SubjectModels(unseen[each.dialogue.fold], load_pointing_model()),
            ),
            each.labels,
        )
        for each in measured
    ]
    return found, train_slots(measured)


def train_slots(measured: list[Measured]) -> SlotModels:
    """Return what tells which part of a person's life an item or a clause is about.

    A clause is about the slots of the item that it does something to.
    """
    labelled = load_slots()
    items: dict[tuple[str, str], np.ndarray] = {}
    said: list[np.ndarray] = []
    slots: list[list[float]] = []
    for each in measured:
        dialogue = each.dialogue
        if dialogue.kind != "people" or dialogue.id.endswith("/some"):
            continue
        keys = [(dialogue.person, item.id) for item in dialogue.conversation.known]
        items.update(zip(keys, each.items, strict=True))
        for clause, about in zip(each.clauses, each.labels.about, strict=True):
            own = {slot for place in about for slot in labelled[keys[place]]}
            if own:
                said.append(clause)
                slots.append([float(slot in own) for slot in SLOTS])
    known = [[float(slot in labelled[key]) for slot in SLOTS] for key in items]
    return SlotModels(
        _slot_model(np.stack(list(items.values())), np.array(known), ITEM_SLOT),
        _slot_model(np.stack(said), np.array(slots), CLAUSE_SLOT),
    )


def _slot_model(
    vectors: np.ndarray, targets: np.ndarray, options: tuple[int, float]
) -> LinearModel:
    nothing = np.zeros((len(vectors), 0))
    return fit(nothing, [vectors], targets, np.ones_like(targets), options)


def train_reference(examples: list[Example]) -> LinearModel:
    """Return the model of references, learned where a clause is about something."""
    rows: list[np.ndarray] = []
    meant: list[float] = []
    for example in examples:
        near = example.material.near
        if near is None:
            continue
        for clause, about in enumerate(example.labels.about):
            if about:
                rows.append(near.figures[clause])
                meant += [float(n in about) for n in range(example.known)]
    target = np.array(meant)[:, None]
    return fit(np.vstack(rows), [], target, np.ones_like(target), (0, REFERENCE))


def references_of(example: Example, model: LinearModel) -> ItemReferences:
    """Return what the clauses of a session are about."""
    near = example.material.near
    if near is None:
        return create_empty_references(len(example.evidence.candidates))
    return predict_references(near, model)


def stacked(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return the rows of every example under each other."""
    return np.concatenate(list(parts))


def split(values: np.ndarray, examples: list[Example]) -> list[np.ndarray]:
    """Return rows again by example."""
    ends = np.cumsum([len(e.evidence.candidates) for e in examples])[:-1]
    return np.split(values, ends)


def out_of_fold(
    folds: np.ndarray,
    columns: int,
    train: Callable[[np.ndarray], Callable[[np.ndarray], np.ndarray]],
) -> np.ndarray:
    """Return for every row what a model says that was trained on the other folds."""
    found = np.zeros((len(folds), columns))
    for fold in range(FOLDS):
        found[folds == fold] = train(folds != fold)(folds == fold)
    return found


def first_opinions(examples: list[Example], runs: list[NgramBuckets]) -> np.ndarray:
    """Return what the model of runs says of every clause unseen."""
    intents = stacked([e.labels.intents for e in examples])
    weight = stacked([e.labels.weight for e in examples])

    def train(kept: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        own = [r for r, k in zip(runs, kept, strict=True) if k]
        model = train_runs(own, intents[kept], weight[kept])
        return lambda rest: model.compute_logits(
            [r for r, k in zip(runs, rest, strict=True) if k]
        )

    return out_of_fold(clause_folds(examples), len(INTENTS), train)


def clause_folds(examples: list[Example]) -> np.ndarray:
    """Return the fold of every clause."""
    return np.array([e.dialogue.fold for e in examples for _ in e.evidence.candidates])


def train_intent(
    rows: np.ndarray, targets: np.ndarray, weight: np.ndarray
) -> LinearModel:
    """Return the model that weighs runs, marks, vectors and nearness together."""
    plain, vectors = rows[:, : -2 * VECTOR], np.split(rows[:, -2 * VECTOR :], 2, axis=1)
    return fit(plain, vectors, targets, weight, INTENT)


def train_session(examples: list[Example]) -> LinearModel:
    """Return the probe that tells sessions with facts from those without."""
    rows = np.vstack([build_session_features(e.evidence, e.known) for e in examples])
    holds = [bool(e.labels.worth.any()) for e in examples]
    target = np.array(holds, dtype=np.float64)[:, None]
    plain, vectors = rows[:, :-VECTOR], rows[:, -VECTOR:]
    weight = np.array([[LONG if e.is_long else 1.0] for e in examples])
    return fit(plain, [vectors], target, weight, SESSION)


def train_joint(examples: list[Example], worth: list[np.ndarray]) -> LinearModel:
    """Return the model of joints, learned where at least one side states a fact."""
    rows: list[np.ndarray] = []
    same: list[float] = []
    for example, odds in zip(examples, worth, strict=True):
        if example.dialogue.kind == "short":
            continue
        found, stated = find_joints(example.evidence, odds), example.labels.facts
        for first, row in zip(found.firsts, found.features, strict=True):
            if stated[first] or stated[first + 1]:
                rows.append(row)
                same.append(float(bool(stated[first] & stated[first + 1])))
    target = np.array(same)[:, None]
    return fit(np.vstack(rows), [], target, np.ones_like(target), (0, JOINT))


@dataclass(frozen=True, slots=True)
class Trained:
    """All weights, and what each model said of the examples before it saw them."""

    weights: JudgeWeights
    assessed: list[ClauseAssessment]


def train(examples: list[Example], slots: SlotModels) -> Trained:
    """Train every model; each learns on what the one before said unseen."""
    folds = clause_folds(examples)
    whole = np.array([e.is_whole for e in examples for _ in e.evidence.candidates])
    intents = stacked([e.labels.intents for e in examples])
    weight = stacked([e.labels.weight for e in examples])
    reference = train_reference(examples)
    references = [references_of(e, reference) for e in examples]
    runs = [
        own
        for e, r in zip(examples, references, strict=True)
        for own in build_clause_ngrams(e.evidence, r)
    ]
    first = first_opinions(examples, runs)
    rows = np.vstack(
        [
            build_intent_features(e.evidence, r, f)
            for e, r, f in zip(
                examples, references, split(first, examples), strict=True
            )
        ]
    )
    meant = _held_out(
        rows, folds, lambda k: train_intent(rows[k], intents[k], weight[k])
    )
    long = np.array([e.is_long for e in examples for _ in e.evidence.candidates])

    def talk_on(kept: np.ndarray) -> LinearModel:
        own = kept & long
        return train_intent(rows[own], intents[own, :1], weight[own, :1])

    talk = _held_out(rows, folds, talk_on)[:, 0]
    people = [e for e in examples if e.is_whole]
    probes = _probes(people)
    around = [
        build_surrounding_features(
            e.evidence,
            JudgeOpinions(m[:, TELL], t, np.delete(m, TELL, axis=1)),
            probes.get(e.dialogue.id, 0.0),
            e.known,
        )
        for e, m, t in zip(
            examples, split(meant, examples), split(talk, examples), strict=True
        )
    ]
    flat = np.vstack(around)
    target = intents[:, :1]
    heavy = weight[:, :1] * whole[:, None] * np.where(long, LONG, 1)[:, None]

    def settle_on(kept: np.ndarray) -> LinearModel:
        return fit(flat[kept], [], target[kept], heavy[kept], (0, SETTLE))

    settled = _held_out(flat, folds, settle_on)
    opinion = read_by(examples, [list_nearest_pairs(r) for r in references])
    opinions = np.hstack([settled, meant, stacked(opinion)])
    blend = train_blend(examples, opinions, folds == FOLDS - 1)
    worth = split(settled[:, 0], examples)
    joint = train_joint(
        people, [w for w, e in zip(worth, examples, strict=True) if e.is_whole]
    )
    blended = blend.compute_logits(opinions)
    pairs = [
        select_close_pairs(compute_probability(own), r)
        if e.dialogue.fold == FOLDS - 1
        else []
        for e, own, r in zip(
            examples, split(blended, examples), references, strict=True
        )
    ]
    said = [own[:, ABOUT].tolist() for own in read_by(examples, pairs)]
    close = list(zip(examples, references, pairs, said, strict=True))
    about = train_about(close)
    weights = JudgeWeights(
        reference=reference,
        runs=train_runs(runs, intents, weight),
        intent=train_intent(rows, intents, weight),
        talk=talk_on(np.ones(len(rows), dtype=bool)),
        reader=reader_model(),
        about=about,
        blend=blend,
        session=train_session(people),
        settle=settle_on(np.ones(len(flat), dtype=bool)),
        joint=joint,
        item_slot=slots.item,
        clause_slot=slots.clause,
        worth=load_judge_weights().worth,
        forget=load_judge_weights().forget,
        pointing=load_judge_weights().pointing,
        statement=load_judge_weights().statement,
        category=load_judge_weights().category,
        answer=load_judge_weights().answer,
        effect=load_judge_weights().effect,
        thresholds=THRESHOLDS,
    )
    references = [update_references(r, p, own, about) for _, r, p, own in close]
    return Trained(weights, _assessed(examples, weights, references, blended))


def _held_out(
    rows: np.ndarray, folds: np.ndarray, learn: Callable[[np.ndarray], LinearModel]
) -> np.ndarray:
    columns = learn(np.ones(len(rows), dtype=bool)).bias.size
    return out_of_fold(
        folds, columns, lambda kept: lambda rest: learn(kept).compute_logits(rows[rest])
    )


def _probes(people: list[Example]) -> dict[str, float]:
    """Return each session's probe from a model that never saw the person."""
    found: dict[str, float] = {}
    for fold in range(FOLDS):
        model = train_session([e for e in people if e.dialogue.fold != fold])
        for e in people:
            if e.dialogue.fold == fold:
                found[e.dialogue.id] = score_session(e.evidence, e.known, model)
    return found


def train_blend(
    examples: list[Example], opinions: np.ndarray, unseen: np.ndarray
) -> LinearModel:
    """Return the model that weighs the reader's opinion with the others'.

    It learns on the fold that the reader was not trained on.
    """
    intents = stacked([e.labels.intents for e in examples])
    weight = stacked([e.labels.weight for e in examples])
    long = np.array([e.is_long for e in examples for _ in e.evidence.candidates])
    heavy = weight * np.where(long, LONG, 1)[:, None]
    kept = unseen & np.array(
        [e.is_whole for e in examples for _ in e.evidence.candidates]
    )
    return fit(opinions[kept], [], intents[kept], heavy[kept], (0, BLEND))


Close = tuple[Example, ItemReferences, list[ClauseItemPair], list[float]]


def train_about(close: list[Close]) -> LinearModel:
    """Return the model that weighs what was read of an item with how near it is.

    It learns on the fold that the reader was not trained on, where a clause does
    something to an item, or asks to forget something else.
    """
    rows: list[np.ndarray] = []
    meant: list[float] = []
    for example, references, pairs, said in close:
        read = np.full_like(references.scores, UNREAD)
        for (clause, known), odds in zip(pairs, said, strict=True):
            read[clause, known] = odds
        for clause in {clause for clause, _ in pairs}:
            about = example.labels.about[clause]
            if about or example.labels.intents[clause, FORGET]:
                rows.append(
                    build_about_features(read[clause], references.scores[clause])
                )
                meant += [float(n in about) for n in range(example.known)]
    target = np.array(meant)[:, None]
    return fit(np.vstack(rows), [], target, np.ones_like(target), (0, ABOUT_STRENGTH))


def read_by(
    examples: list[Example], pairs: list[list[ClauseItemPair]]
) -> list[np.ndarray]:
    """Return what the encoder says of some pairs of every example of the last fold."""
    embedder, model = DiskCachedE5(READ, tuned_e5.load_pair_engine), reader_model()
    texts = [
        render_pairs(e.evidence.candidates, e.material.known, own)
        if e.dialogue.fold == FOLDS - 1
        else [""] * len(own)
        for e, own in zip(examples, pairs, strict=True)
    ]
    vectors = embedder.embed([text for own in texts for text in own])
    said = model.compute_logits(vectors.astype(np.float64))
    return np.split(said, np.cumsum([len(own) for own in texts])[:-1])


def reader_model() -> LinearModel:
    """Return the linear model that was trained with the encoder."""
    trained = tuned_e5.load_tuned_weights(tuned_e5.PAIR_WEIGHTS)
    size = len(trained["head"])
    return LinearModel(
        np.zeros(size), np.ones(size), trained["head"], trained["head_bias"]
    )


def _assessed(
    examples: list[Example],
    weights: JudgeWeights,
    references: list[ItemReferences],
    blended: np.ndarray,
) -> list[ClauseAssessment]:
    """Return the held-out judgements in the form the decision takes.

    `blended` are those of all clauses; what weighs them, and tells of which kind they
    are, learns later.
    """
    found: list[ClauseAssessment] = []
    for e, r, m in zip(examples, references, split(blended, examples), strict=True):
        w = m[:, TELL]
        seams = find_joints(e.evidence, w)
        same: dict[int, float] = {}
        if seams.firsts:
            values = compute_probability(weights.joint.compute_logits(seams.features))[
                :, 0
            ]
            same = dict(zip(seams.firsts, values.tolist(), strict=True))
        found.append(
            ClauseAssessment(
                worth=w,
                intents=compute_probability(m),
                references=r,
                same=same,
                kinds=(Category.CONTEXT,) * len(w),
            )
        )
    return found


Held = list[tuple[Example, ClauseAssessment]]


def run(held: Held, thresholds: dict[str, float]) -> Score:
    """Decide with these thresholds and score."""
    found = [
        merge_findings(related, [each.finding for each in added])
        for related, added in (
            build_findings(e.material, said, thresholds) for e, said in held
        )
    ]
    return score([e.dialogue for e, _ in held], found)


def store(weights: JudgeWeights) -> None:
    """Write the weights in single or half precision, which moves no figure."""
    arrays = {
        f"{name}.{part}": getattr(getattr(weights, name), part).astype(np.float32)
        for name in CLASSIFIERS
        for part in ("mean", "scale", "weights", "bias")
    }
    arrays |= {
        f"runs.{part}": getattr(weights.runs, part).astype(np.float16)
        for part in RUN_PARTS
    }
    thresholds = {
        f"threshold.{name}": np.array(value)
        for name, value in weights.thresholds.items()
    }
    np.savez_compressed(WEIGHTS, **arrays, **thresholds)


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    examples, slots = examples_of(load(), DiskCachedE5())
    trained = train(examples, slots)
    held = list(zip(examples, trained.assessed, strict=True))
    by_kind = {
        kind: [
            (e, a)
            for e, a in held
            if e.dialogue.kind == kind and e.dialogue.fold == FOLDS - 1
        ]
        for kind in ("long", "short", "people", "said")
    }
    print(len(examples), "sessions")
    for kind, own in by_kind.items():
        print(f"{kind}: {run(own, THRESHOLDS)}")
    if not options.dry_run:
        store(trained.weights)


if __name__ == "__main__":
    main()
