import { describe, expect, it } from 'vitest'
import {
  createAccount,
  deleteAccount,
  getAccountByID,
  getHomePage,
  getUserAccounts,
  updateAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createAccountGroup,
  deleteAccountGroup,
  listAccountGroups,
  updateAccountGroup,
} from '../../../src/areas/money/accounts/folders/folders.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'

const folder = (as: Principal, name: string, accountIds: string[] = []) =>
  ok(createAccountGroup, { as, json: { name, accountIds } })

const groupOf = async (as: Principal, { id }: { id: string }) =>
  (await ok(getAccountByID, { as, id })).accountGroupId

const UNKNOWN = 'agr_01k9v3q8m5t0w2x4y6z8a1b3c5'

describe('folders', () => {
  it('hold accounts in the order of the list, each in one folder at most', async () => {
    const me = await newUser()
    const [b, a] = [await newAccount(me, { name: 'b' }), await newAccount(me, { name: 'a' })]
    const created = await call(createAccountGroup, {
      as: me,
      json: { name: ' Money ', order: 2, accountIds: [b.id, a.id] },
    })
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    expect(created.body).toMatchObject({ name: 'Money', order: 2, accountIds: [a.id, b.id] })
    const other = await folder(me, 'Abroad', [b.id])
    const listed = await call(listAccountGroups, { as: me })
    expect(tripsOf(listed)).toBe(1)
    expect(listed.body).toEqual({
      accountGroups: [other, { ...created.body, accountIds: [a.id] }],
      count: 2,
    })
    expect(await groupOf(me, b)).toBe(other.id)
    const { budgetAccounts } = await ok(getHomePage, { as: me })
    expect(budgetAccounts.map(({ accountGroupId }) => accountGroupId)).toEqual([
      created.body.id,
      other.id,
    ])
  })

  it('are renamed, ordered and filled anew, which the log tells of every account', async () => {
    const me = await newUser()
    const [a, b] = [await newAccount(me, { name: 'a' }), await newAccount(me, { name: 'b' })]
    const { id, version } = await folder(me, 'One', [a.id])
    const json = { name: 'Two', order: -1, accountIds: [b.id] }
    const answer = await call(updateAccountGroup, { as: me, id, json })
    expect(answer.body).toMatchObject({ ...json, version: version + 1 })
    expect([await groupOf(me, a), await groupOf(me, b), tripsOf(answer)]).toEqual([null, id, 2])
    expect((await ok(getUserAccounts, { as: me })).accounts.map((one) => one.version)).toEqual([
      3, 2,
    ])
    const told = await rows(
      `SELECT type, resource_id AS resourceId, account_id AS accountId, version, content FROM log_entries
        WHERE commit_id = (SELECT commit_id FROM log_entries WHERE resource_id = ? AND type = 'accountGroup.updated')
        ORDER BY number`,
      id,
    )
    const moved = (accountId: string, before: string | null, after: string | null) => ({
      ...{ type: 'account.updated', resourceId: accountId, accountId, version: null },
      content: JSON.stringify({
        before: { accountGroupId: before },
        after: { accountGroupId: after },
      }),
    })
    expect(told).toEqual([
      {
        ...{ type: 'accountGroup.updated', resourceId: id, accountId: null, version: version + 1 },
        content: JSON.stringify({
          before: { name: 'One', nameKey: 'one', order: 0, accountIds: [a.id] },
          after: { name: 'Two', nameKey: 'two', order: -1, accountIds: [b.id] },
        }),
      },
      moved(a.id, id, null),
      moved(b.id, null, id),
    ])
    expect((await ok(updateAccountGroup, { as: me, id, json: { order: 4 } })).accountIds).toEqual([
      b.id,
    ])
  })

  it('are deleted without the accounts in them, also those in the trash', async () => {
    const me = await newUser()
    const [a, gone] = [await newAccount(me), await newAccount(me)]
    const { id } = await folder(me, 'One', [a.id, gone.id])
    await ok(deleteAccount, { as: me, id: gone.id })
    expect((await ok(listAccountGroups, { as: me })).accountGroups[0]?.accountIds).toEqual([a.id])
    const emptied = await ok(updateAccountGroup, { as: me, id, json: { accountIds: [] } })
    expect(emptied.accountIds).toEqual([])
    const [kept] = await rows('SELECT account_group_id AS at FROM accounts WHERE id = ?', gone.id)
    expect(kept).toEqual({ at: id })
    await ok(deleteAccountGroup, { as: me, id })
    expect(await ok(listAccountGroups, { as: me })).toEqual({ accountGroups: [], count: 0 })
    expect(await groupOf(me, a)).toBeNull()
  })

  it('are named by an account, too, when it is opened or changed', async () => {
    const me = await newUser()
    const { id } = await folder(me, 'One')
    const json = { name: 'a', type: 'cash', currency: 'EUR', accountGroupId: id } as const
    const account = await ok(createAccount, { as: me, json })
    expect(account.accountGroupId).toBe(id)
    expect((await ok(listAccountGroups, { as: me })).accountGroups[0]?.accountIds).toEqual([
      account.id,
    ])
    const out = { as: me, id: account.id, json: { accountGroupId: null } }
    expect((await ok(updateAccount, out)).accountGroupId).toBeNull()
    const back = { as: me, id: account.id, json: { accountGroupId: id } }
    expect((await ok(updateAccount, back)).accountGroupId).toBe(id)
    expect((await ok(updateAccount, { ...out, json: { note: 'x' } })).accountGroupId).toBe(id)
  })
})

describe('a folder is refused', () => {
  it('with a name that is taken, and where it names what is not there or twice', async () => {
    const [me, stranger] = [await newUser(), await newUser()]
    const [mine, theirs] = [await newAccount(me), await newAccount(stranger)]
    const { id } = await folder(me, 'Straße')
    const foreign = await folder(stranger, 'Straße')
    const create = async (json: { name: string; accountIds?: string[] }) =>
      refusal(await call(createAccountGroup, { as: me, json }))
    expect(await create({ name: 'STRASSE' })).toEqual([409, 'accountGroups.nameTaken', 'name'])
    expect(await create({ name: ' ' })).toEqual([400, 'request.invalid', 'name'])
    const named = (accountIds: string[]) => create({ name: 'x', accountIds })
    const unknown = [400, 'accounts.targetNotFound', 'accountIds']
    expect(await named([theirs.id])).toEqual(unknown)
    expect(await named(['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'])).toEqual(unknown)
    expect(await named([mine.id, mine.id])).toEqual([400, 'accounts.repeatedAccount', 'accountIds'])
    const put = async (groupId: string, headers = {}) =>
      refusal(await call(updateAccountGroup, { as: me, id: groupId, json: {}, headers }))
    expect(await put(foreign.id)).toEqual([404, 'accountGroups.notFound'])
    expect(await put(id, { 'If-Match': '"7-x"' })).toEqual([412, 'request.stale'])
    expect(refusal(await call(deleteAccountGroup, { as: me, id: foreign.id }))).toEqual([
      404,
      'accountGroups.notFound',
    ])
    const move = async (accountGroupId: string) =>
      refusal(await call(updateAccount, { as: me, id: mine.id, json: { accountGroupId } }))
    expect(await move(foreign.id)).toEqual([400, 'accounts.unknownGroup', 'accountGroupId'])
    expect(await move(UNKNOWN)).toEqual([400, 'accounts.unknownGroup', 'accountGroupId'])
    const account = { name: 'y', type: 'cash', currency: 'EUR', accountGroupId: UNKNOWN } as const
    expect(refusal(await call(createAccount, { as: me, json: account }))).toEqual([
      400,
      'accounts.unknownGroup',
      'accountGroupId',
    ])
  })

  it('above two hundred', async () => {
    const me = await newUser()
    await rows(
      `INSERT INTO account_groups (id, owner_id, name, name_key, created_at, updated_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
        SELECT ?1 || i, ?1, i, i, 0, 0 FROM n`,
      me.id,
    )
    await folder(me, 'the last')
    const more = await call(createAccountGroup, { as: me, json: { name: 'one more' } })
    expect(refusal(more)).toEqual([409, 'accountGroups.tooMany'])
  })

  it('when it, or an account of it, goes meanwhile', async () => {
    const me = await newUser()
    const [account, stays] = [await newAccount(me), await newAccount(me)]
    const { id } = await folder(me, 'One')
    const whileAccountGoes = serviceWith({
      meanwhile: () => ok(deleteAccount, { as: me, id: account.id }),
    })
    const json = { accountIds: [account.id] }
    const put = await whileAccountGoes.call(updateAccountGroup, { as: me, id, json })
    expect(refusal(put)).toEqual([400, 'accounts.targetNotFound', 'accountIds'])
    const whileItGoes = serviceWith({ meanwhile: () => ok(deleteAccountGroup, { as: me, id }) })
    const moved = { as: me, id: stays.id, json: { accountGroupId: id } }
    const answer = await whileItGoes.call(updateAccount, moved)
    expect(refusal(answer)).toEqual([400, 'accounts.unknownGroup', 'accountGroupId'])
    expect(await groupOf(me, stays)).toBeNull()
    const two = await folder(me, 'Two')
    const late = serviceWith({ meanwhile: () => ok(deleteAccount, { as: me, id: stays.id }) })
    const left = await late.call(updateAccount, { ...moved, json: { accountGroupId: two.id } })
    expect(refusal(left)).toEqual([404, 'accounts.notFound'])
  })

  it('to be written by a token that is restricted to some accounts, which sees only theirs', async () => {
    const me = await newUser()
    const [a, b] = [await newAccount(me), await newAccount(me)]
    const mixed = await folder(me, 'One', [a.id, b.id])
    const other = await folder(me, 'Two')
    const as = await giveToken(me, ['accounts.read', 'accounts.write'], [a.id])
    expect((await ok(listAccountGroups, { as })).accountGroups).toEqual([
      { ...mixed, accountIds: [a.id] },
    ])
    const answers = [
      await call(createAccountGroup, { as, json: { name: 'x' } }),
      await call(updateAccountGroup, { as, id: mixed.id, json: { name: 'x' } }),
      await call(deleteAccountGroup, { as, id: mixed.id }),
      await call(deleteAccountGroup, { as, id: other.id }),
      await call(updateAccount, { as, id: a.id, json: { accountGroupId: other.id } }),
    ]
    expect(answers.map(refusal)).toEqual([
      [403, 'accountGroups.tokenIsRestricted'],
      [403, 'accountGroups.tokenIsRestricted'],
      [403, 'accountGroups.tokenIsRestricted'],
      [404, 'accountGroups.notFound'],
      [400, 'accounts.unknownGroup', 'accountGroupId'],
    ])
    const whole = await giveToken(me, ['accounts.write'])
    await ok(updateAccountGroup, { as: whole, id: mixed.id, json: { name: 'x' } })
  })
})
