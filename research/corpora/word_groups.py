"""Words that change what a sentence says, in groups that stand for each other."""

import re

#: Words that deny, limit or doubt: an ellipsis of the benign kind never leaves one out.
DOUBTFUL = frozenset(
    "no non not never none nor neither nobody nothing nowhere cannot without except unless hardly "
    "barely scarcely rarely seldom only few fewer little less least most all any every each some "
    "many several both either but however although though if whether may might could would can "
    "should must fail fails failed lack lacks lacked false deny denied denies instead rather than "
    "apart excluding besides almost nearly exclude excluded exclusion until before unlike against "
    "refuse refused stopped ceased avoid avoided prevent prevented".split()
)


def _pairs(text: str) -> dict[str, tuple[str, ...]]:
    """Return each word of each group `a|b|c` with the others of its group."""
    found: dict[str, tuple[str, ...]] = {}
    for group in text.split():
        words = [word.replace("_", " ") for word in group.split("|")]
        for word in words:
            found.setdefault(word, tuple(other for other in words if other != word))
    return found


QUANTIFIERS = _pairs(
    "all|some|most few|many every|no each|no several|all both|neither always|sometimes|never "
    "often|rarely usually|rarely only|also half|all everyone|someone"
)
UNITS = _pairs(
    "mg|g|mcg kg|lb ml|l mm|cm km|miles|metres meters|feet hours|minutes|days weeks|months "
    "years|months year|month week|day dollars|euros|pounds kilometers|miles mL|L seconds|minutes "
    "tons|pounds hour|minute cm|mm month|week minutes|hours days|weeks months|weeks"
)
DATES = _pairs(
    "January|June|October February|September|November March|May|August April|July|December "
    "Monday|Thursday Tuesday|Friday|Sunday Wednesday|Saturday June|July December|March "
    "November|April October|August"
)
COMPARISONS = _pairs(
    "more_than|less_than|fewer_than at_least|at_most greater_than|less_than higher_than|lower_than "
    "over|under above|below up_to|at_least longer_than|shorter_than before|after "
    "larger_than|smaller_than"
)
ANTONYMS = _pairs(
    "increased|decreased increase|decrease higher|lower high|low first|last large|small old|young "
    "early|late major|minor positive|negative male|female won|lost win|lose began|ended born|died "
    "good|bad best|worst public|private north|south northern|southern east|west eastern|western "
    "older|younger better|worse long|short new|old joined|left gained|lost rise|fall rose|fell "
    "husband|wife son|daughter father|mother brother|sister inside|outside open|closed "
    "included|excluded inclusion|exclusion include|exclude accepted|rejected top|bottom "
    "upper|lower left|right maximum|minimum acute|chronic benign|malignant success|failure "
    "successful|unsuccessful active|inactive treated|untreated present|absent buy|sell bought|sold "
    "hot|cold strong|weak mother|father man|woman men|women boy|girl king|queen same|different "
    "possible|impossible legal|illegal able|unable formal|informal complete|incomplete day|night"
)
NEIGHBOURS = _pairs(
    "large|big small|little began|started famous|well-known film|movie city|town important|notable "
    "company|firm wrote|authored shows|indicates children|kids help|aid also|additionally "
    "received|obtained became|turned many|numerous help|support work|labour often|frequently "
    "life|existence house|home area|region study|trial patients|people career|profession "
    "released|published created|made located|situated known|called several|various "
    "moved|relocated died|passed_away attended|visited people|persons main|chief "
    "required|needed must|should use|apply treatment|therapy risk|danger disease|illness "
    "results|findings using|with law|statute court|tribunal"
)
#: Real words that look alike.
LOOKALIKES = _pairs(
    "form|from trial|trail united|untied public|pubic three|there quiet|quite later|latter "
    "marital|martial though|through country|county women|woman where|were than|then best|beat "
    "causal|casual prescribe|proscribe prescribed|proscribed hypertension|hypotension "
    "mortality|morality statue|statute world|word land|lend live|love name|game national|rational "
    "work|word books|looks film|firm state|stage first|fist career|carer song|son born|horn "
    "team|tears party|pastry part|port house|horse person|prison human|humane patient|patent "
    "dose|does disease|decease cancer|canter breast|beast cells|calls affect|effect "
    "affected|effected accept|except principal|principle site|side power|tower series|serious "
    "well|will most|must right|night court|count award|aware angle|angel desert|dessert "
    "adapt|adopt adapted|adopted lead|lend made|male father|farther"
)
VERBS = _pairs(
    "is|was are|were has|had have|had was|is were|are had|has do|did does|did becomes|became "
    "includes|included led|leads played|plays made|makes became|becomes"
)
MODALS = _pairs(
    "may|will might|will can|must could|would should|must will|may must|may would|could"
)
PRONOUNS = _pairs(
    "he|she his|her they|he their|his him|them it|she we|they our|their I|you my|your"
)
NUMBER_WORDS = _pairs(
    "two|three four|five six|seven eight|nine ten|twelve one|two second|third third|fourth "
    "million|billion|thousand hundred|thousand billion|million thousand|million"
)
CONNECTIVES = _pairs(
    "and|or because|although while|because after|before before|after during|after since|until "
    "but|so if|unless or|and"
)
FUNCTION_WORDS = _pairs(
    "in|on of|to to|from at|by for|against with|without by|for from|to on|in the|a a|the into|from"
)
ADDED = ("famously", "very", "only", "mostly", "reportedly", "initially", "more", "also", "about")
#: A negation and what is left without it.
NEGATIONS = (
    (
        re.compile(
            r"\b(is|was|are|were|has|had|have|do|does|did|will|would|can|could|may|must) not\b"
        ),
        r"\1",
    ),
    (re.compile(r"\bcannot\b"), "can"),
    (re.compile(r"\b(do|does|did|is|was|are|were|has|have|had|could|would|should)n['’]t\b"), r"\1"),
    (re.compile(r"\b(never|not|no|without) (?=[a-z])"), ""),
)
