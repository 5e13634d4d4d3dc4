import { sql } from 'drizzle-orm'
import { userCurrencies } from '../../../../drizzle/schema/currencies.ts'
import { CURRENCIES } from '../../../domain/currency.ts'
import { currencyText, eachOnce } from '../../../domain/stored-values.ts'
import { whole } from '../../../platform/owned-data/exports.ts'
import { forgetBy, type OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { db } from '../../../platform/database/statements.ts'
import { presentOwnCurrencies } from './currencies.contract.ts'
import { getOwnCurrencies } from './currencies.usecases.ts'

export const currencyData: OwnedData = {
  area: 'currencies',
  tables: [userCurrencies],
  forget: forgetBy(userCurrencies.userId),
  reset: {
    wipedWith: 'preferences',
    statements: ({ now }, { ownerId, before }) => [
      db.run(sql`UPDATE user_currencies SET codes = '[]', version = version + 1, updated_at = ${now}
        WHERE user_id = ${ownerId} AND updated_at <= ${before}`),
    ],
  },
  archived: [
    {
      table: userCurrencies,
      owner: [userCurrencies.userId],
      order: [userCurrencies.userId],
      json: { codes: eachOnce(currencyText, CURRENCIES.length) },
      isSingle: true,
    },
  ],
  exports: [
    whole('currencies', async (owner) => [presentOwnCurrencies(await getOwnCurrencies(owner))]),
  ],
}
