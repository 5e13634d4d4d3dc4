import {
  accountOf,
  anyDate,
  type Books,
  free,
  holding,
  text,
  type TransactionBody,
} from './books.ts'
import type { Line, Part, Status } from './model.ts'

/** A row that was matched into a part, with what that was before. */
export interface MatchedPart {
  row: Line
  /** The part, and its other side where it had one. */
  part: Part
  leg: Line | undefined
  /** Day of the whole. */
  date: string
}

const isMatched = ({ matchedParts }: Books, { id }: Part) => matchedParts.has(id ?? '')

export const hasMatched = (books: Books, { parts }: Line): boolean =>
  parts.some((part) => isMatched(books, part))

const isSplit = ({ kind, parts }: Line) => kind !== 'transfer' && parts.length > 1

const ORDER: Status[] = ['pending', 'uncleared', 'cleared', 'reconciled']

const further = (one: Status, other: Status | undefined): Status =>
  ORDER.indexOf(one) < ORDER.indexOf(other ?? 'pending') ? (other ?? one) : one

const legOf = ({ model }: Books, { transfer }: Part) => model.lines.get(transfer?.legId ?? '')

/** A category for incomes is none of a transfer. */
const keptBy = ({ categories }: Books, { categoryId, transfer }: Part): string | null =>
  transfer || categories.expense.some(({ id }) => id === categoryId) ? categoryId : null

/** Whether a row is the other half of a part. */
const fits = (books: Books, whole: Line, part: Part) => (row: Line) =>
  (row.kind === 'expense' || row.kind === 'income') &&
  row.status !== 'void' &&
  row.parts.length === 1 &&
  row.accountId !== whole.accountId &&
  (!part.transfer || part.transfer.accountId === row.accountId) &&
  row.signed > 0n === part.amount > 0n &&
  (row.signed === part.amount ||
    accountOf(books, row.accountId).currency !== accountOf(books, whole.accountId).currency)

let serial = 0

/** What the bank of another account says of a part. */
async function bookHalf(books: Books, whole: Line, part: Part): Promise<Line> {
  const { random, accounts, send } = books
  const others = accounts.filter(({ id }) =>
    part.transfer ? id === part.transfer.accountId : id !== whole.accountId,
  )
  const account = random.pick(others)
  const isSame = account.currency === accountOf(books, whole.accountId).currency
  const size = part.amount < 0n ? -part.amount : part.amount
  const units = isSame ? size : BigInt(random.whole(1, 2 ** random.whole(3, 30)))
  const kind = part.amount > 0n ? ('income' as const) : ('expense' as const)
  const shared = {
    ...{ kind, accountId: account.id, date: anyDate(books), status: random.pick(ORDER) },
    ...(random.chance(0.5) ? { externalId: `half-${++serial}` } : {}),
  }
  const json = { ...shared, amount: text(units, account.currency) }
  const { id } = await send<{ id: string }>('POST', '/transaction', json)
  const signed = kind === 'income' ? units : -units
  const row: Line = {
    ...{ ...shared, id, header: id, line: 1, signed },
    parts: [{ amount: -signed, categoryId: null }],
  }
  books.model.put(row)
  return row
}

const anyFree = (books: Books, isFit: (line: Line) => boolean) => {
  const fitting = free(books, isFit)
  return fitting.length === 0 ? undefined : books.random.pick(fitting)
}

/** A row of another account becomes the other side of a part. */
export async function matchPart(books: Books): Promise<void> {
  const { random } = books
  const whole = anyFree(books, (line) => isSplit(line) && line.status !== 'void')
  const part = whole && random.pick(whole.parts)
  if (!whole || !part || isMatched(books, part)) {
    return
  }
  await holding(books, [whole.header], async () => {
    const row = anyFree(books, fits(books, whole, part)) ?? (await bookHalf(books, whole, part))
    await holding(books, [row.header], () => join(books, { whole, part, row }))
  })
}

async function join(
  books: Books,
  { whole, part, row }: { whole: Line; part: Part; row: Line },
): Promise<void> {
  const { model } = books
  const body = await books.send<TransactionBody>(
    'POST',
    `/transaction/${whole.id}/split/${part.id}/match`,
    { transactionId: row.id, force: true },
  )
  const legId = body.splits.find(({ id }) => id === part.id)?.transfer?.transactionId ?? ''
  const leg = legOf(books, part)
  books.matchedParts.set(part.id ?? '', { row, part, leg, date: whole.date })
  model.drop(row.header)
  const status = further(row.status, leg?.status)
  const categoryId = keptBy(books, part)
  const { accountId, signed, externalId = leg?.externalId } = row
  const transfer = { accountId, signed, status, legId }
  model.put(
    {
      ...whole,
      parts: whole.parts.map((one) => (one === part ? { ...part, categoryId, transfer } : one)),
    },
    {
      ...{ id: legId, header: whole.id, line: Number(legId.split('-')[1]), kind: 'transfer' },
      ...{ date: whole.date, accountId, signed, status, categoryId, parts: [] },
      ...(externalId === undefined ? {} : { externalId }),
    },
  )
}

/** The row comes back, and the part is what it was, but for what has changed since. */
export async function unmatchPart(books: Books): Promise<void> {
  const { random, model, matchedParts, send } = books
  const whole = anyFree(books, (line) => line.status !== 'void' && hasMatched(books, line))
  const part = whole && random.pick(whole.parts.filter((one) => isMatched(books, one)))
  const before = matchedParts.get(part?.id ?? '')
  const now = part && legOf(books, part)
  if (!whole || !part?.transfer || !before || !now) {
    return
  }
  const { row, leg } = before
  const then = further(row.status, leg?.status)
  await holding(books, [whole.header], () =>
    send('POST', `/transaction/${whole.id}/split/${part.id}/unmatch?force=true`),
  )
  matchedParts.delete(part.id ?? '')
  const isKept = !leg && part.categoryId === keptBy(books, before.part)
  const { transfer, ...rest } = part
  const categoryId = isKept ? before.part.categoryId : part.categoryId
  model.lines.delete(now.id)
  const isElsewhere =
    accountOf(books, now.accountId).currency !== accountOf(books, whole.accountId).currency
  const signed = leg && isElsewhere && now.signed === row.signed ? leg.signed : now.signed
  const { externalId: _matched, ...left } = now
  const given = leg?.externalId === undefined ? {} : { externalId: leg.externalId }
  const status = now.status === then && leg ? leg.status : now.status
  model.put(
    {
      ...whole,
      parts: whole.parts.map((one) =>
        one === part
          ? { ...rest, categoryId, ...(leg ? { transfer: { ...transfer, signed, status } } : {}) }
          : one,
      ),
    },
    ...(leg ? [{ ...left, ...given, signed, status }] : []),
    {
      ...row,
      signed: now.signed,
      status: now.status === then ? row.status : now.status,
      date: whole.date === before.date ? row.date : whole.date,
      parts: row.parts.map((one) => ({ ...one, amount: -now.signed })),
    },
  )
}
