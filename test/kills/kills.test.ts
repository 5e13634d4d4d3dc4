import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { work } from '../../src/areas/index.ts'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { saveData } from '../support/node-host.ts'
import { dailyFile, historyLines, historyZip } from '../support/reference-rates.ts'
import { type Random, randomFrom } from '../support/random.ts'
import { rounds, SEED } from '../support/rounds.ts'
import { temporaryFolder } from '../support/running.ts'
import {
  type Around,
  calm,
  copyData,
  DAY,
  faultAt,
  FAULTS,
  type Machine,
  mailsFile,
  READERS,
  SWEEPS,
  workOnce,
  withData,
  workToTheEnd,
} from './machine.ts'
import { outcomeOf, tokensOf, unmatched } from './outcome.ts'
import { newWorks } from './works.ts'

const root = temporaryFolder()
const base = join(root.path, 'base')
let variables: Record<string, string>
/** When the work is begun: the objects of nobody are old by then. */
let now = 0

/** So many rates that they are stored in two steps. */
const history = historyZip(historyLines({ days: 6500, columns: { USD: () => '1.25' } }).join('\n'))
const rates = createServer(({ url }, response) =>
  response.end(url?.endsWith('.zip') ? history : dailyFile()),
)

beforeAll(async () => {
  await newWorks()
  await new Promise<void>((resolve) => rates.listen(0, '127.0.0.1', resolve))
  const { port } = rates.address() as AddressInfo
  saveData(base)
  withData(base, (ask) => {
    ask("UPDATE tasks SET next_attempt_at = 0 WHERE state = 'queued'")
    ask(
      `UPDATE webhooks SET url = 'http://127.0.0.1:${port}/' WHERE url = 'https://receiver.invalid/'`,
    )
  })
  writeFileSync(mailsFile(base), '')
  const { ENCRYPTION_KEYS: newer } = await freshSecrets()
  const { JWT_KEYS, APP_SECRET, ENCRYPTION_KEYS } = env as unknown as Record<string, string>
  variables = {
    ...{ JWT_KEYS: JWT_KEYS ?? '', APP_SECRET: APP_SECRET ?? '', CORS_ORIGINS: '' },
    // So that there is something to seal again.
    ENCRYPTION_KEYS: JSON.stringify([...JSON.parse(newer), ...JSON.parse(ENCRYPTION_KEYS ?? '')]),
    EXCHANGE_RATES_URL: `http://127.0.0.1:${port}/`,
    OUTBOUND_ALLOW: `127.0.0.1:${port}`,
  }
  now = Date.now() + 3 * DAY
})

afterAll(() => {
  rates.close()
  root.remove()
})

const kinds = [...work.jobs.map(({ kind }) => kind), SWEEPS, READERS]

/** Those whose work is an entry of the log, and those that only store what others do. */
const CHANGE_NOTHING = ['ledger.check', 'auth.mailToNobody', 'budgets.tellExpired']

/** The data folder in which nothing but this is to be done. */
function dataFor(kind: string): string {
  const data = join(root.path, `before ${kind}`)
  copyData(base, data)
  withData(data, (ask) => {
    ask('DELETE FROM tasks WHERE kind <> ?', kind)
    // Many mails are sent like a few.
    ask(
      `DELETE FROM tasks
        WHERE kind = 'mail.send' AND id NOT IN (SELECT id FROM tasks WHERE kind = 'mail.send' LIMIT 3)`,
    )
    if (kind === READERS) {
      ask('UPDATE log_readers SET cursor = 0')
    }
    if (kind === 'ledger.recalculate') {
      ask(`UPDATE account_balances SET balance_minor = balance_minor + 1
            WHERE account_id IN (SELECT account_id FROM account_balances LIMIT 3)`)
    }
  })
  return data
}

const machineOn = (data: string, kind: string, around: Around = calm): Machine => ({
  ...{ data, kind, variables, around },
})

const SWEEP = `INSERT INTO tasks (id, kind, payload, max_attempts, created_at, next_attempt_at)
  VALUES ('tsk_sweep', 'files.sweep', '{}', 5, 0, 0)`

/** Lets all be done that is left, then the night take away what no row names; gives what it all came to. */
async function endOf(data: string, kind: string, known: ReadonlySet<string>) {
  const later = await workToTheEnd(machineOn(data, kind), now)
  const worked = outcomeOf(data, known)
  withData(data, (ask) => ask(SWEEP))
  await workOnce(machineOn(data, kind), later + 2 * DAY)
  return { worked, end: { ...outcomeOf(data, known), ...unmatched(data) } }
}

/** A process of its own, which is killed at a call; gives the signal that ended it. */
async function killProcess(machine: Omit<Machine, 'around'>, at: number): Promise<string | null> {
  const script = inProject('test/kills/process.ts')
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      `--import=${inProject('test/support/modules.ts')}`,
      script,
      JSON.stringify({ machine, now, at }),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal
}

/** How many faults, and how many kills of a process, each kind is tried with: all that there are, if those are fewer. */
const FAULTS_TRIED = rounds(1, 60)
const KILLS_TRIED = rounds(0, 10)

/** So many of a list, by chance. */
function someOf<Item>(all: Item[], most: number, { pick }: Random): Item[] {
  const left = new Set(all)
  while (left.size > most) {
    left.delete(pick([...left]))
  }
  return [...left]
}

const callsUpTo = (calls: number) => Array.from({ length: calls }, (_, at) => at + 1)

describe.each(kinds)('%s', (kind) => {
  let before: string
  let known: ReadonlySet<string>
  let expected: Awaited<ReturnType<typeof endOf>>
  let calls = 0
  const data = join(root.path, `data of ${kind}`)

  beforeAll(async () => {
    before = dataFor(kind)
    known = tokensOf(before)
    copyData(before, data)
    const counting = faultAt(Infinity, 'killed')
    await workOnce(machineOn(data, kind, counting.around), now)
    calls = counting.calls()
    expected = await endOf(data, kind, known)
  })

  it('does its work when it is left alone', async () => {
    const { worked, end } = expected
    expect(end.tasks).toContain(
      `${kind === SWEEPS || kind === READERS ? 'files.sweep' : kind} succeeded `,
    )
    expect(end.tasks.filter((task) => !task.endsWith(' succeeded '))).toEqual([])
    expect({ orphans: end.orphans, lost: end.lost }).toEqual({ orphans: [], lost: [] })
    if (kind === 'backups.restore') {
      expect(worked.tables['restores']?.join()).toContain('"state":"done"')
    }
    const untouched = outcomeOf(before, known)
    const things = CHANGE_NOTHING.includes(kind)
      ? ['events']
      : ['tables', 'objects', 'mails', 'unsealed', 'old']
    const changed = things.filter(
      (name) => !isDeepStrictEqual(worked[name as 'events'], untouched[name as 'events']),
    )
    expect(changed).not.toEqual([])
  })

  it('comes to the same wherever it is killed, and whatever call fails', async () => {
    const random = randomFrom(SEED)
    const all = callsUpTo(calls).flatMap((at) => FAULTS.map((fault) => ({ at, fault })))
    for (const { at, fault } of someOf(all, FAULTS_TRIED, random)) {
      copyData(before, data)
      const { around } = faultAt(at, fault)
      await workOnce(machineOn(data, kind, around), now).catch(() => undefined)
      expect((await endOf(data, kind, known)).end, `${fault} at call ${at}, seed ${SEED}`).toEqual(
        expected.end,
      )
    }
  })

  it('comes to the same whenever its process is killed', async () => {
    const random = randomFrom(SEED)
    // The longest one is killed always.
    const most = kind === 'backups.restore' ? rounds(1, 10) : KILLS_TRIED
    for (const at of someOf(callsUpTo(calls), most, random)) {
      copyData(before, data)
      expect(await killProcess({ data, kind, variables }, at)).toBe('SIGKILL')
      expect((await endOf(data, kind, known)).end, `at call ${at}, seed ${SEED}`).toEqual(
        expected.end,
      )
    }
  })
})
