import { expect, it } from 'vitest'
import { undoWayOf } from '../../../src/areas/events/changes/changes.rules.ts'

it.each<[string, string[], number, number]>([
  ['possible', ['transaction.created'], 500, 1000],
  ['possible', ['transaction.deleted', 'transaction.restored', 'transaction.updated'], 3, 10_000],
  ['possible', ['change.undone', 'payee.created', 'tag.created', 'transaction.created'], 1, 4],
  ['no', ['transaction.created'], 501, 501],
  ['no', ['transaction.updated'], 500, 10_001],
  ['no', ['category.created'], 0, 1],
  ['no', ['change.undone'], 0, 1],
  ['no', ['recurring.settled', 'transaction.created'], 1, 2],
  ['no', ['account.created', 'transaction.created'], 1, 2],
  ['revertImport', ['import.booked', 'transaction.created'], 1, 2],
  ['restoreFromTrash', ['category.deleted', 'transaction.updated'], 9, 10],
  ['unmatchTransfer', ['transaction.updated', 'transfer.matched'], 3, 5],
])('is %s for %s of %i transactions with %i events', (way, types, transactions, events) => {
  expect(undoWayOf({ types, transactions, events })).toBe(way)
})
