import { expect, it } from 'vitest'
import { deleteImport, revertImport } from '../../../src/areas/intake/imports/imports.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { storeShare } from '../../support/stored.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { committed, ofx, settled, uploaded } from './importing.ts'

const ROWS = [
  { id: 'a1', date: '2026-03-02', amount: '-4.00', name: 'Bakery' },
  { id: 'a2', date: '2026-03-03', amount: '-7.00', name: 'Corner shop' },
]

const imported = async (as: Principal, accountId: string) => {
  const { id } = await uploaded(as, ofx(ROWS), { accountId })
  await settled(as, id)
  return committed(as, id)
}

const known = (accountId: string) =>
  rows('SELECT * FROM import_identities WHERE account_id = ? ORDER BY identity', accountId)

/** An import of somebody with the id of one of somebody else that was deleted, as an archive may once have brought it. */
async function withIdOf(own: { id: string }, id: string): Promise<void> {
  for (const table of ['import_chunks', 'import_row_notes']) {
    await rows(`DELETE FROM ${table} WHERE import_id = ?`, own.id)
  }
  await rows('UPDATE imports SET id = ? WHERE id = ?', id, own.id)
}

it('neither takes back nor tells what somebody else has booked by an import of the same id', async () => {
  const [victim, other] = [await newUser(), await newUser()]
  const account = await newAccount(victim)
  const { id } = await imported(victim, account.id)
  await ok(deleteImport, { as: victim, id })
  const before = await rows('SELECT * FROM transactions WHERE owner_id = ? ORDER BY id', victim.id)
  expect(before).toHaveLength(2)
  await withIdOf(await imported(other, (await newAccount(other)).id), id)
  const json = { force: true, edited: 'remove' as const }
  const { status, error } = await call(revertImport, { as: other, id, json })
  expect([status, error.code]).toEqual([409, 'imports.nothingToRevert'])
  expect(
    await rows('SELECT * FROM transactions WHERE owner_id = ? ORDER BY id', victim.id),
  ).toEqual(before)
})

it('forgets nothing on an account that the caller may not book on, whatever id an import has', async () => {
  const [victim, other] = [await newUser(), await newUser()]
  const account = await newAccount(victim)
  // One row finds this, so that the import keeps what it was before.
  await book(victim, account, { amount: '4', date: '2026-03-02', description: 'Bakery' })
  const { id } = await imported(victim, account.id)
  await ok(deleteImport, { as: victim, id })
  await storeShare(account.id, { user: other }, 'view')
  await withIdOf(await imported(other, (await newAccount(other)).id), id)
  const before = await known(account.id)
  expect(before).toHaveLength(2)
  await call(revertImport, { as: other, id, json: { force: true, edited: 'remove' } })
  await settled(other, id).catch(() => undefined)
  expect(await known(account.id)).toEqual(before)
  const again = await uploaded(victim, ofx(ROWS), { accountId: account.id })
  expect((await settled(victim, again.id)).counts).toMatchObject({ duplicate: 2, new: 0 })
})
