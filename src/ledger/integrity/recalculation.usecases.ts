import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/database/database.ts'
import { forEachRow } from '../../platform/work/each-row.ts'
import { logEvent } from '../../platform/logger.ts'
import type { Statement } from '../../platform/database/statements.ts'
import { readOrStop } from '../../platform/work/tasks.ts'
import { asFacts } from './checks.queries.ts'
import { type AccountDifferences, differencesOf } from './checks.usecases.ts'
import { ledgerEvents, projectionEvents } from '../ledger.events.ts'
import { rebuild, accountsAfter, STEP_SIZE } from './recalculation.queries.ts'

export const RECALCULATE = 'ledger.recalculate'

/** Steps of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_STEPS = 200
/** The most findings of a projection that are reported; the projection of the account is rebuilt whole. */
const NAMED = 20

/** The progress that a task takes over from the tasks before it. */
interface Payload {
  /** The last account that was looked at. */
  after?: string | undefined
  accounts?: number | undefined
  differing?: number | undefined
}

/**
 * Makes the projections anew from the entries, account by account: those that hold what they must are left
 * alone. May be killed anywhere, as each projection of an account is put right in one commit; the next run looks at all
 * again.
 */
export async function recalculate(
  ctx: Context,
  { after = '', accounts = 0, differing = 0 }: Payload,
  finish: Statement[],
): Promise<void> {
  let seen = { after, accounts, differing }
  let step = await nextStep(ctx, seen.after)
  for (let steps = 0; step && steps < MOST_STEPS; steps++) {
    await forEachRow(ctx, { work: RECALCULATE, rows: step.differing }, (account) =>
      putRight(ctx, account),
    )
    seen = {
      after: step.last,
      accounts: seen.accounts + step.accounts,
      differing: seen.differing + step.differing.length,
    }
    step = await nextStep(ctx, seen.after)
  }
  const tell = step ? ledgerEvents.recalculationContinued : ledgerEvents.recalculated
  const facts = asFacts({ accounts: seen.accounts, differing: seen.differing })
  await commit(ctx, {
    changes: [{ statements: finish, events: [tell({ id: ctx.task?.id ?? null, facts })] }],
    tasks: step ? [{ kind: RECALCULATE, payload: seen, cancellable: true }] : [],
    result: undefined,
  })
}

interface Differing {
  id: string
  ownerId: string
  /** The ids for each projection that differs. */
  findings: [keyof typeof rebuild, string[]][]
}

async function nextStep(ctx: Context, after: string) {
  const [accounts] = await readOrStop(ctx, accountsAfter(after, STEP_SIZE))
  const last = accounts.at(-1)?.id
  if (last === undefined) {
    return undefined
  }
  const found = await differencesOf(
    ctx,
    accounts.map(({ id }) => id),
  )
  const differing = accounts.map((account): Differing => ({
    ...account,
    findings: findingsOf(account.id, found),
  }))
  return {
    last,
    accounts: accounts.length,
    differing: differing.filter(({ findings }) => findings.length > 0),
  }
}

const findingsOf = (id: string, found: AccountDifferences): Differing['findings'] =>
  (Object.keys(rebuild) as (keyof typeof rebuild)[]).flatMap((name) => {
    const own = found[name].filter(({ accountId }) => accountId === id)
    return own.length === 0 ? [] : [[name, own.map(({ finding }) => finding)]]
  })

/** Rebuilds the projections and raises an alarm: triggers keep them, so something else must have written. */
async function putRight(ctx: Context, { id, ownerId, findings }: Differing): Promise<void> {
  for (const [name, findingTexts] of findings) {
    await commit(ctx, {
      changes: [
        {
          statements: rebuild[name](id),
          events: [
            projectionEvents.recalculated(
              { id, ownerId },
              { differences: findingTexts.length, findings: findingTexts.slice(0, NAMED) },
            ),
          ],
        },
      ],
      result: undefined,
    })
    logEvent('error', 'ledger.differs', {
      counts: { [id]: findingTexts.length },
      findings: findingTexts.slice(0, NAMED),
    })
  }
}
