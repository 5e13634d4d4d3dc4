import { dateInZone } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { freshId, profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import { forbidden } from '../../../../platform/database/refusals.ts'
import {
  accountErrors,
  type AccountView,
  lockedForNew,
  openAccount,
  visibleAccounts,
} from '../../../money/accounts/accounts.public.ts'
import {
  allCategories,
  categoriesCreated,
  categoryErrors,
  newCategoryRow,
} from '../../../money/categories/categories.public.ts'
import { importErrors } from '../imports.errors.ts'
import {
  importForTask,
  notesOf,
  statementsOf,
  type StoredChunk,
  type StoredImport,
  type StoredStatement,
  updateImport,
} from '../imports.queries.ts'
import type { ForeignAccount, Mapping, StatementContent } from '../imports.rules.ts'
import { decidedRow, unlockedRow } from '../rows/pieces.rules.ts'
import { readPiece } from '../rows/rows.usecases.ts'
import { owns } from '../../../identity/access/access.public.ts'
import { mustBeCommitting } from './booking.queries.ts'
import {
  CREATE,
  freeNameAmong,
  particularsOf,
  pathsToMake,
  treeFor,
  type UsedPath,
  pathText,
} from './making.rules.ts'

/** The options of a commit. */
export interface CommitOptions {
  transfers?: 'suggest' | 'match' | undefined
  vanished?: 'keep' | 'trash' | undefined
  /** States closing balances of statements. */
  assertBalances?: boolean | undefined
  /** Opens reconciliations of the newest statements. */
  reconcile?: boolean | undefined
  /** False leaves rules and usual categories out. */
  applyRules?: boolean | undefined
  /** Books on locked days, and statements whose balances do not fit. */
  force?: boolean | undefined
}

/** The accounts and categories that an import created. */
export interface CreatedByImport {
  accounts?: string[]
  categories?: string[]
}

const makesAccounts = (accounts: ForeignAccount[]) =>
  accounts.some(({ accountId }) => accountId === CREATE)

const makesCategories = ({ categoryMap = {} }: Mapping) =>
  Object.values(categoryMap).includes(CREATE)

/** Refuses to make accounts or categories for somebody who may not. */
export function requireMayMake(ctx: SignedIn, mapping: Mapping): void {
  const { permissions } = profileOf(ctx)
  const { accountId, accountMap = {} } = mapping
  if (accountId === CREATE || Object.values(accountMap).includes(CREATE)) {
    if (ctx.caller.token?.accountIds) {
      throw accountErrors.tokenIsRestricted()
    }
    if (!permissions.includes('accounts.write')) {
      throw forbidden('accounts.write')
    }
  }
  if (makesCategories(mapping) && !permissions.includes('categories.write')) {
    throw forbidden('categories.write')
  }
}

/** Tells whether accounts or categories must be created before the first piece is booked. */
export const isMakingLeft = ({ accounts, mapping }: StoredImport): boolean =>
  makesAccounts(JSON.parse(accounts) as ForeignAccount[]) ||
  makesCategories(JSON.parse(mapping) as Mapping)

/** Each takes five premises of those that a commit may have. */
const ACCOUNTS_AT_ONCE = 5

/**
 * Makes some of the accounts that the mapping asks for, and the categories once all are there, in a commit that says so in the
 * import.
 */
export async function makeMissing(
  owner: SignedIn,
  row: StoredImport,
  chunks: StoredChunk[],
): Promise<void> {
  const foreign = JSON.parse(row.accounts) as ForeignAccount[]
  const mapping = JSON.parse(row.mapping) as Mapping
  const { force } = JSON.parse(row.options) as CommitOptions
  const missing = new Set(foreign.flatMap(({ create }) => create?.id ?? []))
  const isLast = missing.size <= ACCOUNTS_AT_ONCE
  const used = isLast && makesCategories(mapping) ? await pathsUsed(owner, row, chunks, force) : []
  const [[now], views, [locked], statements, categories] = await read(
    owner,
    importForTask(row.id),
    visibleAccounts(owner),
    lockedForNew(owner),
    statementsOf(row.id),
    allCategories(owner),
  )
  const [oldest = dateInZone(owner.now, profileOf(owner).timeZone)] = chunks
    .flatMap((chunk) => chunk.oldest ?? [])
    .toSorted()
  const opening = openMissing(owner, foreign, { views, locked, statements, oldest, force })
  const open = categories.filter(({ archived }) => !archived)
  const wanted = pathsToMake(used, open, owner.caller.userId, mapping.categoryMap)
  const tree = treeFor(wanted, categories, () => freshId(owner, 'cat'))
  const settled = Object.fromEntries([
    ...Object.entries(mapping.categoryMap ?? {}).filter(([, id]) => id !== CREATE),
    ...tree.idOf,
  ])
  const { accounts: before = [] } = JSON.parse((now ?? row).made) as CreatedByImport
  const made: CreatedByImport = {
    accounts: [...before, ...opening.made],
    categories: tree.made.map(({ id }) => id),
  }
  await commit(owner, {
    changes: [
      withoutEvents([
        ...mustBeCommitting(row.id),
        ...updateImport(owner, now ?? row, {
          accounts: JSON.stringify(opening.accounts),
          ...(isLast ? { mapping: JSON.stringify({ ...mapping, categoryMap: settled }) } : {}),
          made: JSON.stringify(made),
        }),
      ]),
      ...opening.changes,
      ...(tree.made.length === 0
        ? []
        : [
            categoriesCreated(
              owner,
              tree.made.map((one) => newCategoryRow(owner, one)),
              categoryErrors.tooMany,
            ),
          ]),
    ],
    result: undefined,
    conflicts: {
      'accounts.name_key': importErrors.changedMeanwhile,
      'categories.name_key': importErrors.changedMeanwhile,
    },
  })
}

interface Opening {
  views: AccountView[]
  locked: Parameters<typeof openAccount>[2]
  statements: StoredStatement[]
  /** The day of the oldest row. */
  oldest: string
  force: boolean | undefined
}

/** Opens some of the accounts that the mapping asks for: the changes, their ids, and the accounts of the file with them. */
function openMissing(
  owner: SignedIn,
  foreign: ForeignAccount[],
  { views, locked, statements, oldest, force }: Opening,
): { accounts: ForeignAccount[]; made: string[]; changes: Change[] } {
  const names = new Set(
    views.flatMap(({ account }) => (owns(owner.caller, account) ? [account.nameKey] : [])),
  )
  const made: string[] = []
  const opened: Change[] = []
  const accounts = foreign.map((one): ForeignAccount => {
    const { create, ...rest } = one
    if (one.accountId !== CREATE || !create) {
      return one
    }
    if (made.includes(create.id)) {
      return { ...rest, accountId: create.id }
    }
    if (made.length === ACCOUNTS_AT_ONCE) {
      return one
    }
    const said = { ...particularsOf(one), ...create }
    const { opening, openingDate } = openingFrom(statements, create)
    const { changes } = openAccount(
      owner,
      {
        ...{ ...said, name: freeNameAmong(said.name, names), force },
        ...{ openingBalance: opening, openingDate: openingDate ?? oldest },
      },
      locked,
      create.id,
    )
    opened.push(...changes)
    made.push(create.id)
    return { ...rest, accountId: create.id }
  })
  return { accounts, made, changes: opened }
}

/** The balance before the first statement of an account, and the day on which that begins. */
export function openingFrom(
  statements: StoredStatement[],
  { id, currency }: { id: string; currency: string },
): { opening: string; minor: number; openingDate?: string } {
  const [first] = statements
    .map((one) => ({ ...one, ...(JSON.parse(one.content) as StatementContent) }))
    .filter(
      ({ accountId, openingMinor, derivedMinor, isInterim }) =>
        accountId === id && (openingMinor ?? derivedMinor) !== undefined && !isInterim,
    )
    .toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : a.place - b.place))
  const minor = first?.openingMinor ?? first?.derivedMinor ?? 0
  const opening = formatMoney(minor, currency)
  return first?.fromDate ? { opening, minor, openingDate: first.fromDate } : { opening, minor }
}

const dayOf = ({ fromDate, throughDate }: StoredStatement) => fromDate ?? throughDate ?? ''

const BOOKED = ['new', 'transfer']

/** The categories of the rows that will be booked. */
async function pathsUsed(
  owner: SignedIn,
  { id }: StoredImport,
  chunks: StoredChunk[],
  force: boolean | undefined,
): Promise<UsedPath[]> {
  const paths = new Map<string, UsedPath>()
  for (const chunk of chunks) {
    const [notes] = await read(owner, notesOf(id, chunk.firstRow, chunk.firstRow + chunk.rows - 1))
    const byRow = new Map(notes.map((note) => [note.row, note]))
    for (const one of await readPiece(owner, chunk)) {
      const plain = decidedRow(one, byRow.get(one.row.at + 1))
      const { verdict, overrides } = force ? unlockedRow(plain) : plain
      const { source, minor = 0 } = one.row
      const own = overrides.categoryId === undefined ? [source.category] : []
      const parts = [...source.parts, ...(source.transfer?.fees ?? [])]
      for (const path of [...own, ...parts.map(({ category }) => category)]) {
        if (path && BOOKED.includes(verdict)) {
          const known = paths.get(pathText(path))
          paths.set(pathText(path), { path, isExpense: minor < 0 || known?.isExpense === true })
        }
      }
    }
  }
  return [...paths.values()]
}
