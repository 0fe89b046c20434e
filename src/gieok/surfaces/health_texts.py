"""What checks of an installation find, and what to do: (Korean, English)."""

from typing import Final

HEALTH: Final[dict[str, tuple[str, str]]] = {
    "doctor.skipped": ("앞선 문제로 점검하지 못함", "not checked: see above"),
    "doctor.people": ("{count}명의 키", "keys of {count} people"),
    "doctor.schema": (
        "이 버전의 스키마, PostgreSQL {version}",
        "this version's schema, PostgreSQL {version}",
    ),
    "doctor.queue": (
        "대기 {waiting}, 차례가 된 것 {ready}, 지연 {lag}초",
        "{waiting} waiting, {ready} due, {lag} s late",
    ),
    "doctor.failed": ("포기한 작업 {count}", "{count} given up"),
    "doctor.rows": ("모든 행을 읽을 수 있습니다", "every row can be read"),
    "doctor.unreadable": (
        "읽을 수 없는 행: {rows}",
        "rows that cannot be read: {rows}",
    ),
    "advice.schema": (
        "이 버전보다 새 gieok이 만든 데이터인지 확인하세요.",
        "Check whether a newer gieok made this data.",
    ),
    "advice.keystore": (
        "키 파일과 키 저장소가 같은 설치의 것인지 확인하세요.",
        "Make sure key file and keystore belong to the same installation.",
    ),
    "advice.embedder": (
        "GIEOK_EMBEDDER를 확인하거나 `gieok reembed`를 실행하세요.",
        "Check GIEOK_EMBEDDER, or run `gieok reembed`.",
    ),
    "advice.tokenizer": (
        "`pip install 'gieok[local]'`로 다시 설치하세요.",
        "Reinstall with `pip install 'gieok[local]'`.",
    ),
    "advice.model": (
        "GIEOK_MODEL과 API 키, 네트워크를 확인하세요. 비우면 규칙 모델을 씁니다.",
        "Check GIEOK_MODEL, its key and the network; unset it to use the rules.",
    ),
    "advice.tutor_cards": (
        "GIEOK_TUTOR_TABLE, GIEOK_DYNAMODB_REGION과 AWS 권한을 확인하세요.",
        "Check GIEOK_TUTOR_TABLE, GIEOK_DYNAMODB_REGION and the rights in AWS.",
    ),
    "advice.queue": (
        "`gieok worker`나 `gieok serve`가 실행 중인지 확인하세요.",
        "Make sure that `gieok worker` or `gieok serve` is running.",
    ),
    "advice.dead_letters": (
        "`gieok jobs`로 보고 `gieok jobs retry`로 다시 시도하세요.",
        "See `gieok jobs`, and try again with `gieok jobs retry`.",
    ),
    "advice.rows": (
        "쓰이지 않는 행입니다. gieok audit verify --all이 누구의 것인지 알려 줍니다.",
        "They are used nowhere; gieok audit verify --all says whose they are.",
    ),
    "advice.unknown": (
        "예상하지 못한 문제입니다. 이 줄을 붙여 알려 주세요.",
        "This was not expected; please report this line.",
    ),
    "state.ok": ("정상", "ok"),
    "state.problem": ("문제", "problem"),
    "state.skipped": ("보류", "skipped"),
    "check.schema": ("스키마", "schema"),
    "check.keystore": ("키 저장소", "keystore"),
    "check.embedder": ("임베딩 모델", "embedder"),
    "check.tokenizer": ("형태소 분석", "tokenizer"),
    "check.model": ("추출 모델", "model"),
    "check.tutor_cards": ("튜터의 카드", "the tutor's cards"),
    "check.queue": ("작업 대기열", "queue"),
    "check.rows": ("읽을 수 없는 행", "unreadable rows"),
    "check.dead_letters": ("포기한 작업", "dead letters"),
}
