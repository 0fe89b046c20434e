"""`profile`: the card of a person."""

from typing import Annotated

import typer
from rich.table import Table

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.profile import Card, CardField, CardValue
from gieok.surfaces.cli.arguments import DefaultShowGroup
from gieok.surfaces.cli.command_result import CommandResult, print_result
from gieok.surfaces.cli.show import render_plain, truncate_id
from gieok.surfaces.cli.terminal import Terminal

profile = typer.Typer(cls=DefaultShowGroup, help="help.profile")


@profile.command("show", help="help.profile.show")
@print_result(known=True)
async def show_profile(gieok: Gieok, scope: Scope) -> CommandResult:
    """Show what is known of a person."""
    return _build_card_result(await gieok.profile.get(scope))


@profile.command("set", help="help.profile.set")
@print_result
async def set_values(
    gieok: Gieok,
    scope: Scope,
    values: Annotated[
        list[str], typer.Argument(help="arg.card_values", metavar="FIELD=VALUE...")
    ],
) -> CommandResult:
    """Add to lists of the card, and replace single values."""
    return _build_card_result(await gieok.profile.merge(scope, parse_values(values)))


@profile.command("forget", help="help.profile.forget")
@print_result(known=True)
async def forget_value(
    gieok: Gieok,
    scope: Scope,
    place: Annotated[CardField, typer.Argument(help="arg.card_field", metavar="FIELD")],
    value: Annotated[str, typer.Argument(help="arg.card_value", metavar="VALUE")] = "",
) -> CommandResult:
    """Erase a value of the card, with the memories it rests on."""
    return _build_card_result(await gieok.profile.forget(scope, place, value))


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


def _build_card_result(card: Card) -> CommandResult:
    def view(terminal: Terminal) -> None:
        if card:
            terminal.out.print(_render_card(terminal, card))
        else:
            terminal.print_message("profile.empty")

    return CommandResult(_encode_card(card), view)


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
