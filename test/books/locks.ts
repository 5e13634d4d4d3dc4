import { anyDate, type Books, putChanged } from './books.ts'
import type { Line } from './model.ts'
import { refusalOf } from './sending.ts'

/** Changes that are tried while the books are locked. */
const TRIES = 6

interface LockBody {
  id: string
  version: number
}

/** What a seal covers of a line. */
const sealed = ({ id, date, signed, status }: Line) =>
  `${id} ${date} ${signed} ${status === 'void'}`

/**
 * Locks an account, or all of them, while nobody else is at work; tries what may and what may not change, compares whether the lock
 * is intact with what was changed, and ends it.
 */
export async function lockAndUnlock(books: Books): Promise<void> {
  const { random, send, model, accounts } = books
  const account = random.chance(0.5) ? random.pick(accounts) : undefined
  const through = anyDate(books).replace('2026', '2025')
  const isOf = ({ accountId }: Line) => account === undefined || accountId === account.id
  const linesUnder = () =>
    [...model.lines.values()]
      .filter((line) => isOf(line) && line.date <= through)
      .map(sealed)
      .toSorted()
      .join()
  const before = linesUnder()
  const lock = await send<LockBody>('POST', '/period-lock', {
    ...{ through, kind: 'soft', reason: 'The walk closes its books' },
    ...(account ? { accountId: account.id } : {}),
  })
  for (let left = TRIES; left > 0; left--) {
    const fitting = [...model.lines.values()].filter(
      ({ kind, header }) =>
        kind !== 'transfer' && model.legsOf(header).every(({ status }) => status !== 'reconciled'),
    )
    if (fitting.length > 0) {
      await tryOn(books, random.pick(fitting), { isOf, through })
    }
  }
  const path = `/period-lock/${lock.id}`
  const { intact } = await send<{ intact: boolean }>('GET', `${path}?verify=true`)
  if (intact !== (before === linesUnder())) {
    throw new Error(`${path} through ${through} says that it is intact: ${intact}`)
  }
  await send('DELETE', `${path}?reason=The+walk+goes+on`)
  for (const { id } of accounts) {
    const { lockedThrough } = await send<{ lockedThrough: string | null }>('GET', `/account/${id}`)
    if (lockedThrough !== null) {
      throw new Error(`${id} is locked through ${lockedThrough} by no lock`)
    }
  }
}

/** Moves a transaction to another day, by force where a lock covers the old or the new one. */
async function tryOn(
  books: Books,
  line: Line,
  { isOf, through }: { isOf: (line: Line) => boolean; through: string },
): Promise<void> {
  const { send, model } = books
  const date = anyDate(books)
  const sides = model.legsOf(line.header).filter(isOf)
  const isLocked =
    date !== line.date && sides.length > 0 && (line.date <= through || date <= through)
  const path = `/transaction/${line.id}`
  await send('PATCH', path, { note: `Looked at before ${date}` })
  const refused = await refusalOf(send('PATCH', path, { date }))
  if (refused !== (isLocked ? 'locks.periodLocked' : undefined)) {
    throw new Error(`${path} from ${line.date} to ${date} under ${through}: ${refused}`)
  }
  if (isLocked) {
    await send('PATCH', path, { date, force: true })
  }
  putChanged(books, line, { date })
}
