import { wordsOf } from './imports/words.ts'

const TRANSFER =
  /transfer|trf\b|uberweisung|überweisung|umbuchung|übertrag|virement|bonifico|giroconto|traspaso|overboeking|överföring|przelew|own account|standing order/

/** Whether a folded text of a bank calls a booking a transfer. */
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
    ({ name }) => name.length >= SHORTEST_NAME && wordsOf(name).size > 0,
  )
  return (text: string, known: readonly string[]): boolean => {
    const rest = telling
      .filter(({ id }) => known.includes(id))
      .reduce((left, { name }) => left.replaceAll(name, ' '), text)
    return telling.some(({ id, name }) => !known.includes(id) && hasWords(rest, name))
  }
}

const LETTER = /[\p{L}\p{N}]/u

function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + words.length]]
    if (!LETTER.test(before) && !LETTER.test(after)) {
      return true
    }
  }
  return false
}

/** What the texts of two halves say of the accounts of each other. */
export interface Mentions {
  /** How many of them name the other account. */
  others: 0 | 1 | 2
  /** One of them names a third account, and not the other one. */
  isAstray: boolean
}

interface Half {
  accountId: string
  text: string
}

/** @param namesAnother of all own accounts */
export function mentionsBetween(
  from: Half,
  to: Half,
  nameOf: (accountId: string) => string,
  namesAnother: ReturnType<typeof accountFinder>,
): Mentions {
  const [names, isNamed] = [
    mentionsName(from.text, nameOf(to.accountId)),
    mentionsName(to.text, nameOf(from.accountId)),
  ]
  const known = [from.accountId, to.accountId]
  return {
    others: names && isNamed ? 2 : names || isNamed ? 1 : 0,
    isAstray:
      (!names && namesAnother(from.text, known)) || (!isNamed && namesAnother(to.text, known)),
  }
}

/** The weight of what texts say of accounts. Who names a third account hardly means the other one. */
export const mentionWeight = ({ others, isAstray }: Mentions): number =>
  isAstray ? -0.4 : others === 0 ? 0 : others * 0.1 + 0.05
