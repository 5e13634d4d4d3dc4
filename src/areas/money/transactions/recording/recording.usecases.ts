import { AppError, checkAll } from '../../../../domain/errors.ts'
import { rankOf, type Right } from '../../../../domain/sharing.ts'
import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { type Commit, commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import { type Refusal, rightNeeded, unlessRefused } from '../../../../platform/database/refusals.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import {
  againIfCreatedMeanwhile,
  book,
  daysChanged,
  type LedgerRow,
  mustBeFreeExternalIds,
  namingConflicts,
  post,
  prepare,
  requireUnlocked,
} from '../../../../ledger/ledger.public.ts'
import {
  accountBookedOn,
  accountsToBookOn,
  type FoundAccount,
  rememberBooking,
} from '../../accounts/accounts.public.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import { payeesForBooking } from '../../payees/payees.public.ts'
import { tagsByIds } from '../../tags/tags.public.ts'
import { attempt, noneRefused, requireFewLines } from '../bulk/bulk.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import type { SingleKind } from '../transactions.rules.ts'
import {
  type DraftAccount,
  type KnownLabels,
  namesInDraft,
  type NamedInDraft,
  placeDraft,
  type Recorded,
  type PlacedInBooks,
  type RecordDraft,
  rowOfMade,
  storedByExternalId,
} from './making.usecases.ts'
import { concessionAfter } from './giving-way.rules.ts'
import { bookingErrors, transferBookingErrors } from './posting-errors.rules.ts'
import { transferErrors } from './transfers.errors.ts'

export interface RecordOptions {
  /** True if they may be booked in a period under a soft lock. */
  force?: boolean | undefined
  /** Decides on each, and books none. */
  dryRun?: boolean
  /** The field of the request that lists the drafts; undefined where the request is the draft. */
  list?: string
  /** The kind of what alone may be shown in place of a draft whose externalId is taken. */
  shownKind?: SingleKind | undefined
  /** The error for an account that the caller does not see. */
  gone?: Refusal
  /** Further premises of the commit. */
  premises?: Statement[]
  /** The rule sets that accounts must still have, by their ids. */
  ruleSets?: Record<string, number>
  /** Given in a dry run whose dates stand for any, so that no lock counts; also with the account that stands for any one. */
  standIn?: { account: FoundAccount | undefined }
  /** True if what is refused is left out, and told to `also` and in the result. */
  leavesOut?: boolean
  /** Further changes of the commit, by what became of the drafts. */
  also?: (decided: (Recorded | AppError)[]) => Change[]
}

/** Makes the result of a request of what became of its drafts, in their order. Refusals are among them in a dry run alone. */
type ResultOf<Result, One = Recorded> = (recorded: One[]) => Result

/**
 * Records drafts: all of them, or none. This is the only way from a draft to the ledger; for the rows of a file, `makeDrafts` is the
 * part before the commit.
 */
export async function record<Result>(
  ctx: SignedIn,
  drafts: RecordDraft[],
  options: RecordOptions,
  resultOf: ResultOf<Result, Recorded | AppError>,
): Promise<Result> {
  const recording = { drafts, options, resultOf, prepared: prepare(ctx, drafts) }
  const isAlone = options.list === undefined && !options.dryRun
  const booked = isAlone ? await recordAsRemembered(ctx, recording) : undefined
  return booked ?? againIfCreatedMeanwhile(() => recordAsRead(ctx, recording))
}

/** Records the draft that a request is. */
export const recordOne = <Result>(
  ctx: SignedIn,
  draft: RecordDraft,
  options: RecordOptions,
  resultOf: (recorded: Recorded) => Result,
): Promise<Result> =>
  record(ctx, [draft], options, ([recorded]) => {
    if (!recorded || recorded instanceof AppError) {
      throw new Error('recordOne: what is refused is thrown')
    }
    return resultOf(recorded)
  })

interface Recording<Result> {
  drafts: RecordDraft[]
  options: RecordOptions
  resultOf: ResultOf<Result, Recorded | AppError>
  prepared: ReturnType<typeof prepare<RecordDraft>>
}

/** Books without reading; undefined where too little is remembered, and for whatever is refused, as reading decides on that. */
async function recordAsRemembered<Result>(
  ctx: SignedIn,
  { drafts, options, resultOf, prepared: { remembered, ready, missing } }: Recording<Result>,
): Promise<Result | undefined> {
  const ids = drafts.flatMap((draft) => namesInDraft(draft).accounts.map(({ id }) => id))
  const accounts = ids.flatMap((id) => (id && accountBookedOn(ctx, id)) || [])
  if (!remembered || accounts.length < ids.length) {
    return undefined
  }
  return unlessRefused(async () => {
    const recorded = drafts.map((draft) => {
      const placed = placeDraft(ctx, draft, { accounts, unknown: options.gone })
      return { made: placed.make(ready(remembered.found)(placed.draft)) }
    })
    // If a hook lacks something, or names an account, the decision needs a read.
    if (missing() || recorded.some(({ made }) => made.line !== undefined)) {
      return undefined
    }
    const premises = [...remembered.premises, ...(options.premises ?? [])]
    // Rules go by the account of the draft; the other accounts have the same owner.
    const ruleSets = Object.fromEntries(accounts.slice(0, 1).map((one) => [one.id, one.ruleSet]))
    const change = booking(ctx, drafts, recorded, { ...options, premises, ruleSets })
    return commit(ctx, { ...change, result: resultOf(recorded) })
  })
}

async function recordAsRead<Result>(ctx: SignedIn, recording: Recording<Result>): Promise<Result> {
  const { drafts, options, resultOf } = recording
  const { needs, missing, ready, remember } = recording.prepared
  const named = drafts.map(namesInDraft)
  const accountsNamed = named.flatMap((one) => one.accounts)
  const { list, dryRun, standIn, leavesOut, also } = options
  const [found, categories, payees, tags, stored, ...foundFirst] = await read(
    ctx,
    accountsToBookOn(ctx, {
      ids: accountsNamed.flatMap(({ id }) => id ?? []),
      keys: accountsNamed.flatMap(({ name }) => (name === undefined ? [] : foldKey(name))),
    }),
    categoriesByIds(ctx, idsOf(named.flatMap((one) => one.categories))),
    payeesForBooking(ctx, idsOf(named.flatMap((one) => one.payees))),
    tagsByIds(ctx, idsOf(named.flatMap((one) => one.tags))),
    storedByExternalId(ctx, drafts),
    ...needs(),
  )
  const known = { categories, payees, tags }
  const accounts = [...found, ...(standIn?.account ? [standIn.account] : [])]
  // Also what is there already is shown to whoever could have booked it alone.
  const places = {
    ...{ accounts, unknown: options.gone },
    requireBookable: (account: DraftAccount) => requireRight(account, 'write'),
  }
  const decideBy = (rows: unknown[]) => {
    const decide = deciderOf({ accounts, known, stored, ready: ready(rows) }, options)
    return drafts.map((draft, at) =>
      attempt(() => decide(placeDraft(ctx, draft, places), named[at] as NamedInDraft)),
    )
  }
  let [foundByHooks, decided] = [foundFirst, decideBy(foundFirst)]
  const lacking = missing()
  if (lacking) {
    const more = await read(ctx, ...lacking)
    foundByHooks = foundByHooks.map((rows, at) => [...rows, ...(more[at] ?? [])])
    decided = decideBy(foundByHooks)
  }
  requireFewLines(decided.map((one) => ('made' in one ? one.made.entries.length : 0)))
  if (dryRun) {
    return resultOf(decided)
  }
  const recorded = leavesOut ? decided.filter(isDone) : noneRefused(decided, list)
  // An Idempotency-Key must stand for this answer from now on, also when nothing is new.
  if (!recorded.some((one) => 'made' in one) && !ctx.repeatable && !also) {
    return resultOf(recorded)
  }
  try {
    const { changes, ...rest } = booking(ctx, drafts, recorded, options)
    const result = await commit(ctx, {
      ...rest,
      changes: [...changes, ...(also?.(decided) ?? [])],
      result: resultOf(leavesOut ? decided : recorded),
    })
    for (const account of accounts) {
      rememberBooking(ctx, account)
    }
    remember(foundByHooks)
    return result
  } catch (error) {
    const concession = concessionAfter(error, recorded.flatMap(madeIn), drafts[0])
    if (concession) {
      const others = drafts.map((draft) => ({ ...draft, ...concession }))
      return recordAsRead(ctx, { ...recording, drafts: others, prepared: prepare(ctx, others) })
    }
    return resultOf([await twinOrThrow(ctx, drafts, error, options)])
  }
}

const madeIn = (one: Recorded) => ('made' in one ? [one.made] : [])

const isDone = (one: Recorded | AppError): one is Recorded => !(one instanceof AppError)

const idsOf = (named: { id: string }[]) => [...new Set(named.map(({ id }) => id))]

interface FoundForRecording {
  accounts: FoundAccount[]
  known: KnownLabels
  stored: LedgerRow[]
  ready: ReturnType<ReturnType<typeof prepare<RecordDraft>>['ready']>
}

/** Decides on one draft after the other, by what was read. */
function deciderOf(
  { accounts, known, stored, ready }: FoundForRecording,
  { force, shownKind, standIn }: RecordOptions,
): (placed: PlacedInBooks, named: NamedInDraft) => Recorded {
  const there = new Map<string, () => { existing: LedgerRow; isStored: boolean }>(
    stored.toReversed().map((row) => [keyOf(row), () => ({ existing: row, isStored: true })]),
  )
  return ({ draft, accounts: own, partAccounts, requireLabels, make }, named) => {
    const key = 'externalId' in draft && draft.externalId ? keyOf(draft) : undefined
    const twin = key === undefined ? undefined : there.get(key)?.()
    if (twin) {
      if (!isShown(twin.existing, shownKind)) {
        throw externalIdTaken({ field: 'externalId' })
      }
      return twin
    }
    for (const account of partAccounts) {
      requireRight(account, 'write')
    }
    const [made] = checkAll(
      () => make(ready(draft)),
      () => requireLabels(known, named),
    )
    if (own.some(({ status }) => status === 'closed')) {
      throw errorsFor(draft).closed()
    }
    if (!standIn) {
      requireUnlocked(daysChanged(undefined, made.entries), accounts, { force, field: 'date' })
    }
    if (key !== undefined) {
      there.set(key, () => ({ existing: rowOfMade(made), isStored: false }))
    }
    return { made }
  }
}

/** True if a transaction may be shown in place of a draft: an expense may be half of a transfer by now. */
const isShown = ({ kind, amountMinor }: LedgerRow, shownKind: SingleKind | undefined): boolean =>
  !shownKind || kind === shownKind || (kind === 'transfer' && amountMinor < 0)

interface Identified {
  accountId?: string | undefined
  externalId?: string | null | undefined
}

const keyOf = ({ accountId, externalId }: Identified) => `${accountId} ${externalId}`

/** Before all that is wrong with the request; the commit asserts it again. */
export function requireRight({ rank = 0 }: { rank?: number }, least: Right): void {
  if (rank < rankOf(least)) {
    throw rightNeeded(least)()
  }
}

const externalIdTaken = transactionErrors.externalIdTaken

const errorsFor = ({ kind }: RecordDraft) =>
  kind === 'transfer' ? transferBookingErrors : bookingErrors

/** The change that books what was decided on. */
function booking(
  ctx: SignedIn,
  [first]: RecordDraft[],
  recorded: Recorded[],
  { force, list, gone, premises = [], ruleSets = {} }: RecordOptions,
): Omit<Commit<unknown>, 'result'> {
  const made = recorded.flatMap(madeIn)
  const pairs = made
    .flatMap(({ entries }) => entries)
    .flatMap(({ accountId, externalId: id }): [string, string][] => (id ? [[accountId, id]] : []))
  const errors = {
    ...(first ? errorsFor(first) : bookingErrors),
    gone: gone ?? unknownAccountIn(first, list),
    ...{ force, ruleSets, ...(list === undefined ? {} : { lockedField: list }) },
  }
  return {
    conflicts: namingConflicts,
    changes: [
      withoutEvents(premises),
      ...made.flatMap(({ changes }) => changes),
      withoutEvents(
        mustBeFreeExternalIds(ctx, pairs, () => externalIdTaken({ field: list ?? 'externalId' })),
      ),
      post(ctx, errors, book(made)),
    ],
  }
}

/** The accounts of a new transaction are fields of its request. */
const unknownAccountIn = (draft: RecordDraft | undefined, list: string | undefined) => () =>
  draft?.kind === 'transfer'
    ? transferErrors.unknownAccount()
    : transactionErrors.unknownAccount({ field: list ?? 'accountId' })

/**
 * A parallel request with the same external id may have been first: then its transaction is the answer. It is not kept for an
 * Idempotency-Key, as that would be one more trip; the next request with the key is.
 */
async function twinOrThrow(
  ctx: SignedIn,
  drafts: RecordDraft[],
  error: unknown,
  { list, shownKind }: RecordOptions,
): Promise<Recorded> {
  const isTaken = error instanceof AppError && error.code === externalIdTaken().code
  if (list === undefined && isTaken) {
    const [[twin]] = await read(ctx, storedByExternalId(ctx, drafts))
    if (twin && isShown(twin, shownKind)) {
      return { existing: twin, isStored: true }
    }
  }
  throw error
}
