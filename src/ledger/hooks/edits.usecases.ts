import type { SignedIn } from '../../platform/context.ts'
import type { Change } from '../../platform/log/events.ts'
import type { Statement } from '../../platform/database/statements.ts'
import { type Amendment, wholeAfter, wholeOf } from '../journal/journal.usecases.ts'
import { rowOf } from '../rows/images.queries.ts'
import type { LedgerRow } from '../rows/rows.queries.ts'
import { type HookAdditions, hooksOf, type SentFields } from './hooks.usecases.ts'
import { addTo, readsOf } from './preparing.usecases.ts'

/** An edit as it was decided last, and what is to be committed with it. */
interface Edited<Decided> {
  decided: Decided
  changes: Change[]
}

/** The edits of one request on their way through all hooks. */
interface EditPipeline {
  /** The reads of the first trip. */
  needs: Statement<unknown[]>[]
  /** @param found what the finders gave, in their order */
  ready: (found: unknown[]) => <Fields extends SentFields, Decided extends Amendment>(
    sent: Fields,
    /** Decides by what is sent, and again where a hook adds something: that is checked like what is sent. */
    decide: (fields: Fields & HookAdditions) => Decided,
    /** The decision by what is sent, if it is there already. */
    asSent?: Decided,
  ) => Edited<Decided>
}

/**
 * Lets the hooks of all areas say more of edits: their finders go into the first trip of the request.
 * @param transactionIds undefined where a filter selects them
 */
export function prepareEdits(ctx: SignedIn, transactionIds: string[] | undefined): EditPipeline {
  const preparations = hooksOf().flatMap((hook) => hook.prepareEdit?.(ctx, transactionIds) ?? [])
  return {
    needs: readsOf(preparations),
    ready: (found) => {
      const decisions = preparations.map(({ decide }, at) => decide(found[at] as unknown[]))
      return (sent, decide, asSent = decide(sent)) => {
        const edited = { decided: asSent, changes: [] as Change[] }
        const fields: typeof sent & HookAdditions = { ...sent }
        for (const decision of decisions) {
          const { decided } = edited
          const edit = { before: decided.row, sent, after: rowAfter(decided) }
          const { changes = [], ...added } = decision(edit, edit)
          edited.changes.push(...changes)
          if (Object.values(added).some((value) => value !== undefined)) {
            addTo(fields, added)
            edited.decided = decide(fields)
          }
        }
        return edited
      }
    },
  }
}

const rowAfter = (amendment: Amendment): LedgerRow => {
  const { row } = amendment
  const { header, entries, labels } = wholeAfter(wholeOf(row), amendment)
  return { ...row, ...rowOf(header, entries, row.line, labels) }
}
