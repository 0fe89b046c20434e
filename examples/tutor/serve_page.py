"""A tutor to call in the browser, who remembers: `python examples/tutor/serve_page.py`.

Without a key it talks from a script and extracts with the rules; with GIEOK_MODEL and
its key, as everywhere, the model does both. The page calls the REST API with
`clients/js`.

Whoever types a name here is let in as that person, for a quarter of an hour at a time:
put your own sign-in in the place of `sign_in`. So it listens on this machine only.
"""

import argparse
import asyncio
import signal
import socket
import sys
from datetime import timedelta
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gieok import Config, Gieok, open_memory
from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.cli.server import create_server
from gieok.surfaces.rest import Tokens, create_app

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
CLIENT = HERE.parents[1] / "clients" / "js" / "src"
TOKEN_LASTS = timedelta(minutes=15)
LONGEST_BODY = 1_000
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


def create_page_app(gieok: Gieok, tokens: Tokens) -> Starlette:
    """Return the pages, the sign-in of this example, and the REST API."""

    async def sign_in(request: Request) -> Response:
        """Give a token to whoever names themselves: an example's sign-in."""
        given = (await request.body())[:LONGEST_BODY].decode("utf-8", "replace")
        try:
            token = tokens.issue(given.strip(), TOKEN_LASTS)
        except InvalidInputError as error:
            return JSONResponse({"error": {"message": str(error)}}, 422)
        return JSONResponse({"token": token}, headers={"Cache-Control": "no-store"})

    def show(name: str) -> Route:
        async def answer(_: Request) -> Response:
            return FileResponse(HERE / "page" / f"{name}.html", headers=HEADERS)

        return Route("/" if name == "call" else f"/{name}", answer)

    return Starlette(
        routes=[
            show("call"),
            show("memory"),
            Route("/sign-in", sign_in, methods=["POST"]),
            Mount("/page", StaticFiles(directory=HERE / "page")),
            Mount("/client", StaticFiles(directory=CLIENT)),
            Mount("/", create_app(gieok, tokens)),
        ],
        # Another site's name that leads here is not answered (DNS rebinding).
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
        ],
    )


async def serve_page(config: Config, port: int) -> None:
    """Serve until Ctrl-C."""
    from scripted_tutor import create_parts  # noqa: PLC0415 - only without a model

    loop = asyncio.get_running_loop()
    parts = create_parts() if config.model == "rules" else None
    with socket.create_server(("127.0.0.1", port)) as listener:
        async with open_memory(config, parts=parts) as memory:
            tokens = Tokens(
                memory.maintenance.vault.provider.token_secret, memory.clock
            )
            app = create_page_app(memory, tokens)
            server = create_server(app)
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, server.request_stop)
            at = f"http://127.0.0.1:{listener.getsockname()[1]}"
            sys.stdout.write(f"{at}  (Ctrl-C: stop)\n")
            sys.stdout.flush()
            await server.serve_on(listener)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8322)
    asyncio.run(serve_page(Config.from_environment(), parser.parse_args().port))
