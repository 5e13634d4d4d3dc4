import type { Difference } from '../comparison.ts'
import { type EnvelopePeriod, envelopesOf, type Figures } from './envelopes.ts'
import { allPeriodsOf, text, type Walk } from './household.ts'
import { limitsOf } from './limits.ts'
import { type Budget, type Household, isPaymentCard, insideOf } from './state.ts'
import { unitsOf, DIGITS } from '../../domain/reference.ts'
import { type Need, needOf } from './targets.ts'
import type { Period } from './time.ts'

type Texts = Record<string, unknown>
interface Said {
  period: string
  start: string
  end: string
  outside: Texts
  outsideCategories: { figure: string; amount: string }[]
  unconverted: { lineId: string | null; currency: string; amount: string }[]
  envelope?: Texts & { lines: (Texts & { lineId: string; withBelow: Texts })[] }
  limit?: Texts & { lines: (Texts & { lineId: string })[] }
}

const only = (said: Texts, names: string[]): Texts =>
  Object.fromEntries(names.map((name) => [name, said[name]]))

const texts = (figures: Figures, currency: string): Texts =>
  Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, text(one, currency)]))

const BELOW = ['carriedIn', 'assigned', 'activity', 'available']

/** The sums of a line and of all lines that stand below it. */
function withBelow(budget: Budget, lines: Map<string, Figures>, id: string): Figures {
  const children = budget.lines.filter((one) => one.parentLineId === id && lines.has(one.id))
  const below = children.map((child) => withBelow(budget, lines, child.id))
  return Object.fromEntries(
    BELOW.map((name) => [
      name,
      [lines.get(id) ?? {}, ...below].reduce((sum, one) => sum + (one[name] ?? 0n), 0n),
    ]),
  )
}

/** Whole percents of what there is; of nothing there are none. */
function percentOf({ total = 0n, spent = 0n }: Figures): number | null {
  return total <= 0n ? null : Number(((spent > 0n ? spent : 0n) * 100n) / total)
}

interface Meant {
  period: Period
  sums: Figures
  outside: Figures
  lines: Map<string, Figures>
  unconverted: Map<string, Map<string, bigint>>
  worth?: bigint
  /** By line. */
  needs?: Map<string, Need>
}

const NO_NEED = { needed: null, targetStatus: null }

function needIn({ needs }: Meant, id: string, currency: string): Texts {
  const need = needs?.get(id)
  return need ? { needed: text(need.needed, currency), targetStatus: need.status } : NO_NEED
}

/** What lines with a target still need, in each period in which they are there. */
const withNeeds = (budget: Budget, all: EnvelopePeriod[]): Meant[] =>
  all.map((at) => ({
    ...at,
    needs: new Map(
      [...budget.targets]
        .filter(([line]) => at.lines.has(line))
        .map(([line, target]) => [line, needOf(budget, target, { line, at, all })]),
    ),
  }))

/** What counted nowhere, by line and currency: told with the sign of what counts. */
function unconvertedIn({ mode, lines }: Budget, said: Said, meant: Meant): [string[], string[]] {
  const sums = new Map<string, bigint>()
  for (const { lineId, currency, amount } of said.unconverted) {
    if (lines.some(({ id }) => id === lineId)) {
      const key = `${lineId} ${currency}`
      sums.set(key, (sums.get(key) ?? 0n) + unitsIn(amount, currency))
    }
  }
  const wanted = [...meant.unconverted].flatMap(([id, byCurrency]) =>
    [...byCurrency].map(([currency, minor]): [string, bigint] => [
      `${id} ${currency}`,
      mode === 'limit' ? -minor : minor,
    ]),
  )
  const shown = (all: Iterable<[string, bigint]>) =>
    [...all]
      .filter(([, minor]) => minor !== 0n)
      .map((one) => one.join(' '))
      .toSorted()
  return [shown(sums), shown(wanted)]
}

function unitsIn(value: unknown, currency: string): bigint {
  const read = unitsOf(String(value), DIGITS[currency] ?? 0, { signed: true, allowZero: true })
  if (typeof read === 'string') {
    throw new Error(`${String(value)} ${currency}: ${read}`)
  }
  return read
}

/** The identity of envelopes, in what is said: all money has one place, and is as much as the accounts are worth. */
function moneyIn({ envelope }: Said, currency: string): string {
  const units = (value: unknown) => unitsIn(value, currency)
  const inLines = (envelope?.lines ?? []).reduce(
    (sum, row) => sum + units(row['available']) + units(row['creditOverspent']),
    0n,
  )
  return text(
    inLines +
      units(envelope?.['toBeBudgeted']) +
      units(envelope?.['held']) +
      units(envelope?.['deferred']),
    currency,
  )
}

/** What categories add to figures outside of lines, and these figures. */
function madeOfCategories({ outside, outsideCategories }: Said, currency: string): string[][] {
  const figures = ['uncovered', 'excluded']
  const sums = figures.map((figure) =>
    outsideCategories
      .filter((one) => one.figure === figure)
      .reduce((sum, { amount }) => sum + unitsIn(amount, currency), 0n),
  )
  return [sums.map((sum) => text(sum, currency)), figures.map((figure) => String(outside[figure]))]
}

/** Of a card that left, a closed period has no row any more. */
function shownIn(
  household: Household,
  budget: Budget,
  { period, lines }: Meant,
): Map<string, Figures> {
  if (!budget.closings.has(period.nominal)) {
    return lines
  }
  const cards = insideOf(household, budget).filter((one) => isPaymentCard(budget, one))
  const payments = cards.flatMap(({ id }) => budget.paymentLines.get(id) ?? [])
  const ids = [...budget.lines.map(({ id }) => id), ...payments]
  return new Map([...lines].filter(([id]) => ids.includes(id)))
}

function compare(household: Household, budget: Budget, said: Said, meant: Meant): Difference[] {
  const { currency } = budget
  const { period, sums, outside, worth = 0n } = meant
  const lines = shownIn(household, budget, meant)
  const isEnvelope = budget.mode === 'envelope'
  const { credit: _, pending, ...others } = sums
  // Only where it does not count now.
  const isNamed = pending !== undefined && !budget.countPending
  const figures = isNamed ? { ...others, pending } : others
  const body = (isEnvelope ? said.envelope : said.limit) ?? { lines: [] }
  const rows = new Map<string, Texts>(body.lines.map((row) => [row.lineId, row]))
  const of = `${budget.mode} ${budget.id} ${period.nominal}`
  const [notCounted, meantNotCounted] = unconvertedIn(budget, said, meant)
  const [ofCategories, ofFigures] = madeOfCategories(said, currency)
  const dates = { period: period.nominal, start: period.start, end: period.end }
  return [
    {
      of: `${of} sums`,
      said: [
        only({ ...said }, Object.keys(dates)),
        only(body, Object.keys(figures)),
        only(said.outside, Object.keys(outside)),
      ],
      meant: [dates, texts(figures, currency), texts(outside, currency)],
    },
    { of: `${of} lines`, said: [...rows.keys()].toSorted(), meant: [...lines.keys()].toSorted() },
    ...[...lines].map(([id, row]) => {
      const meantRow = {
        ...texts(row, currency),
        ...(isEnvelope
          ? {
              withBelow: texts(withBelow(budget, lines, id), currency),
              ...needIn(meant, id, currency),
            }
          : { percent: percentOf(row) }),
      }
      return {
        of: `${of} line ${id}`,
        said: only(rows.get(id) ?? {}, Object.keys(meantRow)),
        meant: meantRow,
      }
    }),
    // What is late is not among them, and what is closed keeps none.
    ...(budget.closings.size > 0
      ? []
      : [{ of: `${of} categories outside`, said: ofCategories, meant: ofFigures }]),
    ...(budget.closings.has(period.nominal)
      ? []
      : [{ of: `${of} unconverted`, said: notCounted, meant: meantNotCounted }]),
    ...(isEnvelope && lines.size === meant.lines.size
      ? [{ of: `${of} identity`, said: moneyIn(said, currency), meant: text(worth, currency) }]
      : []),
  ].filter((one) => JSON.stringify(one.said) !== JSON.stringify(one.meant))
}

/** As many requests of one user as are done at once: those that have to wait for long are refused. */
const AT_ONCE = 4

/** What budgets say, and ought not to: in all periods, or in one of each budget. */
export async function differencesOf(walk: Walk, all: boolean): Promise<Difference[]> {
  const { household, random, sends } = walk
  const found: Difference[] = []
  for (const budget of household.budgets) {
    await learnPaymentLines(walk, budget)
    const periods = allPeriodsOf(budget)
    const meant: Meant[] =
      budget.mode === 'envelope'
        ? withNeeds(budget, envelopesOf(household, budget, periods))
        : limitsOf(household, budget, periods)
    const some = all ? meant : [random.pick(meant)]
    const differing = async (one: Meant): Promise<Difference[]> => {
      const path = `/budget/${budget.id}/period/${one.period.nominal}`
      const said = await sends[0]<Said>('GET', path)
      const other = budget.isOfGroup && all ? await sends[1]<Said>('GET', path) : said
      const isSame = JSON.stringify(said) === JSON.stringify(other)
      return [
        ...(isSame ? [] : [{ of: `${path} for the other member`, said: other, meant: said }]),
        ...compare(household, budget, said, one),
      ]
    }
    for (let at = 0; at < some.length; at += AT_ONCE) {
      found.push(...(await Promise.all(some.slice(at, at + AT_ONCE).map(differing))).flat())
    }
  }
  return found
}

/** The id of the payment line of a card is of the budget's own making. */
export async function learnPaymentLines({ sends, household }: Walk, budget: Budget): Promise<void> {
  const cards = insideOf(household, budget).filter((one) => isPaymentCard(budget, one))
  if (cards.every(({ id }) => budget.paymentLines.has(id))) {
    return
  }
  const { lines } = await sends[0]<{ lines: { id: string; accountId: string | null }[] }>(
    'GET',
    `/budget/${budget.id}/line`,
  )
  for (const { id, accountId } of lines) {
    if (accountId) {
      budget.paymentLines.set(accountId, id)
    }
  }
}
