import { z } from '@hono/zod-openapi'
import { id, textField, integerField, booleanField } from '../../../../http/fields.ts'
import { REASONS } from './chain.rules.ts'
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
      description: 'The first number to verify: `next` of the answer before.',
      example: 1,
    }),
})

const number = (description: string) => integerField(description, 1)

export const AuditLogVerification = z
  .object({
    valid: booleanField('Whether all that was looked at is as it was when it was sealed.', true),
    verified: integerField('How many commits were verified and found to be right.', 1000),
    redacted: integerField(
      'From how many of them something was removed because a user was erased.',
      0,
    ),
    sealed: integerField('How many commits the chain has.', 1200),
    unsealed: integerField('How many commits wait to be sealed.', 3),
    next: number(
      'The number to go on from; null when there is no more, or something is wrong.',
    ).nullable(),
    head: z
      .object({
        number: number('Number of the commit.'),
        hash: textField('Hash of the commit.', HASH),
      })
      .nullable()
      .openapi({
        description:
          'The last seal of the chain: keep it elsewhere to find out whether the end was removed.',
      }),
    broken: z
      .object({
        number: number('Number of the commit.'),
        logId: id('log', 'Id of the commit; null where it is not known.').nullable(),
        reason: z.enum(REASONS).openapi({ description: 'What is wrong.', example: 'entryChanged' }),
      })
      .nullable()
      .openapi({
        description: 'The first commit that is not right; null where all are.',
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
