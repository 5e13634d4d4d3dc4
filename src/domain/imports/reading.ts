import type { IgnoredReason } from '../bank-files/source.ts'
import { runSteps, type Steps } from '../steps.ts'
import { MOST_SUSPECTS, watchChains } from './balances.ts'
import { watchFirstDays } from './continuing.ts'
import { compareOpen, type LeftOpen, rowKey } from './comparing.ts'
import {
  type BankId,
  bankIdOf,
  bankKeysOf,
  type Hash,
  identifier,
  type RowIdentity,
} from './identity.ts'
import { indexed, knownAs, type KnownOf, duplicateReason } from './known.ts'
import { openRow } from './open-rows.ts'
import type {
  ComparisonOptions,
  FileComparison,
  LookupResults,
  StoredMatches,
  ComparisonOutcome,
  Piece,
  Lookups,
} from './passes.ts'
import { type BookableRow, isBookable, type SettledRow } from './rows.ts'
import { showsReuse } from './same-ids.ts'
import { watchSpans } from './spans.ts'
import { statedHalves } from './stated-transfers.ts'
import { type Trust, watchTrust } from './trust.ts'
import type { CoveredDays, Decision, StoredIdentity } from './verdicts.ts'
import { wantedOf } from './wanting.ts'

/** Starts to compare a file with what is stored. It holds about 600 bytes for each row that is not known. */
export const compareWithStored = (options: ComparisonOptions): FileComparison =>
  new Comparison(options)

class Comparison implements FileComparison {
  readonly #options: ComparisonOptions
  readonly #identities: ReturnType<typeof identifier>
  readonly #trust: ReturnType<typeof watchTrust>
  readonly #chains = watchChains()
  readonly #spans = watchSpans()
  /** The stored rows that rows of the file are known as. */
  readonly #claimed = new Set<string>()
  readonly #left: LeftOpen
  #coverage: CoveredDays[] = []

  constructor(options: ComparisonOptions) {
    this.#options = options
    this.#identities = identifier(options.hash)
    this.#trust = watchTrust(options.untrusted)
    this.#left = {
      rows: [],
      storedUnder: new Map(),
      corrected: new Map(),
      knownCorrections: [],
      reusing: [],
      statedHalves: [],
      decisionsOnKnown: new Map(),
      suspects: [],
      firstDays: watchFirstDays(MOST_SUSPECTS),
      isLocked: options.isLocked,
      hasIdentity: (accountId, identity) => this.#identities.has(accountId, identity),
      locked: new Set(),
      isInFile: (stored) =>
        this.#identities.has(stored.accountId, stored.identity ?? '') ||
        this.#claimed.has(rowKey(stored)),
    }
  }

  identify(rows: readonly SettledRow[]): Piece {
    const booked = rows.filter(isBookable).filter(({ source }) => !source.pending)
    this.#trust.see(booked)
    booked.forEach(this.#chains.see)
    booked.forEach(this.#spans.see)
    const identities = this.#identities.identify(rows)
    const corrected = correctedKeys(this.#options.hash, rows)
    return { rows, identities, lookUp: lookUpOf(rows, identities, corrected, this.#trust.trusts) }
  }

  decide({ rows, identities }: Piece, known: StoredMatches): Decision[] {
    const corrected = correctedKeys(this.#options.hash, rows)
    const knownOf = indexed(known)
    return rows.map((row, index) => {
      const identity = identities[index]
      if (identity === undefined) {
        return { at: row.at, verdict: 'ignored', reason: row.ignored as IgnoredReason }
      }
      const stored = knownOf.identity(row.accountId, identity)
      const decision = this.#verdictOf(row, stored, identity, knownOf)
      if (isBookable(row)) {
        const sameId = knownOf.bankKey(row.accountId, identity.bankKey)
        const key = corrected.get(row.at)
        this.#leave(row, { identity, stored, sameId, key }, decision)
        putSome(this.#left.corrected, row.at, knownOf.bankKey(row.accountId, key))
      }
      return decision
    })
  }

  wanted(statements: readonly CoveredDays[]): Steps<Lookups> {
    this.#coverage = this.#spans.coverage(statements)
    const { rows, suspects, firstDays } = this.#left
    const alike = [...suspects, ...firstDays.rows()].map(({ row }) => row)
    return wantedOf({ rows, alike }, this.#coverage)
  }

  foresee({ rows }: Piece, statements: readonly CoveredDays[]): Lookups {
    const booked = rows.filter(isBookable)
    const alike = booked.filter(
      ({ accountId, date, balanceMinor, source: { statement } }) =>
        balanceMinor !== undefined ||
        (statement !== undefined && date === this.#spans.firstDay(accountId)),
    )
    const coverage = this.#spans.coverage(statements)
    return runSteps(wantedOf({ rows: booked.map(particularsOf), alike }, coverage))
  }

  *compare(found: LookupResults): Steps<ComparisonOutcome> {
    const trust = this.#trust
    return {
      ...(yield* compareOpen(this.#left, found, {
        ...{ ...this.#options, coverage: this.#coverage },
        ...{ chains: this.#chains, trusts: trust.trusts },
      })),
      reused: trust.reused(),
      identityOf: (row, { byId, byText }) =>
        byId !== undefined && trust.trusts(schemeOf(row)) ? byId : byText,
    }
  }

  #verdictOf(
    row: SettledRow,
    stored: StoredIdentity | undefined,
    identity: RowIdentity,
    knownOf: KnownOf,
  ): Decision {
    const { at, accountId } = row
    if (stored !== undefined) {
      this.#claimed.add(rowKey(stored))
      return knownAs(row, stored)
    }
    if (!isBookable(row)) {
      return { at, verdict: 'error' }
    }
    const external = knownOf.externalId(row)
    // Rows that an earlier file contained are compared by the bank's id, which is more careful.
    const isOfEarlierFile = knownOf
      .bankKey(accountId, identity.bankKey)
      .some(({ transactionId }) => transactionId === external?.transactionId)
    if (external !== undefined && !isOfEarlierFile && !this.#claimed.has(rowKey(external))) {
      this.#claimed.add(rowKey(external))
      const { transactionId: matchedId, state } = external
      const reason = duplicateReason(state, 'externalId')
      return { at, verdict: 'duplicate', reason, matchedId, remembers: true }
    }
    return { at, verdict: this.#options.isLocked(accountId, row.date) ? 'locked' : 'new' }
  }

  /** Keeps what pass 2 needs of a row. */
  #leave(row: BookableRow, { identity, stored, sameId, key }: KeptKeys, decision: Decision): void {
    const left = this.#left
    const halves = statedHalves(row)
    left.statedHalves.push(...halves)
    const isOpen = decision.verdict === 'new' || decision.verdict === 'locked'
    if (halves.length > 0 && !isOpen) {
      left.decisionsOnKnown.set(row.at, decision)
    }
    if (!row.source.pending && sameId.some((stored) => showsReuse(row, stored))) {
      this.#trust.distrust(row)
      left.reusing.push(...(isOpen ? [row.at] : []))
    }
    if (isOpen) {
      if (decision.verdict === 'locked') {
        left.locked.add(row.at)
      }
      left.rows.push(openRow(row, identity, key))
      putSome(left.storedUnder, row.at, sameId)
    } else if (key !== undefined) {
      left.knownCorrections.push(openRow(row, identity, key))
    }
    if (stored !== undefined && !stored.pending && !row.source.pending) {
      left.firstDays.see({ row, open: openRow(row, identity, key), identity, stored })
    }
    const { balanceMinor } = stored ?? {}
    const areKnown = balanceMinor !== undefined && row.balanceMinor !== undefined
    if (areKnown && balanceMinor !== row.balanceMinor && left.suspects.length < MOST_SUSPECTS) {
      left.suspects.push({ row, decision })
    }
  }
}

const particularsOf = ({
  accountId,
  currency,
  date,
  minor,
  source,
  originalMinor,
}: BookableRow) => ({
  ...{ accountId, currency, date, minor },
  ...(source.original === undefined || originalMinor === undefined
    ? {}
    : { original: { minor: originalMinor, currency: source.original.currency } }),
})

interface KeptKeys {
  identity: RowIdentity
  stored: StoredIdentity | undefined
  sameId: readonly StoredIdentity[]
  /** The key of the bank id that the row corrects. */
  key: string | undefined
}

const schemeOf = (row: SettledRow) => ({
  accountId: row.accountId,
  scheme: bankIdOf(row)?.scheme ?? '',
})

function putSome<Item>(map: Map<number, readonly Item[]>, at: number, items: readonly Item[]) {
  if (items.length > 0) {
    map.set(at, items)
  }
}

/** The keys of the bank ids that rows correct, by row. */
function correctedKeys(hash: Hash, rows: readonly SettledRow[]): Map<number, string> {
  const ids = rows.flatMap(({ at, source: { bankId, correction } }) =>
    correction === undefined || bankId === undefined
      ? []
      : [{ at, scheme: bankId.scheme, id: correction.id.trim() }],
  )
  const keys = bankKeysOf(hash, ids)
  return new Map(ids.map(({ at }, index) => [at, keys[index] as string]))
}

function lookUpOf(
  rows: readonly SettledRow[],
  identities: readonly (RowIdentity | undefined)[],
  corrected: ReadonlyMap<number, string>,
  trusts: Trust['trusts'],
): Piece['lookUp'] {
  const lookUp: Piece['lookUp'] = { identities: [], bankKeys: [], externalIds: [] }
  // Many rows may have one key; it is looked up once.
  const bankKeys = new Map<string, Piece['lookUp']['bankKeys'][number]>()
  for (const [index, row] of rows.entries()) {
    const { accountId } = row
    const { byId, byText, bankKey } = identities[index] ?? {}
    const correctedKey = corrected.get(row.at)
    lookUp.identities.push(...some(byId, byText).map((identity) => ({ accountId, identity })))
    // An id that many rows have would find them all, and none of them by it.
    const ownKey = trusts(schemeOf(row)) ? bankKey : undefined
    for (const key of some(ownKey, correctedKey)) {
      bankKeys.set(`${accountId} ${key}`, { accountId, bankKey: key })
    }
    if (ownKey !== undefined) {
      lookUp.externalIds.push({ accountId, externalId: (bankIdOf(row) as BankId).id })
    }
  }
  return { ...lookUp, bankKeys: [...bankKeys.values()] }
}

const some = (...texts: (string | undefined)[]): string[] =>
  texts.filter((text) => text !== undefined)
