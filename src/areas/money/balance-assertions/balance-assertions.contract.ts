import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  currency,
  date,
  dateInput,
  id,
  idInput,
  money,
  moneyInput,
  nullableText,
  presentStamps,
  stamps,
  text,
  yesInQuery,
  count,
  instant,
  integerField,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { toInstant } from '../../../domain/calendar.ts'
import type { Assertion, CreatedAssertion } from './balance-assertions.usecases.ts'
import type { CheckedAssertions } from './checking.usecases.ts'

const when = z.enum(['startOfDay', 'endOfDay']).openapi({
  description:
    '`startOfDay`: the balance before all transactions of the day; `endOfDay`: the balance after them.',
  example: 'endOfDay',
})

const basis = z.enum(['balance', 'cleared', 'reconciled']).openapi({
  description:
    'Transactions that are summed: `balance` all that are not void, `cleared` those that are cleared or reconciled, `reconciled` only reconciled ones.',
  example: 'balance',
})

const source = z.enum(['user', 'lock', 'import', 'reconciliation']).openapi({
  description:
    'Origin of the assertion: a `user`, a period lock (`lock`), the statement of an `import`, or a finished `reconciliation`.',
  example: 'user',
})

export const CreateBalanceAssertionRequest = z
  .strictObject({
    accountId: idInput('acc', 'Account.'),
    date: dateInput('Day; today at most.'),
    when: when.default('endOfDay'),
    of: basis.default('balance'),
    amount: moneyInput(
      'Balance that the account held, in its currency; money that is owed is negative.',
    ),
    tolerance: moneyInput(
      'Largest difference, in either direction, at which the assertion still holds.',
    )
      .openapi({ example: '0.50' })
      .optional(),
    note: text(0, 2000, 'Free text.', 'Statement of March').nullable().optional(),
  })
  .openapi('CreateBalanceAssertionRequest')

/** The assertions of some accounts and days. */
const assertionFilter = {
  accountId: idInput('acc', 'Only assertions of this account.').optional(),
  from: dateInput('First day.').optional(),
  through: dateInput('Last day.').optional(),
}

export const ListBalanceAssertionsQuery = z.strictObject({
  ...assertionFilter,
  ok: yesInQuery('true for assertions that hold, false for those that do not.', false).optional(),
  ...pageQuery(),
})

const result = z
  .object({
    ok: z.boolean().nullable().openapi({
      description:
        'Whether the assertion holds; null if the sum contains transactions that you cannot see.',
      example: true,
    }),
    actual: money('Current balance in the books; null if `ok` is null.').nullable(),
    difference: money('`actual` less `amount`; null if `ok` is null.').nullable(),
  })
  .openapi({ description: 'Comparison with the current bookings.' })

const assertionFields = {
  id: id('bas', 'Id of the balance assertion.'),
  accountId: id('acc', 'Account.'),
  date: date('Day.'),
  when,
  of: basis,
  currency: currency('The currency of the account.'),
  amount: money('Balance that the account held.'),
  tolerance: money('Largest difference, in either direction, at which the assertion still holds.'),
  source,
  note: nullableText('Free text.'),
  result,
  createdBy: id('usr', 'Who stated it.'),
  ...stamps,
}

export const BalanceAssertionResponse = z
  .object(assertionFields)
  .openapi('BalanceAssertionResponse')

/** An assertion, or none. */
const assertionOrNull = (description: string) =>
  z.object(assertionFields).nullable().openapi({ description })

export const BalanceAssertionsResponse = pageResponse(
  'balanceAssertions',
  BalanceAssertionResponse,
  'One page of balance assertions, newest day first.',
).openapi('BalanceAssertionsResponse')

export function presentAssertion({
  row,
  currency: code,
  outcome: { ok, actualMinor, differenceMinor },
}: Assertion): z.infer<typeof BalanceAssertionResponse> {
  const moneyOf = (minor: bigint | null) => (minor === null ? null : formatMoney(minor, code))
  return {
    id: row.id,
    accountId: row.accountId,
    date: row.date,
    when: row.edge,
    of: row.basis,
    currency: code,
    amount: formatMoney(row.amountMinor, code),
    tolerance: formatMoney(row.toleranceMinor, code),
    source: row.source,
    note: row.note,
    result: { ok, actual: moneyOf(actualMinor), difference: moneyOf(differenceMinor) },
    createdBy: row.createdBy,
    ...presentStamps(row),
  }
}

export const presentCreatedAssertion = ({ assertion }: CreatedAssertion) =>
  presentAssertion(assertion)

export const presentAssertions = presentPage('balanceAssertions', presentAssertion)

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
