import { checkAll } from '../../../../domain/errors.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import { categoriesByIds } from '../../../money/categories/categories.public.ts'
import { payeesForBooking } from '../../../money/payees/payees.public.ts'
import { tagsByIds } from '../../../money/tags/tags.public.ts'
import { importErrors } from '../imports.errors.ts'
import type { DecidedRow, Overrides } from './pieces.rules.ts'

// Categories, payees and tags that the user gives to rows: what would not fit would stop the whole import when it is booked.

type Labels = Pick<Overrides, 'categoryId' | 'payeeId' | 'tagIds'>

interface Label {
  id: string
  ownerId: string
  archived: boolean
  kind?: string
}

/** Finders of what a decision names. */
export const labelsNamed = (ctx: SignedIn, { categoryId, payeeId, tagIds = [] }: Labels) =>
  [
    categoriesByIds(ctx, categoryId ? [categoryId] : []),
    payeesForBooking(ctx, payeeId ? [payeeId] : []),
    tagsByIds(ctx, tagIds),
  ] as const

interface Deciding {
  before: DecidedRow
  after: DecidedRow
}

/**
 * Whatever is named has to be there, not archived, and of the owner of each row's account. Money that leaves has no category of
 * incomes.
 */
export function requireLabels(
  said: Labels,
  found: Label[][],
  rows: Deciding[],
  views: AccountView[],
): void {
  const labels = found.flat()
  requireKnown(said, labels)
  const owners = new Map(views.map(({ account }) => [account.id, account.ownerId]))
  const ownerOf = ({ overrides, read: { row } }: DecidedRow) =>
    owners.get(overrides.accountId ?? row.accountId)
  const [category] = found[0] ?? []
  for (const { before, after } of rows) {
    const { line } = after.read.row.source
    const ownerId = ownerOf(after)
    const isOfOther = labels.some((label) => ownerId !== undefined && label.ownerId !== ownerId)
    const isMoved = ownerId !== ownerOf(before) && hasLabels(after.overrides, said)
    if (isOfOther || isMoved) {
      throw importErrors.labelOfOther({ line }, { field: fieldOf(said) })
    }
    if (category?.kind === 'income' && leaves(after)) {
      throw importErrors.categoryKind({ line }, { field: 'categoryId' })
    }
  }
}

function requireKnown({ categoryId, payeeId, tagIds = [] }: Labels, found: Label[]): void {
  const known = new Set(found.flatMap(({ id, archived }) => (archived ? [] : [id])))
  const missing = (id: string | null | undefined) => typeof id === 'string' && !known.has(id)
  const refuse = (isMissing: boolean, what: string, field: string) => () => {
    if (isMissing) {
      throw importErrors.unknownLabel({ what }, { field })
    }
  }
  checkAll(
    refuse(missing(categoryId), 'category', 'categoryId'),
    refuse(missing(payeeId), 'payee', 'payeeId'),
    refuse(tagIds.some(missing), 'tag', 'tagIds'),
  )
}

const LABELS = ['categoryId', 'payeeId', 'tagIds'] as const

const fieldOf = (said: Labels) => LABELS.find((one) => said[one] !== undefined) ?? 'accountId'

/** Tells whether a row has labels from before. */
const hasLabels = (overrides: Labels, said: Labels): boolean =>
  LABELS.some((one) => said[one] === undefined && overrides[one] !== undefined)

const leaves = ({ overrides: { amount }, read: { row } }: DecidedRow): boolean =>
  amount === undefined ? (row.minor ?? 0) < 0 : amount.startsWith('-')
