import { expect, it } from 'vitest'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { listTransactionVersions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { acceptShare, createShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, change, newCategory } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

const versionsOf = async (as: Principal, id: string) =>
  (await ok(listTransactionVersions, { as, id })).versions

const entriesOf = async (as: Principal, resourceId: string) =>
  (await ok(listOwnAuditLog, { as, query: { resourceId } })).entries

it('names the rules that filled in fields, for the owner alone', async () => {
  const [me, friend] = [await newUser(), await newUser()]
  const [account, food] = [await newAccount(me), await newCategory(me)]
  const one = await newRule(me, { changes: { categoryId: food.id } })
  const two = await newRule(me, { changes: { description: 'Parcel' } })
  const json = { resourceId: account.id, userId: friend.id, permission: 'write' as const }
  const share = await ok(createShare, { as: me, json })
  await ok(acceptShare, { as: friend, id: share.id, json: {} })

  const { id } = await book(friend, account, { payeeRaw: 'AMZN Mktp DE' })
  await change(friend, { id }, { status: 'cleared' })
  const late = await newRule(me, { changes: { note: 'late' } })
  await ok(runRules, { as: me, json: { ids: [id] } })

  const told = [[late.id], [], [one.id, two.id]]
  expect((await versionsOf(me, id)).map(({ ruleIds }) => ruleIds)).toEqual(told)
  const entries = await entriesOf(me, id)
  const ruleIdsIn = ({ changes }: (typeof entries)[number]) =>
    changes.filter(({ field }) => field === 'ruleIds')
  const rules = (after: string[]) => [{ field: 'ruleIds', before: null, after }]
  expect(entries.map(ruleIdsIn)).toEqual([rules([late.id]), [], rules([one.id, two.id])])

  const theirs = await versionsOf(friend, id)
  expect(theirs).toMatchObject([{ ruleIds: [] }, { ruleIds: [] }, { ruleIds: [] }])
  const logged = await entriesOf(friend, id)
  expect(logged.length).toBeGreaterThan(0)
  expect(JSON.stringify([theirs, logged])).not.toContain('rul_')
})
