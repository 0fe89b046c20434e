"""Texts of `export`, `import`, `keys`, `audit`, and of policies: (Korean, English)."""

from typing import Final

KEEPING: Final[dict[str, tuple[str, str]]] = {
    "policy.set": (
        "기한이 지나면 {mark}: {policy}.",
        "When the time of {mark} is over: {policy}.",
    ),
    "help.plan": ("한 사람의 요금제.", "The plan a person is on."),
    "help.plan.show": ("요금제를 봅니다.", "Show a person's plan."),
    "help.plan.set": ("요금제를 바꿉니다.", "Put a person on a plan."),
    "arg.plan": (
        "free(페르소나마다 기억 5개) 또는 premium(제한 없음).",
        "free (five memories of a persona in use) or premium (all).",
    ),
    "plan.is": ("{user} 님의 요금제: {plan}", "{user}: {plan}"),
    "plan.archived": ("보관한 기억: {count}개.", "Archived: {count}."),
    "help.devices": ("한 사람의 기기.", "The devices of a person."),
    "help.devices.list": ("기기를 봅니다.", "List a person's devices."),
    "help.devices.delete": (
        "기기와, 그 기기에서 한 말과, 거기서만 알게 된 것을 지웁니다.",
        "Erase a device, what was said on it, and what was learned from that alone.",
    ),
    "arg.device": ("앱이 준 기기 아이디.", "Your app's id of the device."),
    "devices.none": ("기기가 없습니다.", "There are no devices."),
    "devices.sure": (
        "{user} 님의 기기 {device}에서 한 말을 되돌릴 수 없게 지울까요?",
        "Erase what {user} said on the device {device}? This cannot be undone.",
    ),
    "help.export": (
        "한 사람의 모든 것을 파일로 내보냅니다.",
        "Write everything about a person into a file.",
    ),
    "help.import": (
        "내보낸 파일이나 다른 제품의 파일을 들여옵니다.",
        "Take in an export, or an archive of another product.",
    ),
    "help.keys": (
        "모든 것을 잠그는 키와 그 교체.",
        "The keys that everything is sealed with, and their rotation.",
    ),
    "help.keys.status": ("어떤 키가 있는지 봅니다.", "Show which keys there are."),
    "help.keys.rotate": (
        "감싸는 키를 교체합니다. --people은 사람들의 키를 교체합니다.",
        "Replace the wrapping key, or with --people the keys of people.",
    ),
    "help.keys.finish": (
        "사람들의 키 교체를 마치고 옛 키를 없앱니다.",
        "Bring rotations of people's keys to their end; destroy the old keys.",
    ),
    "help.keys.retire": (
        "옛 감싸는 키를 없앱니다. 먼저 서버를 모두 다시 시작하세요.",
        "Destroy old wrapping keys. Start every server again first.",
    ),
    "help.audit": (
        "데이터에 무슨 일이 있었는지의 기록.",
        "The log of what happened to whose data.",
    ),
    "help.audit.verify": (
        "기록이 온전한지 확인합니다.",
        "Check that the log is whole.",
    ),
    "help.audit.seal": (
        "지금까지의 기록에 서명합니다. 서버는 한 시간마다 합니다.",
        "Sign the log as it stands. A server does so every hour.",
    ),
    "opt.seal_to": ("서명을 덧붙여 둘 파일.", "File to add the seal to."),
    "opt.rows": (
        "모든 사람의 모든 행을 읽어 봅니다: 많으면 오래 걸립니다.",
        "Try to read every row of everybody: with many, that takes long.",
    ),
    "opt.against": (
        "따로 둔 서명의 파일: 그때의 기록이 그대로인지도 봅니다.",
        "File of seals put aside: what they covered has to be there.",
    ),
    "audit.sealed": ("서명 {number}번을 남겼습니다.", "Seal {number} was made."),
    "audit.unchanged": (
        "지난 서명 뒤로 늘어난 기록이 없습니다.",
        "Nothing was added since the last seal.",
    ),
    "audit.broken_seal": (
        "서명 {number}번이 맞지 않습니다.",
        "Seal {number} does not hold.",
    ),
    "help.audit.list": (
        "한 사람의 기록을 봅니다.",
        "List what happened to a person's data.",
    ),
    "arg.import_file": ("들여올 파일.", "The file to take in."),
    "opt.export_to": ("쓸 파일.", "The file to write."),
    "opt.import_from": ("파일이 온 제품.", "The product the file comes from."),
    "opt.people": ("모든 사람의 키를.", "The keys of all people."),
    "opt.to_file": (
        "AWS KMS에서 키 파일로 옮깁니다.",
        "Leave AWS KMS for the key file.",
    ),
    "opt.settle": (
        "모든 프로세스가 새 키를 알 때까지 기다리는 초.",
        "Seconds to wait until every process knows a new key.",
    ),
    "opt.everyone": ("모든 사람.", "Everyone."),
    "opt.access": ("읽은 기록만.", "Only who read what is remembered."),
    "export.running": ("내보내는 중…", "Exporting…"),
    "export.written": ("내보내는 중… {size}바이트", "Exporting… {size} bytes"),
    "export.done": (
        "내보냈습니다: {path} ({size}바이트)",
        "Wrote {path} ({size} bytes)",
    ),
    "import.running": ("들여오는 중…", "Importing…"),
    "import.done": ("들여온 행: {rows}개.", "Rows taken in: {rows}."),
    "keys.wrapping": ("감싸는 키: {name}", "Wrapping key: {name}"),
    "keys.held": ("{provider} {name}: 키 {keys}개", "{provider} {name}: {keys} keys"),
    "keys.provider.file": ("키 파일", "key file"),
    "keys.provider.aws-kms": ("AWS KMS 키", "AWS KMS"),
    "keys.sealed": (
        "키 파일은 AWS KMS로 잠겨 있습니다.",
        "AWS KMS seals the key file.",
    ),
    "doctor.kms": ("AWS KMS의 {name}", "AWS KMS, {name}"),
    "advice.key_file_open": (
        "키 파일에 감싸는 키가 남아 있습니다: gieok keys rotate 뒤 gieok keys retire",
        "The key file still holds wrapping keys: gieok keys rotate, then retire.",
    ),
    "keys.people": (
        "사람 {people}명, 교체 중 {rotating}명",
        "People: {people}, being rotated: {rotating}",
    ),
    "keys.rewrapping": ("키를 다시 감싸는 중", "Wrapping keys anew"),
    "keys.rewrapped": (
        "키 {count}개를 다시 감쌌습니다. 서버를 다시 시작하고: gieok keys retire",
        "Wrapped {count} keys anew. Start the servers again, then: gieok keys retire",
    ),
    "keys.settling": (
        "모든 프로세스가 새 키를 알 때까지 {seconds}초 기다립니다.",
        "Waiting {seconds} seconds until every process knows the new keys.",
    ),
    "keys.resealing": ("다시 잠그는 중", "Sealing anew"),
    "keys.resealed": (
        "값 {count}개를 다시 잠갔습니다. 한 시간 뒤 옛 키 없애기: gieok keys finish",
        "Sealed {count} values anew. In an hour, gieok keys finish destroys old keys.",
    ),
    "keys.left": ("교체 중인 사람: {count}명", "People still being rotated: {count}"),
    "keys.retired": ("옛 감싸는 키 {count}개를 없앴습니다.", "Destroyed: {count}."),
    "audit.verifying": ("확인하는 중", "Verifying"),
    "audit.verified": (
        "사람 {people}명, 온전한 줄 {lines}개.",
        "People: {people}, lines that are whole: {lines}.",
    ),
    "audit.broken": (
        "{person}: {place}에서 어긋납니다.",
        "{person}: broken at {place}.",
    ),
}
