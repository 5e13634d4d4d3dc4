import {
  added,
  countsOf,
  isExcluded,
  isInside,
  keyOf,
  linesOver,
  type Sorter,
  type Sums,
} from './counting.ts'
import { type Figures, OUTSIDE } from './envelopes.ts'
import {
  type Budget,
  type Household,
  insideOf,
  type Line,
  linesIn,
  namesOf,
  pathOf,
  termsOf,
} from './state.ts'
import type { Period } from './time.ts'

export interface LimitPeriod {
  period: Period
  sums: Figures
  outside: Figures
  lines: Map<string, Figures>
  /** By line. */
  unconverted: Map<string, Map<string, bigint>>
  carried: Map<string, bigint>
  /** All that counted in it, also what was late. */
  counted: Sums
}

function sorterOf(household: Household, budget: Budget): Sorter {
  const inside = insideOf(household, budget)
  return (move, isHidden, nominal) => {
    const { accountId, flow, categoryId, counter, labels } = move
    const crosses =
      flow === 'transfer' && budget.countTransfers && !isInside(household, inside, counter)
    if (flow !== 'expense' && !crosses) {
      return flow === 'income' && !isHidden ? ['limitIncome'] : []
    }
    const lines = linesIn(budget, nominal)
    const over = lines
      .filter(
        (line) =>
          line.kind === 'everything' ||
          (line.kind === 'account' && namesOf(line, nominal).includes(accountId)),
      )
      .map(({ id }) => id)
    const isOut = isExcluded(household, categoryId)
    if (isOut && !isHidden) {
      return ['excluded']
    }
    if (isHidden) {
      return ['private', ...over]
    }
    const besides = [
      ...over,
      ...lines
        .filter(
          (line) =>
            (line.kind === 'tag' || line.kind === 'payee') &&
            namesOf(line, nominal).some((id) => labels.includes(id)),
        )
        .map(({ id }) => id),
    ]
    if (categoryId === null) {
      return [flow === 'transfer' ? 'transfers' : 'uncategorised', ...besides]
    }
    const naming = linesOver(household, budget, { categoryId, nominal })
    // Of lines over each other the topmost one's amount is added, and so what was spent is rounded as it is there.
    const topmost = naming.at(-1)
    return topmost === undefined
      ? ['uncovered', ...besides]
      : [...naming, `one of all: ${topmost}`, ...besides]
  }
}

/** Lines by category that stand below no other line's category. */
function topLines(household: Household, budget: Budget, nominal: string): Line[] {
  const lines = linesIn(budget, nominal).filter(({ kind }) => kind === 'category')
  const isBelow = (line: Line) =>
    namesOf(line, nominal).some((id) =>
      pathOf(household, id)
        .slice(1)
        .some((above) =>
          lines.some((other) => other !== line && namesOf(other, nominal).includes(above)),
        ),
    )
  return lines.filter((line) => !isBelow(line))
}

/** Where no line names a category: those over everything, then those by account, but for those that share an account with one before. */
function separateLines(household: Household, budget: Budget, nominal: string): Line[] {
  const accounts = insideOf(household, budget).map(({ id }) => id)
  const lines = linesIn(budget, nominal)
  const wanted = [
    ...lines.filter(({ kind }) => kind === 'everything'),
    ...lines.filter(({ kind }) => kind === 'account'),
  ]
  const accountsOf = (line: Line) =>
    line.kind === 'everything'
      ? accounts
      : accounts.filter((id) => namesOf(line, nominal).includes(id))
  const separate: Line[] = []
  for (const line of wanted) {
    const others = separate.flatMap(accountsOf)
    const own = accountsOf(line)
    if (own.length > 0 && !own.some((id) => others.includes(id))) {
      separate.push(line)
    }
  }
  return separate
}

export function limitsOf(household: Household, budget: Budget, periods: Period[]): LimitPeriod[] {
  const counts = countsOf(household, budget, {
    sort: sorterOf(household, budget),
    isCard: () => false,
    periods,
  })
  let carried = new Map<string, bigint>()
  let allLate: Sums = new Map()
  return periods.map((period): LimitPeriod => {
    const closed = budget.closings.get(period.nominal)
    if (closed && !('worth' in closed)) {
      // What is booked into it from now on is late.
      allLate = added(added(allLate, counts.all(period)), closed.counted, -1n)
      carried = closed.carried
      return closed
    }
    const sums = added(counts.all(period), allLate)
    const of = (name: string) => sums.get(keyOf(name)) ?? 0n
    allLate = new Map()
    const into = new Map<string, bigint>()
    const linesHere = linesIn(budget, period.nominal)
    const isByCategory = linesHere.some(
      (line) => line.kind === 'category' && namesOf(line, period.nominal).length > 0,
    )
    const tops = isByCategory
      ? topLines(household, budget, period.nominal)
      : separateLines(household, budget, period.nominal)
    const rows = linesHere.map((line): [string, Figures] => {
      const terms = termsOf(budget, line, period.nominal)
      const amount = budget.amounts.get(`${period.nominal} ${line.id}`) ?? terms.amount ?? 0n
      const carriedIn = carried.get(line.id) ?? 0n
      const total = amount + carriedIn
      const spent = -of(line.id)
      const remaining = total - spent
      into.set(line.id, carriedOf(remaining, terms))
      return [line.id, { carriedIn, amount, total, spent, remaining }]
    })
    const lines = new Map(rows)
    carried = into
    const sumOf = (name: string) =>
      tops.reduce((sum, { id }) => sum + (lines.get(id)?.[name] ?? 0n), 0n)
    const spent = isByCategory
      ? linesHere.reduce((sum, { id }) => sum - of(`one of all: ${id}`), 0n)
      : sumOf('spent')
    const amount = sumOf('amount')
    return {
      ...{ period, lines, carried: into },
      counted: new Map([...sums].filter(([key]) => !key.startsWith('pending|'))),
      unconverted: new Map(linesHere.map(({ id }) => [id, counts.unconverted(period, id)])),
      outside: Object.fromEntries(OUTSIDE.map((name) => [name, -of(name)])),
      sums: {
        ...{ amount, spent, remaining: amount + sumOf('carriedIn') - spent },
        income: of('limitIncome'),
        ...(budget.countPending ? {} : { pending: -of('pending') }),
      },
    }
  })
}

function carriedOf(remaining: bigint, { policy, cap }: ReturnType<typeof termsOf>): bigint {
  if (remaining > 0n) {
    const isCarried = policy === 'surplus' || policy === 'both'
    return isCarried ? (cap !== null && cap < remaining ? cap : remaining) : 0n
  }
  return policy === 'deficit' || policy === 'both' ? remaining : 0n
}
