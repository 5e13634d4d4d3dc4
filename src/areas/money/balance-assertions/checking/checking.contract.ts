import { z } from '@hono/zod-openapi'
import { toInstant } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  date,
  id,
  instant,
  integerField,
  money,
  nullableText,
} from '../../../../http/fields.ts'
import {
  assertionFilter,
  assertionOrNull,
  presentAssertion,
} from '../balance-assertions.contract.ts'
import type { CheckedAssertions } from './checking.usecases.ts'

export const CheckBalanceAssertionsRequest = z
  .strictObject(assertionFilter)
  .openapi('CheckBalanceAssertionsRequest')

export const BalanceAssertionChecksResponse = z
  .object({
    accounts: z
      .array(
        z.object({
          accountId: id('acc', 'Account.'),
          currency: currency('The currency of the account.'),
          number: integerField('Number of assertions.', 12),
          failed: integerField('Number of assertions that do not hold.', 1),
          lastOk: assertionOrNull(
            'Last assertion that holds, with the same `of` as `firstFailing` and before it.',
          ),
          firstFailing: assertionOrNull('First assertion that does not hold.'),
          suspects: z
            .array(
              z.object({
                id: id('txn', 'Id of the transaction.'),
                date: date('Its date.'),
                moved: money('Amount by which the change moved the balance.'),
                at: instant('When it was last changed.'),
                actorId: nullableText('Who changed it.'),
              }),
            )
            .openapi({
              description:
                'Transactions dated after `lastOk` up to `firstFailing` that were created or changed after the latter was stored, newest change first; at most 200.',
            }),
          explained: z.boolean().nullable().openapi({
            description:
              'Whether the suspects add up to the difference; null if no assertion fails.',
            example: true,
          }),
        }),
      )
      .openapi({ description: 'The accounts that have assertions.' }),
    count,
  })
  .openapi('BalanceAssertionChecksResponse')

export const presentCheckedAssertions = (
  accounts: CheckedAssertions[],
): z.infer<typeof BalanceAssertionChecksResponse> => ({
  accounts: accounts.map(
    ({ lastOk, firstFailing, suspects, isExplained, currency: code, ...account }) => ({
      accountId: account.accountId,
      currency: code,
      number: account.number,
      failed: account.failed,
      lastOk: lastOk ? presentAssertion(lastOk) : null,
      firstFailing: firstFailing ? presentAssertion(firstFailing) : null,
      suspects: suspects.map(({ movedMinor, at, ...suspect }) => ({
        id: suspect.id,
        date: suspect.date,
        moved: formatMoney(movedMinor, code),
        at: toInstant(at),
        actorId: suspect.actorId,
      })),
      explained: isExplained,
    }),
  ),
  count: accounts.length,
})
