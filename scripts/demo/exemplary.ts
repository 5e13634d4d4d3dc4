import { coreOf, timeOf, exampleId } from '../../src/domain/ids.ts'
import type { Context } from '../../src/platform/context.ts'

/** The number of each thing among the examples of its kind in the description, by its name in the plan. */
const NTH: Record<string, number> = {
  'two@coffer.example': 1,
  'one@coffer.example': 2,
  'admin@coffer.example': 3,
  everyday: 1,
  savings: 2,
  cash: 3,
  flat: 4,
  card: 6,
  'Daily life': 1,
  Groceries: 1,
  Household: 2,
  Saving: 3,
  Fees: 4,
  Rent: 5,
  'Market Hall': 1,
  'Corner Shop': 2,
  household: 1,
}

/** The ids of what the plan calls so, one for each kind that is made with it; none of what is no example. */
export function exampleOf(key: string, ...prefixes: string[]): string[] {
  const nth = NTH[key]
  return nth === undefined ? [] : prefixes.map((prefix) => exampleId(prefix, nth))
}

/** The context in which the first ids that are made are these. */
export function exemplary<Kind extends Context>(ctx: Kind, ids: string[]): Kind {
  const [first] = ids
  if (first === undefined) {
    return ctx
  }
  const now = timeOf(first) ?? ctx.now
  const left = ids.map(coreOf)
  return { ...ctx, now, ports: { ...ctx.ports, now: () => now, nextCore: () => left.shift() } }
}
