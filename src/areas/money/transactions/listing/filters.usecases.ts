import { dateInZone } from '../../../../domain/calendar.ts'
import { checkCondition } from '../../../../domain/conditions/check.ts'
import type { Comparison, Condition } from '../../../../domain/conditions/conditions.ts'
import { namesPeriods, withDates } from '../../../../domain/conditions/dates.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import type { LedgerFilter } from '../../../../ledger/search/search.public.ts'

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

/** A filter as a request sends it: several values of some fields, and a condition that nobody has checked. */
export type SentFilter = Omit<LedgerFilter, Several | 'condition'> & {
  [Field in Several]?: LedgerFilter[Field] | NonNullable<LedgerFilter[Field]>[]
} & { condition?: unknown }

/**
 * Makes a filter of what a request sends.
 * @param place the field of the request that holds it; the request itself if left out
 * @throws AppError `conditions.invalid`
 */
export async function filterFrom(
  ctx: SignedIn,
  sent: SentFilter,
  place?: string,
): Promise<LedgerFilter> {
  const { condition: unchecked, ...fields } = sent
  const field = place === undefined ? 'condition' : `${place}.condition`
  const conditions: Condition[] =
    unchecked === undefined ? [] : [await dated(ctx, checkCondition(unchecked, { field }))]
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
  return { ...filter, condition: conditions.length === 0 ? undefined : { all: conditions } }
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
