"""The documentation of the API: whole, open to everybody, and of nothing else."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import httpx
import pytest
from fastapi import FastAPI
from playwright.async_api import BrowserContext

from support.browser import (
    Look,
    Scheme,
    find_barriers,
    find_policy_violations,
    follow,
    measure_overflow,
)

NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]


async def test_every_call_and_schema_is_there(
    http: httpx.AsyncClient, app: FastAPI
) -> None:
    described = app.openapi()
    index = (await http.get("/docs/")).text
    pages: dict[str, str] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            (tag, *_) = operation["tags"]
            if tag not in pages:
                pages[tag] = (await http.get(f"/docs/calls/{tag}")).text
            named = f"<code>{method.upper()} {path}</code>"
            assert named in index
            assert named in pages[tag]
            for status in operation["responses"]:
                assert f"<strong>{status}</strong>" in pages[tag]
            for parameter in operation.get("parameters", ()):
                assert f"<code>{parameter['name']}</code>" in pages[tag]
    for name, schema in described["components"]["schemas"].items():
        page = await http.get(f"/docs/schemas/{name}")
        assert page.status_code == 200
        for field in schema.get("properties", ()):
            assert f"<code>{field}</code>" in page.text, name


async def test_it_is_open_and_may_load_nothing_from_elsewhere(
    http: httpx.AsyncClient,
) -> None:
    bare = await http.get("/docs")
    assert bare.headers["location"].endswith("/docs/")
    for path in ("/docs/", "/docs/calls/memories", "/docs/nowhere"):
        answer = await http.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "<script" not in answer.text
        assert not answer.cookies
    for path in ("calls/nothing", "schemas/..%2f", "schemas/Nothing", "calls/%00"):
        assert (await http.get(f"/docs/{path}")).status_code == 404
    assert (await http.get("/openapi.json")).status_code == 401


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_nothing_keeps_anybody_from_reading_it(
    window: NewWindow, app: FastAPI, scheme: Scheme, width: int
) -> None:
    language = {"light": "ko", "dark": "en"}[scheme]
    schema = next(iter(app.openapi()["components"]["schemas"]))
    faults: dict[str, list[str]] = {}
    async with window(Look(language, width, scheme)) as context:
        page = await context.new_page()
        for path in ("", "calls/memories", "calls/sync", f"schemas/{schema}"):
            await page.goto(f"/docs/{path}")
            assert await page.get_attribute("html", "lang") == language
            found = [
                *await find_barriers(page),
                *await find_policy_violations(page),
                *(["wider than its window"] if await measure_overflow(page) else []),
            ]
            faults |= {path: found} if found else {}
    assert faults == {}


@pytest.mark.parametrize("with_script", [True, False])
async def test_a_schema_is_two_clicks_away(
    window: NewWindow,
    with_script: bool,  # noqa: FBT001 - a parameter
) -> None:
    async with window(script=with_script) as context:
        page = await context.new_page()
        await page.goto("/docs/")
        await follow(page.get_by_role("link", name="POST /api/v1/recall"))
        body = page.get_by_text("Body: application/json").first
        name = await body.get_by_role("link").inner_text()
        await follow(body.get_by_role("link"))
        assert await page.locator("h1").inner_text() == name
        assert await page.get_by_role("table", name="Fields").count() == 1
