import type { Role } from '../bank-files/format.ts'

/**
 * Headings of columns in the languages of banks: English, German, French, Spanish, Italian, Portuguese, Dutch, Danish,
 * Swedish, Norwegian, Finnish, Polish, Czech, Slovak, Hungarian, Romanian, Croatian, Slovenian, Bulgarian, Russian,
 * Ukrainian, Greek, Turkish, Chinese, Japanese, Korean, Estonian, Latvian, Lithuanian, Catalan and Hebrew. A word is compared
 * without case, accents, spaces and punctuation. Of several columns of a role, that of the earlier list is taken.
 */
export const HEADING_WORDS: readonly (readonly [Role, string])[] = [
  [
    'date',
    `booking date|date booked|date processed|posting date|posted date|post date|date posted|completed date|date completed|settlement date|
    processed date|process date|cleared date|created on|buchungstag|buchungsdatum|buchung|buchungszeitpunkt|valutadatum buchung|
    date de comptabilisation|date comptable|date d'operation|date operation|date de l'operation|date operations|
    date de l’opération|date op|date transaction|fecha contable|fecha de operacion|fecha operacion|f. operacion|f operacion|
    fecha de la operacion|fecha mov|data contabile|data operazione|data di contabilizzazione|data registrazione|
    data do movimento|data movimento|data mov|data de lancamento|data lancamento|data operacao|data da operacao|
    boekdatum|boekingsdatum|datum boeking|bogforingsdato|bogfort|bokforingsdag|bokforingsdatum|bokfort|bokforingsdato|
    bokfort dato|kirjauspaiva|kirjauspvm|data ksiegowania|data zaksiegowania|data operacji|datum zauctovani|
    datum zaúčtovania|datum provedeni|datum zauctovania|datum uctovania|konyveles datuma|konyvelesi datum|
    konyveles napja|data inregistrarii|data procesarii|data tranzactiei|datum knjizenja|datum knjizbe|
    datum izvrsenja|дата на осчетоводяване|дата проведения|дата проводки|дата обработки|дата операции|дата проведення|
    дата операції|ημερομηνια καταχωρησης|ημερομηνια συναλλαγης|islem tarihi|muhasebe tarihi|记账日期|记账日|入账日期|入账日|記帳日|
    入帳日|記帳日期|取引日|取引日付|お取引日|ご利用日|거래일|거래일자|거래일시|kande kuupaev|gramatosanas datums|
    grāmatojuma datums|iraso data|operacijos data|data operacio|交易时间|交易時間|交易创建时间|
    付款时间|transactiedatum|transaktionsdatum|transaksjonsdato|transaktionsdag|dato bogfort|creation date|date created`,
  ],
  [
    'date',
    `date|datum|data|fecha|dato|dag|dia|paiva|paivays|paivamaara|pvm|datums|kuupaev|dátum|datum transakce|datum transakcie|
    ημερομηνια|ημ/νια|дата|tarih|日期|日付|年月日|날짜|일자|일시|timestamp|datetime|date time|date/time|дата і час|дата та час|дата и время|date & time|
    datum und uhrzeit|date et heure|data i czas|date utc|datum och tid|zeitpunkt|data transakcji|datum pohybu|datum operace|
    datum prometa|datum transakcije|transaction date time|started date|时间|時間|data e hora|fecha y hora|time stamp`,
  ],
  [
    'date',
    `transaction date|posted transactions date|trans date|trans. date|tran date|txn date|purchase date|date of transaction|umsatzdatum|kaufdatum|
    transaktionsdatum original|belegdatum|belegtag|umsatztag|authorised on|fecha de compra|fecha transaccion|
    data de compra|data acquisto|aankoopdatum|kobsdato|inkopsdatum|kjopsdato|ostopaiva|datum nakupu|date d'achat|
    дата транзакции|дата платежа|data zakupu|交易日期|交易日`,
  ],
  [
    'valueDate',
    `value date|valuedate|val date|effective date|interest date|valuta|valutadatum|wertstellung|wert|wertstellungsdatum|
    wertstellungstag|valutatag|date de valeur|date valeur|fecha valor|fecha de valor|f. valor|f valor|data valuta|data valor|
    data da valor|data de valor|data val|rentedatum|valuteringsdatum|valutadato|rentedato|rentedag|valor dato|
    valutadag|arvopaiva|data waluty|datum valuty|datum splatnosti|valuta datum|erteknap|valuta napja|datum valute|
    дата на вальор|вальор|дата валютирования|дата валютування|ημερομηνια αξιας|ημερομηνια valeur|valor tarihi|起息日|起息日期|
    起算日|기산일|vaartuspaev|valutesanas datums|valutavimo data|data efectiva|data valorii|rente datum`,
  ],
  [
    'time',
    `time|uhrzeit|zeit|heure|hora|ora|tijd|tijdstip|tid|kl|klokkeslett|aika|kellonaika|godzina|czas|cas|ido|idopont|vrijeme|vreme|
    час|время|ωρα|saat|记账时间|时刻|時刻|시간|kellaaeg|laiks|laikas|time utc|transaction time|booking time`,
  ],
  ['amount', '记账金额|入账金额'],
  [
    'amount',
    `amount|transaction amount|net amount|net|total|sum|value|betrag|umsatz|summe|buchungsbetrag|transaktionsbetrag|netto|
    montant|somme|montant operation|montant de l'operation|importe|monto|cantidad|importe operacion|importo|importo operazione|valor|valor mov|
    ammontare|montante|importancia|quantia|valor da transacao|valor operacao|bedrag|transactiebedrag|belob|belop|summa|transaktionsbelopp|
    belopp|maara|summa euroa|kwota|kwota operacji|kwota transakcji|kwota w walucie rachunku|castka|castka v mene uctu|ciastka|
    suma|objem|obj|osszeg|tranzakcio osszege|terheles/jovairas|valoare|suma tranzactie|iznos|znesek|сума|сумма|сумма операции|
    сумма платежа|сума операції|сума в валюті картки|ποσο|ποσο συναλλαγης|tutar|islem tutari|金额|金額|人民币金额|交易金额|交易金額|
    发生额|取引金額|利用金額|ご利用金額|금액|거래금액|이용금액|gross amount|amount in account currency|booked amount|
    billing amount|amt|money|bedrag eur|betrag eur|amount local|import|importe total|suma operacji|settlement amount|
    sum in account currency|kontobelob|金额元|收/支金额|amount num|bookedamount`,
  ],
  [
    'debit',
    `debit|debit amount|debits|withdrawal|withdrawals|withdrawal amount|withdrawal amt|paid out|money out|outflow|outgoing|spent|
    payments out|charges|amount debit|dr|dr amount|debit eur|soll|belastung|lastschrift|ausgang|ausgaben|abgang|ausgabe|
    debet|cargo|cargos|debe|retiros|debito|addebito|addebiti|uscite|dare|saida|saidas|debitos|a debito|af|uit|uitgaven|
    debet bedrag|ud|hævet|utgift|utgifter|uttag|ut|ut av konto|ut fra konto|otto|panot pois|tililta|obciazenia|obciazenie|
    wydatki|kwota obciazenia|wyplaty|wyplata|rozchod|na vrub|vydaj|vydaje|debetni|debetni obrat|terheles|kiadas|
    terheles osszege|suma debit|debitari|isplata|isplate|duguje|izplacila|breme|odliv|дебит|расход|списание|по дебету|сума списання|сумма списания|витрата|
    видаток|χρεωση|χρεωσεις|borc|cikan|支出|支出金额|支出金額|借方|借方金额|借方金額|转出|提款|出金|出金額|お支払金額|
    お引出し|引出|支払金額|支払い金額|출금|출금액|출금금액|찾으신금액|deebet|valjaminek|debets|izejosais|izmaksa|nurasyta|islaidos|
    carrec|carrecs|débit euros|debit euros|debitare|paid out gbp|suma obciazen|debit amt|amount out|支出元`,
  ],
  [
    'credit',
    `credit|credit amount|credits|deposit|deposits|deposit amount|deposit amt|paid in|money in|inflow|incoming|received|payments in|
    amount credit|cr|cr amount|haben|gutschrift|eingang|einnahmen|zugang|einnahme|credit euros|abono|abonos|haber|
    ingreso|ingresos|depositos|credito|accredito|accrediti|entrate|avere|entrada|entradas|creditos|a credito|bij|in|inkomsten|credit bedrag|
    ind|indsat|inn|inntekt|inntekter|insattning|insattningar|inn pa konto|pano|panot|tilille|uznania|uznanie|wplywy|
    wplaty|wplata|kwota uznania|przychod|ve prospech|v prospech|prijem|prijmy|kreditni obrat|jovairas|bevetel|
    jovairas osszege|suma credit|creditari|uplata|uplate|potrazuje|prilivi|priliv|dobro|кредит|приход|зачисление|поступление|сума зарахування|сумма зачисления|
    по кредиту|надходження|прибуток|πιστωση|πιστωσεις|alacak|giren|收入|收入金额|收入金額|贷方|贷方金额|貸方|貸方金額|转入|存款|
    入金|入金額|お預り金額|お預入れ|預入|預り金額|預かり金額|입금|입금액|입금금액|맡기신금액|kreedit|sissetulek|kredits|ienakosais|iemaksa|
    gauta|pajamos|abonament|abonaments|creditare|suma uznan|credit amt|amount in|收入元`,
  ],
  [
    'direction',
    `direction|debit/credit|credit/debit|debit or credit|credit or debit|dr/cr|cr/dr|d/c|c/d|debitcredit|creditdebit|
    credit debit indicator|credit debit|transaction direction|in/out|soll/haben|sollhaben|s/h|sens|debit ou credit|
    debito/credito|dare/avere|af bij|af/bij|bij/af|debet/credit|debet/kredit|d/k|k/d|znak|smer|smer platby|typ pohybu|
    dc|tip operacije|дт/кт|дебет/кредит|дебит/кредит|приход/расход|收/支|收支|收支类型|收支類型|借贷标志|借贷|借貸|借貸別|입출금구분|
    deebet/kreedit|d/c indicator|t/j|terheles vagy jovairas|+/-|sign|amount sign|addebito/accredito|borc/alacak`,
  ],
  [
    'fee',
    `fee|fees|total fees|fee amount|commission|transaction fee|bank fee|gebuhr|gebuhren|entgelt|spesen|frais|commissions|
    comision|comisiones|comissao|commissione|commissioni|kosten|gebyr|avgift|avgifter|palvelumaksu|kulut|oplata|prowizja|
    poplatek|poplatky|dij|jutalek|comision banca|naknada|provizija|такса|комиссия|комісія|προμηθεια|masraf|komisyon|
    手续费|手續費|服务费|服务费（元）|手数料|수수료|teenustasu|komisija|komisinis|comissio`,
  ],
  [
    'currency',
    `currency|ccy|curr|currency code|iso currency|transaction currency|account currency|currencycode|wahrung|waehrung|
    buchungswahrung|kontowahrung|devise|monnaie|devise du compte|moneda|divisa|divisa importe|valuta importo|moeda|munt|muntsoort|valuta code|
    valutacode|transaktionsvaluta|valuta kontu|mynt|valutta|waluta|waluta rachunku|mena|devizanem|penznem|mena uctu|valuta racuna|
    moneda contului|deviza|валута|валюта|валюта счета|валюта операции|νομισμα|doviz|para birimi|doviz cinsi|记账币种|币种|币别|幣別|货币|貨幣|
    通貨|통화|valuuta|valuta konta|valiuta|moneda compte|ccy code|booked currency|valuta_kod`,
  ],
  [
    'balance',
    `balance|running balance|account balance|available balance|balance after|closing balance|ledger balance|current balance|
    balance after transaction|new balance|saldo|kontostand|saldo nach buchung|neuer saldo|kontosaldo|solde|
    solde apres operation|solde apres|saldo disponible|saldo contabile|saldo contabilistico|saldo disponivel|
    saldo na mutatie|saldo na trn|resultaat saldo|restsaldo|bokfort saldo|saldo efter|jaannos|
    saldo po operacji|saldo po transakcji|zustatek|zustatok|stav|zostatok|egyenleg|konyvelt egyenleg|sold|sold final|
    sold contabil|stanje|stanje racuna|баланс|салдо|остаток|остаток на счете|остаток средств|залишок|υπολοιπο|
    λογιστικο υπολοιπο|bakiye|余额|餘額|账户余额|帐户余额|結餘|结余|残高|差引残高|잔액|거래후잔액|거래 후 잔액|jaak|kontojaak|
    atlikums|likutis|saldo final|saldo posterior|balance gbp|balance impact amount|kumulierter saldo|saldo comptable`,
  ],
  [
    'originalAmount',
    `original amount|foreign amount|amount in foreign currency|local amount|local currency amount|source amount|foreign currency amount|
    transaction amount original|originalbetrag|fremdwahrungsbetrag|betrag in fremdwahrung|montant d'origine|montant origine|
    montant en devise|importe original|importe divisa|importo originale|importo in valuta|valor original|
    origineel bedrag|bedrag vreemde valuta|oprindeligt belob|valutabelob|originalbelopp|utlandskt belopp|opprinnelig belop|
    alkuperainen summa|kwota oryginalna|kwota w walucie transakcji|kwota w walucie operacji|puvodni castka|castka v puvodni mene|povodna suma|
    eredeti osszeg|suma originala|izvorni iznos|originalna suma|сумма в валюте операции|сума у валюті операції|
    orijinal tutar|原始金额|交易地金额|交易原币金额|原幣金額|現地通貨額|현지통화금액|foreign_amount|exchange amount|exchange from amount`,
  ],
  [
    'originalCurrency',
    `original currency|foreign currency|local currency|source currency|foreign currency code|originalwahrung|fremdwahrung|
    devise d'origine|devise origine|moneda original|divisa original|valuta originale|moeda original|vreemde valuta|
    oprindelig valuta|originalvaluta|opprinnelig valuta|alkuperainen valuutta|waluta oryginalna|waluta transakcji|waluta operacji|
    puvodni mena|povodna mena|eredeti devizanem|moneda originala|izvorna valuta|валюта операции original|原始币种|交易币种|原幣別|
    現地通貨|foreign_currency_code|exchange from`,
  ],
  [
    'rate',
    `rate|exchange rate|fx rate|conversion rate|wechselkurs|umrechnungskurs|kurs|devisenkurs|taux de change|cours|taux|
    tipo de cambio|tasa de cambio|cambio|tasso di cambio|taxa de cambio|wisselkoers|koers|valutakurs|vaxelkurs|
    valuttakurssi|kurssi|kurs walutowy|kurs wymiany|smenny kurz|vymenny kurz|prepocet|arfolyam|curs|curs valutar|
    tecaj|курс|обменный курс|курс обмену|ισοτιμια|doviz kuru|kur|汇率|匯率|為替レート|換算レート|환율|vahetuskurss`,
  ],
  ['date', `תאריך פעולה|תאריך הפעולה|תאריך עסקה|תאריך העסקה|תאריך רכישה`],
  ['date', `תאריך`],
  ['valueDate', `תאריך ערך|יום ערך|תאריך חיוב`],
  ['amount', `סכום|סכום חיוב|סכום החיוב|סכום בש"ח|סכום פעולה|סכום הפעולה`],
  ['debit', `חובה|בחובה|משיכה`],
  ['credit', `זכות|בזכות|הפקדה`],
  ['direction', `חובה/זכות|זכות/חובה`],
  ['currency', `מטבע|מטבע חיוב|סוג מטבע`],
  ['balance', `יתרה|יתרה בש"ח|היתרה|יתרה לאחר פעולה|היתרה בש"ח`],
  ['originalAmount', `סכום עסקה|סכום העסקה|סכום עסקה מקורי`],
  ['originalCurrency', `מטבע עסקה|מטבע מקור|מטבע עסקה מקורי`],
]
