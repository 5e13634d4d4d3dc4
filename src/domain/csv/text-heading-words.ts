import type { Role } from '../bank-files/format.ts'

/** Headings of the columns that hold words and numbers of other kinds; see `heading-words.ts`. */
export const TEXT_HEADING_WORDS: readonly (readonly [Role, string])[] = [
  [
    'description',
    `description|transaction description|details|transaction details|narrative|narration|particulars|text|memo|
    payment details|payment reference|remittance information|statement description|extended details|
    booking text|reason|message|additional information|transaction text|subject|purpose|
    verwendungszweck|buchungstext|beschreibung|zahlungszweck|text zum verwendungszweck|vwz|bezeichnung|vorgang/verwendungszweck|
    buchungsdetails|buchungsinformation|zahlungsgrund|mitteilung|umsatztext|libelle|libelle simplifie|libelle operation|
    libelle de l'operation|libelle complet|nature de l'operation|nature|motif|informations complementaires|detail|detail de l'ecriture|communication|
    communications|concepto|descripcion|detalle|movimiento|movimientos|concepto comun|observaciones concepto|mas datos|
    descrizione|causale|descrizione operazione|causale/descrizione|descrizione estesa|dettagli|
    descricao|descritivo|historico|movimento|descricao do movimento|omschrijving|mededelingen|mededeling|vrije mededeling|
    omschrijving-1|omschrijving-2|omschrijving-3|tekst|beskrivelse|posteringstekst|meddelelse|beskrivning|
    transaktionstext|specifikation|meddelande|forklaring|melding|selite|selitys|viesti|kuvaus|tapahtuma|
    opis|opis operacji|opis transakcji|tytul|tytul operacji|tytulem|szczegoly|tytul przelewu|popis|zprava pro prijemce|
    zprava pro me|poznamka k uhrade|popis transakce|popis transakcie|sprava pre prijimatela|informacia pre prijemcu|
    ucel platby|popis pro mne|kozlemeny|leiras|megjegyzes kozlemeny|tranzakcio leirasa|descriere|detalii|detalii tranzactie|explicatii|opis placanja|
    svrha|svrha placanja|opis transakcije|namen|namen placila|описание|основание|пояснение|описание операции|назначение платежа|
    назначение|детали|детали платежа|призначення платежу|призначення|опис|деталі|деталі операції|περιγραφη|αιτιολογια|περιγραφη συναλλαγης|
    aciklama|islem aciklamasi|islem|摘要|交易摘要|交易名称|商品|商品说明|商品名称|说明|交易说明|附言|用途|お取引内容|取引内容|内容|摘要内容|適用|
    ご利用店名|利用店名|利用店名・商品名|적요|내용|거래내용|기재내용|가맹점명|이용가맹점|selgitus|makse selgitus|apraksts|
    maksajuma merkis|informacija sanemejam|paskirtis|mokejimo paskirtis|aprasymas|concepte|descripcio|
    original description|transaction|what|title|item|item title|bank description|informace`,
  ],
  [
    'payee',
    `payee|merchant|merchant name|name|counterparty|counterparty name|counter party|counter party name|payee name|beneficiary|
    partner name|recipient|payer|to/from|from/to|paid to|vendor|other party|other party name|name of counterparty|
    beneficiary name|transfer to|merchant/payee|store|
    auftraggeber/beguenstigter|auftraggeber/begunstigter|beguenstigter/zahlungspflichtiger|begunstigter/zahlungspflichtiger|
    empfanger|empfanger/auftraggeber|auftraggeber/empfanger|name zahlungsbeteiligter|zahlungsempfanger|zahlungsempfanger*in|zahlungspflichtige*r|zahlungsbeteiligter|
    partnername|gegenpartei|handler|beguenstigter|begunstigter|auftraggeber|beneficiaire|tiers|emetteur|nom|
    nom de la contrepartie|nom contrepartie|contrepartie|nom du tiers|beneficiario|ordenante|
    beneficiario/ordenante|ordenante/beneficiario|comercio|tercero|controparte|ordinante|nome|
    destinatario|estabelecimento|contraparte|naam tegenpartij|naam / omschrijving|naam/omschrijving|tegenpartij|naam|
    naam begunstigde|tegenpartij naam|naam tegenrekening|afsender/modtager|modtager|navn|mottagare|avsandare|namn|mottagare/avsandare|
    mottaker|avsender|mottakernavn|saaja|maksaja|saaja/maksaja|saajan nimi|vastapuoli|
    odbiorca|nadawca|nadawca/odbiorca|odbiorca/nadawca|kontrahent|dane kontrahenta|nazwa odbiorcy|nazwa kontrahenta|nadawca / odbiorca|
    protistrana|nazev protiuctu|nazev protistrany|nazov protiuctu|nazev uctu protistrany|nazov protistrany|partner|
    partner neve|ellenoldali nev|kedvezmenyezett|partner nev|nume beneficiar|beneficiar|ordonator|nume|primatelj|platitelj|
    primatelj/platitelj|naziv primatelja|udelezenec|prejemnik|placnik|prejemnik / placnik|контрагент|получатель|
    наредител/получател|отправитель|одержувач|отримувач|найменування контрагента|αντισυμβαλλομενος|δικαιουχος|
    alici|gonderen|alici/gonderen|karsi hesap adi|对方户名|对方账户名|对方名称|对方账户名称|交易对方|对方姓名|收款人|對方戶名|取引先|支払先|
    상대방|받는분|보낸분|거래처|보낸분/받는분|saaja/maksja nimi|saaja/maksja|saaja nimi|sanemejs|sanemejs/maksatajs|
    partneris|gavejas|moketojas|gavejas/moketojas|moketojas / gavejas|
    mokėtojas arba gavėjas|beneficiari|target name|source name`,
  ],
  // Who sent a message, where there is another word for the payee.
  ['payee', 'sender'],
  [
    'counterAccount',
    `counterparty account|counterparty iban|counter account|partner iban|partner account number|partner account|payee account|
    beneficiary account|other account|beneficiary iban|counterparty account number|other party account number|
    kontonummer/iban|iban zahlungsbeteiligter|gegenkonto|kontonummer gegenkonto|iban auftraggeber/begunstigter|
    gegenkonto iban|konto-nr. des auftraggebers|iban/kontonummer|kontonummer des zahlungsbeteiligten|
    compte contrepartie|iban contrepartie|compte de la contrepartie|numero de compte contrepartie|
    cuenta destino|cuenta contrapartida|iban beneficiario|iban controparte|conta destino|tegenrekening|
    tegenrekening iban/bban|rekening tegenpartij|tegenrekening iban|modkonto|motkonto|motpart konto|
    saajan tilinumero|vastatili|vastapuolen tili|nr konta|numer konta|rachunek przeciwny|nr rachunku|numer rachunku kontrahenta|
    rachunek kontrahenta|rachunek nadawcy/odbiorcy|nr rachunku kontrahenta|protiucet|cislo protiuctu|protistrana ucet|
    cislo uctu protistrany|protiucet iban|ellenszamla|ellenoldali szamlaszam|partner szamlaszama|iban beneficiar|
    cont beneficiar|racun primatelja|iban primatelja|protiracun|racun prejemnika|сметка на контрагента|iban контрагент|
    счет контрагента|рахунок контрагента|счет получателя|karsi hesap|karsi iban|对方账号|对方卡号/账号|对方账户|對方帳號|对方卡号|対象口座|상대계좌|상대계좌번호|
    saaja/maksja konto|saaja konto|sanemeja konts|gavejo saskaita|partnerio saskaita|compte contrapart`,
  ],
  [
    'bankId',
    `transaction id|transactionid|transaction number|transaction no|id|unique id|fitid|bank transaction id|payment id|
    transaction identifier|uuid|transfer id|transferwise id|activity id|operation id|entry id|
    transaktions-id|transaktionsnummer|umsatz-id|transaktionscode|transaktionsid|id transaction|identifiant|
    numero d'operation|id de transaccion|id operacion|numero de operacion|id transazione|numero operazione|
    id da transacao|transactienummer|volgnr|volgnummer|transactie-id|transaksjons-id|arkivreferens|arkistointitunnus|
    arkistotunnus|identyfikator transakcji|id transakcji|numer transakcji|id transakce|id pohybu|id operace|id transakcie|
    tranzakcio azonosito|tranzakcio azonositoja|id tranzactie|id transakcije|id операции|идентификатор операции|id операції|
    islem no|dekont no|fis no|交易流水号|流水号|交易订单号|交易号|交易单号|订单号|交易序號|取引番号|お取引番号|거래번호|
    arhiivitunnus|kande id|arhiva numurs|archyvo numeris|dokumento id|journal_id`,
  ],
  [
    'reference',
    `reference|number|ref|ref no|reference number|reference no|bank reference|your reference|our reference|cheque number|check number|check|check no|
    cheque no|chequenumber|checknumber|chq no|chq/ref no|ref no./cheque no|end-to-end id|end to end id|end to end reference|customer reference|
    customerreference|mandate reference|creditor id|creditor identifier|referenz|kundenreferenz|
    kundenreferenz (end-to-end)|mandatsreferenz|glaubiger-id|glaubiger id|glaubigeridentifikationsnummer|glaeubiger id|sammlerreferenz|ende-zu-ende-referenz|
    bankreferenz|auftragsnummer|belegnummer|reference de l'operation|numero de cheque|n° cheque|n de piece|
    reference client|referencia|referencia 1|referencia 2|numero de cheque|n documento|riferimento|cro|numero assegno|
    documento|doc|nr doc|kenmerk|betalingskenmerk|transactiereferentie|machtigingskenmerk|mandaatid|incassant id|
    reference bank|referens|referensnummer|referanse|kid|viite|viitenumero|viite/viesti|referencja|numer referencyjny|
    referencje|variabilni symbol|variabilny symbol|vs|konstantni symbol|konstantny symbol|ks|specificky symbol|
    specificky symbol ss|ss|hivatkozas|bizonylatszam|referinta|nr. referinta|poziv na broj|
    poziv na broj odobrenja|sklic|referenca|референция|номер документа|номер|номер на документ|αναφορα|referans|
    referans no|凭证号|参考号|商户单号|商家订单号|备付参考|参照番号|viitenumber|references numurs|nuorodos|reference txn id|invoice number`,
  ],
  [
    'type',
    `type|typ|transaction type|transaction code|code|entry type|payment type|booking type|kind|product|method|source|payment method|
    transaction category|channel|transaktionstyp|umsatzart|buchungsart|vorgang|umsatztyp|art|transaktionsart|buchungsschlussel|
    type d'operation|type operation|type de transaction|tipo|tipo de movimiento|tipo movimiento|tipo operacion|tipo operazione|
    tipologia|tipo de operacao|mutatiesoort|soort|code mutatie|transactietype|transactiesoort|type transaktion|
    transaktionstype|typ|transaktionstyp kod|bokforingstyp|tyyppi|laji|tapahtumalaji|rodzaj operacji|typ operacji|
    typ transakcji|rodzaj transakcji|typ transakce|typ transakcie|typ operace|druh|tranzakcio tipusa|tipus|
    tip tranzactie|tip|vrsta|vrsta transakcije|vrsta prometa|тип|тип операции|тип операції|вид операции|вид|ειδος|τυπος|
    islem tipi|islem turu|tur|交易类型|交易種類|类型|業務类型|业务类型|取引種類|取引区分|種別|거래구분|구분|거래종류|tehingu tuup|
    tehinguliik|kande tuup|darijuma veids|operacijos tipas|tipas|tipus d'operacio|mcc|posting key|posting text|balance impact|支付方式|收/付款方式|payment type name`,
  ],
  [
    'category',
    `category|categories|subcategory|category group/category|category name|main category|sub category|sub-category|
    kategorie|hauptkategorie|unterkategorie|categorie|sous-categorie|categorie operation|sous categorie operation|
    categoria|subcategoria|sottocategoria|categorie parent|categorieparent|subcategorie|kategori|underkategori|kategoria|alakategoria|
    podkategoria|podkategorie|kategorija|категория|категорія|подкатегория|κατηγορια|分类|交易分类|類別|カテゴリ|カテゴリー|大項目|中項目|
    카테고리|분류|kategooria|category group|budget`,
  ],
  [
    'tags',
    `tags|tag|labels|label|schlagworte|etiketten|etiquettes|etiquetas|etichette|flag|hashtags|#tags|标签|タグ|태그|тэги|теги`,
  ],
  [
    'note',
    `note|notes|notes and #tags|own note|comment|comments|remark|remarks|personal note|notiz|notizen|anmerkung|bemerkung|
    kommentar|eigene notiz|commentaire|commentaires|remarque|nota|notas|comentario|comentarios|observaciones|note personali|commento|
    observacoes|notitie|opmerking|opmerkingen|egen note|anteckning|egna anteckningar|notat|egne notater|muistiinpano|
    oma muistiinpano|notatka|uwagi|komentarz|poznamka|poznamky|komentar|megjegyzes|observatii|napomena|opomba|бележка|
    коментар|комментарий|заметка|примечание|примітка|коментарі|σημειωσεις|not|notlar|备注|備註|備考|メモ|메모|비고|
    markus|piezimes|pastabos|pastaba|comentaris`,
  ],
  [
    'account',
    `account|account name|account number|account no|own account|account iban|iban|from account|accountname|accountnumber|
    full account name|card|card number|card no|card no.|card last 4 digits|
    konto|kontonummer|auftragskonto|kontoname|kontobezeichnung|iban auftragskonto|bezeichnung auftragskonto|iban konto|karte|kartennummer|
    eigenes konto|compte|numero de compte|n° compte|nom du compte|numero carte|cuenta|numero de cuenta|tarjeta|conto|
    numero conto|rapporto|carta|conta|numero da conta|cartao|rekening|rekeningnummer|iban/bban|eigen rekening|uw rekening|
    kontonavn|kort|kortnummer|tili|tilinumero|rachunek|numer rachunku|numer konta wlasnego|rachunek zleceniodawcy|
    karta|numer karty|ucet|cislo uctu|nazev uctu|vlastni ucet|szamla|szamlaszam|kartyaszam|cont|numar cont|racun|
    broj racuna|сметка|номер на сметка|счет|номер счета|карта|номер карты|рахунок|картка|номер картки|λογαριασμος|
    αριθμος λογαριασμου|hesap|hesap no|hesap numarasi|kart no|账号|帐号|账户|卡号|帳號|账户名称|口座|口座番号|カード|계좌|계좌번호|
    카드번호|kliendi konto|konto number|konts|konta numurs|saskaita|saskaitos numeris|compte corrent`,
  ],
  [
    'state',
    `state|status|transaction status|booking status|payment status|cleared|reconcile|reconciled|zustand|buchungsstatus|
    statut|etat|estado|stato|situacao|boekingsstatus|stav transakce|stav platby|tila|stan|stan transakcji|status transakcji|statusz|allapot|stare|stanje transakcije|состояние|
    статус|статус операции|стан|κατασταση|durum|islem durumu|状态|交易状态|当前状态|狀態|状態|상태|olek|busena|statuss|estat`,
  ],
  ['payee', `שם בית העסק|שם בית עסק|בית עסק|מוטב`],
  ['description', `תיאור|תיאור הפעולה|תיאור פעולה|תיאור התנועה|פרטים|פרטי התנועה|הפעולה`],
  ['reference', `אסמכתא|אסמכתה|מספר אסמכתא`],
  ['type', `סוג|סוג פעולה|סוג תנועה|סוג עסקה`],
  ['category', `קטגוריה|ענף`],
  ['note', `הערות|הערה`],
  ['account', `חשבון|מספר חשבון|מספר כרטיס`],
]
