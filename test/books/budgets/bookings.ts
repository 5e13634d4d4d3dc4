import { addDays } from '../../../src/domain/calendar.ts'
import { anyDay, text, type Walk } from './household.ts'
import { hasMatched } from './matching.ts'
import {
  type Account,
  accountOf,
  type Booking,
  isUsable,
  type Part,
  type Single,
  type Transfer,
} from './state.ts'
import type { Step } from './steps.ts'

/** So that a walk stays quick. */
const MOST = 250

const openAccounts = ({ household }: Walk): Account[] => household.accounts.filter(isUsable)

/** The owner, or somebody of the group. */
function senderOf({ sends, random }: Walk, { owner, isShared }: Account, isPrivate = false) {
  const other = owner === 0 ? sends[1] : sends[0]
  return isShared && !isPrivate && random.chance(0.2) ? other : sends[owner]
}

const categoryFor = (
  { household, random }: Walk,
  { owner }: Account,
  kind: 'expense' | 'income',
) => {
  const kinds = kind === 'income' && random.chance(0.4) ? 'expense' : kind
  const fitting = household.categories.filter((one) => one.owner === owner && one.kind === kinds)
  return random.chance(0.15) ? null : random.pick(fitting).id
}

/** Amounts that come to a total, each but zero. */
function sharesOf({ random }: Walk, total: bigint): bigint[] {
  const some = Array.from({ length: random.whole(1, 3) }, () =>
    BigInt(random.whole(-900, 9000) || 1),
  )
  const rest = some.reduce((left, one) => left - one, total)
  return rest === 0n ? [...some, 1n, -1n] : [...some, rest]
}

const anyStatus = ({ random }: Walk) =>
  random.pick(['cleared', 'cleared', 'uncleared', 'pending', 'void'] as const)

interface Wanted {
  json: Record<string, unknown>
  booking: Omit<Single, 'id' | 'author'>
}

/** Another account of the same owner that can be booked on. */
function otherOf(walk: Walk, { id, owner }: Account): Account | undefined {
  const others = openAccounts(walk).filter((one) => one.owner === owner && one.id !== id)
  return others.length === 0 ? undefined : walk.random.pick(others)
}

/** A part that moves so much to another account, or from there. */
function movedTo(
  walk: Walk,
  account: Account,
  to: Account,
  amount: bigint,
): Pick<Part, 'amount' | 'categoryId' | 'payeeId' | 'transfer'> {
  const size = BigInt(walk.random.whole(1, 20_000))
  const other = amount < 0n ? size : -size
  const arrives = to.currency === account.currency ? -amount : other
  const categoryId = walk.random.chance(0.6) ? categoryFor(walk, account, 'expense') : null
  return { amount, categoryId, payeeId: null, transfer: { to: to.id, arrives } }
}

function sentTransfer({ household }: Walk, { to, arrives }: NonNullable<Part['transfer']>) {
  const { currency } = accountOf(household, to)
  const transferAmount = text(arrives < 0n ? -arrives : arrives, currency)
  return { transferAccountId: to, transferAmount }
}

/** @param isOwners whether the owner books it, who alone hides bookings and writes on all accounts */
function anySingle(walk: Walk, account: Account, isOwners: boolean): Wanted {
  const { random, household } = walk
  const kind = random.pick(['expense', 'expense', 'expense', 'income'] as const)
  const size = BigInt(random.whole(1, 2 ** random.whole(4, 15)))
  const isSplit = random.chance(0.3)
  const labelled = () => ({
    payeeId: account.owner === 0 && random.chance(0.3) ? random.pick(household.payees) : null,
    tagIds:
      account.owner === 0 && random.chance(0.3) ? household.tags.slice(random.whole(0, 1)) : [],
  })
  const isOut = kind === 'expense'
  const parts: Part[] = (isSplit ? sharesOf(walk, size) : [size]).map((share) => {
    const amount = isOut ? -share : share
    const to = isSplit && isOwners && random.chance(0.3) ? otherOf(walk, account) : undefined
    return to
      ? { ...labelled(), ...movedTo(walk, account, to, amount) }
      : { amount, categoryId: categoryFor(walk, account, kind), ...labelled() }
  })
  const isPrivate = isOwners && random.chance(0.2)
  const shared = { kind, accountId: account.id, date: anyDay(walk), status: anyStatus(walk) }
  const written = parts.map(({ transfer, ...part }) => ({
    ...part,
    amount: text(isOut ? -part.amount : part.amount, account.currency),
    ...(transfer ? sentTransfer(walk, transfer) : {}),
  }))
  return {
    json: {
      ...{ ...shared, amount: text(size, account.currency), private: isPrivate },
      ...(isSplit
        ? { categoryId: null, payeeId: null, tagIds: [], splits: written }
        : { ...written[0], amount: text(size, account.currency) }),
    },
    booking: { is: 'single', ...shared, isPrivate, parts },
  }
}

/** A booking of the owner with parts. */
function anySplit(walk: Walk, account: Account): Wanted {
  const wanted = anySingle(walk, account, true)
  return wanted.json['splits'] ? wanted : anySplit(walk, account)
}

/** Whether all accounts of a booking can be booked on. */
const isOpenIn = (household: Walk['household']) => (one: Booking) => {
  const ids =
    one.is === 'single'
      ? [one.accountId, ...one.parts.flatMap(({ transfer }) => transfer?.to ?? [])]
      : [one.from, one.to]
  return ids.every((id) => isUsable(accountOf(household, id)))
}

/** A booking that can be worked on, of some kind. */
function anyBooking<Kind extends Booking>(
  { household, random }: Walk,
  isFit: (booking: Booking) => booking is Kind,
): Kind | undefined {
  const fitting = [...household.bookings.values()].filter(isFit).filter(isOpenIn(household))
  return fitting.length === 0 ? undefined : random.pick(fitting)
}

const isSingle = (one: Booking): one is Single =>
  one.is === 'single' && one.kind !== 'opening' && one.kind !== 'adjustment'
const isTransfer = (one: Booking): one is Transfer => one.is === 'transfer'
const isAny = (one: Booking): one is Booking => one.is === 'transfer' || one.kind !== 'opening'

const book: Step = async (walk) => {
  const { household, random } = walk
  if (household.bookings.size > MOST) {
    return remove(walk)
  }
  const account = random.pick(openAccounts(walk))
  const sender = senderOf(walk, account)
  const { json, booking } = anySingle(walk, account, sender === walk.sends[account.owner])
  const { id } = await sender<{ id: string }>('POST', '/transaction', json)
  const author = walk.sends[0] === sender ? 0 : 1
  household.bookings.set(id, { ...booking, id, author })
  return true
}

const adjust: Step = async (walk) => {
  const account = walk.random.pick(openAccounts(walk))
  const amount = BigInt(walk.random.whole(-5000, 5000) || 1)
  const shared = { kind: 'adjustment' as const, accountId: account.id, date: anyDay(walk) }
  const { id } = await walk.sends[account.owner]<{ id: string }>('POST', '/transaction', {
    ...{ ...shared, amount: text(amount, account.currency), status: 'cleared' },
  })
  const part = { amount, categoryId: null, payeeId: null, tagIds: [] }
  walk.household.bookings.set(id, {
    ...{
      is: 'single',
      id,
      ...shared,
      status: 'cleared',
      isPrivate: false,
      author: account.owner,
      parts: [part],
    },
  })
  return true
}

/** Makes a booking over into any other one of its account. */
const rewrite: Step = async (walk) => {
  // A part that was matched stays a transfer.
  const now = anyBooking(
    walk,
    (one): one is Single => isSingle(one) && !hasMatched(walk.household, one),
  )
  if (!now) {
    return false
  }
  const account = accountOf(walk.household, now.accountId)
  const isMoving = now.parts.some(({ transfer }) => transfer)
  // A transfer has to be told what becomes of it.
  const { json, booking } = isMoving ? anySplit(walk, account) : anySingle(walk, account, true)
  await walk.sends[account.owner]('PATCH', `/transaction/${now.id}`, {
    ...(json['splits'] ? {} : { splits: [] }),
    ...{ ...json, private: now.isPrivate, force: true },
  })
  walk.household.bookings.set(now.id, {
    ...{ ...booking, id: now.id, author: now.author, isPrivate: now.isPrivate },
  })
  return true
}

const change = async (
  walk: Walk,
  changes: Partial<Pick<Single, 'date' | 'status'>> & { private?: boolean },
) => {
  const now = anyBooking(walk, isSingle)
  if (!now) {
    return false
  }
  const { owner } = accountOf(walk.household, now.accountId)
  await walk.sends[owner]('PATCH', `/transaction/${now.id}`, { ...changes, force: true })
  const { private: isPrivate = now.isPrivate, ...said } = changes
  walk.household.bookings.set(now.id, { ...now, ...said, isPrivate })
  return true
}

const redate: Step = (walk) => change(walk, { date: anyDay(walk) })
const setStatus: Step = (walk) => change(walk, { status: anyStatus(walk) })

/** Only its owner hides a booking that others see. */
const setPrivate: Step = (walk) => change(walk, { private: walk.random.chance(0.5) })

function anyTransfer(walk: Walk, owner: Account['owner']) {
  const { random } = walk
  const accounts = openAccounts(walk).filter((one) => one.owner === owner)
  const from = random.pick(accounts)
  const to = random.pick(accounts.filter((one) => one !== from))
  const leaves = BigInt(random.whole(100, 2 ** random.whole(8, 15)))
  const fees = Array.from({ length: random.pick([0, 0, 1, 2]) }, () => ({
    ...{ amount: BigInt(random.whole(1, 40)), categoryId: categoryFor(walk, from, 'expense') },
  }))
  const rest = fees.reduce((left, { amount }) => left - amount, leaves)
  const isSame = from.currency === to.currency
  const arrives = isSame ? rest : BigInt(random.whole(1, 20_000))
  const categoryId = random.chance(0.6) ? categoryFor(walk, from, 'expense') : null
  const shared = { date: anyDay(walk), status: anyStatus(walk), categoryId }
  const transfer = {
    ...shared,
    is: 'transfer' as const,
    from: from.id,
    to: to.id,
    leaves,
    arrives,
    fees,
  }
  const json = {
    ...{ ...shared, fromAccountId: from.id, toAccountId: to.id },
    ...{ amount: text(leaves, from.currency), toAmount: text(arrives, to.currency) },
    fees: fees.map((fee) => ({ ...fee, amount: text(fee.amount, from.currency) })),
  }
  return { json, transfer }
}

const transfer: Step = async (walk) => {
  const owner = walk.random.pick([0, 0, 0, 1] as const)
  const { json, transfer: made } = anyTransfer(walk, owner)
  const { id } = await walk.sends[owner]<{ id: string }>('POST', '/transfer', json)
  walk.household.bookings.set(id, { ...made, id })
  return true
}

const rewriteTransfer: Step = async (walk) => {
  const now = anyBooking(walk, isTransfer)
  if (!now) {
    return false
  }
  const { owner } = accountOf(walk.household, now.from)
  const { json, transfer: made } = anyTransfer(walk, owner)
  await walk.sends[owner]('PUT', `/transfer/${now.id}`, { ...json, force: true })
  walk.household.bookings.set(now.id, { ...made, id: now.id })
  return true
}

const kindOf = ({ is }: Booking) => (is === 'transfer' ? 'transfer' : 'transaction')
const ownerOf = ({ household }: Walk, one: Booking) =>
  accountOf(household, one.is === 'transfer' ? one.from : one.accountId).owner

const remove: Step = async (walk) => {
  const now = anyBooking(walk, isAny)
  if (!now) {
    return false
  }
  await walk.sends[ownerOf(walk, now)]('DELETE', `/${kindOf(now)}/${now.id}?force=true`)
  walk.household.bookings.delete(now.id)
  walk.household.trash.set(now.id, now)
  return true
}

const restore: Step = async (walk) => {
  const { household, random, sends } = walk
  const fitting = [...household.trash.values()].filter(isOpenIn(household))
  if (fitting.length === 0 || household.bookings.size > MOST) {
    return false
  }
  const now = random.pick(fitting)
  await sends[ownerOf(walk, now)]('POST', `/trash/${kindOf(now)}/${now.id}/restore`)
  household.trash.delete(now.id)
  household.bookings.set(now.id, now)
  return true
}

/** A purchase and what comes back of it on the same day: they are converted as one. */
const refundAtOnce: Step = async (walk) => {
  const { household, random } = walk
  const now = anyBooking(walk, (one): one is Single => isSingle(one) && one.parts.length === 1)
  const [part] = now?.parts ?? []
  if (!now || !part || now.kind !== 'expense' || household.bookings.size > MOST) {
    return false
  }
  const account = accountOf(household, now.accountId)
  const amount = BigInt(random.whole(1, Number(-part.amount)))
  const shared = { kind: 'income' as const, accountId: account.id, status: 'cleared' as const }
  const said = { ...shared, date: random.chance(0.7) ? now.date : addDays(now.date, 1) }
  const json = { ...said, amount: text(amount, account.currency), categoryId: part.categoryId }
  const { id } = await walk.sends[account.owner]<{ id: string }>('POST', '/transaction', json)
  const parts = [{ amount, categoryId: part.categoryId, payeeId: null, tagIds: [] }]
  household.bookings.set(id, {
    is: 'single',
    id,
    ...said,
    isPrivate: false,
    author: account.owner,
    parts,
  })
  return true
}

export const bookingSteps: Record<string, Step> = {
  ...{ book, bookAgain: book, bookMore: book, adjust, rewrite, redate, setStatus, setPrivate },
  ...{ transfer, rewriteTransfer, remove, restore, refundAtOnce },
}
