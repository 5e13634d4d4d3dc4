import { createHash } from 'node:crypto'
import { coreOf } from '../../../src/domain/ids.ts'
import { faultOfRow } from '../../../src/platform/owned-data/archived-rows.ts'
import {
  type ArchivedColumn,
  type ArchivedRow,
  type ArchivedShape,
  shapeOf,
} from '../../../src/platform/owned-data/archived-tables.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import type { Random } from '../../support/random.ts'
import { type Files, bytes, text } from './packing.ts'
import { ANY_ID } from './witnesses.fixtures.ts'

// Archives that name what others have: intact, as whoever forges one can calculate every hash and count in it.

/** How often an id is found in an archive under another one: in the rows, in the lists and in the paths of files. */
export type Renamed = ReadonlyMap<string, string>

export interface Forgery {
  renamed?: Renamed
  /** The rows of tables, made from those that are there. */
  rows?: Record<string, (rows: ArchivedRow[]) => ArchivedRow[]>
  /** Other bytes of all files. */
  content?: Uint8Array
}

const hashOf = (value: Uint8Array) => createHash('sha256').update(value).digest('hex')

export const rowsOf = (files: Files, table: string): ArchivedRow[] =>
  text(files[`data/${table}.ndjson`])
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ArchivedRow)

const linesOf = (rows: ArchivedRow[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** An archive that was forged, with a manifest that fits. */
export function forged(files: Files, { renamed = new Map(), rows = {}, content }: Forgery): Files {
  const rename = (value: string) => value.replaceAll(ANY_ID, (id) => renamed.get(id) ?? id)
  const all: Files = {}
  for (const [path, value] of Object.entries(files)) {
    const isText = path.endsWith('.ndjson')
    const isFile = path.startsWith('files/')
    all[rename(path)] = isText ? bytes(rename(text(value))) : isFile ? (content ?? value) : value
  }
  const ofContent = content && { size: content.length, sha256: hashOf(content) }
  const changes: NonNullable<Forgery['rows']> = {
    ...rows,
    ...(ofContent ? { attachments: (some) => some.map((row) => ({ ...row, ...ofContent })) } : {}),
  }
  for (const [table, change] of Object.entries(changes)) {
    all[`data/${table}.ndjson`] = bytes(linesOf(change(rowsOf(all, table))))
  }
  const { contentHash: _, ...manifest } = JSON.parse(text(files['manifest.json'])) as {
    contentHash: string
    counts: Record<string, number>
  }
  delete all['manifest.json']
  const listed = Object.entries(all).map(([path, value]) => ({
    ...{ path, size: value.length, sha256: hashOf(value) },
  }))
  const counts = Object.fromEntries(
    Object.keys(manifest.counts).flatMap((list) => {
      const value = all[`${list}.ndjson`]
      return value ? [[list, text(value).split('\n').filter(Boolean).length] as const] : []
    }),
  )
  return { ...all, 'manifest.json': bytes(JSON.stringify({ ...manifest, counts, files: listed })) }
}

// Before ids were replaced by what nobody can foresee, one number was added to all of them if one was in use. It followed from
// the two users, so that whoever forged an archive could subtract it beforehand.

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const CORE_BITS = (1n << 128n) - 1n

export function addedFor(fromId: string, toId: string): bigint {
  const hash = createHash('sha256').update(`restore ${fromId} ${toId}`).digest('hex')
  return BigInt(`0x${hash.slice(0, 20)}`) | 1n
}

/** An id with so much added to its core. */
export function movedBy(id: string, by: bigint): string {
  return id.replace(ANY_ID, (_, prefix: string, core: string) => {
    const bits = [...core].reduce((all, digit) => (all << 5n) | BigInt(DIGITS.indexOf(digit)), 0n)
    let moved = ''
    for (let rest = (bits + by) & CORE_BITS; moved.length < 26; rest >>= 5n) {
      moved = DIGITS.charAt(Number(rest & 31n)) + moved
    }
    return `${prefix}_${moved}`
  })
}

/** What is known of others: all ids in their rows, and who they are. */
export interface Targets {
  ids: readonly string[]
  users: readonly string[]
}

const prefixOf = (id: string) => id.replace(/_.*/, '')

/** The ids of all rows of an archive, by the table. */
export const idsByTable = (files: Files): Map<string, string[]> =>
  new Map(
    archivedTables().flatMap((table) => {
      const { id, name } = shapeOf(table)
      return id === undefined
        ? []
        : [[name, rowsOf(files, name).map((row) => String(row[id]))] as const]
    }),
  )

/** Ways in which rows of an archive become those of somebody else, wherever the archive names them. */
export const RENAMINGS = ['same', 'other prefix', 'core', 'everything'] as const
export type Renaming = (typeof RENAMINGS)[number]

/** @param tables whose rows are renamed, but where everything is */
export function renaming(
  files: Files,
  how: Renaming,
  tables: readonly string[],
  { ids }: Targets,
  random: Random,
): Map<string, string> {
  const byTable = idsByTable(files)
  const own = tables.flatMap((table) => byTable.get(table) ?? [])
  const others = (of: string[], isFitting: (id: string, other: string) => boolean) => {
    const taken = new Set<string>()
    const renamed = new Map<string, string>()
    for (const id of of) {
      const fitting = ids.filter((other) => isFitting(id, other) && !taken.has(coreOf(other)))
      if (fitting.length > 0) {
        const other = random.pick(fitting)
        taken.add(coreOf(other))
        renamed.set(id, `${prefixOf(id)}_${coreOf(other)}`)
      }
    }
    return renamed
  }
  const isSame = (id: string, other: string) => prefixOf(id) === prefixOf(other)
  if (how === 'same') {
    return others(own, isSame)
  }
  if (how === 'other prefix') {
    return others(own, (id, other) => !isSame(id, other) && /^(?:acc|txn|trf)_/.test(other))
  }
  const everything = [...byTable.values()].flat()
  if (how === 'everything') {
    return others(everything, isSame)
  }
  const cores = new Map(
    [...others(own, isSame)].map(([from, to]) => [coreOf(from), coreOf(to)] as const),
  )
  return new Map(
    everything.flatMap((id) => {
      const core = cores.get(coreOf(id))
      return core === undefined ? [] : [[id, `${prefixOf(id)}_${core}`] as const]
    }),
  )
}

/** Forms in which a text may name a thing. */
export const FORMS: ((id: string) => string)[] = [
  (id) => id,
  (id) => `${id}-2`,
  (id) => `txn_${coreOf(id)}`,
  (id) => `acc_${coreOf(id)}`,
  (id) => `trf_${coreOf(id)}`,
  (id) => `payments ${id}`,
]

/** The value of a column of text or JSON as it was, but naming others. */
export function naming(
  column: ArchivedColumn,
  value: ArchivedRow[string],
  { ids, users }: Targets,
  random: Random,
): string {
  if (column.isUser) {
    return random.pick(users)
  }
  const name = () => random.pick(FORMS)(random.pick(ids))
  if (column.kind !== 'json') {
    return name()
  }
  const was: unknown = typeof value === 'string' ? JSON.parse(value) : null
  const replaced = String(value).replaceAll(ANY_ID, (id) => {
    const same = ids.filter((other) => prefixOf(other) === prefixOf(id))
    return same.length === 0 ? id : random.pick(same)
  })
  if (replaced !== value && typeof value === 'string' && random.chance(0.7)) {
    return replaced
  }
  if (Array.isArray(was)) {
    return JSON.stringify([...(was as unknown[]), name()])
  }
  const fields = typeof was === 'object' && was !== null ? was : {}
  const [one, other] = [random.pick(ids), name()]
  return JSON.stringify({ ...fields, [other]: one, [`payments ${one}`]: [{ id: other, line: 1 }] })
}

const TRIES = 30

/** The same, in a form that a row with the other values may have; undefined if none is found. */
export const fitting = (
  { shape, column }: NamingColumn,
  row: ArchivedRow,
  of: Targets,
  random: Random,
): string | undefined =>
  Array.from({ length: TRIES }, () => naming(column, row[column.name] ?? null, of, random)).find(
    (value) => !faultOfRow(shape, { ...row, [column.name]: value }),
  )

interface NamingColumn {
  shape: ArchivedShape
  table: string
  column: ArchivedColumn
}

/** The columns in which an archive may name something: texts and JSON, each as `table.column`. */
export const namingColumns = (): Map<string, NamingColumn> =>
  new Map(
    archivedTables().flatMap((one) => {
      const shape = shapeOf(one)
      const { name: table, columns } = shape
      return columns
        .filter(({ kind }) => kind === 'text' || kind === 'json')
        .map((column) => [`${table}.${column.name}`, { shape, table, column }] as const)
    }),
  )

/** Whether no row may name anything in this column, whatever the form: it takes days, currencies or certain words. */
export function takesNoName(files: Files, table: string, column: ArchivedColumn, of: Targets) {
  const archived = archivedTables().find((one) => shapeOf(one).name === table)
  const [row] = rowsOf(files, table)
  if (!archived || !row) {
    throw new Error(`the archive has no row of ${table}`)
  }
  // Ids of one prefix differ in nothing that a column may refuse.
  const ids = [...Map.groupBy(of.ids, prefixOf).values()].flatMap(([id]) => id ?? [])
  const values = column.isUser ? of.users : FORMS.flatMap((form) => ids.map(form))
  return (
    column.kind !== 'json' &&
    values.every((value) => faultOfRow(shapeOf(archived), { ...row, [column.name]: value }))
  )
}

/** The columns in which an archive names others, where the one that it was made from does not. */
export function columnsNaming(files: Files, from: Files, { ids, users }: Targets): Set<string> {
  const cores = new Set([...ids, ...users].map(coreOf))
  const found = new Set<string>()
  for (const [place, { table, column }] of namingColumns()) {
    const path = `data/${table}.ndjson`
    if (text(files[path]) !== text(from[path])) {
      const says = rowsOf(files, table).some((row) =>
        [...String(row[column.name]).matchAll(ANY_ID)].some(([, , core]) => cores.has(core ?? '')),
      )
      if (says) {
        found.add(place)
      }
    }
  }
  return found
}
