import { dateInZone } from '../../domain/calendar.ts'
import { checkCondition, conditionErrors } from '../../domain/conditions/check.ts'
import {
  type Comparison,
  comparisonsOf,
  type Condition,
  CONDITION_LIMITS,
} from '../../domain/conditions/conditions.ts'
import { namesPeriods, withDates } from '../../domain/conditions/dates.ts'
import { mergedCondition } from '../../domain/conditions/merging.ts'
import { profileOf, type SignedIn } from '../../platform/context.ts'
import { read } from '../../platform/database/database.ts'
import type { LedgerFilter } from './search.rules.ts'
import { conditionOfLine } from './lines.usecases.ts'

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
