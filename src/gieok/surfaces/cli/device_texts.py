"""What `gieok device` says, in both languages."""

from typing import Final

DEVICE: Final = {
    "help.device": (
        "이 컴퓨터에서 기기 하나를 써 봅니다.",
        "Run a device on this machine.",
    ),
    "help.device.talk": (
        "서버 없이도 말하고, 있으면 함께 맞춥니다.",
        "Talk, without a server too; in step with one if given.",
    ),
    "help.device.status": ("기기의 상태를 봅니다.", "Show how a device is."),
    "help.device.sync": (
        "서버와 한 번 맞춥니다.",
        "Bring a device in step with a server, once.",
    ),
    "help.device.resolve": (
        "사람을 기다리는 충돌을 풉니다.",
        "Get a device out of what waits for somebody.",
    ),
    "arg.device_file": (
        "기기의 파일. 열쇠는 그 옆 .key에 있습니다.",
        "The device's file; its key is beside it, .key.",
    ),
    "arg.resolve": (
        "send: 남은 것을 다시 보냄. discard: 보내지 않은 것을 치워 둠.",
        "send: send again what is left. discard: put aside what was not sent.",
    ),
    "opt.device_name": (
        "앱이 부르는 기기 이름. 기본값은 파일 이름.",
        "The app's id of the device; by default the file's name.",
    ),
    "opt.device_server": ("서버의 주소.", "The server's address."),
    "opt.device_token": (
        "기기의 토큰: gieok token USER --device NAME",
        "The device's token: gieok token USER --device NAME",
    ),
    "opt.passphrase": (
        "기기의 열쇠를 여는 암호. 없으면 묻습니다.",
        "Opens the device's key; asked for if not given.",
    ),
    "demo.devices": (
        "부엌 스피커와 전화기, 한 사람",
        "A kitchen speaker and a phone, one person",
    ),
    "demo.kitchen": ("부엌 스피커 (인터넷 없음)", "Kitchen speaker (no network)"),
    "demo.phone": ("전화기 (인터넷 있음)", "Phone (online)"),
    "demo.phone_forgets": ("전화기: 잊어 달라는 말", "Phone: a wish to be forgotten"),
    "expect.device_waits": (
        "인터넷 없이 한 말이 스피커에 남아 기다린다",
        "what was said without a network waits on the speaker",
    ),
    "expect.device_level": (
        "다시 이어지면 두 기기의 기억이 같다",
        "back online, both devices hold the same",
    ),
    "expect.device_recalls": (
        "서로에게 한 말('{private}', '{drink}')을 두 기기가 떠올린다",
        "each recalls what the other was told (“{private}”, “{drink}”)",
    ),
    "expect.device_forgets": (
        "잊어 달라는 말 한 번에 두 기기에서 '{private}'이(가) 사라진다",
        "one wish, and “{private}” is gone from both",
    ),
    "device.passphrase": ("기기의 암호", "Passphrase of the device"),
    "device.hello": (
        "{name}: 말해 보세요. /status 상태, /quit 끝.",
        "{name}: talk. /status shows how it is, /quit ends.",
    ),
    "device.heard": ("들었어요.", "I heard you."),
    "device.found": ("기억: {text}", "Remembered: {text}"),
    "device.commands": ("/status 상태 · /quit 끝", "/status · /quit"),
    "device.level": ("서버와 맞았습니다.", "In step with the server."),
    "device.away": (
        "아직 맞지 않았습니다: {state}. 말한 것은 기기에 있습니다.",
        "Not in step yet: {state}. What was said is on the device.",
    ),
    "device.gone": (
        "이 기기는 차단되었거나 지워졌고, 스스로 비웠습니다.",
        "This device was shut out or erased, and has emptied itself.",
    ),
    "device.needs_user": (
        "충돌이 사람을 기다립니다: gieok device resolve {file} send 또는 discard",
        "A conflict waits for you: gieok device resolve {file} send, or discard",
    ),
    "device.resolved": ("풀었습니다. 이제 {state}.", "Resolved; now {state}."),
    "row.device.name": ("기기", "device"),
    "row.device.state": ("상태", "state"),
    "row.device.fault": ("이유", "reason"),
    "row.device.waiting": ("보낼 것", "waiting to be sent"),
    "row.device.items": ("내려온 것", "came down"),
    "row.device.sent": ("보낸 마지막 번호", "last number taken"),
    "row.device.applied": ("적용한 마지막 변경", "last change applied"),
    "row.device.rejected": ("받아들여지지 않은 것", "not taken"),
    "row.device.aside": ("치워 둔 파일", "file put aside"),
}
