import { z } from '@hono/zod-openapi'
import { AppError, resultOrRefusal } from '../../../domain/errors.ts'
import { LONGEST_TEXTS } from '../../../domain/ledger-ids.ts'
import { RULE_LIMITS, RULE_OCCASIONS, RULE_STATUSES } from '../../../domain/rules/rules.ts'
import { PERCENT_PATTERN } from '../../../domain/rules/splits.ts'
import type { Check } from '../../../domain/stored-values.ts'
import {
  booleanField,
  id,
  idInput,
  integerField,
  moneyInput,
  nameInput,
  presentStamps,
  stamps,
  text,
  textField,
  yesInQuery,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { tagIdsInput } from '../transaction-views/transaction-views.public.ts'
import type { RuleRow } from './rules.queries.ts'
import { definitionOf, idsNamed, requireDefinition } from './rules.rules.ts'

export const ListRulesQuery = z.strictObject({
  ...pageQuery(),
  active: yesInQuery('Only active or only inactive rules.', true).optional(),
})

/** What it may be is checked where its place in the request is known. */
export const conditionField = z
  .custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    must('must be an object', 'type'),
  )
  .openapi({
    type: 'object',
    additionalProperties: true,
    description:
      'The transactions that are meant: `{ all: […] }`, `{ any: […] }`, `{ not: … }`, or a comparison `{ field, op, value }`.',
    example: { field: 'payeeRaw', op: 'contains', value: 'amzn' },
  })

const part = z
  .strictObject({
    fixed: moneyInput('Amount in the currency of the account.').optional(),
    percent: z
      .string()
      .regex(
        PERCENT_PATTERN,
        must('must be a percentage with at most two decimals', 'format').error,
      )
      .optional()
      .openapi({ description: 'Percentage of the amount.', example: '12.5' }),
    percentOf: z.enum(['total', 'rest']).optional().openapi({
      description: 'What the percentages are of: all, or what the fixed parts leave.',
      example: 'total',
    }),
    rest: z
      .number()
      .int()
      .min(1)
      .max(RULE_LIMITS.weight)
      .optional()
      .openapi({ description: 'Weight with which the part shares what is left.', example: 1 }),
    categoryId: idInput('cat', 'Category of this part.').nullable().optional(),
    payeeId: idInput('pay', 'Payee of this part.').nullable().optional(),
    tagIds: tagIdsInput('Tags of this part.').optional(),
    note: text(0, LONGEST_TEXTS.lineNote, 'Note about this part.', 'The cheese')
      .nullable()
      .optional(),
  })
  .openapi('RulePart', { description: 'Exactly one of `fixed`, `percent` and `rest` is required.' })

const PLACEHOLDERS =
  'It can have the placeholders `{description}`, `{payeeRaw}`, `{note}` and `{payee}`.'

export const RuleChangesField = z
  .strictObject({
    categoryId: idInput('cat', 'Category; null clears it.').nullable().optional(),
    payeeId: idInput('pay', 'Payee; null clears it.').nullable().optional(),
    description: text(
      0,
      LONGEST_TEXTS.description,
      `Description; null clears it. ${PLACEHOLDERS}`,
      '{payee}',
    )
      .nullable()
      .optional(),
    note: text(0, LONGEST_TEXTS.note, `Note; null clears it. ${PLACEHOLDERS}`, '{note} checked')
      .nullable()
      .optional(),
    addTagIds: tagIdsInput('Tags to add.').optional(),
    removeTagIds: tagIdsInput('Tags to remove.').optional(),
    status: z
      .enum(RULE_STATUSES)
      .optional()
      .openapi({ description: 'Confirmation by the bank.', example: 'cleared' }),
    reviewed: booleanField('Whether a person has reviewed the transaction.', true).optional(),
    splits: z.array(part).min(2).max(RULE_LIMITS.parts).optional().openapi({
      description: 'Parts that the transaction is split into; not together with `categoryId`.',
    }),
    transferAccountId: idInput(
      'acc',
      'Account that makes a transfer of the transaction: an expense goes to it, and an income comes from it. Not together with `splits`.',
    ).optional(),
  })
  .refine(
    (changes) => Object.keys(changes).length > 0,
    must('must name at least one field to change', 'required'),
  )
  .refine(
    ({ splits, categoryId, transferAccountId }) => {
      return !splits || (categoryId === undefined && transferAccountId === undefined)
    },
    must('must not have splits together with categoryId or transferAccountId', 'combination'),
  )
  .openapi('RuleChanges', { description: 'The fields that the rule changes.' })

const ruleName = nameInput(100, 'Name of the rule.', 'Amazon')

/** What a rule says beside its name. */
const definition = {
  condition: conditionField,
  changes: RuleChangesField,
  on: z
    .array(z.enum(RULE_OCCASIONS))
    .min(1)
    .max(RULE_OCCASIONS.length)
    .openapi({
      description: 'What the rule works on: requests, files and recurring items.',
      example: ['record', 'import'],
    }),
  overwrite: booleanField('Whether the rule replaces what a request says.', false),
  stop: booleanField(
    'Whether no later rule looks at a transaction to which this one was applied.',
    false,
  ),
}

const active = booleanField('Whether the rule works.', true)

/** The same of a new rule, which need not say all of it. */
export const definitionFields = {
  ...definition,
  on: definition.on.default([...RULE_OCCASIONS]),
  overwrite: definition.overwrite.default(false),
  stop: definition.stop.default(false),
}

export const CreateRuleRequest = z
  .strictObject({
    name: ruleName,
    ...definitionFields,
    active: active.default(true),
    before: idInput(
      'rul',
      'Rule that this one is added in front of; the end if left out.',
    ).optional(),
  })
  .openapi('CreateRuleRequest')

export const UpdateRuleRequest = z
  .strictObject({ name: ruleName, ...definition, active })
  .partial()
  .openapi('UpdateRuleRequest')

export const ReorderRulesRequest = z
  .strictObject({
    ruleIds: z
      .array(idInput('rul', 'Id of a rule.'))
      .max(RULE_LIMITS.rules)
      .openapi({ description: 'All rules in their new order.' }),
  })
  .openapi('ReorderRulesRequest')

export const RuleResponse = z
  .object({
    id: id('rul', 'Id of the rule.'),
    name: textField('Name of the rule.', 'Amazon'),
    ...definition,
    active,
    order: integerField('Position among the rules, from 1.', 1),
    broken: z.array(z.string()).openapi({
      description:
        'Ids in the rule that are gone or archived. A rule that has such ids does not work.',
      example: [],
    }),
    ...stamps,
  })
  .openapi('RuleResponse')

export const RulesResponse = pageResponse(
  'rules',
  RuleResponse,
  'One page of rules, in their order.',
).openapi('RulesResponse')

export const presentRule = (row: RuleRow): z.infer<typeof RuleResponse> => {
  const { condition, changes, on, overwrite, stop } = definitionOf(row)
  return {
    ...{ id: row.id, name: row.name, condition, changes, on, overwrite, stop },
    ...{ active: row.active, order: row.order, broken: JSON.parse(row.broken) as string[] },
    ...presentStamps(row),
  }
}

export const presentRules = presentPage('rules', presentRule)

const StoredDefinition = z.strictObject({
  ...definitionFields,
  ids: z.array(z.string().max(64)).max(3000),
})

/** Checks the stored definition of a rule: it may come from an archive of anybody. */
export const storedRuleDefinition: Check = (value) => {
  const { success, data } = StoredDefinition.safeParse(value)
  if (!success) {
    return false
  }
  const definition = resultOrRefusal(() => requireDefinition(data))
  // By these ids SQL finds the labels and accounts that are gone.
  return (
    !(definition instanceof AppError) && idsNamed(definition).every((id) => data.ids.includes(id))
  )
}
