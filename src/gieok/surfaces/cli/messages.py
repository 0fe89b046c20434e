"""Everything the command line says, in both languages: (Korean, English)."""

from typing import Final

from gieok.surfaces.cli.checking_texts import CHECKING
from gieok.surfaces.cli.device_texts import DEVICE
from gieok.surfaces.cli.help_texts import HELP
from gieok.surfaces.cli.keeping_texts import KEEPING
from gieok.surfaces.cli.profile_texts import PROFILE
from gieok.surfaces.cli.reviewing_texts import REVIEWING
from gieok.surfaces.health_texts import HEALTH

LANGUAGES: Final = ("ko", "en")
_TEXTS: Final[dict[str, tuple[str, str]]] = {
    "opening": ("기억을 여는 중…", "Opening memory…"),
    "stopped": ("멈췄습니다.", "Stopped."),
    "missing_package": (
        "{name} 패키지가 없습니다: pip install 'gieok[local]'",
        "The package {name} is missing: pip install 'gieok[local]'",
    ),
    "unlimited": ("제한 없음", "no limit"),
    "hint.not_permitted": (
        "(gieok settings set USER allowed_categories=all)",
        "(gieok settings set USER allowed_categories=all)",
    ),
    "open.once": (
        "한 번만 쓸 수 있고 10분 뒤 만료됩니다. 본인에게만 주세요.",
        "It works once, within ten minutes. Give it to that person only.",
    ),
    "open.console": (
        "한 번만 쓸 수 있고 10분 뒤 만료됩니다. 여는 사람은 12시간 동안 운영자입니다.",
        "It works once, within ten minutes, and lets one operate for twelve hours.",
    ),
    "open.revoked": (
        "모든 곳에서 로그아웃했습니다.",
        "Signed out everywhere.",
    ),
    # memories
    "remembered": ("기억했습니다 ({mark}).", "Remembered ({mark})."),
    "forgotten": ("{count}개를 완전히 지웠습니다.", "Erased for good: {count}."),
    "forget.what": (
        "기억의 아이디, --about, --all 가운데 하나만 주세요.",
        "Give the id of a memory, --about, or --all.",
    ),
    "forget.unsure": (
        "？ 는 확실하지 않아 그대로 두었습니다: gieok memories confirm 으로 지웁니다.",
        "? may be meant and was left alone: gieok memories confirm erases it.",
    ),
    "forget.done": (
        "기억 {memories}개를 지웠고, 메시지 {messages}개는 다시 찾거나 읽지 않습니다.",
        "Erased: {memories} memories. Never found or read again: {messages} messages.",
    ),
    "why.is": ("기억", "The memory"),
    "why.replaced": ("이것이 대신한 기억", "What it replaced"),
    "why.replaced_by": ("이것을 대신한 기억", "What replaced it"),
    "why.beside": ("비슷하지만 함께 쓰는 기억", "Near it, and in use as well"),
    "action.created": ("생김", "created"),
    "action.updated": ("대체됨", "replaced"),
    "action.merged": ("다시 말함", "said again"),
    "action.deactivated": ("꺼짐", "set aside"),
    "action.reactivated": ("다시 켜짐", "back in use"),
    "action.expired": ("만료됨", "expired"),
    "forget.sure": (
        "{user} 님의 모든 기억을 되돌릴 수 없게 지울까요?",
        "Erase every memory of {user}? This cannot be undone.",
    ),
    "memories.none": ("아직 기억이 없습니다.", "Nothing is remembered yet."),
    "memories.shown": ("{total}개 중 {shown}개", "{shown} of {total}"),
    "candidates.none": ("후보가 없습니다.", "There are no candidates."),
    "confirmed.gone": (
        "확정했습니다. 요청대로 잊었습니다.",
        "Confirmed: it was forgotten, as asked.",
    ),
    "rejected": (
        "거절했습니다 ({mark}). 다시 제안되지 않습니다.",
        "Rejected ({mark}); it is never proposed again.",
    ),
    # summaries
    "summaries.none": ("아직 요약이 없습니다.", "There are no summaries yet."),
    "summaries.nothing": (
        "요약할 만한 내용이 없는 대화입니다.",
        "There is nothing in this conversation to sum up.",
    ),
    "summaries.fallback": (
        "모델이 응답하지 않아 원문 일부를 대신 보여줍니다.",
        "The model did not answer; this is the beginning of the original.",
    ),
    "summaries.felt": (
        "감정: {emotion} · 중요도: {importance}/10",
        "Emotion: {emotion} · importance: {importance}/10",
    ),
    # consent and erasure
    "consent.granted": ("{purpose}: 동의 (v{version})", "{purpose}: yes (v{version})"),
    "consent.withheld": ("{purpose}: 거부 (v{version})", "{purpose}: no (v{version})"),
    "erase.sure": (
        "{user} 님의 모든 것을 되돌릴 수 없게 지울까요?",
        "Erase everything about {user}? This cannot be undone.",
    ),
    "erase.done": (
        "지웠습니다. 행 {rows}개. 확인서: {receipt}. 백업 소멸: {until}.",
        "Erased: {rows} rows. Receipt: {receipt}. Backups are gone by {until}.",
    ),
    "restore.done": ("다시 지운 것: {count}개.", "Erased again: {count}."),
    # sessions
    "sessions.none": ("아직 대화가 없습니다.", "There are no conversations yet."),
    "sessions.closed": ("대화를 마쳤습니다 ({mark}).", "Ended ({mark})."),
    "sessions.sure": (
        "대화 {name}을(를) 되돌릴 수 없게 지울까요?",
        "Erase conversation {name}? This cannot be undone.",
    ),
    "sessions.deleted": (
        "완전히 지웠습니다 ({mark}): 메시지 {messages}개, 기억 {memories}개.",
        "Erased for good ({mark}): messages {messages}, memories {memories}.",
    ),
    "recall.none": ("찾은 것이 없습니다.", "Nothing was found."),
    "context.none": (
        "(관련된 기억이 없어 아무것도 넣지 않습니다)",
        "(nothing known bears on this; nothing is added)",
    ),
    # access
    "access.none": ("아직 키가 없습니다.", "There are no keys yet."),
    "access.created": (
        "{id} · 키는 지금만 보입니다. 안전한 곳에 보관하세요.",
        "{id} · the key is shown this once: keep it somewhere safe.",
    ),
    "access.revoked": ("폐기했습니다.", "Revoked."),
    # jobs, reembed
    "jobs.count": ("{status}: {count}", "{status}: {count}"),
    "jobs.retrying": (
        "실패하여 다시 시도할 작업:",
        "Jobs that failed and will be tried again:",
    ),
    "jobs.none_failed": ("포기한 작업이 없습니다.", "No job was given up."),
    "jobs.retry_hint": (
        "다시 시도: gieok jobs retry 번호",
        "To try again: gieok jobs retry ID",
    ),
    "jobs.retried": (
        "{job}번 작업이 다시 대기합니다.",
        "Job {job} waits in the queue again.",
    ),
    "reembed.people": ("사람", "people"),
    "reembed.done": (
        "{embedder}: 벡터 {count}개를 새로 만들었습니다.",
        "{embedder}: {count} vectors made anew.",
    ),
    # serve, worker
    "serve.at": (
        "http://{host}:{port} 에서 듣고 있습니다 (명세: /openapi.json, 종료: Ctrl-C).",
        "Listening on http://{host}:{port} (routes: /openapi.json, stop: Ctrl-C).",
    ),
    "serve.worker": ("작업자가 함께 실행됩니다.", "The worker runs inside."),
    "serve.no_worker": (
        "작업자가 없습니다. 다른 곳에서 `gieok worker`를 실행하세요.",
        "There is no worker here: run `gieok worker` beside it.",
    ),
    "serve.token": (
        "토큰 받기: gieok token USER",
        "To get a token: gieok token USER",
    ),
    "serve.no_tutor_cards": (
        "튜터의 카드를 아직 쓸 수 없습니다. {problem}",
        "The tutor's cards cannot be used yet. {problem}",
    ),
    "serve.pages": (
        "한 사람의 기억 페이지: gieok open USER, 운영 페이지: gieok open --console",
        "Pages of a person: gieok open USER; of operators: gieok open --console",
    ),
    "worker.running": (
        "작업자가 실행 중입니다 (종료: Ctrl-C).",
        "The worker is running (stop: Ctrl-C).",
    ),
    # chat
    "chat.you": ("나", "you"),
    "chat.hello": (
        "{user} 님, 말해 보세요. /memories /forget ID /quit",
        "Talk away, {user}. /memories /forget ID /quit",
    ),
    "chat.commands": (
        "명령: /memories · /forget ID · /quit",
        "Commands: /memories · /forget ID · /quit",
    ),
    "chat.no_model": (
        "설정된 모델이 없어 답하지 않습니다. 프롬프트에는 이것이 들어갑니다:",
        "No model is configured, so nobody answers. A prompt would get this:",
    ),
    "chat.add": ("＋ 기억했습니다: {content}", "+ Remembered: {content}"),
    "chat.update": ("↻ 기억을 고쳤습니다: {content}", "~ Memory corrected: {content}"),
    "chat.delete": ("－ 잊었습니다: {content}", "- Forgotten: {content}"),
    "chat.ask": (
        "？ 이것을 잊을까요: {content} (gieok memories confirm)",
        "? Shall I forget this: {content} (gieok memories confirm)",
    ),
    "chat.reinforce": ("✓ 이미 아는 것입니다: {content}", "= Known already: {content}"),
    "chat.pending": (
        "？ 후보로 두었습니다: {content}",
        "? Kept as a candidate: {content}",
    ),
    "chat.bye": ("대화를 마쳤습니다.", "The session is over."),
    # eval
    "eval.going": ("평가", "Evaluating"),
    "eval.done": (
        "{items}개 항목 → {lines}줄, {seconds}초: {out}",
        "{items} items → {lines} lines in {seconds} s: {out}",
    ),
    "measured.recall": ("모두 가린 비율", "masked, all kinds"),
    "measured.false_marks": ("잘못 가림, 1,000건 중", "false marks in 1,000"),
    "measured.new_plain": ("새로 말한 사실이 쓰임", "new plain facts in use"),
    "measured.new_other": ("여럿 중 새 사실이 쓰임", "new facts among others in use"),
    "measured.changes": ("바뀐 것이 맞게 바뀜", "changes of the right memory"),
    "measured.ends": ("끝난 것을 쓰지 않음", "ended, not in use"),
    "measured.wishes": ("잊어 달라는 것을 지움", "wishes to forget, erased"),
    "measured.said": ("말했을 뿐인 것도 지움", "said and asked to forget, gone"),
    "measured.unsure": ("모호하면 그대로 둠", "unsure, left alone"),
    "measured.repeats": ("되풀이를 다시 담지 않음", "repeats kept once"),
    "measured.unrelated": ("관계없는 기억이 남음", "unrelated memories kept"),
    "measured.nothing": ("아무것도 아닌 것을 안 담음", "nothing learned of nothing"),
    "measured.claims": ("까닭 없이 보류하지 않음", "harmless claims not held"),
    "measured.remembered": ("엿새 뒤에도 기억", "remembered after six days"),
    "measured.remembered_months": ("한 해 뒤에도 기억", "remembered after a year"),
    "measured.answered_months": ("블록이 답함, 800토큰", "answered, 800 tokens"),
    "measured.answered_300": ("블록이 답함, 300토큰", "answered, 300 tokens"),
    "measured.answered_1500": ("블록이 답함, 1,500토큰", "answered, 1,500 tokens"),
    "measured.answered_day_7": ("· 7일째", "· on day 7"),
    "measured.answered_day_30": ("· 30일째", "· on day 30"),
    "measured.answered_day_90": ("· 90일째", "· on day 90"),
    "measured.answered_day_180": ("· 180일째", "· on day 180"),
    "measured.answered_day_330": ("· 330일째", "· on day 330"),
    "measured.sensible": ("쓰이는 것이 사실임", "in use and a fact"),
    "measured.passing": ("지나가는 말을 담지 않음", "passing remarks not in use"),
    "measured.supersessions": (
        "대체된 것이 잃은 것이 아님",
        "superseded, nothing lost",
    ),
    "measured.answered": ("다음 날 블록이 답함", "answered by the next day's block"),
    "measured.recalled": ("검색 다섯 건 안에 답이 있음", "in the first five found"),
    "measured.answered_later": ("나중에 블록이 답함", "answered by the block, later"),
    "measured.recalled_later": (
        "나중에 검색 다섯 건 안에",
        "in the first five found, later",
    ),
    "measured.current_later": (
        "나중에 지난 값을 보이지 않음",
        "nothing outdated shown, later",
    ),
    "measured.current": ("지난 값을 보이지 않음", "nothing outdated shown"),
    "measured.forgotten": ("잊어 달란 말이 사라짐", "what was to be forgotten is gone"),
    "measured.card_right": ("카드의 맞는 자리에 있음", "on the card, right place"),
    "measured.card_wrong": ("카드의 다른 자리에 있음", "on the card, wrong place"),
    "measured.card_missing": ("카드에 없음", "not on the card"),
    "measured.card_gone": ("잊어 달란 것이 카드에 없음", "to be forgotten, not there"),
    "measured.card_founded": (
        "카드의 값을 표시가 뒷받침",
        "values that a label bears out",
    ),
    "measured.card_placed": (
        "표시된 문장의 자리가 맞음",
        "labelled sentences placed right",
    ),
    # demo
    "demo.what": (
        "빈 데이터베이스에서 시작합니다. 키도 네트워크도 쓰지 않습니다.",
        "Starting from an empty database, without a key and without a network.",
    ),
    "demo.loading_e5": ("임베딩 모델을 읽는 중…", "Loading the embedder…"),
    "demo.loading_kiwi": ("형태소 분석기를 읽는 중…", "Loading the Korean analyser…"),
    "demo.first": ("첫째 날 · 나눈 대화", "Day 1 · what was said"),
    "demo.next": ("다음 날, 새 대화", "The next day, a new session"),
    "demo.third": ("셋째 날", "The third day"),
    "demo.correction": ("바뀐 사실", "A fact changes"),
    "demo.forgetting": ("잊어 달라는 말", "A wish to be forgotten"),
    "demo.remembered": ("기억에 있는 것", "What memory holds"),
    "demo.block": ("프롬프트에 들어가는 블록", "The block that goes into the prompt"),
    "demo.greeting": (
        "어제 대화의 요약, 그리고 오늘의 첫마디",
        "Yesterday in short, and the first words of today",
    ),
    "demo.episode": (
        "{feeling} · 중요도 {importance}",
        "{feeling} · importance {importance}",
    ),
    "emotion.joy": ("기쁨", "joy"),
    "emotion.sadness": ("슬픔", "sadness"),
    "emotion.stress": ("스트레스", "stress"),
    "emotion.calm": ("평온", "calm"),
    "emotion.excitement": ("흥분", "excitement"),
    "demo.assistant": ("비서", "Assistant"),
    "demo.done": (
        "{seconds}초 · 메모리 {total} MB ({parts})",
        "{seconds} s · {total} MB resident ({parts})",
    ),
    "demo.postgres": (
        "PostgreSQL은 따로 {megabytes} MB",
        "PostgreSQL beside it: {megabytes} MB",
    ),
    "demo.python": ("파이썬과 명령줄", "Python and command line"),
    "demo.libraries": ("데이터베이스 연결", "database client"),
    "demo.e5": ("임베딩 모델 e5", "e5 embedder"),
    "demo.kiwi": ("한국어 Kiwi", "Kiwi (Korean)"),
    "demo.work": ("작업", "work"),
    "demo.kept": (
        "데이터: {data}\n둘러보기: GIEOK_DATA={data} gieok memories {person} --all",
        "Data: {data}\nLook around: GIEOK_DATA={data} gieok memories {person} --all",
    ),
    "demo.broken": ("기대와 다릅니다 · {claim}", "This did not hold · {claim}"),
    "expect.home": ("'{home}'을(를) 기억한다", "“{home}” is remembered"),
    "expect.private": ("'{private}'을(를) 기억한다", "“{private}” is remembered"),
    "expect.injected": (
        "다음 날 블록에 '{home}'이(가) 들어간다",
        "the next day, the block holds “{home}”",
    ),
    "expect.greeted": (
        "다음 날의 첫마디가 '{event}' 이야기를 잇는다",
        "the next day's first words take up “{event}”",
    ),
    "expect.new_home": ("'{new_home}'을(를) 기억한다", "“{new_home}” is remembered"),
    "expect.hobby": (
        "새로 말한 '{hobby}'도 기억한다",
        "“{hobby}”, which is new, is remembered too",
    ),
    "expect.drink": (
        "새로 말한 '{drink}'도 기억한다",
        "“{drink}”, which is new, is remembered too",
    ),
    "expect.kept": (
        "'{new_home}'와(과) '{hobby}'는 그대로 남아 있다",
        "“{new_home}” and “{hobby}” are still there",
    ),
    "expect.superseded": (
        "'{home}' 기억은 새 기억으로 대체되었다",
        "the memory of “{home}” is superseded by the new one",
    ),
    "expect.new_injected": (
        "블록에 '{new_home}'이(가) 들어간다",
        "the block holds “{new_home}”",
    ),
    "expect.old_gone": (
        "블록에 '{home}'은(는) 더 없다",
        "the block no longer holds “{home}”",
    ),
    "expect.private_injected": (
        "아직은 블록에 '{private}'이(가) 들어간다",
        "so far, the block holds “{private}”",
    ),
    "expect.erased": (
        "'{private}' 기억이 지워졌다",
        "the memory of “{private}” is erased",
    ),
    "expect.not_injected": (
        "블록에 '{private}'은(는) 더 없다",
        "the block no longer holds “{private}”",
    ),
    "expect.not_recalled": (
        "그 말을 했던 메시지도 더는 찾을 수 없다",
        "nor is the message it came from found any more",
    ),
    # doctor
    "doctor.looking": ("점검하는 중…", "Looking…"),
    "doctor.free": ("{path}, 남은 공간 {free} GB", "{path}, {free} GB free"),
    "doctor.own": ("설정된 서버가 답합니다", "the configured server answers"),
    "doctor.embedded": ("내장 서버가 실행됩니다", "the embedded server runs"),
    "doctor.no_key": ("{path} 파일이 없습니다.", "{path} is missing."),
    "doctor.well": ("모두 정상입니다.", "Everything is in place."),
    "doctor.unwell": ("손볼 곳이 있습니다.", "Something needs attention."),
    "advice.data": (
        "GIEOK_DATA를 쓸 수 있는 디렉터리로 바꾸세요.",
        "Set GIEOK_DATA to a directory you can write.",
    ),
    "advice.disk": ("디스크 공간을 비우세요.", "Free some disk space."),
    "advice.database": (
        "GIEOK_DATABASE_URL과 서버, 데이터 디렉터리를 확인하세요.",
        "Check GIEOK_DATABASE_URL and the server, or the data directory.",
    ),
    "advice.key": (
        "백업한 키 파일을 되돌려 놓으세요 (GIEOK_KEY_FILE).",
        "Put the key file back from your backup (GIEOK_KEY_FILE).",
    ),
}
_WORDS: Final[dict[str, tuple[str, str]]] = {
    "category.location": ("위치", "location"),
    "category.preference": ("선호", "preference"),
    "category.behavior": ("행동", "behavior"),
    "category.context": ("상황", "context"),
    "category.feedback": ("의견", "feedback"),
    "category.constraint": ("제약", "constraint"),
    "category.habit": ("습관", "habit"),
    "category.device_pattern": ("기기 사용", "device pattern"),
    "operation.add": ("추가", "add"),
    "operation.update": ("변경", "update"),
    "operation.delete": ("삭제", "delete"),
    "operation.reinforce": ("재확인", "reinforce"),
    "status.pending": ("대기", "pending"),
    "status.confirmed": ("확정", "confirmed"),
    "status.rejected": ("거절", "rejected"),
    "status.expired": ("만료", "expired"),
    "session.created": ("새 대화", "created"),
    "session.active": ("진행 중", "active"),
    "session.paused": ("멈춤", "paused"),
    "session.completed": ("마침", "completed"),
    "session.failed": ("실패", "failed"),
    "session.expired": ("만료", "expired"),
    "inactive.superseded": ("대체됨", "superseded"),
    "inactive.denied": ("부인됨", "denied"),
    "inactive.capacity": ("밀려남", "made room"),
    "inactive.user_request": ("꺼 둠", "set aside"),
    "inactive.other": ("쓰지 않음", "not in use"),
    "kind.message": ("메시지", "message"),
    "kind.memory": ("기억", "memory"),
    "role.user": ("사용자", "user"),
    "role.assistant": ("비서", "assistant"),
    "role.system": ("시스템", "system"),
    "column.action": ("일", "what happened"),
    "column.before": ("전", "before"),
    "column.after": ("후", "after"),
    "column.reason": ("이유", "reason"),
    "column.session": ("세션", "session"),
    "column.measured": ("측정한 것", "measured"),
    "column.category": ("종류", "category"),
    "column.confidence": ("확신", "sure"),
    "column.memory": ("기억", "memory"),
    "column.source": ("들은 말", "from"),
    "column.mark": ("표식", "mark"),
    "column.session_status": ("상태", "status"),
    "column.messages": ("메시지", "messages"),
    "column.pairs": ("주고받기", "turns"),
    "column.started": ("시작", "started"),
    "column.operation": ("일", "operation"),
    "column.claim": ("주장", "claim"),
    "column.score": ("점수", "score"),
    "column.kind": ("갈래", "kind"),
    "column.found": ("찾은 것", "found"),
    "column.at": ("날짜", "date"),
    "column.setting": ("설정", "setting"),
    "column.value": ("값", "value"),
    "column.day": ("날짜", "day"),
    "column.week": ("주", "week"),
    "column.summary": ("요약", "summary"),
    "column.open": ("할 일", "open"),
    "emotion.joy": ("기쁨", "joy"),
    "emotion.sadness": ("슬픔", "sadness"),
    "emotion.stress": ("스트레스", "stress"),
    "emotion.calm": ("평온", "calm"),
    "emotion.excitement": ("흥분", "excitement"),
    "column.key": ("키", "key"),
    "column.app": ("앱", "app"),
    "column.rights": ("권한", "rights"),
    "column.used": ("마지막 사용", "last used"),
    "column.revoked": ("폐기", "revoked"),
    "column.job": ("번호", "job"),
    "column.task": ("작업", "task"),
    "column.attempts": ("시도", "tries"),
    "column.about": ("대상", "about"),
    "column.check": ("점검", "check"),
    "column.state": ("상태", "state"),
    "column.finding": ("확인한 것", "finding"),
    "column.advice": ("할 일", "what to do"),
    "check.data": ("데이터 디렉터리", "data directory"),
    "check.database": ("데이터베이스", "database"),
    "check.key": ("키 파일", "key file"),
}
CATALOGUE: Final = (
    HELP | CHECKING | DEVICE | KEEPING | HEALTH | REVIEWING | PROFILE | _TEXTS | _WORDS
)


def format_message(key: str, language: str, **details: object) -> str:
    """Return a message in "ko" or "en", its places filled."""
    return CATALOGUE[key][LANGUAGES.index(language)].format_map(details)


def is_message_key(key: str | None) -> bool:
    """Tell whether there is such a message."""
    return key in CATALOGUE
