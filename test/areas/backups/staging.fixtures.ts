import { signAccessToken } from '../../../src/platform/secrets/tokens.ts'
import { rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { contentsOf } from './archives.ts'
import {
  ACTIONS,
  type Attacker,
  eraseUser,
  newAttacker,
  sweep,
  type Ties,
  tiesOf,
  wipe,
} from './attacking.fixtures.ts'
import {
  addedFor,
  columnsNaming,
  forged,
  type Forgery,
  movedBy,
  type Targets,
} from './forging.fixtures.ts'
import { type Files, packed, text } from './packing.ts'
import { backedUp, restored } from './restoring.ts'
import { coreOf } from '../../../src/domain/ids.ts'
import { newWholeOwner, type WholeOwner } from './whole-owner.fixtures.ts'
import { damageOf, idsIn, imageOf, namesIn, stateOf, type Witnesses } from './witnesses.fixtures.ts'

// An archive of somebody who is gone, so that its ids are free, and two users who must not be harmed by what is made of it.

export interface Stage {
  files: Files
  /** Shares nothing with anybody who attacks. */
  stranger: WholeOwner
  /** Shares accounts and a group with everybody who attacks. */
  sharer: WholeOwner
  ties: Ties
  targets: Targets
  witnesses: Witnesses
  before: Awaited<ReturnType<typeof stateOf>>
  /** The same as one text, with seals of the log up to this one. */
  image: string
  lastSeal: number
}

export async function newStage(): Promise<Stage> {
  const maker = await newWholeOwner()
  const files = asRead(await contentsOf(maker, (await backedUp(maker)).id))
  await eraseUser(maker)
  const [stranger, sharer] = [await newWholeOwner(), await newWholeOwner()]
  const ties = await tiesOf(sharer)
  const witnesses = { stranger, sharer }
  const ids = [...(await idsIn(stranger)), ...(await idsIn(sharer))]
  const targets = {
    ids: ids.filter((id) => !/^(?:usr|grp)_/.test(id)),
    users: [stranger.id, sharer.id],
  }
  // So that a further sweep finds nothing to do for them.
  await sweep()
  const [sealed] = await rows<{ number: number }>('SELECT max(number) AS number FROM log_seals')
  const lastSeal = sealed?.number ?? 0
  return {
    ...{ files, stranger, sharer, ties, targets, witnesses, lastSeal },
    before: await stateOf(witnesses),
    image: await imageOf(witnesses, lastSeal),
  }
}

/** Of an archive, what a restore needs: whoever forges one leaves the rest out. */
const asRead = (files: Files): Files =>
  Object.fromEntries(
    Object.entries(files).filter(([path]) =>
      /^(?:(?:data|files)\/.*|manifest\.json|(?:accounts|transactions|categories|payees|tags)\.ndjson)$/.test(
        path,
      ),
    ),
  )

/** Gives those who must not be harmed new access tokens, and changes nothing of theirs: many archives take longer than one lasts. */
export async function staySignedIn({ stranger, sharer }: Stage): Promise<void> {
  for (const one of [stranger, sharer]) {
    const [session] = await rows<{ id: string }>(
      'SELECT id FROM sessions WHERE user_id = ?',
      one.id,
    )
    const claims = { userId: one.id, sessionId: session?.id ?? '' }
    one.accessToken = await signAccessToken(contextWith(), claims)
  }
}

/** How somebody uses an archive. */
export interface Attack {
  /** What the archive says, made for the ids that lead to others. @param at under which an id must stand to become it */
  forge: (at: (id: string) => string) => Forgery
  /** Whether one of its ids is in use, so that an earlier version added a number to all of them. */
  isMoved: boolean
  isMerged?: boolean
  /** Whether its last table cannot be read, so that all of it is taken back. */
  isTakenBack?: boolean
  actions?: readonly string[]
  isWiped?: boolean
  /** Whether all is wiped and restored again from a backup of the service, which keeps the ids. */
  isRepeated?: boolean
}

export interface Outcome {
  /** The columns in which the archive names others, also by ids that were to become theirs. */
  columns: Set<string>
  state: string
  error: string
  /** What was done to others; nothing if all is well. */
  faults: string[]
}

/** Lets a new user restore an archive and do what it makes possible, erases the user, and tells what others have suffered. */
export async function attack(stage: Stage, how: Attack): Promise<Outcome> {
  const as = await newAttacker(stage.ties, stage.stranger.word, how.isMerged === true)
  const { userId } = JSON.parse(text(stage.files['manifest.json'])) as { userId: string }
  const by = addedFor(userId, as.user.id)
  const at = (id: string) => (how.isMoved ? movedBy(id, -by) : id)
  const files = forged(stage.files, forgeryFor(stage, at, how))
  const named = { ...stage.targets, ids: [...stage.targets.ids, ...stage.targets.ids.map(at)] }
  const report = await restored(as.user, await packed(files), how.isMerged ? { mode: 'merge' } : {})
  if (report.state === 'done') {
    const cores = new Set(stage.targets.ids.map(coreOf))
    const named = await namesIn(as.user, cores)
    for (const action of how.actions ?? []) {
      await ACTIONS[action]?.(as)
    }
    as.faults.push(...named.union(await namesIn(as.user, cores)))
    if (how.isWiped || how.isRepeated) {
      const { archive } = how.isRepeated ? await backedUp(as.user) : {}
      await wipe(as)
      if (archive) {
        as.faults.push(...(await restoredAgain(as, archive, cores)))
      }
    }
  } else if (report.state !== 'failed') {
    as.faults.push(`the restore ended as ${report.state}`)
  }
  // What they restored may be in the way of that.
  await eraseUser(as.user).catch((error: unknown) => as.faults.push(`not erased: ${String(error)}`))
  return {
    columns: columnsNaming(files, stage.files, named),
    ...{ state: report.state, error: report.error?.message ?? '' },
    faults: [...(await damages(stage)), ...as.faults],
  }
}

/** Restores what the service made of what an archive left; tells what is not as it should be. */
async function restoredAgain(
  { user }: Attacker,
  archive: Uint8Array,
  cores: ReadonlySet<string>,
): Promise<string[]> {
  const { state, error } = await restored(user, archive)
  const ended = state === 'done' ? [] : [`the own backup ended as ${state}: ${error?.message}`]
  return [...ended, ...(await namesIn(user, cores))]
}

/** What others have suffered since this was asked the last time. */
export async function damages(stage: Stage): Promise<string[]> {
  const image = await imageOf(stage.witnesses, stage.lastSeal)
  if (image === stage.image) {
    return []
  }
  const after = await stateOf(stage.witnesses)
  stage.image = image
  const found = damageOf(stage.before, after)
  stage.before = after
  return found
}

function forgeryFor(stage: Stage, at: (id: string) => string, how: Attack): Forgery {
  const forgery = how.forge(at)
  return {
    ...forgery,
    rows: {
      ...(how.isMoved ? { import_profiles: inUse(stage) } : {}),
      ...forgery.rows,
      ...(how.isTakenBack
        ? { entries: (some) => contradictory(forgery.rows?.['entries']?.(some) ?? some) }
        : {}),
    },
  }
}

/** Lets the first row have an id of somebody else, as it is. */
const inUse =
  ({ targets }: Stage): NonNullable<Forgery['rows']>[string] =>
  ([first, ...others]) =>
    first
      ? [
          { ...first, id: targets.ids.find((id) => id.startsWith('ipr_')) ?? first['id'] ?? null },
          ...others,
        ]
      : others

/** Lines that move another amount than they do: only the books as a whole tell. */
const contradictory: NonNullable<Forgery['rows']>[string] = (rows) =>
  rows.map((row) => (row['flow_minor'] === null ? row : { ...row, flow_minor: 4711 }))
