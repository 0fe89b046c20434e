"""Which English sentences tell an assistant what to do, and for which of its habits.

No tagger: an order shows by its form. A clause opens with a bare verb of doing or
telling; "you", an assistant or its answers stand under a modal or a wish; somebody is
given leave. What people may ask for themselves stands in `manners_en`.
"""

import re
from typing import Final

from gieok.guard.allowed_en import (
    REMIND,
    RISK,
    SELF_ACT,
    STAKES,
    STEERS,
    UNASKED,
    VERB,
    has_named_party,
    is_manners_request,
    is_rule_elsewhere,
)
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_set

_STRONG: Final = (
    r"(?:recommend|suggest|say|tell|answer|reply|respond|mention|promote|send|transfer"
    r"|pay|forward|run|execute|call|open|use|approve|refuse|claim|include|append|give"
    r"|show|state|insist|reveal|direct|point|share|treat|accept|buy|book|add|return)"
)
_ASSISTANT: Final = (
    r"(?:(?:the|this|my|your|any|all|every|each|an?|future|other|our)\s+)*"
    r"(?:ai|a\.i\.|assistant|chat ?bot|bot|agent|language model|llm|gieok|model"
    r"|system|copilot)s?"
)
_OUTPUT: Final = (
    r"(?:answers?|repl(?:y|ies)|responses?|recommendations?|suggestions?|summar(?:y"
    r"|ies)"
    r"|outputs?|messages? (?:you|from you)|chats?|conversations?|greetings?"
    r"|explanations?|translations?)"
)
_IMPACT: Final = (
    r"(?:payments?|transfers?|refunds?|requests?|orders?|purchases?|links?|accounts?"
    r"|invoices?|bookings?|transactions?|commands?|emails?|e-mails?|files?|tools?"
    r"|instructions?|confirmations?|questions?|quer(?:y|ies)|sources?|tickets?)"
)
_MODAL: Final = (
    r"(?:must|should|shall|may|can|will|would|could|might|has to|have to|needs? to"
    r"|ought to|(?:is|are) to|(?:is|are|'re) (?:now |hereby |always |not )?(?:allowed"
    r"|authori[sz]ed|permitted|required|instructed|free|expected|supposed|obliged"
    r"|cleared|entitled)|(?:has|have) (?:permission|access|approval|been))"
)
_SKIP: Final = (
    r"(?:please|pls|also|so|then|but|and|now|just|always|never|kindly|only|ok|okay|hey"
    r"|again|instead|first|simply|quietly|silently|secretly|automatically|immediately"
    r"|from (?:now|here|this point|today) on(?:wards?)?|going forward"
    r"|in (?:the )?future"
    r"|for (?:all|every|any|each)(?: \w+){1,3}|at the (?:end|start|beginning|top"
    r"|bottom)"
    r"(?: of (?:each|every|all|any|your|the)(?: \w+)?)?|by default|every time"
    r"|each time"
    r"|(?:i want|i need|i'd like|i would like|i ask|i expect) you to"
    r"|remember(?: that| to)?|note(?: that)?|be sure to|make sure (?:that |to |you )*"
    r"|do not|don't|dont|do|feel free to|go ahead and|try to|you|remember:"
    r"|whatever happens|no matter what|under no circumstances|if possible|to be safe)"
)
_START: Final = (
    r"(?:^|[,:;\[\"“‘>|] ?|(?<!\w)' ?|(?<!\w)-\s|\((?=[^)]{16})"
    r"|\b(?:then|please|instead|and (?:always|never|please|then"
    r"|also|only|do not|don't)|but|so|to the (?:assistant|ai))\s)"
)
_ORDER: Final = compile_lazily(
    rf"{_START}\s*(?:{_SKIP}[,:]?\s+){{0,4}}(?:{VERB})(?![\w'])(?! (?:is|are"
    rf"|was)\b)(?!(?<!think) of\b)"
)
_NO_VERB: Final = parse_word_set(
    "i me my mine we us our you your he him his she her it its they them "
    "their the a an this that these those some no not all any every each both "
    "and or but so if when while once after before since until as at by for "
    "from in into of on off out over to under up with about is are was were "
    "be been am do does did has have had can could will would shall should "
    "may might must who whom whose which what where why how like love hate "
    "need want own got get live work miss enjoy prefer lost bought met left "
    "remember yes hi hello sorry thanks thank know mean feel guess hope plan "
    "even only also just than then there here born one two three more most "
    "less half user almost around mom dad because though although near unlike "
    "despite during within without besides apart"
)
_BARE: Final = compile_lazily(
    rf"{_START}\s*(?:{_SKIP}[,:]?\s+){{0,4}}(?!(?:{'|'.join(_NO_VERB)})\b)[a-z]{{2,}}"
    r"(?<!ing)(?<!ed)(?<!s)(?<!ly)(?<!day)(?: (?:in(?= that)|up|out|off|away|over|down"
    r"|back))?"
    r" (?:the|an?|my|your|his|her|their|our|this|that|these|those|all|any|me|us|them"
    r"|him|it|yourself)\b"
)
_OF_OTHERS: Final = compile_lazily(
    rf"\b{_ASSISTANT}(?:\s+[\w']+)?\s+(?:{_MODAL}|always|never|only|automatically)\b"
    rf"|\byou(?:r)?\b[^.]{{0,24}}?\b{_MODAL}\b|\byou (?:always|never|only|now|are"
    rf"|were)\b"
    r"|\byour [\w ]{1,30}(?:no longer|do not|don't|does not|doesn't)\b"
    r"|^(?:please )?remember\b.{1,60}\bas\b|\byou're\b|\byour (?:job|role|task|purpose"
    r"|goal|duty|name|new|real|true|only|first)\b"
    rf"|\byou (?:\w+ly )?{_STRONG}\b"
    rf"|\b(?:ai|assistant|chat ?bot|bot|copilot|llm) (?:\w+ly )?{_STRONG}s\b"
    rf"|\b(?:{_OUTPUT}|{_IMPACT})\b(?:\s+[\w']+){{0,6}}?\s+{_MODAL}\b"
    rf"|\b(?:all|any|every|each|future)\b[^.]{{0,30}}\b{_MODAL}\b\s+(?:be|go|use"
    rf"|always)\b"
    rf"|\b(?:fine|okay|ok|free|safe|allowed|permission|authori[sz]ed|alright|acceptable"
    rf"|necessary|important|essential"
    rf"|best) (?:for {_ASSISTANT} )?to (?:\w+ly )?{_STRONG}\b"
    rf"|\b(?:no need|not necessary|needn't|need not|unnecessary|don't have) to"
    r" (?:ask|confirm|verify|check|warn|tell|mention|get|seek|request)\b"
    r"|\b(?:anyone|whoever|everyone|anybody|everybody)\b.{0,40}\b(?:gets|receives|is to"
    r"|should)"
    rf"|{UNASKED}"
    r"|\bbe (?:\w+ )?(?:great|nice|good|lovely|best|ideal|helpful|better|perfect) (?:if"
    rf"|that|when)\b[^.]{{0,30}}\b(?:you|assistant|ai|{_OUTPUT})\b"
)
_WISH: Final = compile_lazily(
    r"\b(?:wants?|wanted|(?:would|'d) (?:like|love|prefer|appreciate)|prefers?|expects?"
    r"|needs?|asks?|asked|requests?|requested|instructs?|instructed|demands?"
    r"|wish(?:es)?"
    r"|likes?|loves?|hates?|dislikes?|appreciates?|insists?|requires?|has told|told"
    r"|allow(?:s|ed)?|authori[sz]e[sd]?|permit(?:s|ted)?|g[ia]ve[sn]?|grant(?:s|ed)?"
    r"|agreed)\b[^.]{0,30}?"
    rf"\b(?:you|your|assistant|chat ?bot|the ai|the bot|the model|the agent"
    rf"|{_OUTPUT})\b"
    r"|\b(?:wants?|prefers?|expects?|needs?|requests?|asks?(?: for)?|requires?)\b"
    r"[^.]{0,60}\b(?:to be|being|be) (?:\w+ly )?\w+(?:ed|en|own|old|aid|ent)\b"
    r"|\b(?:might|would|could) be (?:lovely|nice|great|good|kind|helpful)\b"
    r"|\bgrateful if\b|\bwould you mind\b|\b(?:perhaps|maybe) you\b|\bnever hurt\b"
    r"|\bfind it (?:helpful|easier|useful|nicer)\b"
)
_ABOUT: Final = compile_lazily(
    r"\b(?:assistant(?! \w+(?:er|or|ch)\b| at )|chat ?bot|copilot|language model|llm"
    r"|gieok)s?\b"
    r"|(?<!thank )(?<!love )(?<!see )\b(?:you|your|yours|yourself)\b(?! know\b)"
    r"|\b(?:this|previous|earlier|last|past|older|future) (?:chat|conversation|memor"
    r"|note"
    r"|session)\w*"
    r"|(?:^|\b(?:every|all|any|each|in|future|correct|right|only) )(?:answer|repl(?:y"
    r"|ies)"
    r"|response|recommendation|suggestion|summar(?:y|ies))s?\b"
)
"""What an assistant is, gives and keeps: no statement about oneself needs it."""
_AUTHORITY: Final = compile_lazily(
    r"\bsame rights\b|\banyone (?:can|may)\b|\bthis account\b|\bas good as\b"
    r"|\bside with\b"
    r"|\b(?:each|every) time we (?:speak|talk|chat|meet)\b|\bfor all purposes\b"
    r"|\bconsent(?:s|ed)? (?:to|for)\b|\b(?:our|the) agreement\b|\bpermission\b"
    r"|\bwaive[sd]?\b"
    r"|\bpower of attorney\b"
    r"|\bauthori[sz]|\bunrestricted\b|\b(?:full|complete|blanket|elevated|unlimited)"
    r" (?:trust|access|authority|control|rights|permissions?)\b"
    r"|\b(?:limits?|restrictions?|filters?|notices?|rules|checks?|safeguards?"
    r"|warnings?)\b"
    r".{0,24}\b(?:lifted|removed|waived|off|disabled|suspended|no longer|not apply"
    r"|void)\b"
    r"|\bno longer (?:needed|required|necessary|appl)|\b(?:no|nothing|never"
    r"|without)\b.{0,20}\bdouble.check|\bpre-?approv"
    r"|\bon my behalf\b|\b(?:in|under) my name\b|\blog in ?to\b|\bmove funds\b"
    r"|\b(?:as|since|because) (?:i am |i'm )?the (?:user|owner|developer|admin\w*)\b"
    r"|\b(?:needs?|requires?|without|with) no (?:\w+ )?(?:checks?|proof|verification)\b"
    r"|\b(?:runs?|works?|goes) without checks\b|\boutranks?\b|\bbetween us\b"
    r"|\b(?:don't|do not|needn't) (?:need|have|want) to be (?:told|asked|warned"
    r"|notified)\b"
    r"|\b(?:call|delete|exec|get|grant|pay|read|run|send|set|transfer|write)_\w+"
    r"|\bmy consent\b|\b(?:already|has|have) (?:agreed|said yes|approved|consented"
    r"|cleared)\b"
    r"|\bmy card\b.{0,12}\banything\b|\bas you (?:like|please|wish)\b"
    r"|\bhidden text\b|\bdo as (?:they|he|she|we)\b|\bpolicy\b"
)
"""Leave and power: whoever has it says so once more when asked."""
_AGAIN: Final = (
    r"(?: \w+)? (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|days?|nights?"
    r"|mornings?|afternoons?|evenings?|weeks?|weekends?|weekdays?|months?|years?"
    r"|hours?|minutes?|time|one|spring|summer|autumn|fall|winter)\b"
)
_WORLD: Final = compile_lazily(
    rf"\b(?:all|any|every(?!{_AGAIN}| other\b)|whoever|nothing|everything|users?"
    r"|customers?|patients?|visitors?|callers?|correct|official|fact|best|trusted)\b"
)
"""Whom and what a rule for everybody names; what recurs ("every night") is none."""
_ME: Final = compile_lazily(
    r"\b(?:kids?|children|family|wife|husband|son|daughter|m[uo]m|dad|mother|father|dog"
    r"|cat|baby|i|i'\w+|me|my|mine|myself|we|us|our|ours)\b"
)
_SHORTEST: Final = 4
"""Words of a sentence; what is shorter is a note ("vegan since 2019")."""
_FINITE: Final = compile_lazily(
    r"^(?!\w+(?:s|ed|ing)\b)(?:[\w'.-]+ ){1,6}?(?:is|are|was|were|has|have|will|can"
    r"|must"
    r"|should|may|do|does|counts?|gets?|equals?|goes|go|comes?|ends?|means?|belongs?"
    r"|applies|apply|unlocks?|deserves?|leads?|makes?|gives?|works?|knows?)\b"
)
_TRADE: Final = compile_lazily(
    r"\b(?:i|i'm|we) (?:\w+ ){0,2}(?:work|build|built|develop|design|study|research"
    r"|sell"
    r"|test|train|made|make|read|use|talk|wrote|write)\w*\b"
)
_WHEN: Final = compile_lazily(
    r"\b(?:when(?:ever)?|if|once|after|before|each time|every time|any ?time|upon"
    rf"|as soon as|in case|unless"
    rf"|next time)\b(?P<rest>[^.]*?)(?<!\bto )(?<!\bthe )(?<!\ban )"
    rf"\b{_STRONG}\b"
)

_LEAD: Final = compile_lazily(r"^(?:the )?(?:user|사용자)\s?:\s*", re.IGNORECASE)
_ONESELF: Final = compile_lazily(r"^user\b|\bthe user\b", re.IGNORECASE)
_OWN: Final = compile_lazily(r"\bthe user's\b", re.IGNORECASE)
_SENTENCE: Final = compile_lazily(r"(?<=[.!?])\s+|\n+")


def has_order(text: str) -> bool:
    """Tell whether any sentence tells an assistant what to do, beyond its manners."""
    for sentence in _SENTENCE.split(text):
        written = _as_spoken(sentence)
        if _is_order(written) or _is_risky_wish(written):
            return True
    return False


def is_impersonal(text: str) -> bool:
    """Tell whether a text states of others how what matters is dealt with.

    Money, secrets, leave, tools, the public; nothing of the person. How things are in
    somebody's world ("the boiler is from 1998") is theirs to tell.
    """
    low = _as_spoken(text).lower()
    if (
        _ME.search(low)
        or is_rule_elsewhere(low)
        or _ORDER.search(low)
        or len(low.split()) < _SHORTEST
    ):
        return False
    return bool(_FINITE.search(low) and STAKES.search(low))


def _as_spoken(text: str) -> str:
    """Return what is told of the person as they would say it themselves."""
    return _ONESELF.sub("I", _OWN.sub("my", _LEAD.sub("", text.strip())))


def _is_order(sentence: str) -> bool:
    low = sentence.lower()
    if is_rule_elsewhere(low):
        return False
    when = _WHEN.search(low) and not SELF_ACT.search(low)
    ordered = when or _ORDER.search(low) or _BARE.search(low) or _OF_OTHERS.search(low)
    about = _ABOUT.search(low) and not _TRADE.search(low)
    if _AUTHORITY.search(low) or _is_general_rule(low):
        return True
    return bool(ordered or about) and not is_manners_request(sentence)


def _is_general_rule(low: str) -> bool:
    """Tell whether it says of everybody, and not of oneself, how things are."""
    told = re.search(r"\b(?:is|are|has|have|hears?|gets?|ends?|goes|comes?)\b", low)
    return bool(told and _WORLD.search(low)) and not _ME.search(low)


def _is_risky_wish(sentence: str) -> bool:
    """Tell whether somebody wishes of an assistant what might harm them or others."""
    low = sentence.lower()
    if not _WISH.search(low) or REMIND.search(low):
        return False
    return bool(RISK.search(low) or (STEERS.search(low) and has_named_party(sentence)))
