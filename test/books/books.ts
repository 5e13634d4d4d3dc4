import type { Random } from '../support/random.ts'
import { DIGITS, textOf, unitsOf } from '../domain/reference.ts'
import type { MatchedPart } from './matching.ts'
import { type Line, Model, type Part, type Single, type Status } from './model.ts'

/** Sends a request as the keeper of the books, and gives the body of its answer. */
export type Send = <Body>(method: string, path: string, json?: object) => Promise<Body>

export interface Account {
  id: string
  currency: string
}

/** What is in the trash: how it looked, and what it was in the model. */
export interface Trashed {
  path: string
  kind: 'transaction' | 'transfer'
  image: string
  lines: Line[]
}

/** A household's books, behind the interface and beside it. */
export interface Books {
  send: Send
  random: Random
  model: Model
  accounts: Account[]
  /** Children stand below the first of their kind. */
  categories: Record<'expense' | 'income', { id: string; parentId: string | null }[]>
  trash: Map<string, Trashed>
  /** The rows that a transfer took the place of. */
  matched: Map<string, { from: Line; to: Line }>
  /** The rows that are the other sides of parts, by the ids of those. */
  matchedParts: Map<string, MatchedPart>
  /** Headers that somebody is at work on. */
  busy: Set<string>
}

const STATUSES: Status[] = ['pending', 'uncleared', 'cleared', 'reconciled', 'void']
export const FIRST_MONTH = '2025-01'
export const LAST_MONTH = '2026-12'

export async function openBooks(send: Send, random: Random): Promise<Books> {
  const accounts: Account[] = []
  for (const currency of ['EUR', 'EUR', 'JPY', 'BHD', 'CLF']) {
    const name = `${currency} ${accounts.length}`
    const json = { name, type: 'checking', currency, openingDate: `${FIRST_MONTH}-01` }
    accounts.push(await send<Account>('POST', '/account', json))
  }
  const books: Books = {
    ...{ send, random, accounts, model: new Model(), categories: { expense: [], income: [] } },
    ...{ trash: new Map(), matched: new Map(), matchedParts: new Map(), busy: new Set() },
  }
  for (const kind of ['expense', 'income', 'expense', 'income', 'expense', 'income'] as const) {
    await addCategory(books, kind)
  }
  return books
}

let serial = 0

export async function addCategory({ send, categories }: Books, kind: 'expense' | 'income') {
  const [top] = categories[kind]
  const json = { name: `Category ${++serial}`, kind, ...(top ? { parentId: top.id } : {}) }
  const { id } = await send<{ id: string }>('POST', '/category', json)
  categories[kind].push({ id, parentId: top?.id ?? null })
  return id
}

const digitsOf = (currency: string) => DIGITS[currency] ?? 0

export const text = (units: bigint, currency: string) => textOf(units, digitsOf(currency))

export function minor(amount: string, currency: string): bigint {
  const units = unitsOf(amount, digitsOf(currency), { signed: true, allowZero: true })
  if (typeof units === 'string') {
    throw new Error(`${amount} ${currency}: ${units}`)
  }
  return units
}

export const anyDate = ({ random }: Books): string =>
  `202${random.whole(5, 6)}-${String(random.whole(1, 12)).padStart(2, '0')}-${String(random.whole(1, 28)).padStart(2, '0')}`

const anyStatus = ({ random }: Books) => random.pick(STATUSES)
export const accountOf = ({ accounts }: Books, id: string): Account =>
  accounts.find((account) => account.id === id) ?? { id, currency: '' }

export const anyCategory = (books: Books, kind: Single): string | null =>
  kind === 'adjustment' || books.random.chance(0.2) ? null : categoryFor(books, kind)

/** An income may have a category of expenses: it is a refund then. */
export const categoryFor = ({ random, categories }: Books, kind: 'expense' | 'income'): string =>
  random.pick(categories[kind === 'income' && random.chance(0.5) ? 'expense' : kind]).id

/** Transactions that nobody is at work on. */
export const free = ({ model, busy }: Books, isFit: (line: Line) => boolean): Line[] =>
  [...model.lines.values()].filter((line) => !busy.has(line.header) && isFit(line))

/** Works on these headers alone. */
export async function holding<Result>(
  { busy }: Books,
  headers: string[],
  run: () => Promise<Result>,
): Promise<Result> {
  for (const header of headers) {
    busy.add(header)
  }
  try {
    return await run()
  } finally {
    for (const header of headers) {
      busy.delete(header)
    }
  }
}

export interface TransactionBody {
  id: string
  splits: { id: string; transfer: { transactionId: string } | null }[]
}

/** What to book: as the interface takes it, and what it means. */
interface Wanted {
  json: Record<string, unknown>
  line: Pick<Line, 'kind' | 'accountId' | 'date' | 'signed' | 'status' | 'parts'>
}

export const amountsOf = ({ random }: Books, total: bigint): bigint[] => {
  const amounts = Array.from({ length: random.whole(1, 4) }, () =>
    BigInt(random.whole(-2000, 20_000) || 1),
  )
  const rest = amounts.reduce((left, amount) => left - amount, total)
  return rest === 0n ? [...amounts, 1n, -1n] : [...amounts, rest]
}

export function anySingle(books: Books, account = books.random.pick(books.accounts)): Wanted {
  const { random } = books
  const kind = random.pick<Single>(['expense', 'expense', 'income', 'adjustment'])
  const size = BigInt(random.whole(1, 2 ** random.whole(3, 40)))
  const isIn = kind === 'income' || (kind === 'adjustment' && random.chance(0.5))
  const signed = isIn ? size : -size
  const isSplit = kind !== 'adjustment' && random.chance(0.4)
  const amounts = isSplit ? amountsOf(books, size) : [size]
  const parts = amounts.map((amount) => anyPart(books, { kind, account, amount, signed, isSplit }))
  const shared = { kind, accountId: account.id, date: anyDate(books), status: anyStatus(books) }
  const written = (units: bigint) => text(units, account.currency)
  return {
    json: {
      ...shared,
      amount: written(kind === 'adjustment' ? signed : size),
      ...(isSplit
        ? {
            categoryId: null,
            splits: parts.map((part) => ({
              ...sentPart(books, part),
              amount: written(part.amount),
            })),
          }
        : { categoryId: parts[0]?.categoryId ?? null }),
    },
    line: { ...shared, signed, parts: kind === 'adjustment' ? [] : inDirection(parts, signed) },
  }
}

interface PartWanted {
  kind: Single
  account: Account
  amount: bigint
  signed: bigint
  isSplit: boolean
}

/** A part in the direction of the whole, which of a split may be a transfer. */
function anyPart(books: Books, { kind, account, amount, signed, isSplit }: PartWanted): Part {
  const { random, accounts } = books
  if (!isSplit || random.chance(0.7)) {
    return { amount, categoryId: anyCategory(books, kind) }
  }
  const to = random.pick(accounts.filter(({ id }) => id !== account.id))
  return {
    amount,
    categoryId: anyCategory(books, 'expense'),
    transfer: {
      accountId: to.id,
      signed: movedBy(books, signed < 0n ? amount : -amount, account, to),
      status: random.pick<Status>(['pending', 'uncleared', 'cleared', 'reconciled']),
    },
  }
}

/** What arrives on another account where so much leaves one. */
export function movedBy({ random }: Books, leaves: bigint, from: Account, to: Account): bigint {
  if (from.currency === to.currency) {
    return leaves
  }
  const size = BigInt(random.whole(1, 2 ** random.whole(3, 30)))
  return leaves < 0n ? -size : size
}

const absolute = (units: bigint) => (units < 0n ? -units : units)

/** A part as a request sends it, but for its amount. */
export function sentPart(books: Books, { categoryId, transfer }: Part): object {
  if (!transfer) {
    return { categoryId }
  }
  const { accountId, signed, status } = transfer
  const transferAmount = text(absolute(signed), accountOf(books, accountId).currency)
  const said = status === 'void' ? {} : { transferStatus: status }
  return { categoryId, transferAccountId: accountId, transferAmount, ...said }
}

/** A part is told in the direction of the whole, and means what was spent, or earned below zero. */
export const inDirection = (parts: Part[], signed: bigint): Part[] =>
  parts.map((part) => ({ ...part, amount: signed < 0n ? part.amount : -part.amount }))

/** Takes up what was booked, with the ids that its parts were given. */
export function putSingle(
  { model }: Books,
  { id, splits }: TransactionBody,
  line: Wanted['line'] & { externalId?: string },
): void {
  model.drop(id)
  const parts = line.parts.map((part, at) => {
    const stored = splits[at]
    const legId = stored?.transfer?.transactionId
    return {
      ...part,
      ...(stored ? { id: stored.id } : {}),
      ...(part.transfer && legId !== undefined ? { transfer: { ...part.transfer, legId } } : {}),
    }
  })
  model.put({ ...line, parts, id, header: id, line: 1 })
  for (const { categoryId, transfer } of parts) {
    const leg = transfer?.legId
    if (transfer && leg !== undefined) {
      const { accountId, signed } = transfer
      const status = line.status === 'void' ? 'void' : transfer.status
      const shared = { header: id, line: Number(leg.split('-')[1]), kind: 'transfer' as const }
      model.put({
        ...shared,
        id: leg,
        date: line.date,
        accountId,
        signed,
        status,
        categoryId,
        parts: [],
      })
    }
  }
}

/** Changes a transaction with one account: its day is that of all sides, and so is whether it is void. */
export function putChanged(
  { model }: Books,
  line: Line,
  changes: { status?: Status; date?: string },
): void {
  const { status, date = line.date } = changes
  const ofLeg = (leg: Line): Status => {
    if (status === undefined || (status === 'void') === (leg.status === 'void')) {
      return leg.status
    }
    return status === 'void' ? 'void' : 'uncleared'
  }
  model.put(
    ...model.legsOf(line.header).map((one) => ({
      ...one,
      date,
      status: one.line === 1 ? (status ?? one.status) : ofLeg(one),
    })),
  )
}

export interface TransferWanted {
  json: Record<'fromAccountId' | 'toAccountId' | 'date', string> & {
    status: Status
    amount: string
    toAmount: string
    categoryId: string | null
    fee?: object | null
    fees?: object[]
  }
  leaves: bigint
  arrives: bigint
  parts: Part[]
}

export function anyTransfer(books: Books): TransferWanted {
  const { random, accounts } = books
  const from = random.pick(accounts)
  const to = random.pick(accounts.filter(({ id }) => id !== from.id))
  const leaves = BigInt(random.whole(2, 2 ** random.whole(3, 30)))
  const categoryId = random.chance(0.5) ? anyCategory(books, 'expense') : null
  const parts = anyFees(books, leaves)
  const rest = parts.reduce((left, { amount }) => left - amount, leaves)
  const arrives =
    from.currency === to.currency ? rest : BigInt(random.whole(1, 2 ** random.whole(3, 30)))
  const fees = parts.map(({ amount, categoryId: ofFee }) => ({
    ...{ amount: text(amount, from.currency), categoryId: ofFee },
  }))
  return {
    json: {
      fromAccountId: from.id,
      toAccountId: to.id,
      date: anyDate(books),
      amount: text(leaves, from.currency),
      toAmount: text(arrives, to.currency),
      ...(fees.length < 2 && random.chance(0.5) ? { fee: fees[0] ?? null } : { fees }),
      categoryId,
      status: anyStatus(books),
    },
    leaves,
    arrives,
    parts,
  }
}

/** Fees that leave something to arrive. */
export function anyFees(books: Books, leaves: bigint): Part[] {
  const { random } = books
  let left = leaves
  return Array.from({ length: random.pick([0, 0, 0, 1, 1, 2, 3, 10]) }).flatMap(() => {
    if (left < 2n) {
      return []
    }
    const amount = BigInt(random.whole(1, Number(left) - 1))
    left -= amount
    return [{ amount, categoryId: anyCategory(books, 'expense') }]
  })
}

export interface TransferBody {
  id: string
  from: { id: string }
  to: { id: string }
}

export function putTransfer(
  { model }: Books,
  booked: TransferBody,
  { json, leaves, arrives, parts }: TransferWanted,
): void {
  const { date, status, fromAccountId, toAccountId, categoryId } = json
  const shared = { header: booked.id, kind: 'transfer' as const, date, status, categoryId }
  model.put(
    { ...shared, id: booked.from.id, line: 1, accountId: fromAccountId, signed: -leaves, parts },
    { ...shared, id: booked.to.id, line: 2, accountId: toAccountId, signed: arrives, parts: [] },
  )
}
