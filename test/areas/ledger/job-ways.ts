import {
  commitImport,
  getImport,
  revertImport,
  setImportMapping,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { work } from '../../../src/areas/index.ts'
import { type Answer, call, ok, type Principal, rows } from '../../support/api.ts'
import { committed, csv, ofx, type OfxRow, uploaded } from '../imports/importing.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { book, change } from '../transactions/booking.ts'
import { type Books, LAST_YEAR, type Way } from './ways.ts'

// Each way in which a task changes what is booked, once, on a day of the year before. A guard that refuses it stops the task.

type Options = Parameters<typeof committed>[2]
type RevertOptions = { edited?: 'remove'; force?: boolean }

/** Asks for something that a task does, and does it; what it refuses shows in what is booked alone. */
async function done(as: Principal, id: string, answer: Answer<unknown>) {
  const { jobId } = await ok(getImport, { as, id })
  await deliver(work, jobId ?? '')
  return answer
}

const commit = async (as: Principal, id: string, json: Options = {}) =>
  done(as, id, await call(commitImport, { as, id, json }))

const revert = async (as: Principal, id: string, json: RevertOptions = {}) =>
  done(as, id, await call(revertImport, { as, id, json }))

const TEA: OfxRow = { id: 'tea', date: LAST_YEAR, amount: '-2.00', name: 'TEA' }
const CAKE: OfxRow = { id: 'cake', date: LAST_YEAR, amount: '-5.00', name: 'CAKE' }

const sent = ({ me, one }: Books, ...files: OfxRow[]) =>
  uploaded(me, ofx(files), { accountId: one.id })

/** What was imported of a file, in the order of its rows. */
const bookedBy = (importId: string) =>
  rows<{ id: string }>('SELECT id FROM transactions WHERE import_id = ? ORDER BY id', importId)

/** A file with a pending row, and a later one that should tell of it and does not. */
async function vanished({ me, one }: Books) {
  const send = async (lines: string[]) => {
    const heading = 'Date,Payee,Amount,Status'
    const { id } = await uploaded(me, csv(lines, heading), { accountId: one.id })
    await ok(setImportMapping, { as: me, id, json: { pending: 'import' } })
    return id
  }
  const first = await send(['2025-12-20,HOTEL,-50.00,Pending', '2025-12-19,TEA,-2.00,Booked'])
  await committed(me, first)
  const later = ['2025-12-19,TEA,-2.00,Booked', '2025-12-15,MILK,-1.00,Booked']
  await committed(me, await send([...later, '2025-12-28,BREAD,-4.00,Booked']))
  return send([...later, ...['2025-12-28,BREAD,-4.00,Booked', '2025-12-29,CAKE,-5.00,Booked']])
}

/** A file with one half of a transfer, the other half of which is booked. */
async function half(books: Books) {
  const { me, one, two } = books
  await book(me, two, { date: LAST_YEAR, kind: 'income', amount: '70', payeeRaw: 'MOVED' })
  const iban = 'DE89370400440532013000'
  await rows('UPDATE accounts SET iban = ? WHERE id = ?', iban, two.id)
  const heading = 'Date,Payee,Counterparty IBAN,Amount'
  const { id } = await uploaded(me, csv([`${LAST_YEAR},MOVED,${iban},-70.00`], heading), {
    accountId: one.id,
  })
  return id
}

export const jobWays: [name: string, movements: string[], way: Way][] = [
  [
    'the file of a bank',
    ['booked', 'booked'],
    async (books) => {
      const { id } = await sent(books, TEA, CAKE)
      return () => commit(books.me, id)
    },
  ],
  [
    'a file with a row that was typed before',
    ['booked', 'amended'],
    async (books) => {
      await book(books.me, books.one, { date: LAST_YEAR, amount: '2.00', description: 'Tea' })
      const { id } = await sent(books, TEA, CAKE)
      return () => commit(books.me, id)
    },
  ],
  [
    'a file that withdraws a row',
    ['discarded'],
    async (books) => {
      await committed(books.me, (await sent(books, TEA)).id)
      const corrects = { id: 'tea', action: 'DELETE' as const }
      const { id } = await sent(books, { ...TEA, id: 'none', corrects })
      return () => commit(books.me, id)
    },
  ],
  [
    'a file that does not tell of a pending row any more',
    ['booked', 'discarded'],
    async (books) => {
      const id = await vanished(books)
      return () => commit(books.me, id, { vanished: 'trash' })
    },
  ],
  [
    'a file with half of a transfer',
    ['booked', 'matched', 'matched', 'booked'],
    async (books) => {
      const id = await half(books)
      return () => commit(books.me, id, { transfers: 'match' })
    },
  ],
  [
    'an import that is taken back',
    ['erased', 'erased'],
    async (books) => {
      const { id } = await committed(books.me, (await sent(books, TEA, CAKE)).id)
      return () => revert(books.me, id)
    },
  ],
  [
    'an import of which something was changed since, taken back',
    ['erased', 'discarded'],
    async (books) => {
      const { id } = await committed(books.me, (await sent(books, TEA, CAKE)).id)
      const [tea] = await bookedBy(id)
      await change(books.me, tea ?? { id: '' }, { description: 'With Ada' })
      return () => revert(books.me, id, { edited: 'remove' })
    },
  ],
  [
    'an import that only added to what was typed, taken back',
    ['amended'],
    async (books) => {
      await book(books.me, books.one, { date: LAST_YEAR, amount: '2.00', description: 'Tea' })
      const { id } = await committed(books.me, (await sent(books, TEA)).id)
      return () => revert(books.me, id)
    },
  ],
  [
    'an import that withdrew a row, taken back',
    ['restored'],
    async (books) => {
      await committed(books.me, (await sent(books, TEA)).id)
      const corrects = { id: 'tea', action: 'DELETE' as const }
      const { id } = await sent(books, { ...TEA, id: 'none', corrects })
      await committed(books.me, id)
      return () => revert(books.me, id)
    },
  ],
  [
    'an import that booked half of a transfer, taken back',
    ['unmatched', 'restored', 'restored', 'erased'],
    async (books) => {
      const id = await half(books)
      await committed(books.me, id, { transfers: 'match' })
      return () => revert(books.me, id, { edited: 'remove', force: true })
    },
  ],
]
