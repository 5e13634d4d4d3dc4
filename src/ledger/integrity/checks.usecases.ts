import type { Context, SignedIn } from '../../platform/context.ts'
import { readOrStop } from '../../platform/work/tasks.ts'
import { AppError } from '../../domain/errors.ts'
import {
  ledgerChecks,
  projectionChecks,
  transactionChecks,
  type Difference,
} from './checks.queries.ts'
import {
  accountsAfter,
  accountsWith,
  endOfStepAfter,
  STEP_SIZE,
  accountsOfOwner,
  nextTransactionsOf,
} from './recalculation.queries.ts'

/** The kind of the task that compares the ledger with itself. */
export const CHECK_LEDGER = 'ledger.check'

/**
 * The position at which a comparison continues: after an account or, once all accounts are checked, after a transaction, and at
 * last in the checks of areas, after the name of one and what it goes on after.
 */
export interface CheckPlace {
  of: 'accounts' | 'transactions' | 'areas'
  after: string
}

const START: CheckPlace = { of: 'accounts', after: '' }

/** The findings of one step of the checks. */
export interface CheckedStep {
  /** Findings by the name of their check. */
  found: Record<string, string[]>
  /** The start of the next step; undefined at the end. */
  next: CheckPlace | undefined
}

/** The names of all checks. */
export const checkNames = (): string[] => [
  ...Object.keys(ledgerChecks),
  ...areaChecks().map(({ name }) => name),
]

/**
 * Compares the ledger with itself, step by step, so that everybody else gets to the database in between. What is
 * written meanwhile is no difference: each check sees one moment of all that it compares.
 */
export async function* compareLedger(
  ctx: Context,
  from = START,
  size = STEP_SIZE,
): AsyncGenerator<CheckedStep> {
  let place: CheckPlace | undefined = from
  while (place) {
    const step: CheckedStep = await steps[place.of](ctx, place.after, size)
    yield step
    place = step.next
  }
}

async function compareAccounts(
  ctx: Context,
  after: string,
  size: typeof STEP_SIZE,
): Promise<CheckedStep> {
  const [accounts] = await readOrStop(ctx, accountsAfter(after, size))
  const last = accounts.at(-1)?.id
  if (last === undefined) {
    return { found: {}, next: { of: 'transactions', after: '' } }
  }
  const differences = await differencesOf(
    ctx,
    accounts.map(({ id }) => id),
  )
  const found = Object.fromEntries(
    Object.entries(differences).map(([name, some]) => [name, some.map(({ finding }) => finding)]),
  )
  return { found, next: { of: 'accounts', after: last } }
}

type ProjectionName = keyof typeof projectionChecks

export type AccountDifferences = Record<
  ProjectionName,
  Awaited<ReturnType<(typeof projectionChecks)[ProjectionName]>>
>

/** Finds wrong projections of accounts. Each check is a trip of its own, as together they would take too long. */
export async function differencesOf(ctx: Context, ids: string[]): Promise<AccountDifferences> {
  const accounts = accountsWith(ids)
  const [balances] = await readOrStop(ctx, projectionChecks.balances(accounts))
  const [flowDays] = await readOrStop(ctx, projectionChecks.flowDays(accounts))
  const [flowMonths] = await readOrStop(ctx, projectionChecks.flowMonths(accounts))
  const [periods] = await readOrStop(ctx, projectionChecks.periods(accounts))
  const [uncategorised] = await readOrStop(ctx, projectionChecks.uncategorised(accounts))
  return { balances, flowDays, flowMonths, periods, uncategorised }
}

async function compareTransactions(
  ctx: Context,
  after: string,
  size: typeof STEP_SIZE,
): Promise<CheckedStep> {
  const [[end]] = await readOrStop(ctx, endOfStepAfter(after, size))
  // Beyond the last transaction there may still be entries of one that is not there.
  const range = { after, upTo: end?.id }
  const results = await readOrStop(
    ctx,
    ...Object.values(transactionChecks).map((check) => check(range)),
  )
  const found = Object.fromEntries(
    Object.keys(transactionChecks).map((name, at) => [
      name,
      (results[at] ?? []).map(({ finding }) => finding),
    ]),
  )
  return {
    found,
    next: end ? { of: 'transactions', after: end.id } : beginningOf(areaChecks()[0]),
  }
}

const beginningOf = (check: AreaCheck | undefined): CheckPlace | undefined =>
  check && { of: 'areas', after: `${check.name} ` }

async function compareArea(ctx: Context, place: string): Promise<CheckedStep> {
  const checks = areaChecks()
  const [name = '', after = ''] = place.split(' ')
  const at = checks.findIndex((check) => check.name === name)
  const step = await checks[at]?.step(ctx, after)
  return step?.next === undefined
    ? { found: { [name]: step?.found ?? [] }, next: beginningOf(checks[at + 1]) }
    : { found: { [name]: step.found }, next: { of: 'areas', after: `${name} ${step.next}` } }
}

/** The findings of one step of a check. */
export interface CheckStep {
  found: string[]
  /** The place after which the next step continues; undefined at the end. */
  next: string | undefined
}

/** A comparison of an area with the ledger, which runs step by step whenever the ledger is compared with itself. */
export interface AreaCheck {
  /** Under which its findings are counted. */
  name: string
  /** @param after empty at the beginning */
  step: (ctx: Context, after: string) => Promise<CheckStep>
}

let registered: readonly AreaCheck[] | undefined

/** Sets the checks of all areas, in the order in which they run. */
export function registerChecks(checks: readonly AreaCheck[]): void {
  registered = checks
}

function areaChecks(): readonly AreaCheck[] {
  // A comparison that leaves out an area would say that all is well.
  if (!registered) {
    throw new Error('no checks of areas are registered')
  }
  return registered
}

const steps = { accounts: compareAccounts, transactions: compareTransactions, areas: compareArea }

/**
 * Compares the transactions of somebody with each other once they are restored, as the ledger is every night. Triggers keep
 * what is summed up, so that is not looked at.
 * @throws AppError for the first difference: no service wrote the archive
 */
export async function compareRestored(owner: SignedIn): Promise<void> {
  const { userId } = owner.caller
  let last = ''
  for (;;) {
    const [found] = await readOrStop(owner, nextTransactionsOf(userId, last))
    const end = found.at(-1)
    if (!end) {
      break
    }
    last = end.id
    const range = { ids: found.map(({ id }) => id) }
    for (const check of Object.values(transactionChecks)) {
      requireNone(...(await readOrStop(owner, check(range))))
    }
  }
  const [accounts] = await readOrStop(owner, accountsOfOwner(userId))
  for (const { id } of accounts) {
    requireNone(...(await readOrStop(owner, projectionChecks.uncategorised(accountsWith([id])))))
  }
}

function requireNone([difference]: Difference[]): void {
  if (difference) {
    throw new AppError('conflict', 'ledger.different', difference.finding)
  }
}
