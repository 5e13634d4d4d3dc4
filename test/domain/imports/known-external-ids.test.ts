import { expect, test } from 'vitest'
import { indexed } from '../../../src/domain/imports/known.ts'
import type { BookableRow } from '../../../src/domain/imports/rows.ts'
import type { StoredExternalId } from '../../../src/domain/imports/verdicts.ts'

const row = {
  ...{ accountId: 'a', date: '2026-03-10', minor: -1000 },
  source: { bankId: { scheme: 'id', id: '7' } },
} as unknown as BookableRow

const stored = (more: Partial<StoredExternalId>): StoredExternalId => ({
  ...{ accountId: 'a', externalId: '7', transactionId: 't', date: '2026-03-10', minor: -1000 },
  ...{ state: 'booked' as StoredExternalId['state'], ...more },
})

test.each<[string, Partial<StoredExternalId>, boolean]>([
  ['of the same amount and day', {}, true],
  ['of another amount', { minor: -1 }, false],
  ['of a day long ago', { date: '2020-01-01' }, false],
  [
    'of an export of the transaction itself',
    { minor: -1, date: '2020-01-01', isItself: true },
    true,
  ],
  ['of another account', { accountId: 'b' }, false],
])('an external id %s is known: %s', (_, more, isKnown) => {
  const known = indexed({ identities: [], externalIds: [stored(more)] } as never)
  expect(known.externalId(row) !== undefined).toBe(isKnown)
})
