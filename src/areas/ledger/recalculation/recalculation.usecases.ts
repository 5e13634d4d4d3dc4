import type { Context } from '../../../platform/context.ts'
import { commit } from '../../../platform/database.ts'
import { logEvent } from '../../../platform/logger.ts'
import type { Statement } from '../../../platform/statements.ts'
import { readOrStop } from '../../../platform/tasks.ts'
import { asFacts, projectionChecks } from '../checks/checks.queries.ts'
import { accountsAfter, idsAfter, rebuild } from './recalculation.queries.ts'

export const RECALCULATE = 'ledger.recalculate'

/** Steps of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_STEPS = 500
/** How many findings of an account are told; it is rebuilt whole. */
const NAMED = 20

/** What a task knows of those before it. */
interface Payload {
  /** The last account that was looked at. */
  after?: string
  accounts?: number
  differing?: number
}

/**
 * Makes the projections anew from the entries, account by account: those that hold what they must are left
 * alone. May be killed anywhere, as each account is put right in one commit; the next run looks at all again.
 */
export async function recalculate(
  ctx: Context,
  { after = '', accounts = 0, differing = 0 }: Payload,
  finish: Statement[],
): Promise<void> {
  let seen = { after, accounts, differing }
  let step = await nextStep(ctx, seen.after)
  for (let steps = 0; step && steps < MOST_STEPS; steps++) {
    for (const account of step.differing) {
      await putRight(ctx, account)
    }
    seen = {
      after: step.last,
      accounts: seen.accounts + step.accounts,
      differing: seen.differing + step.differing.length,
    }
    step = await nextStep(ctx, seen.after)
  }
  await commit(ctx, {
    action: step ? 'ledger.recalculationContinued' : 'ledger.recalculated',
    resource: { type: 'ledger', id: ctx.task?.id ?? null },
    facts: asFacts({ accounts: seen.accounts, differing: seen.differing }),
    writes: finish,
    tasks: step ? [{ kind: RECALCULATE, payload: seen, cancellable: true }] : [],
    result: undefined,
  })
}

interface Differing {
  id: string
  ownerId: string
  findings: string[]
}

async function nextStep(ctx: Context, after: string) {
  const ids = idsAfter(after)
  const [accounts, ...found] = await readOrStop(
    ctx,
    accountsAfter(after),
    ...Object.values(projectionChecks).map((check) => check(ids)),
  )
  const last = accounts.at(-1)?.id
  if (last === undefined) {
    return undefined
  }
  const told = found.flat()
  const differing = accounts.map((account): Differing => {
    const own = told.filter(({ accountId }) => accountId === account.id)
    return { ...account, findings: own.map(({ finding }) => finding) }
  })
  return {
    last,
    accounts: accounts.length,
    differing: differing.filter(({ findings }) => findings.length > 0),
  }
}

/** That it was needed is an alarm: triggers keep the projections, so somebody or something else has written. */
async function putRight(ctx: Context, { id, ownerId, findings }: Differing): Promise<void> {
  await commit(ctx, {
    action: 'account.recalculated',
    resource: { type: 'account', id },
    ownerId,
    changes: { differences: findings.length, findings: findings.slice(0, NAMED) },
    writes: rebuild(id),
    result: undefined,
  })
  logEvent('error', 'ledger.differs', {
    counts: { [id]: findings.length },
    findings: findings.slice(0, NAMED),
  })
}
