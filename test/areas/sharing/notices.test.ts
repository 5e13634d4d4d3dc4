import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { shareNoticesReader } from '../../../src/areas/sharing/sharing/sharing.readers.ts'
import { MOST_NOTICES } from '../../../src/areas/sharing/sharing/sharing.usecases.ts'
import {
  createShare,
  deleteShare,
  updateShare,
  acceptShare,
  shareAccountToGroup,
  unshareResource,
  shareResource,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { NEWS } from '../../../src/platform/work/reader-rows.ts'
import { consume } from '../../../src/platform/work/tasks.ts'
import { type AnyOptions, type AnyRoute, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { confirm, storeGroup } from '../../support/stored.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { newBudget } from '../budgets/budgets.fixtures.ts'
import { lettersOf } from '../auth/mails.ts'
import { expenseOn, tripsOf } from '../transactions/booking.ts'

const RECEIVED = 'An account was shared with you on Coffer'
const ACCEPTED = 'Your share of an account on Coffer was accepted'
const ENDED = 'An account is no longer shared with you on Coffer'
const RETURNED = 'A share of your account on Coffer has ended'

const rung: string[] = []
const TASKS = {
  sendBatch: async (messages: Iterable<{ body: string }>) =>
    void rung.push(...Array.from(messages, ({ body }) => body)),
} as unknown as Queue
const service = serviceWith({ env: { TASKS } })

const work = { jobs: [], schedule: {}, readers: [shareNoticesReader] }
let known = ''

/** Whether the log has an event that the reader has not seen. */
const isBehind = async () =>
  (
    await rows(
      `SELECT 1 FROM log_readers r CROSS JOIN log_events e ON e.number > r.cursor
        JOIN log_commits c ON c.number = e.commit_number
        WHERE r.name = ? AND ifnull(e.type, c.type) IN (SELECT value FROM json_each(?)) LIMIT 1`,
      shareNoticesReader.name,
      JSON.stringify(shareNoticesReader.types),
    )
  ).length > 0

/** Lets the queue run the reader, as it was told to; gives the mails that were ordered since the last time. */
async function letters() {
  let news = rung.splice(0).filter((body) => body === NEWS)
  do {
    const messages = news.map((body) => ({
      ...{ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body },
    }))
    await consume(work, createMessageBatch('coffer-tasks', messages), { ...env, TASKS })
    news = [NEWS]
    // The queue of another file may run the reader at the same time, which stops this run of it.
  } while (await isBehind())
  rung.splice(0)
  // Not those that the queue was told of: it may still have news of another file, and run the reader first.
  const tasks = await rows<{ id: string }>(
    "SELECT id FROM tasks WHERE summary LIKE 'share%' AND id > ? ORDER BY id",
    known,
  )
  known = tasks.at(-1)?.id ?? known
  return lettersOf(tasks.map(({ id }) => id))
}

const notices = async () => (await letters()).map(({ to, subject }) => [to, subject])

async function send<Body = { id: string }>(route: AnyRoute, options: AnyOptions): Promise<Body> {
  const { status, body } = await service.call<Body>(route, options)
  expect(status).toBeLessThan(300)
  return body
}

const share = (as: Principal, { id: resourceId }: { id: string }, to: object) =>
  send(createShare, { as, json: { resourceId, ...to } })

async function people() {
  const [owner, friend] = [await newUser(), await newUser()]
  await confirm(owner)
  await confirm(friend)
  return { owner, friend, account: await newAccount(owner, { name: 'Nest egg' }) }
}

const accept = (as: TestUser, id: string) => send(acceptShare, { as, id, json: {} })
const end = (as: TestUser, id: string) => send(deleteShare, { as, id })

beforeAll(async () => {
  rung.push(NEWS)
  await notices()
})

describe('a share with a user', () => {
  it('is told to the receiver, its acceptance to the owner, and its end to the other one', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, { userId: friend.id })
    expect(rung).toEqual([NEWS])
    expect(await notices()).toEqual([[friend.email, RECEIVED]])
    await accept(friend, id)
    expect(await notices()).toEqual([[owner.email, ACCEPTED]])
    await end(owner, id)
    expect(await notices()).toEqual([[friend.email, ENDED]])
    const again = await share(owner, account, { userId: friend.id })
    await end(friend, again.id)
    expect(await notices()).toEqual([[owner.email, RETURNED]])
  })

  it('says nothing of the account, of people or of money', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, { userId: friend.id })
    const [letter] = await letters()
    for (const secret of [id, account.id, 'Nest egg', owner.id, owner.email, 'Ada', 'EUR']) {
      expect(`${letter?.subject} ${letter?.text}`).not.toContain(secret)
    }
  })

  it.each([
    ['that has ended', ({ owner }: Made, id: string) => end(owner, id)],
    [
      'of an account that is in the trash',
      ({ owner, account }: Made) => send(deleteAccount, { as: owner, id: account.id }),
    ],
  ])('is not told of a share %s before the mail was written', async (_, undo) => {
    const made = await people()
    const { id } = await share(made.owner, made.account, { userId: made.friend.id })
    await undo(made, id)
    expect((await notices()).filter(([, subject]) => subject === RECEIVED)).toEqual([])
  })

  it('is told to nobody whose address is not confirmed', async () => {
    const { owner, account } = await people()
    await share(owner, account, { userId: (await newUser()).id })
    expect(await notices()).toEqual([])
  })

  it('is not told where only a right or a choice is changed', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, { userId: friend.id })
    await accept(friend, id)
    await notices()
    await send(updateShare, { as: owner, id, json: { permission: 'write' } })
    await accept(friend, id)
    expect(await notices()).toEqual([])
  })

  it('fills nobody’s mailbox', async () => {
    const { owner, friend, account } = await people()
    const sent: string[][] = []
    for (let at = 0; at < MOST_NOTICES; at++) {
      const { id } = await share(owner, account, { userId: friend.id })
      sent.push(...(at % 2 === 0 ? await notices() : []))
      await end(owner, id)
    }
    sent.push(...(await notices()))
    expect(sent).toHaveLength(MOST_NOTICES)
  })
})

type Made = Awaited<ReturnType<typeof people>>

describe('a share with an address', () => {
  it('is told to whoever has confirmed to have it, and its acceptance to the owner', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, { email: friend.email })
    expect(await notices()).toEqual([[friend.email, RECEIVED]])
    await accept(friend, id)
    expect(await notices()).toEqual([[owner.email, ACCEPTED]])
  })

  it('is told to no address that nobody has, or has confirmed', async () => {
    const { owner, account } = await people()
    await share(owner, account, { email: 'nobody@coffer.test' })
    await share(owner, account, { email: (await newUser()).email })
    expect(await notices()).toEqual([])
  })

  it('does not tell the owner who declined it, or that somebody has the address', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, { email: friend.email })
    await notices()
    await end(friend, id)
    expect(await notices()).toEqual([])
  })

  it('ends without a notice while nobody has accepted it', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, { email: friend.email })
    await notices()
    await end(owner, id)
    expect(await notices()).toEqual([])
  })
})

it.each([
  ['budget', 'budget', (as: TestUser) => newBudget(as, { mode: 'limit' })],
  ['attachment', 'file', (as: TestUser) => file(as)],
] as const)('a share of a %s is told as one of a %s', async (resourceType, noun, make) => {
  const { owner, friend } = await people()
  const admin = await newAdmin()
  const { id: resourceId } = await make(owner)
  const json = { resourceType, resourceId, userId: friend.id }
  const { id } = await send(createShare, { as: owner, json })
  const received = [friend.email, `A ${noun} was shared with you on Coffer`]
  expect(await notices()).toEqual([received])
  await accept(friend, id)
  expect(await notices()).toEqual([[owner.email, `Your share of a ${noun} on Coffer was accepted`]])
  await end(friend, id)
  expect(await notices()).toEqual([[owner.email, `A share of your ${noun} on Coffer has ended`]])
  await send(shareResource, { as: admin, json: { ...json, permission: 'view' } })
  expect(await notices()).toEqual([received])
  const [told] = await rows<{ id: string }>(
    "SELECT id FROM tasks WHERE summary = 'accountShared' ORDER BY id DESC LIMIT 1",
  )
  expect(await lettersOf([told?.id ?? ''])).toMatchObject([
    { to: owner.email, subject: `An administrator shared one of your ${noun}s on Coffer` },
  ])
  await send(unshareResource, { as: admin, json })
  expect(await notices()).toEqual([
    [friend.email, `A ${noun} is no longer shared with you on Coffer`],
  ])
})

it('of an administrator is told to the receiver when it begins and ends, not to themselves', async () => {
  const { friend, account } = await people()
  const admin = await newAdmin()
  await confirm(admin)
  const target = (userId: string) => ({ resourceType: 'account', resourceId: account.id, userId })
  for (const to of [friend.id, admin.id]) {
    await send(shareResource, { as: admin, json: { ...target(to), permission: 'view' } })
  }
  expect(await notices()).toEqual([[friend.email, RECEIVED]])
  await send(shareResource, { as: admin, json: { ...target(friend.id), permission: 'write' } })
  expect(await notices()).toEqual([])
  await send(unshareResource, { as: admin, json: target(friend.id) })
  expect(await notices()).toEqual([[friend.email, ENDED]])
})

it('of a group is told in its activity alone', async () => {
  const { owner, friend, account } = await people()
  const groupId = await storeGroup([
    [owner, 'owner'],
    [friend, 'member'],
  ])
  for (const json of [{ groupId }, { groupId: null }]) {
    await send(shareAccountToGroup, { as: owner, id: account.id, json })
  }
  expect(await notices()).toEqual([])
})

it('costs the request no trip more, and a booking does not ring', async () => {
  const { owner, friend, account } = await people()
  rung.splice(0)
  const json = { resourceId: account.id, userId: friend.id }
  expect(tripsOf(await service.call(createShare, { as: owner, json }))).toBe(2)
  expect(rung).toEqual([NEWS])
  await send(createTransaction, { as: owner, json: expenseOn(account) })
  expect(rung).toEqual([NEWS])
})
