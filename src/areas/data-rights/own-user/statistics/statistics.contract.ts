import { z } from '@hono/zod-openapi'
import { date, instant, toInstant, integerField } from '../../../../http/fields.ts'
import type { StatisticsRow } from './statistics.queries.ts'

export const StatisticsResponse = z
  .object({
    memberSince: instant('Time of the registration.'),
    accounts: integerField('Number of accounts, including closed ones.', 4),
    transactions: integerField(
      'Number of transactions without transfers, including opening balances.',
      1280,
    ),
    transfers: integerField('Number of transfers. Both sides count as one.', 96),
    firstTransactionDate: date('Earliest booking date.').nullable(),
    lastTransactionDate: date('Latest booking date.').nullable(),
    categories: integerField('Number of categories, including archived ones.', 32),
    exchangeRates: integerField('Number of exchange rates.', 12),
    sessions: integerField('Number of sessions that have not ended.', 2),
    accessTokens: integerField('Number of personal access tokens.', 1),
    identities: integerField('Number of provider identities with which the user can sign in.', 0),
    inviteCodes: integerField('Number of invite codes that the user has issued.', 0),
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
