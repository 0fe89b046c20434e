"""`devices`: the devices of a person; seen, and erased one by one (A15)."""

from typing import Annotated

import typer

from gieok.surfaces.cli.arguments import AsJson, ListsByDefault, Person
from gieok.surfaces.cli.erase import receipt_json, tell_receipt
from gieok.surfaces.cli.terminal import run, terminal_of

devices = typer.Typer(cls=ListsByDefault, help="help.devices")


@devices.command("list", help="help.devices.list")
def listing(context: typer.Context, user: Person, *, as_json: AsJson = False) -> None:
    """List a person's devices by the app's ids."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            names = await gieok.accounts.device_names(gieok.person(user))
        found = list(names.values())
        if as_json:
            terminal.data(found)
        elif found:
            for name in found:
                terminal.out.print(name, markup=False, highlight=False)
        else:
            terminal.tell("devices.none")

    run(work)


@devices.command("delete", help="help.devices.delete")
def delete(
    context: typer.Context,
    user: Person,
    device: Annotated[str, typer.Argument(help="arg.device", metavar="DEVICE")],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase a device with what was said on it and learned from that alone."""
    terminal = terminal_of(context)
    if not yes:
        sure = terminal.say("devices.sure", device=device, user=user)
        typer.confirm(sure, abort=True, err=True)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            known = gieok.accounts.device_id(scope, device)
            receipt = await gieok.erasure.device(scope, known)
        if as_json:
            terminal.data(receipt_json(receipt))
        else:
            tell_receipt(terminal, receipt)

    run(work)
