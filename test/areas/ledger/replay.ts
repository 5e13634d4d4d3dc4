import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { parseMoney } from '../../../src/domain/money.ts'
import { ok, type Principal } from '../../support/api.ts'
import { eventsOfAll, type LoggedContent, type LoggedEvent } from './events.ts'

// Undo and whoever is told of events rely on this: the events of a transaction, one after the other, make its snapshot.

type Fields = Record<string, unknown>

/** A side of a transaction as the log has it, with its account and version. */
export type Replayed = Map<string, { accountId: unknown; version: number | null; fields: Fields }>

/** The same whatever the order of fields. */
const isSame = (one: unknown, other: unknown) => inOrder(one) === inOrder(other)

const inOrder = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([one], [another]) => (one < another ? -1 : 1)),
        )
      : part,
  )

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

type Tell = (field: string) => void

const asList = <Item>(value: unknown) => (value ?? []) as Item[]

/** Of tags the log may say only which went and which came. */
function tagsAfter(now: unknown, before: unknown, after: unknown, tell: Tell): string[] {
  const [has, went, came] = [now, before, after].map((ids) => asList<string>(ids)) as [
    string[],
    string[],
    string[],
  ]
  if (went.some((id) => !has.includes(id))) {
    tell('tagIds')
  }
  return [...new Set([...has.filter((id) => !went.includes(id)), ...came])].toSorted()
}

/** Parts, or fees, of which only a label changed. */
const isPartly = (value: unknown): boolean =>
  asList<Fields>(value).some((part) => !('amountMinor' in part))

function partlyAfter(now: unknown, before: unknown, after: unknown, tell: Tell): Fields[] {
  const at = (parts: unknown, line: unknown) =>
    asList<Fields>(parts).find((part) => part['line'] === line)
  return asList<Fields>(now).map((part) => {
    const came = at(after, part['line'])
    const went = at(before, part['line']) ?? {}
    return came ? changed(part, { before: went, after: came }, tell) : part
  })
}

/** Fields after a change; tells of each that was not what the change says that it was. */
function changed(now: Fields, { before = {}, after = {} }: LoggedContent, tell: Tell): Fields {
  const next = { ...now }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [has, was, is] = [now[name], before[name], after[name]]
    if (name === 'tagIds') {
      next[name] = tagsAfter(has, was, is, tell)
    } else if (['splits', 'fees'].includes(name) && isPartly(is)) {
      next[name] = partlyAfter(has, was, is, tell)
    } else {
      if (!isSame(has ?? null, was ?? null)) {
        tell(name)
      }
      next[name] = is
    }
    if (isNothing(next[name])) {
      delete next[name]
    }
  }
  return next
}

/** Of the side that has the part there may be nothing to tell but that, and of the other one that it is there or not. */
const isOfSplit = (type: string) => /^transaction\.split(un)?matched$/i.test(type)

/** What events make of nothing, and each place where one does not follow from those before it. */
export function replay(events: LoggedEvent[]): { sides: Replayed; flaws: string[] } {
  const sides: Replayed = new Map()
  const trashed = new Map<string, Fields>()
  const flaws: string[] = []
  for (const { id, type, accountId, version, content } of events) {
    const tell = (flaw: string) => flaws.push(`${type} ${id} of version ${version}: ${flaw}`)
    const now = sides.get(id)
    const { before, after } = content ?? {}
    if (!accountId || version === null) {
      tell('no account or no version')
    } else if (type === 'transaction.updated' || (isOfSplit(type) && !before === !after)) {
      const deleted = trashed.get(id)
      const wasOther = (field: string) => tell(`${field} was not so`)
      if (!now && deleted) {
        trashed.set(id, changed(deleted, content ?? {}, wasOther))
      } else if (!now) {
        tell('of what is not there')
      } else if (before && !after) {
        // It was moved to another account, which the next event tells.
        if (now.accountId !== accountId || !isSame(before, now.fields)) {
          tell('not what was moved away')
        }
      } else {
        const { accountId: came, ...fields } = changed(
          { ...now.fields, accountId: now.accountId },
          content ?? {},
          wasOther,
        )
        if (came !== accountId || version !== (now.version ?? 0) + 1) {
          tell('another account or version')
        }
        sides.set(id, { accountId, version, fields })
      }
    } else if (after) {
      if (now || before) {
        tell('of what is there')
      }
      if (type === 'transaction.restored' && !isSame(trashed.get(id), after)) {
        tell('not what was deleted')
      }
      sides.set(id, { accountId, version, fields: after })
    } else {
      const was = now?.fields ?? trashed.get(id)
      if (!before || !isSame(was, before) || (now && now.accountId !== accountId)) {
        tell('not what was there')
      }
      sides.delete(id)
      trashed.set(id, before ?? {})
    }
  }
  return { sides, flaws }
}

type Transaction = Awaited<ReturnType<typeof ok<typeof listTransactions>>>['transactions'][number]
type Transfer = Awaited<ReturnType<typeof ok<typeof listTransfers>>>['transfers'][number]

const minor = (amount: string, currency: string) =>
  parseMoney(amount, currency, { signed: true, field: 'amount' })

const without = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => !isNothing(value) && value !== false && value !== '',
    ),
  )

/** Fees are lines of a transfer from this one on. */
const FIRST_FEE = 5

/** A transaction of the API as a snapshot would have it. */
function snapshotOf(row: Transaction, transfer: Transfer | undefined): Fields {
  const {
    id,
    accountId: _a,
    amount: _m,
    signedAmount,
    currency,
    originalAmount,
    source,
    ...rest
  } = row
  const {
    transferId: _t,
    attachmentCount: _c,
    parentTransactionId,
    splitId: _p,
    createdBy: _b,
    // It never changes, and stays on the row.
    importId: _i,
    // What links leave of it.
    netAmount: _n,
    version: _v,
    createdAt: _x,
    updatedAt: _y,
    ...same
  } = rest
  const fees = transfer?.from.id === id ? transfer.fees : []
  if (parentTransactionId !== null) {
    // The log has of the other side of a part what its account is told by it.
    const { kind, date, categoryId, status, counterAccountId, externalId, note, payeeRaw } = row
    return without({
      ...{ kind, date, categoryId, status, counterAccountId, externalId, note, payeeRaw },
      amountMinor: minor(signedAmount, currency),
      private: row.private,
    })
  }
  return without({
    ...same,
    amountMinor: minor(signedAmount, currency),
    originalAmountMinor:
      originalAmount === null || row.originalCurrency === null
        ? null
        : minor(originalAmount, row.originalCurrency),
    source: source === 'user' ? null : source,
    tagIds: row.tagIds.toSorted(),
    splits: row.splits.map(({ id: part, amount, transfer: moved, ...said }) =>
      without({
        line: Number(part.split('-')[1]),
        amountMinor: minor(amount, currency),
        counterAccountId: moved?.accountId ?? null,
        ...said,
      }),
    ),
    fees: fees.map(({ amount, ...said }, at) =>
      without({ line: at + FIRST_FEE, amountMinor: minor(amount, currency), ...said }),
    ),
  })
}

/** All transactions of a user as the API tells them. */
async function stored(as: Principal): Promise<Replayed> {
  const all = async <Row>(
    page: (cursor?: string) => Promise<{ rows: Row[]; next: string | null }>,
  ) => {
    const found: Row[] = []
    for (let cursor: string | undefined; ;) {
      const { rows, next } = await page(cursor)
      found.push(...rows)
      if (next === null) {
        return found
      }
      cursor = next
    }
  }
  const query = (cursor?: string) => ({ limit: 200, ...(cursor ? { cursor } : {}) })
  const rows = await all(async (cursor) => {
    const { transactions, nextCursor } = await ok(listTransactions, { as, query: query(cursor) })
    return { rows: transactions, next: nextCursor }
  })
  const moved = await all(async (cursor) => {
    const { transfers, nextCursor } = await ok(listTransfers, { as, query: query(cursor) })
    return { rows: transfers, next: nextCursor }
  })
  const transfers = new Map(moved.map((transfer) => [transfer.id, transfer]))
  return new Map(
    rows.map((row) => [
      row.id,
      {
        accountId: row.accountId,
        version: row.version,
        fields: snapshotOf(row, transfers.get(row.transferId ?? '')),
      },
    ]),
  )
}

/** Where the events of a user's transactions do not make what is stored, in words. */
export async function flawsOfLog(me: Principal & { id: string }): Promise<string[]> {
  const { sides, flaws } = replay(await eventsOfAll(me))
  const expected = await stored(me)
  const wrong = [...new Set([...sides.keys(), ...expected.keys()])].filter(
    (id) => !isSame(sides.get(id), expected.get(id)),
  )
  return [
    ...flaws,
    ...wrong.map(
      (id) => `${id} is ${JSON.stringify(expected.get(id))}, not ${JSON.stringify(sides.get(id))}`,
    ),
  ]
}
