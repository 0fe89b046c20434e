"""What `gieok sync check` says, in both languages."""

from typing import Final

CHECKING: Final = {
    "help.sync": (
        "동기화 서버를 밖에서 검사합니다.",
        "Check a sync server from outside.",
    ),
    "help.sync.check": (
        "올바른 기기와 적대적인 기기를 흉내 내어 서버를 검사합니다.",
        "Play a correct device and a hostile one against a server.",
    ),
    "arg.address": (
        "서버의 주소, 예: http://127.0.0.1:8321",
        "The server's address, for example http://127.0.0.1:8321",
    ),
    "opt.check_token": (
        "시험용 사람의 토큰. 보낸 말은 그 사람의 기억에 남습니다.",
        "Token of a test person; what is sent stays in their memory.",
    ),
    "opt.other_token": (
        "다른 시험용 사람의 토큰. 둘이 섞이지 않는지 봅니다.",
        "Token of another test person, to see that the two are kept apart.",
    ),
    "opt.check_device": (
        "토큰이 한 기기의 것이면 그 이름.",
        "The device's name, if the token is one device's alone.",
    ),
    "opt.only": ("이 검사만. 여러 번 쓸 수 있습니다.", "Only this check; repeatable."),
    "sync_check.done": (
        "검사 {count}개 가운데 문제 {faults}개.",
        "{count} checks, {faults} at fault.",
    ),
    "sync_check.join": ("새 기기가 들어온다", "a new device joins"),
    "sync_check.push": ("말한 것이 차례대로 남는다", "what was said is taken in order"),
    "sync_check.repeat": (
        "같은 것을 또 보내도 그대로다",
        "a repeated push changes nothing",
    ),
    "sync_check.rejection": (
        "남길 수 없는 짝이 다음 것을 막지 않는다",
        "a pair that cannot be kept does not hold up the next",
    ),
    "sync_check.overlap": (
        "이미 받은 것부터 보내도 이어진다",
        "a push that begins before what was taken goes on from there",
    ),
    "sync_check.lost_answer": (
        "잃어버린 답을 hello가 알려 준다",
        "hello tells what a lost answer said",
    ),
    "sync_check.second_device": (
        "다른 기기가 한 번씩 듣는다",
        "another device hears it, once",
    ),
    "sync_check.ack": (
        "확인은 뒤로 가지 않는다",
        "an acknowledgement does not go back",
    ),
    "sync_check.reinstall": (
        "다시 설치해도 짝은 하나다",
        "after a re-install each pair is kept once",
    ),
    "sync_check.compression": ("gzip 본문을 읽는다", "a gzip body is read"),
    "sync_check.full_push": (
        "limits.pairs 만큼 받고 하나 더는 거절한다",
        "limits.pairs are taken at once, one more is refused",
    ),
    "sync_check.no_token": ("토큰 없음", "no token"),
    "sync_check.forged_token": ("서명 없는 토큰", "a token without a signature"),
    "sync_check.versions": ("옛 버전과 새 버전", "older and newer versions"),
    "sync_check.wrong_epoch": ("틀린 세대", "a wrong epoch"),
    "sync_check.unknown_incarnation": ("모르는 설치", "an unknown installation"),
    "sync_check.other_person": ("다른 사람의 기기", "another person's device"),
    "sync_check.gap": ("빠진 번호", "a missing number"),
    "sync_check.fork": ("같은 번호에 다른 말", "other words under the same number"),
    "sync_check.numbers": (
        "음수, 아주 큰 수, 수가 아닌 것",
        "negative, huge and no numbers",
    ),
    "sync_check.numbers_ahead": (
        "아직 없는 변경 번호",
        "change numbers that never were",
    ),
    "sync_check.chains": ("체인이 아닌 것", "what is no chain"),
    "sync_check.ids": ("아이디가 아닌 것", "what is no id"),
    "sync_check.pages": ("준 적 없는 쪽", "a page that was never given out"),
    "sync_check.shapes": ("모양이 다른 본문", "bodies of another shape"),
    "sync_check.bytes": ("JSON이 아닌 바이트", "bytes that are no JSON"),
    "sync_check.many_pairs": ("한 번에 5,000개", "5,000 pairs at once"),
    "sync_check.large_turn": ("10 MB의 말", "a turn of 10 MB"),
    "sync_check.gzip_bomb": ("압축 폭탄", "a gzip bomb"),
    "sync_check.gzip": ("깨진 압축", "broken gzip"),
    "sync_check.cut_body": ("도중에 끊긴 본문", "a body that is cut off"),
    "sync_check.refused_pairs": (
        "거절한 것은 아무 데도 없다",
        "nothing that was refused is anywhere",
    ),
}
