import { daysBetween } from '../calendar.ts'
import { LargeMap } from '../large-map.ts'
import { REACH } from '../matching/weights.ts'
import { type BankId, bankIdOf } from './identity.ts'
import type { BookableRow, SettledRow } from './rows.ts'

/** Ids of a scheme that stand for more than one booking of an account. */
export interface ReusedIds {
  accountId: string
  scheme: string
  /** At most ten of them. */
  ids: string[]
}

/** A scheme of bank ids on an account. */
export type SchemeOfAccount = Pick<ReusedIds, 'accountId' | 'scheme'>

/** The facts about the bank ids of a file that decide whether they identify its rows. */
export interface Trust {
  /** Booked rows only: a pending one often becomes a booked one of another amount under the same id. */
  see(rows: readonly BookableRow[]): void
  /** A stored row with the id of a row of the file, but another booking. */
  distrust(row: SettledRow): void
  /** Final when the whole file was seen. */
  trusts: (scheme: SchemeOfAccount) => boolean
  /** The schemes of which the file uses an id again. */
  reused(): ReusedIds[]
}

const MOST_IDS = 10

interface IdUse {
  minor: number
  first: string
  last: string
}

/**
 * Watches the bank ids of a file. It holds about 150 bytes for each.
 *
 * @param untrusted the schemes that lost their trust in earlier files
 */
export function watchTrust(untrusted: readonly SchemeOfAccount[]): Trust {
  const schemes = new Map<
    string,
    { scheme: SchemeOfAccount; seen: LargeMap<string, IdUse>; reused: Set<string> }
  >()
  const lost = new Set(untrusted.map(keyOf))
  const schemeOf = (scheme: SchemeOfAccount) => {
    const known = schemes.get(keyOf(scheme)) ?? {
      ...{ scheme, seen: new LargeMap<string, IdUse>(), reused: new Set<string>() },
    }
    schemes.set(keyOf(scheme), known)
    return known
  }

  function seeRow(row: BookableRow) {
    const bankId = bankIdOf(row)
    if (bankId === undefined) {
      return
    }
    const { id, scheme } = bankId
    const { seen, reused } = schemeOf({ accountId: row.accountId, scheme })
    const { date, minor } = row
    const before = seen.get(id)
    if (before === undefined) {
      seen.set(id, { minor, first: date, last: date })
      return
    }
    before.first = date < before.first ? date : before.first
    before.last = date > before.last ? date : before.last
    if (before.minor !== minor || daysBetween(before.first, before.last) > REACH.sameId) {
      reused.add(id)
    }
  }

  return {
    see: (rows) => rows.forEach(seeRow),
    distrust: (row) => {
      const { scheme, id } = bankIdOf(row) as BankId
      schemeOf({ accountId: row.accountId, scheme }).reused.add(id)
    },
    trusts: (scheme) => !lost.has(keyOf(scheme)) && schemeOf(scheme).reused.size === 0,
    reused: () =>
      [...schemes.values()]
        .filter(({ reused }) => reused.size > 0)
        .map(({ scheme, reused }) => ({ ...scheme, ids: [...reused].slice(0, MOST_IDS) })),
  }
}

const keyOf = ({ accountId, scheme }: SchemeOfAccount) => `${accountId}\n${scheme}`
