import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { addDays } from '../../src/domain/calendar.ts'
import { randomFrom } from '../support/random.ts'
import { Person, type Restore } from './person.ts'
import { type Killable, killableOnNode, killableOnWorkerd } from '../support/killable.ts'
import { HOST } from '../support/releases.ts'
import { isProof, rounds, SEED } from '../support/rounds.ts'

// A release that is killed while it restores a backup: in `npm run prove` at random moments, otherwise at those that matter. The
// restore ends by itself, with everything or with nothing, and whoever has nothing restores again.

const ROWS = rounds(400, 10_000)

const UNDER_WAY = `SELECT 1 FROM restores WHERE state NOT IN ('done', 'failed')`

/** When it is killed: as soon as this is so of a user. */
const MOMENTS: Record<string, (user: string) => string> = {
  'it was asked to': (user) => `${UNDER_WAY} AND owner_id = '${user}'`,
  'it has written rows': (user) => `SELECT 1 FROM transactions WHERE owner_id = '${user}' LIMIT 1`,
  'it compares what it has written': (user) =>
    `${UNDER_WAY} AND state IN ('comparing', 'reading') AND owner_id = '${user}'`,
}
const moments = Object.values(MOMENTS)
const KILLS = rounds(moments.length, 30)
/** Milliseconds of the longest life in `npm run prove`. */
const LONGEST = 2500

const HOSTS = isProof ? (['node', 'workerd'] as const) : [HOST]

const variables = {
  REGISTRATION: 'open',
  PASSWORD_COST: '4',
  USER_LIMIT_DATABASE_MS: '1000000',
  LOGIN_LIMIT_CLIENT: '1000000',
}

const amountOf = (n: number) => (n % 90) * 100 + 25
const SUM = Array.from({ length: ROWS }, (_, n) => amountOf(n)).reduce((a, b) => a + b, 0)
const PER_REQUEST = 500

/** Books all rows on one account. */
async function bookRows(person: Person): Promise<void> {
  const account = { name: 'Everyday', type: 'checking', currency: 'EUR' }
  const { id: accountId } = await person.ask<{ id: string }>('POST', '/account', account)
  for (let first = 0; first < ROWS; first += PER_REQUEST) {
    const transactions = Array.from({ length: Math.min(PER_REQUEST, ROWS - first) }, (_, at) => ({
      ...{ kind: 'expense', accountId, date: addDays('2024-01-01', (first + at) % 700) },
      ...{
        amount: (amountOf(first + at) / 100).toFixed(2),
        description: `Booking ${first + at}`,
      },
    }))
    await person.ask('POST', '/transaction/bulk', { transactions })
  }
}

/** What there is of somebody's books. */
function booksOf(host: Killable, { id }: Person) {
  const of = `WHERE owner_id = '${id}'`
  const [books] = host.stored<Record<string, number>>(
    `SELECT (SELECT count(*) FROM accounts ${of}) AS accounts,
      (SELECT count(*) FROM transactions ${of}) AS transactions,
      (SELECT count(*) FROM entries ${of}) AS entries,
      (SELECT coalesce(sum(b.balance_minor), 0) FROM account_balances b JOIN accounts a ON a.id = b.account_id
        WHERE a.owner_id = '${id}') AS balance`,
    true,
  )
  return books
}

const NOTHING = { accounts: 0, transactions: 0, entries: 0, balance: 0 }
const EVERYTHING = { accounts: 1, transactions: ROWS, entries: 2 * ROWS, balance: -SUM }

describe.each(HOSTS)('a restore on %s', (name) => {
  let host: Killable | undefined
  afterAll(async () => {
    await host?.kill()
    host?.remove()
  })

  it(`ends by itself with everything or nothing, killed at ${KILLS} moments`, async () => {
    host = name === 'node' ? killableOnNode(variables) : await killableOnWorkerd(variables)
    const service = host
    const random = randomFrom(SEED)
    const ada = new Person()
    ada.url = await host.start()
    await ada.signUp('ada')
    await bookRows(ada)
    const archive = await ada.download(await ada.backUp())
    const counts = { kills: 0, atWork: 0, done: 0, failed: 0 }
    let person = new Person()
    let attempt = 0
    const next = async () => {
      person = new Person()
      person.url = ada.url
      await person.signUp(`person-${attempt}`)
    }
    await next()
    let last: Restore | undefined
    const isMoment = () => service.stored(moments[counts.kills]?.(person.id) ?? '', true).length > 0
    // Killed by chance, it may not have begun by then, so that it is killed some more times, each later.
    const more = () => (isProof && counts.atWork === 0 ? Math.max(0, counts.kills - KILLS + 1) : 0)
    const isKilling = () => counts.kills < KILLS || (more() > 0 && more() < 8)
    while (isKilling() || last?.state !== 'done') {
      const life = { isUp: true }
      const going = person.restore(archive, `attempt-${attempt}`, () => life.isUp)
      const killed = async () => {
        if (isProof) {
          await wait(random.whole(10, LONGEST * 2 ** more()))
          return undefined
        }
        while (life.isUp && !isMoment()) {
          await wait(5)
        }
        return undefined
      }
      last = await (isKilling() ? Promise.race([going, killed()]) : going)
      life.isUp = false
      if (last) {
        const told = `${JSON.stringify(last.error)}, seed ${SEED}`
        expect(booksOf(service, person), told).toEqual(last.state === 'done' ? EVERYTHING : NOTHING)
        counts[last.state === 'done' ? 'done' : 'failed'] += 1
        expect([undefined, 'backups.interrupted'], told).toContain(last.error?.code)
        attempt += 1
        if (last.state === 'done' && isKilling()) {
          await next()
        }
        continue
      }
      await host.kill()
      await going
      counts.kills += 1
      counts.atWork += host.stored(UNDER_WAY).length
      // The time of a lease goes by.
      host.stored(`UPDATE tasks SET next_attempt_at = 0 WHERE state = 'running'`)
      ada.url = person.url = await host.start()
    }
    expect((await person.backUp()).manifest?.contentHash).toBe(last.contentHash)
    expect(host.stored(UNDER_WAY)).toEqual([])
    if (isProof) {
      expect(counts.atWork, `it was killed at work, seed ${SEED}`).toBeGreaterThan(0)
    }
    const megabytes = (archive.length / 1e6).toFixed(1)
    console.log(`${name}: ${JSON.stringify(counts)}, archive of ${megabytes} MB, seed ${SEED}`)
  })
})
