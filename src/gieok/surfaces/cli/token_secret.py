"""The secret that signs this installation's tokens, for commands that issue them."""

from typing import TYPE_CHECKING

from gieok.config import Config
from gieok.kernel.clock import read_system_clock
from gieok.privacy import Keyring

if TYPE_CHECKING:
    from gieok.surfaces.rest import Tokens


async def open_tokens(config: Config) -> "Tokens":
    """Return what signs tokens here; the key file is there.

    Raises:
        ConfigurationError: the key file cannot be opened.
    """
    from gieok.surfaces.rest import Tokens  # noqa: PLC0415 - it takes a while

    ring = await Keyring.open(config.key_path, kms_key=config.kms_key)
    return Tokens(ring.token_secret, read_system_clock)
