import { LargeMap } from '../large-map.ts'
import { foldText } from '../matching/texts.ts'
import { isBookable, type SettledRow } from './rows.ts'

/** Gives the first 16 bytes of SHA-256 of each text, as base64url. */
export type Hash = (texts: readonly string[]) => string[]

/** The identities of a row. They follow from the source's bytes alone. */
export interface RowIdentity {
  /** By the bank's id, where the row has one. */
  byId?: string
  /** By date, amount, currency and text, and the bank's id where the row has one. */
  byText: string
  /** The key of the bank's id on the account. */
  bankKey?: string
  /** The number of the row among rows of the account whose `byText` is otherwise the same, from 1. */
  occurrence: number
}

export interface BankId {
  scheme: string
  id: string
}

/** The bank's id of a row, if it has one. */
export function bankIdOf({ source }: SettledRow): BankId | undefined {
  const id = source.bankId?.id.trim() ?? ''
  return source.bankId === undefined || id === '' ? undefined : { scheme: source.bankId.scheme, id }
}

const hasBankId = (row: SettledRow) => isBookable(row) && bankIdOf(row) !== undefined

/** The text of the key under which a bank's id is stored with an account. Ids come last, as they may have any character. */
const bankKeyText = ({ scheme, id }: BankId) => ['key', scheme, id].join('\n')

/** The keys of bank ids. */
export const bankKeysOf = (hash: Hash, ids: readonly BankId[]): string[] =>
  hash(ids.map(bankKeyText))

function idText(row: SettledRow, occurrence: number): string {
  const { scheme, id } = bankIdOf(row) as BankId
  return ['id', scheme, row.date, row.minor, occurrence, id].join('\n')
}

/** A row with errors has no date or amount to go by, so it is identified by all of its cells. */
function fallbackText(row: SettledRow, n: number): string {
  if (!isBookable(row)) {
    return ['raw', n, ...Object.entries(row.source.raw).flat().map(foldText)].join('\n')
  }
  const id = bankIdOf(row)
  const said = id === undefined ? '' : `${foldText(id.id)}\n`
  return ['row', row.date, row.minor, row.currency, n, said + foldText(row.source.text)].join('\n')
}

/** The identities that a row has as this occurrence: by text, and by the bank's id where it has one. */
export function identitiesAs(hash: Hash, row: SettledRow, occurrence: number): string[] {
  const [byText, byId] = hash([
    fallbackText(row, occurrence),
    ...(hasBankId(row) ? [idText(row, occurrence)] : []),
  ])
  return [`f${byText}`, ...(byId === undefined ? [] : [`b${byId}`])]
}

/** The rows of a file, identified piece by piece in the order of the file. */
export interface Identifier {
  /** Ignored rows have no identity, and do not count as occurrences. */
  identify(rows: readonly SettledRow[]): (RowIdentity | undefined)[]
  /** True if a row that was identified has this identity on the account. */
  has(accountId: string, identity: string): boolean
}

/** Identifies the rows of one file. It holds about 80 bytes for each identity. */
export function identifier(hash: Hash): Identifier {
  const counts = new Map<string, LargeMap<string, number>>()
  const countsOf = (accountId: string) => {
    const known = counts.get(accountId) ?? new LargeMap<string, number>()
    counts.set(accountId, known)
    return known
  }

  /**
   * Numbers rows, and gives their identities. All are hashed as first occurrences, which tells what is equal; rows that
   * come again are hashed once more, with their number.
   */
  function numbered(prefix: 'b' | 'f', rows: SettledRow[], textOf: TextOf) {
    const firsts = hash(rows.map((row) => textOf(row, 1)))
    const found = rows.map((row, index) => {
      const identity = `${prefix}${firsts[index]}`
      const known = countsOf(row.accountId)
      const occurrence = (known.get(identity) ?? 0) + 1
      known.set(identity, occurrence)
      return { row, identity, occurrence }
    })
    const repeated = found.filter(({ occurrence }) => occurrence > 1)
    const hashes = hash(repeated.map(({ row, occurrence }) => textOf(row, occurrence)))
    for (const [index, one] of repeated.entries()) {
      one.identity = `${prefix}${hashes[index]}`
      countsOf(one.row.accountId).set(one.identity, 1)
    }
    return found
  }

  function identify(rows: readonly SettledRow[]): (RowIdentity | undefined)[] {
    const identified = rows.filter((row) => row.ignored === undefined)
    const withId = identified.filter(hasBankId)
    const keys = bankKeysOf(
      hash,
      withId.map((row) => bankIdOf(row) as BankId),
    )
    const byId = numbered('b', withId, idText)
    const byText = numbered('f', identified, fallbackText)
    // The rows of the three lists are in one order.
    let next = 0
    let nextId = 0
    return rows.map((row) => {
      const text = row.ignored === undefined ? byText[next++] : undefined
      if (text === undefined) {
        return undefined
      }
      const { identity, occurrence } = text
      const id = byId[nextId]?.row === row ? byId[nextId]?.identity : undefined
      const bankKey = id === undefined ? undefined : keys[nextId++]
      return {
        byText: identity,
        occurrence,
        ...(id === undefined ? {} : { byId: id }),
        ...(bankKey === undefined ? {} : { bankKey }),
      }
    })
  }

  return { identify, has: (accountId, identity) => countsOf(accountId).has(identity) }
}

type TextOf = (row: SettledRow, occurrence: number) => string
