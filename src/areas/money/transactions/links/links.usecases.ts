import { addressOf, isLegOfPart } from '../../../../domain/ledger-ids.ts'
import { expenseCategoriesOf } from '../../../../domain/ledger.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import type { Change, Thing } from '../../../../platform/log/events.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import {
  amend,
  entriesOf,
  type LedgerRow,
  ledgerRowById,
  post,
} from '../../../../ledger/ledger.public.ts'
import { amendmentOf, decideChange, NOTHING_NAMED } from '../changes/changes.rules.ts'
import { mustCoverLinked } from './coverage.queries.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { bookingOf } from '../transactions.rules.ts'
import { bookingErrors } from '../recording/posting-errors.rules.ts'
import { linkEvents } from './links.events.ts'
import {
  deleteTransactionLinkRow,
  insertTransactionLink,
  linkedSums,
  type LinkedSide,
  type LinkRow,
  linksOfTransaction,
  mustBeUnchangedSides,
  mustBeLinkedWith,
  mustHaveRoomForLinks,
  sideById,
  type StoredLink,
} from './links.queries.ts'
import {
  categoryFrom,
  coverageOfLink,
  type End,
  isCovering,
  linkedTooMuch,
  type TransactionLinkKind,
} from './links.rules.ts'

/** The links of a transaction, as one of its accounts sees it. */
export interface Linked {
  row: LedgerRow
  links: LinkRow[]
}

export async function listTransactionLinks(ctx: SignedIn, id: string): Promise<Linked> {
  const [[row], links] = await read(
    ctx,
    ledgerRowById(ctx, id),
    linksOfTransaction(ctx, linkedIdOf(id)),
  )
  if (!row) {
    throw transactionErrors.notFound()
  }
  return { row, links }
}

export interface NewLink {
  kind: TransactionLinkKind
  transactionId: string
  amount?: string | undefined
  note?: string | null | undefined
  /** True if an income without a category gets that of the expense that it pays back. */
  setCategory: boolean
  /** True if that may change something reconciled. */
  force?: boolean | undefined
}

/** The transaction whose links an id shows; none of the other side of a part, as links are of the whole. */
function linkedIdOf(id: string): string {
  const { transactionId, line } = addressOf(id)
  return isLegOfPart(line) ? '' : transactionId
}

/** Links a transaction, the source, to another one. */
export async function createTransactionLink(
  ctx: SignedIn,
  id: string,
  { kind, transactionId, amount, note = null, setCategory, force }: NewLink,
): Promise<LinkRow> {
  const [sourceId, targetId] = [linkedIdOf(id), linkedIdOf(transactionId)]
  const takesCategory = setCategory && isCovering(kind)
  const rowOfEnd = (end: string) => (takesCategory ? ledgerRowById(ctx, end) : nothing<LedgerRow>())
  const [[source], [target], [sums], [income], [expense]] = await read(
    ctx,
    sideById(ctx, id),
    sideById(ctx, transactionId),
    linkedSums(sourceId, targetId),
    rowOfEnd(id),
    rowOfEnd(transactionId),
  )
  if (!source || !sums) {
    throw transactionErrors.notFound()
  }
  if (!target || target.ownerId !== source.ownerId) {
    throw transactionErrors.unknownTransaction({ field: 'transactionId' })
  }
  const covered = coverageOfLink(
    kind,
    amount,
    endOf(source, sums.source),
    endOf(target, sums.target),
  )
  const sent = `${formatMoney(covered.amountMinor ?? 0, target.currency)} ${target.currency}`
  const link: StoredLink = {
    id: freshId(ctx, 'lnk'),
    ownerId: source.ownerId,
    kind,
    sourceId,
    targetId,
    ...covered,
    note,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(
            ctx,
            'annotate',
            [source.accountId, target.accountId],
            transactionErrors.notFound,
          ),
          mustBeUnchangedSides([source, target]),
          // The remaining amount was computed from these; a sent amount need only fit.
          ...(amount === undefined ? [mustBeLinkedWith(sourceId, targetId, sums)] : []),
          insertTransactionLink(link),
          mustCoverLinked([sourceId, targetId], () => linkedTooMuch(`less than ${sent}`)),
          mustHaveRoomForLinks([sourceId, targetId]),
        ],
        events: [linkEvents.linked(thingOf(link, source), { after: link })],
      },
      ...(income && expense ? categorised(ctx, income, expense, force) : []),
    ],
    result: rowOf(link, target),
    conflicts: { 'transaction_links.source_id': transactionErrors.linkedAlready },
  })
}

/** The change that gives an income the category of the expense that it pays back; none where it has one already. */
function categorised(
  ctx: SignedIn,
  income: LedgerRow,
  expense: LedgerRow,
  force: boolean | undefined,
): Change[] {
  const entries = entriesOf(expense)
  const wanted = categoryFrom(bookingOf('income', entriesOf(income)), bookingOf('expense', entries))
  if (!wanted) {
    return []
  }
  const effect = decideChange(
    income,
    { ...wanted, expenseCategoryIds: expenseCategoriesOf(entries), force },
    NOTHING_NAMED,
  )
  // It says what the income is, and moves no money. The expense may have a category that was archived since.
  const amendment = { ...amendmentOf(income, effect), right: 'annotate', carries: true } as const
  return [post(ctx, { ...bookingErrors, force }, amend(ctx, [amendment]))]
}

const endOf = ({ spendableMinor, ...side }: LinkedSide, linkedMinor: number): End => ({
  ...side,
  amountMinor: spendableMinor,
  linkedMinor,
})

/** The row that a finder will give for a new link, as seen from its source. */
const rowOf = (link: StoredLink, target: LinkedSide): LinkRow => ({
  ...target,
  id: link.id,
  relation: link.kind,
  direction: 'source',
  coveredMinor: link.amountMinor,
  coveredCurrency: link.currency,
  note: link.note,
  version: link.version,
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
})

/** Takes a link off, from either side. */
export async function deleteTransactionLink(
  ctx: SignedIn,
  id: string,
  linkId: string,
): Promise<void> {
  const transactionId = linkedIdOf(id)
  const [[row], [link]] = await read(
    ctx,
    ledgerRowById(ctx, id),
    linksOfTransaction(ctx, transactionId, linkId),
  )
  if (!row) {
    throw transactionErrors.notFound()
  }
  if (!link) {
    throw transactionErrors.linkNotFound()
  }
  requireVersion(ctx, link.version)
  await commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(
            ctx,
            'annotate',
            [row.accountId, link.accountId],
            transactionErrors.notFound,
          ),
          ...deleteTransactionLinkRow({ ...link, ownerId: row.ownerId }),
        ],
        events: [
          linkEvents.unlinked(thingOf(link, row), { before: storedLink(link, transactionId) }),
        ],
      },
    ],
    result: undefined,
  })
}

/** The link that an event is about, on the account of the transaction that was addressed. */
const thingOf = (
  { id, version }: Pick<StoredLink, 'id' | 'version'>,
  { ownerId, accountId }: Pick<LedgerRow, 'ownerId' | 'accountId'>,
): Thing => ({ id, resourceType: 'transactionLink', ownerId, accountId, version })

/** A link as it is stored, whichever side it was read from. */
const storedLink = (link: LinkRow, transactionId: string): Omit<StoredLink, 'ownerId'> => ({
  id: link.id,
  kind: link.relation,
  sourceId: link.direction === 'source' ? transactionId : link.transactionId,
  targetId: link.direction === 'source' ? link.transactionId : transactionId,
  amountMinor: link.coveredMinor,
  currency: link.coveredCurrency,
  note: link.note,
  version: link.version,
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
})
