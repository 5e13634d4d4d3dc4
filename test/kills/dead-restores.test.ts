import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tablesToFill } from '../../src/areas/data-rights/backups/restoring/restoring.usecases.ts'
import { shapeOf } from '../../src/platform/owned-data/archived-tables.ts'
import { type Random, randomFrom } from '../support/random.ts'
import { backedUp, sendRestore } from '../areas/backups/restoring.ts'
import { file } from '../areas/attachments/filing.ts'
import { newOwner } from '../areas/own-user/owners.fixtures.ts'
import { rows } from '../support/api.ts'
import { saveData } from '../support/node-host.ts'
import { rounds, SEED } from '../support/rounds.ts'
import { temporaryFolder } from '../support/running.ts'
import { newUser, type TestUser } from '../support/world.ts'
import {
  type Around,
  calm,
  copyData,
  DAY,
  faultAt,
  type Machine,
  mailsFile,
  SWEEPS,
  whileRunning,
  withData,
  workOnce,
  workToTheEnd,
} from './machine.ts'
import { unmatched } from './outcome.ts'

// A restore whose process is killed at a call, and whose task is given up for that.

const root = temporaryFolder()
const data = join(root.path, 'data')
let base = ''
let user: TestUser
let restoreId = ''
let now = 0
/** What the user had before, by table. */
let had: Record<string, string> = {}

const NEVER = 9e15
const HOUR = DAY / 24

/** A restore that nobody has begun with. */
async function begin(mode: 'empty' | 'merge'): Promise<void> {
  base = join(root.path, mode)
  const me = await newOwner()
  await file(me, { query: { linkKind: 'account', linkId: me.one } })
  const { archive } = await backedUp(me)
  user = mode === 'merge' ? await newOwner() : await newUser()
  await rows(`CREATE TRIGGER held AFTER INSERT ON tasks
    BEGIN UPDATE tasks SET next_attempt_at = ${NEVER} WHERE id = NEW.id; END`)
  restoreId = (await sendRestore(user, archive, mode === 'merge' ? { mode } : {})).body.id
  await rows('DROP TRIGGER held')
  await rows("DELETE FROM tasks WHERE kind <> 'backups.restore' OR state = 'succeeded'")
  await rows('UPDATE tasks SET next_attempt_at = 0')
  saveData(base)
  writeFileSync(mailsFile(base), '')
  now = Date.now() + 3 * DAY
  copyData(base, data)
  had = outcome().tables
}

afterAll(() => root.remove())

const machine = (around: Around = calm): Machine => ({
  ...{ data, kind: SWEEPS, around },
  variables: {
    JWT_KEYS: env.JWT_KEYS,
    APP_SECRET: env.APP_SECRET,
    ENCRYPTION_KEYS: env.ENCRYPTION_KEYS,
    CORS_ORIGINS: '',
  },
})

/** How far the restore is, what came of it, and how much of the archive its user has. */
const outcome = () =>
  withData(data, (ask) => {
    const [restore] = ask<{ state: string; report: string; objectKey: string | null }>(
      'SELECT state, report, object_key AS objectKey FROM restores WHERE id = ?',
      restoreId,
    )
    const tables = tablesToFill().flatMap((table) => {
      const { name, owner } = shapeOf(table)
      // A restore that is taken back has changed rules twice, and their number counts on.
      const found = ask<Record<string, unknown>>(
        `SELECT * FROM ${name} WHERE ${owner[0]} = ?`,
        user.id,
      ).map(({ rule_set: _set, ...row }) => row)
      return found.length > 0 ? [[name, JSON.stringify(found)] as const] : []
    })
    const { error = null } = JSON.parse(restore?.report ?? '') as { error?: { code: string } }
    return {
      ...{ state: restore?.state, objectKey: restore?.objectKey, code: error?.code ?? null },
      tables: Object.fromEntries(tables),
    }
  })

const gone = () => ({
  ...{ state: 'failed', objectKey: null, code: 'backups.interrupted', tables: had },
})

/** Kills the restore at a call, gives its task up, and lets the service do what is left. */
async function dieAt(at: number): Promise<string> {
  copyData(base, data)
  const { around, calls } = faultAt(at, 'killed')
  // Each part of a restore is a task of its own.
  let time = now
  await whileRunning(machine(around), async (tick) => {
    while (calls() < at) {
      time += HOUR
      await tick(time).catch(() => undefined)
    }
  })
  const { state = '' } = outcome()
  withData(data, (ask) => ask("UPDATE tasks SET max_attempts = attempts WHERE state = 'running'"))
  const later = await workToTheEnd(machine(), time)
  withData(data, (ask) =>
    ask(`INSERT INTO tasks (id, kind, payload, max_attempts, created_at, next_attempt_at)
      VALUES ('tsk_sweep', 'files.sweep', '{}', 5, 0, 0)`),
  )
  await workOnce(machine(), later + 2 * DAY)
  return state
}

/** So many moments of each stage, by chance. */
const MOMENTS = rounds(1, 40)

function momentsOf(calls: string[], { pick }: Random): number[] {
  const places = Map.groupBy(calls.keys(), (at) => calls[at] ?? '')
  return [...places.values()].flatMap((all) => {
    const left = new Set(all)
    while (left.size > MOMENTS) {
      left.delete(pick([...left]))
    }
    return [...left]
  })
}

describe.each(['empty', 'merge'] as const)('a restore with the mode %s', (mode) => {
  beforeAll(() => begin(mode))

  it('is taken back whatever it was at, and leaves what was there', async () => {
    copyData(base, data)
    const stages: string[] = []
    await withData(data, (ask) => {
      const noted: Around = (call) => {
        const [restore] = ask<{ state: string }>(
          'SELECT state FROM restores WHERE id = ?',
          restoreId,
        )
        stages.push(restore?.state ?? '')
        return call()
      }
      return workToTheEnd(machine(noted), now)
    })
    expect(outcome()).toMatchObject({ state: 'done', code: null })
    const during = stages.filter((stage) => stage !== 'done')
    expect([...new Set(during)]).toEqual(['checking', 'writing', 'comparing', 'reading'])
    for (const at of momentsOf(during, randomFrom(SEED))) {
      const state = await dieAt(at + 1)
      const told = `killed at call ${at + 1}, when it was ${state}, seed ${SEED}`
      // Killed before it had begun, or between two of its tasks, it goes on by itself.
      const end = outcome()
      if (end.state === 'done') {
        expect(end, told).toMatchObject({ code: null, objectKey: null })
      } else {
        expect(end, told).toEqual(gone())
      }
      expect(unmatched(data), told).toEqual({ orphans: [], lost: [] })
    }
  })
})
