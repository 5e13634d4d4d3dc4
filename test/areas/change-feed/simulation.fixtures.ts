import { expect } from 'vitest'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { contextWith } from '../../support/service.ts'
import { fetchRaw, rows } from '../../support/api.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { join, newGroup } from '../groups/groups.ts'
import type { Events } from './feed.ts'

// Three users with five accounts that come and go, and clients that keep copies by nothing but the feed. It compares each copy
// with what its user sees, and each id in an answer with what the user could ever see.

type Row = Events['transactions'][number]
type Body = Record<string, unknown>

async function send(as: TestUser, method: string, path: string, json?: Body) {
  const response = await fetchRaw(path, {
    method,
    headers: {
      Authorization: `Bearer ${as.accessToken}`,
      ...(json ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  const body = (await response.json()) as Body
  return { status: response.status, body }
}

async function get<Answer>(as: TestUser, path: string): Promise<Answer> {
  const { status, body } = await send(as, 'GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Answer
}

/** What follows from access to other accounts has no event. */
const comparable = ({ counterAccountId: _, parentTransactionId: _2, splitId: _3, ...row }: Row) =>
  row

async function transactionsOf(as: TestUser, filter = ''): Promise<Row[]> {
  const found: Row[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { transactions: Row[]; nextCursor: string | null } = await get(
      as,
      `/transaction?limit=200${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    found.push(...page.transactions)
    cursor = page.nextCursor
  }
  return found
}

const mustEqual = (one: unknown, other: unknown) => expect(one).toEqual(other)

/** A client as the guide describes it. */
export class Client {
  readonly as: TestUser
  readonly seen: ReadonlySet<string>
  cursor = ''
  accounts = new Map<string, string>()
  transactions = new Map<string, Row>()
  /** True while a pull is not finished. */
  isBehind = true

  constructor(as: TestUser, seen: ReadonlySet<string>) {
    this.as = as
    this.seen = seen
  }

  async start(): Promise<void> {
    this.cursor = (await get<Events>(this.as, '/event')).cursor
    await this.readAccounts()
    this.transactions = new Map((await transactionsOf(this.as)).map((row) => [row.id, row]))
  }

  async readAccounts(): Promise<void> {
    const { accounts } = await get<{ accounts: { id: string; name: string }[] }>(
      this.as,
      '/account',
    )
    this.accounts = new Map(accounts.map(({ id, name }) => [id, name]))
  }

  /** One answer, with what it asks for. @param isLost the answer never arrives */
  async pull(limit: number, isLost = false): Promise<void> {
    const found = await get<Events>(this.as, `/event?limit=${limit}&cursor=${this.cursor}`)
    this.check(found)
    if (isLost) {
      return
    }
    const { accountIds, fresh, events, transactions } = found
    const forgotten = (id: string) => !accountIds.includes(id) || fresh.includes(id)
    for (const [id, { accountId }] of this.transactions) {
      if (forgotten(accountId)) {
        this.transactions.delete(id)
      }
    }
    for (const id of fresh) {
      for (const row of await transactionsOf(this.as, `&accountId=${id}`)) {
        this.transactions.set(row.id, row)
      }
    }
    if (
      fresh.length > 0 ||
      [...this.accounts.keys()].some(forgotten) ||
      events.some(({ resourceType }) => resourceType === 'account')
    ) {
      await this.readAccounts()
    }
    for (const { resourceType, resourceId, accountId, gone } of events) {
      const id = resourceId ?? ''
      if (
        resourceType === 'transaction' &&
        gone &&
        this.transactions.get(id)?.accountId === accountId
      ) {
        this.transactions.delete(id)
      }
    }
    for (const row of transactions) {
      this.transactions.set(row.id, row)
    }
    this.cursor = found.cursor
    this.isBehind = found.hasMore || fresh.length > 0
  }

  /** No id of a transaction that the user could never see. */
  private check({ events, transactions }: Events): void {
    const ids = JSON.stringify([events, transactions]).match(/txn_\w{26}(?:-\d+)?/g) ?? []
    mustEqual(
      ids.filter((id) => !this.seen.has(id)),
      [],
    )
  }

  async finish(limit: number): Promise<void> {
    do {
      await this.pull(limit)
    } while (this.isBehind)
    const rows = await transactionsOf(this.as)
    const state = Object.fromEntries(rows.map((row) => [row.id, comparable(row)]))
    const copy = Object.fromEntries(
      [...this.transactions].map(([id, row]) => [id, comparable(row)]),
    )
    mustEqual(copy, state)
    const { accounts } = this
    await this.readAccounts()
    mustEqual(Object.fromEntries(accounts), Object.fromEntries(this.accounts))
  }
}

/** An account with its owner. */
interface Owned {
  id: string
  owner: TestUser
}

export class World {
  readonly random: Random
  users: TestUser[] = []
  accounts: Owned[] = []
  clients: Client[] = []
  groupId = ''
  finished = 0
  #seen = new Map<string, Set<string>>()

  constructor(seed: number) {
    this.random = randomFrom(seed)
  }

  async begin(): Promise<void> {
    this.users = [await newUser(), await newUser(), await newUser()]
    const [ana, ben, carl] = this.users as [TestUser, TestUser, TestUser]
    for (const owner of [ana, ana, ben, ben, carl]) {
      this.accounts.push({ id: (await newAccount(owner)).id, owner })
    }
    this.groupId = (await newGroup(ana)).id
    await join(this.groupId, ana, 'member', ben)
    for (const user of this.users) {
      const seen = new Set<string>()
      this.#seen.set(user.id, seen)
      this.clients.push(new Client(user, seen))
      await Promise.all(['x', 'y'].map((name) => send(user, 'POST', '/tag', { name })))
    }
    await this.note()
    for (const client of this.clients) {
      await client.start()
    }
  }

  /** Remembers who sees which transaction now. */
  private async note(): Promise<void> {
    const found = await rows<{ id: string; line: number; userId: string }>(
      `SELECT t.id, e.line, u.id AS userId FROM entries e JOIN transactions t ON t.id = e.transaction_id
        JOIN accounts a ON a.id = e.account_id AND a.deleted_at IS NULL JOIN users u
        WHERE e.side = 'account' AND e.owner_id IN (SELECT value FROM json_each(?1)) AND u.id IN (SELECT value FROM json_each(?1))
          AND (a.owner_id = u.id OR (t.private = 0 OR t.created_by = u.id)
          AND EXISTS (SELECT 1 FROM account_receivers r WHERE r.account_id = a.id AND r.user_id = u.id
            AND (r.expires_at IS NULL OR r.expires_at > ?2)))`,
      JSON.stringify(this.users.map(({ id }) => id)),
      Date.now(),
    )
    for (const { id, line, userId } of found) {
      this.#seen.get(userId)?.add(id.startsWith('trf_') ? `txn_${id.slice(4)}-${line}` : id)
    }
  }

  private async tagsOf(user: TestUser): Promise<string[]> {
    const { tags } = await get<{ tags: { id: string }[] }>(user, '/tag')
    return tags.map(({ id }) => id)
  }

  /** Does something as somebody; it may be refused. */
  async act(): Promise<void> {
    const { pick, chance, whole } = this.random
    const account = pick(this.accounts)
    const user = chance(0.5) ? account.owner : pick(this.users)
    const sees = this.clients.find(({ as }) => as === user)
    const rowsSeen = [...(sees?.transactions.values() ?? [])].slice(-60)
    const here = rowsSeen.filter(({ accountId }) => accountId === account.id)
    const known = (here.length > 0 ? here : rowsSeen).map(({ id }) => id)
    const id = known.length > 0 ? pick(known) : 'txn_00000000000000000000000000'
    const note = `n${whole(0, 99)}`
    const is = { private: chance(0.3) }
    const other = pick(
      this.accounts.filter((one) => chance(0.2) || one.owner === account.owner).concat(account),
    )
    const share = async () => {
      const to = pick(this.users)
      const made = await send(account.owner, 'POST', '/share', {
        resourceId: account.id,
        userId: to.id,
        permission: pick(['view', 'annotate', 'write', 'manage']),
      })
      return send(to, 'POST', `/share/${String(made.body['id'])}/accept`, {})
    }
    const endShare = async () => {
      const { shares } = await get<{ shares: { id: string; resourceId: string }[] }>(
        account.owner,
        '/share',
      )
      const one = shares.find(({ resourceId }) => resourceId === account.id)
      return one && send(account.owner, 'DELETE', `/share/${one.id}`)
    }
    const changeShare = async () => {
      const { shares } = await get<{ shares: { id: string; resourceId: string }[] }>(
        account.owner,
        '/share',
      )
      const one = shares.find(({ resourceId }) => resourceId === account.id)
      const permission = pick(['view', 'write'])
      return (
        one && send(account.owner, 'PATCH', `/share/${one.id}`, { permission, expiresAt: null })
      )
    }
    const actions: [weight: number, run: () => Promise<unknown>][] = [
      [
        24,
        () =>
          send(user, 'POST', '/transaction', {
            ...{
              kind: 'expense',
              accountId: account.id,
              date: '2026-01-05',
              amount: '1.00',
              note,
              ...is,
            },
          }),
      ],
      [8, () => send(user, 'PATCH', `/transaction/${id}`, { note })],
      [6, () => send(user, 'PATCH', `/transaction/${id}`, is)],
      [
        6,
        () =>
          send(user, 'PATCH', `/transaction/${id}`, {
            accountId: other.id,
            ...(chance(0.5) ? is : {}),
          }),
      ],
      [7, () => send(user, 'DELETE', `/transaction/${id}`)],
      [
        4,
        () =>
          send(user, 'POST', '/transfer', {
            ...{
              fromAccountId: account.id,
              toAccountId: other.id,
              date: '2026-01-05',
              amount: '2.00',
            },
          }),
      ],
      [
        6,
        async () => {
          const { items } = await get<{ items: { kind: string; id: string }[] }>(user, '/trash')
          const item = items.length > 0 ? pick(items) : undefined
          return item && send(user, 'POST', `/trash/${item.kind}/${item.id}/restore`)
        },
      ],
      [1, () => send(user, 'DELETE', '/trash')],
      [4, share],
      [3, endShare],
      [3, changeShare],
      [
        2,
        () =>
          rows(
            'UPDATE shares SET expires_at = 1 WHERE account_id = ? AND group_id IS NULL',
            account.id,
          ),
      ],
      [
        2,
        () =>
          send(account.owner, 'PUT', `/account/${account.id}/share-group`, {
            ...{ groupId: chance(0.5) ? this.groupId : null, permission: pick(['view', 'write']) },
          }),
      ],
      [1, () => send(account.owner, 'DELETE', `/account/${account.id}`)],
      [1, () => send(account.owner, 'PUT', `/account/${account.id}`, { name: note })],
      [
        5,
        async () =>
          send(user, 'PATCH', `/transaction/${id}`, {
            tagIds: [pick(await this.tagsOf(account.owner))],
          }),
      ],
      [
        2,
        async () => {
          const [into = '', from = ''] = await this.tagsOf(user)
          await send(user, 'POST', '/tag', { name: note })
          return send(user, 'POST', `/tag/${into}/merge`, { tagId: from })
        },
      ],
      [
        2,
        () =>
          send(user, 'PATCH', '/transaction/bulk', { ids: known.slice(0, 5), changes: { note } }),
      ],
      [
        5,
        async () => {
          const { changes } = await get<{ changes: { id: string; undo: string }[] }>(
            ...([user, '/change?limit=20'] as const),
          )
          const possible = changes.filter(({ undo }) => undo === 'possible')
          return possible.length > 0
            ? send(user, 'POST', `/change/${pick(possible).id}/undo`, { force: chance(0.5) })
            : undefined
        },
      ],
    ]
    let left = whole(
      1,
      actions.reduce((sum, [weight]) => sum + weight, 0),
    )
    for (const [weight, run] of actions) {
      left -= weight
      if (left <= 0) {
        await run()
        break
      }
    }
    await this.note()
  }

  /** Erases one of the users, with the accounts that they own. */
  async erase(): Promise<void> {
    const user = this.random.pick(this.users)
    await rows("UPDATE users SET status = 'deleted', deletion_due_at = 1 WHERE id = ?", user.id)
    await eraseUserJob.run(contextWith(), { userId: user.id }, [])
    mustEqual(await rows('SELECT id FROM accounts WHERE owner_id = ?', user.id), [])
    this.users = this.users.filter((one) => one !== user)
    this.accounts = this.accounts.filter(({ owner }) => owner !== user)
    this.clients = this.clients.filter(({ as }) => as !== user)
  }

  async step(): Promise<void> {
    const { chance, pick, whole } = this.random
    if (chance(0.65)) {
      await this.act()
      return
    }
    const client = pick(this.clients)
    const limit = whole(1, 5)
    if (chance(0.3)) {
      await client.finish(limit)
      this.finished += 1
    } else {
      await client.pull(limit, chance(0.2))
    }
  }
}
