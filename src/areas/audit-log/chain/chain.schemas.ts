import { z } from '@hono/zod-openapi'
import { id, output, whole, yes } from '../../../http/fields.ts'
import { REASONS } from './chain.rules.ts'

const HASH = 'q8Yx0dTn2bWc4RkA…'

export const VerifyAuditLogQuery = z.strictObject({
  from: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'from is a number of the chain')
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

const number = (description: string) => whole(description, 1)

export const AuditLogVerification = z
  .object({
    valid: yes('Whether all that was looked at is as it was when it was sealed.', true),
    verified: whole('How many commits were verified and found to be right.', 1000),
    redacted: whole('From how many of them something was removed because a user was erased.', 0),
    sealed: whole('How many commits the chain has.', 1200),
    unsealed: whole('How many commits wait to be sealed.', 3),
    next: number(
      'The number to go on from; null when there is no more, or something is wrong.',
    ).nullable(),
    head: z
      .object({
        number: number('Number of the commit.'),
        hash: output('Hash of the commit.', HASH),
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
