import { foldText } from './identity.ts'

/** Words that banks write beside the name that matters: of cards, payments and legal forms, in the languages of most files. */
const OF_CARDS =
  'card cards carte karte kaart tarjeta carta cartao debit debito credit credito kredit visa mastercard maestro amex vpay pos ' +
  'purchase payment payments paiement pago pagamento betaling betaalautomaat zahlung kartenzahlung kartenumsatz lastschrift ' +
  'achat compra online contactless kontaktlos contactloos terminal pas apple google pay www com gmbh ltd inc llc limited the'
/** Words of cities whose names stand on card payments most often. */
const OF_CITIES =
  'berlin hamburg munchen münchen muenchen koln köln koeln frankfurt stuttgart wien zurich zürich zuerich bern basel geneve genève ' +
  'london manchester dublin edinburgh paris lyon marseille bruxelles brussel brussels antwerpen amsterdam rotterdam utrecht ' +
  'luxembourg madrid barcelona valencia lisboa porto roma rome milano torino napoli athens warszawa krakow kraków praha brno ' +
  'budapest bucuresti sofia zagreb beograd kobenhavn københavn copenhagen stockholm goteborg göteborg oslo helsinki tallinn riga ' +
  'vilnius istanbul ankara moscow kyiv new york los angeles chicago boston seattle san francisco houston dallas austin toronto ' +
  'montreal vancouver mexico sao são paulo buenos aires sydney melbourne auckland singapore hong kong tokyo osaka seoul mumbai delhi'

const LEFT_OUT: ReadonlySet<string> = new Set(`${OF_CARDS} ${OF_CITIES}`.split(' '))
/** Latin words of one or two letters are countries, states and articles. */
const SHORT = /^[a-z]{1,2}$/

/** The words of a text that tell one payee from another, each once. Numbers and words of cities and cards are left out. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = foldText(text).split(/[^\p{L}\p{M}\p{N}]+/u)
  return new Set(
    words.filter(
      (word) => word !== '' && !/\p{N}/u.test(word) && !SHORT.test(word) && !LEFT_OUT.has(word),
    ),
  )
}

/** The words in common, as a share of the shorter text's, from 0 to 1. */
export function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one]
  return short.size === 0 ? 0 : [...short].filter((word) => long.has(word)).length / short.size
}
