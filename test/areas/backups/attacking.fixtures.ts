import { env } from 'cloudflare:workers'
import { work } from '../../../src/areas/index.ts'
import { eraseTrashJob, purgeTrashJob } from '../../../src/areas/money/trash/trash.jobs.ts'
import { splitIdOf } from '../../../src/domain/ledger-ids.ts'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { tick } from '../../../src/platform/work/tasks.ts'
import { fetchRaw, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { makeDue } from '../own-user/user-traces.fixtures.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { book } from '../transactions/booking.ts'
import type { WholeOwner } from './whole-owner.fixtures.ts'

// Somebody who restores what they should not have, and then does all that may reach the data of others.

const DAY = 24 * 60 * 60 * 1000

/** What a request answers of a list or of a thing. */
interface Answered {
  id: string
  [field: string]: unknown
}

/** Answers that no user may get: what the service failed at, and words of somebody who shares nothing. */
export class Attacker {
  readonly faults: string[] = []
  readonly user: TestUser
  private readonly secret: string

  /** @param secret a word that nobody tells this user */
  constructor(user: TestUser, secret: string) {
    this.user = user
    this.secret = secret
  }

  async ask(method: string, path: string, json?: object): Promise<Record<string, unknown>> {
    const answer = await fetchRaw(path, {
      method,
      headers: {
        Authorization: `Bearer ${this.user.accessToken}`,
        ...(json ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
    const body = await answer.text()
    if (answer.status >= 500) {
      this.faults.push(`${method} ${path} answered ${answer.status} ${body.slice(0, 200)}`)
    }
    if (body.includes(this.secret)) {
      this.faults.push(`${method} ${path} tells a word of somebody else`)
    }
    const isJson = (answer.headers.get('Content-Type') ?? '').startsWith('application/json')
    return isJson && body !== '' ? (JSON.parse(body) as Record<string, unknown>) : {}
  }

  /** The things of a list, which is the only one in its answer. */
  async list(path: string): Promise<Answered[]> {
    const body = await this.ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`)
    return (Object.values(body).find(Array.isArray) ?? []) as Answered[]
  }

  /** The ids of what they own in a table: others let them change some of what lists show. */
  async owned(table: string): Promise<string[]> {
    const found = await rows<{ id: string }>(
      `SELECT id FROM ${table} WHERE owner_id = ? ORDER BY id`,
      this.user.id,
    )
    return found.map(({ id }) => id)
  }

  /** Asks for something that a job does, and does it. */
  async run(path: string, json: object): Promise<void> {
    const { job } = (await this.ask('POST', path, json)) as { job?: { id: string } }
    if (job) {
      await deliver(work, job.id)
    }
  }
}

/** Things that are deleted by themselves, by their tables. */
const SINGLE = {
  ...{ attachments: 'attachment', balance_assertions: 'balance-assertion' },
  ...{ valuations: 'valuation', import_profiles: 'import-profile', period_locks: 'period-lock' },
  exchange_rates: 'exchange-rate',
}

/** Things that a restored archive makes possible; each does all that it can reach. */
export const ACTIONS: Record<string, (as: Attacker) => Promise<void>> = {
  'restores everything from the trash': async (as) => {
    for (const { kind, id } of await as.list('/trash')) {
      await as.ask('POST', `/trash/${String(kind)}/${id}/restore`)
    }
  },
  'takes labels away and brings them back': async (as) => {
    for (const kind of ['category', 'tag', 'payee']) {
      const [one, other] = await as.list(`/${kind}`)
      if (one) {
        const heir = kind === 'tag' || !other ? '' : `?reassignTo=${other.id}`
        await as.ask('DELETE', `/${kind}/${one.id}${heir}`)
        await as.ask('POST', `/trash/${kind}/${one.id}/restore`)
      }
    }
  },
  'undoes reconciliations': async (as) => {
    for (const id of await as.owned('reconciliations')) {
      await as.ask('POST', `/reconciliation/${id}/undo`)
      await as.ask('DELETE', `/reconciliation/${id}`)
    }
  },
  'reverts and deletes imports': async (as) => {
    for (const id of await as.owned('imports')) {
      await as.run(`/import/${id}/revert`, { edited: 'remove', force: true })
      await as.ask('DELETE', `/import/${id}`)
    }
  },
  'separates what was matched': async (as) => {
    const matched = await rows<{ into: string; line: number | null }>(
      `SELECT DISTINCT matched_into AS "into", matched_part->>'line' AS line FROM transactions
        WHERE owner_id = ? AND matched_into IS NOT NULL`,
      as.user.id,
    )
    for (const { into, line } of matched) {
      await as.ask(
        'POST',
        line === null
          ? `/transfer/${into}/unmatch?force=true`
          : `/transaction/${into}/split/${splitIdOf(into, line)}/unmatch?force=true`,
      )
    }
    await as.list('/transaction')
  },
  'changes budgets': async (as) => {
    for (const id of await as.owned('budgets')) {
      await as.ask('POST', `/budget/${id}/period/2026-01-01/reopen`)
      for (const movement of await as.list(`/budget/${id}/movement`)) {
        await as.ask('POST', `/budget/${id}/movement/${movement.id}/undo`)
      }
      for (const template of await as.list(`/budget/${id}/template`)) {
        const path = `/budget/${id}/template/${template.id}`
        await as.ask('POST', `${path}/apply`, { period: '2026-02-01' })
        await as.ask('DELETE', path)
      }
      await as.ask('DELETE', `/budget/${id}`)
    }
  },
  'deletes single things': async (as) => {
    for (const [table, path] of Object.entries(SINGLE)) {
      for (const id of await as.owned(table)) {
        await as.ask('DELETE', `/${path}/${id}${table === 'period_locks' ? '?reason=Over' : ''}`)
      }
    }
    await as.ask('DELETE', '/export-schedule/csv')
  },
  'erases from the trash': async (as) => {
    for (const { kind, id } of await as.list('/trash')) {
      await as.ask('DELETE', `/trash/${String(kind)}/${id}`)
    }
    await purgeTrashJob.run(contextWith(), {}, [])
  },
  'deletes and erases accounts': async (as) => {
    for (const id of await as.owned('accounts')) {
      await as.ask('DELETE', `/account/${id}`)
      await as.ask('DELETE', `/trash/account/${id}`)
    }
    await as.ask('DELETE', '/trash')
    await eraseTrashJob.run(contextWith(), { ownerId: as.user.id, before: Date.now() }, [])
  },
}

/** Wipes all data of a user, as in seven days. */
export async function wipe(as: Attacker): Promise<void> {
  const kinds = ['transactions', 'accounts', 'categories', 'payees', 'tags', 'exchangeRates']
  const { password, id } = as.user
  const more = ['budgets', 'recurring', 'files', 'preferences']
  await as.ask('POST', '/user/data/wipe', { kinds: [...kinds, ...more], password })
  for (let times = 0; times < 20; times++) {
    const [task] = await rows<{ id: string; error: string | null }>(
      'SELECT id, error FROM tasks WHERE dedupe_key = ?',
      `user.wipe ${id}`,
    )
    if (!task) {
      return
    }
    if (task.error !== null) {
      as.faults.push(`the wipe failed: ${task.error}`)
      return
    }
    await deliver(work, task.id, 8 * DAY)
  }
  as.faults.push('the wipe does not end')
}

/** Erases a user, as in thirty days. */
export async function eraseUser(user: TestUser): Promise<void> {
  await makeDue(user)
  for (let times = 0; times < 20; times++) {
    await eraseUserJob.run(contextWith(), { userId: user.id }, [])
    if ((await rows('SELECT 1 FROM users WHERE id = ?', user.id)).length === 0) {
      return
    }
  }
  throw new Error(`the erasure of ${user.id} does not end`)
}

/** What is due by now, and the sweeps after it. */
export const sweep = () => tick(work, '*/5 * * * *', env)

/** A group of somebody whose accounts others see: one to write on, the other to look at. */
export interface Ties {
  groupId: string
  owner: WholeOwner
}

export async function tiesOf(owner: WholeOwner): Promise<Ties> {
  const groupId = await storeGroup([[owner, 'owner']])
  await storeShare(owner.adjusted, { groupId }, 'write')
  return { owner, groupId }
}

/** @param hasData whether there is something that an archive can be merged with */
export async function newAttacker(
  { groupId, owner }: Ties,
  secret: string,
  hasData: boolean,
): Promise<Attacker> {
  const user = await newUser()
  await storeShare(owner.one, { user }, 'write')
  await storeShare(owner.two, { user }, 'view')
  await rows(
    "INSERT INTO group_members (group_id, user_id, role, joined_at) VALUES (?, ?, 'member', 0)",
    groupId,
    user.id,
  )
  if (hasData) {
    const account = await newAccount(user, { name: 'Everyday', openingBalance: '10' })
    await book(user, account)
  }
  return new Attacker(user, secret)
}
