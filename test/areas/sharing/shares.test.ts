import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import {
  createShare,
  deleteShare,
  listReceivedShares,
  listShares,
  updateShare,
  acceptShare,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { confirm, storeGroup, storeShare } from '../../support/stored.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { share } from './sharing.ts'

const DAY = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

const give = (as: Principal, resourceId: string, to: object) =>
  call(createShare, { as, json: { resourceId, ...to } })

const accept = (as: Principal, id: string, includeInTotals = false) =>
  call(acceptShare, { as, id, json: { includeInTotals } })

/** What a receiver is shown besides what the owner is. */
const named = (share: object) => ({
  ...share,
  ...{ resourceName: expect.any(String), ownerName: expect.any(String) },
})

const received = async (as: Principal) => (await ok(listReceivedShares, { as })).shares

const historyOf = async (as: Principal, accountId: string) =>
  (await ok(getAccountHistory, { as, query: { accountId } })).map(({ type }) => type)

async function people() {
  const [owner, friend] = [await newUser(), await newUser()]
  return { owner, friend, account: await newAccount(owner) }
}

describe('sharing with a person', () => {
  it('waits until it is accepted, and says whether it counts in totals', async () => {
    const { owner, friend, account } = await people()
    const expiresAt = inDays(1)
    const given = await give(owner, account.id, {
      resourceType: 'account',
      userId: friend.id,
      permission: 'write',
      writeScope: 'own',
      expiresAt,
    })
    expect([given.status, tripsOf(given)]).toEqual([201, 2])
    expect(given.body).toMatchObject({
      resourceType: 'account',
      resourceId: account.id,
      ownerId: owner.id,
      granteeUserId: friend.id,
      groupId: null,
      email: null,
      permission: 'write',
      writeScope: 'own',
      expiresAt,
      includeInTotals: false,
      state: 'pending',
      version: 1,
    })
    const { id } = given.body
    expect(await received(friend)).toEqual([named(given.body)])
    const accepted = await accept(friend, id, true)
    expect([accepted.status, tripsOf(accepted)]).toEqual([200, 2])
    expect(accepted.body).toMatchObject({ state: 'accepted', includeInTotals: true, version: 2 })
    expect(await received(friend)).toEqual([named(accepted.body)])
    const listed = await call(listShares, { as: owner })
    expect(listed.body).toEqual({ shares: [accepted.body], count: 1, nextCursor: null })
    expect(tripsOf(listed)).toBe(1)
    const chosen = await accept(friend, id)
    expect(chosen.body).toEqual({ ...accepted.body, includeInTotals: false })
    expect((await ok(listShares, { as: friend })).count).toBe(0)
    expect(await received(owner)).toEqual([])
  })

  it('views and is for good unless told otherwise', async () => {
    const { owner, friend, account } = await people()
    const { body } = await give(owner, account.id, { userId: friend.id })
    expect(body).toMatchObject({ permission: 'view', writeScope: 'all', expiresAt: null })
  })

  it('is for the owner alone to do, to change and to end, and for the receiver to give back', async () => {
    const { owner, friend, account } = await people()
    const stranger = await newUser()
    const { id } = await share(owner, account, friend)
    for (const refused of [
      await call(updateShare, { as: stranger, id, json: { permission: 'manage' } }),
      await call(deleteShare, { as: stranger, id }),
      await accept(stranger, id),
    ]) {
      expect(refusal(refused)).toEqual([404, 'sharing.notFound'])
    }
    const widened = await call(updateShare, { as: friend, id, json: { permission: 'manage' } })
    expect(refusal(widened)).toEqual([403, 'sharing.ownerOnly'])
    expect(refusal(await give(stranger, account.id, { userId: friend.id }))).toEqual([
      400,
      'sharing.unknownAccount',
      'resourceId',
    ])
    expect(refusal(await accept(owner, id))).toEqual([400, 'sharing.withOwner'])
    const back = await call(deleteShare, { as: friend, id })
    expect([back.status, tripsOf(back)]).toEqual([200, 2])
    expect((await ok(listShares, { as: owner })).count).toBe(0)
    expect(await historyOf(owner, account.id)).toEqual(['unshared', 'shared', 'created'])
  })

  it('is changed by the owner: what is sent', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, friend)
    const expiresAt = inDays(2)
    const json = { permission: 'annotate', writeScope: 'own', expiresAt } as const
    const changed = await call(updateShare, { as: owner, id, json })
    expect([changed.status, tripsOf(changed)]).toEqual([200, 2])
    expect(changed.body).toMatchObject({ ...json, version: 3, state: 'accepted' })
    const lasting = await ok(updateShare, { as: owner, id, json: { expiresAt: null } })
    expect(lasting).toMatchObject({ ...json, expiresAt: null, version: 4 })
    expect(await received(friend)).toEqual([named(lasting)])
    const past = await call(updateShare, { as: owner, id, json: { expiresAt: inDays(-1) } })
    expect(refusal(past)).toEqual([400, 'sharing.endsInPast', 'expiresAt'])
  })

  it.each([
    ['with nobody', {}, 'request.invalid', 'userId'],
    ['with two', { userId: 'usr_x', email: 'a@example.com' }, 'request.invalid', 'userId'],
    ['with a user that never was', { userId: 'usr_x' }, 'sharing.unknownUser', 'userId'],
    ['with what is no address', { email: 'x' }, 'request.invalid', 'email'],
    [
      'until yesterday',
      { email: 'a@example.com', expiresAt: inDays(-1) },
      'sharing.endsInPast',
      'expiresAt',
    ],
    ['for something else', { userId: 'usr_x', permission: 'own' }, 'request.invalid', 'permission'],
    ['with a surplus', { userId: 'usr_x', state: 'accepted' }, 'request.invalid', 'state'],
  ])('is refused %s', async (_, to, code, field) => {
    const owner = await newUser()
    const account = await newAccount(owner)
    const body = JSON.stringify({ resourceId: account.id, ...to })
    const refused = await call(createShare, { as: owner, raw: { body } })
    expect(refusal(refused)).toEqual([400, code, field])
  })

  it('is refused with oneself, twice with the same user, and with a disabled one', async () => {
    const { owner, friend, account } = await people()
    const gone = await newUser()
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", gone.id)
    const own = [
      await give(owner, account.id, { userId: owner.id }),
      await give(owner, account.id, { email: owner.email.toUpperCase() }),
      await give(owner, account.id, { userId: gone.id }),
    ]
    expect(own.map(refusal)).toEqual([
      [400, 'sharing.withOwner', 'userId'],
      [400, 'sharing.withOwner', 'email'],
      [400, 'sharing.unknownUser', 'userId'],
    ])
    await share(owner, account, friend)
    const again = await give(owner, account.id, { userId: friend.id })
    expect(refusal(again)).toEqual([409, 'sharing.alreadyShared'])
  })

  it('ends at a hundred people', async () => {
    const { owner, friend, account } = await people()
    await rows(
      `INSERT INTO shares (id, account_id, owner_id, email, email_key, permission, created_by, created_at, updated_at)
        SELECT ?1 || value, ?1, ?2, value, value, 'view', ?2, 0, 0 FROM json_each(?3)`,
      account.id,
      owner.id,
      JSON.stringify(Array.from({ length: 100 }, (_, number) => number)),
    )
    const surplus = await give(owner, account.id, { userId: friend.id })
    expect(refusal(surplus)).toEqual([409, 'sharing.tooMany'])
  })

  it('is changed and ended by nobody who read another version', async () => {
    const { owner, friend, account } = await people()
    const { id } = await share(owner, account, friend)
    const edit = (as: Principal, headers = {}) =>
      call(updateShare, { as, id, json: { permission: 'annotate' }, headers })
    const headers = { 'If-Match': '"1-x"' }
    expect(refusal(await edit(owner, headers))).toEqual([412, 'request.stale'])
    expect(refusal(await call(deleteShare, { as: owner, id, headers }))).toEqual([
      412,
      'request.stale',
    ])
    const service = serviceWith({ meanwhile: () => edit(owner) })
    const raced = await service.call(deleteShare, { as: friend, id })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
  })

  it('is accepted as it was read, or not', async () => {
    const { owner, friend, account } = await people()
    const { id } = (await give(owner, account.id, { userId: friend.id })).body
    const raced = await serviceWith({
      meanwhile: () => ok(updateShare, { as: owner, id, json: { permission: 'write' } }),
    }).call(acceptShare, { as: friend, id, json: {} })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
    const revoked = await serviceWith({
      meanwhile: () => ok(deleteShare, { as: owner, id }),
    }).call(acceptShare, { as: friend, id, json: {} })
    expect(refusal(revoked)).toEqual([404, 'sharing.notFound'])
  })

  it('is not accepted once it has expired', async () => {
    const { owner, friend, account } = await people()
    const { id } = (await give(owner, account.id, { userId: friend.id, expiresAt: inDays(1) })).body
    await rows('UPDATE shares SET expires_at = 1 WHERE id = ?', id)
    expect(refusal(await accept(friend, id))).toEqual([404, 'sharing.notFound'])
    expect(await received(friend)).toEqual([])
    const [shown] = (await ok(listShares, { as: owner })).shares
    expect(shown?.expiresAt).toBe('1970-01-01T00:00:00.001Z')
  })

  it('rests with the account in the trash', async () => {
    const { owner, friend, account } = await people()
    const { id } = (await give(owner, account.id, { userId: friend.id })).body
    await ok(deleteAccount, { as: owner, id: account.id })
    expect(refusal(await accept(friend, id))).toEqual([404, 'sharing.notFound'])
    expect([await received(friend), (await ok(listShares, { as: owner })).count]).toEqual([[], 0])
    const late = await call(updateShare, { as: owner, id, json: { permission: 'write' } })
    expect(refusal(late)).toEqual([404, 'sharing.notFound'])
    expect(refusal(await give(owner, account.id, { email: 'a@example.com' }))).toEqual([
      400,
      'sharing.unknownAccount',
      'resourceId',
    ])
  })

  it('is neither made nor changed for an account that is deleted meanwhile', async () => {
    const { owner, friend, account } = await people()
    const service = serviceWith({
      meanwhile: () => ok(deleteAccount, { as: owner, id: account.id }),
    })
    const json = { resourceId: account.id, userId: friend.id, permission: 'view' }
    const made = await service.call(createShare, { as: owner, json })
    expect(refusal(made)).toEqual([400, 'sharing.unknownAccount', 'resourceId'])
    await rows('UPDATE accounts SET deleted_at = NULL WHERE id = ?', account.id)
    const { id } = (await give(owner, account.id, { userId: friend.id })).body
    const changed = await service.call(updateShare, {
      as: owner,
      id,
      json: { permission: 'write' },
    })
    expect(refusal(changed)).toEqual([404, 'sharing.notFound'])
  })

  it('is listed page by page, each once', async () => {
    const { owner, friend, account } = await people()
    const other = await newAccount(owner)
    const given = [await share(owner, account, friend), await share(owner, other, friend)]
    const ids = given.map(({ id }) => id).toReversed()
    for (const [route, as] of [
      [listShares, owner],
      [listReceivedShares, friend],
    ] as const) {
      const first = await ok(route, { as, query: { limit: 1 } })
      const query = { limit: 1, cursor: first.nextCursor ?? '' }
      const second = await ok(route, { as, query })
      expect([...first.shares, ...second.shares].map(({ id }) => id)).toEqual(ids)
      expect([first.count, second.nextCursor]).toEqual([2, null])
    }
  })
})

describe('sharing with an address', () => {
  it('answers alike whether or not somebody has it', async () => {
    const { owner, friend, account } = await people()
    await confirm(friend)
    const [known, unknown] = [
      await give(owner, account.id, { email: friend.email }),
      await give(owner, account.id, { email: `nobody-${friend.email}` }),
    ]
    const blank = { id: '', email: '', createdAt: '', updatedAt: '' }
    expect({ ...known.body, ...blank }).toEqual({ ...unknown.body, ...blank })
    expect([known.status, tripsOf(known)]).toEqual([unknown.status, tripsOf(unknown)])
    expect(known.body).toMatchObject({ granteeUserId: null, email: friend.email, state: 'pending' })
    expect((await ok(listShares, { as: owner })).shares).toEqual([unknown.body, known.body])
    const twice = await give(owner, account.id, { email: friend.email.toUpperCase() })
    expect(refusal(twice)).toEqual([409, 'sharing.alreadyShared'])
    for (const { id } of [known.body, unknown.body]) {
      expect((await call(deleteShare, { as: owner, id })).status).toBe(200)
    }
  })

  it('is for whoever has confirmed to have it', async () => {
    const { owner, friend, account } = await people()
    const given = await give(owner, account.id, { email: friend.email })
    expect(await received(friend)).toEqual([])
    const { id } = given.body
    expect(refusal(await accept(friend, id))).toEqual([404, 'sharing.notFound'])
    await confirm(friend)
    expect(await received(friend)).toEqual([named(given.body)])
    const accepted = await accept(friend, id)
    expect(accepted.body).toMatchObject({
      granteeUserId: friend.id,
      email: null,
      state: 'accepted',
    })
    await rows('UPDATE users SET email_verified_at = NULL WHERE id = ?', friend.id)
    expect(await received(friend)).toEqual([named(accepted.body)])
  })

  it('tells who has not confirmed an address that it may wait, whether or not it does', async () => {
    const { owner, friend, account } = await people()
    const stranger = await newUser()
    await give(owner, account.id, { email: friend.email })
    const answers = async () => [
      await ok(listReceivedShares, { as: friend }),
      await ok(listReceivedShares, { as: stranger }),
    ]
    const nothing = { shares: [], count: 0, nextCursor: null }
    const pending = { ...nothing, pendingConfirmation: true }
    expect(await answers()).toEqual([pending, pending])
    await Promise.all([confirm(friend), confirm(stranger)])
    const [found, none] = await answers()
    expect(found).toMatchObject({ count: 1, pendingConfirmation: false })
    expect(none).toEqual({ ...nothing, pendingConfirmation: false })
  })

  it('is declined without telling its owner who has the address', async () => {
    const [owner, friend] = [await newUser(), await newUser()]
    await confirm(friend)
    const account = await newAccount(owner)
    const json = { resourceId: account.id, email: friend.email }
    const { id } = await ok(createShare, { as: owner, json })
    await ok(deleteShare, { as: friend, id })
    expect((await ok(listShares, { as: owner })).count).toBe(0)
    const logged = JSON.stringify(await ok(listOwnAuditLog, { as: owner }))
    expect(logged).not.toContain(friend.id)
    expect(JSON.stringify(await ok(getAccountHistory, { as: owner }))).not.toContain(friend.id)
    const [declined] = (await ok(listOwnAuditLog, { as: friend })).entries
    expect(declined).toMatchObject({ action: 'share.declined', resourceId: id, ownerId: friend.id })
  })

  it('is not accepted by who has another share of the account', async () => {
    const { owner, friend, account } = await people()
    await confirm(friend)
    await share(owner, account, friend)
    const { id } = (await give(owner, account.id, { email: friend.email })).body
    expect(refusal(await accept(friend, id))).toEqual([409, 'sharing.alreadyShared'])
    await ok(deleteShare, { as: friend, id })
  })

  it('puts no address into the log', async () => {
    const { owner, friend, account } = await people()
    await give(owner, account.id, { email: friend.email })
    const found = await rows(
      'SELECT 1 FROM log_entries WHERE owner_id = ? AND instr(content, ?) > 0',
      owner.id,
      friend.email,
    )
    expect(found).toEqual([])
  })
})

describe('an access token', () => {
  const tokenFor = async (as: TestUser, accountIds?: string[]) => {
    const json = { name: 'x', scopes: ['shares.read', 'shares.write'] as const }
    const { token } = await ok(createAccessToken, {
      as,
      json: { ...json, scopes: [...json.scopes], ...(accountIds ? { accountIds } : {}) },
    })
    return { accessToken: token }
  }

  it('that is restricted sees shares of its accounts alone, and nothing of what others share', async () => {
    const { owner, friend, account } = await people()
    const other = await newAccount(owner)
    const own = await newAccount(friend)
    await share(owner, other, friend)
    const { id } = await share(owner, account, friend)
    const given = await ok(listShares, { as: await tokenFor(owner, [account.id]) })
    expect(given.shares.map((one) => one.id)).toEqual([id])
    const restricted = await tokenFor(friend, [own.id])
    expect(await received(restricted)).toEqual([])
    expect(refusal(await accept(restricted, id))).toEqual([404, 'sharing.notFound'])
    const ended = await call(deleteShare, { as: restricted, id })
    expect(refusal(ended)).toEqual([404, 'sharing.notFound'])
    expect((await received(await tokenFor(friend))).length).toBe(2)
  })
})

describe('of a group', () => {
  it('the share needs no acceptance, counts as each member says, and is given back by none', async () => {
    const { owner, friend, account } = await people()
    const other = await newUser()
    const groupId = await storeGroup([
      [owner, 'owner'],
      [friend, 'member'],
      [other, 'viewer'],
    ])
    const id = await storeShare(account.id, { groupId }, 'write')
    const [shown] = await received(friend)
    expect(shown).toMatchObject({ groupId, granteeUserId: null, state: 'accepted' })
    const chosen = await accept(friend, id, true)
    expect(shown).toEqual({ ...named(chosen.body), includeInTotals: false })
    expect((await received(friend))[0]?.includeInTotals).toBe(true)
    expect((await received(other))[0]?.includeInTotals).toBe(false)
    const back = await call(deleteShare, { as: friend, id })
    expect(refusal(back)).toEqual([403, 'sharing.ofGroup'])
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', groupId)
    expect(await received(friend)).toEqual([])
    expect(refusal(await accept(friend, id))).toEqual([404, 'sharing.notFound'])
  })
})
