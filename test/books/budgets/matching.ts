import { anyDay, text, type Walk } from './household.ts'
import {
  type Account,
  accountOf,
  type Booking,
  type Household,
  isUsable,
  type Part,
  type Single,
} from './state.ts'
import type { Step } from './steps.ts'

/** A row that was matched into a part, with what that was before, and the day of the whole. */
export interface MatchedPart {
  row: Single
  part: Part
  date: string
}

const keyOf = ({ id }: Single, at: number) => `${id} ${at}`

export const hasMatched = ({ matched }: Household, one: Single): boolean =>
  one.parts.some((_, at) => matched.has(keyOf(one, at)))

const isWhole = (one: Booking): one is Single =>
  one.is === 'single' &&
  one.parts.length > 1 &&
  one.status !== 'void' &&
  (one.kind === 'expense' || one.kind === 'income')

const canBookOn = (household: Household, { accountId, parts }: Single) =>
  [accountId, ...parts.flatMap(({ transfer }) => transfer?.to ?? [])].every((id) =>
    isUsable(accountOf(household, id)),
  )

/** A category for incomes is none of a transfer. */
const keptBy = ({ categories }: Household, { categoryId, transfer }: Part): string | null =>
  transfer || categories.some(({ id, kind }) => id === categoryId && kind === 'expense')
    ? categoryId
    : null

const half = ({ parts: [part] }: Single): bigint => part?.amount ?? 0n

/** Whether a row is the other half of a part. */
function isHalf(household: Household, whole: Single, part: Part, row: Booking): row is Single {
  if (row.is !== 'single' || (row.kind !== 'expense' && row.kind !== 'income')) {
    return false
  }
  const [from, to] = [accountOf(household, whole.accountId), accountOf(household, row.accountId)]
  return (
    row.parts.length === 1 &&
    (row.status === 'cleared' || row.status === 'uncleared') &&
    from !== to &&
    from.owner === to.owner &&
    isUsable(to) &&
    (!part.transfer || part.transfer.to === to.id) &&
    half(row) < 0n === part.amount > 0n &&
    (from.currency !== to.currency || half(row) === -part.amount) &&
    (!row.isPrivate || whole.isPrivate)
  )
}

/** What the bank of another account says of a part. */
async function bookHalf(walk: Walk, whole: Single, part: Part): Promise<Single | undefined> {
  const { household, random, sends } = walk
  const from = accountOf(household, whole.accountId)
  const others = household.accounts.filter(
    (one) =>
      isUsable(one) &&
      one.owner === from.owner &&
      (part.transfer ? one.id === part.transfer.to : one !== from),
  )
  if (others.length === 0) {
    return undefined
  }
  const account: Account = random.pick(others)
  const same = part.amount < 0n ? -part.amount : part.amount
  const size = account.currency === from.currency ? same : BigInt(random.whole(1, 20_000))
  const kind = part.amount < 0n ? ('income' as const) : ('expense' as const)
  const fitting = household.categories.filter(
    (one) => one.owner === account.owner && one.kind === kind,
  )
  const categoryId = random.chance(0.5) ? random.pick(fitting).id : null
  const shared = { kind, accountId: account.id, date: anyDay(walk), status: 'cleared' as const }
  const { id } = await sends[account.owner]<{ id: string }>('POST', '/transaction', {
    ...{ ...shared, categoryId, amount: text(size, account.currency) },
  })
  const amount = kind === 'income' ? size : -size
  const row: Single = {
    ...{ is: 'single', id, ...shared, isPrivate: false, author: account.owner },
    parts: [{ amount, categoryId, payeeId: null, tagIds: [] }],
  }
  household.bookings.set(id, row)
  return row
}

interface Body {
  splits: { id: string }[]
}

async function pathOfPart({ sends, household }: Walk, whole: Single, at: number) {
  const send = sends[accountOf(household, whole.accountId).owner]
  const { splits } = await send<Body>('GET', `/transaction/${whole.id}/split`)
  return { send, path: `/transaction/${whole.id}/split/${splits[at]?.id}` }
}

const withPart = (whole: Single, at: number, part: Part): Single => ({
  ...whole,
  parts: whole.parts.map((one, index) => (index === at ? part : one)),
})

/** A row of another account becomes the other side of a part. */
const matchPart: Step = async (walk) => {
  const { household, random } = walk
  const { bookings, matched } = household
  const fitting = [...bookings.values()]
    .filter(isWhole)
    .filter((one) => canBookOn(household, one))
    .flatMap((whole) =>
      whole.parts.flatMap((part, at) =>
        matched.has(keyOf(whole, at)) ? [] : [{ whole, part, at }],
      ),
    )
  if (fitting.length === 0) {
    return false
  }
  const { whole, part, at } = random.pick(fitting)
  const halves = [...bookings.values()].filter((row) => isHalf(household, whole, part, row))
  const row =
    halves.length > 0 && random.chance(0.7)
      ? (random.pick(halves) as Single)
      : await bookHalf(walk, whole, part)
  if (!row) {
    return false
  }
  const { send, path } = await pathOfPart(walk, whole, at)
  await send('POST', `${path}/match`, { transactionId: row.id, force: true })
  matched.set(keyOf(whole, at), { row, part, date: whole.date })
  bookings.delete(row.id)
  const transfer = { to: row.accountId, arrives: half(row) }
  const changed = { ...part, categoryId: keptBy(household, part), payeeId: null, transfer }
  bookings.set(whole.id, withPart(whole, at, changed))
  return true
}

/** The row comes back, and the part is what it was, but for what has changed since. */
const unmatchPart: Step = async (walk) => {
  const { household, random } = walk
  const { bookings, matched } = household
  const fitting = [...bookings.values()]
    .filter(isWhole)
    .filter((one) => canBookOn(household, one))
    .flatMap((whole) =>
      whole.parts.flatMap((now, at) => {
        const before = matched.get(keyOf(whole, at))
        return before ? [{ whole, now, at, before }] : []
      }),
    )
  if (fitting.length === 0) {
    return false
  }
  const { whole, now, at, before } = random.pick(fitting)
  const { send, path } = await pathOfPart(walk, whole, at)
  await send('POST', `${path}/unmatch?force=true`)
  matched.delete(keyOf(whole, at))
  const { row, part, date } = before
  const isKept = !part.transfer && now.categoryId === keptBy(household, part)
  const { transfer: _matched, ...rest } = now
  bookings.set(
    whole.id,
    withPart(whole, at, {
      ...rest,
      categoryId: isKept ? part.categoryId : now.categoryId,
      payeeId: part.payeeId,
      ...(part.transfer ? { transfer: part.transfer } : {}),
    }),
  )
  bookings.set(row.id, { ...row, date: whole.date === date ? row.date : whole.date })
  return true
}

export const matchingSteps: Record<string, Step> = { matchPart, matchMore: matchPart, unmatchPart }
