import { findCurrency } from '../currency.ts'
import { lazily } from '../lazily.ts'
import { foldWord } from '../bank-files/months.ts'
import { remembering } from '../bank-files/remembering.ts'
import type { Role } from '../bank-files/format.ts'
import { HEADING_WORDS } from './heading-words.ts'
import { TEXT_HEADING_WORDS } from './text-heading-words.ts'

// oxlint-disable-next-line no-control-regex -- of ASCII, controls are a part
const ASCII = /^[\u0000-\u007f]*$/

/** Letters and digits of any script, folded; the rest says nothing in a heading. */
export const foldHeading = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, '')
    : foldWord(text.normalize('NFKC')).replace(/[^\p{L}\p{N}]+/gu, '')

const listed = (words: string): string[] => words.split('|').map((word) => word.trim())

interface Meaning {
  role: Role
  /** Of several columns of one role, the one with the lowest rank has it. */
  rank: number
}

const meanings = lazily(() => {
  const found = new Map<string, Meaning>()
  for (const [rank, [role, words]] of [...HEADING_WORDS, ...TEXT_HEADING_WORDS].entries()) {
    for (const word of listed(words)) {
      const key = foldHeading(word)
      // `+/-` folds to nothing.
      if (key !== '' && !found.has(key)) {
        found.set(key, { role, rank })
      }
    }
  }
  return found
})

export interface Heading {
  /** Folded, without the unit. */
  key: string
  role?: Role
  rank?: number
  /** The currency that the heading names, as in `Amount (EUR)`. */
  currency?: string
}

const CURRENCY_SIGNS = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['zł', 'PLN'],
  ['元', 'CNY'],
  ['円', 'JPY'],
  ['원', 'KRW'],
])

function currencyNamed(text: string): string | undefined {
  const trimmed = text.trim()
  return findCurrency(trimmed.toUpperCase())?.code ?? CURRENCY_SIGNS.get(trimmed.toLowerCase())
}

/** Latin letters that stand in Cyrillic words because they look the same. */
const LOOKALIKES = new Map(
  [...'aceikmoptxybh'].map((latin, index) => [latin, [...'асеікмортхувн'][index]]),
)

function meaningOf(text: string): Heading {
  const key = foldHeading(text)
  const isMixed = /\p{Script=Cyrillic}/u.test(key) && /[a-z]/.test(key)
  const meaning =
    meanings().get(key) ??
    (isMixed
      ? meanings().get(key.replace(/[a-z]/g, (letter) => LOOKALIKES.get(letter) ?? letter))
      : undefined)
  return meaning ? { key, ...meaning } : { key }
}

/** An amount with the side that stands in brackets behind it. */
function amountOfSide(text: string, side: string): Heading | undefined {
  const direction = directionOf(side)
  const amount = meaningOf(text)
  if (amount.role !== 'amount' || direction === undefined || direction === 'neutral') {
    return undefined
  }
  return {
    ...amount,
    key: foldHeading(text + side),
    role: direction === 'out' ? 'debit' : 'credit',
  }
}

/** Without what stands in brackets at the end, and without a currency behind `in` or alone. */
function withUnit(text: string): Heading {
  const bracketed = /[([（【]([^()[\]（）【】]{1,40})[)\]）】]\s*$/u.exec(text)
  if (bracketed) {
    const currency = currencyNamed(bracketed[1] as string)
    const sided = amountOfSide(text.slice(0, bracketed.index), bracketed[1] as string)
    if (sided) {
      return sided
    }
    return { ...meaningOf(text.slice(0, bracketed.index)), ...(currency && { currency }) }
  }
  const words = text.trim().split(/\s+/)
  const currency = words.length > 1 ? currencyNamed(words.at(-1) as string) : undefined
  if (currency === undefined) {
    return meaningOf(text)
  }
  const isLink = ['in', 'en', 'w', 'v', 'i', 'em', 'в', 'at'].includes(
    (words.at(-2) as string).toLowerCase(),
  )
  return { ...meaningOf(words.slice(0, isLink ? -2 : -1).join(' ')), currency }
}

/** A currency with its sign, as `CAD$`, is what the amounts are in. */
function currencyAsHeading(text: string): Heading | undefined {
  const [, code = ''] = /^\s*([A-Z]{3})\s?\$\s*$/.exec(text) ?? []
  const currency = currencyNamed(code)
  return currency === undefined
    ? undefined
    : { ...meaningOf('amount'), key: foldHeading(text), currency }
}

/** Of several columns for texts, as `Description 1`. */
function numberedText(text: string): Heading | undefined {
  const [, name] = /^(.*\D)\s*\d$/.exec(text.trim()) ?? []
  const meaning = meaningOf(name ?? '')
  return meaning.role === 'description' ? { ...meaning, key: foldHeading(text) } : undefined
}

/** Returns the role that a heading gives its column. */
export const readHeading = remembering((cell: string): Heading => {
  const text = cell.slice(0, 200)
  const priced = currencyAsHeading(text)
  if (priced) {
    return priced
  }
  const plain = meaningOf(text)
  const numbered = plain.role === undefined ? numberedText(text) : undefined
  if (numbered) {
    return numbered
  }
  return plain.role === undefined || /[([（]/u.test(text) ? bestOf(plain, withUnit(text)) : plain
})

const bestOf = (plain: Heading, unit: Heading): Heading =>
  plain.role === undefined ? unit : { ...plain, ...(unit.currency && { currency: unit.currency }) }

const wordSet = (words: string) => lazily(() => new Set(listed(words).map(foldHeading)))

const MONEY_OUT = wordSet(
  `debit|debits|dr|d|db|dbit|out|outflow|outgoing|withdrawal|expense|payment out|money out|sent|soll|s|belastung|lastschrift|ausgang|
  ausgabe|abgang|debet|af|uit|uitgave|ud|ut|utgift|otto|pano ulos|debito|cargo|debe|gasto|addebito|uscita|dare|
  saida|obciazenie|uznanie debet|wydatek|odchozi|odchozi uhrada|vydaj|odchadzajuca|terheles|t|kiadas|debitare|isplata|
  rashod|breme|дебет|дебит|расход|списание|видаток|витрата|χρεωση|borc|gider|支出|支|借|转出|付款|出金|출금|지급|deebet|
  izdevumi|islaidos|o|minus|neg`,
)
const MONEY_IN = wordSet(
  `credit|credits|cr|c|crdt|in|inflow|incoming|deposit|income|payment in|money in|received|haben|h|gutschrift|eingang|einnahme|zugang|
  kredit|bij|inkomsten|ind|inn|inntekt|indtaegt|pano|credito|abono|haber|ingreso|accredito|entrata|avere|entrada|uznanie|
  wplyw|prichozi|prichozi uhrada|prijem|prichadzajuca|jovairas|j|bevetel|creditare|uplata|prihod|dobro|кредит|приход|зачисление|
  надходження|прибуток|дохід|πιστωση|alacak|gelir|收入|收|贷|貸|转入|入金|입금|kreedit|k|ienakumi|pajamos|i|plus|pos`,
)
const NEUTRAL = wordSet('不计收支|不計收支|中性交易|neutral|其他|none')
const SIGNS = new Map([
  ['-', 'out'],
  ['+', 'in'],
  ['/', 'neutral'],
] as const)

/** Returns the direction of money that a word states: out, in, or neither. */
export const directionOf = remembering((cell: string): 'out' | 'in' | 'neutral' | undefined => {
  const key = foldHeading(cell)
  if (MONEY_OUT().has(key)) {
    return 'out'
  }
  if (MONEY_IN().has(key)) {
    return 'in'
  }
  // Signs fold to nothing, so they are compared as they are.
  return NEUTRAL().has(key) ? 'neutral' : SIGNS.get(cell.trim() as '-')
})

const NOT_COMPLETED = wordSet(
  `declined|failed|reverted|cancelled|canceled|rejected|denied|expired|voided|void|refused|abgelehnt|storniert|fehlgeschlagen|
  abgebrochen|refuse|annule|annulee|echoue|rejete|rechazado|rechazada|cancelado|cancelada|anulado|rifiutato|annullato|
  recusado|recusada|geweigerd|geannuleerd|mislukt|afvist|annulleret|avvisad|makulerad|avvist|hylatty|peruttu|odrzucona|odrzucone|
  anulowana|anulowane|zamitnuto|zruseno|zamietnuta|zrusena|elutasitva|torolve|respins|anulat|odbijeno|otkazano|zavrnjeno|отклонено|
  отказ|отменено|failed payment|неуспешно|відхилено|скасовано|απορριφθηκε|ακυρωθηκε|reddedildi|iptal|交易关闭|已关闭|关闭|
  失败|已撤销|已全额退款|取消|失敗|キャンセル|취소|실패|거절|tagasi lukatud|noraidits|atmesta|rebutjat`,
)
const PENDING = wordSet(
  `pending|venter|ikke bogfort|vantar|vantande|avventer|odottaa|odottava|not posted|unposted|umsatz vorgemerkt|umsatz vorgemerkt und nicht gebucht|authorised|authorized|authorisation|authorization|processing|in progress|vorgemerkt|ausstehend|offen|vormerkung|en attente|
  a venir|pendiente|in sospeso|in attesa|pendente|in behandeling|gereserveerd|reserveret|reserverad|reservert|varaus|varattu|w toku|
  oczekujaca|zablokowana|blokada|nezauctovano|blokovano|cakajuca|fuggoben|in asteptare|in curs|na cekanju|v obdelavi|в обработке|
  в ожидании|hold|очікується|в обробці|εκκρεμει|beklemede|provizyon|处理中|等待付款|未入账|処理中|未確定|대기|승인대기|ootel|gaida|laukiama|pendent`,
)

/** Returns the state that a word stands for, if it means that a row is not booked. */
export const stateOf = remembering((cell: string): 'notCompleted' | 'pending' | undefined => {
  const key = foldHeading(cell)
  return NOT_COMPLETED().has(key) ? 'notCompleted' : PENDING().has(key) ? 'pending' : undefined
})

const OPENING = wordSet(
  `opening balance|starting balance|balance brought forward|brought forward|previous balance|balance forward|beginning balance|
  anfangssaldo|alter kontostand|saldovortrag|startsaldo|anfangsbestand|eroffnungsbilanz|eroffnungssaldo|solde initial|solde d'ouverture|
  bilan d'ouverture|saldo de apertura|saldo di apertura|saldo de abertura|openingsbalans|openingssaldo|apningsbalanse|ancien solde|solde precedent|
  saldo inicial|saldo anterior|saldo iniziale|saldo precedente|beginsaldo|vorig saldo|primosaldo|ingaende saldo|
  inngaende saldo|alkusaldo|saldo poczatkowe|pocatecni zustatek|pociatocny zostatok|nyito egyenleg|sold initial|sold precedent|
  pocetno stanje|zacetno stanje|начално салдо|входящий остаток|начальный остаток|вхідний залишок|αρχικο υπολοιπο|acilis bakiyesi|
  devreden bakiye|期初余额|上期余额|前期繰越|繰越残高|이월잔액|전월잔액|algsaldo|sakuma atlikums|likutis pradziai|saldo d'obertura`,
)
const CLOSING = wordSet(
  `closing balance|ending balance|final balance|balance carried forward|carried forward|current balance|total balance|solde total|saldo total|saldo totale|gesamtsaldo|
  balance at end|endsaldo|neuer kontostand|schlusssaldo|kontostand am|kontostand|abschlusssaldo|saldo|solde final|nouveau solde|
  solde au|saldo final|saldo actual|saldo finale|saldo contabile|saldo disponivel|eindsaldo|nieuw saldo|ultimosaldo|utgaende saldo|
  loppusaldo|saldo koncowe|konecny zustatek|konecny zostatok|zaro egyenleg|sold final|zavrsno stanje|koncno stanje|крайно салдо|
  исходящий остаток|конечный остаток|вихідний залишок|τελικο υπολοιπο|kapanis bakiyesi|期末余额|期末残高|다음이월|loppsaldo|
  lopu saldo|beigu atlikums|likutis pabaigai`,
)
const TURNOVER = wordSet(
  `turnover|subtotal|grand total|total debit|total debits|total credit|total credits|total withdrawals|total deposits|
  gesamtsumme|umsatz gesamt|umsatzsumme|zwischensumme|total des operations|sum totalt|suma obrotow|obroty|obrat|obraty|forgalom|
  total general|rulaj|promet|оборот|обороты|обороти|小计|小計|소계|kaive|apgrozijums|apyvarta`,
)
/** Words for sums that shops are called, too. */
const TOTAL = wordSet(
  `total|totals|sum|summe|gesamt|somme|suma|totale|totaal|i alt|summa|yhteensa|osszesen|ukupno|skupaj|итого|всего|разом|усього|συνολο|
  toplam|合计|合計|总计|總計|합계|kokku|kopa|is viso`,
)

/** What a row that is not a booking states: a balance, a sum, or what may be a sum. */
export type Summary = 'opening' | 'closing' | 'turnover' | 'total'

/** Returns what a row states whose text is only that. */
export function summaryOf(cell: string): Summary | undefined {
  // What follows the words is a date or an amount: `Saldo 31.12.2025`.
  return cell.length > 60 || /\d\s*\p{L}{2}/u.test(cell) ? undefined : summaryNamed(cell)
}

const summaryNamed = remembering((cell: string): Summary | undefined => {
  const words = cell.replace(/[\d.,:/-]+/g, ' ').trim()
  const key = foldHeading(words.replace(/ (?:as of|as at|on|at|am|per|au|al|a|em|op|pr|den)$/i, ''))
  if (OPENING().has(key)) {
    return 'opening'
  }
  if (CLOSING().has(key)) {
    return 'closing'
  }
  return TURNOVER().has(key) ? 'turnover' : TOTAL().has(key) ? 'total' : undefined
})

const CARD_PAYMENTS = wordSet(
  `payment thank you|thank you|autopay|automatic payment|payment received|online payment|payment - thank|direct debit payment|
  mobile payment|zahlung erhalten|zahlungseingang|ihre zahlung|einzahlung|lastschrift|kreditkartenabrechnung|ausgleich|paiement recu|
  merci|reglement|prelevement|pago recibido|su pago|pago|pagamento|pagamento recebido|betaling|betaling ontvangen|indbetaling|inbetalning|
  innbetaling|suoritus|maksu saatu|splata karty|splata|splatka|uhrada|uhrada karty|befizetes|torlesztes|plata|rambursare|uplata|placilo|погашение|
  погасяване|оплата|погашення|πληρωμη|odeme|还款|繳款|お支払|입금|tagasimakse|maksajums|mokejimas|pagament`,
)

/** Tells whether a text on a credit card describes a payment of its holder. */
export function isCardPayment(text: string): boolean {
  const key = foldHeading(text)
  return CARD_PAYMENTS()
    .values()
    .some((words) => key.includes(words))
}
