"""The Universal Declaration of Human Rights (1948), in languages beside English."""

#: language -> article -> text
DECLARATION: dict[str, dict[int, str]] = {
    "fr": {
        1: "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont "
        "doués de raison et de conscience et doivent agir les uns envers les autres dans un "
        "esprit de fraternité.",
        3: "Tout individu a droit à la vie, à la liberté et à la sûreté de sa personne.",
        9: "Nul ne peut être arbitrairement arrêté, détenu ni exilé.",
        4: "Nul ne sera tenu en esclavage ni en servitude ; l’esclavage et la traite des esclaves "
        "sont interdits sous toutes leurs formes.",
    },
    "de": {
        1: "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit "
        "Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.",
        4: "Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden; Sklaverei und "
        "Sklavenhandel sind in allen ihren Formen verboten.",
        9: "Niemand darf willkürlich festgenommen, in Haft gehalten oder des Landes verwiesen "
        "werden.",
        3: "Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person.",
    },
    "es": {
        1: "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como "
        "están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
        3: "Todo individuo tiene derecho a la vida, a la libertad y a la seguridad de su persona.",
        9: "Nadie podrá ser arbitrariamente detenido, preso ni desterrado.",
        4: "Nadie estará sometido a esclavitud ni a servidumbre; la esclavitud y la trata de "
        "esclavos están prohibidas en todas sus formas.",
    },
    "vi": {
        1: "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con "
        "người đều được tạo hoá ban cho lý trí và lương tâm và cần phải đối xử với nhau trong "
        "tình bằng hữu.",
        3: "Mọi người đều có quyền sống, quyền tự do và an toàn cá nhân.",
    },
    "cs": {
        1: "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni "
        "rozumem a svědomím a mají spolu jednat v duchu bratrství.",
        3: "Každý má právo na život, svobodu a osobní bezpečnost.",
        9: "Nikdo nesmí být svévolně zatčen, držen ve vazbě nebo vyhoštěn do vyhnanství.",
    },
    "ru": {
        1: "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены "
        "разумом и совестью и должны поступать в отношении друг друга в духе братства.",
        3: "Каждый человек имеет право на жизнь, на свободу и на личную неприкосновенность.",
        9: "Никто не может быть подвергнут произвольному аресту, задержанию или изгнанию.",
    },
    "el": {
        1: "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. "
        "Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους "
        "με πνεύμα αδελφοσύνης.",
        9: "Κανείς δεν μπορεί να συλλαμβάνεται, να κρατείται ή να εξορίζεται αυθαίρετα.",
    },
    "he": {
        1: "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, "
        "לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.",
        3: "כל אדם יש לו הזכות לחיים, לחירות ולבטחון אישי.",
        9: "לא ייאסר אדם, לא ייעצר ולא יוגלה באופן שרירותי.",
    },
    "ar": {
        1: "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً وعليهم أن "
        "يعامل بعضهم بعضاً بروح الإخاء.",
        3: "لكل فرد الحق في الحياة والحرية وسلامة شخصه.",
        9: "لا يجوز القبض على أي إنسان أو حجزه أو نفيه تعسفاً.",
    },
    "hi": {
        1: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। "
        "उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।",
        3: "प्रत्येक व्यक्ति को जीवन, स्वाधीनता और वैयक्तिक सुरक्षा का अधिकार है।",
    },
    "zh": {
        1: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
        3: "人人有权享有生命、自由和人身安全。",
        9: "任何人不得加以任意逮捕、拘禁或放逐。",
        4: "任何人不得使为奴隶或奴役；一切形式的奴隶制度和奴隶买卖，均应予以禁止。",
        12: "任何人的私生活、家庭、住宅和通信不得任意干涉，他的荣誉和名誉不得加以攻击。",
    },
    "ja": {
        1: "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて"
        "平等である。人間は、理性と良心とを"
        "授けられており、互いに同胞の精神をもって行動しなければならない。",
        3: "すべて人は、生命、自由及び身体の安全に対する権利を有する。",
        4: "何人も、奴隷にされ、又は苦役に服することはない。"
        "奴隷制度及び奴隷売買は、いかなる形においても禁止する。",
        9: "何人も、ほしいままに逮捕、拘禁、又は追放されることはない。",
    },
    "ko": {
        1: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. "
        "인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
        3: "모든 사람은 생명과 신체의 자유와 안전에 대한 권리를 가진다.",
        9: "어느 누구도 자의적으로 체포, 구금 또는 추방되지 아니한다.",
    },
    "th": {
        1: "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในศักดิ์ศรีและสิทธิ ต่างในตนมีเหตุผลและมโนธรรม "
        "และควรปฏิบัติต่อกันด้วยจิตวิญญาณแห่งภราดรภาพ",
        3: "บุคคลมีสิทธิในชีวิต เสรีภาพ และความมั่นคงแห่งบุคคล",
    },
}
