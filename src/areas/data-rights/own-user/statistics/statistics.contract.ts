import { z } from '@hono/zod-openapi'
import { date, instant, toInstant, integerField } from '../../../../http/fields.ts'
import type { StatisticsRow } from './statistics.queries.ts'

export const StatisticsResponse = z
  .object({
    memberSince: instant('When the user registered.'),
    accounts: integerField('Accounts, closed ones included.', 4),
    transactions: integerField(
      'Transactions that are no transfers; opening balances included.',
      1280,
    ),
    transfers: integerField('Transfers, both legs as one.', 96),
    firstTransactionDate: date('The earliest date that something is booked on.').nullable(),
    lastTransactionDate: date('The latest date that something is booked on.').nullable(),
    categories: integerField('Categories, archived ones included.', 32),
    exchangeRates: integerField('Exchange rates.', 12),
    sessions: integerField('Sessions that have not ended.', 2),
    accessTokens: integerField('Personal access tokens.', 1),
    identities: integerField('Identities of providers that the user can sign in with.', 0),
    inviteCodes: integerField('Invite codes that the user has issued.', 0),
  })
  .openapi('StatisticsResponse')

export const presentOwnStatistics = ({
  booked,
  memberSince,
  ...same
}: StatisticsRow): z.infer<typeof StatisticsResponse> => ({
  ...same,
  memberSince: toInstant(memberSince),
  transactions: booked - same.transfers,
})
