import { z } from '@hono/zod-openapi'
import { toInstant } from '../../../domain/calendar.ts'
import { formatMoney } from '../../../domain/money.ts'
import {
  booleanField,
  currency,
  date,
  dateInput,
  id,
  idInput,
  instant,
  integerField,
  money,
  nullableText,
  presentStamps,
  stamps,
  text,
  textField,
  yesInQuery,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import {
  listIn,
  type LockedBalance,
  mayKnowReason,
  REQUIREMENTS,
  type Unready,
  type Seals,
} from './period-locks.rules.ts'
import type { PeriodLock } from './period-locks.usecases.ts'
import { sealOver } from './seals/seals.usecases.ts'

const kind = z.enum(['soft', 'hard']).openapi({
  description:
    '`soft`: the owner, and people with the right `manage`, can still change the period with `force`. `hard`: nobody can, until the lock ends.',
  example: 'soft',
})

const requirement = z.enum(REQUIREMENTS)

export const CreatePeriodLockRequest = z
  .strictObject({
    accountId: idInput(
      'acc',
      'Account to lock. By default all own accounts, including those that are created later.',
    ).optional(),
    through: dateInput('Last day that is locked; today at most.').openapi({
      example: '2025-12-31',
    }),
    kind,
    reason: text(1, 500, 'Why the period is locked.', 'Tax return sent'),
    require: z
      .array(requirement)
      .max(REQUIREMENTS.length)
      .refine((list) => new Set(list).size === list.length, must('must not repeat', 'repeated'))
      .default([])
      .openapi({
        description:
          'Conditions for all transactions through that day; `assertionsOk` is about all balance assertions.',
        example: ['reconciled'],
      }),
    dryRun: booleanField(
      'Only check the request and return what is not ready; nothing is stored.',
      true,
    ).default(false),
  })
  .openapi('CreatePeriodLockRequest')

export const ListPeriodLocksQuery = z.strictObject({
  accountId: idInput('acc', 'Only locks that apply to this account.').optional(),
  kind: kind.optional(),
  ...pageQuery(),
})

export const GetPeriodLockQuery = z.strictObject({
  verify: yesInQuery('Whether to compare the current lines with the seal.', true).optional(),
})

export const DeletePeriodLockQuery = z.strictObject({
  reason: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'Why the lock ends. Required.', example: 'A receipt was late' }),
})

export const PeriodLockResponse = z
  .object({
    id: id('plk', 'Id of the lock.'),
    accountId: nullableText('Account that is locked; null for all accounts of the owner.'),
    ownerId: id('usr', 'Owner of the accounts.'),
    through: date('Last day that is locked.').openapi({ example: '2025-12-31' }),
    kind,
    reason: nullableText(
      'Why the period is locked; null for people who may not record transactions.',
    ),
    createdBy: id('usr', 'Who locked the period.'),
    balances: z
      .array(
        z.object({
          accountId: id('acc', 'Account.'),
          currency: currency(),
          balance: money('Balance at the end of the last day, when it was locked.'),
          reconciled: money('Reconciled balance at the end of the last day, when it was locked.'),
        }),
      )
      .openapi({ description: 'Balances at that moment of the accounts that you see.' }),
    seal: nullableText(
      'SHA-256 over the account lines of the period; null until a task has made it.',
    ),
    intact: z.boolean().nullable().openapi({
      description: 'Whether the lines are unchanged since they were sealed; null without `verify`.',
      example: true,
    }),
    broken: z
      .array(
        z.object({
          accountId: id('acc', 'Account whose lines differ from the seal.'),
          changes: z
            .array(
              z.object({
                transactionId: nullableText('Transaction that was changed by force.'),
                type: textField('Type of the event.', 'transaction.updated'),
                at: instant('When.'),
                actorId: nullableText('Who did it.'),
              }),
            )
            .openapi({ description: 'Forced changes, newest first; 100 at most.' }),
        }),
      )
      .openapi({
        description: 'Accounts that are not intact; empty without `verify`.',
      }),
    ...stamps,
  })
  .openapi('PeriodLockResponse')

export const PeriodLockCheckResponse = z
  .object({
    ready: booleanField('Whether the period can be locked.', false),
    unready: z
      .array(
        z.object({
          accountId: id('acc', 'Account.'),
          kind: requirement.openapi({
            description: 'The requirement that is not met.',
            example: 'reconciled',
          }),
          count: integerField('Number of transactions, or of balance assertions.', 3),
          firstId: id('txn', 'Id of the first of them.'),
        }),
      )
      .openapi({
        description:
          'Transactions and assertions that do not meet a condition, by account; at most 100.',
      }),
  })
  .openapi('PeriodLockCheckResponse')

export const PeriodLocksResponse = pageResponse(
  'periodLocks',
  PeriodLockResponse,
  'One page of locks, the latest day first.',
).openapi('PeriodLocksResponse')

export function presentPeriodLock({
  lock,
  verified,
}: PeriodLock): z.infer<typeof PeriodLockResponse> {
  const seen = new Set(listIn<string>(lock.seen))
  return {
    id: lock.id,
    accountId: lock.accountId,
    ownerId: lock.ownerId,
    through: lock.through,
    kind: lock.kind,
    reason: mayKnowReason(lock) ? lock.reason : null,
    createdBy: lock.createdBy,
    balances: listIn<LockedBalance>(lock.balances)
      .filter(({ accountId }) => seen.has(accountId))
      .map(({ accountId, currency: code, balanceMinor, reconciledMinor }) => ({
        accountId,
        currency: code,
        balance: formatMoney(balanceMinor, code),
        reconciled: formatMoney(reconciledMinor, code),
      })),
    seal: lock.seals === null ? null : sealOver(JSON.parse(lock.seals) as Seals),
    intact: verified?.intact ?? null,
    broken: (verified?.broken ?? []).map(({ accountId, changes }) => ({
      accountId,
      changes: changes.map(({ transactionId, type, at, actorId }) => ({
        ...{ transactionId, type, at: toInstant(at), actorId },
      })),
    })),
    ...presentStamps(lock),
  }
}

export const presentCheck = (unready: Unready[]): z.infer<typeof PeriodLockCheckResponse> => ({
  ready: unready.length === 0,
  unready,
})

export const presentPeriodLocks = presentPage('periodLocks', presentPeriodLock)
