import { dateInZone } from '../../domain/calendar.ts'
import { checkCondition, conditionErrors } from '../../domain/conditions/check.ts'
import {
  type Comparison,
  comparisonsOf,
  type Condition,
  CONDITION_LIMITS,
} from '../../domain/conditions/conditions.ts'
import { namesPeriods, withDates } from '../../domain/conditions/dates.ts'
import {
  conditionOf,
  type LineOptions,
  type LineTerm,
  type NameKind,
  namesNeeded,
  readLine,
  type VisibleNames,
} from '../../domain/conditions/line.ts'
import { mergedCondition } from '../../domain/conditions/merging.ts'
import type { Permission } from '../../domain/permissions.ts'
import { searchKey } from '../../domain/search-key.ts'
import { profileOf, type SignedIn } from '../../platform/context.ts'
import { read } from '../../platform/database/database.ts'
import type { LedgerFilter } from './search.rules.ts'
import { visibleNames } from './names.queries.ts'

/** Fields of a filter that take several values in a query. */
const SEVERAL = {
  accountId: 'oneOf',
  kind: 'oneOf',
  status: 'oneOf',
  categoryId: 'within',
  payeeId: 'oneOf',
  tagId: 'oneOf',
} as const satisfies Partial<Record<keyof LedgerFilter, Comparison['op']>>

type Several = keyof typeof SEVERAL

/** A filter as a request sends it: several values of some fields, a line of text, and a condition that nobody has checked. */
export type SentFilter = Omit<LedgerFilter, Several | 'condition'> & {
  [Field in Several]?: LedgerFilter[Field] | NonNullable<LedgerFilter[Field]>[]
} & { q?: string | undefined; condition?: unknown }

/**
 * Makes a filter of what a request sends.
 * @param place the field of the request that holds it; the request itself if left out
 * @throws AppError `conditions.invalid`, `search.unknownField`, `search.malformed` or `search.unknownName`
 */
export async function filterFrom(
  ctx: SignedIn,
  sent: SentFilter,
  place?: string,
): Promise<LedgerFilter> {
  const { q, condition: sentCondition, ...fields } = sent
  const fieldOf = (name: string) => (place === undefined ? name : `${place}.${name}`)
  const conditions: Condition[] = [
    ...(sentCondition === undefined
      ? []
      : [checkCondition(sentCondition, { field: fieldOf('condition') })]),
    ...(q === undefined ? [] : [await conditionOfLine(ctx, q, { field: fieldOf('q') })]),
  ]
  // Two conditions of the largest size do not fit into one statement.
  if (conditions.flatMap(comparisonsOf).length > CONDITION_LIMITS.comparisons) {
    const most = CONDITION_LIMITS.comparisons
    const problem = `The condition and the line can have at most ${most} comparisons together.`
    throw conditionErrors.invalid({ problem }, { field: fieldOf('q') })
  }
  const filter: Record<string, unknown> = { ...fields }
  for (const name of Object.keys(SEVERAL) as Several[]) {
    const values = sent[name]
    if (Array.isArray(values)) {
      filter[name] = values.length === 1 ? values[0] : undefined
      if (values.length > 1) {
        conditions.push({ field: name, op: SEVERAL[name], value: values })
      }
    }
  }
  return {
    ...filter,
    condition:
      conditions.length === 0 ? undefined : mergedCondition(await dated(ctx, { all: conditions })),
  }
}

/** Names of periods depend on the user's time zone, which the first round trip tells. */
async function dated(ctx: SignedIn, condition: Condition): Promise<Condition> {
  if (!namesPeriods(condition)) {
    return condition
  }
  if (!ctx.caller.profile) {
    await read(ctx)
  }
  return withDates(condition, dateInZone(ctx.now, profileOf(ctx).timeZone))
}

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
