"""The file of a device: sealed, one process, nothing left of what was erased."""

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from gieok.device import (
    Device,
    DeviceFault,
    DeviceStatus,
    PassphraseKeys,
    SpokenTurn,
)
from gieok.device import open_device as open_device_file
from gieok.device.file import DeviceFile
from gieok.device.model import DownloadedItem
from gieok.device.sealing import BodySealer
from gieok.device.wire import SyncReply
from gieok.kernel.errors import (
    ConfigurationError,
    DataDirectoryError,
    InvalidInputError,
    KeyFileError,
    StorageFullError,
    TamperedError,
)

Open = Callable[..., Device]
SECRET = "할머니 생신은 시월 삼일"

pytestmark = pytest.mark.req("A10")


def read_bytes(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.iterdir() if each.is_file())


def talk(device: Device, text: str = SECRET) -> None:
    device.record(SpokenTurn(text, "네, 알겠어요"))


def empty(device: Device, field: str = "") -> None:
    """Have the cloud say that the device is to empty itself."""
    request = device.find_request()
    assert request is not None
    error = {"code": "device_gone", "field": field}
    device.apply_reply(request, SyncReply(410, {"error": error}))


def move_body(device: Device, source: int, target: int) -> None:
    device.file.connection.execute(
        "UPDATE conversation_pairs SET body ="
        " (SELECT body FROM conversation_pairs WHERE seq = ?) WHERE seq = ?",
        (source, target),
    )


def test_what_was_said_is_there_after_a_restart(open_device: Open) -> None:
    device = open_device()
    talk(device)
    before = device.cursor
    device.close()
    device = open_device()
    assert device.cursor == before
    assert [each["user_text"] for each in device.list_recent_turns()] == [SECRET]


def test_a_file_is_not_opened_as_another_device(tmp_path: Path) -> None:
    path, keys = tmp_path / "s.db", PassphraseKeys(tmp_path / "s.key", "tea")
    device = open_device_file(path, "speaker", keys)
    talk(device)
    before = device.cursor
    device.close()
    with pytest.raises(ConfigurationError, match=r"speaker.*kitchen"):
        open_device_file(path, "kitchen", keys)
    device = open_device_file(path, None, keys)
    assert (device.name, device.cursor) == ("speaker", before)
    talk(device, "그리고")
    assert device.report().waiting == 2
    device.close()
    device = open_device_file(tmp_path / "new.db", None, keys)
    assert device.cursor.device_id == "new", "a new file is called as its name"
    device.close()


def test_a_file_that_was_shut_out_begins_anew_under_another_name(
    open_device: Open,
) -> None:
    device = open_device()
    empty(device)
    talk(device, "들려?")
    device.close()
    device = open_device("parlour", stem="kitchen")
    assert (device.name, device.cursor.error) == ("parlour", None)
    assert not device.list_recent_turns()
    talk(device)
    assert device.report().waiting == 1
    assert device.find_request() is not None


def test_closing_a_device_twice_closes_nothing_of_somebody_else(
    open_device: Open, tmp_path: Path
) -> None:
    """The number of its lock may be another file's by then."""
    device = open_device()
    device.close()
    opened = [(tmp_path / "mine").open("ab") for _ in range(20)]
    device.close()
    for each in opened:
        each.write(b"still open")
        each.close()


def test_no_word_lies_open_on_the_disk(open_device: Open, tmp_path: Path) -> None:
    device = open_device()
    talk(device)
    device.set_workflow({"id": "wf-1", "slot": SECRET})
    assert SECRET.encode() not in read_bytes(tmp_path)
    assert "할머니".encode() not in read_bytes(tmp_path)
    device.close()
    assert SECRET.encode() not in read_bytes(tmp_path)


def test_personal_data_is_masked_before_it_is_queued(open_device: Open) -> None:
    device = open_device()
    pair = device.record(
        SpokenTurn("내 번호는 010-1234-5678, 주민번호 900101-1234568", "네")
    )
    assert "1234-5678" not in pair.body["user_text"]
    assert "1234568" not in pair.body["user_text"]


@pytest.mark.parametrize(
    ("personal", "kept"),
    [
        ("mask", "010-****-5678이야"),
        ("hide", "[전화번호]이야"),
        ("keep", "010-1234-5678이야"),
    ],
)
def test_whoever_opens_a_device_says_what_becomes_of_phones(
    tmp_path: Path, personal: Any, kept: str
) -> None:
    keys = PassphraseKeys(tmp_path / "d.key", "tea")
    device = open_device_file(tmp_path / "d.db", "kitchen", keys, personal=personal)
    pair = device.record(SpokenTurn("010-1234-5678이야", "네"))
    device.close()
    assert pair.body["user_text"] == kept


def test_a_policy_that_there_is_not_is_told_before_the_file_is_touched(
    tmp_path: Path,
) -> None:
    keys = PassphraseKeys(tmp_path / "d.key", "tea")
    wrong: Any = "hidden"
    with pytest.raises(InvalidInputError, match=r"personal.*mask, hide, keep"):
        open_device_file(tmp_path / "d.db", "kitchen", keys, personal=wrong)
    assert not list(tmp_path.iterdir())


def test_a_second_process_is_told_so(open_device: Open, tmp_path: Path) -> None:
    open_device()
    program = (
        "from pathlib import Path\n"
        "from gieok.device import PassphraseKeys, open_device\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "keys = PassphraseKeys(folder / 'kitchen.key', 'tea')\n"
        "open_device(folder / 'kitchen.db', 'kitchen', keys)\n"
    )
    done = subprocess.run(  # noqa: S603 - a program of ours
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Another process uses the device's file" in done.stderr


def test_a_wrong_passphrase_opens_nothing(open_device: Open) -> None:
    device = open_device()
    talk(device)
    device.close()
    with pytest.raises(KeyFileError, match="does not open"):
        open_device(words="coffee")
    talk(open_device())


def test_a_lost_key_is_said_and_not_silently_replaced(
    open_device: Open, tmp_path: Path
) -> None:
    device = open_device()
    talk(device)
    device.close()
    (tmp_path / "kitchen.key").unlink()
    with pytest.raises(KeyFileError, match="key"):
        open_device()


def test_a_moved_body_does_not_open(open_device: Open) -> None:
    device = open_device()
    talk(device)
    talk(device, "다른 말")
    move_body(device, 1, 2)
    with pytest.raises(TamperedError):
        device.rows.list_pairs(0)
    assert [each["user_text"] for each in device.list_recent_turns()] == [SECRET]


USES: list[Callable[[Device], object]] = [
    Device.list_recent_turns,
    Device.find_request,
    Device.resolve,
    lambda device: device.resolve("discard"),
    lambda device: device.recall("할머니"),
    lambda device: device.build_request("할머니"),
    lambda device: device.record(SpokenTurn("그래도", "네")),
    lambda device: device.set_workflow({"id": "w"}),
]


@pytest.mark.parametrize("use", USES)
def test_a_pair_that_does_not_open_holds_up_nothing(
    open_device: Open, use: Callable[[Device], object]
) -> None:
    device = open_device()
    for text in (SECRET, "다른 말", "또 다른 말"):
        talk(device, text)
    device.set_workflow({"id": "w"})
    move_body(device, 1, 2)
    device.file.connection.execute("UPDATE active_workflow_cache SET body = x'00'")
    with device.file.begin():
        device.rows.put_items([DownloadedItem("user_memory", "m1", {"content": "a"})])
    device.file.connection.execute("UPDATE memory_items SET body = x'00'")
    use(device)
    device.recall("할머니")
    request = device.find_request()
    assert request is not None
    assert request.kind == "hello"
    report = device.report()
    assert report.rejected["damaged"] == 1
    assert report.items == 0
    assert report.cursor.last_cloud_update_seq == 0, "a whole copy is asked for"
    assert [pair.seq for pair in device.rows.list_pairs(0)] == [
        *range(1, report.waiting + 1)
    ]


def test_a_taken_pair_that_does_not_open_is_erased_and_comes_down_again(
    open_device: Open,
) -> None:
    device = open_device()
    for text in (SECRET, "다른 말", "또 다른 말"):
        talk(device, text)
    device.file.connection.execute(
        "UPDATE sync_cursor SET last_pair_seq = 2, last_cloud_update_seq = 7,"
        " chain = (SELECT chain FROM conversation_pairs WHERE seq = 2)"
    )
    before = device.cursor
    move_body(device, 3, 1)
    turns = [each["user_text"] for each in device.list_recent_turns()]
    assert turns == ["다른 말", "또 다른 말"]
    after = device.cursor
    assert (after.up, after.newest) == (before.up, before.newest)
    assert after.last_cloud_update_seq == 0
    assert not device.report().rejected


def test_a_key_that_opens_nothing_throws_nothing_away(open_device: Open) -> None:
    device = open_device()
    talk(device)
    talk(device, "다른 말")
    right, device.file.sealer = device.file.sealer, BodySealer(bytes(32))
    with pytest.raises(KeyFileError, match="opens nothing"):
        device.list_recent_turns()
    device.file.sealer = right
    assert len(device.list_recent_turns()) == 2


def test_a_damaged_file_is_put_aside_and_said(
    open_device: Open, tmp_path: Path
) -> None:
    device = open_device()
    talk(device)
    device.close()
    path = tmp_path / "kitchen.db"
    damaged = b"\x5a" * 4096 + path.read_bytes()[4096:]
    path.write_bytes(damaged)
    device = open_device()
    assert device.report().put_aside == "kitchen.db.damaged-1"
    assert (tmp_path / "kitchen.db.damaged-1").read_bytes() == damaged
    assert device.cursor.newest_seq == 0
    talk(device)


def test_a_full_disk_keeps_nothing_and_goes_on_later(open_device: Open) -> None:
    device = open_device()
    talk(device)
    rows = device.file.connection
    (pages,) = rows.execute("PRAGMA page_count").fetchall()[0]
    rows.execute(f"PRAGMA max_page_count = {pages}")
    before = device.cursor
    for _ in range(200):
        before = device.cursor
        try:
            talk(device, "가" * 500)
        except StorageFullError:
            break
    else:
        pytest.fail("the disk never was full")
    assert device.cursor == before
    rows.execute("PRAGMA max_page_count = 1000000")
    talk(device)
    assert device.cursor.newest_seq == before.newest_seq + 1


def test_a_file_that_may_not_be_written_is_said(open_device: Open) -> None:
    device = open_device()
    talk(device)
    device.file.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(DataDirectoryError, match="cannot be written"):
        talk(device)
    assert device.list_recent_turns()


def test_what_is_no_text_is_refused(open_device: Open) -> None:
    device = open_device()
    for text in ("", "a\0b", "\ud800"):
        with pytest.raises(InvalidInputError):
            talk(device, text)
    assert device.cursor.newest_seq == 0


@pytest.mark.parametrize(("was_swept", "is_unknown"), [(0, False), (1, True)])
def test_a_file_of_the_first_version_is_opened(
    open_device: Open, *, was_swept: int, is_unknown: bool
) -> None:
    device = open_device()
    talk(device)
    device.file.connection.execute(
        "ALTER TABLE sync_cursor RENAME COLUMN swept_ms TO is_swept;"
        f"UPDATE sync_cursor SET is_swept = {was_swept}; PRAGMA user_version = 1"
    )
    device.close()
    device = open_device()
    assert (device.cursor.swept_ms > 0) == is_unknown
    assert [each["user_text"] for each in device.list_recent_turns()] == [SECRET]
    talk(device, "그리고")
    device.close()
    assert open_device().cursor.newest_seq == 2


def test_every_commit_reaches_the_disk(open_device: Open) -> None:
    rows = open_device().file.connection
    found = {
        name: rows.execute(f"PRAGMA {name}").fetchall()[0][0]
        for name in ("journal_mode", "synchronous", "secure_delete")
    }
    assert found == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}
    assert apsw.sqlite_lib_version() >= "3.51.3", "earlier ones may damage a WAL"


@pytest.mark.req("A17")
def test_who_was_shut_out_leaves_not_a_byte(open_device: Open, tmp_path: Path) -> None:
    device = open_device()
    talk(device)
    sealed = [
        bytes(row[0])
        for row in device.file.connection.execute("SELECT body FROM conversation_pairs")
    ]
    chain = device.cursor.newest_chain
    (tmp_path / "kitchen.db.damaged-1").write_bytes(b"x" * 100 + sealed[0])
    empty(device)
    assert device.cursor.error is DeviceFault.GONE
    assert device.cursor.sync_status is DeviceStatus.ERROR
    assert device.find_request() is None
    device.close()
    left = read_bytes(tmp_path)
    assert not [each for each in (*sealed, chain) if each in left]
    assert SECRET.encode() not in left
    assert not (tmp_path / "kitchen.db.damaged-1").exists()

    device = open_device()
    assert device.find_request() is None, "it stays out until somebody says otherwise"
    assert device.resolve().error is None
    assert device.find_request() is not None


def test_what_a_device_heard_since_it_was_shut_out_is_put_aside_and_counted(
    open_device: Open, tmp_path: Path
) -> None:
    device = open_device()
    talk(device)
    empty(device)
    talk(device, "나 왔어")
    device.close()
    device = open_device("parlour", stem="kitchen")
    assert device.report().rejected == {"gone": 1}
    assert (device.report().waiting, device.list_recent_turns()) == (0, [])
    assert device.find_request() is not None
    empty(device)
    assert device.report().rejected == {}
    assert "나 왔어".encode() not in read_bytes(tmp_path)


def test_emptying_that_fails_halfway_is_tried_again(
    open_device: Open, tmp_path: Path
) -> None:
    device = open_device()
    talk(device)
    empty_path = device.file.empty_path

    def fail(_: DeviceFault | None) -> DeviceFile:
        (tmp_path / "kitchen.db.emptying").touch()
        device.file.connection.close()
        device.file.empty_path = empty_path
        raise OSError(errno.EIO, "the disk does not answer")

    device.file.empty_path = fail
    with pytest.raises(DataDirectoryError):
        empty(device)
    assert device.cursor.error is DeviceFault.GONE
    assert device.find_request() is None
    assert not device.list_recent_turns()
    assert not (tmp_path / "kitchen.db.emptying").exists()
    assert SECRET.encode() not in read_bytes(tmp_path)


@pytest.mark.parametrize("stem", ["room", "room[1]", "ro*m"])
def test_only_its_own_files_are_emptied(
    open_device: Open, tmp_path: Path, stem: str
) -> None:
    device = open_device(stem)
    talk(device)
    aside = tmp_path / f"{stem}.db.damaged-12"
    own = [aside, aside.with_name(aside.name + "-wal")]
    others = [
        tmp_path / f"{stem}{end}"
        for end in (".db2", ".db.damaged-x", ".db.backup", ".db2-wal", "2.db")
    ]
    for each in (*own, *others):
        each.write_bytes(b"words")
    (tmp_path / f"{stem}.db.damaged-13").mkdir()
    empty(device)
    assert device.cursor.error is DeviceFault.GONE
    assert not any(each.exists() for each in own)
    assert all(each.read_bytes() == b"words" for each in others)
    assert not (tmp_path / f"{stem}.db.emptying").exists()


def test_emptying_goes_on_after_a_power_cut(open_device: Open, tmp_path: Path) -> None:
    device = open_device()
    talk(device)
    device.close()
    (tmp_path / "kitchen.db.emptying").touch()
    device = open_device()
    assert device.cursor.error is DeviceFault.GONE
    assert not device.list_recent_turns()
    assert not (tmp_path / "kitchen.db.emptying").exists()


@pytest.mark.req("A17")
@pytest.mark.parametrize(
    ("field", "fault"), [("content", None), ("", DeviceFault.GONE)]
)
def test_a_power_cut_in_the_midst_of_emptying_shuts_nobody_out(
    open_device: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    field: str,
    fault: DeviceFault | None,
) -> None:
    """Who is to begin anew still does, who is gone stays so."""
    device = open_device()
    talk(device)

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "the power is gone")

    with monkeypatch.context() as power:
        power.setattr("gieok.device.file._shred_all", fail)
        with pytest.raises(DataDirectoryError):
            empty(device, field)
    device.close()
    device = open_device()
    assert device.cursor.error is fault
    assert (device.find_request() is None) is (fault is not None)
    assert not device.list_recent_turns()
    assert not (tmp_path / "kitchen.db.emptying").exists()
    device.close()
    assert open_device().cursor.error is fault
