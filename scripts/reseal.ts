/**
 * `npm run secrets:reseal`: brings every sealed secret of the local database under the first key of
 * ENCRYPTION_KEYS, so that older keys can be taken out. A deployed service does so by itself every night.
 */
import { withLocalService } from './lib/local-service.ts'
import { resealAll } from '../src/platform/reseal.ts'
import { RESEALABLE } from '../src/platform/sealed-columns.ts'

const { resealed, unreadable } = await withLocalService(({ makeContext }) =>
  resealAll(makeContext({ operation: 'reseal' })),
)
const columns = RESEALABLE.map(({ table, column }) => `${table}.${column}`).join(', ')
console.log(
  resealed === 0
    ? `Nothing is sealed under an older key (${columns}).`
    : `${resealed} records are under the newest key now.`,
)
for (const { table, id, field } of unreadable) {
  console.error(`No key opens ${table}.${field} of ${id}; it is left as it is.`)
}
process.exit(unreadable.length === 0 ? 0 : 1)
