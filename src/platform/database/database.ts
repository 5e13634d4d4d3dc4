import type { AppError } from '../../domain/errors.ts'
import { chargeCaller, chargeWork, inTurnOfCaller } from './time-budgets.ts'
import type { Context, Precondition, SignedIn } from '../context.ts'
import { MOST_PREMISES } from '../../../drizzle/schema/system.ts'
import { isRefusalOfCaller, isRepeatedKey, isTransient, toAppError } from './d1-errors.ts'
import {
  keepStatements,
  lookupStatement,
  type Replay,
  replayOf,
  type StoredAnswer,
} from './idempotency.ts'
import type { Change } from '../log/events.ts'
import { isListened, logStatements } from '../log/log.ts'
import { isPremise, namedNumber, namesVersions } from './premises.ts'
import { NEWS } from '../work/reader-rows.ts'
import { type Refusal, stale, Unexplained } from './refusals.ts'
import { moveToPrimary, orFromPrimary } from './replicas.ts'
import {
  accessGuard,
  admit,
  callerStatement,
  distrust,
  guardOfRead,
  isGuarded,
  markOfUse,
  type ProfileRow,
  rememberMark,
  uncheckedCaller,
} from './session.ts'
import { compile, compileAll, joined, type Results, type Statement } from './statements.ts'
import { insertTask, mustHoldLease, type NewTask, SOON_MS } from '../work/task-rows.ts'
import { repetitionErrors } from '../platform.errors.ts'

// The two units of work: nothing else in the service talks to D1. Each is one batch, so one round trip and one
// snapshot (read) or one transaction (commit).

/** A command's whole effect; it happens completely or not at all. */
export interface Commit<Result> {
  /** In the order in which they must run, with their premises. */
  changes: Change[]
  /** The acting user, where no caller is signed in: the user that logs in or registers. */
  actorId?: string
  tasks?: NewTask[]
  /** The return value of `commit`; with an Idempotency-Key, the kept answer is made from it. */
  result: Result
  /** The errors for broken UNIQUE constraints, by column or index name. */
  conflicts?: Record<string, () => AppError>
}

/**
 * Runs queries in one round trip on one snapshot. The first unit of work of a request also checks that the
 * session lives and the permission is held; nothing that was read leaves when they do not. What a replica refuses is asked of
 * the primary, in a second round trip.
 * @throws AppError unauthenticated, forbidden, unavailable
 * @throws Replay when the request's Idempotency-Key was answered before
 */
export async function read<const Statements extends readonly Statement[]>(
  ctx: Context,
  ...statements: Statements
): Promise<Results<Statements>> {
  return orFromPrimary(ctx, () => readOnce(ctx, statements))
}

/** Reads from the primary, also where the request has begun at a replica: for what a replica has not heard of yet. */
export function readNewest<const Statements extends readonly Statement[]>(
  ctx: Context,
  ...statements: Statements
): Promise<Results<Statements>> {
  moveToPrimary(ctx)
  return read(ctx, ...statements)
}

async function readOnce<const Statements extends readonly Statement[]>(
  ctx: Context,
  statements: Statements,
): Promise<Results<Statements>> {
  const { bound, map } = compileAll(
    ctx.database,
    joined(statements, (found) => found),
  )
  const unchecked = uncheckedCaller(ctx)
  const repeatable = ctx.repeatable
  const guard = unchecked ? guardOfRead(ctx, unchecked) : []
  const riders = [
    ...(unchecked ? [callerStatement(ctx, unchecked)] : []),
    ...(repeatable ? [lookupStatement(ctx, repeatable)] : []),
  ]
  const marks = unchecked ? markOfUse(ctx, unchecked) : []
  const batch = [...guard, ...riders, ...bound, ...marks]
  const isOfCaller = (found: D1Result[]) => !unchecked || found[guard.length]?.results.length === 1
  const results =
    batch.length === 0
      ? []
      : await run(ctx, batch, isOfCaller).catch((error: unknown) => {
          throw toAppError(error, ctx.access)
        })

  results.splice(0, guard.length)
  if (unchecked) {
    admit(ctx as SignedIn, results.shift()?.results[0] as ProfileRow | undefined)
    rememberMark(ctx, unchecked, marks)
  }
  const stored = repeatable && (results.shift()?.results[0] as StoredAnswer | undefined)
  if (repeatable && stored) {
    const replay = await replayOf(ctx, repeatable, stored)
    await requireStillSeen(ctx, replay)
    throw replay
  }
  return map(results) as Results<Statements>
}

/**
 * Writes changes in one transaction: access guard, kept answer, their statements, the log, task rows.
 * @throws AppError of the changes' own premises and `conflicts`, or of the platform
 * @throws Replay when a parallel twin with the same Idempotency-Key was first
 */
export async function commit<Result>(ctx: Context, change: Commit<Result>): Promise<Result> {
  await write(ctx, change, [])
  return change.result
}

/**
 * `commit` that also reads, in the same transaction and round trip, what it has made of things. Not for
 * POST: an answer that is kept for its Idempotency-Key must be known before the commit.
 */
export async function commitAndRead<Found>(
  ctx: Context,
  change: Omit<Commit<undefined>, 'result'>,
  finder: Statement<Found>,
): Promise<Found> {
  const compiled = compile(ctx.database, finder)
  const results = await write(ctx, { ...change, result: undefined }, [compiled.bound])
  const last = results.at(-1)
  return (last && compiled.map(last)) as Found
}

async function write(
  ctx: Context,
  change: Commit<unknown>,
  readers: D1PreparedStatement[],
): Promise<D1Result[]> {
  mustHaveCompared(ctx)
  if (ctx.isReadOnly) {
    throw new Error(`${ctx.operation} commits something, so its route must say \`writes\``)
  }
  const tasks = (change.tasks ?? []).map((task) => ({
    ...insertTask(ctx, task),
    isDue: task.dueAt === undefined || task.dueAt <= ctx.now + SOON_MS,
  }))
  const events = change.changes.flatMap((one) => one.events)
  const { caller, access, repeatable, task } = ctx
  const guarded = caller && isGuarded(access)
  const refusals: Refusal[] = []
  const marks = guarded ? markOfUse(ctx, caller) : []
  const batch = [
    ...(guarded ? [accessGuard(ctx, caller, access), ...marks] : []),
    ...(repeatable ? await keepStatements(ctx, repeatable, change.result) : []),
    ...[
      // A lease guards a task as a session guards a request.
      ...(task ? [mustHoldLease(task)] : []),
      ...change.changes.flatMap(({ statements }) => statements),
      ...logStatements(ctx, { actorId: change.actorId, events }),
      ...tasks.map(({ statement }) => statement),
    ].map((statement) => bind(ctx, statement, refusals)),
    ...readers,
  ]
  const results =
    batch.length === 0 ? [] : await explained(ctx, runOnce(ctx, batch, { ...change, refusals }))
  if (caller) {
    rememberMark(ctx, caller, marks)
  }
  const messages = tasks.filter(({ isDue }) => isDue).map(({ id }) => id)
  if (results.some(isListened) || events.some(({ type }) => ctx.wanted?.has(type))) {
    messages.push(NEWS)
  }
  if (messages.length > 0) {
    ctx.ring(messages)
  }
  return results
}

/** Reads what a refusal has to tell, where that is known only then. */
async function explained<Result>(ctx: Context, written: Promise<Result>): Promise<Result> {
  try {
    return await written
  } catch (error) {
    if (error instanceof Unexplained) {
      const [rows] = await read(ctx, error.finder)
      throw error.explain(rows) ?? error
    }
    throw error
  }
}

/** A commit asks for more than one can: trying it again does not help. */
export class CommitTooLarge extends Error {}

/** Puts a statement into a batch. The premises of the batch are numbered by their place in `refusals`. */
function bind(ctx: Context, statement: Statement, refusals: Refusal[]): D1PreparedStatement {
  if (!isPremise(statement)) {
    return compile(ctx.database, statement).bound
  }
  const numbers = new Map<string, number>()
  for (const [name, refusal] of Object.entries(statement.refusals)) {
    numbers.set(name, refusals.push(refusal))
  }
  if (refusals.length > MOST_PREMISES) {
    throw new CommitTooLarge(
      `${ctx.operation} has more than ${MOST_PREMISES} premises in one commit`,
    )
  }
  return compile(ctx.database, statement, (placeholder) =>
    numbers.get(namedNumber(placeholder) ?? ''),
  ).bound
}

/** Runs a unit of work only to check session and permission: for a request refused before its own. */
export const checkAccess = (ctx: Context): Promise<[]> => read(ctx)

/**
 * Refuses at once when `If-Match` does not name the version that was just read. Undefined means that nothing is there,
 * which no header matches. Of several versions each must match. Call it after 403 and 404, so that it tells nothing
 * of what the caller may not see, and before the first commit. The write asserts the version again.
 */
export function requireVersion(ctx: Context, ...versions: (number | undefined)[]): void {
  const { precondition } = ctx
  if (precondition) {
    precondition.isCompared = true
    if (!versions.every((version) => isMatch(precondition, version))) {
      throw stale()
    }
  }
}

const isMatch = ({ ifMatch }: Precondition, version: number | undefined) =>
  ifMatch === undefined || (version !== undefined && (ifMatch === '*' || ifMatch.includes(version)))

/**
 * Stops a `versioned` operation that has not called `requireVersion`. That is a defect of the code, and it shows in
 * every request, not only in those with a stale `If-Match`.
 */
export function mustHaveCompared({ precondition, operation }: Context): void {
  if (precondition && !precondition.isCompared) {
    throw new Error(`${operation} is versioned, but compared no version`)
  }
}

/**
 * Refuses to repeat an answer that names something which the caller does not see any more: access may have ended since
 * it was kept. It costs a trip of its own, as only the unsealed answer says what to ask for.
 */
async function requireStillSeen(ctx: Context, { body }: Replay): Promise<void> {
  const finder = ctx.caller && ctx.unseenIn?.(ctx as SignedIn, body)
  if (!finder) {
    return
  }
  const { bound } = compile(ctx.database, finder)
  const [unseen] = await run(ctx, [bound]).catch((error: unknown) => {
    throw toAppError(error, ctx.access)
  })
  if (!unseen || unseen.results.length > 0) {
    throw repetitionErrors.notVisible()
  }
}

/** Counted at most for a batch that failed: D1 does not say what it took, and some of the time was others'. */
const MOST_MS_OF_FAILURE = 100

/**
 * Makes one trip to the database and counts what it costs.
 * @param isOfCaller whether the results show that the caller is who the credential claims: else nobody is charged
 */
function run(
  ctx: Context,
  batch: D1PreparedStatement[],
  isOfCaller: (results: D1Result[]) => boolean = () => true,
): Promise<D1Result[]> {
  return inTurnOfCaller(ctx, async () => {
    const { cost } = ctx
    cost.trips += 1
    const startedAt = performance.now()
    const results = await ctx.database.batch(batch).catch((error: unknown) => {
      if (isRefusalOfCaller(error)) {
        chargeCaller(ctx, Math.min(performance.now() - startedAt, MOST_MS_OF_FAILURE))
      }
      throw error
    })
    let ms = 0
    let rows = 0
    for (const { meta, results: given } of results) {
      cost.rowsRead += meta.rows_read
      cost.rowsWritten += meta.rows_written
      ms += meta.duration
      rows += given.length
    }
    cost.databaseMs = Math.round((cost.databaseMs + ms) * 1000) / 1000
    if (isOfCaller(results)) {
      chargeCaller(ctx, ms)
      chargeWork(ctx, rows)
    }
    return results
  })
}

const TRIES = 4

/**
 * Runs a write batch. After a transient fault nobody knows whether it was stored, so it is tried again
 * only when it keeps its answer: then the second time either stores it or finds the answer of the first.
 */
async function runOnce(
  ctx: Context,
  batch: D1PreparedStatement[],
  { refusals, conflicts }: { refusals: Refusal[]; conflicts?: Commit<unknown>['conflicts'] },
): Promise<D1Result[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(ctx, batch)
    } catch (error) {
      if (ctx.repeatable && isRepeatedKey(error)) {
        await read(ctx)
      }
      if (!ctx.repeatable || !isTransient(error) || attempt === TRIES) {
        const premises = namesVersions(ctx)
          ? refusals.map((one) => (one.isOfVersion ? stale : one))
          : refusals
        const refusal = toAppError(error, ctx.access, premises, conflicts)
        if (ctx.caller && refusal.kind === 'unauthenticated') {
          distrust(ctx.caller)
        }
        throw refusal
      }
      await pause(ctx, attempt)
    }
  }
}

/** 100 ms, doubled each time, with full jitter so that a crowd does not return as one. */
async function pause(ctx: Context, attempt: number): Promise<void> {
  const chance = (ctx.ports.random(1)[0] ?? 0) / 255
  await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt * chance))
}
