import { addCategory, addRate, anyDay, type Walk } from './household.ts'
import { type Booking, type Budget, type Category, type Named, pathOf } from './state.ts'
import type { Step } from './steps.ts'

const anyExpense = ({ household, random }: Walk, isFit: (one: Category) => boolean) => {
  const fitting = household.categories.filter((one) => one.kind === 'expense' && isFit(one))
  return fitting.length === 0 ? undefined : random.pick(fitting)
}

const setRate: Step = async (walk) => {
  const { household, random, sends } = walk
  const [from, to, least, most] = random.pick([
    ...[['USD', 'EUR', 800, 1200] as const, ['EUR', 'JPY', 150_000, 170_000] as const],
    ...[['USD', 'JPY', 140_000, 160_000] as const, ['BHD', 'USD', 2600, 2700] as const],
  ])
  const rate = (random.whole(least, most) / 1000).toString()
  const date = anyDay(walk)
  const there = household.rates.find(
    (one) => one.from === from && one.to === to && one.date === date,
  )
  if (!there) {
    await addRate(walk, { from, to, date, rate })
    return true
  }
  await sends[0]('PUT', `/exchange-rate/${there.id}`, { rate })
  there.rate = rate
  return true
}

const changeRate: Step = async ({ household, random, sends }) => {
  const there = random.pick(household.rates)
  const rate = (Number(there.rate) * (1 + random.whole(-50, 50) / 1000)).toFixed(6)
  await sends[0]('PUT', `/exchange-rate/${there.id}`, { rate })
  there.rate = rate
  return true
}

const dropRate: Step = async ({ household, random, sends }) => {
  if (household.rates.length < 4) {
    return false
  }
  const there = random.pick(household.rates)
  await sends[0]('DELETE', `/exchange-rate/${there.id}`)
  household.rates = household.rates.filter((one) => one !== there)
  return true
}

/** Levels of categories that are there at most. */
const DEPTH = 4

const moveCategory: Step = async (walk) => {
  const { household, random, sends } = walk
  const one = anyExpense(walk, () => true)
  const parent = anyExpense(
    walk,
    ({ id, owner }) =>
      owner === one?.owner &&
      !pathOf(household, id).includes(one.id) &&
      pathOf(household, id).length < 3,
  )
  if (!one) {
    return false
  }
  const deepest = household.categories
    .map(({ id }) => pathOf(household, id))
    .filter((path) => path.includes(one.id))
    .reduce((most, path) => Math.max(most, path.indexOf(one.id) + 1), 0)
  const parentId = random.chance(0.3) || !parent ? null : parent.id
  if (parentId && pathOf(household, parentId).length + deepest > DEPTH) {
    return false
  }
  await sends[one.owner]('PUT', `/category/${one.id}`, { parentId })
  one.parentId = parentId
  return true
}

const setExcluded: Step = async (walk) => {
  const one = anyExpense(walk, () => true)
  if (!one) {
    return false
  }
  const isExcluded = !one.isExcluded && walk.random.chance(0.6)
  await walk.sends[one.owner]('PUT', `/category/${one.id}`, { excludeFromBudget: isExcluded })
  one.isExcluded = isExcluded
  return true
}

function renamed(booking: Booking, gone: string, into: string): Booking {
  const other = (id: string | null) => (id === gone ? into : id)
  const of = <One extends { categoryId: string | null }>(one: One): One => ({
    ...one,
    categoryId: other(one.categoryId),
  })
  return booking.is === 'single'
    ? { ...booking, parts: booking.parts.map(of) }
    : { ...of(booking), fees: booking.fees.map(of) }
}

/**
 * Lines name the other category, but where another line of envelopes names that one already in the same periods. A limit that names
 * both goes on with one, in the periods of both.
 */
function followInLines({ mode, lines }: Budget, gone: string, into: string): void {
  const meet = (one: Named, other: Named) =>
    one.from < (other.until ?? '~') && other.from < (one.until ?? '~')
  for (const line of lines) {
    const others = (mode === 'envelope' ? lines : [line]).flatMap(({ named }) => named)
    for (const one of line.named.filter(({ id }) => mode === 'limit' && id === into)) {
      const both = line.named.filter(({ id, until }) => id === gone && until === one.until)
      one.from = [one, ...both].map(({ from }) => from).toSorted()[0] ?? ''
    }
    line.named = line.named.flatMap((one) => {
      const isTaken = others.some((other) => other.id === into && meet(one, other))
      return one.id === gone ? (isTaken ? [] : [{ ...one, id: into }]) : [one]
    })
  }
}

/** One category takes the place of another, in lines too, where none has it yet; a new one keeps their number. */
const merge: Step = async (walk) => {
  const { household, sends } = walk
  const gone = anyExpense(
    walk,
    ({ id }) => !household.categories.some(({ parentId }) => parentId === id),
  )
  const into = anyExpense(walk, (one) => one.owner === gone?.owner && one !== gone)
  if (!gone || !into) {
    return false
  }
  await sends[gone.owner]('POST', `/category/${into.id}/merge`, { categoryId: gone.id })
  for (const all of [household.bookings, household.trash]) {
    for (const [id, booking] of all) {
      all.set(id, renamed(booking, gone.id, into.id))
    }
  }
  for (const budget of household.budgets) {
    followInLines(budget, gone.id, into.id)
  }
  household.categories = household.categories.filter((one) => one !== gone)
  await addCategory(walk, { owner: gone.owner, kind: 'expense', parentId: null })
  return true
}

/** Shares an account with the group, or takes it back. The first one stays. */
const share: Step = async ({ household, random, sends, groupId }) => {
  const one = random.pick(household.accounts.slice(1))
  if (one.isTrashed) {
    return false
  }
  const path = `/account/${one.id}/share-group`
  await (one.isShared
    ? sends[one.owner]('DELETE', path)
    : sends[one.owner]('PUT', path, { groupId, permission: 'write' }))
  one.isShared = !one.isShared
  return true
}

const setOnBudget: Step = async ({ household, random, sends }) => {
  const one = random.pick(household.accounts.slice(1))
  if (one.isTrashed) {
    return false
  }
  await sends[one.owner]('PUT', `/account/${one.id}`, { onBudget: !one.onBudget })
  one.onBudget = !one.onBudget
  return true
}

const setType: Step = async ({ household, random, sends }) => {
  const one = random.pick(household.accounts.slice(3))
  if (one.isTrashed) {
    return false
  }
  const type = one.type === 'creditCard' ? 'checking' : 'creditCard'
  await sends[one.owner]('PUT', `/account/${one.id}`, { type, onBudget: one.onBudget })
  one.type = type
  return true
}

/** An account goes to the trash, and a later step brings it back. */
const trashAccount: Step = async ({ household, random, sends }) => {
  const gone = household.accounts.find(({ isTrashed }) => isTrashed)
  if (gone) {
    await sends[gone.owner]('POST', `/trash/account/${gone.id}/restore`)
    gone.isTrashed = false
    return true
  }
  const one = random.pick(household.accounts.slice(1))
  if (one.isShared) {
    return false
  }
  await sends[one.owner]('DELETE', `/account/${one.id}`)
  one.isTrashed = true
  return true
}

export const surroundingSteps: Record<string, Step> = {
  ...{ setRate, changeRate, dropRate, moveCategory, setExcluded, merge, share, setOnBudget },
  ...{ setType, trashAccount, trashAccountAgain: trashAccount },
}
