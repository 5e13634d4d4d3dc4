import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { commit } from '../database/database.ts'
import { newestPrefix, openSecret, type SecretPlace, sealSecret } from './key-ring.ts'
import { defineJob } from '../work/payloads.ts'
import { secretEvents } from '../log/platform-events.ts'
import { placeIn, RESEALABLE, type SealedColumn } from './sealed-columns.ts'
import { db, jsonFieldOf, type Statement } from '../database/statements.ts'
import { readOrStop } from '../work/tasks.ts'

/** Records of one commit. */
const RECORDS_PER_STEP = 50

export interface Resealing {
  /** The number of records that were not under the newest key before and are now. */
  resealed: number
  /** Records that no key of the ring opens; they were left as they are. */
  unreadable: SecretPlace[]
}

/** Brings every sealed record under the newest key, in commits of bounded size. May stop and start anywhere. */
export async function resealAll(
  ctx: Context,
  columns: readonly SealedColumn[] = RESEALABLE,
): Promise<Resealing> {
  const all: Resealing = { resealed: 0, unreadable: [] }
  for (const column of columns) {
    let outdated: Outdated[] = []
    do {
      ;[outdated] = await readOrStop(ctx, outdatedRecords(ctx, column, outdated.at(-1)?.id ?? ''))
      const { resealed, unreadable } = await resealStep(ctx, column, outdated)
      all.resealed += resealed
      all.unreadable.push(...unreadable)
    } while (outdated.length === RECORDS_PER_STEP)
  }
  return all
}

interface Outdated {
  id: string
  record: string
}

async function resealStep(
  ctx: Context,
  column: SealedColumn,
  outdated: Outdated[],
): Promise<Resealing> {
  const statements: Statement[] = []
  const unreadable: SecretPlace[] = []
  for (const { id, record } of outdated) {
    const place = placeIn(column, id)
    try {
      const text = await openSecret(ctx, place, record)
      statements.push(replaceRecord(column, { id, record }, await sealSecret(ctx, place, text)))
    } catch {
      unreadable.push(place)
    }
  }
  const records = statements.length
  if (records > 0) {
    const event = secretEvents.resealed({ id: null, resourceType: column.table }, { records })
    await commit(ctx, { changes: [{ statements, events: [event] }], result: undefined })
  }
  return { resealed: records, unreadable }
}

const recordOf = ({ column, jsonField }: SealedColumn): SQL =>
  jsonField === undefined
    ? sql`${sql.identifier(column)}`
    : jsonFieldOf(sql.identifier(column), jsonField)

const outdatedRecords = (ctx: Context, column: SealedColumn, after: string) =>
  db.all<Outdated>(sql`
    SELECT ${sql.identifier(column.idColumn)} AS id, ${recordOf(column)} AS record
    FROM ${sql.identifier(column.table)}
    WHERE ${sql.identifier(column.idColumn)} > ${after}
      AND instr(${recordOf(column)}, ${newestPrefix(ctx)}) <> 1
    ORDER BY ${sql.identifier(column.idColumn)} LIMIT ${sql.raw(String(RECORDS_PER_STEP))}`)

/** Passes over a row whose record somebody changed meanwhile: what they stored is newer. */
function replaceRecord(column: SealedColumn, { id, record }: Outdated, fresh: string): Statement {
  const value =
    column.jsonField === undefined
      ? sql`${fresh}`
      : sql`json_set(${sql.identifier(column.column)}, ${`$.${column.jsonField}`}, ${fresh})`
  return db.run(sql`
    UPDATE ${sql.identifier(column.table)} SET ${sql.identifier(column.column)} = ${value}
    WHERE ${sql.identifier(column.idColumn)} = ${id} AND ${recordOf(column)} = ${record}`)
}

/** Once a day, so that a retired key is out of use on the day after the new one came. */
export const resealJob = defineJob({
  kind: 'secrets.reseal',
  payload: {},
  run: async (ctx, _, finish) => {
    const { unreadable } = await resealAll(ctx)
    if (unreadable.length > 0) {
      throw new AppError(
        'internal',
        'secrets.unreadable',
        'Some encrypted records cannot be decrypted with the configured keys.',
      )
    }
    await commit(ctx, {
      changes: [
        {
          statements: finish,
          events: [secretEvents.checked({ id: null, resourceType: 'keyRing' })],
        },
      ],
      result: undefined,
    })
  },
})
