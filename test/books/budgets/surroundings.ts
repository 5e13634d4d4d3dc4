import { senderOf } from './choices.ts'
import { movesOf } from './counting.ts'
import { addRate, anyDay, text, type Walk } from './household.ts'
import { type Account, isUsable } from './state.ts'
import type { Step } from './steps.ts'

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

/** Whether an owner can do without one of the accounts: a transfer needs two. */
const isSpare = ({ household }: Walk, { owner }: Account): boolean =>
  household.accounts.filter((one) => one.owner === owner && isUsable(one)).length > 2

/** An account goes to the trash, and a later step brings it back. */
const trashAccount: Step = async (walk) => {
  const { household, random, sends } = walk
  const gone = household.accounts.find(({ isTrashed }) => isTrashed)
  if (gone) {
    await sends[gone.owner]('POST', `/trash/account/${gone.id}/restore`)
    gone.isTrashed = false
    return true
  }
  const one = random.pick(household.accounts.slice(1))
  if (one.isShared || one.isClosed || !isSpare(walk, one)) {
    return false
  }
  await sends[one.owner]('DELETE', `/account/${one.id}`)
  one.isTrashed = true
  return true
}

/** An account is closed once nothing is on it, and a later step opens it again. */
const closeAccount: Step = async (walk) => {
  const { household, random, sends } = walk
  const closed = household.accounts.find(({ isClosed }) => isClosed)
  if (closed) {
    await sends[closed.owner]('POST', `/account/${closed.id}/reopen`)
    closed.isClosed = false
    return true
  }
  const one = random.pick(household.accounts.slice(1).filter(isUsable))
  if (!isSpare(walk, one)) {
    return false
  }
  const left = [...household.bookings.values()]
    .flatMap((booking) => movesOf(household, booking))
    .filter(({ accountId }) => accountId === one.id)
    .reduce((sum, { amount }) => sum + amount, 0n)
  if (left !== 0n) {
    await empty(walk, one, left)
  }
  await sends[one.owner]('POST', `/account/${one.id}/close`, {})
  one.isClosed = true
  return true
}

/** Sends what is on an account, or missing, to another one or from it. */
async function empty(walk: Walk, one: Account, left: bigint): Promise<void> {
  const { household, random, sends } = walk
  const other = random.pick(
    household.accounts.filter((heir) => heir !== one && heir.owner === one.owner && isUsable(heir)),
  )
  const size = left > 0n ? left : -left
  const far = other.currency === one.currency ? size : BigInt(random.whole(1, 20_000))
  const [from, to] = left > 0n ? [one, other] : [other, one]
  const [leaves, arrives] = left > 0n ? [size, far] : [far, size]
  const shared = { date: anyDay(walk), status: 'cleared' as const, categoryId: null }
  const { id } = await sends[one.owner]<{ id: string }>('POST', '/transfer', {
    ...{ ...shared, fromAccountId: from.id, toAccountId: to.id },
    ...{ amount: text(leaves, from.currency), toAmount: text(arrives, to.currency) },
  })
  const is = 'transfer' as const
  const ends = { from: from.id, to: to.id, leaves, arrives, fees: [] }
  household.bookings.set(id, { is, id, ...shared, ...ends })
}

/** Says which accounts are inside of a budget: some, or all that are on budget. */
const chooseAccounts: Step = async (walk) => {
  const { household, random } = walk
  const budget = random.pick(household.budgets)
  const allowed = household.accounts.filter(
    ({ isShared, isTrashed, owner }) =>
      !isTrashed && (isShared || (!budget.isOfGroup && owner === budget.owner)),
  )
  const some = allowed.filter(() => random.chance(0.7)).map(({ id }) => id)
  const accountIds = random.chance(0.5) || some.length === 0 ? null : some
  const json = accountIds ? { accounts: 'chosen', accountIds } : { accounts: 'onBudget' }
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}`, json)
  budget.accountIds = accountIds
  return true
}

export const surroundingSteps: Record<string, Step> = {
  ...{ setRate, changeRate, dropRate, share, setOnBudget },
  ...{ closeAccount, closeAccountAgain: closeAccount, chooseAccounts },
  ...{ setType, trashAccount, trashAccountAgain: trashAccount },
}
