import { createHash } from 'node:crypto'
import assert from 'node:assert/strict'
import { foundWithin } from '../../../src/domain/imports/wanting.ts'
import type { FormatKey } from '../../../src/domain/bank-files/format.ts'
import type { SourceRow } from '../../../src/domain/bank-files/source.ts'
import type { Continuation } from '../../../src/domain/imports/continuing.ts'
import { countRows, type RowCounts } from '../../../src/domain/imports/counts.ts'
import { type Hash, identitiesAs, type RowIdentity } from '../../../src/domain/imports/identity.ts'
import type { MatchingMode } from '../../../src/domain/imports/matching.ts'
import type {
  StoredMatches,
  ComparisonOutcome,
  Piece,
  Lookups,
} from '../../../src/domain/imports/passes.ts'
import { compareWithStored } from '../../../src/domain/imports/reading.ts'
import { runSteps } from '../../../src/domain/steps.ts'
import { type SettledRow, settleRow } from '../../../src/domain/imports/rows.ts'
import type { SchemeOfAccount } from '../../../src/domain/imports/trust.ts'
import type {
  CoveredDays,
  Decision,
  OwnAccount,
  StoredIdentity,
  StoredState,
} from '../../../src/domain/imports/verdicts.ts'

export const hash: Hash = (texts) =>
  texts.map((text) =>
    createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url'),
  )

export const sourceRow = (fields: Partial<SourceRow> = {}): SourceRow => ({
  line: 1,
  raw: {},
  account: '',
  tags: [],
  text: fields.description ?? fields.payeeRaw ?? '',
  pending: false,
  parts: [],
  metadata: {},
  errors: [],
  warnings: [],
  ...fields,
})

/** What a test says of a row: the amount as in the file, and the text that is its description, too. */
export interface RowSketch extends Partial<SourceRow> {
  accountId?: string
  currency?: string
  format?: FormatKey
  payeeId?: string
  transferAccountId?: string
  partAccountIds?: (string | undefined)[]
}

/** `row('2026-03-15', '-3.00', 'Coffee')` */
export const row = (
  date: string,
  amount: string,
  text: string,
  more: RowSketch = {},
): RowSketch => ({ date, amount, text, description: text, ...more })

/** The rows of a file, in its order. */
export const settle = (sketches: readonly RowSketch[]): SettledRow[] =>
  sketches.map((sketch, at) => {
    const { accountId = 'main', currency = 'EUR', format = 'csv', ...rest } = sketch
    const { payeeId, transferAccountId, partAccountIds, ...fields } = rest
    const source = sourceRow({ line: at + 2, ...fields })
    return {
      ...settleRow(source, at, { id: accountId, currency }, format),
      ...(payeeId === undefined ? {} : { payeeId }),
      ...(transferAccountId === undefined ? {} : { transferAccountId }),
      ...(partAccountIds === undefined ? {} : { partAccountIds }),
    }
  })

export interface Booked {
  id: string
  accountId: string
  date: string
  minor: number
  text: string
  payeeId?: string
  number?: string
  counterAccount?: string
  otherAccountId?: string
  externalId?: string
  isPending: boolean
  state: StoredState
  isUncategorised: boolean
  /** The rows that it was made or confirmed from. */
  from: SettledRow[]
}

export interface ImportOptions {
  coverage?: CoveredDays[]
  /** The days of earlier statements. */
  stated?: CoveredDays[]
  /** What the import is called, and where it goes on within a day. */
  importId?: string
  continued?: Continuation[]
  matching?: MatchingMode
  piece?: number
  lockedThrough?: string
  /** The identities are gone before the second pass looks for them. */
  withoutIdentities?: boolean
  vanished?: 'trash'
  /** What the user makes of a decision before it is carried out. */
  decide?: (decision: Decision) => Decision
}

export interface Imported {
  rows: SettledRow[]
  decisions: Decision[]
  /** The transaction that each row is, after the import. */
  bookedAs: (string | undefined)[]
  counts: RowCounts
  outcome: ComparisonOutcome
  wanted: Lookups
}

/** The books of one user in memory: what an area does with the decisions, without a database. */
export class Books {
  readonly booked: Booked[] = []
  readonly identities: StoredIdentity[] = []
  readonly untrusted: SchemeOfAccount[] = []
  readonly accounts: OwnAccount[]

  constructor(...accounts: OwnAccount[]) {
    this.accounts = [{ id: 'main', name: 'Everyday', currency: 'EUR' }, ...accounts]
  }

  /** Types a transaction by hand. */
  type(date: string, minor: number, text: string, more: Partial<Booked> = {}): Booked {
    const typed: Booked = {
      id: `t${this.booked.length + 1}`,
      accountId: 'main',
      ...{ date, minor, text },
      ...{ isPending: false, state: 'kept', isUncategorised: true, from: [] },
      ...more,
    }
    this.booked.push(typed)
    return typed
  }

  balance(accountId = 'main'): number {
    return this.kept(accountId).reduce((sum, { minor }) => sum + minor, 0)
  }

  kept(accountId = 'main'): Booked[] {
    return this.booked.filter((one) => one.accountId === accountId && one.state === 'kept')
  }

  /** Compares a file, and says what would become of each row. */
  preview(sketches: readonly RowSketch[], options: ImportOptions = {}): Imported {
    return this.#compare(settle(sketches), options).imported
  }

  /** Imports a file: preview and commit. */
  import(sketches: readonly RowSketch[], options: ImportOptions = {}): Imported {
    const { imported, identities } = this.#compare(settle(sketches), options)
    this.untrusted.push(...imported.outcome.reused)
    const decisions = imported.decisions.map(options.decide ?? ((decision) => decision))
    const bookedAs = decisions.map((decision, index) => {
      const settled = imported.rows[index] as SettledRow
      const keys = decision.identity ?? identities[index]
      const identity = keys && imported.outcome.identityOf(settled, keys)
      return keys && this.#apply(settled, decision, identity ?? '', keys, options)
    })
    if (options.vanished === 'trash') {
      for (const { transactionId } of imported.outcome.vanished) {
        this.#find(transactionId).state = 'inTrash'
      }
    }
    return { ...imported, decisions, bookedAs, counts: countRows(decisions) }
  }

  /** Sets what became of a transaction. */
  drop(id: string, state: StoredState): void {
    this.#find(id).state = state
  }

  /** Lets a transaction be known by a row. */
  remember(transactionId: string, sketch: RowSketch): void {
    const [settled] = settle([sketch])
    const [identity] = settled ? identitiesAs(hash, settled, 1) : []
    this.identities.push({
      ...{ accountId: 'main', identity: identity ?? '', date: '2026-03-01', minor: 123 },
      ...{ pending: false, transactionId, state: 'kept' },
    })
  }

  #compare(rows: SettledRow[], options: ImportOptions) {
    const { coverage = [], matching = 'usual', piece = 2_000, lockedThrough = '' } = options
    const { withoutIdentities = false } = options
    const comparison = compareWithStored({
      hash,
      matching,
      untrusted: this.untrusted,
      isLocked: (_, date) => date <= lockedThrough,
    })
    const decisions: Decision[] = []
    const identities: (RowIdentity | undefined)[] = []
    let foreseen: Lookups | undefined
    for (let at = 0; at < rows.length; at += piece) {
      const part = comparison.identify(rows.slice(at, at + piece))
      identities.push(...part.identities)
      foreseen = rows.length <= piece ? comparison.foresee(part, coverage) : undefined
      decisions.push(...comparison.decide(part, this.#lookUp(part.lookUp)))
    }
    const wanted = runSteps(comparison.wanted(coverage))
    const found = { candidates: this.#candidates(wanted), halves: this.#halves(wanted) }
    if (foreseen) {
      // What is found before anything is known of the rows holds all that is wanted, and no more is taken of it.
      const all = { candidates: this.#candidates(foreseen), halves: this.#halves(foreseen) }
      const { accounts } = this
      const within = foundWithin(wanted, { ...all, accounts, identities: [] })
      assert.deepEqual({ candidates: within.candidates, halves: within.halves }, found)
      const isForeseen = (one: object) =>
        foreseen?.identities.some((other) => JSON.stringify(other) === JSON.stringify(one))
      assert.deepEqual(
        wanted.identities.filter((one) => !isForeseen(one)),
        [],
      )
    }
    const outcome = runSteps(
      comparison.compare({
        ...found,
        identities: this.#stored().filter(
          (one) =>
            !withoutIdentities &&
            wanted.identities.some(
              ({ accountId, date, minor }) =>
                one.accountId === accountId && one.date === date && one.minor === minor,
            ),
        ),
        accounts: this.accounts,
        ...(options.stated === undefined ? {} : { stated: options.stated }),
        ...(options.continued === undefined ? {} : { continued: options.continued }),
      }),
    )
    for (const decision of outcome.decisions) {
      decisions[decision.at] = decision
    }
    const counts = countRows(decisions)
    const bookedAs = decisions.map(() => undefined)
    return { imported: { rows, decisions, bookedAs, counts, outcome, wanted }, identities }
  }

  #find(id: string | undefined): Booked {
    const found = this.booked.find((one) => one.id === id)
    if (found === undefined) {
      throw new Error(`No transaction ${id}`)
    }
    return found
  }

  /** The identities with what became of their transactions. */
  #stored(): StoredIdentity[] {
    return this.identities.map((one) => {
      const { state } = this.#find(one.transactionId)
      const { transactionId, ...rest } = one
      return { ...rest, state, ...(state === 'erased' || !transactionId ? {} : { transactionId }) }
    })
  }

  #lookUp({ identities, bankKeys, externalIds }: Piece['lookUp']): StoredMatches {
    const keys = new Set(identities.map(({ accountId, identity }) => `${accountId} ${identity}`))
    const banks = new Set(bankKeys.map(({ accountId, bankKey }) => `${accountId} ${bankKey}`))
    return {
      identities: this.#stored().filter(
        ({ accountId, identity, bankKey }) =>
          keys.has(`${accountId} ${identity}`) || banks.has(`${accountId} ${bankKey}`),
      ),
      externalIds: externalIds.flatMap(({ accountId, externalId }) =>
        this.booked
          .filter((one) => one.accountId === accountId && one.externalId === externalId)
          .map(({ id, date, minor, state }) => ({
            ...{ accountId, externalId, transactionId: id },
            ...{ date, minor, state },
          })),
      ),
    }
  }

  #candidates(wanted: Lookups) {
    const imported = new Set(this.identities.map(({ transactionId }) => transactionId))
    return wanted.candidates.flatMap(({ accountId, from, through, minors }) => {
      const isWanted = (one: { accountId: string; date: string }) =>
        one.accountId === accountId && from <= one.date && one.date <= through
      const typed = this.booked
        .filter(({ id, state }) => !imported.has(id) && state === 'kept')
        .filter((one) => isWanted(one) && minors.includes(one.minor))
        .map((one) => ({ ...one, transactionId: one.id, kind: 'typed' as const }))
      const known = this.#stored()
        .filter((one) => isWanted(one) && (one.pending || minors.includes(one.minor)))
        .map((one, index) => {
          const {
            text = '',
            payeeId,
            externalId,
          } = this.booked.find(({ id }) => id === one.transactionId) ?? {}
          return {
            ...one,
            kind: one.pending ? ('pending' as const) : ('booked' as const),
            text: index < 0 ? '' : text,
            ...(externalId === undefined ? {} : { externalId }),
            ...(payeeId === undefined ? {} : { payeeId }),
          }
        })
      return [...typed, ...known]
    })
  }

  #halves(wanted: Lookups) {
    return wanted.halves.flatMap(({ currency, from, through, minors }) => {
      const ids = this.accounts.filter((one) => one.currency === currency).map(({ id }) => id)
      return this.booked
        .filter(({ accountId, state, otherAccountId }) => {
          return ids.includes(accountId) && state === 'kept' && otherAccountId === undefined
        })
        .filter(({ date, minor }) => from <= date && date <= through && minors.includes(minor))
        .map((one) => ({ ...one, transactionId: one.id }))
    })
  }

  #apply(
    settled: SettledRow,
    decision: Decision,
    identity: string,
    keys: RowIdentity,
    { importId }: ImportOptions,
  ) {
    const { accountId, date = '', minor = 0, source, balanceMinor } = settled
    const remember = (transactionId: string) => {
      this.identities.push({
        ...{ accountId, identity, date, minor, transactionId },
        ...{ pending: source.pending, state: 'kept' },
        ...(keys.bankKey === undefined ? {} : { bankKey: keys.bankKey }),
        ...(importId === undefined ? {} : { importId }),
        ...(balanceMinor === undefined ? {} : { balanceMinor }),
      })
    }
    if (decision.verdict === 'new' || decision.verdict === 'transfer') {
      const { payeeId, payeeRaw, counterAccount } = { ...settled, ...source }
      const typed = this.type(date, minor, `${payeeRaw ?? ''} ${source.description ?? ''}`, {
        ...{ accountId, isPending: source.pending, from: [settled] },
        ...(payeeId === undefined ? {} : { payeeId }),
        ...(counterAccount === undefined ? {} : { counterAccount }),
      })
      remember(typed.id)
      return typed.id
    }
    if (decision.verdict === 'matched' || decision.verdict === 'updated') {
      const known = this.#find(decision.matchedId)
      known.from.push(settled)
      if (decision.verdict === 'updated') {
        Object.assign(known, { date, minor, isPending: source.pending })
        this.#forget(known.id)
      }
      remember(known.id)
    }
    if (decision.remembers && decision.matchedId !== undefined) {
      remember(decision.matchedId)
    }
    return decision.matchedId
  }

  /** What was pending is known by the booked row from now on. */
  #forget(id: string) {
    const kept = this.identities.filter((one) => one.transactionId !== id || !one.pending)
    this.identities.splice(0, this.identities.length, ...kept)
  }
}

/** The verdicts of a file, in its order. */
export const verdicts = ({ decisions }: Imported): string[] =>
  decisions.map(({ verdict }) => verdict)
