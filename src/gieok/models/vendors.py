"""The pydantic-ai model behind a name such as "openai:gpt-5-mini".

Vendors' packages are imported when a model of theirs is asked for.
"""

from collections.abc import Callable
from typing import Any, cast

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model as Vendor
from pydantic_ai.models import infer_model, parse_model_id
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.settings import ModelSettings

from gieok.kernel.errors import ConfigurationError

_EXTRAS = {"google-cloud": "google", "google-decisions": "google"} | {
    name: name
    for name in (
        *("anthropic", "bedrock", "bedrock-mantle", "cohere", "google", "groq"),
        *("huggingface", "mistral", "typesafe", "xai", "zai"),
    )
}
"""Vendors whose package is not OpenAI's, and pydantic-ai's extra that installs it."""


def resolve_vendor(
    model: Vendor | str, base_url: str | None, api_key: str | None
) -> Vendor:
    """Return the pydantic-ai model of a name.

    Raises:
        ConfigurationError: the name is unknown, or a package or a key is missing.
    """
    if isinstance(model, Vendor):
        return model
    try:
        if base_url is not None:
            return _create_compatible_vendor(model, base_url, api_key)
        return infer_model(model, _build_provider_factory(api_key))
    except ImportError:
        vendor = parse_model_id(model)[0] or "openai"
        extra = _EXTRAS.get(vendor, "openai")
        package = f"pydantic-ai-slim[{extra}]"
        problem = f'the model {model!r} needs another package: pip install "{package}"'
        raise ConfigurationError(problem) from None
    except (UserError, ValueError) as error:
        problem = f"the model {model!r} cannot be used: {error}"
        raise ConfigurationError(problem) from error


def build_vendor_settings(vendor: Vendor) -> ModelSettings:
    """Leave retrying to the caller, where the vendor's client can be told so."""
    if "max_retries" in vendor.unsupported_settings:
        return ModelSettings()
    return ModelSettings(max_retries=0)


def _create_compatible_vendor(model: str, base_url: str, api_key: str | None) -> Vendor:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - an extra
    from pydantic_ai.providers.openai_compatible import (  # noqa: PLC0415 - an extra
        OpenAICompatibleProvider,
    )

    name = model.removeprefix("openai:").removeprefix("openai-chat:")
    provider = OpenAICompatibleProvider(
        "openai-compatible", base_url=base_url, api_key=api_key
    )
    return OpenAIChatModel(name, provider=provider)


def _build_provider_factory(api_key: str | None) -> Callable[[str], Provider[Any]]:
    """Build the vendor's provider with the given key instead of the environment's."""
    if api_key is None:
        return infer_provider

    def keyed(vendor: str) -> Provider[Any]:
        make = cast("Callable[..., Provider[Any]]", infer_provider_class(vendor))
        return make(api_key=api_key)

    return keyed
