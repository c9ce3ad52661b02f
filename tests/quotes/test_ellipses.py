"""What an ellipsis in a quote may hide, and what it may not."""

from typing import Annotated

import pytest
from pydantic import BaseModel

from groundtypes import Quoted, References, audit, find_quote
from groundtypes.errors import MarkerError
from groundtypes.quotes import MatchKind, NearMiss
from groundtypes.quotes.search import search

#: name -> (reference, quote)
HARMFUL: dict[str, tuple[str, str]] = {
    "cs that two Italian words are in": ("Dal jsem si pivo, ne párek.", "Dal jsem si ... párek"),
    "en price of a pack": ("The pill costs $5 per pack of 10.", "The pill costs $5 ... 10"),
    "cs nikoli": ("Dal jsem si pivo, nikoli párek.", "Dal jsem si ... párek"),
    "el not": ("Παρήγγειλα τσάι, όχι καφέ.", "Παρήγγειλα ... καφέ"),
    "el not them": (
        "Το φάρμακο βοηθά τους άνδρες, όχι τις γυναίκες.",
        "Το φάρμακο βοηθά ... τις γυναίκες",
    ),
    "fr nearly": ("Il a failli gagner.", "Il a ... gagner"),
    "fr far": ("Le pont est loin d'être sûr.", "Le pont est ... sûr"),
    "en far": ("The bridge is far from safe.", "The bridge is ... safe"),
    "en close": ("The team came close to winning the cup.", "The team came ... winning the cup"),
    "es far": ("El puente está lejos de ser seguro.", "El puente está ... seguro"),
    "en lies": ("It is dear. These are lies. It has a roof.", "It is dear. ... It has a roof."),
    "en false": (
        "It is dear. That is quite false. It has a roof.",
        "It is dear. ... It has a roof.",
    ),
    "en splice": (
        "The drug is not approved. Water is safe for children.",
        "The drug is ... safe for children",
    ),
    "en splice 2": (
        "The drug is new. Water is safe for children.",
        "The drug is ... safe for children",
    ),
    "peru": ("Peru is not the capital. It has lakes and mountains.", "Peru ... mountains"),
    "lack": ("The drug lacks approval and is safe for adults.", "The drug ... is safe"),
    "failed": ("The company failed to pay the tax in 2019.", "The company ... pay the tax in 2019"),
    "refused": (
        "The senator refused to sign the treaty on Monday.",
        "The senator ... sign the treaty on Monday",
    ),
    "instead": (
        "They used water instead of alcohol for the test.",
        "They used ... alcohol for the test",
    ),
    "former": ("He is the former president of the club.", "He is the ... president of the club"),
    "might": (
        "The treatment might cure the disease in children.",
        "The treatment ... cure the disease",
    ),
    "less": (
        "Profits rose by less than 5 percent last year.",
        "Profits rose ... 5 percent last year",
    ),
    "range": (
        "About 5 to 50 percent of the patients were healed.",
        "About 5 ... percent of the patients",
    ),
    "critic": (
        "The mayor's critic accused the deputy, who was arrested in May.",
        "The mayor's critic ... was arrested in May",
    ),
    "none": (
        "The drug is safe. None of the following is true. It cures cancer.",
        "The drug is safe. ... It cures cancer.",
    ),
    "attr": (
        "In May the company claimed the drug is safe for all.",
        "In May ... the drug is safe for all",
    ),
    "de keineswegs": (
        "Das Medikament ist keineswegs sicher für die Kinder.",
        "Das Medikament ist ... sicher für die Kinder",
    ),
    "de weder": (
        "Der Stoff ist weder giftig noch brennbar und wird hier verkauft.",
        "Der Stoff ist ... giftig",
    ),
    "de conj": (
        "Der Stoff ist neu und wirksam. Das Wasser ist sicher für Kinder.",
        "Der Stoff ist ... sicher für Kinder",
    ),
    "es sin": (
        "El paciente fue tratado sin el medicamento en la clínica.",
        "El paciente fue tratado ... el medicamento en la clínica",
    ),
    "sv": ("Läkemedlet är inte godkänt för barn i Sverige.", "Läkemedlet är ... godkänt för barn"),
    "da": (
        "Lægemidlet er ikke godkendt til børn i Danmark.",
        "Lægemidlet er ... godkendt til børn",
    ),
    "fi": ("Lääke ei ole turvallinen ja se on kielletty.", "Lääke ... ole turvallinen ja se on"),
    "ru": (
        "Пациент был принят без направления врача в больницу.",
        "Пациент был принят ... направления врача в больницу",
    ),
    "ar": ("هذا الدواء ليس آمنا للأطفال في هذه الحالة.", "هذا الدواء ... آمنا للأطفال"),
    "hi": ("यह दवा बच्चों के लिए सुरक्षित नहीं है।", "यह दवा बच्चों के लिए सुरक्षित ... है"),
    "ja": ("この薬は子供にとって安全では決してない。", "この薬は子供にとって ... ない"),
    "zh": ("这种药对儿童绝对不是安全的。", "这种药对儿童 ... 安全的"),
    "ko": ("이 약은 아이들에게 절대 안전하지 않은 약이다.", "이 약은 아이들에게 ... 약이다"),
    "th": ("ยานี้ไม่ปลอดภัยสำหรับเด็ก", "ยานี้ ... ปลอดภัยสำหรับเด็ก"),
    "vi": (
        "Thuốc này không được phê duyệt cho trẻ em ở Việt Nam.",
        "Thuốc này ... được phê duyệt cho trẻ em",
    ),
    "he": ("התרופה הזאת אינה בטוחה לילדים.", "התרופה הזאת ... בטוחה לילדים"),
    "tr": (
        "Bu ilaç çocuklar için güvenli değildir ve bir doktora sorulmalıdır.",
        "Bu ilaç çocuklar için güvenli ... ve bir doktora",
    ),
    "cs": ("Lék podle výrobce je bezpečný pro děti a dospělé.", "Lék ... je bezpečný pro děti"),
    "a language without a list: Swahili": (
        "Dawa hii haijaidhinishwa kwa watoto na wazee wa nchi hii.",
        "Dawa hii ... kwa watoto",
    ),
    "a language without a list: Georgian": (
        "ეს წამალი არ არის უსაფრთხო ბავშვებისთვის.",
        "ეს წამალი ... უსაფრთხო ბავშვებისთვის",
    ),
    "de weder noch": (
        "Der Minister ist weder reich noch bekannt in Berlin.",
        "Der Minister ist ... bekannt in Berlin",
    ),
    "de angeblich": (
        "Der Minister hat angeblich das Geld gestohlen und ist geflohen.",
        "Der Minister hat ... das Geld gestohlen",
    ),
    "de weigerte": (
        "Die Firma weigerte sich, den Vertrag mit dem Land zu unterschreiben.",
        "Die Firma ... den Vertrag mit dem Land",
    ),
    "de ehemalig": (
        "Er ist der ehemalige Präsident des Vereins in Köln.",
        "Er ist der ... Präsident des Vereins",
    ),
    "de splice": (
        "Das Mittel ist neu. Das Wasser ist für Kinder geeignet.",
        "Das Mittel ist ... für Kinder geeignet",
    ),
    "fr ne pas": (
        "Le médicament n’est pas du tout autorisé pour les enfants en France.",
        "Le médicament ... autorisé pour les enfants",
    ),
    "fr sans": (
        "Le patient a été traité sans le médicament à la clinique.",
        "Le patient a été traité ... le médicament à la clinique",
    ),
    "fr ancien": (
        "Il est l’ancien président du club de la ville.",
        "Il est ... président du club de la ville",
    ),
    "fr selon": (
        "Le ministre, selon la police, a volé l’argent de la ville.",
        "Le ministre ... a volé l’argent de la ville",
    ),
    "fr refuse": (
        "La société a refusé de signer le contrat avec la ville.",
        "La société ... signer le contrat",
    ),
    "fr splice": (
        "Le produit est nouveau. Cette eau est sûre pour les enfants.",
        "Le produit est ... sûre pour les enfants",
    ),
    "es no": (
        "El medicamento no está aprobado para los niños en España.",
        "El medicamento ... está aprobado para los niños",
    ),
    "es presunto": (
        "El ministro fue el presunto autor de la carta a la reina.",
        "El ministro fue el ... autor de la carta",
    ),
    "es nunca": (
        "La empresa nunca pagó los impuestos de la ciudad en 2019.",
        "La empresa ... pagó los impuestos",
    ),
    "es splice": (
        "El producto es nuevo. El agua es segura para los niños.",
        "El producto es ... segura para los niños",
    ),
    "it non": (
        "Il farmaco non è ancora approvato per i bambini in Italia.",
        "Il farmaco ... approvato per i bambini",
    ),
    "it senza": (
        "Il paziente è stato curato senza il farmaco nella clinica.",
        "Il paziente è stato curato ... il farmaco nella clinica",
    ),
    "it ex": ("È l’ex presidente della squadra e del club.", "È ... presidente della squadra"),
    "pt nao": (
        "O medicamento não está aprovado para as crianças no Brasil.",
        "O medicamento ... está aprovado para as crianças",
    ),
    "pt exceto": (
        "A regra vale para todos, exceto os alunos da escola.",
        "A regra vale para ... os alunos da escola",
    ),
    "nl niet": (
        "Het middel is nog niet goedgekeurd voor de kinderen in Nederland.",
        "Het middel is ... goedgekeurd voor de kinderen",
    ),
    "nl geen": ("De man is geen lid van de raad in Den Haag.", "De man is ... lid van de raad"),
    "sv aldrig": (
        "Mannen har aldrig varit medlem i partiet och inte heller i kyrkan.",
        "Mannen har ... varit medlem i partiet",
    ),
    "da ingen": (
        "Manden har aldrig været medlem af partiet i byen.",
        "Manden har ... været medlem af partiet",
    ),
    "nb ikke": (
        "Legemidlet er ikke godkjent for barn i Norge og Sverige.",
        "Legemidlet er ... godkjent for barn",
    ),
    "nb verken": (
        "Mannen er verken rik eller kjent i byen Oslo.",
        "Mannen er ... kjent i byen Oslo",
    ),
    "fi ei": (
        "Lääke ei kuitenkaan ole hyväksytty lapsille Suomessa, ja se on kallis.",
        "Lääke ... hyväksytty lapsille Suomessa",
    ),
    "fi abessive": (
        "Potilas hoidettiin klinikalla lääkkeettömästi ja se oli hyvä.",
        "Potilas hoidettiin ... ja se oli hyvä",
    ),
    "pl nie": (
        "Lek nie został jeszcze zatwierdzony dla dzieci w Polsce.",
        "Lek ... zatwierdzony dla dzieci w Polsce",
    ),
    "pl bez": (
        "Pacjent był leczony bez leku w klinice na południu.",
        "Pacjent był leczony ... leku w klinice",
    ),
    "cs neni": ("Lék zatím není schválen pro děti v České republice.", "Lék ... schválen pro děti"),
    "cs prefix": ("Ministr ten dopis nepodepsal a je v Praze.", "Ministr ... a je v Praze"),
    "cs bez": (
        "Pacient byl na klinice léčen bez toho léku.",
        "Pacient byl na klinice léčen ... toho léku",
    ),
    "sk nie": (
        "Liek zatiaľ nie je schválený pre deti na Slovensku.",
        "Liek ... schválený pre deti",
    ),
    "uk ne": (
        "Препарат поки що не був схвалений для дітей у цій країні.",
        "Препарат ... схвалений для дітей",
    ),
    "uk bez": (
        "Пацієнт був на лікуванні без цього препарату у клініці.",
        "Пацієнт був на лікуванні ... цього препарату",
    ),
    "ru otkazalas": (
        "Компания отказалась подписать договор с городом и ушла.",
        "Компания ... подписать договор с городом",
    ),
    "ru byvshij": (
        "Он является бывшим президентом клуба и города.",
        "Он является ... президентом клуба",
    ),
    "ru splice": (
        "Препарат новый и дорогой. Вода безопасна для детей.",
        "Препарат ... безопасна для детей",
    ),
    "bg ne": (
        "Лекарството все още не е одобрено за деца в България.",
        "Лекарството ... одобрено за деца",
    ),
    "bg bez": (
        "Пациентът е лекуван в клиниката без това лекарство.",
        "Пациентът е лекуван ... това лекарство",
    ),
    "el den": (
        "Το φάρμακο δεν έχει ακόμη εγκριθεί για τα παιδιά.",
        "Το φάρμακο ... εγκριθεί για τα παιδιά",
    ),
    "el xoris": (
        "Ο ασθενής θεραπεύτηκε χωρίς το φάρμακο στην κλινική.",
        "Ο ασθενής θεραπεύτηκε ... το φάρμακο στην κλινική",
    ),
    "ro nu": (
        "Medicamentul nu a fost încă aprobat pentru copii în România.",
        "Medicamentul ... aprobat pentru copii",
    ),
    "ro fara": (
        "Pacientul a fost tratat fără acest medicament la clinică.",
        "Pacientul a fost tratat ... acest medicament la clinică",
    ),
    "hu nem": (
        "A gyógyszert még nem hagyták jóvá a gyerekek számára.",
        "A gyógyszert ... hagyták jóvá a gyerekek számára",
    ),
    "hu nelkul": (
        "A beteget a gyógyszer nélkül kezelték a klinikán, és ez jó volt.",
        "A beteget ... kezelték a klinikán",
    ),
    "tr suffix": (
        "Şirket bu anlaşmayı imzalamadı ve daha sonra şehirden ayrıldı.",
        "Şirket ... ve daha sonra şehirden ayrıldı",
    ),
    "tr olmayan": (
        "Bu hastane çocuklar için uygun olmayan bir yer olarak bilinir.",
        "Bu hastane çocuklar için ... bir yer",
    ),
    "tr siz": (
        "Hasta bu klinikte ilaçsız olarak tedavi edildi ve iyileşti.",
        "Hasta bu klinikte ... tedavi edildi",
    ),
    "ar la": ("هذا الدواء لا يعتبر آمنا للأطفال في هذا البلد.", "هذا الدواء ... آمنا للأطفال"),
    "ar lam": (
        "الوزير لم يوقع على الاتفاق مع الشركة في هذا العام.",
        "الوزير ... على الاتفاق مع الشركة",
    ),
    "ar bidun": (
        "تم علاج المريض بدون هذا الدواء في المستشفى.",
        "تم علاج المريض ... هذا الدواء في المستشفى",
    ),
    "ar ghayr": ("هذا العقار غير آمن على الأطفال في المدينة.", "هذا العقار ... آمن على الأطفال"),
    "fa nist": (
        "این دارو برای کودکان ایمن نیست و باید از آن دوری کرد.",
        "این دارو برای کودکان ایمن ... و باید از آن",
    ),
    "fa bedun": (
        "بیمار بدون این دارو در کلینیک درمان شد و به خانه رفت.",
        "بیمار ... این دارو در کلینیک درمان شد",
    ),
    "fa prefix": (
        "وزیر این قرارداد را با شرکت نپذیرفت و از شهر رفت.",
        "وزیر این قرارداد را ... و از شهر رفت",
    ),
    "he lo": ("התרופה לא אושרה עדיין לשימוש אצל ילדים.", "התרופה ... לשימוש אצל ילדים"),
    "he lelo": ("החולה טופל במרפאה ללא התרופה החדשה הזאת.", "החולה טופל במרפאה ... התרופה החדשה"),
    "hi bina": (
        "मरीज का इलाज इस दवा के बिना अस्पताल में किया गया था।",
        "मरीज का इलाज ... अस्पताल में किया गया",
    ),
    "bn na": (
        "এই ওষুধ শিশুদের জন্য নিরাপদ নয় এবং এটি কেনা যায়।",
        "এই ওষুধ শিশুদের জন্য নিরাপদ ... এবং এটি কেনা যায়",
    ),
    "bn chara": ("রোগীকে এই ওষুধ ছাড়া হাসপাতালে চিকিৎসা করা হয়।", "রোগীকে ... হাসপাতালে চিকিৎসা করা হয়"),
    "zh mei": ("这家公司去年没有向政府缴纳税款。", "这家公司去年 ... 向政府缴纳税款"),
    "zh refuse": ("这位部长拒绝签署该条约。", "这位部长 ... 签署该条约"),
    "zh former": ("他是该俱乐部的前任主席。", "他是该俱乐部的 ... 主席"),
    "zh splice": ("该药是新的。水对儿童是安全的。", "该药是 ... 安全的"),
    "zh trad": ("這種藥物並未獲准用於兒童。", "這種藥物 ... 用於兒童"),
    "ja masen": (
        "この薬は承認されていませんが子供に使われています。",
        "この薬は ... 子供に使われています",
    ),
    "ja iwayuru": (
        "彼はいわゆる専門家として会議に出席した。",
        "彼は ... 専門家として会議に出席した",
    ),
    "ja naide": ("会社は税金を払わないで市を去った。", "会社は ... 市を去った"),
    "ko an": ("회사는 세금을 안 내고 도시를 떠났다.", "회사는 세금을 ... 도시를 떠났다"),
    "ko eopsi": (
        "환자는 이 약 없이 병원에서 치료를 받았다.",
        "환자는 이 약 ... 병원에서 치료를 받았다",
    ),
    "ko mot": ("장관은 조약에 서명하지 못했고 도시를 떠났다.", "장관은 조약에 ... 도시를 떠났다"),
    "th mai dai": ("บริษัทไม่ได้จ่ายภาษีให้รัฐบาลในปีนี้", "บริษัท ... จ่ายภาษีให้รัฐบาลในปีนี้"),
    "th doi": ("ผู้ป่วยได้รับการรักษาโดยปราศจากยานี้ในโรงพยาบาล", "ผู้ป่วยได้รับการรักษา ... ยานี้ในโรงพยาบาล"),
    "vi chua": (
        "Công ty này chưa nộp thuế cho nhà nước trong năm nay.",
        "Công ty này ... nộp thuế cho nhà nước",
    ),
    "vi tru": (
        "Quy định này áp dụng cho tất cả mọi người trừ học sinh của trường.",
        "Quy định này áp dụng cho ... học sinh của trường",
    ),
    "id tidak": (
        "Obat ini tidak disetujui untuk anak-anak di negara itu.",
        "Obat ini ... disetujui untuk anak-anak",
    ),
    "id mantan": (
        "Dia adalah mantan presiden dari klub itu di kota.",
        "Dia adalah ... presiden dari klub itu",
    ),
    "id tanpa": (
        "Pasien itu dirawat di rumah sakit tanpa obat ini.",
        "Pasien itu dirawat di rumah sakit ... obat ini",
    ),
    "en without": (
        "The patient was treated without the drug in the clinic.",
        "The patient was treated ... the drug in the clinic",
    ),
    "en until": (
        "The shop is closed until the first day of May.",
        "The shop is closed ... the first day of May",
    ),
    "en only": (
        "The rule holds only for the children of the school.",
        "The rule holds ... for the children of the school",
    ),
    "en if": (
        "The firm will pay the fine if it loses the case.",
        "The firm will pay ... it loses the case",
    ),
    "en almost": (
        "The vaccine was almost fully effective in the trial.",
        "The vaccine was ... fully effective in the trial",
    ),
    "en denied": (
        "The mayor denied that he took the money from the bank.",
        "The mayor ... took the money from the bank",
    ),
    "en alleged": (
        "She is the alleged author of the letter to the bank.",
        "She is the ... author of the letter to the bank",
    ),
    "en so-called": (
        "He is a so-called expert in the field of law.",
        "He is a ... expert in the field of law",
    ),
    "en rather": (
        "They chose wine rather than beer for the party.",
        "They chose ... beer for the party",
    ),
    "en nolonger": (
        "The plant is no longer in use by the company.",
        "The plant is ... in use by the company",
    ),
    "en some": (
        "In the trial, only a few of the patients died of it.",
        "In the trial ... the patients died of it",
    ),
    "en few": (
        "After this a small minority of the members were paid.",
        "After this ... the members were paid",
    ),
    "en that": (
        "The lawyer said the mayor was a thief and a liar.",
        "The lawyer ... was a thief and a liar",
    ),
    "en example": (
        "It is a myth that the drug is safe for children.",
        "It is ... safe for children",
    ),
    "en neverth": (
        "The claim that the drug is harmful was rejected by the court.",
        "The claim that the drug is harmful was ... by the court",
    ),
    "en unless": (
        "The drug is safe unless it is taken with wine.",
        "The drug is safe ... it is taken with wine",
    ),
    "en dont": (
        "I do not think it is safe for the children.",
        "I ... think it is safe for the children",
    ),
    "en question": (
        "Is the drug good? Some say it is safe for children.",
        "Is the drug good ... it is safe for children",
    ),
    "en heading": (
        "# Side effects\n\nThe drug is a cure for the disease.",
        "Side effects ... a cure for the disease",
    ),
    "en items": (
        "- The drug is new\n- Water is safe for children",
        "The drug ... safe for children",
    ),
    "en lines": (
        "The drug is new and dear\n\nWater is safe for the children",
        "The drug is ... safe for the children",
    ),
    "en hundred": (
        "It has sold 5 million copies of the book.",
        "It has sold 5 ... copies of the book",
    ),
    "en unit": (
        "The dose is 5 mg of the drug for children.",
        "The dose is 5 ... of the drug for children",
    ),
    "en about": (
        "The bridge cost about 5 million euros to build.",
        "The bridge cost ... 5 million euros to build",
    ),
    "en fell rose": (
        "The price fell and rose 5 percent in a day.",
        "The price ... rose 5 percent in a day",
    ),
    "en bracket former": (
        "He is the (former) president of the club.",
        "He is the ... president of the club",
    ),
    "en or": (
        "Take aspirin or ibuprofen with a glass of water.",
        "Take aspirin ... with a glass of water",
    ),
    "en lied": (
        "The drug is safe. That was a lie. It cures the disease.",
        "The drug is safe. ... It cures the disease.",
    ),
    "de verdict": (
        "Das Mittel ist sicher. Das ist falsch. Es heilt die Krankheit.",
        "Das Mittel ist sicher. ... Es heilt die Krankheit.",
    ),
    "eu": (
        "Botika hau ez da segurua haurrentzat eta zaharrentzat.",
        "Botika hau ... segurua haurrentzat",
    ),
    "ca": (
        "El medicament és un perill per als nens i les nenes del país.",
        "El medicament és ... per als nens",
    ),
    "ta": ("இந்த மருந்து குழந்தைகளுக்கு பாதுகாப்பானது அல்ல.", "இந்த மருந்து ... பாதுகாப்பானது"),
    "zulu": (
        "Lo muthi awuphephile ezinganeni kanye nasebantwini abadala.",
        "Lo muthi ... kanye nasebantwini",
    ),
}
HARMLESS: dict[str, tuple[str, str]] = {
    "doc": (
        "The “tower” was built in 1889[1] by the engi-\nneer’s company. It is not small.",
        "The tower was built ... company",
    ),
    "appo": (
        "The tower, a landmark of the city, was built in 1889.",
        "The tower ... was built in 1889",
    ),
    "rel": (
        "The committee, which met on Tuesday, approved the plan.",
        "The committee ... approved the plan",
    ),
    "date": (
        "The treaty was signed on 3 May 1920 in Paris by two states.",
        "The treaty was signed ... in Paris by two states",
    ),
    "list": (
        "The kit contains bandages, scissors, tape and gloves.",
        "The kit contains bandages ... and gloves",
    ),
    "adj": (
        "It is a large, old and beautiful house by the river.",
        "It is a ... house by the river",
    ),
    "whole": (
        "The tower is tall. It is not old. It was built in 1889.",
        "The tower is tall. ... It was built in 1889.",
    ),
    "whole nostop": (
        "The tower is tall. It is not old. It was built in 1889.",
        "The tower is tall ... It was built in 1889",
    ),
    "4dots": (
        "The tower was built in 1889 by the company. It was painted. It is tall.",
        "The tower was built in 1889.... It is tall.",
    ),
    "de appo": (
        "Der Turm, ein Wahrzeichen der Stadt, wurde im Jahr 1889 gebaut.",
        "Der Turm ... wurde im Jahr 1889 gebaut",
    ),
    "de date": (
        "Der Vertrag wurde am 3. Mai 1920 in Paris unterzeichnet.",
        "Der Vertrag wurde ... in Paris unterzeichnet",
    ),
    "fr": (
        "La tour, symbole de la ville, fut construite en 1889.",
        "La tour ... fut construite en 1889",
    ),
    "es": (
        "La torre, símbolo de la ciudad, fue construida en 1889.",
        "La torre ... fue construida en 1889",
    ),
    "ru": (
        "Башня, символ города, была построена в 1889 году.",
        "Башня ... была построена в 1889 году",
    ),
    "zh": ("这座塔位于市中心，建于1889年，高330米。", "这座塔位于市中心 ... 高330米"),
    "ja": ("この塔は、パリの象徴であり、1889年に建てられた。", "この塔は ... 1889年に建てられた"),
    "ko": ("이 탑은 파리의 상징으로 1889년에 세워졌다.", "이 탑은 ... 1889년에 세워졌다"),
    "ar": (
        "البرج الشهير في المدينة تم بناؤه في عام 1889 من قبل الشركة.",
        "البرج ... تم بناؤه في عام 1889",
    ),
    "hi": ("यह मीनार, शहर का प्रतीक, 1889 में बनाई गई थी।", "यह मीनार ... 1889 में बनाई गई थी"),
    "th": ("หอคอยนี้ สัญลักษณ์ของเมือง สร้างขึ้นในปี 1889", "หอคอยนี้ ... สร้างขึ้นในปี 1889"),
    "de adj": (
        "Er wohnt in einem großen, alten Haus am Rand der Stadt.",
        "Er wohnt in einem ... Haus am Rand der Stadt",
    ),
    "de rel": (
        "Der Ausschuss, der am Dienstag tagte, nahm den Plan an.",
        "Der Ausschuss ... nahm den Plan an",
    ),
    "de list": (
        "Das Paket enthält Brot, Käse, Wurst und Wein aus der Region.",
        "Das Paket enthält Brot ... und Wein aus der Region",
    ),
    "fr rel": (
        "Le comité, qui a siégé mardi, a adopté le plan de la ville.",
        "Le comité ... a adopté le plan de la ville",
    ),
    "fr adv": (
        "Le traité a été signé le 3 mai 1920 à Paris par les deux pays.",
        "Le traité a été signé ... à Paris par les deux pays",
    ),
    "es rel": (
        "El comité, que se reunió el martes, aprobó el plan de la ciudad.",
        "El comité ... aprobó el plan de la ciudad",
    ),
    "es list": (
        "El paquete contiene pan, queso, jamón y vino de la región.",
        "El paquete contiene pan ... y vino de la región",
    ),
    "it appo": (
        "La torre, simbolo della città, fu costruita nel 1889.",
        "La torre ... fu costruita nel 1889",
    ),
    "pt appo": (
        "A torre, símbolo da cidade, foi construída em 1889.",
        "A torre ... foi construída em 1889",
    ),
    "nl appo": (
        "De toren, het symbool van de stad, werd in 1889 gebouwd.",
        "De toren ... werd in 1889 gebouwd",
    ),
    "sv appo": (
        "Tornet, stadens symbol, byggdes i Paris på 1800-talet av företaget.",
        "Tornet ... byggdes i Paris",
    ),
    "da appo": (
        "Tårnet, byens symbol, blev bygget i Paris i 1889.",
        "Tårnet ... blev bygget i Paris",
    ),
    "nb appo": (
        "Tårnet, byens symbol, ble bygget i Paris i 1889.",
        "Tårnet ... ble bygget i Paris",
    ),
    "fi appo": (
        "Torni, kaupungin symboli, on rakennettu Pariisissa vuonna 1889.",
        "Torni ... on rakennettu Pariisissa",
    ),
    "pl appo": (
        "Wieża, symbol miasta, została zbudowana w Paryżu w 1889 roku.",
        "Wieża ... została zbudowana w Paryżu",
    ),
    "cs appo": (
        "Věž, symbol města, byla postavena v Paříži v roce 1889.",
        "Věž ... byla postavena v Paříži",
    ),
    "sk appo": (
        "Veža, symbol mesta, bola postavená v Paríži v roku 1889.",
        "Veža ... bola postavená v Paríži",
    ),
    "uk appo": (
        "Вежа, символ міста, була збудована в Парижі у 1889 році.",
        "Вежа ... була збудована в Парижі",
    ),
    "bg appo": (
        "Кулата, символ на града, е построена в Париж през 1889 година.",
        "Кулата ... е построена в Париж",
    ),
    "ru date": (
        "Договор был подписан 3 мая 1920 года в Париже двумя странами.",
        "Договор был подписан ... в Париже двумя странами",
    ),
    "el appo": (
        "Ο πύργος, σύμβολο της πόλης, χτίστηκε στο Παρίσι το 1889.",
        "Ο πύργος ... χτίστηκε στο Παρίσι",
    ),
    "ro appo": (
        "Turnul, simbol al orașului, a fost construit la Paris în 1889.",
        "Turnul ... a fost construit la Paris",
    ),
    "hu appo": (
        "A torony, a város jelképe, Párizsban épült, és ez volt az első.",
        "A torony ... Párizsban épült",
    ),
    "tr appo": (
        "Bu kule, şehrin simgesi, 1889 yılında Paris'te inşa edildi.",
        "Bu kule ... Paris'te inşa edildi",
    ),
    "he appo": ("המגדל, סמל של העיר, נבנה בפריז בשנת 1889.", "המגדל ... נבנה בפריז"),
    "fa appo": (
        "این برج، نماد شهر، در پاریس ساخته شد و بلند است.",
        "این برج ... در پاریس ساخته شد",
    ),
    "ar adv": (
        "تم بناء البرج في مدينة باريس من قبل شركة كبيرة.",
        "تم بناء البرج ... من قبل شركة كبيرة",
    ),
    "bn appo": ("এই মিনার, শহরের প্রতীক, প্যারিসে তৈরি করা হয়।", "এই মিনার ... প্যারিসে তৈরি করা হয়"),
    "vi appo": (
        "Tòa tháp, biểu tượng của thành phố, được xây ở Paris năm 1889.",
        "Tòa tháp ... được xây ở Paris",
    ),
    "id appo": (
        "Menara itu, simbol kota, dibangun di Paris pada tahun 1889.",
        "Menara itu ... dibangun di Paris",
    ),
    "zh list": ("他喜欢苹果、梨子、香蕉和葡萄。", "他喜欢苹果 ... 和葡萄"),
    "ja list": ("彼は林檎、梨、バナナ、葡萄を買った。", "彼は林檎 ... 葡萄を買った"),
    "ko list": (
        "그는 시장에서 사과, 배, 바나나, 포도를 샀다.",
        "그는 시장에서 사과 ... 포도를 샀다",
    ),
    "th phrase": ("เขาซื้อแอปเปิล กล้วย และองุ่นที่ตลาด", "เขาซื้อแอปเปิล ... และองุ่นที่ตลาด"),
    "zh whole": ("这座塔很高。它不旧。它建于1889年。", "这座塔很高。……它建于1889年。"),
    "de whole": (
        "Der Turm ist hoch. Er ist nicht alt. Er wurde 1889 gebaut.",
        "Der Turm ist hoch. [...] Er wurde 1889 gebaut.",
    ),
    "hi whole": (
        "यह मीनार ऊँची है। यह पुरानी नहीं है। यह पेरिस में है।",
        "यह मीनार ऊँची है। ... यह पेरिस में है।",
    ),
    "ta whole": (
        "இந்த கோபுரம் உயரமானது. அது பழையது அல்ல. அது பாரிஸில் உள்ளது.",
        "இந்த கோபுரம் உயரமானது. ... அது பாரிஸில் உள்ளது.",
    ),
    "en former teacher": (
        "The minister, a former teacher, resigned on Monday.",
        "The minister ... resigned on Monday",
    ),
    "en which lies": (
        "The town, which lies in the north, was founded by the king.",
        "The town ... was founded by the king",
    ),
    "en adv": (
        "The company grew rapidly in the region after 2010 and opened a shop.",
        "The company grew ... and opened a shop",
    ),
    "en bracket": (
        "The tower (French: la tour) was built in 1889.",
        "The tower ... was built in 1889",
    ),
    "en bracket foreign": (
        "Tokyo (Japanese: 東京) is the capital of Japan.",
        "Tokyo ... is the capital of Japan",
    ),
    "en dash": ("The tower – a landmark – was built in 1889.", "The tower ... was built in 1889"),
    "en prep": (
        "The bridge over the river in the north of the city was opened by the king.",
        "The bridge ... was opened by the king",
    ),
    "en designed": (
        "The tower was designed and built by the company.",
        "The tower was ... built by the company",
    ),
    "en numbers": (
        "The law of 3 May 1920 on the schools was signed by the king.",
        "The law ... was signed by the king",
    ),
    "en who critics": (
        "The minister, who has many critics, resigned on Monday.",
        "The minister ... resigned on Monday",
    ),
    "en may": (
        "The treaty was signed in May 1920 in the city of Paris.",
        "The treaty was signed ... in the city of Paris",
    ),
    "en two gaps": (
        "The tower, a landmark, was built in 1889 by the large and old company of the city.",
        "The tower ... was built in 1889 by the ... company",
    ),
    "en pars": (
        "The tower is old.\n\nIt was painted.\n\nIt is tall.",
        "The tower is old. [...] It is tall.",
    ),
    "en wrapped": (
        "The committee, which\nmet on Tuesday in the old\ntown hall, approved the plan.",
        "The committee ... approved the plan",
    ),
}


#: Sentences of which too few words tell the language.
SHORT: list[tuple[str, str]] = [
    ("Ich trinke Tee, keinen Kaffee.", "Ich trinke ... Kaffee"),
    ("Najemca nigdy nie zapłacił czynszu.", "Najemca ... zapłacił czynszu"),
    ("Арендатор никогда не платил аренду.", "Арендатор ... платил аренду"),
    ("المستأجر لم يدفع الإيجار.", "المستأجر ... يدفع الإيجار"),
    ("Jag beställde te, inte kaffe.", "Jag beställde ... kaffe"),
]


@pytest.mark.parametrize(("reference", "quote"), SHORT)
def test_a_negation_counts_where_few_words_tell_the_language(reference: str, quote: str) -> None:
    assert find_quote(quote, [reference], ellipsis="lenient") is None
    assert find_quote(quote, [reference]) is None


@pytest.mark.parametrize(
    ("reference", "quote"),
    [
        (
            "Paris is large. It lies on the Seine. It has two airports.",
            "Paris is large. ... It has two airports.",
        ),
        (
            "The hall is old. The false ceiling is white. It has two doors.",
            "The hall is old. ... It has two doors.",
        ),
        (
            "The hotel, close to the station, is quiet at night.",
            "The hotel ... is quiet at night",
        ),
        ("Ich trinke morgens gern Kaffee.", "Ich trinke ... Kaffee"),
    ],
)
def test_words_that_only_look_like_a_denial_may_be_hidden(reference: str, quote: str) -> None:
    assert find_quote(quote, [reference], ellipsis="lenient") is not None


@pytest.mark.parametrize(("reference", "quote"), HARMFUL.values(), ids=HARMFUL)
def test_an_ellipsis_hides_nothing_that_may_turn_its_sentence(reference: str, quote: str) -> None:
    result = search(quote, References.of(reference))
    assert isinstance(result, NearMiss)
    assert result.altered


@pytest.mark.parametrize(("reference", "quote"), HARMLESS.values(), ids=HARMLESS)
def test_an_ellipsis_may_hide_what_turns_nothing(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.how is MatchKind.NORMALISED
    assert not match.cut


def test_a_lenient_ellipsis_joins_sentences_but_hides_no_known_turning_word() -> None:
    text = "The drug is new. Water is safe for children, but not for cats."
    assert find_quote("The drug is ... safe for children", text) is None
    assert find_quote("The drug is ... safe for children", text, ellipsis="lenient")
    assert find_quote("Water is safe ... for cats", text, ellipsis="lenient") is None


def test_a_lenient_ellipsis_may_hide_words_of_any_language() -> None:
    text = "Dawa hii imeidhinishwa kwa watoto na wazee wa nchi hii."
    assert find_quote("Dawa hii ... kwa watoto", text) is None
    assert find_quote("Dawa hii ... kwa watoto", text, ellipsis="lenient")


def test_a_refused_ellipsis_hides_nothing_but_may_stand_around_a_quote() -> None:
    text = "The tower is tall. It is old. It was built in 1889."
    assert (
        find_quote("The tower is tall. ... It was built in 1889.", text, ellipsis="refuse") is None
    )
    assert find_quote("... It is old. ...", text, ellipsis="refuse")


def test_the_difference_names_the_word_that_the_ellipsis_hides() -> None:
    result = search("Paris is ... the capital", References.of("Paris is certainly not the capital"))
    assert isinstance(result, NearMiss)
    assert result.differences == (("...", "not"),)


def test_an_ellipsis_finds_the_place_where_it_hides_nothing_harmful() -> None:
    text = "The tower is not tall or old. The tower is tall, grey and old. It stands here."
    match = find_quote("The tower is ... old", text)
    assert match is not None
    assert match.text == "The tower is tall, grey and old"


def test_an_unknown_rule_for_ellipses_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="loose"):
        find_quote("a ... b", "a b", ellipsis="loose")  # type: ignore[arg-type]
    with pytest.raises(MarkerError, match="loose"):
        Quoted(ellipsis="loose")  # type: ignore[arg-type]


def test_the_work_for_an_ellipsis_is_bounded() -> None:
    text = "The drug is not approved. " * 2_000
    assert find_quote("The drug ... approved ... The drug ... approved", text) is None


class _Strict(BaseModel):
    quote: Annotated[str, Quoted()]


class _Refusing(BaseModel):
    quote: Annotated[str, Quoted(ellipsis="refuse")]


def test_a_quoted_field_takes_the_rule_for_ellipses() -> None:
    data = {"quote": "The tower ... was built in 1889"}
    context = {"references": "The tower, a landmark, was built in 1889."}
    assert audit(_Strict, data, context=context).ok
    (fault,) = audit(_Refusing, data, context=context).faults
    assert (fault.slug, fault.loc) == ("quote_altered", ("quote",))


def test_the_schema_says_that_nothing_may_be_left_out() -> None:
    schemas = [model.model_json_schema() for model in (_Strict, _Refusing)]
    rules = [schema["properties"]["quote"]["description"] for schema in schemas]
    assert ["Leave nothing out" in rule for rule in rules] == [False, True]
