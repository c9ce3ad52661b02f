"""The phrases of an assistant that claim nothing: offers, requests, wishes, pointers, and others.

Each pattern is for one clause, and closed: what follows its fixed words may hold no finite verb of
a statement, or only where a condition or an indirect question has to follow. They are for English;
of other languages, `claimless_translations` has greetings and sentences that say that nothing is
known. What else is written in them claims something, unless it is a question or ends with a colon.
"""

import re
from typing import Final

from groundtypes.citations.statements.claimless_translations import CLAUSES, GREETINGS

__all__ = [
    "CLAIMLESS",
    "CONDITION",
    "FILLER",
    "FINITE",
    "INTERJECTION",
    "LINK",
    "LINK_POINTER",
    "POINTER",
    "POINTER_WORDS",
    "SILENCE",
    "WITHOUT_FIGURES",
]

#: What takes the place of a link.
LINK: Final = "\ufffc"


def _pattern(*alternatives: str) -> re.Pattern[str]:
    """Return a pattern of which one alternative is to match; an apostrophe has either form."""
    joined = "|".join(f"(?:{one})" for one in alternatives)
    return re.compile(joined.replace("'", "['\u2019]"), re.IGNORECASE)


_VERBS: Final = (
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|does|did|do|may|might|must|should|"
    r"shall|cannot|not|never|no)\b|\w(?:n't|'re|'ll)\b|"
    r"\b(?:it|he|she|that|there|here|what|who)'s\b"
)
FINITE: Final = _pattern(_VERBS)
#: The rest of a clause, without a verb of a statement, and without any "that" or "which".
_NO_CLAUSE: Final = (
    rf"(?!{_VERBS.replace('|no)', ')')}|\b(?:which|who|why)\b|\bthat\b(?! for you|\Z))"
)
_REST: Final = rf"(?:{_NO_CLAUSE}.){{0,140}}"
_ANY: Final = r".{0,200}"
#: A condition or an indirect question, which may have any verb.
_INDIRECT: Final = (
    r"(?:if|whether|what|which|when|where|who|whom|how|in case|should|before|once|as soon as|until)"
    rf"\b{_ANY}"
)
_SOURCES: Final = (
    r"(?:sources?|documents?|references?|passages?|contexts?|texts?|excerpts?|materials?|leaflets?)"
)
_PREFIX: Final = (
    r"(?:(?:please|just|simply|also|then|first|always|only|do|and|so|but|in any case),? )*"
)
_SELF: Final = r"(?:i|we)"
#: What an assistant offers to do.
_ACTION: Final = (
    r"(?:look|turn|make|draft|write|prepare|summari[sz]e|translate|explain|list|compare|check|"
    r"search|help|assist|show|go|walk|provide|give|put|create|compile|send (?:you )?(?:the|a|an|"
    r"it|them|some|more|this|that|your)|draw|convert|format|"
    r"shorten|expand|rephrase|reword|calculate|work (?:it|this|that|them|out)|find(?! no\b|"
    r" nothing)|"
    r"sort|add|narrow|suggest|describe|start|begin|sketch|outline|collect|gather|answer|adapt|"
    r"take|say more|tell you (?:more|what|how|which|where|when|whether)|do (?:so|that|this|it))"
)
_NOUN: Final = (
    r"(?:things?|points?|aspects?|details?|remarks?|notes?|observations?|considerations?|matters?|"
    r"questions?|caveats?|cases|ideas|tips?|suggestions?)"
)
_COUNT: Final = (
    r"(?:(?:just|only|also|some|a|an|one|two|three|four|five|six|seven|several|few|many|the|these|"
    r"those|following|main|key|important|most|other|more|further|last|final|quick|short|small|"
    r"couple|"
    r"number|of) )*"
)
_SUMMARY: Final = (
    r"(?:summary|overview|answers?|list|steps?|points?|things?|details?|examples?|explanation|"
    r"breakdown|table|comparison|information|facts?|version|draft|outline|instructions|rules|"
    r"results?|essentials|tips?|suggestions?|checklist|timeline|plan|gist|link)"
)

#: What stands before a sentence, or alone, and says nothing.
INTERJECTION: Final = _pattern(
    r"(?:sure(?: thing)?|certainly|of course|absolutely|gladly|okay|ok|all right|alright|hello|hi|"
    r"hey|good (?:morning|afternoon|evening|day|news)|my pleasure|no problem|no worries|"
    r"understood|got it|all clear|"
    r"(?:i'm )?glad you asked|my mistake|"
    r"(?:(?:that is|that's|what) )?(?:a |an )?(?:great|good|fair|excellent|interesting|important) "
    r"(?:question|point)|thank you(?: (?:very|so) much)?(?: for (?:(?![,.!:;]).){1,60})?|"
    r"thanks(?: a lot| again)?(?: for (?:(?![,.!:;]).){1,60})?|"
    r"(?:(?:i'm|i am|we're|we are) )?(?:so |very )?sorry(?: to hear (?:that|this|it)|"
    r"(?: about| for)(?: \w+){1,4})?|you(?:'re| are) (?:very |most )?welcome|"
    r"congratulations(?: to \w+)?|"
    r"dear(?: (?-i:[A-Z])[\w'.]{0,30}){1,3})\s?(?:[,.!:;\u2013\u2014-]|\Z)",
    rf"(?:{GREETINGS})\s?(?:[,.!:;\u2013\u2014-]|\Z)",
    r"(?:of course|certainly)(?= )",
)
#: One word behind a comma, or one or two more of a list.
FILLER: Final = _pattern(r"(?:(?:and|or) (?:\w+ )?)?[^\W\d]+|e\.g|(?:and|or) so on")
#: What comes before or after a main clause, and claims nothing beside one that does not.
CONDITION: Final = _pattern(
    r"(?:if|should|in case|whenever|once|as soon as|unless|before|until|when)\b",
    rf"(?:for|in|with|about|as for|on|to|from|without)\b(?!.{{0,80}}(?:{_VERBS}))",
)
_OFFERS: Final = (
    rf"{_PREFIX}let (?:me|us) know(?: (?:about|your|more|and|then|in case)\b{_REST}| {_INDIRECT})?",
    (
        rf"{_PREFIX}feel free to (?:ask|contact|reach|let|send|tell|share|write|get|call|"
        rf"message)\b{_ANY}"
    ),
    rf"{_PREFIX}(?:do not|don't) hesitate to (?:ask|contact|reach|let|call|write|get)\b{_ANY}",
    (
        rf"(?:{_SELF}(?:'d| would|'m| am|'ll| will)(?: also)?(?: be)? )?(?:more than )?(?:happy|"
        rf"glad|"
        rf"pleased) to (?:help|assist|{_ACTION})\b{_ANY}"
    ),
    rf"{_PREFIX}(?:ask|ask away|say so|say the word)",
    (
        rf"{_PREFIX}(?:please )?(?:tell|send|give|show|ask|write|message|remind|email) (?:me|us)\b"
        rf"(?: (?:more|about|your|the|a)\b{_REST}| {_INDIRECT})?"
    ),
    (
        rf"(?:(?:for|to) (?:(?!{_VERBS}).){{1,60}} )?{_SELF}(?:'d|'ll| would| will| do| just| only|"
        rf" still"
        rf"| also| first)* need (?:(?:to (?:know|see|look at) )?(?:your|more|some more|"
        rf"further)\b{_REST}"
        rf"|to know\b{_ANY})"
    ),
    rf"would you (?:like|prefer)\b{_ANY}",
)
_OWN_LIMITS: Final = (
    (
        rf"(?:(?:unfortunately|sadly|however|honestly|from here),? )*{_SELF}(?: really| simply|"
        rf" honestly)?"
        r"(?: can(?:not|'t| not)| could(?: not|n't)| do(?: not|n't)| did(?: not|n't)| am (?:not|"
        r"unable)"
        r"|'m (?:not|unable)| was not able)(?: to| able| be| yet| quite| really| reliably)*"
        r" (?:say|tell|judge|know|confirm|verify|assess|predict|answer|decide|sure|certain|"
        r"determine|"
        r"have (?:any |enough |more |further )?(?:information|details|data|access)"
        r"(?: to (?:answer|say|tell|judge))?)"
        rf"(?: (?:that|this|it|them|more|exactly|from here|yet|about|without|of|your|the|for sure|"
        rf"with)\b{_REST}| {_INDIRECT})?"
    ),
    (
        rf"{_SELF} (?:do not|don't|cannot|can't) (?:know|have|find|answer)"
        r"(?: (?:the|an|any) answers?(?: to (?:that|this|your|the|these|those)(?: questions?)?)?|"
        r" (?:that|this|your|the) questions?)"
    ),
    (
        r"(?:there is |i have |i found )?no (?:relevant |further |such |specific )?(?:information|"
        r"data|details) (?:(?:is|was|are|were) )?(?:available|found|provided|given)"
        rf"(?: (?:on|about|for|regarding) (?:that|this|it)| in the {_SOURCES})?"
    ),
    (
        r"i(?:'m| am) (?:not|no|only|just) (?:a |an |your )?(?:lawyer|doctor|physician|vet|adviser|"
        rf"advisor|expert|professional|language model|ai|assistant|human)\b{_REST}"
    ),
    (
        r"this is (?:not|no|only|just)(?: a| an)?(?: (?:legal|medical|tax|financial|professional|"
        r"general|"
        r"individual|binding|veterinary))+ (?:advice|information|guidance|opinion|diagnosis|"
        r"overview)"
    ),
    (
        r"(?:(?:it|that|this)(?:'s| is) )?(?:hard|difficult|impossible|not easy|tricky|too early)"
        r"(?: for me)? to (?:say|tell|judge|answer|know|assess)"
        rf"(?: (?:from here|for sure|exactly|in general|from a distance|yet|without {_REST}))*"
    ),
)
_LEADING: Final = (
    rf"here(?:'s| is| are| comes?) (?:{_COUNT}(?:\w+ )?{_SUMMARY}\b{_REST}|(?:what|how)\b{_ANY})",
    r"here (?:you go|it is|they are|we go)",
    (
        r"(?:it|that|this)(?: all| really| mostly| largely)?(?: depends| will depend| would depend)"
        r"(?: a lot| a bit| entirely| mainly| partly| very much)?(?: (?:on|upon) (?:(?:what|which|"
        r"how|where|"
        rf"when|whether|who|your|you)\b{_ANY}|the (?:exact |individual |specific )?(?:case|"
        rf"situation|"
        r"details?|circumstances|context)|(?:several|many|a few) (?:things|factors)))?"
    ),
    (
        rf"(?:there (?:are|is) )?{_COUNT}{_NOUN}(?: here| now| really| especially)*(?: that)? "
        r"(?:stands? out|matters?|(?:have to|can|should|must) be (?:distinguished|separated|"
        r"considered|kept apart)|(?:is|are) (?:worth|important|relevant|key|decisive|described|"
        r"mentioned)"
        r"(?: noting| knowing| mentioning| separating| considering| remembering| distinguishing|"
        r" a look)?"
        r"|(?:may|might|should|could|can|will) help|come to mind|to (?:note|consider|know|remember|"
        r"keep in mind|bear in mind|watch(?: out for)?|say|mention|add|check|separate|distinguish))"
        r"(?: here| there| for you| you| in this case| in particular| first)*"
    ),
    (
        rf"{_COUNT}(?:{_NOUN}|short answer|quick answer|long answer|answer|words?|news)"
        r"(?: first| more| here)?"
    ),
    (
        r"(?:(?:first|now|then|finally|next),? )?(?:the|to the|to your|as for your|on to your) "
        r"(?:good|bad|first|second|third|next|last|other|main)(?: \w+)? (?:news|question|part|"
        r"point)"
    ),
    (
        r"in (?:short|brief|summary|a nutshell|detail|other words)|to (?:sum up|summari[sz]e|"
        r"recap)|"
        r"step by step|point by point|briefly|in order"
    ),
)
_POINTING: Final = (
    (
        r"(?:more|(?:more )?details|as (?:described|shown|listed|explained|mentioned)|see|see also|"
        r"also see)"
        r"(?: (?:on|about) (?:that|this|it|these|them))?(?: the (?:table|list|section|overview|"
        r"chart|"
        r"example|notes?|part|paragraph)(?: on(?: \w+){1,3})?)?"
        r"(?: (?:below|above|later|follow|in a moment|further (?:down|up|below|above)))"
    ),
    (
        r"(?:the|this) (?:following (?:table|list|overview|summary|chart|section|points?)|(?:table|"
        r"list|"
        r"overview|summary|chart|section|points?) (?:below|above)) (?:shows?|lists?|compares?|"
        rf"summari[sz]es?|gives?|sums?|sets?|contains?|puts?|explains?|describes?)\b{_REST}"
    ),
    rf"(?:below|above) (?:is|are|you(?:'ll| will| can)?(?: find| see)) {_COUNT}(?:\w+ )?{_SUMMARY}",
    (
        r"(?:see|consult|refer to|read) the (?:full |complete |official )?(?:guide|manual|handbook|"
        r"leaflet|documents?|documentation|website|page|section|annex|appendix|brochure|booklet|"
        r"instructions|report|text|link|notes)"
    ),
)
_WISHES: Final = (
    (
        r"(?:(?:i |we )?(?:also )?hope|hopefully) (?:this|that|it|these|the|you|your|all|"
        r"everything)\b"
        rf"(?!.{{0,200}}\bthat\b){_ANY}"
    ),
    (
        rf"(?:good luck|all the best|best (?:wishes|regards|of luck)|kind regards|get well|"
        rf"safe travels|"
        rf"happy (?:birthday|easter|christmas|new year|holidays|travels|\w+ing)|merry|welcome|"
        rf"well done|"
        rf"take care(?! of)|cheers|see you|greetings|enjoy|have fun|i wish you|wishing you|"
        rf"keep your fingers crossed)(?: (?!.*(?:{_VERBS}))"
        r"\S+(?: \S+){0,5})?"
    ),
    (
        r"have (?:a|an)(?: \w+){0,2} (?:day|evening|weekend|week|trip|time|night|journey|flight|"
        r"stay|"
        r"start)"
    ),
)
#: A clause that claims nothing.
CLAIMLESS: Final = _pattern(*_OFFERS, *_OWN_LIMITS, *_LEADING, *_POINTING, *CLAUSES)
_TURN_TO: Final = (
    r"(?:contact|call|ring|phone|ask|talk|speak|turn to|look|check (?:with|back)|consult|read|see|"
    r"refer|write|get in touch|reach out|visit|tell)"
)
_ASKING: Final = r"(?:check|ask|talk|contact|consult|call|speak)(?:ing)?"
#: A clause that claims nothing if it has no figure.
WITHOUT_FIGURES: Final = _pattern(
    *_WISHES,
    rf"(?:if|should) you\b.{{0,120}}?\b(?:let me know|feel free|just ask|tell me|please ask|"
    rf"(?:i|we)(?:'d| can| could| would|'ll| will)(?: also| then| gladly)* {_ACTION})\b{_REST}",
    rf"{_SELF}(?: can| could|'ll| will|'d| would| may)(?: also| then| gladly| happily| certainly|"
    rf" easily"
    rf"| even| now| next| first| briefly| try to| be able to)* {_ACTION}\b(?:{_REST}|"
    rf"(?: \w+){{0,3}} {_INDIRECT})",
    rf"{_PREFIX}(?:let me|let us|let's)(?: first| now| briefly| quickly| also| just)* "
    r"(?:explain|list|summari[sz]e|start|begin|go|walk|look|break|put|sort|take|see|turn|recap|"
    r"give|"
    rf"show|describe|answer|clarify|check)\b(?:{_REST}|(?: \w+){{0,3}} {_INDIRECT})",
    rf"{_SELF}(?:'ve| have)(?: also| just)? (?:summari[sz]ed|listed|collected|grouped|sorted|"
    rf"ordered|"
    rf"arranged|marked|compiled|(?:put|added|attached)\b(?=.{{0,60}}\b(?:below|table|list|"
    rf"checklist|"
    rf"overview|summary)\b))\b{_REST}",
    rf"{_SELF}(?: (?:misread|misunderstood|overlooked)\b{_REST}|(?:'ll| will) keep (?:it|this) "
    r"(?:short|brief|simple))",
    rf"{_SELF}(?:'d| would) (?:recommend|suggest|advise) (?:to )?{_ASKING}\b{_REST}",
    rf"you (?:may|might|could)(?: also)?(?: want to| wish to)? (?:ask|contact|check with|talk to|"
    rf"consult)"
    rf"\b{_REST}",
    rf"{_PREFIX}please (?:also |just |first |always )*{_TURN_TO}\b{_REST}"
    rf"(?:\b(?:before|if|when) you\b{_REST})?",
    r"it(?:'s| is| may be| might be) (?:best|a good idea|worth|wise|advisable|safest) (?:to )?"
    rf"{_ASKING}\b{_REST}",
)
#: What says that the references do not tell something: there is nothing that it could cite.
SILENCE: Final = _pattern(
    rf"\b(?:{_SOURCES}|information)\b.{{0,60}}\b(?:do|does|did|is|are|was|were)"
    r"(?: not|n't) (?:\w+ )?(?:say|mention|state|specify|contain|provide|include|give|tell|"
    r"cover|address|discuss|describe|indicate|provided|given|included|mentioned|stated|specified|"
    r"available)\b",
    rf"\b(?:no|none of the) {_SOURCES}\b.{{0,60}}\b(?:says?|mentions?|states?|specif(?:y|ies)|"
    r"contains?|provides?|gives?|tells?|covers?)\b",
    rf"\b(?:the|these|those) (?:(?:given|provided|available) )?{_SOURCES} (?:give|say|contain|"
    rf"mention|"
    r"provide|state|have|tell|offer)s? (?:no|nothing|neither)\b",
    r"\b(?:(?:could|can|did)(?: not|n't)|cannot) (?:find|see|locate)\b"
    rf".{{0,100}}\b(?:in|from) the (?:(?:given|provided|available) )?{_SOURCES}\b",
    rf"\b(?:this|that|it) (?:is not|isn't) (?:\w+ )?in the (?:(?:given|provided) )?{_SOURCES}\b",
    rf"\bnothing in the (?:(?:given|provided|available) )?{_SOURCES}\b",
    rf"\b(?:found|find|see|there (?:is|are)) (?:no|nothing|not)\b.{{0,100}}\bin the "
    rf"(?:(?:given|provided|available) )?{_SOURCES}\b",
)
#: What only points to a reference, when its marker is left out: "For details, see [2]."
POINTER: Final = _pattern(
    r"(?:for (?:more|further|full|all)? ?(?:details?|information),? )?(?:please )?(?:also )?"
    r"(?:see|refer to|consult|read)(?: also)?(?: (?:for )?(?:more |further |full )?"
    r"(?:details?|information))?\W*"
)
#: "See [the form](...) for the wording."
LINK_POINTER: Final = _pattern(
    rf"(?:for [^,]{{1,60}},? )?(?:please )?(?:also )?(?:see|read|consult|refer to|visit|"
    rf"have a look at|look at|compare) "
    rf"(?:also )?(?:the |our |their )?{LINK}(?: for (?!.*(?:{_VERBS}|\d|,|\bwhich\b))"
    r"\S+(?: \S+){0,5})?\W*"
)
#: The words that say that something is to be found at a link, and nothing of it.
POINTER_WORDS: Final = frozenset(
    "a about also an and are as at available background be by can check complete consult contains "
    "description detail details document documents documentation example examples explained "
    "explanation find form forms found from full further has have here how i if in information "
    "instructions is it its like link list longer many more need note of official on online or "
    "original our out overview page pages please read refer see site source sources text that the "
    "their there these this to under up version via visit want website wish with wording would you "
    "you'll your will".split()
)
