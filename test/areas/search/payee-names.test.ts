import { expect, it } from 'vitest'
import {
  createPayee,
  deletePayee,
  updatePayee,
} from '../../../src/areas/money/payees/payees.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { book, tripsOf } from '../transactions/booking.ts'
import { parseSearch } from '../../../src/areas/insight/search/search.routes.ts'
import { storePayees } from './names.fixtures.ts'

type Query = NonNullable<NonNullable<Parameters<typeof ok<typeof listTransactions>>[1]>['query']>

const countOf = async (as: Principal, query: Query) =>
  (await ok(listTransactions, { as, query })).transactions.length

const text = (op: string, value: string): Query => ({
  condition: JSON.stringify({ field: 'text', op, value }),
})

/** Somebody with one transaction with a payee of this name. */
async function payeeNamed(name: string) {
  const me = await newUser()
  const payee = await ok(createPayee, { as: me, json: { name } })
  const account = await newAccount(me)
  await book(me, account, { payeeId: payee.id })
  return { me, account, payee }
}

it.each<[name: string, query: Query, count: number]>([
  ['Bäckerei Müller', { q: 'muller' }, 1],
  ['Bäckerei Müller', { q: 'MÜLLER' }, 1],
  ['Bäckerei Müller', { q: '"backerei muller"' }, 1],
  ['Bäckerei Müller', { q: 'mueller' }, 0],
  ['Bäckerei Müller', { q: '-muller' }, 0],
  ['Bäckerei Müller', { text: 'baeck' }, 0],
  ['Bäckerei Müller', { text: 'mull back' }, 1],
  ['Bäckerei Müller', text('word', 'muller'), 1],
  ['Bäckerei Müller', text('word', 'Müller'), 1],
  ['Bäckerei Müller', text('word', 'Müll'), 0],
  ['Bäckerei Müller', text('like', 'backerei*'), 1],
  ['Bäckerei Müller', text('like', '*müller'), 1],
  ['Bäckerei Müller', text('like', 'müller*'), 0],
  ['Łódź Øresund', { q: 'lodz' }, 1],
  ['REWE-Markt', { q: 'rewe-markt' }, 1],
  ['REWE-Markt', { q: '"rewe markt"' }, 1],
  ['Straße', { q: 'STRASSE' }, 1],
  ['Rewe', { q: 'réwé' }, 1],
  // Words of two letters are looked for in another way.
  ['Ü', { q: 'u' }, 1],
])('transactions with the payee %s are found by %o: %d', async (name, query, count) => {
  const { me } = await payeeNamed(name)
  const answer = await call(listTransactions, { as: me, query })
  expect(answer.body.transactions).toHaveLength(count)
  expect(tripsOf(answer)).toBe(1)
})

it('the new name of a payee counts, with accents or without', async () => {
  const { me, payee } = await payeeNamed('Müller')
  const found = async () => [await countOf(me, { q: 'muller' }), await countOf(me, { q: 'cafe' })]
  const rename = (name: string) => ok(updatePayee, { as: me, id: payee.id, json: { name } })
  expect(await found()).toEqual([1, 0])
  await rename('Cafe')
  expect(await found()).toEqual([0, 1])
  await rename('Café')
  expect(await found()).toEqual([0, 1])
})

it('a payee that comes with a booking, from the trash or from a backup is found by its name', async () => {
  const { me, account } = await payeeNamed('Rewe')
  await book(me, account, { payeeName: 'Gärtnerei', createMissing: true })
  expect(await countOf(me, { q: 'gartnerei' })).toBe(1)
  const unused = await ok(createPayee, { as: me, json: { name: 'Zoë' } })
  await ok(deletePayee, { as: me, id: unused.id })
  await ok(restoreFromTrash, { as: me, path: { kind: 'payee', id: unused.id } })
  await book(me, account, { payeeId: unused.id })
  expect(await countOf(me, { q: 'zoe' })).toBe(1)
  const [other, { archive }] = [await newUser(), await backedUp(me)]
  expect(await restored(other, archive)).toMatchObject({ state: 'done', error: null })
  expect([await countOf(other, { q: 'gartnerei' }), await countOf(other, { q: 'zoe' })]).toEqual([
    1, 1,
  ])
})

it('of more payees than are compared by their names, those with accents are found', async () => {
  const { me, payee } = await payeeNamed('Müller')
  await storePayees(me.id, 5001, 'x')
  const { condition } = await ok(parseSearch, { as: me, json: { q: 'payee:muller' } })
  expect(condition).toEqual({ field: 'payeeId', op: 'oneOf', value: [payee.id] })
})

it('the key of a name is stored only where it is not the one of its uniqueness', async () => {
  const { me } = await payeeNamed('Rewe')
  await ok(createPayee, { as: me, json: { name: 'Café' } })
  const found = await rows(
    'SELECT search_key AS key FROM payees WHERE owner_id = ? ORDER BY id',
    me.id,
  )
  expect(found).toEqual([{ key: null }, { key: 'cafe' }])
})
