import type { LargeSet } from '../../../../domain/large-map.ts'
import { forEachInSteps } from '../../../../domain/steps.ts'
import { jsonLine } from '../../../../domain/text.ts'
import {
  mappedId,
  mappedRow,
  type IdMapping,
} from '../../../../platform/owned-data/archived-ids.ts'
import { LimitCounts } from '../../../../platform/owned-data/archived-limits.ts'
import {
  existingRows,
  sameRows,
  takenIds,
  takenNames,
} from '../../../../platform/owned-data/archived-merging.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  tableNameOf,
  shapeOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { sha256Hex } from '../../../../platform/secrets/crypto.ts'
import { archivedTables } from '../../../../platform/owned-data/owned-data.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import type { ZipMember } from '../../../../platform/files/unzip.ts'
import { backupErrors } from '../backups.errors.ts'
import { rowPages } from '../making/making.usecases.ts'
import { planBookings, type MergePlan } from './bookings.usecases.ts'
import {
  type AccountHere,
  accountsHere,
  categoryPlaces,
  labelsInTrash,
  type RestoredRow,
} from './merging.queries.ts'
import {
  addToSum,
  DEEPEST_CATEGORY,
  freeRowName,
  LABEL_TABLES,
  type MergedCount,
  NO_SUM,
  ROWS_PER_LOOK,
  type StoredMerge,
} from './restoring.rules.ts'
import { Merge, type MappedLine } from './restoring.usecases.ts'
import { mappedLines, pagesOf, type Run } from './runs.usecases.ts'

interface Planned {
  counts: Record<string, MergedCount>
  stored: StoredMerge
  rows: RestoredRow[]
}

interface PlanInput {
  members: ReadonlyMap<string, ZipMember>
  /** The mapping of ids that name nothing here. */
  ids: IdMapping
  /** The accounts of the archive. */
  archived: LargeSet<string>
  isFresh: boolean
}

/** Decides what becomes of each row of an archive that is merged, and refuses what cannot be merged. Nothing is stored before. */
export async function planMerge(
  run: Run,
  { members, ids, archived, isFresh }: PlanInput,
): Promise<Planned> {
  const { ctx, owner } = run
  const { userId } = owner.caller
  const merge = new Merge(ctx, userId, isFresh)
  const [found] = await readOrStop(ctx, accountsHere(userId))
  const accounts = new Map(found.map((account) => [account.id, account]))
  const mapping = { ...ids, same: merge.same, changed: {} }
  const plan: MergePlan = { run, merge, mapping, members, accounts }
  const before: Record<string, string> = {}
  const counts: Record<string, MergedCount> = {}
  await mapAccounts(plan, archived)
  for (const table of archivedTables()) {
    await prepare(plan, table)
    const count = { added: 0, mapped: 0, skipped: 0 }
    const limits = new LimitCounts()
    for await (const lines of pagesOf(mappedLines(run.read, members, table, mapping))) {
      const added = await merge.additions(table, lines)
      const mapped = lines.filter((line) => isMapped(plan, table, line)).length
      count.added += added.length
      added.forEach(({ mapped: row }) => requireFit(limits.add(table, row)))
      count.mapped += mapped
      count.skipped += lines.length - added.length - mapped
    }
    counts[tableNameOf(table)] = count
    before[tableNameOf(table)] = await sumOfRows(owner, table, (row) =>
      requireFit(limits.addBeside(table, row)),
    )
  }
  const rows = [
    ...[...merge.left].map((id) => ({ id, becomes: null })),
    ...[...merge.same].map(([id, becomes]) => ({ id, becomes })),
  ]
  return { counts, stored: { isFresh, changed: mapping.changed, before }, rows }
}

/** Lets own accounts stand for those of the archive that the user says they are. */
async function mapAccounts(
  { run, merge, mapping, accounts }: MergePlan,
  archived: LargeSet<string>,
): Promise<void> {
  const wanted = Object.entries(JSON.parse(run.row.accountMap) as Record<string, string>)
  const ids = new Set<string>()
  const mappingAll = forEachInSteps(archived, (id) => void ids.add(mappedId(id, mapping)))
  await runWithPauses(mappingAll, pauseRegularly())
  for (const [from, to] of wanted) {
    const here = accounts.get(to)
    const id = mappedId(from, { ...mapping, same: NONE })
    if (!archived.has(from) || accounts.has(id)) {
      throw backupErrors.unknownArchivedAccount({ id: from })
    }
    if (!here || here.deletedAt !== null || ids.has(to)) {
      throw backupErrors.unknownOwnAccount({ id: to })
    }
    merge.same.set(id, to)
  }
}

/** Tells whether another row stands for one of the archive. */
function isMapped({ merge, mapping }: MergePlan, table: ArchivedTable, { archived }: MappedLine) {
  const { id } = shapeOf(table)
  return (
    id !== undefined && merge.same.has(mappedId(String(archived[id]), { ...mapping, same: NONE }))
  )
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Refuses more rows than there may be, those that are here included. */
function requireFit([limit]: string[]): void {
  if (limit !== undefined) {
    throw backupErrors.tooManyRows({ limit })
  }
}

/**
 * A sum of all rows of an owner in a table.
 * @param seen is called with each row
 */
export async function sumOfRows(
  owner: SignedIn,
  table: ArchivedTable,
  seen: (row: ArchivedRow) => void = () => undefined,
): Promise<string> {
  let sum = NO_SUM
  for await (const rows of rowPages(owner, table)) {
    rows.forEach(seen)
    sum = rows.reduce((all, row) => addToSum(all, sha256Hex(jsonLine(row))), sum)
  }
  return sum
}

/** Prepares the decisions on the rows of a table. */
async function prepare(plan: MergePlan, table: ArchivedTable): Promise<void> {
  const { run, mapping, members } = plan
  if (tableNameOf(table) === 'transactions') {
    return planBookings(plan)
  }
  if (tableNameOf(table) === 'trashed_rows') {
    return leaveLiveLabels(plan, table)
  }
  if (!table.merge?.same) {
    return
  }
  const rows: ArchivedRow[] = []
  const ids = new Set<string>()
  for await (const { archived } of mappedLines(run.read, members, table, mapping)) {
    rows.push(archived)
    ids.add(mappedId(String(archived['id']), mapping))
  }
  const shape = shapeOf(table)
  const names = new Names(plan, table, rows, ids)
  // Rows below a row are identified with its help.
  const levels = Map.groupBy(rows, (row) => (shape.trees.length > 0 ? Number(row['depth']) : 0))
  for (const level of [...levels.keys()].toSorted((one, other) => one - other)) {
    const all = levels.get(level) ?? []
    for (let at = 0; at < all.length; at += ROWS_PER_LOOK) {
      const some = all.slice(at, at + ROWS_PER_LOOK).map((row) => mappedRow(shape, row, mapping))
      const fresh = await names.match(some)
      await placeCategories(plan, table, fresh)
    }
  }
}

/** Finds what rows of a table are called here. */
class Names {
  private readonly plan: MergePlan
  private readonly table: ArchivedTable
  private readonly rows: ArchivedRow[]
  private readonly ids: Set<string>
  private taken: Set<string> | undefined

  /** @param ids those of all rows, as they are stored here */
  constructor(plan: MergePlan, table: ArchivedTable, rows: ArchivedRow[], ids: Set<string>) {
    this.plan = plan
    this.table = table
    this.rows = rows
    this.ids = ids
  }

  /** Gives those of some rows that are neither there nor in the trash, and that no other row stands for. */
  async match(rows: ArchivedRow[]): Promise<ArchivedRow[]> {
    const { merge, run, accounts } = this.plan
    const { userId } = run.owner.caller
    const [present] = await readOrStop(run.ctx, existingRows(this.table, rows, userId))
    const there = new Set(present.map(({ place }) => place))
    if (tableNameOf(this.table) === 'accounts') {
      for (const at of there) {
        requireSameCurrency(accounts.get(String(rows[at]?.['id'])), rows[at])
      }
    }
    const absent = await this.notInTrash(rows.filter((_, at) => !there.has(at)))
    const named = absent.filter((row) => (row['deleted_at'] ?? null) === null)
    const [found] = await readOrStop(run.ctx, sameRows(this.table, named, userId))
    const standIns = new Set(merge.same.values())
    for (const { place, id } of found) {
      const row = named[place]
      if (row && !this.table.merge?.isRenamed && !this.ids.has(id) && !standIns.has(id)) {
        merge.same.set(String(row['id']), id)
        standIns.add(id)
      } else if (row) {
        await this.rename(row)
      }
    }
    return absent.filter(({ id }) => !merge.same.has(String(id)) && !merge.left.has(String(id)))
  }

  private async notInTrash(rows: ArchivedRow[]): Promise<ArchivedRow[]> {
    const { merge, run } = this.plan
    if (!LABEL_TABLES.includes(tableNameOf(this.table))) {
      return rows
    }
    const ids = rows.map(({ id }) => String(id))
    const [found] = await readOrStop(run.ctx, labelsInTrash(ids, run.owner.caller.userId))
    for (const { id, kind, name } of found) {
      merge.left.add(id)
      merge.inTrash.set(id, { kind, name })
    }
    return rows.filter(({ id }) => !merge.left.has(String(id)))
  }

  /** A row whose name is taken gets a new one; what has no name is left out. */
  private async rename(row: ArchivedRow): Promise<void> {
    const { merge, mapping, run } = this.plan
    const id = String(row['id'])
    if (typeof row['name'] !== 'string' || row['name_key'] === undefined) {
      merge.left.add(id)
      return
    }
    if (!this.taken) {
      const [found] = await readOrStop(run.ctx, takenNames(this.table, run.owner.caller.userId))
      const keys = this.rows.map((one) => String(one['name_key']))
      this.taken = new Set([...keys, ...found.map(({ nameKey }) => nameKey)])
    }
    const renamed = freeRowName(row['name'], this.taken)
    const key = row['search_key'] === undefined ? {} : { search_key: renamed.searchKey }
    const { name, nameKey: name_key } = renamed
    mapping.changed[id] = { ...mapping.changed[id], name, name_key, ...key }
  }
}

function requireSameCurrency(here: AccountHere | undefined, row: ArchivedRow | undefined): void {
  if (here && row && here.currency !== row['currency']) {
    throw backupErrors.otherCurrency({ name: here.name, currency: here.currency })
  }
}

/** Categories whose parent is here may stand deeper than they did. */
async function placeCategories(
  { merge, mapping, run }: MergePlan,
  table: ArchivedTable,
  rows: ArchivedRow[],
): Promise<void> {
  if (tableNameOf(table) !== 'categories') {
    return
  }
  const parents = rows.flatMap(({ parent_id: id }) => (typeof id === 'string' ? [id] : []))
  const [found] = await readOrStop(run.ctx, categoryPlaces(parents, run.owner.caller.userId))
  const here = new Map(found.map((parent) => [parent.id, parent]))
  for (const row of rows) {
    const parentId = String(row['parent_id'])
    const parent = here.get(parentId)
    const depth = parent
      ? parent.depth + 1
      : Number(mapping.changed[parentId]?.['depth'] ?? Number(row['depth']) - 1) + 1
    if (depth > DEEPEST_CATEGORY || (parent && parent.kind !== row['kind'])) {
      throw backupErrors.misplacedCategory({ name: String(row['name']) })
    }
    if (depth !== row['depth'] && !merge.inTrash.has(parentId)) {
      const id = String(row['id'])
      mapping.changed[id] = { ...mapping.changed[id], depth }
    }
  }
}

/** Leaves out labels in the trash of the archive that the user has restored. */
async function leaveLiveLabels(
  { run, merge, mapping, members }: MergePlan,
  table: ArchivedTable,
): Promise<void> {
  const tables = archivedTables().filter((one) => LABEL_TABLES.includes(tableNameOf(one)))
  for await (const lines of pagesOf(mappedLines(run.read, members, table, mapping))) {
    const ids = lines.map(({ mapped }) => String(mapped['id']))
    const found = await readOrStop(run.ctx, ...tables.map((one) => takenIds(one, ids)))
    found.flat().forEach(({ id }) => merge.left.add(id))
  }
}
