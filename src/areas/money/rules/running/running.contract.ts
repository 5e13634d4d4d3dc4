import { z } from '@hono/zod-openapi'
import { AppError } from '../../../../domain/errors.ts'
import { RULE_LIMITS } from '../../../../domain/rules/rules.ts'
import {
  booleanField,
  forceField,
  idInput,
  integerField,
  nextCursor,
  textField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import {
  filterFields,
  MOST_TRANSACTIONS,
  presentRefusal,
  refusalFields,
} from '../../transactions/transactions.public.ts'
import { definitionFields } from '../rules.contract.ts'
import type { RuleRun, RunOutcome } from './running.usecases.ts'

export const RunRulesRequest = z
  .strictObject({
    ruleIds: z
      .array(idInput('rul', 'Id of a rule.'))
      .min(1)
      .max(RULE_LIMITS.rules)
      .optional()
      .openapi({
        description: 'Rules to run, in the order of all rules; all active ones if left out.',
      }),
    rule: z.strictObject(definitionFields).optional().openapi({
      description: 'A rule that is not saved; only with `dryRun`.',
    }),
    ids: z
      .array(idInput('txn', 'Id of a transaction.'))
      .min(1)
      .max(MOST_TRANSACTIONS)
      .optional()
      .openapi({
        description: 'Ids of the transactions. Send either `ids` or `filter`.',
        example: ['txn_01k9v3q8m5t0w2x4y6z8a1b3d5'],
      }),
    filter: z.strictObject(filterFields(booleanField)).optional().openapi({
      description:
        'Selects the transactions, with the filters of GET /transaction. Send either this or `ids`.',
    }),
    overwrite: booleanField('Takes the place of `overwrite` of each rule.', false).optional(),
    withReviewed: booleanField('Whether reviewed transactions are included.', false).default(false),
    force: forceField,
    dryRun: booleanField('Only return the outcomes; nothing is stored.', true).default(false),
    cursor: z
      .string()
      .max(2000)
      .optional()
      .openapi({ description: '`nextCursor` of the previous answer.', example: 'WyIyMDI2LTEx…' }),
    expectedVersions: z
      .record(z.string().max(64), z.number().int())
      .optional()
      .openapi({
        description: 'Versions from a dry run, by the ids of transactions; others are refused.',
        example: { txn_01k9v3q8m5t0w2x4y6z8a1b3d5: 1 },
      }),
  })
  .refine(
    ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
    must('must have either ids or filter, and not both', 'combination'),
  )
  .refine(
    ({ ruleIds, rule }) => ruleIds === undefined || rule === undefined,
    must('must not have both ruleIds and rule', 'combination'),
  )
  .openapi('RunRulesRequest', { description: 'Either `ids` or `filter` is required.' })

const anyValue = (description: string) => z.unknown().openapi({ description, example: null })

export const RuleRunResponse = z
  .object({
    results: z
      .array(
        z.object({
          id: textField('Id of the transaction.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5'),
          status: z.enum(['changed', 'unchanged', 'invalid']).openapi({
            description:
              'Outcome for this transaction; in a dry run, the outcome that it would have.',
            example: 'changed',
          }),
          version: integerField('Version of the transaction before the run.', 1),
          changes: z
            .array(
              z.object({
                field: textField('Field that changes.', 'categoryId'),
                before: anyValue('Value before.'),
                after: anyValue('Value after.'),
                ruleId: textField('Rule that sets it.', 'rul_01k9v3q8m5t0w2x4y6z8a1b3c5'),
              }),
            )
            .openapi({ description: 'Fields that change, each with the rule that sets it.' }),
          failed: z
            .array(
              z.object({
                ruleId: textField('Id of the rule.', 'rul_01k9v3q8m5t0w2x4y6z8a1b3c5'),
                code: textField('Code of the reason.', 'rules.splitTooMuch'),
              }),
            )
            .openapi({ description: 'Rules that could not be applied to it.', example: [] }),
          ...refusalFields,
        }),
      )
      .openapi({
        description: 'One result for each transaction that a rule matched, newest first.',
      }),
    changed: integerField('Number of transactions that changed.', 12),
    unchanged: integerField('Number of transactions that did not change.', 0),
    invalid: integerField('Number of transactions that would be refused; only in a dry run.', 0),
    looked: integerField('Number of transactions that were looked at.', 120),
    dryRun: booleanField('Whether this was a dry run, in which nothing was stored.', false),
    nextCursor,
  })
  .openapi('RuleRunResponse')

const presentOutcome = ({ id, version, changes, failed, result }: RunOutcome) => {
  const own = { id, version, failed, changes }
  return result instanceof AppError
    ? { ...own, ...presentRefusal(result) }
    : { ...own, status: result }
}

export function presentRun(
  { outcomes, looked, dryRun }: RuleRun,
  cursor: string | null,
): z.infer<typeof RuleRunResponse> {
  const results = outcomes.map(presentOutcome)
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length
  return {
    results,
    changed: count('changed'),
    unchanged: count('unchanged'),
    invalid: count('invalid'),
    ...{ looked, dryRun, nextCursor: cursor },
  }
}
