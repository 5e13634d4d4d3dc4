import { looseIds, SELF } from '../../../../platform/owned-data/archived-ids.ts'
import { LimitCounts } from '../../../../platform/owned-data/archived-limits.ts'
import {
  completeRow,
  faultOfRow,
  laterFieldOf,
} from '../../../../platform/owned-data/archived-rows.ts'
import {
  type ArchivedRow,
  type ArchivedShape,
  type ArchivedTable,
  tableNameOf,
  shapeOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import { LargeMap, LargeSet } from '../../../../domain/large-map.ts'
import { forEachInSteps, stepCounter, type Steps } from '../../../../domain/steps.ts'
import { archivedTables } from '../../../../platform/owned-data/owned-data.ts'
import { type Fault, isTakenId } from './verifying.rules.ts'

/** Ids in JSON and in texts, of what is gone: more than a user has. */
const MOST_LOOSE = 100_000
const MOST_USERS = 1000

type FaultText = Pick<Fault, 'code' | 'message'>

/** A file of an archive that belongs to a row. */
interface RowFile {
  path: string
  size: number
  sha256: string
}

/** A transaction whose lines are coming. */
interface OpenTransaction {
  table: string
  id: string
  sums: Map<string, bigint>
  /** The number of account lines, without those of parts. */
  accountLines: number
  /** True if line 1 is one of these: it tells where a transaction is booked. */
  hasFirst: boolean
}

/** Another service may have made the archive. */
const CLOCKS_DIFFER_BY_MS = 10 * 60 * 1000

/** Looks through the rows of tables in an archive, a table after those that it refers to. */
export class RowCheck {
  /** By table. */
  readonly ids = new Map<string, LargeSet<string>>()
  /** Users beside the owner. */
  readonly users = new Set<string>()
  /** Ids that no foreign key looks after. */
  readonly loose = new Set<string>()
  readonly files: RowFile[] = []
  /** Minor units by account. */
  readonly sums = new LargeMap<string, bigint>()
  private readonly currencies = new LargeMap<string, string>()
  private readonly trees = new Map<string, Map<string, string>>()
  private readonly onlyOnes = new Set<string>()
  /** Of the table that is looked through. */
  private limits = new LimitCounts()
  private open: OpenTransaction | undefined
  private readonly tables = tablesByPrefix()
  /** Transactions whose lines did not come yet. */
  private readonly headers = new LargeMap<string, { isTransfer: boolean; isBooked: boolean }>()
  private readonly latest: number

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.latest = now + CLOCKS_DIFFER_BY_MS
  }

  /** The paths of the tables, in the order in which they are looked through. */
  static members(): Map<string, ArchivedTable> {
    return new Map(archivedTables().map((table) => [archiveMemberOf(table), table]))
  }

  /** Returns the faults of a row by itself, and of its references. */
  take(archived: ArchivedTable, row: object): FaultText[] {
    const shape = shapeOf(archived)
    const complete = completeRow(shape, row as ArchivedRow)
    const fault = faultOfRow(shape, complete)
    const later = laterFieldOf(shape, complete, this.latest)
    if (fault !== undefined || later !== undefined) {
      return [{ code: 'malformedLine', message: fault ?? `The field ${later} is in the future.` }]
    }
    this.note(shape, complete)
    if (archived.file) {
      this.files.push({
        path: archived.file.pathOf(complete),
        size: Number(complete['size']),
        sha256: String(complete['sha256']),
      })
    }
    return [
      ...this.repeated(shape, complete),
      ...(isTakenId(shape.name, complete, this.ids) ? [TAKEN_ID] : []),
      ...this.another(archived, complete),
      ...this.limits.add(archived, complete).map(tooMany),
      ...this.unknownIn(shape, complete),
      ...this.sum(shape, complete),
    ]
  }

  /** Returns the faults of a table as a whole. */
  *end(archived: ArchivedTable): Steps<FaultText[]> {
    const shape = shapeOf(archived)
    const ids = this.ids.get(shape.name) ?? new LargeSet()
    const faults = this.close()
    this.limits = new LimitCounts()
    const [without] = shape.name === 'unbooked_entries' ? this.headers.keys() : []
    if (without !== undefined) {
      faults.push({ code: 'unbalanced', message: `${without} has no lines.` })
    }
    for (const name of shape.trees) {
      const parents = this.trees.get(`${shape.name}.${name}`) ?? new Map<string, string>()
      yield* forEachInSteps(parents.values(), (parent) => {
        if (!ids.has(parent)) {
          faults.push(unknownReference(parent))
        }
      })
      if (yield* hasCircle(parents)) {
        faults.push({ code: 'unknownReference', message: `In ${name} a row is below itself.` })
      } else if (
        name === shape.trees[0] &&
        (yield* levelsOf(parents)) > (archived.levels ?? Infinity)
      ) {
        faults.push({
          code: 'malformedLine',
          message: `In ${name} there are more than ${archived.levels} levels.`,
        })
      }
    }
    return faults
  }

  private note({ name, columns, trees, id }: ArchivedShape, row: ArchivedRow): void {
    for (const column of trees) {
      const parent = row[column]
      if (typeof parent === 'string') {
        const parents = this.trees.get(`${name}.${column}`) ?? new Map<string, string>()
        this.trees.set(`${name}.${column}`, parents.set(String(row[id ?? '']), parent))
      }
    }
    for (const column of columns) {
      const value = row[column.name]
      if (column.isUser && typeof value === 'string' && value !== SELF && value !== '') {
        if (this.users.size < MOST_USERS) {
          this.users.add(value)
        }
      }
    }
  }

  /** An id that comes twice, or too many that may be anything. */
  private repeated(shape: ArchivedShape, row: ArchivedRow): FaultText[] {
    for (const id of looseIds(shape, row)) {
      if (!this.isRowOfAnother(shape, id)) {
        this.loose.add(id)
      }
    }
    if (this.loose.size > MOST_LOOSE) {
      return [{ code: 'malformedLine', message: 'The archive has too many ids in texts.' }]
    }
    if (shape.id === undefined) {
      return []
    }
    const id = String(row[shape.id])
    const ids = this.ids.get(shape.name) ?? new LargeSet<string>()
    this.ids.set(shape.name, ids)
    if (ids.has(id)) {
      return [{ code: 'malformedLine', message: `The id ${id} is there twice.` }]
    }
    ids.add(id)
    if (shape.name === 'accounts') {
      this.currencies.set(id, String(row['currency']))
    }
    if (shape.name === 'transactions') {
      this.headers.set(id, {
        isTransfer: row['kind'] === 'transfer',
        isBooked: row['deleted_at'] === null && row['matched_into'] === null,
      })
    }
    return []
  }

  /** True if a row of another table has an id: it is looked up as that of the row. */
  private isRowOfAnother({ name }: ArchivedShape, id: string): boolean {
    const tables = this.tables.get(id.slice(0, id.indexOf('_'))) ?? []
    return tables.some((table) => table !== name && this.ids.get(table)?.has(id) === true)
  }

  /** A second row in a state that one row at most has. */
  private another(archived: ArchivedTable, row: ArchivedRow): FaultText[] {
    const { onlyOne } = archived
    if (!onlyOne || row['state'] !== onlyOne.state) {
      return []
    }
    const one = `${tableNameOf(archived)} with the ${onlyOne.of.name} ${row[onlyOne.of.name]}`
    if (this.onlyOnes.has(one)) {
      return [{ code: 'malformedLine', message: `Two ${one} have the state ${onlyOne.state}.` }]
    }
    this.onlyOnes.add(one)
    return []
  }

  private unknownIn({ columns, trees }: ArchivedShape, row: ArchivedRow): FaultText[] {
    return columns
      .filter(({ name, refersTo }) => refersTo && !trees.includes(name))
      .flatMap(({ name, refersTo = [] }) => {
        const id = row[name]
        return id === null || refersTo.some((table) => this.ids.get(table)?.has(String(id)))
          ? []
          : [unknownReference(String(id))]
      })
  }

  /** The lines of a transaction sum to zero in each currency. */
  private sum({ name }: ArchivedShape, row: ArchivedRow): FaultText[] {
    if (name !== 'entries' && name !== 'unbooked_entries') {
      return []
    }
    const id = String(row['transaction_id'])
    const faults = this.open?.id === id && this.open.table === name ? [] : this.close()
    this.open ??= { table: name, id, sums: new Map(), accountLines: 0, hasFirst: false }
    const [account, currency] = [String(row['account_id']), String(row['currency'])]
    const amount = BigInt(row['amount_minor'] ?? 0)
    this.open.sums.set(currency, (this.open.sums.get(currency) ?? 0n) + amount)
    if (row['side'] === 'account' && row['pair'] === null) {
      this.open.accountLines += 1
      this.open.hasFirst ||= row['line'] === 1
    }
    if (this.currencies.get(account) !== currency) {
      faults.push(unknownReference(account))
    }
    if (name === 'entries' && row['side'] === 'account' && row['status'] !== 'void') {
      this.sums.set(account, (this.sums.get(account) ?? 0n) + amount)
    }
    return faults
  }

  private close(): FaultText[] {
    const { open } = this
    if (!open) {
      return []
    }
    this.open = undefined
    const header = this.headers.get(open.id)
    this.headers.delete(open.id)
    const isWhole =
      open.hasFirst &&
      header?.isBooked === (open.table === 'entries') &&
      open.accountLines === (header.isTransfer ? 2 : 1)
    return isWhole && [...open.sums.values()].every((sum) => sum === 0n)
      ? []
      : [
          {
            code: 'unbalanced',
            message: `The lines of ${open.id} do not add up to zero, or are not those of its kind.`,
          },
        ]
  }
}

/** The tables whose rows have ids that begin so. */
function tablesByPrefix(): Map<string, string[]> {
  const shapes = archivedTables().map(shapeOf)
  const prefixes = new Set(shapes.flatMap((shape) => shape.prefixes))
  return new Map(
    [...prefixes].map((prefix) => [
      prefix,
      shapes.filter((shape) => shape.prefixes.includes(prefix)).map(({ name }) => name),
    ]),
  )
}

const TAKEN_ID: FaultText = {
  code: 'malformedLine',
  message: 'The row has the id of an opening balance, or of what an erased transfer leaves behind.',
}

const tooMany = (limit: string): FaultText => ({
  code: 'malformedLine',
  message: `There are ${limit}.`,
})

export const archiveMemberOf = (archived: ArchivedTable): string =>
  `data/${tableNameOf(archived)}.ndjson`

const unknownReference = (id: string): FaultText => ({
  code: 'unknownReference',
  message: `A row refers to ${id}, which is not in the archive, or has another currency.`,
})

function* hasCircle(parents: ReadonlyMap<string, string>): Steps<boolean> {
  /** The start of the walk that passed each row. */
  const seen = new Map<string, string>()
  const step = stepCounter()
  for (const start of parents.keys()) {
    let above: string | undefined = start
    for (; above !== undefined && !seen.has(above); above = parents.get(above)) {
      seen.set(above, start)
      yield* step()
    }
    if (above !== undefined && seen.get(above) === start) {
      return true
    }
  }
  return false
}

/** Returns the greatest number of rows above each other, where none is above itself. */
function* levelsOf(parents: ReadonlyMap<string, string>): Steps<number> {
  const levels = new Map<string, number>()
  const path: string[] = []
  const step = stepCounter()
  let most = 1
  for (const start of parents.keys()) {
    let above: string | undefined = start
    for (; above !== undefined && !levels.has(above); above = parents.get(above)) {
      path.push(above)
      yield* step()
    }
    let level = above === undefined ? 0 : (levels.get(above) ?? 0)
    for (let id = path.pop(); id !== undefined; id = path.pop()) {
      level += 1
      levels.set(id, level)
      yield* step()
    }
    most = Math.max(most, level)
  }
  return most
}
