import { sum } from '../money.ts'
import type { Counted } from './conversion.ts'
import type { Coverage } from './coverage.ts'
import type { Flow, InsideAccount } from './flows.ts'

/** The rules that decide where a flow counts. */
export interface CountingRules {
  accounts: ReadonlyMap<string, InsideAccount>
  /** By index of the period, as lines and their categories change from period to period. */
  coverageIn: (period: number) => Coverage
  periodOf: (day: string) => number
  countPending: boolean
}

export interface EnvelopeRules extends CountingRules {
  incomeInNextPeriod: ReadonlySet<string>
}

/** A line of a limit budget that counts accounts, not categories. Lines by tag and payee count rows, not flows. */
export interface AccountLine {
  id: string
  /** Undefined for everything. */
  accountIds: ReadonlySet<string> | undefined
}

export interface LimitRules extends CountingRules {
  countTransfers: boolean
  accountLinesIn: (period: number) => readonly AccountLine[]
}

/** The key of a line or figure, for what counts in cash or on a card with a payment line. */
export const figureKey = (name: string, card = ''): string =>
  card === '' ? name : `${name} ${card}`

/** The line or figure of a key, and its card; empty for cash. */
export function splitKey(key: string): [name: string, card: string] {
  const end = key.indexOf(' ')
  return end === -1 ? [key, ''] : [key.slice(0, end), key.slice(end + 1)]
}

/** The key of what a line adds to the spending of a whole limit budget: each category counts in one of them. */
export const totalOf = (lineId: string): string => `total ${lineId}`

/** Counts the flows of an envelope budget. `hidden` are those of them that not everybody who sees the budget may see. */
export const countEnvelope = (
  flows: readonly Flow[],
  hidden: readonly Flow[],
  rules: EnvelopeRules,
): Counted[] =>
  count(flows, hidden, rules, {
    keysOf: (flow, account, period) => envelopeKeys(flow, account, period, rules),
    hiddenKeysOf: (keys, account) =>
      keys.some(isPayment) ? keys : [figureKey('private', cardOf(account))],
    isNamedPending: (key) => !isPayment(key),
  })

/** Counts the flows of a limit budget, with the sign of `activity`. */
export const countLimits = (
  flows: readonly Flow[],
  hidden: readonly Flow[],
  rules: LimitRules,
): Counted[] =>
  count(flows, hidden, rules, {
    keysOf: (flow, account, period) => limitKeys(flow, account, period, rules),
    hiddenKeysOf: (keys, account, period) =>
      keys.includes('income') ? [] : ['private', ...accountLines(account, period, rules)],
    isNamedPending: (key) => key !== 'income',
  })

const isPayment = (key: string): boolean => key.startsWith('payments ')

interface Keys {
  keysOf: (flow: Flow, account: InsideAccount, period: number) => string[]
  /** Returns the keys that a hidden flow counts under instead of those keys, of which there is at least one. */
  hiddenKeysOf: (keys: string[], account: InsideAccount, period: number) => string[]
  /** Tells if the pending part of what counts here is named in `pending` when it does not count yet. */
  isNamedPending: (key: string) => boolean
}

function count(
  flows: readonly Flow[],
  hidden: readonly Flow[],
  { accounts, periodOf, countPending }: CountingRules,
  { keysOf, hiddenKeysOf, isNamedPending }: Keys,
): Counted[] {
  function counted(flow: Flow, isHidden: boolean): Counted[] {
    const account = accounts.get(flow.accountId)
    if (!account) {
      return []
    }
    const { day, categoryId, amountMinor, pendingMinor } = flow
    const period = periodOf(day)
    const on = (keys: string[], minor: number): Counted[] =>
      keys.map((key) => ({ period, day, currency: account.currency, key, categoryId, minor }))
    const minor = countPending ? amountMinor : sum([amountMinor, -pendingMinor])
    const keys = keysOf(flow, account, period)
    if (isHidden) {
      const instead = keys.length === 0 ? [] : hiddenKeysOf(keys, account, period)
      return [...on(keys, 0 - minor), ...on(instead, minor)]
    }
    const pending = !countPending && keys.some(isNamedPending) ? ['pending'] : []
    return [...on(keys, minor), ...on(pending, pendingMinor)]
  }
  return [
    ...flows.flatMap((flow) => counted(flow, false)),
    ...hidden.flatMap((flow) => counted(flow, true)),
  ]
}

/** The card that a flow on the account counts on; empty for cash. */
const cardOf = ({ id, isCard }: InsideAccount): string => (isCard ? id : '')

function envelopeKeys(
  flow: Flow,
  account: InsideAccount,
  period: number,
  rules: EnvelopeRules,
): string[] {
  const card = cardOf(account)
  const { flow: kind, categoryId, counterAccountId } = flow
  if (kind === 'income') {
    return [figureKey(rules.incomeInNextPeriod.has(categoryId) ? 'deferred' : 'income', card)]
  }
  if (kind === 'opening' || kind === 'adjustment') {
    return account.isCard ? [] : [kind === 'opening' ? 'opening' : 'adjustments']
  }
  if (kind === 'transfer' && rules.accounts.has(counterAccountId)) {
    return account.isCard ? [figureKey('payments', card)] : []
  }
  return [figureKey(lineOrFigure(flow, rules.coverageIn(period)), card)]
}

function limitKeys(
  flow: Flow,
  account: InsideAccount,
  period: number,
  rules: LimitRules,
): string[] {
  const isCounted =
    flow.flow === 'expense' ||
    (flow.flow === 'transfer' && rules.countTransfers && !rules.accounts.has(flow.counterAccountId))
  if (!isCounted) {
    return flow.flow === 'income' ? ['income'] : []
  }
  const coverage = rules.coverageIn(period)
  const found = lineOrFigure(flow, coverage)
  if (found === 'excluded') {
    return [found]
  }
  const besides = accountLines(account, period, rules)
  const lines = coverage.allLines(flow.categoryId)
  if (lines.length === 0) {
    return [found, ...besides]
  }
  return [...lines, ...lines.slice(-1).map(totalOf), ...besides]
}

const accountLines = (account: InsideAccount, period: number, rules: LimitRules): string[] =>
  rules
    .accountLinesIn(period)
    .filter(({ accountIds }) => accountIds === undefined || accountIds.has(account.id))
    .map(({ id }) => id)

/** The nearest line of a flow's category, or the figure that it counts in outside of lines. */
function lineOrFigure({ flow, categoryId }: Flow, coverage: Coverage): string {
  if (categoryId === '') {
    return flow === 'transfer' ? 'transfers' : 'uncategorised'
  }
  return coverage.isExcluded(categoryId)
    ? 'excluded'
    : (coverage.nearestLine(categoryId) ?? 'uncovered')
}
