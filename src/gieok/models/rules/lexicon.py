"""Words the rules look for: closed classes and standard vocabulary, no phrases.

English entries are lower-case words, matched as whole words. Korean entries are
Kiwi forms (predicates as stems), matched against morphemes; the few Korean regular
expressions match the written text, because their form is what carries the meaning.
"""

import re
from typing import Final

from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_set

# --- who is spoken about -----------------------------------------------------------
ME_KO: Final = frozenset({"나", "저", "내", "제", "우리", "저희", "본인"})
ME_EN: Final = frozenset(
    {"i", "me", "my", "mine", "myself", "we", "us", "our", "ours"}
    | {"i'm", "i've", "i'd", "i'll", "we're", "we've", "we'd", "we'll", "im", "ive"}
)
OTHERS_KO: Final = frozenset({"걔", "쟤", "얘", "그분", "저분", "그놈", "그녀", "그들"})
OTHERS_EN: Final = frozenset(
    {"he", "she", "they", "him", "her", "his", "them", "their", "hers", "theirs"}
    | {"he's", "she's", "they're", "he'd", "she'd", "they'd", "they've"}
)
KIN_KO: Final = parse_word_set(
    "엄마 아빠 어머니 아버지 부모 부모님 어머님 아버님 남편 아내 와이프 신랑 집사람 "
    "아들 딸 딸내미 아이 애 애기 아기 첫째 둘째 셋째 막내 쌍둥이 누나 언니 오빠 형 "
    "동생 여동생 남동생 할머니 할아버지 손주 손자 손녀 조카 이모 고모 삼촌 시어머니 "
    "시아버지 시부모 장모 장인 처제 처남 며느리 사위 가족 여자친구 남자친구 여친 남친 "
    "약혼자 예비신랑 예비신부 강아지 고양이 반려견 반려묘 댕댕이 냥이 멍멍이 햄스터 "
    "앵무새 거북이 토끼"
)
KIN_EN: Final = parse_word_set(
    "mother father mom mum dad parents husband wife spouse partner son sons daughter "
    "daughters kid kids child children baby toddler twins sister sisters brother "
    "brothers grandma grandpa grandmother grandfather grandson granddaughter "
    "grandchildren niece nieces nephew nephews aunt uncle cousin cousins in-laws "
    "fiance fiancé fiancée fiancee boyfriend girlfriend family dog cat puppy kitten "
    "rabbit hamster parrot turtle"
)
ACQUAINTANCES_KO: Final = parse_word_set(
    "친구 동료 선배 후배 이웃 옆집 앞집 윗집 "
    "아랫집 팀장 팀장님 부장 부장님 과장 과장님 "
    "대리 대리님 사장 사장님 상사 주임 룸메 룸메이트 동기 지인 아저씨 아줌마 할매 직원 "
    "선생 교수 교수님 손님 고객 연예인 유튜버 작가 주인공 사촌 학생 회원 남 사람 애들"
)
ACQUAINTANCES_EN: Final = parse_word_set(
    "friend friends colleague colleagues coworker coworkers boss manager neighbour "
    "neighbor neighbours neighbors roommate flatmate teammate classmate guy bloke lad "
    "lady woman man teacher professor client customer landlord celebrity character "
    "somebody someone everyone people guest speaker student"
)

SUBJECTS: Final = (
    "엄마 어머니 어머님 mother mom mum mam",
    "아빠 아버지 아버님 father dad",
    "부모 부모님 parents",
    "남편 신랑 husband",
    "아내 와이프 집사람 wife",
    "아들 son sons",
    "딸 딸내미 daughter daughters",
    "누나 언니 여동생 누님 sister sisters",
    "형 오빠 남동생 형님 brother brothers",
    "동생 sibling siblings",
    "할머니 grandma grandmother nan gran",
    "할아버지 grandpa grandfather granddad",
    "손주 손자 손녀 grandson granddaughter grandchildren grandkids grandchild",
    "조카 niece nieces nephew nephews",
    "이모 고모 숙모 aunt",
    "삼촌 외삼촌 큰아버지 uncle",
    "시어머니 장모 장모님 mother-in-law",
    "며느리 daughter-in-law",
    "사위 son-in-law",
    "여자친구 여친 girlfriend",
    "남자친구 남친 boyfriend",
    "강아지 반려견 개 멍멍이 dog dogs puppy",
    "고양이 반려묘 냥이 cat cats kitten",
    "사촌 cousin cousins",
    "친구 friend friends",
    "아이 애기 아기 애 kid kids child children baby toddler",
    "룸메 룸메이트 roommate flatmate housemate",
    "상사 팀장 부장 사장 boss manager",
    "동료 colleague colleagues coworker coworkers",
    "선생님 선생 교수 teacher professor",
)
"""Words for one and the same person or pet: facts about others are other facts."""

# --- how it is said -----------------------------------------------------------------
WH_KO: Final = parse_word_set(
    "뭐 무엇 무슨 어디 언제 누구 왜 어떻게 얼마 몇 어느 어떤 어떡하 어때"
)
WH_EN: Final = parse_word_set("what where when who whom whose why how which")
AUXILIARY_EN: Final = parse_word_set(
    "is are am was were do does did can could will would should shall may might have "
    "has had isn't aren't don't doesn't didn't can't couldn't won't wouldn't shouldn't "
    "haven't hasn't"
)
IMPERATIVE_EN: Final = parse_word_set(
    "please let's tell give show make set turn go stop start play open close find "
    "check read write explain translate correct fix help send call add put keep draft "
    "summarize summarise rewrite tighten suggest recommend list remind don't try come "
    "switch clean book order use say repeat dim raise lower move wake ask look "
    "proofread edit quiz pick name describe"
)
CONDITION_EN: Final = parse_word_set("if suppose imagine unless would pretend")
CONDITION_KO: Final = frozenset({"만약", "만일", "혹시", "가령", "치면"})
CONDITIONAL_ENDINGS: Final = frozenset(
    {
        "면",
        "으면",
        "라면",
        "이라면",
        "다면",
        "ᆫ다면",
        "는다면",
        "었다면",
        "거든",
        "더라도",
    }
)
HEARSAY_ENDINGS: Final = parse_word_set(
    "대 ᆫ대 는대 래 라대 다더라 라더라 더라 더라고 다던데 라던데 던데 ᆫ다더라 는다더라 "
    "ᆫ다던데 는다던데 답니다 대매 다며 라며 다네 라네 ᆫ다네 는다네"
)
HEARSAY_EN: Final = parse_word_set(
    "says said apparently heard rumour rumor rumours claims told supposedly swears "
    "reportedly according tells"
)
NEGATION_KO: Final = frozenset({"안", "못", "않", "말", "아니", "없", "못하", "아니하"})
NEGATION_EN: Final = parse_word_set(
    "not no never none nothing nobody cannot can't don't doesn't didn't won't isn't "
    "aren't wasn't weren't haven't hasn't wouldn't couldn't without neither nor"
)
HABIT_KO: Final = parse_word_set(
    "매일 매주 매달 매번 매년 맨날 항상 늘 자주 보통 평소 원래 주로 가끔 마다 아침마다 "
    "저녁마다 밤마다 주말마다 일요일마다 날마다 언제나 꼬박꼬박 격주 대개 평일 주말"
)
HABIT_EN: Final = parse_word_set(
    "every always usually often daily weekly monthly mornings evenings nights weekends "
    "weekdays mondays tuesdays wednesdays thursdays fridays saturdays sundays twice "
    "sometimes normally generally regularly each rarely routine"
)
STANDING_KO: Final = compile_lazily(
    r"앞으로|이제부터|지금부터|다음부터|담부터|오늘부터|"
    r"항상|늘|매번|절대|웬만하면|되도록|언제나"
)
STANDING_EN: Final = compile_lazily(
    r"\b(from now on|from here on|going forward|in future|in the future|always|never|"
    r"every time|each time|whenever|as a rule|by default|from today|anymore)\b"
)
PASSING_KO: Final = parse_word_set(
    "오늘 지금 방금 어제 아까 잠깐 금방 이따 이따가 "
    "내일 모레 그저께 어저께 엊그제 요새 요즘 "
    "이번 당장 갑자기 오늘따라"
)
PASSING_EN: Final = parse_word_set(
    "today now tonight yesterday tomorrow currently moment just lately earlier later "
    "soon currently minute"
)
TASTE_KO: Final = parse_word_set(
    "좋아하 싫어하 좋 싫 선호 사랑하 즐기 최애 "
    "질색 별로 취향 못하 미워하 꺼리 질리 빠지"
)
TASTE_EN: Final = parse_word_set(
    "like likes love loves hate hates prefer prefers favourite favorite enjoy enjoys "
    "dislike dislikes fan addicted obsessed allergic into"
)
PAST_EN: Final = parse_word_set("was were did had used previously ago former ex")
FUTURE_EN: Final = parse_word_set("will going gonna plan planning next hope want wants")
CHANGE_KO: Final = parse_word_set(
    "이제 더 대신 바꾸 바뀌 옮기 이사 이직 끊 "
    "그만두 그만 관두 말고 예전 옛날 취소 변경 "
    "헤어지 퇴사 졸업 합격 그동안 전환 갈아타 접 중단 정정 아니 처음 다시 미루"
)
CHANGE_EN: Final = parse_word_set(
    "now anymore longer instead changed change switched switch moved moving quit "
    "stopped stop gave used cancelled canceled actually rather new sold left broke "
    "finished graduated scrap correction since became become back moved-out"
)
SAME_KO: Final = parse_word_set(
    "역시 여전히 아직 아직도 늘 항상 변함없이 그대로 계속 또 맨날 원래 여태 매일 꾸준히"
)
SAME_EN: Final = parse_word_set(
    "still same usual always ever again yet every remains continue keep"
)

# --- scopes ---------------------------------------------------------------------------
ROLEPLAY_START: Final = compile_lazily(
    r"상황극|역할극|역할 ?놀이|롤플레이|롤플|연기(?:해|하자|할)|배역|"
    r"\brole[- ]?plays?\b|\bpretend\b|\bact as\b|\bacting\b|\blet'?s play\b|"
    r"\bin character\b|\bas if you (?:are|were)\b|(?:넌|"
    r"너는|네가|니가) .{1,20}(?:이고|하고|해라|역)|"
    r"\b(?:you are|you're|you be|i'?ll be|i'?m|i am) (?:the |a |an )?"
    r"(?:patient|receptionist|waiter|waitress|barista|customer|guest|clerk|interviewer|"
    r"interviewee|officer|doctor|tourist|cashier|passenger|king|queen|wizard|knight)\b",
    re.IGNORECASE,
)
ROLEPLAY_END: Final = compile_lazily(
    r"상황극 (?:끝|그만)|연기 끝|역할극 (?:끝|그만)|"
    r"롤플레이 (?:끝|그만)|실제로는|진짜로는|현실에서는|"
    r"\bend of (?:the )?(?:scene|role)|\bout of character\b|\bthat'?s the end\b|"
    r"\bin real life\b|\bscene over\b|\bwell done\b|\bgreat (?:role|job)\b|\bback to\b",
    re.IGNORECASE,
)
FICTION: Final = compile_lazily(
    r"소설|시나리오|웹소설|대본|단편|동화|주인공|등장인물|캐릭터|자소서|꿈에[서선]|꿈속|"
    r"\b(?:novel|fiction|short story|screenplay|protagonist|main character|"
    r"my character|fan ?fic|poem|lyrics|in (?:my|the|a) dream|plot)\b",
    re.IGNORECASE,
)
DRILL: Final = compile_lazily(
    r"번역|영작|따라 ?(?:해|읽|말)|예문|영어로|한국어로|해석|문법|받아쓰기|발음|문장|"
    r"\brepeat after\b|\btranslate\b|\btranslation\b|\bsay it again\b|\bin korean\b|"
    r"\bin english\b|\bgrammar\b|\bsentence\b|\bcorrect\b|\bpronounce\b",
    re.IGNORECASE,
)
PASTED: Final = compile_lazily(
    r"붙여 ?넣|복붙|아래 ?(?:글|내용|문장|메일)|다음 "
    r"?(?:글|내용|문장|메일)|이 ?(?:글|메일|문장|기사)|"
    r"요약|교정|첨삭|맞춤법|읽어 ?봐|\b(?:paste|pasting|this (?:text|email|bio|article|"
    r"paragraph|passage|letter|review|post)|"
    r"summari[sz]e|proofread|below|the following)\b",
    re.IGNORECASE,
)
JOKE_TAKEN_BACK: Final = compile_lazily(
    r"뻥이|뻥임|구라|농담|장난이|장난인|드립|믿냐|속았|낚였|"
    r"\b(?:kidding|just joking|joking|jk|pulling your leg|gotcha|april fool)\b",
    re.IGNORECASE,
)
LAUGH: Final = compile_lazily(
    r"ㅋ{2,}|ㅎ{2,}|\b(?:lol|lmao|rofl|(?:ha){2,}h?)\b", re.IGNORECASE
)
INSTRUCTION_TO_MACHINE: Final = compile_lazily(
    r"(?:AI|비서|assistant|어시스턴트|모델|"
    r"model)[^.\n]{0,40}(?:에게|:|：|reading|지시|must|반드시)|"
    r"ignore (?:all |any )?(?:previous|prior)|system prompt|시스템 프롬프트|이전 지시|"
    r"(?:장기 ?기억|long[- ]term memory|user(?:'s)? profile)[^.\n]{0,30}"
    r"(?:저장|기록|추가|save|store|update|add)",
    re.IGNORECASE,
)

# --- commands to the memory ---------------------------------------------------------
REMEMBER: Final = compile_lazily(
    r"기억 ?(?:해|하고|하렴|하세|해라|해요|좀|혀)|기억해 "
    r"?(?:줘|둬|두|놔|주)|잊지 ?(?:마|말)|까먹지 ?(?:마|말)|"
    r"잊어먹지|메모해|적어 ?(?:둬|놔|줘|두)|저장해|"
    r"외워 ?(?:둬|놔|두)|알아 ?(?:둬|두)|참고해|"
    r"\b(?:please |do )?(?:remember (?:that|this|for|my|i|the|it|when|to|we|:|,)|"
    r"keep in mind|note (?:that|this|down)|make "
    r"a note|don'?t forget|for future reference|"
    r"for the record|save (?:this|that)|take note|write (?:this|that) down|fyi)",
    re.IGNORECASE,
)
FORGET: Final = compile_lazily(
    r"잊어 ?(?:줘|주|버려|라|달)|잊어라|기억 ?하지 ?(?:마|"
    r"말)|기억에서|지워|지우(?:고|자|면|라|세|셈)|삭제|없애|"
    r"없던 ?(?:걸|일|거|얘기)|못 ?들은 ?(?:걸|척)|까먹어 "
    r"?(?:줘|도)|(?:꺼내|말하|얘기하|하)지 ?(?:마|말)|"
    r"빼 ?(?:줘|주|도 ?돼|도 ?됨|라|버려|놔|달)|잊어|폐기|취소해|"
    r"\b(?:forget (?:that|what|about|everything|all|it|my|the|i)|"
    r"(?:delete|erase|remove|scrap|bin|drop|scratch|"
    r"wipe|clear|strike|discard|lose|trash|"
    r"kill|ditch|dump) (?:that|the|this|it|my|everything|all|what|any|both|them|from)|"
    r"(?:delete|erase)\b|get rid of|throw (?:it |that |this )?(?:away|out)|"
    r"(?:take|leave) (?:that|it|this|the) [a-z ]{0,20}(?:off|out)|"
    r"stop (?:remembering|bringing|mentioning|asking|talking|reminding|suggesting)|"
    r"(?:don'?t|do not|needn'?t|never) (?:need to )?(?:keep |ever )?"
    r"(?:remember|store|bring|mention|ask|speak|talk|save|keep)|"
    r"off (?:your|the|my) (?:notes?|list|file|record|memory|profile))",
    re.IGNORECASE,
)
DENIAL: Final = compile_lazily(
    r"아니(?:야|에요|예요|고|라|래|거든|었|라고|라니|지)|틀린|"
    r"틀렸|사실이? ?아니|잘못 ?(?:알|된|기억|저장|적|들)|"
    r"[한은던] ?적 ?(?:이 ?)?없|헷갈|오해|오진|착각|누가 ?(?:그래|그랬|그런)|"
    r"\b(?:not mine|wasn'?t mine|(?:that'?s|it'?s|all|got it|got that) wrong|not true|"
    r"isn'?t true|wrong|never (?:said|was|had|did)|"
    r"didn'?t say|no longer|mistake|mistaken|"
    r"mixed up|that was(?:n'?t| my)|(?:isn'?t|not|wasn'?t) me|incorrect|untrue|"
    r"where did you get)\b",
    re.IGNORECASE,
)
ASSISTANT_FORGETS: Final = compile_lazily(
    r"지울게|지웠|지워 ?(?:둘|드|놓)|삭제|잊을게|잊겠|잊었|"
    r"뺄게|빼 ?(?:둘|드릴|놓|뒀)|제외|없애|꺼내지 ?않|"
    r"언급하지 ?않|\b(?:removed?|deleted?|forg[eo]t(?:ten)?|erased?|dropp?(?:ed)?|"
    r"taken (?:it |that )?(?:off|out)|cleared|"
    r"scratched|gone|won'?t (?:bring|mention|ask|"
    r"raise|refer)|wiped|binned)\b",
    re.IGNORECASE,
)
