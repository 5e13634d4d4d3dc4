import { keysOfName } from '../../../domain/search-key.ts'
import { foldKey } from '../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { type Commit, commit, read, requireVersion } from '../../../platform/database/database.ts'
import { readList } from '../../../platform/database/owned-resource.ts'
import type { Page, PageRequest } from '../../../platform/database/paging.ts'
import { categoriesByIds, type NamedCategory } from '../categories/categories.public.ts'
import {
  rowsOfOwner,
  labelsTo,
  moveLabels,
  putInTrash,
  requireMovable,
} from '../../../ledger/labels/labels.public.ts'
import { noteChangedRules } from '../../../ledger/ledger.public.ts'
import { payeeErrors, payeeInUse } from './payees.errors.ts'
import { payeeEvents } from './payees.events.ts'
import {
  insertAliases,
  mustOwnCategory,
  type NewAlias,
  type PayeeFilter,
  type PayeeRow,
  payeeRows,
  payeesMatching,
  totalsOfPayee,
  type TotalRow,
  deletePayeeRow,
  payeesByIds,
  moveAliases,
  namesToAliases,
} from './payees.queries.ts'
import { aliasesOf, requireRoomForAlias, touchPayee } from './aliases.queries.ts'

export const listPayees = (
  ctx: SignedIn,
  filter: PayeeFilter,
  page: PageRequest,
): Promise<Page<PayeeRow>> => readList(ctx, payeeRows, page, payeesMatching(filter))

export interface PayeeDetails {
  payee: PayeeRow
  totals: TotalRow[]
}

/** One payee with what was moved with it. */
export async function getPayee(ctx: SignedIn, id: string): Promise<PayeeDetails> {
  const [[payee], totals] = await read(ctx, payeeRows.byId(ctx, id), totalsOfPayee(ctx, id))
  return { payee: existingPayee(payee), totals }
}

export function existingPayee(payee: PayeeRow | undefined): PayeeRow {
  if (!payee) {
    throw payeeErrors.notFound()
  }
  return payee
}

export const newAlias = (ctx: SignedIn, raw: string): NewAlias => ({
  id: freshId(ctx, 'pal'),
  raw,
  rawKey: foldKey(raw),
})

const conflicts = {
  'payees.name_key': () => payeeErrors.nameTaken({ field: 'name' }),
  'payee_aliases.raw_key': () => payeeErrors.aliasTaken({ field: 'aliases' }),
}

interface NewPayee {
  name: string
  defaultCategoryId?: string | null | undefined
  aliases: string[]
  note?: string | null | undefined
  archived: boolean
  excludeFromReports: boolean
}

export async function createPayee(ctx: SignedIn, wanted: NewPayee): Promise<PayeeRow> {
  const { name, defaultCategoryId = null, note = null, archived, excludeFromReports } = wanted
  if (defaultCategoryId !== null) {
    const [categories] = await read(ctx, categoriesByIds(ctx, [defaultCategoryId]))
    requireCategory(defaultCategoryId, rowsOfOwner(ctx.caller.userId, categories))
  }
  const payee = {
    id: freshId(ctx, 'pay'),
    ownerId: ctx.caller.userId,
    ...{ name, ...keysOfName(name), defaultCategoryId },
    note,
    archived,
    excludeFromReports,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const aliases = wanted.aliases.map((raw) => newAlias(ctx, raw))
  return changingUsual(ctx, defaultCategoryId ?? undefined, {
    changes: [
      {
        statements: [
          ...mustOwnCategory(ctx, defaultCategoryId),
          payeeRows.insert(payee),
          insertAliases(ctx, payee.id, aliases),
        ],
        events: [
          payeeEvents.created(
            { id: payee.id, version: payee.version },
            { after: { ...payee, aliases: wanted.aliases } },
          ),
        ],
      },
    ],
    result: { ...payee, aliases: JSON.stringify(inOrder(aliases)), lastUsedAt: null },
    conflicts,
  })
}

/** Commits a change of a payee. Bookings go by its usual category. */
async function changingUsual<Result>(
  ctx: SignedIn,
  defaultCategoryId: string | null | undefined,
  change: Commit<Result>,
): Promise<Result> {
  const result = await commit(ctx, change)
  if (defaultCategoryId !== undefined) {
    noteChangedRules(ctx)
  }
  return result
}

/** Sorts aliases as the finders do. */
const inOrder = (aliases: NewAlias[]) =>
  aliases.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ raw }) => raw)

function requireCategory(id: string | null | undefined, found: NamedCategory[]): void {
  if (id && found.length === 0) {
    throw payeeErrors.unknownCategory({ field: 'defaultCategoryId' })
  }
}

/** Absent means left alone; null clears. */
interface PayeeChanges {
  name?: string | undefined
  defaultCategoryId?: string | null | undefined
  note?: string | null | undefined
  archived?: boolean | undefined
  excludeFromReports?: boolean | undefined
}

export async function updatePayee(
  ctx: SignedIn,
  id: string,
  wanted: PayeeChanges,
): Promise<PayeeRow> {
  const { defaultCategoryId } = wanted
  const [[found], categories] = await read(
    ctx,
    payeeRows.byId(ctx, id),
    categoriesByIds(ctx, defaultCategoryId ? [defaultCategoryId] : []),
  )
  const before = existingPayee(found)
  requireVersion(ctx, before.version)
  requireCategory(defaultCategoryId, rowsOfOwner(ctx.caller.userId, categories))
  const { name = before.name, archived = before.archived } = wanted
  const changed = {
    ...{ name, ...keysOfName(name), archived },
    excludeFromReports: wanted.excludeFromReports ?? before.excludeFromReports,
    defaultCategoryId:
      defaultCategoryId === undefined ? before.defaultCategoryId : defaultCategoryId,
    note: wanted.note === undefined ? before.note : wanted.note,
  }
  const [after, version] = [{ ...before, ...changed }, before.version + 1]
  return changingUsual(ctx, defaultCategoryId, {
    changes: [
      {
        statements: [
          ...mustOwnCategory(ctx, defaultCategoryId),
          ...payeeRows.update(ctx, before, changed),
        ],
        events: [payeeEvents.updated({ id, version }, { before, after })],
      },
    ],
    result: { ...after, version, updatedAt: ctx.now },
    conflicts,
  })
}

/** A payee for the log, with its aliases. */
const payeeSnapshot = ({ lastUsedAt: _, aliases, ...payee }: PayeeRow) => ({
  ...payee,
  aliases: JSON.parse(aliases) as string[],
})

const unknownTarget = () => payeeErrors.unknownPayee({ field: 'reassignTo' })

/** Deletes a payee with its aliases; its transactions go to `reassignTo`, else there may be none. */
export async function deletePayee(
  ctx: SignedIn,
  id: string,
  reassignTo: string | undefined,
): Promise<void> {
  const [[found], targets, labels, aliases] = await read(
    ctx,
    payeeRows.byId(ctx, id),
    payeesByIds(ctx, reassignTo === undefined ? [] : [reassignTo]),
    labelsTo(ctx, 'payee', [id]),
    aliasesOf(ctx, id),
  )
  const payee = existingPayee(found)
  requireVersion(ctx, payee.version)
  if (reassignTo !== undefined && (targets.length === 0 || reassignTo === id)) {
    throw unknownTarget()
  }
  requireMovable(labels, payeeErrors.tooManyLinks)
  if (reassignTo === undefined && labels.length > 0) {
    throw payeeInUse(new Set(labels.map(({ transactionId }) => transactionId)).size)
  }
  const move = { from: [id], to: reassignTo, targetGone: unknownTarget }
  const moved = moveLabels(ctx, 'payee', move, labels)
  const { lastUsedAt: _, aliases: _words, ...row } = payee
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...moved.statements,
          ...deletePayeeRow(ctx, payee),
          putInTrash(
            ctx,
            { id, kind: 'payee', name: payee.name },
            { row, aliases, lines: labels, into: reassignTo ?? null },
          ),
        ],
        events: [
          payeeEvents.deleted(
            { id, version: payee.version },
            { before: payeeSnapshot(payee), into: reassignTo },
          ),
          ...moved.events,
        ],
      },
    ],
    result: undefined,
  })
}

/** Merges other payees into this one: their names and aliases are its aliases then. */
export async function mergePayees(ctx: SignedIn, id: string, otherIds: string[]): Promise<void> {
  const [[found], others, labels] = await read(
    ctx,
    payeeRows.byId(ctx, id),
    payeesByIds(ctx, otherIds),
    labelsTo(ctx, 'payee', otherIds),
  )
  existingPayee(found)
  const wrong = otherIds.findIndex(
    (one, at) =>
      one === id || otherIds.indexOf(one) !== at || !others.some((other) => other.id === one),
  )
  if (wrong !== -1) {
    throw payeeErrors.unknownPayee({ field: `payeeIds.${wrong}` })
  }
  requireMovable(labels, payeeErrors.tooManyLinks)
  const named = others.map((other) => ({ id: other.id, aliasId: freshId(ctx, 'pal') }))
  const moved = moveLabels(ctx, 'payee', { from: otherIds, to: id }, labels)
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...touchPayee(ctx, id),
          ...moved.statements,
          moveAliases(ctx, otherIds, id),
          namesToAliases(ctx, named, id),
          ...others.flatMap((other) => deletePayeeRow(ctx, other)),
          requireRoomForAlias(id),
        ],
        events: [
          ...others.map((other) =>
            payeeEvents.merged(
              { id: other.id, version: other.version },
              { before: payeeSnapshot(other), into: id },
            ),
          ),
          ...moved.events,
        ],
      },
    ],
    result: undefined,
  })
}
