import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { addDays } from '../../src/domain/calendar.ts'
import { randomFrom } from '../support/random.ts'
import { type Killable, killableOnNode, killableOnWorkerd } from '../support/killable.ts'
import { HOST } from '../support/releases.ts'
import { isProof, rounds, SEED } from '../support/rounds.ts'

// A release that is killed while it reads a file and books it, in pieces of 2,000 rows: in `npm run prove` at random moments,
// otherwise at those that matter.

const ROWS = rounds(2100, 10_000)

/** When it is killed: as soon as this is so of an account. What is so stays so, however late somebody looks. */
const MOMENTS: Record<string, (account: string) => string> = {
  'it has read the first piece': (account) =>
    `SELECT 1 FROM import_chunks WHERE import_id IN (SELECT id FROM imports WHERE account_id = '${account}') LIMIT 1`,
  'it has booked the first piece': (account) =>
    `SELECT 1 FROM entries WHERE account_id = '${account}' LIMIT 1`,
}
const moments = Object.values(MOMENTS)
const KILLS = rounds(moments.length, 20)
/** Milliseconds of the longest life in `npm run prove`. */
const LONGEST = 1200

const HOSTS = isProof ? (['node', 'workerd'] as const) : [HOST]

const variables = {
  REGISTRATION: 'open',
  PASSWORD_COST: '4',
  USER_LIMIT_DATABASE_MS: '1000000',
  LOGIN_LIMIT_CLIENT: '1000000',
}

const file = [
  'Date,Payee,Amount',
  ...Array.from(
    { length: ROWS },
    (_, n) => `${addDays('2024-01-01', Math.floor(n / 20))},Shop ${n},-${n % 90}.25`,
  ),
].join('\n')
const SUM = Array.from({ length: ROWS }, (_, n) => (n % 90) * 100 + 25).reduce((a, b) => a + b, 0)

interface Imported {
  id: string
  state: string
  counts: Record<string, number>
}

/** A person who imports, and asks again where nobody answered. */
class Person {
  readonly #host: Killable
  url = ''
  #token = ''
  account = ''
  importId = ''

  constructor(host: Killable) {
    this.#host = host
  }

  async #send<Body>(method: string, path: string, body?: object | string): Promise<Body> {
    const isFile = typeof body === 'string'
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        'Content-Type': isFile ? 'application/octet-stream' : 'application/json',
        ...(this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` }),
        // Once more, it is the same request.
        ...(isFile ? { 'Idempotency-Key': this.account } : {}),
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    const text = await answer.text()
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${text.slice(0, 300)}`)
    }
    return JSON.parse(text) as Body
  }

  async signUp(): Promise<void> {
    const said = { email: 'ada@coffer.test', password: 'only for this one test', name: 'Ada' }
    const { accessToken } = await this.#send<{ accessToken: string }>(
      'POST',
      '/auth/register',
      said,
    )
    this.#token = accessToken
  }

  async begin(): Promise<void> {
    this.importId = ''
    const said = { name: `Account ${crypto.randomUUID()}`, type: 'checking', currency: 'EUR' }
    this.account = (await this.#send<{ id: string }>('POST', '/account', said)).id
  }

  /** Does what is next to do, until the import is done. */
  async goOn(isUp: () => boolean): Promise<Imported | undefined> {
    while (isUp()) {
      try {
        if (this.importId === '') {
          const query = `fileName=bank.csv&accountId=${this.account}&again=true`
          this.importId = (await this.#send<Imported>('POST', `/import?${query}`, file)).id
        }
        const found = await this.#send<Imported>('GET', `/import/${this.importId}`)
        if (found.state === 'done') {
          return found
        }
        if (found.state === 'previewed') {
          await this.#send('POST', `/import/${this.importId}/commit`, {})
        }
        if (!['uploaded', 'previewed', 'committing'].includes(found.state)) {
          throw new Error(`the import is ${found.state}`)
        }
      } catch (error) {
        if (isUp()) {
          throw error
        }
      }
      await wait(20)
    }
    return undefined
  }

  /** Rows of the service's database. */
  asked<Row>(sql: string): Row[] {
    return this.#host.stored<Row>(sql, true)
  }

  /** Whether a task would be given up if it was lost once more: such a one is left to go on. */
  isLastAttempt(): boolean {
    const tasks = this.asked<{ count: number }>(
      `SELECT count(*) AS count FROM tasks WHERE state = 'running' AND attempts >= max_attempts`,
    )
    return tasks[0]?.count !== 0
  }

  /** What there is of the import in the end. */
  outcome({ counts }: Imported) {
    const numberOf = (sql: string) => this.asked<{ number: number }>(sql)[0]?.number
    const of = `WHERE account_id = '${this.account}'`
    const created = `FROM log_entries ${of} AND type = 'transaction.created'`
    return {
      counts: { rows: counts['rows'], new: counts['new'] },
      booked: numberOf(`SELECT count(*) AS number FROM entries ${of} AND side = 'account'`),
      minor: numberOf(`SELECT sum(amount_minor) AS number FROM entries ${of} AND side = 'account'`),
      balance: numberOf(`SELECT balance_minor AS number FROM account_balances ${of}`),
      known: numberOf(`SELECT count(*) AS number FROM import_identities ${of}`),
      events: numberOf(`SELECT count(*) AS number ${created}`),
      things: numberOf(`SELECT count(DISTINCT resource_id) AS number ${created}`),
      finished: numberOf(`SELECT count(*) AS number FROM log_entries
        WHERE resource_id = '${this.importId}' AND type = 'import.finished'`),
    }
  }
}

const ONCE = {
  counts: { rows: ROWS, new: ROWS },
  ...{ booked: ROWS, minor: -SUM, balance: -SUM, known: ROWS },
  ...{ events: ROWS, things: ROWS, finished: 1 },
}

describe.each(HOSTS)('an import on %s', (name) => {
  let host: Killable | undefined
  afterAll(async () => {
    await host?.kill()
    host?.remove()
  })

  it(`ends by itself and books each row once, killed at ${KILLS} moments`, async () => {
    host = name === 'node' ? killableOnNode(variables) : await killableOnWorkerd(variables)
    const random = randomFrom(SEED)
    const person = new Person(host)
    person.url = await host.start()
    await person.signUp()
    await person.begin()
    const unfinished = () =>
      person.asked(
        `SELECT kind, state FROM tasks WHERE kind IN ('imports.read', 'imports.commit') AND state <> 'succeeded'`,
      )
    const until = async (life: { isUp: boolean }, sql: () => string) => {
      while (life.isUp && person.asked(sql()).length === 0) {
        await wait(5)
      }
    }
    let [kills, atWork] = [0, 0]
    // Killed by chance, it may not have begun by then, so that it is killed some more times, each later.
    const more = () => (isProof && atWork === 0 ? Math.max(0, kills - KILLS + 1) : 0)
    const isKilling = () => kills < KILLS || (more() > 0 && more() < 8)
    for (;;) {
      const life = { isUp: true }
      const going = person.goOn(() => life.isUp)
      const killed = async () => {
        if (isProof) {
          // Some lives are too short for one piece.
          await wait(random.whole(10, LONGEST * 2 ** more()))
        } else {
          await until(life, () => moments[kills]?.(person.account) ?? '')
        }
        while (life.isUp && person.isLastAttempt()) {
          await wait(10)
        }
        return undefined
      }
      const found = await (isKilling() ? Promise.race([going, killed()]) : going)
      life.isUp = false
      if (found) {
        expect(person.outcome(found), `seed ${SEED}`).toEqual(ONCE)
        if (!isKilling()) {
          break
        }
        await person.begin()
        continue
      }
      await host.kill()
      await going
      kills += 1
      atWork += unfinished().length
      if (name === 'workerd') {
        // The time of a lease goes by. On Node, the next process ends it.
        host.stored(`UPDATE tasks SET next_attempt_at = 0 WHERE state = 'running'`)
      }
      person.url = await host.start()
    }
    expect(unfinished()).toEqual([])
    if (isProof) {
      expect(atWork, `it was killed at work, seed ${SEED}`).toBeGreaterThan(0)
    }
    console.log(`killed ${kills} times on ${name}, ${atWork} times at work, seed ${SEED}`)
  })
})
