import { legIdOf } from '../../../domain/ledger.ts'
import type { Context } from '../../../platform/context.ts'
import type { Change, Created, Deleted, DomainEvent, Thing } from '../../../platform/events.ts'
import type { Refusal } from '../../../platform/refusals.ts'
import { insertTransactions, type Replacement, replaceTransactions } from '../bulk/bulk.queries.ts'
import { entriesOf, headerOf } from '../images/images.queries.ts'
import { labelsOf, WHOLE } from '../labels/labels.rules.ts'
import { type Relabelled, type Told, transactionEvents, transferEvents } from '../ledger.events.ts'
import { type LedgerRow, removeTransaction } from '../ledger.queries.ts'
import { matchTransactions, type Part, unmatchTransfer } from '../matched/matched.queries.ts'
import { eraseTrashed, restoreTransactions, trashTransactions } from '../trash/trash.queries.ts'
import { historyFacts } from './history.queries.ts'
import { adjustedBy, type Side, sidesOf, type Snapshot, type Whole } from './snapshots.rules.ts'

// The journal is where transactions change. Each of its functions gives the statements and the events that tell of them,
// for one transaction or many: an event for each account's side, with what the account's history says of adjustments.

/** Whether a change was forced upon what is reconciled. */
export interface Forced {
  forced?: true
}

/** The whole transaction that a row shows one side of. */
export const wholeOf = (row: LedgerRow): Whole => ({
  header: headerOf(row),
  entries: entriesOf(row),
  labels: labelsOf(row),
})

const hidden = (...snapshots: (Snapshot | undefined)[]): { private?: true } =>
  snapshots.some((snapshot) => snapshot?.private) ? { private: true } : {}

/** The side that an event is about. */
function thingOf(
  { id, accountId, ownerId }: Side,
  version: number,
  before: Snapshot | undefined,
  after: Snapshot | undefined,
): Thing {
  const adjusted = adjustedBy(accountId, before, after)
  return {
    id,
    resourceType: 'transaction',
    ownerId,
    accountId,
    version,
    ...(adjusted ? { history: historyFacts(accountId, { ...adjusted, transactionId: id }) } : {}),
  }
}

type Appearing = (thing: Thing, content: Created<Snapshot> & Told) => DomainEvent
type Vanishing = (thing: Thing, content: Deleted<Snapshot> & Told) => DomainEvent

const appeared = (tell: Appearing, whole: Whole, forced: Forced = {}): DomainEvent[] =>
  sidesOf(whole).map((side) =>
    tell(thingOf(side, whole.header.version, undefined, side.snapshot), {
      after: side.snapshot,
      ...hidden(side.snapshot),
      ...forced,
    }),
  )

/** @param version the version that the transaction has afterwards */
const vanished = (
  tell: Vanishing,
  whole: Whole,
  version: number,
  forced: Forced = {},
): DomainEvent[] =>
  sidesOf(whole).map((side) =>
    tell(thingOf(side, version, side.snapshot, undefined), {
      before: side.snapshot,
      ...hidden(side.snapshot),
      ...forced,
    }),
  )

/** Books new transactions. */
export const book = (all: Whole[]): Change => ({
  statements: all.length === 0 ? [] : insertTransactions(all),
  events: all.flatMap((whole) => appeared(transactionEvents.created, whole)),
})

/** A change of a stored transaction; without entries, and without labels, those that are stored stay. */
export interface Amendment extends Forced, Omit<Replacement, 'row'> {
  row: LedgerRow
}

/** Changes transactions as they were read. */
export const amend = (ctx: Context, all: Amendment[]): Change => ({
  statements: replaceTransactions(ctx, all),
  events: all.flatMap(amended),
})

function amended({ row, columns, entries, labels, forced }: Amendment): DomainEvent[] {
  const before = wholeOf(row)
  const after = {
    header: { ...before.header, ...columns },
    entries: entries ?? before.entries,
    labels: labels ?? before.labels,
  }
  const version = row.version + 1
  const told = forced ? { forced } : {}
  const sides = sidesOf(before)
  return sidesOf(after).flatMap((side) => {
    const was = sides.find(({ line }) => line === side.line)
    if (was?.accountId === side.accountId) {
      return [
        transactionEvents.updated(thingOf(side, version, was.snapshot, side.snapshot), {
          before: was.snapshot,
          after: side.snapshot,
          ...hidden(was.snapshot, side.snapshot),
          ...told,
        }),
      ]
    }
    const moved = was && { ...was.snapshot, accountId: was.accountId }
    return [
      ...(was
        ? [
            transactionEvents.updated(thingOf(was, version, was.snapshot, undefined), {
              before: was.snapshot,
              ...hidden(was.snapshot),
              ...told,
            }),
          ]
        : []),
      transactionEvents.updated(thingOf(side, version, undefined, side.snapshot), {
        before: moved ?? {},
        after: { ...side.snapshot, accountId: side.accountId } as Snapshot,
        ...hidden(was?.snapshot, side.snapshot),
        ...told,
      }),
    ]
  })
}

/** Moves transactions to the trash as they were read. */
export const discard = (ctx: Context, all: ({ row: LedgerRow } & Forced)[]): Change => ({
  statements:
    all.length === 0
      ? []
      : trashTransactions(
          ctx,
          all.map(({ row: { transactionId, version } }) => ({ id: transactionId, version })),
        ),
  events: all.flatMap(({ row, forced }) =>
    vanished(transactionEvents.deleted, wholeOf(row), row.version + 1, forced ? { forced } : {}),
  ),
})

/** Brings a transaction back from the trash. */
export const restore = (ctx: Context, row: LedgerRow, changed: Refusal): Change => ({
  statements: restoreTransactions(ctx, [{ id: row.transactionId, version: row.version }], changed),
  events: appeared(transactionEvents.restored, nextVersion(wholeOf(row))),
})

const nextVersion = ({ header, ...rest }: Whole): Whole => ({
  ...rest,
  header: { ...header, version: header.version + 1 },
})

/** Erases a transaction that is in the trash, for good. */
export const eraseFromTrash = (row: LedgerRow, changed: Refusal): Change => ({
  statements: eraseTrashed({ id: row.transactionId, version: row.version }, changed),
  events: sidesOf(wholeOf(row)).map((side) =>
    transactionEvents.erased(
      { id: side.id, ownerId: side.ownerId, accountId: side.accountId, version: row.version },
      { before: side.snapshot, ...hidden(side.snapshot) },
    ),
  ),
})

/** Takes a transaction back that is in no trash: an opening whose balance became zero. */
export const takeBack = (row: LedgerRow): Change => ({
  statements: removeTransaction(row.transactionId, row.version),
  events: vanished(transactionEvents.erased, wholeOf(row), row.version),
})

/** Books a transfer in the place of two rows, which are put away. */
export const match = (
  ctx: Context,
  rows: LedgerRow[],
  transfer: Whole,
  forced: Forced,
): Change => ({
  statements: matchTransactions(ctx, rows, transfer),
  events: [
    ...appeared(transferEvents.matched, transfer, forced),
    ...rows.flatMap((row) =>
      vanished(transferEvents.matched, wholeOf(row), row.version + 1, forced),
    ),
  ],
})

/** Takes a transfer back, and books a row in the place of each of its legs. */
export const unmatch = (
  ctx: Context,
  transfer: LedgerRow,
  parts: [Part, Part],
  forced: Forced,
): Change => ({
  statements: unmatchTransfer(ctx, transfer, parts),
  events: [
    ...vanished(transferEvents.unmatched, wholeOf(transfer), transfer.version, forced),
    ...parts.flatMap((part) => appeared(transferEvents.unmatched, part, forced)),
  ],
})

/** A line, or a whole transaction, on which a label takes the place of another one, or of none. */
export interface LabelledLine {
  transactionId: string
  /** The part; `WHOLE` where it is the transaction's own. */
  line: number
  /** The account's side that shows it: of a transfer the one that pays the fee. */
  accountLine: number
  accountId: string
  ownerId: string
  version: number
  from: string | null
}

/** Tells of a label that took the place of others, or was taken off; one event per transaction and account. */
export function relabelled(
  field: 'categoryId' | 'payeeId' | 'tagIds',
  to: string | null,
  lines: LabelledLine[],
): DomainEvent[] {
  const valueOf = (id: string | null) => (field === 'tagIds' ? (id === null ? [] : [id]) : id)
  const sides = Map.groupBy(
    lines,
    ({ transactionId, accountId }) => `${transactionId} ${accountId}`,
  )
  return [...sides.values()].map((some) => {
    const [{ transactionId, accountLine, accountId, ownerId, version } = missing()] = some
    const tell = (idOf: (line: LabelledLine) => string | null): Relabelled => {
      const parts = some.filter(({ line }) => line !== WHOLE)
      const whole = some.filter(({ line }) => line === WHOLE)
      return {
        ...(whole.length === 0
          ? {}
          : {
              [field]:
                field === 'tagIds'
                  ? [...new Set(whole.flatMap((one) => valueOf(idOf(one)) ?? []))]
                  : valueOf(whole.map(idOf)[0] ?? null),
            }),
        ...(parts.length === 0
          ? {}
          : { splits: parts.map((one) => ({ line: one.line, [field]: valueOf(idOf(one)) })) }),
      }
    }
    return transactionEvents.updated(
      {
        id: addressOfSide(transactionId, accountLine),
        resourceType: 'transaction',
        ownerId,
        accountId,
        version: version + 1,
      },
      { before: tell(({ from }) => from), after: tell(() => to) },
    )
  })
}

function missing(): never {
  throw new Error('relabelled: a group has a line')
}

const addressOfSide = (transactionId: string, line: number): string =>
  legIdOf(transactionId, transactionId.startsWith('trf_') ? 'transfer' : 'expense', line)
