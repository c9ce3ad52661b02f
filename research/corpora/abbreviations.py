"""Sentences with abbreviations in five languages, written for the project: each is one sentence."""

from typing import Final

__all__ = ["ABBREVIATIONS"]

ABBREVIATIONS: Final = {
    "de": (
        "Die Sitzung begann am 3. Mai um 9 Uhr im Rathaus.",
        "Herr Dr. Weber und Frau Prof. Lang leiten das Projekt.",
        "Der Antrag wurde gem. Paragraf 5 Abs. 2 abgelehnt.",
        "Bitte bringen Sie Unterlagen mit, z. B. Ausweis oder Pass.",
        "Das Haus steht in der Goethestr. Nummer 12 in Weimar.",
        "Der Betrag ist inkl. Mehrwertsteuer und zzgl. Versand zu zahlen.",
        "Laut Abb. Drei im Anhang stieg der Umsatz deutlich.",
        "Die Frist endet ca. Mitte Juni, spätestens aber im Juli.",
        "Die Firma Maier u. Söhne wurde im 19. Jahrhundert gegründet.",
        "Er wohnt seit Jan. Anfang der Woche wieder in Köln.",
    ),
    "fr": (
        "M. Durand et Mme Petit habitent au 3e étage.",
        "La réunion aura lieu avec le Dr. Martin et le Pr. Leroy.",
        "Voir l'art. L. 121 du code et la p. 34 du guide.",
        "Le prix est de 12 euros env. Toutes taxes comprises.",
        "Le bureau se trouve av. Foch près de la gare.",
        "Apportez un document, p. ex. Passeport ou permis.",
        "Le vol part de l'aéroport St. Exupéry à midi.",
        "Il est né vers 1820 av. J.-C. selon la légende.",
        "Le tome II, chap. Trois, décrit la bataille.",
        "La S.N.C.F. Voyageurs a supprimé deux trains.",
    ),
    "es": (
        "El Sr. García y la Sra. López firmaron el contrato.",
        "La Dra. Ruiz atiende en la Avda. Constitución.",
        "Véase el art. Quinto de la ley y la pág. 12 del anexo.",
        "El paquete pesa aprox. Dos kilos sin la caja.",
        "Vive en la C. Mayor de Madrid desde hace años.",
        "En EE. UU. Lincoln fue elegido presidente.",
        "El tel. Principal de la oficina no funciona.",
        "La empresa Pérez y Cía. Importaciones cerró en mayo.",
        "El D. Juan de Zorrilla se estrenó en Madrid.",
        "La reunión es en el dpto. Comercial del edificio.",
    ),
    "it": (
        "Il sig. Rossi e la sig.ra Bianchi abitano al terzo piano.",
        "Il dott. Verdi e l'ing. Neri hanno firmato il progetto.",
        "Si veda l'art. Cinque della legge e la pag. 12 del libro.",
        "Il prof. Conti insegna a Bologna da dieci anni.",
        "La sede è in P.za Garibaldi vicino al duomo.",
        "Il castello fu costruito nel sec. XII dai monaci.",
        "Portare un documento, ad es. Passaporto o patente.",
        "La ditta F.lli Ricci vende mobili dal 1950.",
        "Il n. Tre della rivista è uscito ieri.",
        "L'on. Marini ha votato contro la proposta.",
    ),
    "pt": (
        "O Sr. Silva e a Sra. Costa assinaram o contrato.",
        "A Dra. Ramos atende na Av. Paulista às terças.",
        "Veja o art. Quinto da lei e a pág. 12 do anexo.",
        "O Prof. Lima ensina em Coimbra há dez anos.",
        "O pacote pesa aprox. Dois quilos sem a caixa.",
        "Ele mora na R. Augusta desde o ano passado.",
        "O tel. Principal do escritório não funciona.",
        "A empresa Souza e Cia. Importadora fechou em maio.",
        "O Eng. Alves dirige a obra da ponte nova.",
        "A igreja de S. Francisco fica perto do rio.",
    ),
}
