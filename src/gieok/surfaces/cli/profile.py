"""`profile`: the card of a person."""

from typing import Annotated

import typer
from rich.table import Table

from gieok.kernel.errors import InvalidInputError
from gieok.profile import Card, CardField, CardValue
from gieok.surfaces.cli.arguments import AsJson, DefaultShowGroup, PersonArgument
from gieok.surfaces.cli.show import render_plain, truncate_id
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command

profile = typer.Typer(cls=DefaultShowGroup, help="help.profile")


@profile.command("show", help="help.profile.show")
def show_profile(
    context: typer.Context, user: PersonArgument, *, as_json: AsJson = False
) -> None:
    """Show what is known of a person."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            card = await gieok.profile.get(gieok.person(user))
        _print_card(terminal, card, as_json=as_json)

    run_command(work)


@profile.command("set", help="help.profile.set")
def set_values(
    context: typer.Context,
    user: PersonArgument,
    values: Annotated[
        list[str], typer.Argument(help="arg.card_values", metavar="FIELD=VALUE...")
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Add to lists of the card, and replace single values."""
    terminal = get_terminal(context)
    wanted = parse_values(values)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            card = await gieok.profile.merge(gieok.person(user), wanted)
        _print_card(terminal, card, as_json=as_json)

    run_command(work)


@profile.command("forget", help="help.profile.forget")
def forget_value(
    context: typer.Context,
    user: PersonArgument,
    place: Annotated[CardField, typer.Argument(help="arg.card_field", metavar="FIELD")],
    value: Annotated[str, typer.Argument(help="arg.card_value", metavar="VALUE")] = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Erase a value of the card, with the memories it rests on."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            card = await gieok.profile.forget(gieok.person(user), place, value)
        _print_card(terminal, card, as_json=as_json)

    run_command(work)


def parse_values(values: list[str]) -> dict[str, str | list[str]]:
    """Return `FIELD=VALUE` arguments as a card; a list takes several.

    Raises:
        InvalidInputError: an argument without an equals sign.
    """
    card: dict[str, str | list[str]] = {}
    for argument in values:
        name, equals, value = argument.partition("=")
        name, value = name.strip(), value.strip()
        if not equals:
            raise InvalidInputError(name, "write it as name=value")
        if name in set(CardField) and CardField(name).is_list:
            card[name] = [*card.get(name, ()), value]
        else:
            card[name] = value
    return card


def _print_card(terminal: Terminal, card: Card, *, as_json: bool) -> None:
    if as_json:
        terminal.print_json(_encode_card(card))
    elif card:
        terminal.out.print(_render_card(terminal, card))
    else:
        terminal.print_message("profile.empty")


def _render_card(terminal: Terminal, card: Card) -> Table:
    table = Table(show_header=False)
    rows = [(p, known, "") for p in CardField for known in card.get_values(p)]
    rows += [(past.field, past.value, "dim strike") for past in card.history]
    for place, known, style in rows:
        table.add_row(
            terminal.translate_message(f"card.{place.value}"),
            render_plain(known.value, style),
            f"{known.confidence:.2f}",
            known.at.date().isoformat(),
            truncate_id(known.memory_ids[-1]),
        )
    return table


def _encode_card(card: Card) -> dict[str, object]:
    """Return a card as stable JSON."""
    return {
        "profile": card.to_document(),
        "values": [
            _encode_value(place, known)
            for place in CardField
            for known in card.get_values(place)
        ],
        "history": [_encode_value(past.field, past.value) for past in card.history],
    }


def _encode_value(place: CardField, known: CardValue) -> dict[str, object]:
    return {
        "field": place.value,
        "value": known.value,
        "memory_ids": [str(each) for each in known.memory_ids],
        "session_id": known.session_id and str(known.session_id),
        "at": known.at.isoformat(),
        "confidence": known.confidence,
    }
