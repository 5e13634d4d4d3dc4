import { z } from '@hono/zod-openapi'
import { date, instant, whole } from '../../../http/fields.ts'

export const StatisticsResponse = z
  .object({
    memberSince: instant('When the user registered.'),
    accounts: whole('Accounts, closed ones included.', 4),
    transactions: whole('Transactions that are no transfers; opening balances included.', 1280),
    transfers: whole('Transfers, both legs as one.', 96),
    firstTransactionDate: date('The earliest date that something is booked on.').nullable(),
    lastTransactionDate: date('The latest date that something is booked on.').nullable(),
    categories: whole('Categories, archived ones included.', 32),
    exchangeRates: whole('Exchange rates.', 12),
    sessions: whole('Sessions that have not ended.', 2),
    accessTokens: whole('Personal access tokens.', 1),
    identities: whole('Identities of providers that the user can sign in with.', 0),
    inviteCodes: whole('Invite codes that the user has issued.', 0),
  })
  .openapi('StatisticsResponse')
