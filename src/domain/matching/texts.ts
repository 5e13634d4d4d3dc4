import { foldKey } from '../text.ts'
import wordsBesideNames from './words-beside-names.json' with { type: 'json' }

/** Folds a text so that what banks change without meaning it does not count. */
export const foldText = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()

/** Most texts have nothing to fold but their case. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** The texts of a transaction, with the stricter fold of names; empty ones are left out. */
export const foldedTexts = (row: { description: string; payeeRaw: string | null }): string[] =>
  [row.description, row.payeeRaw ?? ''].map(foldKey).filter((text) => text !== '')

/** Words that banks write beside the name that matters. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  [...wordsBesideNames.cards, ...wordsBesideNames.cities].flatMap((line) => line.split(' ')),
)
/** Latin words of one or two letters are countries, states and articles. */
const SHORT = /^[a-z]{1,2}$/

/** The words of a text that tell one payee from another, each once. Numbers and words of cities and cards are left out. */
export function payeeWords(text: string): ReadonlySet<string> {
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

const TRANSFER =
  /transfer|trf\b|uberweisung|überweisung|umbuchung|übertrag|virement|bonifico|giroconto|traspaso|overboeking|överföring|przelew|own account|standing order/

/** True if a folded text of a bank calls a booking a transfer. */
export const mentionsTransfer = (text: string): boolean => TRANSFER.test(text)

const SHORTEST_NAME = 3

/** Tells whether a folded text contains the name of an account that is long enough to be significant. */
export const mentionsName = (text: string, name: string): boolean =>
  name.length >= SHORTEST_NAME && text.includes(name)

/** An account as texts mention it; the name is folded. */
export interface NamedAccount {
  id: string
  name: string
}

/** Tells whether folded texts name one of these accounts, with whole words. Words that most cards have are no name. */
export function accountFinder(accounts: readonly NamedAccount[]) {
  const telling = accounts.filter(
    ({ name }) => name.length >= SHORTEST_NAME && payeeWords(name).size > 0,
  )
  return (text: string, known: readonly string[]): boolean => {
    const rest = telling
      .filter(({ id }) => known.includes(id))
      .reduce((left, { name }) => left.replaceAll(name, ' '), text)
    return telling.some(({ id, name }) => !known.includes(id) && mentionsWords(rest, name))
  }
}

const LETTER = /[\p{L}\p{N}]/u

/** Tells whether a folded text has some words, and no letter or digit beside them. */
export function mentionsWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + words.length]]
    if (!LETTER.test(before) && !LETTER.test(after)) {
      return true
    }
  }
  return false
}

/** A row that may be half of a transfer. Its text is folded. */
export interface HalfTexts {
  accountId: string
  text: string
}

/**
 * Tells what the texts of two halves say of each other. Who names a third account, and not the other one, hardly means the other
 * one, whatever the other text says.
 * @param accounts all own accounts
 */
export function mentionsAmong(accounts: readonly NamedAccount[]) {
  const nameOf = new Map(accounts.map(({ id, name }) => [id, name]))
  const namesAnother = accountFinder(accounts)
  return (from: HalfTexts, to: HalfTexts) => {
    const names = mentionsName(from.text, nameOf.get(to.accountId) ?? '')
    const isNamed = mentionsName(to.text, nameOf.get(from.accountId) ?? '')
    const known = [from.accountId, to.accountId]
    const mentionsThird =
      (!names && namesAnother(from.text, known)) || (!isNamed && namesAnother(to.text, known))
    return {
      mentionsTransfer: [from, to].some(({ text }) => mentionsTransfer(text)),
      mentionsAccount: !mentionsThird && names !== isNamed,
      mentionsEachOther: !mentionsThird && names && isNamed,
      mentionsThird,
    }
  }
}

/** A text that another contains says something from here on. */
const TELLING = 4

/** Tells whether one of some folded texts is one of others, or one of the two contains the other. */
export const saySame = (texts: readonly string[], others: readonly string[]): boolean =>
  texts.some((text) =>
    others.some(
      (other) =>
        other === text ||
        (Math.min(other.length, text.length) >= TELLING &&
          (other.includes(text) || text.includes(other))),
    ),
  )
