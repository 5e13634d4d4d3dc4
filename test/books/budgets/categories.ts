import { addCategory, allPeriodsOf, type Walk } from './household.ts'
import {
  type Booking,
  type Budget,
  type Category,
  type Line,
  linesNow,
  type Lost,
  type Named,
  pathOf,
  type Single,
} from './state.ts'
import type { Step } from './steps.ts'
import type { Period } from './time.ts'

const anyExpense = ({ household, random }: Walk, isFit: (one: Category) => boolean) => {
  const fitting = household.categories.filter((one) => one.kind === 'expense' && isFit(one))
  return fitting.length === 0 ? undefined : random.pick(fitting)
}

/** Levels of categories that are there at most. */
const DEPTH = 4

/** Levels of a category and those below it. */
const levelsFrom = ({ household }: Walk, id: string): number =>
  household.categories
    .map((one) => pathOf(household, one.id))
    .filter((path) => path.includes(id))
    .reduce((most, path) => Math.max(most, path.indexOf(id) + 1), 0)

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
  const deepest = levelsFrom(walk, one.id)
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

const names = (booking: Booking, id: string): boolean =>
  (booking.is === 'single' ? booking.parts : [booking, ...booking.fees]).some(
    ({ categoryId }) => categoryId === id,
  )

/** Gives all that is booked on a category to another one. Says what that was, before and after. */
function replaceIn(
  { household }: Walk,
  gone: string,
  into: string,
): Pick<Lost, 'before' | 'after'> {
  const [before, after] = [new Map<string, Booking>(), new Map<string, Booking>()]
  for (const all of [household.bookings, household.trash]) {
    for (const [id, booking] of all) {
      if (names(booking, gone)) {
        const other = renamed(booking, gone, into)
        before.set(id, booking)
        after.set(id, other)
        all.set(id, other)
      }
    }
  }
  for (const [key, { row, part, date }] of household.matched) {
    const said = { ...part, categoryId: part.categoryId === gone ? into : part.categoryId }
    const other = names(row, gone) ? (renamed(row, gone, into) as Single) : row
    if (other !== row) {
      before.set(row.id, row)
      after.set(row.id, other)
    }
    household.matched.set(key, { row: other, part: said, date })
  }
  return { before, after }
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

/** The line of a budget that counts a category, by its name or by that of one above it; the nearest. */
const countingLine = ({ household }: Walk, budget: Budget, id: string): Line | undefined =>
  pathOf(household, id)
    .map((one) =>
      linesNow(budget).find(({ kind, named }) => kind === 'category' && namesNow(named, one)),
    )
    .find((line) => line !== undefined)

const namesNow = (named: Named[], id: string): boolean =>
  named.some((one) => one.id === id && one.until === null)

/** The newest closed period; before all where none is closed. */
const closedThrough = ({ closings }: Budget): string => [...closings.keys()].toSorted().at(-1) ?? ''

/** What a line has in open periods from one on, by period. */
const openAmounts = (budget: Budget, line: Line, from: string): [string, bigint][] =>
  [...budget.amounts].flatMap(([key, amount]): [string, bigint][] => {
    const [period = '', id] = key.split(' ')
    const isOpen = period >= from && period > closedThrough(budget)
    return id === line.id && isOpen && amount ? [[period, amount]] : []
  })

function add(budget: Budget, line: Line, amounts: [string, bigint][], times: 1n | -1n): void {
  for (const [period, amount] of amounts) {
    const key = `${period} ${line.id}`
    budget.amounts.set(key, (budget.amounts.get(key) ?? 0n) + amount * times)
  }
}

/**
 * Ends the line of envelopes that loses its last category to one of another line: in open periods that line has what it has. Its own
 * amounts stay with it, unseen.
 */
function endWithCategory(walk: Walk, budget: Budget, gone: string, into: string): Line | undefined {
  const line = linesNow(budget).find(({ named }) => namesNow(named, gone))
  const taker = countingLine(walk, budget, into)
  const isLast = line?.named.every(({ id, until }) => id === gone || until !== null)
  if (budget.mode === 'limit' || !line || !taker || taker === line || !isLast) {
    return undefined
  }
  const isOpen = ({ nominal }: Period) => nominal > closedThrough(budget)
  const from = allPeriodsOf(budget).find(isOpen)?.nominal ?? ''
  for (const below of linesNow(budget).filter(({ parentLineId }) => parentLineId === line.id)) {
    below.parentLineId = line.parentLineId
  }
  line.endsIn = from
  line.into = taker.id
  add(budget, taker, openAmounts(budget, line, from), 1n)
  return line
}

/** Lines that name a category which goes to the trash name the one that has its bookings, too, where no other line counts that. */
function alsoName(walk: Walk, budget: Budget, gone: string, into: string): Line[] {
  const taker = countingLine(walk, budget, into)
  const takers = linesNow(budget).filter(
    ({ named }) =>
      namesNow(named, gone) && (budget.mode === 'limit' ? !namesNow(named, into) : !taker),
  )
  for (const line of takers) {
    const from = line.named.find(({ id, until }) => id === gone && until === null)?.from ?? ''
    if (!line.named.some((one) => one.id === into && one.from === from)) {
      line.named.push({ id: into, from, until: null })
    }
  }
  return takers
}

/** Gives lines back what they had when a category went to the trash; in periods that were closed since it stays where it is. */
function giveBack(budget: Budget, { category, into, takers }: Lost): void {
  for (const line of budget.lines) {
    if (takers.includes(line.id) && line.named.some(({ id }) => id === category.id)) {
      line.named = line.named.filter(({ id }) => id !== into)
    }
    const named = line.named.find(({ id, until }) => id === category.id && until === null)
    const { endsIn } = line
    if (!named || endsIn === null) {
      continue
    }
    const taker = linesNow(budget).find(({ id }) => id === line.into)
    if (!taker) {
      named.until = endsIn
      continue
    }
    add(budget, taker, openAmounts(budget, line, endsIn), -1n)
    for (const key of budget.amounts.keys()) {
      const [period = '', id] = key.split(' ')
      if (id === line.id && period >= endsIn && period <= closedThrough(budget)) {
        budget.amounts.delete(key)
      }
    }
    line.endsIn = null
    line.into = null
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
  replaceIn(walk, gone.id, into.id)
  for (const budget of household.budgets) {
    const ended = endWithCategory(walk, budget, gone.id, into.id)
    if (ended) {
      ended.named = ended.named.filter(({ id }) => id !== gone.id)
    }
    followInLines(budget, gone.id, into.id)
  }
  household.categories = household.categories.filter((one) => one !== gone)
  await addCategory(walk, { owner: gone.owner, kind: 'expense', parentId: null })
  return true
}

/** A category goes to the trash, and all that is booked on it to another one; a later step brings it back. */
const loseCategory: Step = async (walk) => {
  const { household, sends } = walk
  if (household.lost) {
    return findCategory(walk, household.lost)
  }
  const gone = anyExpense(walk, () => true)
  const into = anyExpense(
    walk,
    ({ id, owner }) => owner === gone?.owner && !pathOf(household, id).includes(gone.id),
  )
  if (!gone || !into) {
    return false
  }
  if (pathOf(household, into.id).length + levelsFrom(walk, gone.id) - 1 > DEPTH) {
    return false
  }
  await sends[gone.owner]('DELETE', `/category/${gone.id}?reassignTo=${into.id}`)
  const takers = household.budgets.flatMap((budget) => {
    const added = alsoName(walk, budget, gone.id, into.id)
    endWithCategory(walk, budget, gone.id, into.id)
    return added.map(({ id }) => id)
  })
  const children = household.categories.filter(({ parentId }) => parentId === gone.id)
  for (const child of children) {
    child.parentId = into.id
  }
  household.categories = household.categories.filter((one) => one !== gone)
  const childIds = children.map(({ id }) => id)
  const replaced = replaceIn(walk, gone.id, into.id)
  household.lost = { category: gone, into: into.id, childIds, takers, ...replaced }
  return true
}

/** Brings a category back, with what was booked on it: where nothing of that was changed meanwhile, so that it is clear what. */
async function findCategory(walk: Walk, lost: Lost): Promise<boolean> {
  const { household, sends } = walk
  const { category, into, childIds, before, after } = lost
  const { id, owner } = category
  household.lost = null
  const { bookings, trash, matched } = household
  const away = (one: string) => [...matched].find(([, { row }]) => row.id === one)
  const at = (one: string) => bookings.get(one) ?? trash.get(one) ?? away(one)?.[1].row
  const isSame = [...after].every(([one, booking]) => at(one) === booking)
  const parent = household.categories.find((one) => one.id === category.parentId)
  const children = household.categories.filter(
    (one) => childIds.includes(one.id) && one.parentId === into,
  )
  const levels = 1 + Math.max(0, ...children.map((child) => levelsFrom(walk, child.id)))
  const above = parent ? pathOf(household, parent.id) : []
  const isLoop = children.some((child) => above.includes(child.id))
  if (!isSame || isLoop || above.length + levels > DEPTH) {
    await addCategory(walk, { owner, kind: 'expense', parentId: null })
    return true
  }
  await sends[owner]('POST', `/trash/category/${id}/restore`)
  for (const budget of household.budgets) {
    giveBack(budget, lost)
  }
  for (const child of children) {
    child.parentId = id
  }
  household.categories.push({ ...category, parentId: parent?.id ?? null })
  for (const [one, booking] of before) {
    const [key, pair] = away(one) ?? []
    if (key !== undefined && pair) {
      matched.set(key, { ...pair, row: booking as Single })
    } else {
      const all = bookings.has(one) ? bookings : trash
      all.set(one, booking)
    }
  }
  return true
}

export const categorySteps: Record<string, Step> = {
  ...{ moveCategory, setExcluded, merge, loseCategory, loseCategoryAgain: loseCategory },
}
