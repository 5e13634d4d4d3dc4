import { AppError } from '../../../../domain/errors.ts'
import { deleteFiles } from '../../../../platform/files/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { OwnedRows, OwnedScope } from '../../../../platform/owned-data/owned-data.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { reportProgress } from '../../../../platform/work/task-rows.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { erasureEvents } from '../own-user.events.ts'

/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_COMMITS = 100

/** Rows that are erased together of those that can go. */
const ROWS_PER_STEP = 250
/** So many of them erase some of the rows that cannot all go before all are tried again. */
const COMMITS_OF_SOME = 25

interface Erasing {
  scope: OwnedScope
  kinds: OwnedRows[]
  /** Stops the work when it is no longer wanted: in every commit of it. */
  guard: Statement
  /**
   * The rule for rows that something else needs. Without it, only those rows stay whose balances would leave the
   * range of amounts.
   */
  stay?: Staying
}

interface Staying {
  /** True if rows stay because of an error. */
  isMeant: (error: AppError) => boolean
  /** Notes that rows stay, so that they are not found again. */
  note: (rowIds: string[]) => Statement
}

/** The result of an erasure in steps. */
interface ErasedInSteps {
  /** True if only rows that must stay are left. */
  isDone: boolean
  /** The kinds of rows of which some could not be erased. */
  left: string[]
}

/**
 * Erases these kinds of rows in commits of bounded size. May be killed anywhere: the next run goes on with
 * what is left.
 */
export async function eraseInSteps(ctx: Context, erasing: Erasing): Promise<ErasedInSteps> {
  const left: string[] = []
  let commits = 0
  for (const [at, kind] of erasing.kinds.entries()) {
    const run = new ErasedKind(ctx, erasing, { kind, progress: (100 * at) / erasing.kinds.length })
    while (await run.findMore()) {
      if (commits >= MOST_COMMITS) {
        return { isDone: false, left }
      }
      const before = run.commits
      if (!(await run.erase())) {
        left.push(kind.name)
        if (!(await run.leave())) {
          break
        }
      }
      commits += run.commits - before
    }
  }
  return { isDone: true, left }
}

type FoundRowOfOwner = Awaited<ReturnType<OwnedRows['find']>>[number]

const idsOf = (found: FoundRowOfOwner[]) => found.map(({ id }) => id)
const lastOf = (found: FoundRowOfOwner[]) => found.at(-1)?.id ?? ''
const ownUser = (userId: string) => ({ id: userId, ownerId: userId })

/** The erasure of rows of one kind. */
class ErasedKind {
  commits = 0
  readonly #ctx: Context
  readonly #erasing: Erasing
  readonly #kind: OwnedRows
  readonly #progress: number
  #found: FoundRowOfOwner[] = []
  /** The last one that was seen to. */
  #after = ''
  /** The last one that was erased without the others of its step. */
  #place = ''

  constructor(
    ctx: Context,
    erasing: Erasing,
    { kind, progress }: { kind: OwnedRows; progress: number },
  ) {
    this.#ctx = ctx
    this.#erasing = erasing
    this.#kind = kind
    this.#progress = progress
  }

  /** Finds the next rows. Gives whether there are any. */
  async findMore(): Promise<boolean> {
    ;[this.#found] = await readOrStop(this.#ctx, this.#kind.find(this.#erasing.scope, this.#after))
    return this.#found.length > 0
  }

  /** Erases what was found, or some of the kind where that cannot go together. Gives whether anything was erased. */
  async erase(): Promise<boolean> {
    if (await this.#tryToErase(this.#found)) {
      this.#after = lastOf(this.#found)
      return true
    }
    const { findErasable } = this.#kind
    return findErasable ? this.#eraseSome(findErasable) : this.#eraseOneByOne()
  }

  /** Lets what was found stay. Gives whether there can be more. */
  async leave(): Promise<boolean> {
    const { guard, stay } = this.#erasing
    if (!stay) {
      return false
    }
    const note = stay.note(this.#found.map(({ id, rowId = id }) => rowId))
    await commit(this.#ctx, { changes: [withoutEvents([guard, note])], result: undefined })
    this.#after = lastOf(this.#found)
    return true
  }

  async #eraseOneByOne(): Promise<boolean> {
    let isAnyErased = false
    for (const one of this.#found) {
      isAnyErased = (await this.#tryToErase([one])) || isAnyErased
    }
    return isAnyErased
  }

  /** Goes around all rows of the kind: what is erased changes which others can be, also among those before it. */
  async #eraseSome(findErasable: NonNullable<OwnedRows['findErasable']>): Promise<boolean> {
    const last = this.commits + COMMITS_OF_SOME
    let place = this.#place
    let isAnyErased = false
    let isSecondTime = false
    while (this.commits < last) {
      const [some] = await readOrStop(this.#ctx, findErasable(this.#erasing.scope, place))
      if (some.length === 0 && isSecondTime) {
        return isAnyErased
      }
      isSecondTime ||= some.length === 0
      const able = some.filter(({ canGo }) => canGo === 1).slice(0, ROWS_PER_STEP)
      const [one] = able
      let erased: FoundRowOfOwner[] = []
      for (const these of one ? [able, [one]] : []) {
        if (erased.length === 0 && (await this.#tryToErase(these))) {
          erased = these
        }
      }
      place = lastOf(erased) || (one?.id ?? lastOf(some))
      if (erased.length > 0) {
        this.#place = place
        isAnyErased = true
        isSecondTime = false
      }
    }
    return isAnyErased
  }

  /** Erases rows by one commit. Gives false, with nothing erased, where the rows cannot go together. */
  async #tryToErase(found: FoundRowOfOwner[]): Promise<boolean> {
    const { scope, guard, stay } = this.#erasing
    const kind = this.#kind
    // Before the rows, which alone know of the objects.
    await deleteFiles(
      this.#ctx,
      found.flatMap(({ objectKey }) => objectKey ?? []),
    )
    const ids = idsOf(found)
    const user = ownUser(scope.ownerId)
    const statements = [guard, ...(await kind.erase(ids, scope, this.#ctx))]
    const event = kind.event
      ? erasureEvents[kind.event](user)
      : erasureEvents.dataErased(user, { [kind.name]: ids.length })
    this.commits += 1
    try {
      await commit(this.#ctx, {
        changes: [
          { statements, events: [event] },
          withoutEvents(reportProgress(this.#ctx, this.#progress)),
        ],
        result: undefined,
      })
    } catch (error) {
      const isRefused =
        error instanceof AppError &&
        ((kind.findErasable && error.code === 'ledger.outOfRange') || stay?.isMeant(error))
      if (!isRefused) {
        throw error
      }
      return false
    }
    await deleteFiles(
      this.#ctx,
      found.flatMap(({ replacedKey }) => replacedKey ?? []),
    )
    return true
  }
}
