import type { ReadableCopy } from '../../../platform/exports.ts'
import type { OwnedData } from '../../../platform/owned-data.ts'
import { openOwn } from './making/source.usecases.ts'
import { textOf } from './making/writers.usecases.ts'

/** The own transactions in a format that is one file. */
const copyOf = (path: string, format: 'csv' | 'hledger'): ReadableCopy => ({
  path,
  async *text(owner) {
    yield* textOf(await openOwn(owner, format), format)
  },
})

export const exportData: OwnedData = {
  area: 'exports',
  // Exports are archives, as backups are.
  tables: [],
  readable: [
    copyOf('readable/transactions.csv', 'csv'),
    copyOf('readable/journal.hledger', 'hledger'),
  ],
}
