import { rankOf } from '../../../domain/sharing.ts'
import {
  type Check,
  currencyText,
  eachOnce,
  hashText,
  idText,
  mapOf,
  minorUnits,
  objectWith,
} from '../../../domain/stored-values.ts'
import { stemOf } from '../../../domain/ids.ts'
import { periodLockErrors } from './period-locks.errors.ts'

export interface PeriodLockRow {
  id: string
  /** The owner of the accounts. */
  ownerId: string
  /** Null for all accounts of the owner. */
  accountId: string | null
  through: string
  kind: 'soft' | 'hard'
  reason: string
  createdBy: string
  /** JSON of `LockedBalance[]`. */
  balances: string
  /** JSON of the seals of its accounts; null until there are any. */
  seals: string | null
  version: number
  createdAt: number
  updatedAt: number
}

/**
 * The most locks of one account, which has room for a soft and a hard lock for each month of 20 years, and as many
 * for all accounts; and the most of one owner. Erasing an account ends all of its locks at once.
 */
export const MOST_LOCKS = { ofOne: 500, ofOwner: 20_000 }

/** A lock, with what the caller may do where it applies. */
export interface PeriodLockView extends PeriodLockRow {
  /** The highest rank of domain/sharing.ts that the caller has on an account of the lock. */
  rank: number
  /** JSON: ids of the accounts of the lock that the caller sees. */
  seen: string
}

/** The balance of a locked account, at the end of the last day. */
export interface LockedBalance {
  accountId: string
  currency: string
  balanceMinor: number
  reconciledMinor: number
}

/** The requirements on transactions that a lock can have. */
export const REQUIREMENTS_OF_LINES = ['reconciled', 'noPending', 'categorised'] as const

export type RequirementOfLines = (typeof REQUIREMENTS_OF_LINES)[number]

export const REQUIREMENTS = [...REQUIREMENTS_OF_LINES, 'assertionsOk'] as const

export type Requirement = (typeof REQUIREMENTS)[number]

/** An unmet requirement of a lock, on one account. */
export interface Unready {
  accountId: string
  kind: Requirement
  count: number
  /** Id of the first of the transactions, or of the balance assertions. */
  firstId: string
}

const WORDS: Record<Requirement, { one: string; many: string }> = {
  reconciled: { one: 'transaction is not reconciled', many: 'transactions are not reconciled' },
  noPending: { one: 'transaction is pending', many: 'transactions are pending' },
  categorised: {
    one: 'transaction is without a category',
    many: 'transactions are without a category',
  },
  assertionsOk: { one: 'balance assertion fails', many: 'balance assertions fail' },
}

/** @throws AppError `locks.notReady` with how many are how */
export function requireLockReady(unready: Unready[]): void {
  if (unready.length > 0) {
    const kinds = [...Map.groupBy(unready, ({ kind }) => kind)]
    const what = kinds
      .map(([kind, some]) => {
        const count = some.reduce((sum, one) => sum + one.count, 0)
        return `${count} ${WORDS[kind][count === 1 ? 'one' : 'many']}`
      })
      .join(', and ')
    throw periodLockErrors.notReady({ what }, { field: 'require' })
  }
}

/** The right that a lock of a kind takes. */
export const rightFor = (kind: PeriodLockRow['kind']) => (kind === 'hard' ? 'owner' : 'manage')

/** True if the caller may know the reason of the lock. */
export const mayKnowReason = ({ rank }: PeriodLockView): boolean => rank >= rankOf('write')

export const listIn = <Item>(json: string): Item[] => JSON.parse(json) as Item[]

/**
 * A user may have any number of accounts. So many with their balances and seals are more than the line of an archive has room for,
 * so that no lock of more can be restored as it is.
 */
const MOST_ACCOUNTS = 5000

/** The checks of a lock's columns with JSON: each account appears once, even if it was erased since. */
export const lockJson: Record<string, Check> = {
  balances: eachOnce(
    objectWith({
      accountId: idText,
      currency: currencyText,
      balanceMinor: minorUnits,
      reconciledMinor: minorUnits,
    }),
    MOST_ACCOUNTS,
    'accountId',
  ),
  seals: mapOf(idText, hashText, MOST_ACCOUNTS),
}

/** An account line, as a seal covers it. */
export interface SealedLine {
  accountId: string
  currency: string
  transactionId: string
  line: number
  date: string
  amountMinor: number
  isVoid: number
}

/** The seal of each account, by its id: SHA-256 over its lines. */
export type Seals = Record<string, string>

/**
 * Returns the hashed text of a line. It has the part of its transaction's id that stays when a backup is restored
 * under new ids, so that a seal still matches the same lines then.
 */
const textOf = ({ transactionId, line, date, amountMinor, currency, isVoid }: SealedLine): string =>
  `${stemOf(transactionId)} ${line} ${date} ${amountMinor} ${currency} ${isVoid}\n`

/**
 * The texts that are hashed of one account, as its lines come: by day, transaction and line. Where stems are the same, the texts
 * decide about the order, as renewed ids may have another one.
 */
export class SealedTexts {
  private place = ''
  private tied: string[] = []

  /** Gives what can be hashed now that this line has come. */
  add(line: SealedLine): string[] {
    const place = `${line.date} ${stemOf(line.transactionId)}`
    const ready = place === this.place ? [] : this.end()
    this.place = place
    this.tied.push(textOf(line))
    return ready
  }

  /** Gives what is left. */
  end(): string[] {
    const texts = this.tied.toSorted()
    this.tied = []
    return texts
  }
}

/** Returns the hashed text of the seals of all accounts. */
export const textOfSeals = (seals: Seals): string =>
  Object.entries(seals)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, seal]) => `${id} ${seal}\n`)
    .join('')

/** The accounts whose lines are not as they were sealed. */
export const brokenIn = (sealed: Seals, now: Seals): string[] =>
  Object.entries(now).flatMap(([id, seal]) =>
    sealed[id] === undefined || sealed[id] === seal ? [] : [id],
  )
