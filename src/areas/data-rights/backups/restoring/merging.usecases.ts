import {
  type ArchivedRow,
  type ArchivedTable,
  tableNameOf,
  shapeOf,
} from '../../../../platform/archived-tables.ts'
import { isDecided, knownBy, existingRows } from '../../../../platform/archived-merging.ts'
import type { Context } from '../../../../platform/context.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { backupErrors } from '../backups.errors.ts'
import { RESTORED_ROWS_AT_ONCE, restoredRowsOf } from './merging.queries.ts'

/** A line of an archive: its row as it is there, and as a backup of what is restored has it. */
export interface MappedLine {
  archived: ArchivedRow
  mapped: ArchivedRow
}

/** Decides which rows of an archive are added to existing data. */
export class Merge {
  /** What rows are known by that are added. */
  readonly added = new Set<string>()
  /** Rows that are neither there nor added. */
  readonly left = new Set<string>()
  /** Rows that are there, by the ids of those that they stand for. */
  readonly same = new Map<string, string>()
  /** Those of `left` that are in the trash, and that nothing can do without. */
  readonly inTrash = new Map<string, { kind: string; name: string }>()

  private readonly ctx: Context
  private readonly ownerId: string
  private readonly isFresh: boolean

  constructor(ctx: Context, ownerId: string, isFresh: boolean) {
    this.ctx = ctx
    this.ownerId = ownerId
    this.isFresh = isFresh
  }

  /** Those of some rows of a table that are added. Rows that they refer to were asked for before. */
  async additions(table: ArchivedTable, lines: MappedLine[]): Promise<MappedLine[]> {
    const shape = shapeOf(table)
    const wanted = lines.filter(({ mapped }) => this.comes(table, mapped))
    if (wanted.length === 0 || !isDecided(table, shape.id)) {
      return this.asAdded(table, wanted)
    }
    const rows = wanted.map(({ mapped }) => mapped)
    const [present] = await readOrStop(this.ctx, existingRows(table, rows, this.ownerId))
    const there = new Set(present.map(({ place }) => place))
    for (const { place, isOwn, isShown } of present) {
      const row = rows[place]
      if (isOwn === 0) {
        throw backupErrors.foreignRow()
      }
      if (isShown === 0 && row) {
        this.left.add(knownBy(table, row))
      }
    }
    const fresh = wanted.filter((_, at) => !there.has(at))
    fresh.forEach(({ mapped }) => this.added.add(knownBy(table, mapped)))
    return this.asAdded(table, fresh)
  }

  /** Whether a row was added, when all is there. */
  isAdded(table: ArchivedTable, { mapped }: MappedLine): boolean {
    return isDecided(table, shapeOf(table).id)
      ? this.added.has(knownBy(table, mapped))
      : this.comes(table, mapped)
  }

  /** Rows as they are added. A line of an account that was there belongs to none of the statements that it was reconciled with. */
  asAdded(table: ArchivedTable, lines: MappedLine[]): MappedLine[] {
    for (const { mapped } of this.inTrash.size > 0 ? lines : []) {
      this.requireNotInTrash(table, mapped)
    }
    return LINES.has(tableNameOf(table)) ? lines.map((line) => this.unreconciled(line)) : lines
  }

  private unreconciled(line: MappedLine): MappedLine {
    const { mapped } = line
    return mapped['status'] === 'reconciled' && !this.added.has(String(mapped['account_id']))
      ? { ...line, mapped: { ...mapped, status: 'cleared' } }
      : line
  }

  private requireNotInTrash(table: ArchivedTable, row: MappedLine['mapped']): void {
    const label = referencesOf(table, row)
      .map((id) => this.inTrash.get(id))
      .find((one) => one !== undefined)
    if (label) {
      throw backupErrors.inTrash(label)
    }
  }

  /** Whether a row may be added, by what it refers to. */
  private comes(table: ArchivedTable, row: MappedLine['mapped']): boolean {
    const { merge, of } = table
    if (merge?.with) {
      const named = merge.with.map(({ name }) => row[name] ?? '').filter((id) => id !== '')
      const isNew = (id: string | number) => this.added.has(String(id))
      const isWith = merge.withAll ? named.every(isNew) : named.some(isNew)
      if (named.length === 0 ? !this.isFresh : !isWith) {
        return false
      }
    } else if (of && !this.added.has(String(row[of.column.name]))) {
      return false
    }
    return (
      !this.left.has(knownBy(table, row)) &&
      !referencesOf(table, row).some((id) => this.left.has(id) && !this.inTrash.has(id))
    )
  }
}

/** The rows that a row refers to. */
const referencesOf = (table: ArchivedTable, row: MappedLine['mapped']): string[] =>
  shapeOf(table)
    .columns.filter(({ refersTo }) => refersTo)
    .flatMap(({ name }) => String(row[name] ?? ''))

const LINES = new Set(['entries', 'unbooked_entries'])

/** Loads the decisions and the progress of a merge. */
export async function loadMerge(
  ctx: Context,
  { id, ownerId, isFresh }: { id: string; ownerId: string; isFresh: boolean },
): Promise<Merge> {
  const merge = new Merge(ctx, ownerId, isFresh)
  let after: string | undefined = ''
  while (after !== undefined) {
    const found: { id: string; becomes: string | null }[] = (
      await readOrStop(ctx, restoredRowsOf(id, after))
    )[0]
    for (const row of found) {
      if (row.becomes === null) {
        merge.left.add(row.id)
      } else if (row.becomes === row.id) {
        merge.added.add(row.id)
      } else {
        merge.same.set(row.id, row.becomes)
      }
    }
    after = found.length === RESTORED_ROWS_AT_ONCE ? found.at(-1)?.id : undefined
  }
  return merge
}
