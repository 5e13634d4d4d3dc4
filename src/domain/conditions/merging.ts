import { type Comparison, type Condition, fieldRule, valuesOf } from './conditions.ts'

/**
 * Returns a condition that holds for the same transactions with fewer comparisons: what asks one field for one of several values is
 * one comparison with a list, and nested lists of one kind are one list.
 */
export function mergedCondition(condition: Condition): Condition {
  if ('field' in condition) {
    return condition
  }
  if ('not' in condition) {
    return { not: mergedCondition(condition.not) }
  }
  if ('any' in condition) {
    const any = mergedChoices(membersOf(condition))
    return any.length === 1 ? (any[0] as Condition) : { any }
  }
  const all = membersOf(condition)
  const denied = all.flatMap((one) => ('not' in one ? [one.not] : []))
  // Where several must not hold, none of them may.
  return {
    all:
      denied.length < 2
        ? all
        : [...all.filter((one) => !('not' in one)), { not: mergedCondition({ any: denied }) }],
  }
}

/** The members of a list, each merged, with those of lists of its kind among them. */
function membersOf(list: { all: Condition[] } | { any: Condition[] }): Condition[] {
  const members = ('all' in list ? list.all : list.any).map(mergedCondition)
  return members.flatMap((one) => {
    if ('all' in list) {
      return 'all' in one ? one.all : [one]
    }
    return 'any' in one ? one.any : [one]
  })
}

/** Merges the comparisons among alternatives that say which values one field may have. */
const mergedChoices = (alternatives: Condition[]): Condition[] =>
  [...Map.groupBy(alternatives, choiceOf)].flatMap(([choice, same]) => {
    const [first] = same as Comparison[]
    return choice === undefined || !first || same.length === 1
      ? same
      : [
          {
            field: first.field,
            op: first.op === 'within' ? 'within' : 'oneOf',
            value: [...new Set((same as Comparison[]).flatMap(valuesOf))],
          } as const,
        ]
  })

/** What comparisons that can be merged have in common; undefined where one cannot be. */
function choiceOf(condition: Condition): string | undefined {
  if (!('field' in condition) || !fieldRule(condition.field).ops.includes('oneOf')) {
    return undefined
  }
  const { field, op } = condition
  return op === 'isEmpty' ? undefined : `${field} ${op === 'within'}`
}
