"""The units that `build_units` takes from Pint, with more names and their metric prefixes."""

from typing import Final, NamedTuple

__all__ = ["ENTRIES", "Entry"]


class Entry(NamedTuple):
    """A unit that is chosen.

    Attributes:
        pint: Its name in Pint; `""` where Pint does not have it.
        symbols: More names, which are compared with their case; separated by spaces.
        words: More names in lower case, separated by commas; `*` stands for an `s` or nothing.
        prefixes: The symbols of the metric prefixes that it takes, separated by spaces.
        dimension: Its dimension, where Pint has none or another.
        factor: Its factor, where Pint does not have the unit or has another factor.
    """

    pint: str
    symbols: str = ""
    words: str = ""
    prefixes: str = ""
    dimension: str = ""
    factor: str = ""


SI: Final = "f p n µ u m c d k M G T"
LARGE: Final = "µ u m k M G T P"
ENTRIES: Final = (
    # length
    Entry("meter", "m Meter", "metre*,meter*,mètre*,metro*,metri,метр,метра,метров,метры,м", SI),
    Entry("kilometer", "km Km KM", "kms,klick*"),
    Entry("centimeter", "cm CM", "cms"),
    Entry("micron", "µm", "micron*"),
    Entry("angstrom", "Å", "angstrom*,ångström*"),
    Entry("inch", 'in " ″ Zoll', "inch,inches,pouce*,pulgada*,polegada*,pollici,дюйм*,дюймов"),
    Entry("foot", "ft ' ′ Fuß FT", "foot,feet,pied*,фут,фута,футов"),
    Entry("yard", "yd", "yard*,yds"),
    Entry("mile", "mi Meile Meilen", "mile*,milla*,milha*,miglia,миль,мили,миля"),
    Entry("nautical_mile", "nmi NM", "nautical mile*,seemeile*"),
    Entry("light_year", "ly", "light-year*,light year*,lightyear*,lichtjahre"),
    Entry("astronomical_unit", "AU", "astronomical unit*"),
    Entry("parsec", "pc", "parsec*", "k M G"),
    Entry("fathom", "", "fathom*"),
    # mass
    Entry(
        "gram",
        "g Gramm",
        "gram*,gramme*,gramo*,grammo,grammi,grama*,gramm,грамм,грамма,граммов,г",
        SI,
    ),
    Entry("kilogram", "kg Kg KG Kgs", "kgs,kilo*,chilo,кило"),
    Entry("microgram", "µg mcg", ""),
    Entry(
        "metric_ton",
        "t Tonne Tonnen",
        "tonne*,metric ton*,metric tonne*,tonelada*,tonnellata,tonnellate,тонн,тонна,тонны,т",
        "k M G",
    ),
    Entry("metric_ton", "ton tons", "ton*"),
    Entry("ton", "", "ton*,short ton*"),
    Entry("long_ton", "", "ton*,long ton*"),
    Entry("pound", "lb LB lbs Pfund", "lbs,pound*,livre*,libra*,libbre,фунт,фунта,фунтов"),
    Entry("ounce", "oz", "ounce*,onza*"),
    Entry("troy_ounce", "ozt", "troy ounce*,ounce* troy"),
    Entry("stone", "", "stone,stones"),
    Entry("carat", "ct", "carat*,karat*"),
    Entry("dalton", "Da", "dalton*", "k M"),
    # time
    Entry(
        "second",
        "s sec secs Sekunde Sekunden",
        "second*,sec,secs,seconde*,segundo*,secondo,secondi,seconden,секунд,секунда,секунды,сек,с",
        "f p n µ u m",
    ),
    Entry(
        "minute",
        "min Minute Minuten",
        "minute*,min,mins,minuto*,minuti,minuut,minuten,минут,минута,минуты,мин",
    ),
    Entry(
        "hour", "h hr hrs Std Stunde Stunden", "hour*,hr,hrs,heure*,hora*,uur,uren,час,часа,часов,ч"
    ),
    Entry(
        "day",
        "d Tag Tage Tagen",
        "day*,jour*,día*,dia*,giorno,giorni,dag,dagen,день,дня,дней,сутки,суток",
    ),
    Entry(
        "week",
        "wk wks Woche Wochen",
        "week*,semaine*,semana*,settimana,settimane,weken,неделя,недели,недель",
    ),
    Entry("fortnight", "", "fortnight*"),
    Entry(
        "",
        "mo mos Monat Monate Monaten",
        "month*,mos,mois,mes,meses,mês,mese,mesi,maand,maanden,месяц,месяца,месяцев",
        dimension="month",
        factor="1",
    ),
    Entry(
        "",
        "yr yrs Jahr Jahre Jahren",
        "year*,yr,yrs,annum,ans,année*,año*,anno,anni,ano*,jaar,jaren,год,года,лет",
        dimension="month",
        factor="12",
    ),
    Entry("", "Ma Myr", "megayear*", dimension="month", factor="12000000"),
    Entry("", "ka kyr", "", dimension="month", factor="12000"),
    Entry("", "Ga Gyr", "", dimension="month", factor="12000000000"),
    Entry(
        "",
        "Jahrzehnt Jahrzehnte Jahrzehnten",
        "decade*,década*,décennie*",
        dimension="month",
        factor="120",
    ),
    Entry(
        "",
        "Jahrhundert Jahrhunderte",
        "century,centuries,siècle*,siglo*",
        dimension="month",
        factor="1200",
    ),
    Entry("", "", "millennium,millennia,millenniums", dimension="month", factor="12000"),
    # area and volume
    Entry(
        "hectare",
        "ha Hektar",
        "hectare*,hectárea*,ettaro,ettari,hectaren,гектар,гектара,гектаров,га",
    ),
    Entry("acre", "", "acre*,acker"),
    Entry(
        "liter",
        "l L ℓ Liter",
        "litre*,liter*,litro*,litri,литр,литра,литров,л",
        "n µ u m c d h k M",
    ),
    Entry("cubic_centimeter", "cc ccm cm3", "cc"),
    Entry("microliter", "mcL mcl", ""),
    Entry("gallon", "gal", "gallon*"),
    Entry("imperial_gallon", "gal", "gallon*,imperial gallon*"),
    Entry("quart", "qt", "quart*"),
    Entry("imperial_quart", "qt", "quart*"),
    Entry("pint", "", "pint*"),
    Entry("imperial_pint", "", "pint*"),
    Entry("fluid_ounce", "floz", "fluid ounce*,fl oz"),
    Entry("imperial_fluid_ounce", "floz", "fluid ounce*,fl oz"),
    Entry("oil_barrel", "bbl", "barrel*,fass,baril*,barril*"),
    Entry("bushel", "bu", "bushel*"),
    Entry("cup", "", "cup*"),
    Entry("tablespoon", "tbsp", "tablespoon*,tbsp"),
    Entry("teaspoon", "tsp", "teaspoon*,tsp"),
    # speed
    Entry("knot", "kn kt kts", "knot*"),
    Entry("mile_per_hour", "mph MPH", ""),
    Entry("kilometer_per_hour", "km/h kph kmh km/hr", "stundenkilometer"),
    Entry("meter_per_second", "m/s mps", ""),
    # temperature and angle
    Entry(
        "degree_Celsius",
        "°C °c ºC ˚C ℃ C",
        "degree* celsius,degree* centigrade,celsius,"
        "grad celsius,degré* celsius,grado* celsius,gradi celsius,grau* celsius,degree* c,"
        "deg c,deg celsius",
    ),
    Entry(
        "degree_Fahrenheit",
        "°F °f ºF ˚F ℉ F",
        "degree* fahrenheit,fahrenheit,grad fahrenheit,degree* f,deg f,deg fahrenheit",
    ),
    Entry("kelvin", "K", "kelvin*", "m µ u n"),
    Entry("degree", "° º ˚ deg", "degree*,degré*,grado*,gradi,grau*,градус,градуса,градусов"),
    Entry(
        "degree_Celsius", "° º ˚ Grad", "degree*,degré*,grado*,gradi,grau*,градус,градуса,градусов"
    ),
    Entry("degree_Fahrenheit", "°", "degree*"),
    Entry("arcminute", "arcmin", "arcminute*,minute* of arc"),
    Entry("arcsecond", "arcsec", "arcsecond*,second* of arc"),
    Entry("radian", "rad", "radian*", "m µ"),
    Entry("steradian", "sr", "steradian*"),
    # data
    Entry("bit", "bit b", "bit*", "k K M G T Ki Mi Gi"),
    Entry("bit", "bps", "", "k K M G T", "data/time"),
    Entry("byte", "B", "byte*", "k K M G T P Ki Mi Gi Ti Pi"),
    Entry("byte", "B", "byte*", "1024"),
    Entry("pixel", "px", "pixel*", "M"),
    Entry("", "fps", "", dimension="frame/time", factor="1"),
    Entry("", "dpi", "", dimension="dot/length", factor="5000/127"),
    Entry("", "ppi", "", dimension="pixel/length", factor="5000/127"),
    # rates of pseudo-units
    Entry("", "bpm BPM", "", dimension="beat/time", factor="1/60"),
    Entry("", "rpm RPM", "", dimension="revolution/time", factor="1/60"),
    Entry("", "gsm", "", dimension="mass/area", factor="1/1000"),
    # power and energy
    Entry("watt", "W Watt", "watt*,ватт,вт,Вт", LARGE),
    Entry("horsepower", "hp HP bhp", "horsepower"),
    Entry("metric_horsepower", "PS", ""),
    Entry("volt_ampere", "VA", "volt-ampere*,volt ampere*", "k M", "apparent power"),
    Entry("volt_ampere", "var VAr VAR", "", "k M", "reactive power"),
    Entry("watt", "Wp", "", "k M G", "peak power"),
    Entry("joule", "J Joule", "joule*,джоуль,джоуля,джоулей", LARGE),
    Entry(
        "watt_hour",
        "Wh",
        "watt-hour*,watt hour*,wattstunde*,wattstunden,watt-heure*,вт·ч",
        "k M G T m",
    ),
    Entry("kilowatt_hour", "kWh KWh KWH Kwh kwh", ""),
    Entry("calorie", "cal", "calorie*,calory,kalorien", "k"),
    Entry("kilocalorie", "kcal Cal", "calorie*"),
    Entry("british_thermal_unit", "BTU Btu MMBtu", ""),
    Entry("electron_volt", "eV", "electronvolt*,electron-volt*,electron volt*", "m k M G T"),
    Entry("erg", "", "erg*"),
    # frequency and radiation
    Entry("hertz", "Hz Hertz", "hertz,герц,гц,Гц", "m k K M G T"),
    Entry("becquerel", "Bq", "becquerel*", LARGE, "radioactivity"),
    Entry("curie", "Ci", "curie*", "m µ u n p k M", "radioactivity"),
    Entry("gray", "Gy", "grays", "c m µ k", "absorbed dose"),
    Entry("sievert", "Sv", "sievert*", "m µ u", "equivalent dose"),
    Entry("rem", "", "rem,rems", "m", "equivalent dose"),
    # force and pressure
    Entry("pascal", "Pa Pascal", "pascal*,паскаль,паскаля,па,Па", "µ m h k M G"),
    Entry("bar", "bar", "bar*,бар", "m k µ"),
    Entry("standard_atmosphere", "atm", "atmosphere*"),
    Entry("pound_force_per_square_inch", "psi PSI psig", "psi,pound* per square inch", "k"),
    Entry("millimeter_Hg", "mmHg mmhg", "mm hg,millimetre* of mercury,millimeter* of mercury"),
    Entry("inch_Hg", "inHg", "inch of mercury,inches of mercury"),
    Entry("centimeter_H2O", "cmH2O", "cm h2o"),
    Entry("pascal*1", "mmH2O", factor="196133/20000"),
    Entry("torr", "Torr", "torr", "m"),
    Entry("newton", "N", "newton*", "µ m c d k M G"),
    Entry("force_pound", "lbf", "pound-force"),
    Entry("force_kilogram", "kgf", ""),
    Entry("newton*meter", "Nm", "newton metre*,newton meter*,newtonmeter", "m c k M"),
    Entry(
        "foot*force_pound",
        "ft-lb ft-lbs ft-lbf lb-ft lbf-ft",
        "foot-pound*,foot pound*,pound-feet,pound-foot",
    ),
    Entry("dyne", "dyn", "dyne*", "k"),
    # electricity
    Entry("ampere", "A Ampere amp amps", "ampere*,amp*,ампер,ампера", "f p n µ u m k M"),
    Entry("ampere_hour", "Ah", "amp-hour*,amp hour*,ampere-hour*,ampere hour*", "m k"),
    Entry("volt", "V Volt", "volt*,voltio*,вольт,вольта", "f p n µ u m k M G"),
    Entry("ohm", "Ω", "ohm*,ом,Ом", "µ m k K M G"),
    Entry("siemens", "S", "siemens", "p n µ u m k M"),
    Entry("farad", "F", "farad*", "f p n µ u m"),
    Entry("henry", "H", "henry*,henries", "n µ u m"),
    Entry("coulomb", "C", "coulomb*", "p n µ u m k M"),
    Entry("tesla", "T", "tesla*", "p n µ u m"),
    Entry("gauss", "G", "gauss", "m k M", factor="1/10000"),
    Entry("weber", "Wb", "weber*", "m µ"),
    # light and sound
    Entry("candela", "cd", "candela*", "m k"),
    Entry("lumen", "lm", "lumen*", "m k", "luminous flux"),
    Entry("lux", "lx", "lux", "m k", "illuminance"),
    Entry("", "dB", "decibel*", dimension="level", factor="1"),
    Entry("", "dBA dB(A)", "", dimension="weighted level", factor="1"),
    Entry("", "dBm", "", dimension="level of power", factor="1"),
    # amounts
    Entry("mole", "mol Mol", "mole*,mol", "f p n µ u m k"),
    Entry("molar", "M", "molar", "f p n µ u m"),
    Entry("", "Eq", "equivalent*", "m µ u k", "equivalent", "1"),
    Entry("", "Osm osm osmol", "osmole*,osmol*", "m", "osmole", "1"),
    Entry("", "IU I.U. UI IE", "international unit*", "m k", "international unit", "1"),
    Entry("", "U", "enzyme unit*", "m k", "enzyme unit", "1"),
    Entry("katal", "kat", "katal*", "µ m n"),
    Entry("", "CFU cfu", "colony-forming unit*,colony forming unit*", "", "colony", "1"),
    # multiples
    Entry(
        "",
        "x",
        "times,fold,mal,fois,veces,vezes,volte,keer,раз,раза",
        dimension="times",
        factor="1",
    ),
    # shares
    Entry(
        "",
        "% ％ ٪ pct",
        "percent,per cent,per-cent,pct,prozent,pour cent,pour-cent,por ciento,"
        "per cento,por cento,procent,процент,процента,процентов,проценты",
        dimension="percent",
        factor="1/100",
    ),
    Entry("", "‰", "per mille,per mil,permille,promille", dimension="percent", factor="1/1000"),
    Entry("", "ppm PPM ppmv", "part* per million", dimension="percent", factor="1e-6"),
    Entry("", "ppb PPB ppbv", "part* per billion", dimension="percent", factor="1e-9"),
    Entry("", "ppt pptv", "part* per trillion", dimension="percent", factor="1e-12"),
    Entry(
        "",
        "pp p.p. %p",
        "percentage point*,% points,percentage-point*,percent point*,"
        "pct point*,percent-point*,point* of percentage,pp,ppts,prozentpunkt,"
        "points de pourcentage,puntos porcentuales,"
        "punti percentuali,pontos percentuais,procentpunten,процентных пункта,процентных пунктов",
        dimension="percentage points",
        factor="1/100",
    ),
    Entry(
        "",
        "Prozentpunkt Prozentpunkte Prozentpunkten",
        "",
        dimension="percentage points",
        factor="1/100",
    ),
    Entry(
        "",
        "bp bps bips",
        "basis point*,basispunkte",
        dimension="percentage points",
        factor="1/10000",
    ),
    Entry("", "bp bps bips", "basis point*,basispunkte", dimension="percent", factor="1/10000"),
)
