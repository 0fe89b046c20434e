"""Korean for the phrases that fill the messages of errors.

Errors are bilingual, but the problem, reason or thing they speak of is given as an
English phrase where they are raised. A phrase that is not listed stays English.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

PHRASES: Final[Mapping[str, str]] = {
    # things
    "memory": "기억",
    "value": "값",
    "session": "대화",
    "candidate": "기억 후보",
    "failed job": "실패한 작업",
    "episode": "대화 기억",
    "persona": "페르소나",
    "message": "메시지",
    "key": "키",
    # texts
    "it must be a string": "문자열이어야 합니다",
    "it holds a NUL character": "NUL 문자가 들어 있습니다",
    "it holds half of a surrogate pair, which is not text": (
        "짝이 없는 서로게이트가 들어 있어 텍스트가 아닙니다"
    ),
    "it holds control characters": "제어 문자가 들어 있습니다",
    "it is empty": "비어 있습니다",
    "it is longer than {most} bytes": "{most}바이트보다 깁니다",
    "it is longer than {most} characters": "{most}자보다 깁니다",
    # figures and choices
    "it must be from {least} to {most}": "{least}부터 {most}까지여야 합니다",
    "it must be a whole number from {least} to {most}": (
        "{least}부터 {most}까지의 정수여야 합니다"
    ),
    "it must be a whole number, 0 or more": "0 이상의 정수여야 합니다",
    "it must be a whole number": "정수여야 합니다",
    "it must be a number": "숫자여야 합니다",
    "it must be a positive number": "양수여야 합니다",
    "it must be {least} or more": "{least} 이상이어야 합니다",
    "it must be {most} or less": "{most} 이하여야 합니다",
    "it must be more than {least}": "{least}보다 커야 합니다",
    "it must be less than {most}": "{most}보다 작아야 합니다",
    "it has more than {most} digits or decimal places": (
        "숫자가 {most}자리보다 길거나 소수 자릿수가 너무 많습니다"
    ),
    "it must be true or false": "true 또는 false여야 합니다",
    "it must be ko or en": "ko 또는 en이어야 합니다",
    "it must be stated or strict": "stated 또는 strict여야 합니다",
    "it must be one of {known}": "다음 중 하나여야 합니다: {known}",
    "each must be one of {known}": "각각 다음 중 하나여야 합니다: {known}",
    "it must be a list of texts": "텍스트의 목록이어야 합니다",
    "each value must be a text": "값은 모두 텍스트여야 합니다",
    "it can hold {most} values": "값을 {most}개까지 담을 수 있습니다",
    "the card would be longer than the 400 KB of an item": (
        "프로필이 항목의 한도인 400KB보다 길어집니다"
    ),
    "others changed this card every time": "다른 쪽이 매번 먼저 프로필을 바꾸었습니다",
    "a card has no such place": "프로필에 없는 항목입니다",
    "it must be a list of categories": "분류의 목록이어야 합니다",
    # shapes
    "it is no JSON": "JSON이 아닙니다",
    "it is no base64": "base64가 아닙니다",
    "user_id names somebody else than the token": (
        "user_id가 토큰의 사용자와 다릅니다"
    ),
    "it goes without a field": "field와 함께 쓸 수 없습니다",
    "name one; all=true erases every memory": (
        "하나를 지정하거나, 모두 지우려면 all=true를 지정해 주세요"
    ),
    "it is missing": "빠져 있습니다",
    "it cannot be accepted": "받아들일 수 없는 값입니다",
    "there is no such field": "없는 필드입니다",
    "there is no such setting": "없는 설정입니다",
    "there is no such IANA zone": "없는 IANA 시간대입니다",
    "there is nothing in it to remember": "기억할 만한 내용이 없습니다",
    "it must be a list of labels": "이름의 목록이어야 합니다",
    "neither the call nor the run's config names a person": (
        "호출에도 실행 설정에도 사용자가 지정되지 않았습니다"
    ),
    "it must be an object": "객체여야 합니다",
    "it must be a list": "목록이어야 합니다",
    "it must be a UUID": "UUID여야 합니다",
    "it must be a time with a zone": "시간대가 있는 시각이어야 합니다",
    "it must be a day or a time": "날짜나 시각이어야 합니다",
    "it lies in the future": "미래의 시각입니다",
    "it must be 1970 or later": "1970년 이후여야 합니다",
    "it must be in the future": "미래의 시각이어야 합니다",
    "it must be a code such as model_unavailable": (
        "model_unavailable 같은 코드여야 합니다"
    ),
    "it must be an ISO week such as 2026-W47": "2026-W47 같은 ISO 주여야 합니다",
    "it must be a date": "날짜여야 합니다",
    "it must lie between the years 1970 and 9000": "1970년부터 8999년 사이여야 합니다",
    "it cannot be written as JSON": "JSON으로 쓸 수 없습니다",
    "it is not valid JSON": "올바른 JSON이 아닙니다",
    "it is nested too deeply": "너무 깊이 중첩되어 있습니다",
    "it has the wrong form": "형식이 올바르지 않습니다",
    "it must be free or premium": "free 또는 premium이어야 합니다",
    "it has more than {most} entries": "항목이 {most}개보다 많습니다",
    # states and rights
    "the plan's limit of {limit} active memories of a persona is reached": (
        "페르소나마다 사용할 수 있는 기억 {limit}개가 이미 찼습니다"
    ),
    "a newer memory of the persona is about the same topic": (
        "같은 주제의 더 새로운 기억이 이미 사용 중입니다"
    ),
    "the session is with another persona": "다른 페르소나와 나눈 대화입니다",
    "a session that is {status} cannot become {wanted}": (
        "{status} 상태의 대화는 {wanted} 상태가 될 수 없습니다"
    ),
    "a run begins at {first}, not at {wanted}": (
        "실행은 {wanted}이(가) 아니라 {first}에서 시작합니다"
    ),
    "a run cannot go from {layer} to {wanted}": (
        "실행은 {layer}에서 {wanted}(으)로 넘어갈 수 없습니다"
    ),
    "the session is {status}": "대화의 상태가 {status}입니다",
    "the candidate is {status}": "기억 후보의 상태가 {status}입니다",
    "a session of this id exists": "이 아이디의 대화가 이미 있습니다",
    "the session has no run to resume": "이 대화에는 이어서 할 실행이 없습니다",
    "a run of the session is under way": "이 대화에서 실행이 진행 중입니다",
    "an unfinished run of the session is to be resumed": (
        "이 대화에서 끝나지 않은 실행을 먼저 이어서 해야 합니다"
    ),
    "another workflow of the session is under way": (
        "이 대화에서 다른 작업이 진행 중입니다"
    ),
    "the run asks something that is to be answered first": (
        "실행이 묻는 것에 먼저 답해야 합니다"
    ),
    "the run asks nothing": "실행이 묻는 것이 없습니다",
    "the run is past its plan": "실행이 이미 계획을 지났습니다",
    "the memory is in use": "이미 사용 중인 기억입니다",
    "the memory is not in use": "사용 중이 아닌 기억입니다",
    "another memory in use says the same": "같은 내용의 기억이 이미 사용 중입니다",
    "memory is switched off in the person's settings": (
        "설정에서 기억 기능이 꺼져 있습니다"
    ),
    "the person's settings do not allow the category {category}: "
    "add it to allowed_categories": (
        "설정에서 {category} 분류를 허용하지 않습니다. "
        "allowed_categories에 추가해 주세요"
    ),
    "the person was erased meanwhile": "그 사이에 사용자가 삭제되었습니다",
    "what this belongs to was erased meanwhile": (
        "이것이 속한 데이터가 그 사이에 삭제되었습니다"
    ),
    "the person has not agreed to the purpose {purpose}": (
        "사용자가 {purpose} 목적에 동의하지 않았습니다"
    ),
    "the numbers sent do not follow the last ones": (
        "보낸 번호가 마지막 번호에 이어지지 않습니다"
    ),
    "these numbers were sent before with other words": (
        "같은 번호로 다른 내용이 이미 전송되었습니다"
    ),
    "the device's copy is of another epoch": (
        "기기의 사본이 지금의 기억과 이어지지 않습니다"
    ),
    "the device has not said hello yet": "기기가 아직 hello를 보내지 않았습니다",
    "what it holds was erased": "저장된 내용이 삭제되었습니다",
    "it was erased": "기기가 삭제되었습니다",
    "the token is a device's": "기기의 토큰으로는 열 수 없는 주소입니다",
    "the token is another device's": "다른 기기의 토큰입니다",
    "it goes with the actor device only": "actor가 device일 때만 쓸 수 있습니다",
    "the session is another device's": "다른 기기의 대화입니다",
    "the request id is another utterance's": ("이 요청 번호는 다른 발화에 쓰였습니다"),
    "it was shut out": "기기의 접근이 차단되었습니다",
    "device": "기기",
    "receipt": "삭제 확인서",
    "person": "사용자",
    "there is no such purpose": "그런 목적은 없습니다",
    # the command line
    "give at least {least} characters": "{least}자 이상 적어 주세요",
    "several end like this; give more of it": (
        "이렇게 끝나는 것이 여럿입니다. 더 길게 적어 주세요"
    ),
    "{case} has a kind and no value": "{case}에 종류만 있고 값이 없습니다",
    "{case} does not hold its value": "{case}의 글에 그 값이 없습니다",
    "there is no zone for the offset of {offset}": (
        "{offset} 시차에 맞는 시간대가 없습니다"
    ),
    "write it as name=value": "이름=값 형태로 적어 주세요",
    # tokens
    "there is none": "토큰이 없습니다",
    "the token is not valid": "올바른 토큰이 아닙니다",
    "the token has expired": "토큰이 만료되었습니다",
    "the token is not valid yet": "아직 유효하지 않은 토큰입니다",
    "the key is not valid": "올바른 키가 아닙니다",
    "X-Gieok-User does not name the person": (
        "X-Gieok-User에 사용자가 지정되지 않았습니다"
    ),
    "the key does not have the right to {right}": "키에 {right} 권한이 없습니다",
    "user_id names somebody else than the bearer acts for": (
        "user_id가 가리키는 사람을 대신할 권한이 없습니다"
    ),
    "an anonymous session has none": "익명 세션에는 없습니다",
    "an anonymous session lasts 24 hours at most": (
        "익명 세션은 최대 24시간 동안 유지됩니다"
    ),
    "the bearer has no right to this address": "이 주소에 대한 권한이 없습니다",
    "X-Gieok-User and a token both name a person": (
        "X-Gieok-User와 토큰이 모두 사용자를 지정합니다"
    ),
    "the key needs a person's token beside it": (
        "이 키에는 사용자의 토큰이 함께 필요합니다"
    ),
    "the link is not valid any more": "이미 쓰였거나 만료된 링크입니다",
    "there is no sign-in": "로그인되어 있지 않습니다",
    "the pages need HTTPS, except on the machine itself": (
        "이 컴퓨터 밖에서는 HTTPS로 열어야 합니다"
    ),
    "the form was not sent from one of these pages": (
        "이 페이지에서 보낸 양식이 아닙니다"
    ),
    "open a new link first: this sign-in is older than 15 minutes": (
        "로그인한 지 15분이 지났습니다. 새 링크를 먼저 열어 주세요"
    ),
    "sign in anew first: this sign-in is older than 15 minutes": (
        "로그인한 지 15분이 지났습니다. 다시 로그인해 주세요"
    ),
    "the key that signed in does not have all of these rights": (
        "로그인한 키에 없는 권한이 있습니다"
    ),
    "it must be the same id once more": "같은 아이디를 한 번 더 넣어야 합니다",
    "the sign-in is over": "로그인이 끝났습니다",
    "a device cannot make a link to the pages": (
        "기기는 페이지 링크를 만들 수 없습니다"
    ),
    "a header is there twice": "같은 헤더가 두 번 있습니다",
    "The issuer of tokens": "토큰 발급자",
    "its keys could not be fetched": "발급자의 키를 가져오지 못했습니다.",
    # what is away
    "Storage": "저장 공간",
    "the disk is full; nothing was written": (
        "디스크가 가득 찼으며 아무것도 저장하지 않았습니다."
    ),
    "no connection became free; is the server running and reachable?": (
        "사용할 수 있는 연결이 없습니다. 서버가 실행 중인지 확인해 주세요."
    ),
    "a time or a session must be given": "시각이나 세션 중 하나는 주어야 합니다.",
    "it did not answer within {seconds} seconds": (
        "{seconds}초 안에 응답하지 않았습니다."
    ),
    "the key provider retires its keys itself": "키 제공자가 스스로 키를 폐기합니다",
    "the person's key was rotated too often": "이 사람의 키를 너무 자주 교체했습니다",
    "another process is rotating keys": "다른 프로세스가 키를 교체하고 있습니다",
    "something is kept of this person already": (
        "이 사람에 대해 이미 보관된 것이 있습니다"
    ),
    "memory is switched off": "기억이 꺼져 있습니다",
    "a line is too long": "너무 긴 줄이 있습니다",
    "a line is not JSON": "JSON이 아닌 줄이 있습니다",
    "a line is not an object": "객체가 아닌 줄이 있습니다",
    "it is not an export of gieok": "gieok에서 내보낸 파일이 아닙니다",
    "its version is not one that can be read": "읽을 수 없는 버전입니다",
    "a line belongs to no part": "어느 부분에도 속하지 않는 줄이 있습니다",
    "a line is not a row": "행이 아닌 줄이 있습니다",
    "a row has other fields than its part": "행의 필드가 그 부분의 필드와 다릅니다",
    "the field {column} does not hold what belongs there": (
        "{column} 필드에 들어갈 수 없는 값이 있습니다"
    ),
    "a text holds half of a surrogate pair, which is not text": (
        "짝이 없는 서로게이트가 든 글이 있습니다"
    ),
    "a value is nested too deeply": "너무 깊이 중첩된 값이 있습니다",
    "a text is too long": "너무 긴 글이 있습니다",
    "its rows do not fit together": "행들이 서로 맞지 않습니다",
    "a row holds what cannot be": "있을 수 없는 값을 담은 행이 있습니다",
    "its parts are out of order": "부분들의 순서가 틀립니다",
    "it was cut off": "파일이 잘렸습니다",
    "its rows are not those its manifest names": "행들이 목록과 다릅니다",
    "something follows its manifest": "목록 뒤에 다른 것이 있습니다",
    "it has more than one account": "계정이 하나가 아닙니다",
    "a revision is not a whole number": "정수가 아닌 개정 번호가 있습니다",
    "an item has no name": "이름이 없는 항목이 있습니다",
    "a row has no id": "아이디가 없는 행이 있습니다",
    "it is not an archive of this product": "이 제품의 파일이 아닙니다",
    "it is too large": "너무 큽니다",
    "it is damaged or cannot be unpacked": "손상되었거나 압축을 풀 수 없습니다",
    "two entries have the same id": "같은 아이디를 가진 항목이 둘 있습니다",
    "it is not JSON, nor a ZIP file with conversations.json": (
        "JSON도, conversations.json이 든 ZIP 파일도 아닙니다"
    ),
    "export": "내보내기",
    "it cannot be read": "읽을 수 없습니다",
    "it cannot be written": "쓸 수 없습니다",
    "give either a person or --all": "사람과 --all 가운데 하나만 주세요",
    "give either a person or --console": "사람과 --console 가운데 하나만 주세요",
    "it holds no seals": "서명이 담긴 파일이 아닙니다",
    "the keystore is older: run gieok restore-check": (
        "키 저장소가 더 오래되었습니다: gieok restore-check를 실행하세요"
    ),
    "AWS KMS ({name}) wraps the keys of this installation. Set GIEOK_KMS_KEY, or "
    "leave KMS with `gieok keys rotate --to-file`.": (
        "이 설치의 키는 AWS KMS({name})가 감쌉니다. GIEOK_KMS_KEY를 설정하거나 "
        "`gieok keys rotate --to-file`로 KMS를 떠나세요."
    ),
    "AWS KMS wraps the keys of this installation. Set GIEOK_KMS_KEY, or leave KMS "
    "with `gieok keys rotate --to-file`.": (
        "이 설치의 키는 AWS KMS가 감쌉니다. GIEOK_KMS_KEY를 설정하거나 "
        "`gieok keys rotate --to-file`로 KMS를 떠나세요."
    ),
    "AWS KMS seals the key file {path}: set GIEOK_KMS_KEY={name}.": (
        "키 파일 {path}은(는) AWS KMS로 잠겨 있습니다: GIEOK_KMS_KEY={name}"
    ),
    "AWS KMS needs boto3: run `pip install 'gieok[aws]'`.": (
        "AWS KMS에는 boto3가 필요합니다: `pip install 'gieok[aws]'`"
    ),
    "AWS KMS cannot be called ({name}): set AWS_REGION and give credentials as boto3 "
    "finds them.": (
        "AWS KMS를 부를 수 없습니다({name}): AWS_REGION과 boto3가 찾는 자격 증명을 "
        "설정하세요."
    ),
    "AWS KMS refuses the key {name} ({code}): it is another installation's, or this "
    "process may not use it.": (
        "AWS KMS가 키 {name}을(를) 거부합니다({code}): 다른 설치의 키이거나 이 "
        "프로세스에 권한이 없습니다."
    ),
}


def to_korean(phrase: str) -> str:
    """Return a phrase in Korean, or as it is when it is not listed."""
    if phrase in PHRASES:
        return PHRASES[phrase]
    for pattern, korean in _compile_phrases_with_places():
        if found := pattern.fullmatch(phrase):
            return korean.format_map(found.groupdict())
    return phrase


@cache
def _compile_phrases_with_places() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what matches a phrase with anything in its places, and its Korean."""
    return tuple(
        (
            re.compile(
                re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(phrase)), re.DOTALL
            ),
            korean,
        )
        for phrase, korean in PHRASES.items()
        if "{" in phrase
    )
