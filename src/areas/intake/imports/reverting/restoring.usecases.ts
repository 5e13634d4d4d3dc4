import { legIdOf } from '../../../../domain/ledger-ids.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { conflicting } from '../../../../platform/database/refusals.ts'
import {
  amend,
  type Amendment,
  entriesOf,
  type LedgerRow,
  ledgerSidesOf,
  post,
  restore,
  trashedRowById,
} from '../../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { bookingRefusals } from '../imports.errors.ts'
import { takePiece } from '../booking/booking.queries.ts'
import { lockWatcher } from '../booking/booking.rules.ts'
import {
  amendmentBack,
  type Before,
  byTransaction,
  NOTHING_ADDED,
} from '../booking/matched.rules.ts'
import { forgetIdentities, holdAgain } from '../identities.queries.ts'
import type { HeldIdentity } from '../imports.rules.ts'
import type { StoredImport } from '../imports.queries.ts'
import {
  type AddedRow,
  saveReverted,
  type LayerRow,
  layersOf,
  saveLayers,
} from './reverting.queries.ts'
import {
  type RevertChoice,
  type KeptItem,
  MOST_KEPT_ITEMS,
  MOST_REVERTED_LINES,
  type Reverted,
  inTime,
  type Layer,
  takeOut,
} from './reverting.rules.ts'

/** The results for transactions that an import matched or moved to the trash. */
interface Restoration {
  amendments: Amendment[]
  /** From the trash. */
  returning: LedgerRow[]
  restored: number
  kept: KeptItem[]
  held: (HeldIdentity & { accountId: string })[]
  /** Layers of other imports, as they are on top of what was below. */
  changed: Layer[]
  forgotten: AddedRow[]
}

/** A layer with the transaction that it is on. */
interface Placed {
  row: LayerRow
  layer: Layer
}

interface RestorationFacts {
  sides: LedgerRow[]
  trashed: ReadonlyMap<string, LedgerRow>
  isLocked: ReturnType<typeof lockWatcher>
  /** True if the caller may change bookings of an account. */
  isWritable: (accountId: string) => boolean
  force: boolean | undefined
}

const keyOf = ({ accountId, identity }: Pick<AddedRow, 'accountId' | 'identity'>) =>
  `${accountId} ${identity}`

async function findFor(
  owner: SignedIn,
  importId: string,
  added: AddedRow[],
  { force }: RevertChoice,
): Promise<{ layers: Placed[]; found: RestorationFacts }> {
  const ids = [...new Set(added.flatMap(({ transactionId }) => transactionId ?? []))]
  const [stored, views] = await read(owner, layersOf(ids), visibleAccounts(owner))
  const layers = stored.flatMap((row): Placed[] => {
    const before = JSON.parse(row.added) as Before | null
    const { accountId, ownerId, identity } = row
    return before === null ? [] : [{ row, layer: { accountId, ownerId, identity, before } }]
  })
  const trashedIds = layers.flatMap(({ row, layer: { before } }) =>
    before.trashed && row.importId === importId && row.isInTrash === 1 ? [row.transactionId] : [],
  )
  const [sides, ...inTrash] = await read(
    owner,
    ledgerSidesOf(owner, [...new Set(stored.map(({ nowId }) => nowId))], MOST_REVERTED_LINES),
    ...trashedIds.map((id) => trashedRowById(owner, id)),
  )
  const ranks = new Map(views.map(({ account, seen }) => [account.id, seen.rank]))
  return {
    layers,
    found: {
      ...{ sides, force, isLocked: lockWatcher(views, force) },
      trashed: new Map(inTrash.flat().map((one) => [one.transactionId, one])),
      isWritable: (accountId) => (ranks.get(accountId) ?? 0) >= rankOf('write'),
    },
  }
}

/**
 * Decides what is taken off again of what an import added, and what stays.
 * @param isBeyond whether the amounts from before would take a balance out of range
 */
export async function restorationOf(
  owner: SignedIn,
  importId: string,
  added: AddedRow[],
  choice: RevertChoice,
  isBeyond = false,
): Promise<Restoration> {
  const { layers, found } = await findFor(owner, importId, added, choice)
  const made: Restoration = {
    ...{ amendments: [], returning: [], restored: 0, kept: [], held: [] },
    ...{ changed: [], forgotten: [] },
  }
  const present = new Map(layers.map(({ row, layer }) => [keyOf(row), layer]))
  const changed = new Map<string, Layer>()
  const asked = new Map(added.map((one) => [keyOf(one), one]))
  const staying = new Set<string>()
  const own = layers.filter(({ row }) => row.importId === importId)
  for (const { row } of own.toSorted((one, other) => inTime(one.layer, other.layer))) {
    const layer = present.get(keyOf(row)) as Layer
    const all = layers.flatMap((one) =>
      one.row.nowId === row.nowId ? (present.get(keyOf(one.row)) ?? []) : [],
    )
    const possible = outcomeOf({ row, layer }, all, found)
    const outcome: Outcome =
      isBeyond && (possible.returning || possible.taken?.amendment)
        ? { id: possible.id, reason: 'outOfRange' }
        : possible
    const { id, reason, returning, taken } = outcome
    const known = asked.get(keyOf(row))
    if (reason !== undefined) {
      staying.add(row.transactionId)
      made.kept.push(...(known ? [{ id, reason }] : []))
    } else if (known) {
      made.forgotten.push(known)
      // Two rows of a file may have become one transaction.
      const isNew = returning && !made.returning.includes(returning)
      made.returning.push(...(isNew ? [returning] : []))
      made.restored += isNew || taken ? 1 : 0
      if (taken) {
        const { fields, amendment } = taken
        made.amendments.push(...(amendment ? [amendment] : []))
        made.kept.push(
          ...(fields.length === 0 ? [] : [{ id, reason: `edited: ${fields.join(', ')}`, fields }]),
        )
        made.held.push(
          ...(layer.before.held ?? []).map((one) => ({ ...one, accountId: row.accountId })),
        )
        taken.changed.forEach((one) => {
          present.set(keyOf(one), one)
          changed.set(keyOf(one), one)
        })
      }
    }
  }
  // Rows in whose place another one stands are known as long as that one is.
  const others = added.filter(
    (one) => one.added === null || one.added === NOTHING_ADDED || one.transactionId === null,
  )
  made.forgotten.push(...others.filter((one) => !staying.has(one.transactionId ?? '')))
  return { ...made, changed: [...changed.values()] }
}

interface Outcome {
  /** The id of the transaction, as its account addresses it. */
  id: string
  /** The reason it stays as it is. */
  reason?: string
  returning?: LedgerRow
  taken?: { amendment: Amendment | undefined; fields: string[]; changed: Layer[] }
}

function outcomeOf(
  { row, layer }: Placed,
  all: Layer[],
  { sides, trashed, isLocked, isWritable, force }: RestorationFacts,
): Outcome {
  const { before } = layer
  const inTrash = trashed.get(row.transactionId)
  if (row.isInTrash === 1) {
    // Somebody may have deleted it since.
    const isAsLeft = before.trashed && inTrash?.version === before.version + 1
    if (!inTrash || !isAsLeft) {
      return { id: row.transactionId, reason: 'inTrash' }
    }
    return isLocked(undefined, entriesOf(inTrash))
      ? { id: row.transactionId, reason: 'locked' }
      : { id: row.transactionId, returning: inTrash }
  }
  if (before.trashed) {
    // Somebody has brought it back already.
    return { id: row.transactionId }
  }
  const side = sideOf(row, layer, sides)
  if (!side || !isWritable(side.accountId)) {
    return { id: row.transactionId, reason: 'otherAccount' }
  }
  const id = legIdOf(side.transactionId, side.kind, side.line)
  if (force !== true && side.status === 'reconciled' && before.status !== 'reconciled') {
    return { id, reason: 'reconciled' }
  }
  const { back, kept, changed } = takeOut(side, layer, all)
  const fields = [...(side.accountId === row.accountId ? [] : ['accountId']), ...kept]
  const amendment = Object.keys(back).length === 0 ? undefined : amendmentBack(side, back)
  return amendment?.entries && isLocked(entriesOf(side), amendment.entries)
    ? { id, reason: 'locked' }
    : { id, taken: { amendment, fields, changed: [...changed.values()] } }
}

/** Finds the side that an import matched, where it is now: it may be half of a transfer, or on another account. */
function sideOf(
  { nowId, partLine, accountId }: LayerRow,
  { before: { line } }: Layer,
  sides: LedgerRow[],
): LedgerRow | undefined {
  const there = sides.filter(({ transactionId }) => transactionId === nowId)
  if (partLine !== null) {
    return there.find(({ pair }) => pair === partLine)
  }
  const onAccount = there.filter((one) => one.accountId === accountId)
  return (
    onAccount.find((one) => one.line === line) ??
    onAccount[0] ??
    there.find(({ headerKind, pair }) => headerKind !== 'transfer' && pair === null)
  )
}

/** Takes off what an import added to transactions, and brings those back that it moved to the trash. */
export async function restorePiece(
  owner: SignedIn,
  row: StoredImport,
  report: Reverted,
  added: AddedRow[],
  isBeyond: boolean,
): Promise<void> {
  const choice = JSON.parse(row.options) as RevertChoice
  const { amendments, returning, restored, kept, held, changed, forgotten } = await restorationOf(
    ...([owner, row.id, added, choice, isBeyond] as const),
  )
  const last = added.at(-1)
  const next: Reverted = {
    ...report,
    restored: report.restored + restored,
    kept: [...report.kept, ...kept].slice(0, MOST_KEPT_ITEMS),
    afterAdded: last ? [last.accountId, last.identity] : null,
    beyond: (report.beyond ?? 0) + (isBeyond ? added.length : 0),
  }
  const postings = [
    ...(amendments.length === 0 ? [] : [amend(owner, byTransaction(amendments))]),
    restore(owner, returning, conflicting),
  ]
  await commit(owner, {
    changes: [
      withoutEvents([
        ...takePiece(owner, row, 'reverting', added.length),
        saveReverted(row, next),
        ...saveLayers(changed),
        ...forgetIdentities(row.id, forgotten),
        ...holdAgain(held),
      ]),
      ...(postings.length === 0
        ? []
        : [post(owner, { ...bookingRefusals, force: choice.force }, ...postings)]),
    ],
    result: undefined,
  })
}
