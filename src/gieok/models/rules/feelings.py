"""Marks of how a user feels and of what happened to them, in both languages.

General vocabulary and signs; each is a feature of the models in `mood.py`, which learn
what it weighs. Korean is matched by the stems as they are written.
"""

import re
from collections.abc import Mapping
from typing import Final

from gieok.models.rules.lexicon import LAUGH
from gieok.text.patterns import compile_lazily


def _build_pattern(korean: str, english: str) -> re.Pattern[str]:
    return compile_lazily(rf"{korean}|\b(?:{english})\b", re.IGNORECASE)


FEELINGS: Final[Mapping[str, re.Pattern[str]]] = {
    "joy": _build_pattern(
        "기쁘|기뻐|기뻤|기쁨|행복|즐거|즐겁|좋았|너무 좋|넘 좋|뿌듯|감동|재밌|재미있"
        "|웃겼|웃었|맛있|고맙|고마|다행|축하|귀여|귀엽|자랑|칭찬|보람|반가|반갑|신기"
        "|든든|성공|해냈|이겼|개운|시원하|흐뭇",
        r"happy|glad|joy\w*|delight\w*|lovely|love[ds]?|loving|fun|funny|laugh\w*"
        r"|smil\w+|proud|great|amazing|wonderful|best|beautiful|thankful|grateful"
        r"|blessed|yay|won|nailed|relie(?:f|ved)|enjoy\w*|sweet|delicious|celebrat\w*"
        "|cute",
    ),
    "excitement": _build_pattern(
        "설레|설렌|설렘|두근|기대[돼되된하]|드디어|대박|못 ?기다|손꼽|빨리 .{0,8}싶"
        "|우와|꺄|미쳤|신나|신난|신났|꿈만 ?같|실감|디데이|첫날|도전|시작해|새로",
        r"excit\w*|can'?t wait|finally|thrill\w*|omg|woo+\w*|hyped?|pumped|stoked"
        r"|looking forward|counting|dream\w*|starting|starts|begin\w*|new|unreal|wow"
        "|adventure|buzzing|butterflies|pinch me",
    ),
    "stress": _build_pattern(
        "스트레스|짜증|힘들|힘든|힘듦|피곤|지치|지쳐|지쳤|지친|바쁘|바빠|걱정|불안"
        "|초조|긴장|막막|답답|야근|마감|밀려|밀렸|못 ?자|잠이? ?안|망했|망함|망한"
        "|큰일|죽겠|죽을|미치겠|화나|화났|열받|빡치|빡쳐|무섭|무서|겁이|겁나|부담"
        "|어떡|어쩌|골치|헷갈|잔소리|싸웠|싸워|혼났|깨졌|난리|머리 ?아|까먹|안 ?돼"
        "|안 ?되|아프|아파|아픈|쑤시|쑤셔|정신없|예민|급해|잃어버|고장|실수|안 ?외워"
        "|안 ?늘|못 ?하겠|떨려|떨린",
        r"stress\w*|worr\w+|anxi\w+|nervous|tired|exhaust\w*|overwhelm\w*|deadline\w*"
        r"|late|behind|can'?t sleep|insomnia|panic\w*|scared|afraid|terrified|annoy\w*"
        r"|angry|furious|mad|ugh+|frustrat\w*|fed up|sick of|pressure|hard|difficult"
        r"|hurts?|pain\w*|ache\w*|broke|broken|mess|crisis|emergency"
        r"|burn(?:t|ed)? ?out|yell\w*|complain\w*|swamped|struggl\w*|wrong|awful"
        r"|nightmare|busy|stuck|blank|embarrass\w*|forgot|forget\w*|kill\w*",
    ),
    "sadness": _build_pattern(
        "슬프|슬퍼|슬펐|슬픔|우울|눈물|울었|울고|울컥|펑펑|외로|외롭|쓸쓸|허전|그립"
        "|그리워|그리움|보고 ?싶|서럽|서러|속상|상처|헤어[지져졌]|이별|돌아가[셨시신]"
        "|떠났|떠나보|떠난|하늘나라|무지개 ?다리|장례|빈소|발인|잃었|잃고|허무|공허"
        "|후회|포기|떨어졌|떨어짐|탈락|짤렸|잘렸|해고|혼자|텅 ?비|조용하|마음이? ?아"
        "|가슴이? ?아|기운이? ?없|의욕|아쉽|아쉬|빈자리|막막",
        r"sad\w*|cr(?:y|ied|ying)|tears?|lonel\w*|alone|miss(?:ing|ed)?|lost|loss"
        r"|grie\w+|died|death|dead|passed away|funeral|buried|gone|heartbr\w*|broke up"
        r"|break ?up|dumped|divorc\w*|let (?:me )?go|laid off|fired|redundan\w*"
        r"|depress\w*|empty|quiet|sorry|regret\w*|disappoint\w*|ended|goodbye|hollow"
        r"|numb|used to|no longer|gave up|diagnos\w*|rejected|failed",
    ),
    "calm": _build_pattern(
        "괜찮|그대로|천천히|조용히|편안|편하|느긋|산책|쉬었|쉬려|차분|여전|그럭저럭"
        "|무난|늘 |항상|매일|매주|보통|평소|똑같|꾸준",
        r"fine|okay|ok|quiet|calm\w*|peace\w*|slow\w*|steady|usual\w*|same|routine"
        r"|comfortable|relax\w*|garden\w*|walk\w*|tea|always|every|still|regular\w*",
    ),
}
"""What the user says they feel."""
EVENTS: Final[Mapping[str, re.Pattern[str]]] = {
    "death": _build_pattern(
        "돌아가[셨시신]|하늘나라|무지개 ?다리|장례|빈소|발인|부고|유품|사별|별세|임종"
        "|죽었|세상을 떠",
        r"died|passed away|funeral|ashes|buried|put (?:him|her|them) down|widow\w*"
        "|death|lost (?:him|her|my)|let (?:him|her) go",
    ),
    "birth": _build_pattern(
        "출산|태어났|태어나|낳았|나왔어|임신|출생|만삭|갓난|신생아|첫 ?손주|돌잔치",
        r"born|gave birth|pregnan\w*|newborn|baby|due date|great-?grand\w+",
    ),
    "union": _build_pattern(
        "결혼|약혼|프로포즈|청혼|예식|상견례|신혼|웨딩",
        r"wedding|married|marr(?:y|ies)|engaged|propos(?:ed|al)|fianc\w+|honeymoon"
        "|said yes",
    ),
    "parting": _build_pattern(
        "헤어[지져졌]|이별|이혼|파혼|차였|깨졌",
        r"broke up|break ?up|split up|divorc\w*|dumped|my ex|separated|we're done",
    ),
    "work": _build_pattern(
        "퇴사|이직|취업|취직|해고|짤렸|잘렸|입사|승진|발령|폐업|개업|창업|복직"
        "|첫 ?출근|은퇴|전역|정규직|면접",
        r"laid off|fired|redundan\w*|new job|got the job|quit|promot\w+|retir\w+"
        r"|interview\w*|resign\w*|contract|permanent|transfer\w*|job offer|career",
    ),
    "study": _build_pattern(
        "시험|합격|불합격|수능|임용|자격증|유학|입학|졸업|편입|모의고사|면허|논문"
        "|등급|점수",
        r"exam\w*|passed|test|degree|graduat\w*|university|college|thesis|results?"
        r"|scholarship|certificat\w*|licen[cs]e|score\w*",
    ),
    "health": _build_pattern(
        "수술|입원|진단|암|병원|응급실|골절|투석|항암|검사|퇴원|부상|완치|치료|약을"
        "|당뇨|혈압",
        r"surgery|operation|hospital|diagnos\w*|cancer|stroke|fracture\w*|dialysis"
        r"|injur\w*|biopsy|scan|treatment|ambulance|broke my|rehab|sober|doctor"
        r"|allerg\w*",
    ),
    "move": _build_pattern(
        "이사|전세|계약|입주|귀국|이민|독립|분가|출국|비자|내 ?집|집을 샀",
        "mov(?:ed|ing)|new (?:house|home|flat|apartment|place)|mortgage|closing|visa"
        r"|abroad|emigrat\w*|relocat\w*|keys|lease",
    ),
    "feast": _build_pattern(
        "생일|생신|칠순|환갑|기념일|콘서트|공연|축제|대회|우승|수상|은상|금상|여행"
        "|소풍|명절",
        "birthday|anniversary|concert|gig|festival|trip|holiday|vacation|medal|award"
        "|prize|tournament|competition|reunion|party",
    ),
    "quarrel": _build_pattern(
        "싸웠|싸워|다퉜|혼났|욕|찢|소리 ?질|배신|사기|도둑|잃어버|사고|분실",
        r"fight|fought|argu\w+|row|yell\w*|stolen|scam\w*|accident|crash\w*|towed"
        "|lawsuit",
    ),
    "household": _build_pattern(
        "분리수거|재활용|쓰레기|종량제|에어컨|청소기|조명|가습기|건조기|온도|알람"
        "|보일러|배송",
        r"recycl\w*|bins?|trash|garbage|thermostat|lights?|vacuum|dishwasher|timer"
        "|alarm|blinds|parcel|delivery",
    ),
}
"""What is talked about."""
REACTIONS: Final[Mapping[str, re.Pattern[str]]] = {
    "praise": _build_pattern(
        "축하|대단|멋지|멋져|멋진|멋있|훌륭|잘됐|잘 ?되셨|뿌듯|부럽|최고|좋으시겠"
        "|기쁘|즐거우|행복|귀여|귀엽|다행",
        r"congrat\w*|well done|brilliant|lovely|wonderful|proud|great|nice|sweet|fun"
        "|ha|haha|hurray|good for you|achievement|relief|glad",
    ),
    "comfort": _build_pattern(
        "속상|슬프|마음이? ?(?:아|무|안|먹)|위로|허전|서운|아쉬|외로|그리우|그립|상심"
        "|실망|안타|눈물|곁에|보고 ?싶|토닥|적적|쓸쓸|막막|갑작",
        r"sorry|heartbreak\w*|loss|sad|painful|lonely|miss(?:ed|ing)?"
        "|must have been hard|hugs?|here for you|here if you|a lot to take in"
        r"|disappoint\w*",
    ),
    "worry": _build_pattern(
        "힘드|힘들|걱정|긴장|불안|고생|피곤|지치|답답|바쁘|부담|불편|스트레스|짜증"
        "|당황|난감|놀라|괜찮으세요|무리하|조심|아프|급하|떨리|억울|번거로",
        r"tough|stress\w*|frustrat\w*|rough|ouch|oh no|oh dear|worr\w+|nervous"
        r"|exhaust\w+|pressure|annoying|awful|scary|careful|hang in|take a breath"
        "|tired|busy|that's a lot|understandable|pain",
    ),
    "thrill": _build_pattern(
        "설레|설렌|기대|두근|우와|와[,! ]|드디어|떨리시겠|어머|꿈을|새로운|출발|준비",
        r"excit\w+|thrill\w*|wow|amazing|can't wait|no way|adventure|fantastic"
        "|incredible|big news|big step|huge|oh my",
    ),
    "plain": _build_pattern(
        "그렇군요|그러시군요|그러셨군요|알겠|네,|좋습니다|잘하고|꾸준|편하|천천히"
        "|맞습니다|맞아요",
        "i see|sure|of course|noted|okay|good to hear|peaceful|steady|restful|routine"
        "|sounds like|correct|right",
    ),
}
"""How the assistant takes it."""
SIGNS: Final[Mapping[str, re.Pattern[str]]] = {
    "crying": compile_lazily("[ㅠㅜ]+|[😢😭😿🥺💔]|:'?\\("),
    "smiling": compile_lazily("[😀-😄😊🥰😍🎉❤💕😂🤣🙌✨🥳]|:\\)|\\^\\^"),
    "shouting": compile_lazily(r"!+|！+"),
    "trailing": compile_lazily(r"\.{2,}|…"),
    "laughing": LAUGH,
}
"""How it is written."""
MARKS: Final[Mapping[str, re.Pattern[str]]] = {**FEELINGS, **EVENTS, **SIGNS}
"""What is counted in the user's own words."""
