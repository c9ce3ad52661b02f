"""What a sentence claims: no claim is hidden by an offer, a request or a greeting before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.citations.statements.cited_answer import read_answer
from groundtypes.references import References
from groundtypes.text.claiming import claiming_words

NOTHING = """\
Call the hotline first, please.
That depends on what you do with it.
Three things stand out.
A few points are worth knowing.
There are two things to keep in mind.
Two points matter here.
I can also look up the rules for the self-employed, if you like.
I can turn this into a calendar.
I could draft a letter for you.
I can explain how the fee is computed, if that helps.
If you tell me your postcode, I can look it up.
Just tell me your town and I will check.
Send me the dates, and I'll put them into a table.
The full text is at https://a.example/full.
(For the other settings, see below.)
More on this below.
See the table below.
See above.
The table below compares them.
The following table sums this up.
The list below shows the steps in order.
Below is an overview.
Hard to say from here, but these points may help.
It is hard to tell without more details.
I can't judge that from here.
I do not know which model you have.
I'm not sure what you mean.
I cannot say whether the dog is ill.
I am not a lawyer.
This is not legal advice.
Let me explain.
Let me go through them one by one.
Let's look at the costs first.
I'll start with the costs.
I have summarised the rules below.
I've listed them in order of importance.
In short:
To sum up:
Now to your second question.
As for your second question:
I hope this helps!
Hope that clears things up.
Good luck with the exam!
Enjoy your trip!
Have a nice day!
Get well soon!
Welcome to the club!
Thanks for your question!
Thank you for asking.
You're welcome.
Great question!
I'm sorry to hear that.
Sorry about the confusion.
Feel free to ask if anything is unclear.
Please let me know if you need more.
Don't hesitate to ask.
Let me know which one you have, and I'll look it up.
Please talk to your bank before you decide.
Please call the service desk.
Please read the manual first.
Just ask.
That depends on which money you mean.
It depends on your situation.
That depends.
The documents do not say who owns it.
The sources give no price for it.
None of the passages mentions a date.
I found nothing about this in the documents.
I could not find the price in the sources.
There is no information about parking in the documents.
The provided context does not contain the answer.
Here is what the documents say:
Here's a quick overview.
Here are the steps:
Here you go.
Happy to help!
I'd be happy to draft a reply.
Would you like to know more?
Sure!
Of course.
Certainly, here is the list:
Sure, here you go:
Step by step:
The short answer first.
It's a good idea to check with them directly.
Please check with the office.
For anything else, please ask the staff.
One more thing:
Two remarks:
A quick note:
For details, see the guide.
Do tell me if you want the long version.
Let me know!
Hello!
Dear Anna,
Best wishes,
All the best for your move!
I would need your booking number for that.
I'd need to know your tariff to say more.
To answer that I would need your age.
Could you tell me your age?
Tell me more about your flat.
Happy to go deeper on any of these.
I'm glad to help with the application.
If anything is unclear, just ask.
If you have further questions, feel free to reach out.
Please don't hesitate to contact me if you have questions.
I hope that answers your question.
Hopefully this helps.
Let me know how it goes!
Let me know what you decide.
Shall we go on?
Which one is yours?
I don't have enough information to answer that.
I can't answer that from the sources.
The sources don't cover this.
This is not covered in the documents.
The documents provided do not mention opening hours.
I couldn't find anything about dogs in the documents.
Nothing in the sources speaks to that.
That is not in the documents.
I'd recommend checking with the office.
You may want to ask the office directly.
It may be worth asking the office.
To be on the safe side, please ask your landlord.
When in doubt, please ask the staff.
Please see a doctor.
Let me break this down.
Let me summarise.
I'll keep it short.
I'll list the steps in order.
Here's how it works:
Here's the thing:
Below are the main points.
The main points:
Key facts:
A short summary:
In a nutshell:
There are a few things to consider.
There are several points to note here.
Some points to consider first.
Two cases have to be distinguished.
It depends.
It depends on where you live.
That really depends on your contract.
Both answers in one:
To your first question:
Regarding your second question:
On your first point:
Thanks for the details!
Got it!
Good question.
No worries!
Glad you asked!
Understood.
All clear.
Sorry, I misread that.
My mistake.
I've put the dates in a table below.
I have attached a checklist.
I can send you the form if you want.
I could also compare the two offers for you.
If you wish, I'll translate it.
If that helps, I can make a checklist.
Want me to draft the letter?
Just let me know.
Say the word and I'll draft it.
(See also the table above.)
See the section on costs below.
As mentioned above:
More details follow.
More about this in a moment.
Keep your fingers crossed!
Have a great trip!
Wishing you a speedy recovery!
Take care!
Hope you feel better soon!
Have fun at the concert!
Safe travels!
Kind regards
Your library team
""".splitlines()

CLAIMS = """\
Please call 112, which is free of charge.
Please call the emergency line, which is free of charge.
Please note that dogs are not allowed.
Please note that the museum closes on Mondays.
Please check that the gas is off.
Please call the office, because the website is out of date.
Please contact the office; it is open daily.
Please ask the staff, they have a key.
Please call the desk - it never closes.
Please bring the contract and the keys.
Please wear a helmet.
Please talk to the doctor before taking the tablets with milk, as milk weakens them.
I'm sorry, the museum is closed on Mondays.
I'm sorry, but dogs are not allowed.
Sure, dogs are allowed in the park.
Of course the museum is open on Sundays.
Certainly, children pay half.
Thanks to its height, the tower is visible from afar.
Great question: the tower is made of iron.
Sure: the fee is waived for students.
Thank you for asking, the pool is open.
You're welcome to bring your dog.
You are welcome to use the garden until dusk.
Feel free to bring your own food, which is allowed on all trains.
I hope this helps, and the office is open until noon.
Let me know if you need help, but the deadline has passed.
If you like cheese, I'd say the dairy is open to visitors.
If you ask at the desk, the key is free.
If you are a student, you pay half.
Should you lose the key, the landlord replaces the lock.
Dogs are forbidden!
No dogs!
Free entry!
Entry is free!
Never mix them!
That depends on the weight: heavy parcels cost more.
That depends on your age, since children travel free.
It depends on the tariff, but most pay a fee.
The price depends on the season.
Here the river is at its widest.
Here is the catch: the fee is not refunded.
Here is why: the tariff ended in spring.
Here are two towers of iron.
The museum is closed on Mondays, but the sources do not say when it opens.
The sources do not mention a fee, although the permit is required.
The guide does not say who built it, but the almanac names Eiffel.
No document is needed for the trip.
The document does not need to be signed.
None of the documents is valid abroad.
There are three tariffs.
There are three towers in town.
Three rooms are closed.
Three exhibits stand out from the roof.
Two things are forbidden: fire and noise.
Two documents are required.
There are two things you must bring.
A few points are deducted for late work.
The table below the window is oak.
The table is made of oak.
The following day is a holiday.
The table shows that fees have risen.
I can confirm that the pool is open.
I can tell you that dogs are allowed.
I can say that the fee is low.
I can summarise it like this: the fee is low.
We can repair the bike within a week.
You can find the key under the mat.
You will find the museum in Main Street.
You can find the form at the desk.
Details are secret.
Details of the contract are in the annex of the lease.
More information is required for a permit.
See a doctor if the fever lasts.
Read the meter before you move in.
Check the battery for corrosion.
Call the landlord within a week.
Contact the landlord in writing.
Ask your doctor before you take it.
Consult the landlord before drilling.
Look for the red lamp at the back.
Tell the landlord at once.
Tell me your age, because children travel free.
Send me the form, which is valid for a year.
Let the engine cool first.
Let us not forget that the fee is due in May.
Let's say it is red and made of iron.
I have listed them: the red one is broken.
I'll start with the fee, which is due in May.
First, the fee is due.
First, fill in the form.
Now the fee is due.
It is hard to open the lid.
It is hard to say, but the lid is probably stuck.
I can't judge it, but the lid is stuck.
I cannot recommend swimming there.
I am not sure, but the pool opens in May.
I don't know why, but the lamp is red.
You cannot say whether the battery is full.
It is not legal to park there.
This is not legal.
Legal advice is free for members.
Good luck charms are sold at the desk.
Have a doctor look at the wound.
Enjoy free entry with the card, which costs little.
Welcome drinks are free.
Best before dates are printed on the lid.
Happy hour ends at eight.
Just below the roof there is a lamp.
Below is a cellar with wine.
See below for the fee, which is due in May.
(The fee is due in May, see below.)
As described above, the fee is due in May.
The fee is due in May (see below).
It's a good idea to keep the receipt.
It is a good idea to insure the bike.
The information is stored for a year.
Information about you is not stored.
The passages are closed at night.
The text of the contract does not mention pets, so pets are allowed.
The references are kept for a year.
None of the texts was printed.
I need a permit for that.
You would need a permit for that.
I would need a permit to park there.
I'd be happy if it were so, yet the pool is closed.
If you want, the landlord can also change the lock.
For details see the annex, where the fee of the landlord is fixed.
One more thing: the fee is due.
Two remarks: the fee is due, and the pool is closed.
Right, the pool is closed.
Hello, the pool is closed.
Yes, the pool is closed.
No, dogs are not allowed.
Exactly, the fee doubles.
That is right.
It does not.
You may not.
Unfortunately not.
Only on Sundays.
Until noon.
I hope you know that dogs are forbidden.
Happy to say the pool is open.
I'm glad that the pool is open.
Let me know, since the desk closes at noon.
Let me know by Friday whether you will use the room.
If anything breaks, the landlord pays.
If you have further questions, the hotline is free of charge.
I'd recommend the red one.
I'd recommend keeping the receipt.
You may want to keep the receipt.
You may keep a cat.
It may be worth more than the bike.
To be on the safe side, keep the receipt.
When in doubt, the landlord decides.
In doubt, the older rule applies.
Please pay by card.
Please keep the door shut.
Please keep dogs on a lead, as deer live there.
Please write to the council within a month, otherwise the claim lapses.
Please ask for the manager, who decides on refunds.
Please contact the landlord before the boiler is drained.
Please return the key to the desk.
Let me be clear: the fee is due.
Let me repeat that dogs are forbidden.
I'll be brief: no.
Below are caves.
The main point is the roof.
The key fact is that the fee is due.
There are several points on the licence.
There are a few rooms to rent.
There are two ways to pay.
Two cases have been reported.
Two cases are open.
It depends on the wind and can take a week.
That depends on the wind, which is strong in May.
Both answers are right.
Thanks to the wind, that helps.
Got it wrong, the lamp blinks.
Good questions are rewarded.
No worries, the deposit is refunded.
Sorry, dogs are not admitted.
My mistake costs money.
I have attached lamps to the roof.
The table below the stairs shows a map.
I can send you home if you cough.
If that helps, the landlord can add a lock.
Here is the river.
Here is the best place for mushrooms.
Here the fee is due.
More details were lost in the fire.
More than half follow.
As mentioned above, the fee is due.
The section on costs was dropped.
Keep your receipts!
Have a nice helmet on!
Take care of the valve!
Take the train!
Use the ramp!
Pets allowed!
Cash only!
Closed on Sundays.
No refunds.
Open all year.
Two rooms, one bath.
About a week.
Usually a month.
Probably yes.
The latter.
Not at all.
Nobody knows.
As of May.
From noon to six.
At the desk.
By card or in cash.
The red one.
Mostly iron.
Only for members.
It melts.
She resigned.
They merged.
Anna does.
Every Monday.
Free of charge.
Sure, if you are a member.
Certainly not.
Of course not.
Absolutely forbidden.
You are welcome at any time.
Dear customers pay less.
In short, the fee is due.
To sum up, the roof leaks.
In brief: closed.
Step by step the river rises.
For details of the roof, slate was chosen.
Looking at the roof, it leaks.
Please look at the roof, it leaks.
Would you believe it, the roof leaks.
The roof leaks, doesn't it?
The roof leaks; shall I call the landlord?
The pool is closed on Mondays, would you like another day?
The fee is due in May, so shall I remind you?
The form - which is free - is online, can you print it?
""".splitlines()

POINTERS = """\
See [the town's form](https://a.example/form) for the wording.
You will find an example in the [accident form guide](https://a.example/form).
Details are in the [tenant handbook](https://a.example/h), if you want to read on.
More information is available [here](https://a.example/h).
You can read more about this on [their website](https://a.example).
You can find out more at [the desk](https://a.example).
You can find the details [here](https://a.example).
Find out more on [this page](https://a.example).
Read more in the [brochure](https://a.example).
Here is the [link](https://a.example) to the form.
The form is available [online](https://a.example).
For further information, visit [the website](https://a.example).
""".splitlines()

LINKED_CLAIMS = """\
See [the tower is older than the bridge](https://a.example).
The [guide](https://a.example) says the fee is due.
The form is in the [annex](https://a.example), which is free.
You will find wild boars in the [forest](https://a.example).
You can find mushrooms [here](https://a.example).
The staff can be found [here](https://a.example), as they never leave.
Parking is described in the [guide](https://a.example) and is free.
You can find bears [here](https://a.example).
The form is available at the desk and [online](https://a.example) until May.
""".splitlines()


def is_claim(sentence: str) -> bool:
    """Whether a sentence in a paragraph of its own claims something, and cites nothing."""
    text = f"The tower is tall and old [1].\n\n{sentence}\n\nThe tower is made of iron [1]."
    answer = read_answer(text, References.of(["A tower."]), "auto", "sentence")
    return any(each.claims and not each.ids for each in answer.sentences)


@pytest.mark.parametrize("sentence", NOTHING + POINTERS)
def test_it_claims_nothing(sentence: str) -> None:
    assert not is_claim(sentence)


@pytest.mark.parametrize("sentence", CLAIMS + LINKED_CLAIMS)
def test_it_claims_something(sentence: str) -> None:
    assert is_claim(sentence)


@pytest.mark.parametrize("sentence", [each for each in NOTHING if not each.endswith("?")])
@pytest.mark.parametrize("claim", [", and the fee is due", "; dogs are not allowed"])
def test_a_claim_behind_it_is_not_hidden(sentence: str, claim: str) -> None:
    words = sentence.rstrip(".!:,)")
    assert claiming_words(f"{words}{claim}.", cites=False)


def test_a_sentence_with_a_marker_claims_something_unless_it_points_or_asks() -> None:
    assert claiming_words("Please call the desk.", cites=True)
    assert not claiming_words("Please call the desk.", cites=False)
    assert not claiming_words("For details, see.", cites=True)
    assert not claiming_words("Is it open?", cites=True)


def test_of_joined_sentences_those_that_claim_something_are_kept() -> None:
    assert claiming_words("It is red. Good luck!", cites=False) == "It is red."
    assert claiming_words("Sure! It is red.", cites=False) == "It is red."


@given(st.text(alphabet="ab ,;:.!?-'\ufffc()please if you", max_size=400))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(claiming_words(text, cites=False, links=["a"]), str)


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "I don't know the answer to that question.",
        "I do not have an answer to this.",
        "I cannot answer that question.",
        "No information available.",
        "There is no information available on that.",
        "Hello \U0001f389!",
        "Hallo!",
        "Guten Tag!",
        "Bonjour !",
        "\u00a1Hola!",
        "Dazu steht nichts in den Dokumenten.",
        "In den Quellen steht dazu nichts.",
        "Die Dokumente enthalten dazu keine Angaben.",
        "Die vorliegenden Dokumente erw\u00e4hnen das nicht.",
        "Das wei\u00df ich leider nicht.",
        "Ich wei\u00df es nicht.",
        "Les documents ne le mentionnent pas.",
        "Les sources ne disent rien \u00e0 ce sujet.",
        "Je ne sais pas.",
        "Los documentos no lo mencionan.",
        "No lo s\u00e9.",
    ],
)
def test_what_is_not_known_and_greetings_claim_nothing(text: str) -> None:
    assert claiming_words(text, cites=False) == ""
    claim = "Der Turm ist hoch."
    assert claiming_words(f"{text} {claim}", cites=False) == claim


@pytest.mark.parametrize(
    "text",
    [
        "I don't know that the tower is tall.",
        "I don't know the answer, the tower is tall.",
        "No information is available because the tower is closed.",
        "Hallo ist ein Gru\u00df.",
        "Die Quellen sagen nichts als die Wahrheit \u00fcber den hohen Turm.",
        "Die Dokumente enthalten keine Angaben, weil der Turm geschlossen ist.",
        "In den Dokumenten steht nicht weniger als alles.",
        "Les documents ne mentionnent pas que la tour est ferm\u00e9e.",
        "Los documentos no mencionan que la torre es roja.",
        "Ils ne disent rien.",
        "No s\u00e9 que la torre es roja.",
        "Ciao-Ciao is a tower.",
    ],
)
def test_what_looks_like_it_claims_something(text: str) -> None:
    assert claiming_words(text, cites=False) == text
