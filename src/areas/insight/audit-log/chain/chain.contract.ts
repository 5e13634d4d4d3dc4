import { z } from '@hono/zod-openapi'
import { id, textField, integerField, booleanField } from '../../../../http/fields.ts'
import { CHAIN_FAULTS } from './chain.rules.ts'
import type { Verification } from './chain.usecases.ts'

const HASH = 'q8Yx0dTn2bWc4RkA…'

export const VerifyAuditLogQuery = z.strictObject({
  from: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be a whole number from 1')
    .transform(Number)
    .optional()
    .transform((from) => from ?? 1)
    .openapi({
      type: 'integer',
      minimum: 1,
      default: 1,
      description: 'Number of the first commit to verify: `next` of the previous answer.',
      example: 1,
    }),
})

const number = (description: string) => integerField(description, 1)

export const AuditLogVerification = z
  .object({
    valid: booleanField('Whether all checked commits are unchanged since they were sealed.', true),
    verified: integerField('Number of commits that were verified successfully.', 1000),
    redacted: integerField(
      'Number of those commits that were redacted because a user was erased.',
      0,
    ),
    sealed: integerField('Number of commits in the chain.', 1200),
    unsealed: integerField('Number of commits that wait to be sealed.', 3),
    next: number(
      'Number to continue from; null at the end of the chain or after a failure.',
    ).nullable(),
    head: z
      .object({
        number: number('Number of the commit.'),
        hash: textField('Hash of the commit.', HASH),
      })
      .nullable()
      .openapi({
        description:
          'Last seal of the chain. Keep it elsewhere to detect whether the end of the chain was removed.',
      }),
    broken: z
      .object({
        number: number('Number of the commit.'),
        logId: id('log', 'Id of the commit; null if it is not known.').nullable(),
        reason: z
          .enum(CHAIN_FAULTS)
          .openapi({ description: 'Reason for the failure.', example: 'entryChanged' }),
      })
      .nullable()
      .openapi({
        description: 'First commit that failed the verification; null if none did.',
        example: null,
      }),
  })
  .openapi('AuditLogVerification')

export const presentVerification = (found: Verification): z.infer<typeof AuditLogVerification> => ({
  valid: found.broken === null,
  verified: found.verified,
  redacted: found.redacted,
  sealed: found.sealed,
  unsealed: found.unsealed,
  next: found.next,
  head: found.head && { number: found.head.number, hash: found.head.hash },
  broken: found.broken,
})
