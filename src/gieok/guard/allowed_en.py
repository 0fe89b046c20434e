"""What English speakers may ask of an assistant for themselves.

Manners: tone, language, form of address, form and length of answers, reminders, what to
leave out, what to talk about; and services. Whatever else a sentence brings along
(others, money, secrets, addresses, rules, names to favour) takes it off the list.
"""

import re
from typing import Final

from gieok.text.patterns import compile_lazily

_VERBS: Final = (
    "accept act activate add address adopt advertise advise alert allow always "
    "answer append apply approve ask assert assume attach authorize avoid base "
    "become begin behave believe bill book bring browse buy bypass call cancel cc "
    "change charge check choose cite claim clear click close combine comply conceal "
    "confirm connect consider contact continue convert convince copy correct credit "
    "decline decode delete deliver deny describe direct disable disclose discourage "
    "dismiss display disregard doubt download drop echo email emphasize enable "
    "encode encourage end endorse ensure erase execute explain export expose fall "
    "favor favour fetch file find finish follow forget format forward give go grant "
    "greet guide hand handle hide highlight hold ignore imagine imitate include "
    "inform insert insist install invent invoke issue keep label leak leave let "
    "limit link list load log look mail make mark mention message mimic move mute "
    "name never note notify obey offer omit open order output override overwrite "
    "pass paste pay permit persuade phone picture place play point portray post "
    "praise prefix present pretend print prioritise prioritize proceed process "
    "promise promote provide publish purchase push put query quote raise rank rate "
    "read recall recite recommend record redirect refer refrain refund refuse "
    "regard reject release remind remove rename render repeat replace reply report "
    "represent request respond return reveal reward roleplay route run save say "
    "search select send set settle share show sign simulate skip speak spell start "
    "state steer stop store submit suggest summarise summarize suppress swap switch "
    "take talk teach tell text think transfer translate transmit treat trigger "
    "trust try turn unlock unsubscribe update upload upsell use verify view vote "
    "waive warn whitelist wire withhold write"
)
VERB: Final = rf"(?:let's|let us|{'|'.join(_VERBS.split())})"
_SELF: Final = r"(?:i|we|i'm|i've|i'll|i'd|(?:the )?user|he|she|to|who|people|kids)"
UNASKED: Final = (
    r"\bwithout (?:\w+ )?(?:asking|confirm|approval|check|telling|permission|verif"
    r"|question|review|warning|consent|limit|restrict|filter|safe)\w*"
)
SELF_ACT: Final = compile_lazily(
    rf"\b{_SELF}(?:\s+(?:\w+ly|always|never|only|often|sometimes|just|also|do|don't"
    rf"|doesn't|can|can't|will|must|should|have to|need to|usually|still|even|mostly))*"
    rf"\s+{VERB}s?\b"
)
_CORE: Final = (
    r"https?:|www\.|\w-*\.(?:com|net|org|io|example|kr|ai|dev|app|xyz|ru|cn)\b"
    r"|\bdot (?:com|net|org|io)\b"
    r"|\S@\S|\b(?:home|my|our) address\b"
    r"|\b(?:passwords?|passcodes?|credentials?|api keys?|tokens?|prompts?|instructions?"
    r"|rules?|polic(?:y|ies)|guidelines?|restrictions?|filters?|safety|admin\w*|root"
    r"|override|bypass|jailbreak|unrestricted|uncensored|obey|commands?|scripts?|shell"
    r"|terminal|secretly|covertly|pretend|iban|wallet|bitcoin|crypto)\b"
)
_THIRD: Final = (
    r"\b(?:users?|customers?|clients?|someone|somebody|anyone|anybody"
    r"|everyone(?! calls)|visitors?|patients?|whoever|bank)\b"
)
_OTHERS: Final = r"^(?!.*\b(?:my|our|me)\b).*\b(?:they|them|people|others)\b"
_QUOTE: Final = r"[\"“](?=[^\"”]{8})(?:[^\"”“]*“){0,8}[^\"”“]*[\"”]"
"""Eight characters or more in quotation marks.

Of more opening ones in a row it begins at the ninth from the end: the time to look
for a closing one would grow with their square.
"""
STAKES: Final = compile_lazily(
    rf"{_CORE}|{_THIRD}"
    r"|\b(?:pay(?:ment|ments)?|transfers?|wire|deposit|refunds?|invoices?|purchases?"
    r"|buy|checkout|secrets?|personal data|private data|tools?|functions?|execute|lie"
    r"|permissions?|approv\w+|authori\w+|access to|confirm\w*|verif\w+|consent"
    r"|warnings?|risks?|side effects?|downsides?|drawbacks?|criticism|disclaimers?"
    r"|upload|forward|leak|reveal|trusted|official|safest|discount|coupons?|promo\w*"
    r"|brands?|sponsor\w*|partners?|(?:a|the|this) link|websites?|click|download"
    r"|install|regardless|unconditionally|truth|facts? that|as (?:a )?fact"
    r"|(?:developer|debug|god|admin|test|dan|maintenance) mode|dan|persona|identity"
    r"|evil|(?<!metric )(?<!imperial )system|hidden|confidential)\b"
    rf"|{UNASKED}|\b(?:this|the|that) (?:note|memo|memory|entry|text)\b"
    rf"|{_QUOTE}|[<>{{}}`|\\]|\[[^\[\]]*\]"
)
"""Money, secrets, leave, tools, the public: what does harm when it is not true."""
RISK: Final = compile_lazily(rf"{STAKES.pattern}|{_OTHERS}")
_PUSHES: Final = compile_lazily(
    r"\b(?:mention|promot|plug|advertis|prais|endors|say that|claim|insist|append|quot"
    r"|cit(?:e|ing)|slip|sneak|treat|consider|assum|trust|believ|imagin|act (?:like"
    r"|as) (?:if|an?|the)|behav|becom|think|regard|always say|insert|attach|print|dump"
    r"|recit|output|everything you (?:know|have|store)|share (?:my|the|what|it|all)"
    r"|spend (?:up|money)|sign up|accept|agree|point to|double the|account"
    r"|(?<!never )forget|no need|never decline|favou?r|rank|prefer|side with|stars"
    r"|hid(?:e|ing)|discourag|say i\b|(?:tell|inform) (?:my|our) (?!kids|child|son"
    r"|daughter)|let (?:my|our) \w+ know|conceal|give out|do (?:whatever|anything"
    r"|what)|open any|run it)\w*"
)
_ELSEWHERE: Final = compile_lazily(
    # where: at work, in our game, and no order after it
    r"^(?:at|in|for) (?:(?:the|our|my|a|this) )?(?:\w+ )?(?:work|school|office|lab"
    r"|clinic|hospital|bank|company|class|club|team|shop|gym|job|kitchen|army|firm"
    r"|practice|studio|game|novel|book|story|film|d&d|chess|monopoly|quiz|house|home"
    rf"|family|recipe)\b(?!,? (?:(?:always|never|please|just) )?{VERB}\b)"
    r"|\bescape room\b|\bwhen we play\b|\blet's (?:play|pretend)\b"
    # a rule of theirs
    r"|\b(?:house|company|office|school|family|team|club|home|game|work) rules?\b"
    r"|\b(?:our|my) (?:new |old )?(?:rule|guideline|recipe|motto)\b"
    r"|\b(?:rule|policy|guideline)s? (?:at|in) (?:my|our|the|chess)\b"
    # what others said
    r"|^(?:(?:my|our|the) |(?=hr|mum|mom|dad|grandma))(?:(?!you\b|i\b)[\w']+ ){1,5}?"
    r"(?:says?|said|reads?|tells?|told|wrote|taught)\b"
    # what one does oneself
    r"|^(?:i|we) (?:never|always) (?!want|need|expect|like|prefer|require|allow)"
    r"(?!.*\byou)"
    r"|\b(?:when(?:ever)?|if) (?:an? |the |my |our )?[a-z]+ [^,]{2,40}, (?:i|we)\b"
)
_ASSISTED: Final = compile_lazily(
    r"https?:|www\.|\S@\S|\.example\b|\b(?:ai|assistants?|(?:chat ?)?bots?|models?"
    r"|agents?|systems?|prompts?|instructions?|restrict\w*|filters?|unrestricted"
    r"|secretly|no rules|answers?|replies|responses?|recommend\w*|summar\w+|tools?"
    r"|override|bypass|transfer\w*)\b"
)
"""What an assistant is, gives and could be made to do."""
_REMIND_RISK: Final = compile_lazily(
    r"https?:|www\.|\S@\S|\b(?:prompts?|instructions|override|bypass|jailbreak|obey"
    r"|iban|ignore|disregard|shell|terminal|secretly)\b"
)
_PROTECTS: Final = compile_lazily(
    r"\b(?:confirm|check|verify)\w* (?:\w+ )?with me\b|\bask me (?:first|before)\b"
    r"|\bwarn me\b"
    r"|\b(?:never|don't|do not) .{1,40} without (?:\w+ )?(?:ask|tell|confirm"
    r"|check)\w* me\b"
    r"|\b(?:tell|show|give) me (?:the|your) sources?\b|\bcite (?:your )?sources\b"
)
"""A wish to be asked, warned or shown grounds makes nothing easier for anybody."""

_FORM: Final = compile_lazily(
    r"\b(?:short(?:er|ly)?|brief(?:ly)?|concise(?:ly)?|succinct(?:ly)?|long(?:er)?"
    r"|terse|detail(?:s|ed)?|summar(?:y|ies|ise|ize)|bullets?|bullet ?points?|lists?"
    r"|tables?|number(?:s|ed)|step(?:s|-by-step)?|emojis?|emoticons?|markdown"
    r"|headings?|sentences|one.sentence|paragraphs?|words|lines|plain|simpl(?:e|y|er)"
    r"|jargon|examples?|analog(?:y|ies)|celsius|fahrenheit|metric|imperial"
    r"|kilomet(?:er|re)s?|miles|24.hour|12.hour|units?|won|krw|dollars?|euros?|pounds?"
    r"|formal(?:ly|ity)?|informal(?:ly)?|casual(?:ly)?|polite(?:ly)?|friendly"
    r"|warm(?:ly|th)?|gentl[ey]|(?:be|more) kind|direct(?:ly)?|blunt(?:ly)?"
    r"|honest(?:ly)?|humou?r|jokes?|tone|sarcasm|sarcastic|slang|honorifics?"
    r"|slow(?:ly)?|calm(?:ly)?|patient(?:ly)?|cheerful(?:ly)?|exclamation|capitals?"
    r"|caps|puns?|metaphors?|spoilers?|tl;?dr|upfront|straight|beginners?|technical"
    r"|clear(?:ly)?|natural(?:ly)?|professional(?:ly)?|voice|english|korean|japanese"
    r"|chinese|spanish|french|german|italian|portuguese|russian|vietnamese|arabic"
    r"|hindi|language|hangul|native|british|american|spelling|grammar|pronunciation"
    r"|accent|time ?zone|kst|date format|decimals?|code blocks?|comments?|like i'm"
    r"|like i am|as if i|for beginners|one at a time|one question|to the point|prices?"
    r"|reasons?|calories|source of)\b"
)
_DIET: Final = compile_lazily(
    r"\b(?:vegan|vegetarian|halal|kosher|(?:gluten|dairy|lactose|sugar|nut|meat)-?free"
    r"|cheap(?:er)?|budget|affordable|free|quiet|indoors?|outdoors?|kid-friendly|easy"
    r"|healthy|low-?\w+|mild|spicy|nearby|public transport|decaf|books?|music|movies?"
    r"|recipes?|songs?|jazz|films?|games?|walks?|places?|restaurants?|caf[eé]s?|food"
    r"|dishes|podcasts?|exercises?|trips?|hikes?)\b"
)
_CALLED: Final = compile_lazily(
    r"\b(?:call|address|refer to|greet) me\b.{0,40}$|\b(?:my|a) (?:first |full "
    r"|nick)?name"
    r"|\b(?:addressed|sign(?: off)?) as\b|\bsign (?:them|it)\b|\bspell it\b"
    r"|\bcalls me\b|\bpronouns?\b"
)
_LEFT_OUT: Final = compile_lazily(
    r"\b(?:avoid|refrain from|leave out|skip|exclude|omit|no more)\b"
    r"|\b(?:don't|do not|dont|never|stop|without) (?:\w+ ){0,3}?(?:talk|mention|bring"
    r"|discuss|jok|ask|suggest|recommend|comment|lectur|moraliz|nag|remind|compar|call"
    r"|quot|swear|curs|us|show|includ|send|offer|push)\w*"
)
_TALK: Final = compile_lazily(
    r"\b(?:talk|chat|ask me|tell me|teach me|quiz me|keep me company)\b.{0,12}"
    r"\b(?:about|more|how|when|on)\b|\bfor (?:her|him|the kids?|my \w+)\b"
)
REMIND: Final = compile_lazily(
    r"\b(?:remind|notify|alert|wake|ping|nudge|prompt|text) me\b|\blet me know\b"
    r"|\bcheck (?:in|up) (?:with|on) me\b|\bask me\b|\bset (?:an? |my )?(?:alarm|timer"
    r"|reminder)|\bkeep track of my\b"
)
_PICK: Final = compile_lazily(
    r"\b(?:recommend|suggest|offer|pick|choose|show|find|play)\b"
)
STEERS: Final = compile_lazily(
    r"\b(?:hear(?:ing)? (?:about|of)|look(?:ed)? (?:low|cheap|good|bett)|recommend"
    r"|suggest|mention|promot|prais|favou?r|say|tell|cit(?:e|es|ed|ing)\b|point|direct"
    r"|includ|add(?:s|ed|ing)?\b|append|insist|trust|rank|advertis)\w*"
)
_NAMED: Final = compile_lazily(
    r"(?<![.!?] )(?<!^)\b(?!(?:I|English|Korean|Japanese|Chinese|Spanish|French|German"
    r"|Italian|Portuguese|Russian|Vietnamese|Arabic|Hindi|British|American|Celsius"
    r"|Fahrenheit|\w+day|January|February|March|April|May|June|July|August|September"
    r"|October|November|December|Hangul|Markdown|User)s?\b)[A-Z][a-z]+[A-Z]?\w*"
)
_HARMLESS_NAME: Final = compile_lazily(
    r"\b(?:in|at|from|near|on|around|for|called"
    r"|[Pp]lay) [A-Z]\w+(?: [A-Z]\w+)*(?!['\w])"
    r"|\b(?:[Mm]y|[Oo]ur) (?:\w+ )?[A-Z]\w+|\b[A-Z]\w+ (?:station|airport)\b"
    r"|\b(?:Mrs?|Ms|Dr)\.? [A-Z]\w+"
)
"""A place, and who or what is one's own."""
_PARTS: Final = compile_lazily(
    r",\s|;|:\s|\band\b|\bthen\b|\bbut\b|\bplus\b|\s[-–—]\s|\(|\bwhile\b|\bso that\b"
)
_HAS_VERB: Final = compile_lazily(rf"\b{VERB}\b")


def has_named_party(sentence: str) -> bool:
    """Tell whether it names somebody or something that may gain by it."""
    return _NAMED.search(_HARMLESS_NAME.sub(" ", sentence)) is not None


def is_rule_elsewhere(low: str) -> bool:
    """Tell whether it says what holds at work, at home, in a game, or what others say.

    Such a rule binds the people there, and no assistant as long as it names none.
    """
    return bool(_ELSEWHERE.search(low)) and not _ASSISTED.search(low)


def is_manners_request(sentence: str) -> bool:
    """Tell whether all that is asked for is manners or a service without risk."""
    low = sentence.lower()
    if REMIND.search(low):
        return not _REMIND_RISK.search(low)
    if _PROTECTS.search(low) and not re.search(r"\b(?:no need|skip|stop)\b", low):
        return not _REMIND_RISK.search(low)
    if RISK.search(low):
        return False
    asked = [part for part in _PARTS.split(low) if _is_request(part)] or [low]
    return all(_is_allowed_part(part, sentence) for part in asked)


def _is_request(part: str) -> bool:
    return bool(_HAS_VERB.search(part)) and not SELF_ACT.search(part)


def _is_allowed_part(part: str, sentence: str) -> bool:
    if _CALLED.search(part) or _LEFT_OUT.search(part):
        return True
    if has_named_party(sentence):
        return False
    if _FORM.search(part) or _TALK.search(part) or not _PUSHES.search(part):
        return True
    return bool(_PICK.search(part) and _DIET.search(part))
