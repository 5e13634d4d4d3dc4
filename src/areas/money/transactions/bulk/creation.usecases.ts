import { AppError, checkAll } from '../../../../domain/errors.ts'
import { freshIds, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { accountMeant, visibleAccounts } from '../../accounts/accounts.public.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import {
  againIfCreatedMeanwhile,
  namingConflicts,
  type LedgerRow,
  book,
  daysChanged,
  mustBeUnbooked,
  post,
  prepare,
  requireUnlocked,
} from '../../../../ledger/ledger.public.ts'
import { rowsOfOwner } from '../../../../ledger/labels/labels.public.ts'
import { payeesForBooking } from '../../payees/payees.public.ts'
import { tagsByIds } from '../../tags/tags.public.ts'
import { labelsNamed, requireLabels } from '../labels/labels.rules.ts'
import { existingByExternalId, externalIdsOf } from '../repetition/repetition.usecases.ts'
import { partAccountsNamed } from '../splits/parts.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import {
  accountWanted,
  categoriesNamed,
  type PlacedTransaction,
  placedOn,
  requireCategories,
  type SentTransaction,
} from '../transactions.rules.ts'
import { bookingErrors, type BookedTransaction, makeTransaction } from '../transactions.usecases.ts'
import { attempt, refusalIn, requireFewLines } from './bulk.rules.ts'
import { allowedIn, locksIn } from './selection.usecases.ts'

const gone = () => transactionErrors.unknownAccount({ field: 'transactions' })

/** The outcome for one transaction that was sent. In a dry run, a new one is only valid. */
export type CreationOutcome =
  | { status: 'created' | 'existing'; row: LedgerRow | undefined }
  | { status: 'valid' }
  | AppError

export interface Creation {
  results: CreationOutcome[]
  dryRun: boolean
}

interface CreateManyInput {
  transactions: SentTransaction[]
  force?: boolean | undefined
  dryRun: boolean
}

/** Books all of them, or none. What an account has already by its external id is not booked again. */
export const createTransactions = (ctx: SignedIn, wanted: CreateManyInput): Promise<Creation> =>
  againIfCreatedMeanwhile(() => createAll(ctx, wanted))

async function createAll(
  ctx: SignedIn,
  { transactions, force, dryRun }: CreateManyInput,
): Promise<Creation> {
  const decide = await deciderOf(ctx, transactions, force)
  // In the order of the request: those of one day are listed by their ids.
  const ids = freshIds(ctx, 'txn', transactions.length)
  const decided = transactions.map((wanted, at) => attempt(() => decide(wanted, ids[at])))
  const made = decided.flatMap((one) => ('made' in one ? [one.made] : []))
  requireFewLines(made.map(({ entries }) => entries.length))
  if (dryRun) {
    return { dryRun, results: decided.map(foreseen) }
  }
  const results = checkAll(
    ...decided.map((one, at) => (): CreationOutcome => {
      if (one instanceof AppError) {
        throw refusalIn(one, `transactions.${at}`)
      }
      return 'made' in one ? { status: 'created', row: one.made.row } : one
    }),
  )
  const result = { dryRun, results }
  // An Idempotency-Key must stand for this answer from now on, also when nothing is new.
  if (made.length === 0 && !ctx.repeatable) {
    return result
  }
  return commit(ctx, {
    changes: [
      ...made.flatMap(({ changes }) => changes),
      withoutEvents(
        mustBeUnbooked(ctx, externalIdsOf(made.map(({ row }) => row)), () =>
          transactionErrors.externalIdTaken({ field: 'transactions' }),
        ),
      ),
      post(ctx, { ...bookingErrors, gone, force, lockedField: 'transactions' }, book(made)),
    ],
    result,
    conflicts: namingConflicts,
  })
}

type Decided =
  | { made: BookedTransaction }
  | { status: 'existing'; row: LedgerRow; isStored: boolean }

function foreseen(one: Decided | AppError): CreationOutcome {
  if (one instanceof AppError) {
    return one
  }
  return 'made' in one
    ? { status: 'valid' }
    : { status: 'existing', row: one.isStored ? one.row : undefined }
}

type Identified = Pick<PlacedTransaction, 'accountId' | 'externalId'>

const keyOf = ({ accountId, externalId }: Identified) => `${accountId} ${externalId}`

/** Reads all that is named in one trip, and gives what decides on one after the other. */
async function deciderOf(
  ctx: SignedIn,
  all: SentTransaction[],
  force: boolean | undefined,
): Promise<(sent: SentTransaction, id?: string) => Decided> {
  const labels = all.map(labelsNamed)
  const { needs, ready } = prepare(ctx, all)
  const [views, categories, payees, tags, stored, ...found] = await read(
    ctx,
    visibleAccounts(ctx),
    categoriesByIds(ctx, idsOf(all.flatMap(categoriesNamed))),
    payeesForBooking(ctx, idsOf(labels.flatMap((one) => one.payees))),
    tagsByIds(ctx, idsOf(labels.flatMap((one) => one.tags))),
    existingByExternalId(ctx, ...all),
    ...needs,
  )
  const accounts = views.map(({ account }) => account)
  const requireRight = allowedIn(views)
  const locks = locksIn(views)
  const prepared = ready(found)
  const [category, payee, tag] = [finderIn(categories), finderIn(payees), finderIn(tags)]
  const known = new Map(stored.toReversed().map((row) => [keyOf(row), { row, isStored: true }]))
  return (sent, id) => {
    const account = accountMeant(accounts, accountWanted(sent), transactionErrors.unknownAccount)
    requireRight(account.id, 'write')
    for (const { id } of partAccountsNamed(sent.splits)) {
      if (accounts.some((one) => one.id === id)) {
        requireRight(id, 'write', false)
      }
    }
    const wanted = placedOn(account, sent)
    const existing = wanted.externalId ? known.get(keyOf(wanted)) : undefined
    if (existing) {
      return { status: 'existing', ...existing }
    }
    const { ownerId } = account
    const named = { categories: categoriesNamed(wanted), ...labelsNamed(wanted) }
    requireCategories(
      wanted.kind,
      named.categories,
      rowsOfOwner(ownerId, category(named.categories)),
    )
    requireLabels(named, {
      payees: rowsOfOwner(ownerId, payee(named.payees)),
      tags: rowsOfOwner(ownerId, tag(named.tags)),
    })
    const made = makeTransaction(ctx, account, prepared(wanted), accounts, id)
    requireUnlocked(daysChanged(undefined, made.entries), locks, {
      force,
      field: 'date',
    })
    if (wanted.externalId) {
      known.set(keyOf(wanted), { row: made.row, isStored: false })
    }
    return { made }
  }
}

const idsOf = (named: { id: string }[]) => [...new Set(named.map(({ id }) => id))]

/** Finds those that one transaction names among all that the request names. */
function finderIn<Row extends { id: string }>(rows: Row[]): (named: { id: string }[]) => Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (named) => named.flatMap(({ id }) => byId.get(id) ?? [])
}
