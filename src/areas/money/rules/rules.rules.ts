import {
  type Comparison,
  type Condition,
  type ConditionField,
  valuesOf,
} from '../../../domain/conditions/conditions.ts'
import { checkCondition } from '../../../domain/conditions/check.ts'
import { checkAll } from '../../../domain/errors.ts'
import { checkChanges } from '../../../domain/rules/check.ts'
import type { RuleChanges, RuleOccasion } from '../../../domain/rules/rules.ts'
import type { Named } from '../../../ledger/labels/labels.public.ts'

/** What a rule says, as JSON in its row. */
export interface RuleDefinition {
  condition: Condition
  changes: RuleChanges
  on: RuleOccasion[]
  overwrite: boolean
  stop: boolean
}

/** The same as a request sends it. */
export interface SentDefinition extends Omit<RuleDefinition, 'condition'> {
  condition: unknown
}

/** With the ids of labels and accounts in it, by which SQL finds those that are gone. */
interface StoredDefinition extends RuleDefinition {
  ids: string[]
}

export const definitionOf = ({ definition }: { definition: string }): RuleDefinition =>
  JSON.parse(definition) as StoredDefinition

/** A rule with what it says. */
export const withDefinition = ({ id, definition }: { id: string; definition: string }) => ({
  ...{ id, definition: definitionOf({ definition }) },
})

/** True unless a rule names something that is gone or archived. */
export const isWorking = ({ broken }: { broken: string }): boolean => broken === '[]'

/** Labels and accounts in a rule, each with the field of the request that names it. */
export interface NamedInRule {
  categories: Named[]
  payees: Named[]
  tags: Named[]
  accounts: Named[]
}

const LABEL_FIELDS: Partial<Record<ConditionField, keyof NamedInRule>> = {
  accountId: 'accounts',
  categoryId: 'categories',
  payeeId: 'payees',
  tagId: 'tags',
}

/**
 * Checks the condition and the changes of a rule from outside.
 * @param prefix the place of the rule in the request
 */
export function requireDefinition(sent: SentDefinition, prefix = ''): RuleDefinition {
  const [condition] = checkAll(
    () => checkCondition(sent.condition, { field: `${prefix}condition`, isRule: true }),
    () => checkChanges(sent.changes, `${prefix}changes`),
  )
  return { ...sent, condition }
}

/** @param except ids that may stay as they are */
export function namedInRule(
  { condition, changes }: Partial<RuleDefinition> & Pick<RuleDefinition, 'changes'>,
  prefix = '',
  except: readonly string[] = [],
): NamedInRule {
  const named: NamedInRule = { categories: [], payees: [], tags: [], accounts: [] }
  const add = (
    kind: keyof NamedInRule,
    field: string,
    ids: readonly (string | null | undefined)[],
  ) => {
    named[kind].push(...ids.flatMap((id) => (id && !except.includes(id) ? [{ id, field }] : [])))
  }
  for (const [at, one] of condition ? placesOf(condition, `${prefix}condition`) : []) {
    const kind = LABEL_FIELDS[one.field]
    if (kind) {
      add(kind, `${at}.value`, valuesOf(one))
    }
  }
  const of = `${prefix}changes`
  add('categories', `${of}.categoryId`, [changes.categoryId])
  add('payees', `${of}.payeeId`, [changes.payeeId])
  add('accounts', `${of}.transferAccountId`, [changes.transferAccountId])
  for (const field of ['addTagIds', 'removeTagIds'] as const) {
    for (const [at, id] of (changes[field] ?? []).entries()) {
      add('tags', `${of}.${field}.${at}`, [id])
    }
  }
  for (const [at, part] of (changes.splits ?? []).entries()) {
    add('categories', `${of}.splits.${at}.categoryId`, [part.categoryId])
    add('payees', `${of}.splits.${at}.payeeId`, [part.payeeId])
    add('tags', `${of}.splits.${at}.tagIds`, part.tagIds ?? [])
  }
  return named
}

type Place = [place: string, comparison: Comparison]

/** The comparisons of a condition, each with its place. */
function placesOf(condition: Condition, place: string): Place[] {
  if ('field' in condition) {
    return [[place, condition]]
  }
  if ('not' in condition) {
    return placesOf(condition.not, `${place}.not`)
  }
  const [key, members] =
    'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const)
  return members.flatMap((one, at) => placesOf(one, `${place}.${key}.${at}`))
}

/** The ids of all labels and accounts in a rule. */
export const idsNamed = (definition: Pick<RuleDefinition, 'condition' | 'changes'>): string[] => [
  ...new Set(
    Object.values(namedInRule(definition)).flatMap((named: Named[]) => named.map(({ id }) => id)),
  ),
]

/** The JSON of a definition in its row. */
export const storedDefinition = (definition: RuleDefinition): string =>
  JSON.stringify({ ...definition, ids: idsNamed(definition) } satisfies StoredDefinition)
