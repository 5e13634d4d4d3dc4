import type { Condition } from '../../domain/conditions/conditions.ts'
import {
  conditionOf,
  type LineOptions,
  type LineTerm,
  type NameKind,
  namesNeeded,
  readLine,
  type VisibleNames,
} from '../../domain/conditions/line.ts'
import { searchKey } from '../../domain/search-key.ts'
import type { Permission } from '../../domain/permissions.ts'
import { profileOf, type SignedIn } from '../../platform/context.ts'
import { read } from '../../platform/database/database.ts'
import { visibleNames } from './names.queries.ts'

/**
 * Makes the condition of a line of text. A line with names takes a round trip, which finds them.
 * @throws AppError `search.unknownField`, `search.malformed` or `search.unknownName`
 */
export async function conditionOfLine(
  ctx: SignedIn,
  line: string,
  more: Omit<LineOptions, 'userId'> = {},
): Promise<Condition> {
  const options = { ...more, userId: ctx.caller.userId }
  const terms = readLine(line, options)
  const kinds = namesNeeded(terms, options)
  return conditionOf(terms, kinds.length === 0 ? {} : await findNames(ctx, terms, kinds), options)
}

/** The permission to read the names of each kind; tables of transactions show them all. */
const READING: Record<NameKind, Permission> = {
  account: 'accounts.read',
  payee: 'payees.read',
  category: 'categories.read',
  tag: 'tags.read',
}

/** True if the caller may read the names of a kind. */
export const readsNames = (ctx: SignedIn, kind: NameKind): boolean => {
  const { permissions } = profileOf(ctx)
  return permissions.includes('transactions.read') || permissions.includes(READING[kind])
}

async function findNames(
  ctx: SignedIn,
  terms: LineTerm[],
  kinds: ReturnType<typeof namesNeeded>,
): Promise<Partial<VisibleNames>> {
  const wordsOf = (kind: string) =>
    terms.flatMap(({ labels }) =>
      labels?.kind === kind ? labels.names.flatMap((name) => searchKey(name).split(' ')) : [],
    )
  const found = await read(ctx, ...kinds.map((kind) => visibleNames(ctx, kind, wordsOf(kind))))
  return Object.fromEntries(
    kinds.map((kind, at) => {
      const rows = readsNames(ctx, kind) ? (found[at] ?? []) : []
      return [kind, rows.map((row) => ({ ...row, key: searchKey(row.name) }))]
    }),
  )
}
