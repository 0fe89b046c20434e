"""`devices`: the devices of a person; seen, and erased one by one (A15)."""

from typing import Annotated

import typer

from gieok.surfaces.cli.arguments import AsJson, DefaultListGroup, PersonArgument
from gieok.surfaces.cli.erase import encode_receipt, print_receipt
from gieok.surfaces.cli.terminal import get_terminal, run_command

devices = typer.Typer(cls=DefaultListGroup, help="help.devices")


@devices.command("list", help="help.devices.list")
def listing(
    context: typer.Context, user: PersonArgument, *, as_json: AsJson = False
) -> None:
    """List a person's devices by the app's ids."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            names = await gieok.accounts.device_names(gieok.person(user))
        found = list(names.values())
        if as_json:
            terminal.print_json(found)
        elif found:
            for name in found:
                terminal.out.print(name, markup=False, highlight=False)
        else:
            terminal.print_message("devices.none")

    run_command(work)


@devices.command("delete", help="help.devices.delete")
def delete(
    context: typer.Context,
    user: PersonArgument,
    device: Annotated[str, typer.Argument(help="arg.device", metavar="DEVICE")],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase a device with what was said on it and learned from that alone."""
    terminal = get_terminal(context)
    if not yes:
        sure = terminal.translate_message("devices.sure", device=device, user=user)
        typer.confirm(sure, abort=True, err=True)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            known = gieok.accounts.device_id(scope, device)
            receipt = await gieok.erasure.device(scope, known)
        if as_json:
            terminal.print_json(encode_receipt(receipt))
        else:
            print_receipt(terminal, receipt)

    run_command(work)
