"""Help of every command, argument and option, in both languages: (Korean, English)."""

from typing import Final

HELP: Final[dict[str, tuple[str, str]]] = {
    "help.gieok": (
        "대화형 에이전트의 장기 기억. API 키 없이 동작합니다.",
        "Long-term memory for conversational agents. Works without an API key.",
    ),
    "help.codes": (
        "종료 코드: 0 완료 · 1 없음, 점검 실패 · 2 오류, 잘못된 사용 · 130 Ctrl-C",
        "Exit codes: 0 done · 1 not found, check failed · 2 error, misuse · 130 Ctrl-C",
    ),
    "help.demo": (
        "몇 초 만에 보는 기억: 말하고, 기억하고, 고치고, 잊습니다.",
        "Memory in a few seconds: said, remembered, corrected, forgotten.",
    ),
    "help.chat": (
        "대화하면서 무엇이 기억되는지 봅니다.",
        "Talk, and see what is remembered.",
    ),
    "help.serve": ("REST API를 제공합니다.", "Serve the REST API."),
    "help.worker": ("작업자만 실행합니다.", "Run the worker alone."),
    "help.token": (
        "한 사람의 접근 토큰을 출력합니다.",
        "Print a bearer token for a person.",
    ),
    "help.open": (
        "한 사람이 자기 기억을 보는 페이지나 운영 페이지의 링크를 출력합니다.",
        "Print a link to the pages of a person's memory, or of operators.",
    ),
    "opt.console": (
        "사용자 대신 운영자를 위한 페이지.",
        "The pages of operators, instead of a person's.",
    ),
    "opt.token_device": (
        "이 기기만 쓸 수 있는 토큰을 만듭니다.",
        "For one device: it opens only what devices ask.",
    ),
    "opt.server": ("서버의 주소.", "Where the server is."),
    "opt.revoke": (
        "모든 곳에서 로그아웃하고 링크를 무효로 합니다.",
        "Sign them out everywhere, and void their links.",
    ),
    "help.remember": ("사실 하나를 기억합니다.", "Remember a fact."),
    "help.recall": (
        "말한 것과 아는 것에서 찾습니다.",
        "Search what was said and what is known.",
    ),
    "help.context": (
        "프롬프트에 넣을 기억 블록을 출력합니다.",
        "Print the block of memory that goes into a prompt.",
    ),
    "help.forget": (
        "기억을 완전히 지웁니다.",
        "Erase a memory for good.",
    ),
    "help.memories": (
        "기억과 후보를 보고, 후보를 확정하거나 거절합니다.",
        "List memories and candidates; confirm or reject a candidate.",
    ),
    "help.memories.list": ("기억이나 후보를 봅니다.", "List memories or candidates."),
    "help.memories.why": (
        "기억이 무엇에 근거하는지, 무엇을 대신했는지 봅니다.",
        "Show what a memory rests on, and what it replaced.",
    ),
    "opt.about": (
        "잊을 것: '내 직업', '사는 곳은 잊어 줘'.",
        "What to forget: 'my job', 'forget where I live'.",
    ),
    "help.memories.confirm": (
        "후보를 기억으로 확정합니다.",
        "Make a candidate a memory.",
    ),
    "help.settings.usage": (
        "기억이 몇 개이고 얼마나 쓰였는지 봅니다.",
        "Show how many memories there are, and how often they were used.",
    ),
    "help.memories.policy": (
        "기한이 지난 기억을 어떻게 할지 정합니다.",
        "Say what becomes of a memory once its time is over.",
    ),
    "arg.policy": (
        "user_delete(남김), retention_expire(지움), manual_review(물어봄).",
        "user_delete (keep it), retention_expire (erase it), manual_review (ask).",
    ),
    "help.memories.reject": (
        "후보를 거절합니다. 같은 내용은 다시 제안되지 않습니다.",
        "Refuse a candidate; the same claim is never proposed again.",
    ),
    "help.summaries": (
        "하루, 한 주, 대화의 요약을 봅니다.",
        "What days, weeks and conversations were about.",
    ),
    "help.summaries.days": ("하루 요약을 최근 순으로 봅니다.", "Days, newest first."),
    "help.summaries.weeks": ("주간 요약을 최근 순으로 봅니다.", "Weeks, newest first."),
    "help.summaries.session": ("대화 하나를 요약합니다.", "Sum up one conversation."),
    "help.sessions": (
        "대화를 보고, 마치고, 지웁니다.",
        "Show, end and erase conversations.",
    ),
    "help.sessions.list": ("대화를 최근 순으로 봅니다.", "List them, newest first."),
    "help.sessions.show": ("대화에서 오간 말을 봅니다.", "Show what was said in one."),
    "help.sessions.close": ("대화를 마칩니다.", "End one."),
    "help.sessions.delete": (
        "대화와 그 대화에서만 알게 된 것을 완전히 지웁니다.",
        "Erase one, with what was learned from it alone.",
    ),
    "help.person": (
        "사용자의 언어와 시간대.",
        "A person's language and time zone.",
    ),
    "help.person.show": (
        "언어, 시간대, 요금제를 봅니다.",
        "Show the language, time zone and plan.",
    ),
    "help.person.set": (
        "언어나 시간대를 바꿉니다.",
        "Change the language or time zone.",
    ),
    "opt.language": (
        "제목, 알림, 첫인사의 언어: ko 또는 en",
        "of headings, notices and greetings: ko or en",
    ),
    "opt.time_zone": (
        "하루가 시작되는 곳, 예: America/New_York",
        "where the days begin, e.g. America/New_York",
    ),
    "help.settings": (
        "한 사람이 허용하는 것을 보고 바꿉니다.",
        "Show and change what a person allows.",
    ),
    "help.settings.show": ("설정을 봅니다.", "Show the settings."),
    "help.settings.set": (
        "설정을 바꿉니다. 예: allowed_categories=all words_days=365",
        "Change settings, e.g. allowed_categories=all words_days=365",
    ),
    "help.access": ("앱의 API 키를 관리합니다.", "The API keys of apps."),
    "help.access.list": ("모든 키를 봅니다.", "List every key, revoked ones too."),
    "help.access.create": (
        "키를 만들어 한 번만 출력합니다.",
        "Make a key and print it, once.",
    ),
    "help.access.revoke": ("키를 폐기합니다.", "Refuse a key from now on."),
    "help.consent": (
        "한 사람이 동의한 목적을 보고 바꿉니다.",
        "Show and change what a person agrees to.",
    ),
    "help.consent.show": ("동의 상태를 봅니다.", "Show the standing decisions."),
    "help.consent.set": (
        "동의를 기록합니다. 철회하면 그 목적의 데이터가 바로 지워집니다.",
        "Note decisions; what was kept for a withdrawn purpose is erased at once.",
    ),
    "help.erase": (
        "한 사람의 모든 것을 지우고 그 키를 파기합니다.",
        "Erase everything about a person and destroy their keys.",
    ),
    "help.restore-check": (
        "백업을 복원한 뒤, 이미 지워진 것을 다시 지웁니다.",
        "After a restore: erase again what had been erased.",
    ),
    "help.jobs": (
        "뒤따르는 작업: 대기, 실패, 다시 시도.",
        "Jobs: what waits, what failed, try again.",
    ),
    "help.jobs.list": (
        "상태별 개수와 포기한 작업을 봅니다.",
        "Count jobs by status and list those given up.",
    ),
    "help.jobs.retry": (
        "포기한 작업을 다시 대기시킵니다.",
        "Put a failed job back in the queue.",
    ),
    "help.doctor": (
        "모든 것이 제자리에 있는지, 아니면 무엇을 할지 알려 줍니다.",
        "Check that everything is in place, and say what to do if not.",
    ),
    "help.reembed": (
        "임베딩 모델을 바꾼 뒤 모든 벡터를 새로 만듭니다.",
        "Make every vector anew after the embedder was changed.",
    ),
    "help.eval": (
        "평가 자료로 실제 파이프라인을 돌립니다.",
        "Run the real pipeline over evaluation sets.",
    ),
    "help.eval.extract": (
        "dialogues.jsonl → predictions.jsonl: 무엇이 기억되는가.",
        "dialogues.jsonl → predictions.jsonl: what is remembered.",
    ),
    "help.eval.second": (
        "이미 아는 것이 있을 때 한 세션이 무엇을 바꾸는가 (표).",
        "What a session changes when something is known already (a table).",
    ),
    "help.eval.months": (
        "한 해 동안 무엇을 알고, 무엇에 답하고, 무엇을 쓸데없이 담는가 (표).",
        "What is known, answered and kept without reason over a year (a table).",
    ),
    "help.eval.days": (
        "엿새 동안 말한 것을 이레째에 아는가 (표).",
        "What is known on the seventh day of six days' talk (a table).",
    ),
    "help.eval.pii": (
        "표시된 글에서 개인정보를 얼마나 가리고 무엇을 잘못 가리는가 (표).",
        "What is masked of labelled texts, and what is wrongly masked (a table).",
    ),
    "help.eval.profile": (
        "dialogues.jsonl: 프로필 카드에 무엇이 맞게, 틀리게 적히고 빠지는가 (표).",
        "dialogues.jsonl: what a profile card has right, wrong and not (a table).",
    ),
    "help.eval.recall": (
        "users.jsonl → ranks.jsonl: 어떤 메시지를 찾는가.",
        "users.jsonl → ranks.jsonl: which messages are found.",
    ),
    "help.eval.locomo": (
        "locomo.json → ranks.jsonl: LoCoMo의 질문에 어떤 발화를 찾는가.",
        "locomo.json → ranks.jsonl: which turns are found for LoCoMo.",
    ),
    "arg.person": ("앱이 쓰는 사용자 아이디.", "The id your app gives the person."),
    "arg.mark": (
        "아이디, 또는 그 끝 네 글자 이상.",
        "The id, or at least its last four characters.",
    ),
    "arg.content": ("기억할 문장.", "The sentence to remember."),
    "arg.question": ("물어볼 말.", "What is asked."),
    "arg.consents": (
        "목적=true|false. 목적: storage, profile, sensitive, sync.",
        "PURPOSE=true|false; storage, profile, sensitive or sync.",
    ),
    "opt.notice": (
        "사용자에게 보여 준 안내문의 이름.",
        "Which text the person was shown.",
    ),
    "arg.changes": ("바꿀 설정, 이름=값.", "Settings to change, name=value."),
    "arg.job": ("작업 번호.", "The number of the job."),
    "arg.app": ("앱의 이름.", "What the app is called."),
    "arg.key": ("키의 아이디.", "The id of the key."),
    "opt.right": (
        "권한: read, write, admin, act_as. 여러 번 줄 수 있습니다.",
        "A right: read, write, admin or act_as. May be given several times.",
    ),
    "opt.lang": ("메시지 언어: ko 또는 en.", "Language of messages: ko or en."),
    "opt.json": ("JSON으로 출력.", "Print JSON."),
    "opt.keep": (
        "데이터를 지우지 않고 남깁니다.",
        "Leave the data behind instead of deleting it.",
    ),
    "opt.host": ("들을 주소.", "Address to listen on."),
    "opt.port": ("들을 포트. 0이면 빈 포트.", "Port to listen on; 0 takes a free one."),
    "opt.worker": (
        "작업자를 함께 실행할지 여부.",
        "Whether the worker runs inside.",
    ),
    "opt.ttl": ("유효 시간(시간 단위).", "Hours for which it is valid."),
    "opt.category": ("기억의 종류.", "What kind of thing it is."),
    "opt.limit": ("최대 개수.", "How many at most."),
    "opt.status": ("이 상태의 대화만.", "Only conversations of this status."),
    "opt.kind": ("메시지만, 또는 기억만.", "Messages only, or memories only."),
    "opt.tokens": ("블록의 최대 토큰 수.", "Most tokens the block may take."),
    "opt.all": (
        "쓰이지 않는 것도 봅니다.",
        "Show what is no longer in use as well.",
    ),
    "opt.candidates": (
        "기억 대신 후보를 봅니다.",
        "List candidates instead of memories.",
    ),
    "opt.forget_all": ("모든 기억을 지웁니다.", "Erase every memory."),
    "opt.yes": ("묻지 않습니다.", "Do not ask."),
    "opt.in_several": ("평가 자료, 여럿 가능.", "The evaluation sets."),
    "opt.known": (
        "세션 전에 아는 것의 수, 여럿 가능 (기본 8과 30).",
        "How many things are known before, may be repeated (8 and 30).",
    ),
    "opt.later": (
        "이만큼의 날이 지난 뒤에도 한 번 더 묻습니다.",
        "Ask once more after so many days.",
    ),
    "opt.wrong": ("틀린 경우를 모두 보입니다.", "Show every case that went wrong."),
    "opt.in": ("평가 자료.", "The evaluation set."),
    "opt.out": ("쓸 파일.", "The file to write."),
}
