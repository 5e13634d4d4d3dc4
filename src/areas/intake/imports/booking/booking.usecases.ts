import { addCounts, noRows } from '../../../../domain/imports/counts.ts'
import { AppError } from '../../../../domain/errors.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, CommitTooLarge, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { codeOf } from '../../../../platform/logger.ts'
import { asOwner } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { importEvents } from '../imports.events.ts'
import {
  chunksOf,
  importForTask,
  ownerForTask,
  type StoredImport,
  updateImport,
} from '../imports.queries.ts'
import { countsFrom, IMPORT_KEPT_MS } from '../imports.rules.ts'
import { changesBeside } from '../candidates.queries.ts'
import { saveOutcomes, setCounts, balancesOfUnopened } from './booking.queries.ts'
import { compareAnew } from './comparing-anew.usecases.ts'
import { isMakingLeft, makeMissing } from './making.usecases.ts'
import { takeLastSteps } from './last-steps.usecases.ts'
import { bookPiece } from './pieces.usecases.ts'
import { countsOfStopped } from './making.rules.ts'

/** Books an import, a piece in each commit. Killed anywhere, the next run goes on with the next piece. */
export async function bookImport(
  ctx: Context,
  id: string,
  finish: Statement[],
  tokenHash?: string,
): Promise<void> {
  const [chunks, [profile], unopened] = await read(
    ctx,
    chunksOf(id),
    ownerForTask(id),
    balancesOfUnopened(id),
  )
  /** The last commit of the log that was looked at. */
  let watched: number | undefined
  /** True if somebody has changed something on the accounts since the rows were compared with them. */
  let isOutdated = false
  for (;;) {
    const [[row], [changes]] = await readOrStop(ctx, importForTask(id), changesBeside(id, watched))
    watched = changes?.last
    isOutdated ||= changes?.isChanged === 1
    if (row?.state !== 'committing' || !profile) {
      await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
      return
    }
    const owner = asOwner(ctx, profile, tokenHash)
    if (row.nextChunk === 0 && isMakingLeft(row)) {
      if (await isGoingOn(owner, row, finish, () => makeMissing(owner, row, chunks))) {
        continue
      }
      return
    }
    if (row.nextChunk >= chunks.length) {
      if (await stepsLeft(owner, row, chunks, unopened.length > 0)) {
        continue
      }
      await end(owner, row, finish)
      return
    }
    const number = row.backwards ? chunks.length - 1 - row.nextChunk : row.nextChunk
    const chunk = chunks[number]
    if (!chunk) {
      throw new Error(`bookImport: ${id} has no piece ${number}`)
    }
    const book = async () => {
      await (isOutdated ? compareAnew(owner, row, chunks) : undefined)
      isOutdated = false
      await bookPiece(owner, row, chunk)
    }
    if (!(await isGoingOn(owner, row, finish, book))) {
      return
    }
  }
}

/** Takes a step; false where it cannot be taken, which calls the import off. */
async function isGoingOn(
  owner: SignedIn,
  row: StoredImport,
  finish: Statement[],
  step: () => Promise<void>,
): Promise<boolean> {
  try {
    await stepAgain(step)
    return true
  } catch (error) {
    if (error instanceof CommitTooLarge) {
      await stop(owner, row, { code: codeOf(error), message: TOO_LARGE }, finish)
      return false
    }
    const isFinal =
      error instanceof AppError && STOPPING.includes(error.kind) && error.code !== 'tasks.taken'
    if (!isFinal) {
      throw error
    }
    if (error.code === 'imports.stopped') {
      return true
    }
    await stop(owner, row, error, finish)
    return false
  }
}

/** Takes the last steps, unless the import is called off. */
async function stepsLeft(...step: Parameters<typeof takeLastSteps>) {
  try {
    return await takeLastSteps(...step)
  } catch (error) {
    if (error instanceof AppError && error.code === 'imports.stopped') {
      return true
    }
    throw error
  }
}

/** Kinds of errors that end a commit, because the next attempt would fail in the same way. */
const STOPPING = ['invalid', 'forbidden', 'notFound', 'conflict']

const TOO_LARGE =
  'This import cannot be booked: a step of it is too large. Import the file in parts, and report this error.'

/** Calls off what cannot go on, and says why. What was booked stays and can be taken back. */
async function stop(
  owner: SignedIn,
  seen: StoredImport,
  { code, message }: Pick<AppError, 'code' | 'message'>,
  finish: Statement[],
) {
  const [[row], chunks] = await read(owner, importForTask(seen.id), chunksOf(seen.id))
  const isOngoing = row?.state === 'committing'
  const { counts, untouched } = countsOfStopped(row ?? seen, chunks)
  const changed = {
    state: 'cancelled' as const,
    step: null,
    error: JSON.stringify({ code, message }),
    counts: JSON.stringify(counts),
  }
  const { id, ownerId } = seen
  await commit(owner, {
    changes: [
      {
        statements: [
          ...(isOngoing
            ? [...updateImport(owner, row, changed), ...saveOutcomes(id, untouched)]
            : []),
          ...finish,
        ],
        events: isOngoing
          ? [importEvents.failed({ id, ownerId, version: row.version + 1 }, { error: code })]
          : [],
      },
    ],
    result: undefined,
  })
}

async function end(owner: SignedIn, row: StoredImport, finish: Statement[]): Promise<void> {
  const [chunks] = await read(owner, chunksOf(row.id))
  const counts = chunks.map((chunk) => countsFrom(chunk.counts)).reduce(addCounts, noRows())
  const { id, ownerId, version } = row
  await commit(owner, {
    changes: [
      {
        statements: [
          ...updateImport(owner, row, {
            ...{ state: 'done', step: null, expiresAt: owner.now + IMPORT_KEPT_MS },
          }),
          setCounts(id, counts),
          ...finish,
        ],
        events: [importEvents.finished({ id, ownerId, version: version + 1 }, { counts })],
      },
    ],
    result: undefined,
  })
}

/** Somebody else has changed what was read: what is there now decides. */
const CHANGED = ['imports.changedMeanwhile', 'request.conflict']

/** The errors after which a step is started again, and the most attempts. */
const OF_STEP = {
  // A lock that was made meanwhile: its rows are locked at the next try.
  codes: [...CHANGED, 'locks.periodLocked', 'locks.forceNotAllowed'],
  most: 30,
}
const OF_REQUEST = { codes: CHANGED, most: 5 }

async function again<Result>(
  { codes, most }: typeof OF_STEP,
  run: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const isRace = error instanceof AppError && codes.includes(error.code)
      if (!isRace || attempt === most) {
        throw error
      }
    }
  }
}

/** Takes a step of a task, and decides it anew where another import, its user or a lock was faster. */
const stepAgain = (step: () => Promise<void>): Promise<void> => again(OF_STEP, step)

/** Answers a request by what is there once others are done. */
export const answerAgain = <Result>(run: () => Promise<Result>): Promise<Result> =>
  again(OF_REQUEST, run)
