import { expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { tellExpiredJob } from '../../../src/areas/planning/budgets/budgets.jobs.ts'
import { departuresReader } from '../../../src/areas/planning/budgets/members/members.readers.ts'
import { listGroupActivity, leaveGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { runReaders } from '../../../src/platform/work/readers.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount } from '../../support/world.ts'
import { DAY } from '../trash/trashing.ts'
import { newBudget } from './budgets.fixtures.ts'
import { type Couple, newCouple, shareWith, takeBack } from './household.fixtures.ts'

const read = () => runReaders([departuresReader], (operation) => contextWith({ operation }))

/** The budgets of the group that the log says an account left. */
const left = async ({ group }: Couple) =>
  (
    await rows<{ id: string; content: string | null; account_id: string | null }>(
      "SELECT resource_id AS id, content, account_id FROM log_entries WHERE type = 'budget.accountLeft' AND group_id = ?",
      group.id,
    )
  ).map(({ id, content, account_id }) => {
    expect([content, account_id]).toEqual([null, null])
    return id
  })

it('a group is told once that an account left its budgets, but not which one', async () => {
  await read()
  const couple = await newCouple()
  const { ada, ben, viewer, card, joint, budget, group } = couple
  await newBudget(ada, {
    mode: 'limit',
    groupId: group.id,
    accounts: 'chosen',
    accountIds: [joint.id],
  })
  const chosen = await newBudget(ada, {
    ...{ mode: 'limit', groupId: group.id, accounts: 'chosen', accountIds: [card.id] },
  })
  await newBudget(ada, { mode: 'limit' })
  await read()
  expect(await left(couple)).toEqual([])
  await takeBack(ben, card)
  await read()
  await read()
  expect((await left(couple)).toSorted()).toEqual([budget.id, chosen.id].toSorted())
  const { activity } = await ok(listGroupActivity, { as: viewer, id: group.id })
  expect(activity.filter(({ action }) => action === 'budget.accountLeft')).toMatchObject([
    { resourceType: 'budget', accountId: null, actorId: null },
    { resourceType: 'budget', accountId: null, actorId: null },
  ])
})

it('a member who leaves takes accounts out of budgets; what is shared again by then did not leave', async () => {
  await read()
  const couple = await newCouple()
  const { ben, card, group, budget } = couple
  await takeBack(ben, card)
  await shareWith(ben, card, group.id)
  await read()
  expect(await left(couple)).toEqual([])
  await ok(leaveGroup, { as: ben, id: group.id })
  await read()
  expect(await left(couple)).toEqual([budget.id])
})

it('a share that expired is told by the night after', async () => {
  const couple = await newCouple()
  const { ada, card, joint, group, budget } = couple
  const off = await newAccount(ada, { onBudget: false })
  await shareWith(ada, off, group.id)
  const midnight = Math.floor(Date.now() / DAY) * DAY
  const expire = ({ id }: { id: string }, at: number) =>
    rows('UPDATE shares SET expires_at = ? WHERE account_id = ?', at, id)
  await expire(card, midnight - 1)
  await expire(off, midnight - 1)
  await expire(joint, midnight)
  const run = (now: number) => tellExpiredJob.run(contextWith({ now }), {}, [])
  await run(midnight - 1)
  expect(await left(couple)).toEqual([])
  await run(midnight + 1000)
  expect(await left(couple)).toEqual([budget.id])
  await run(midnight + DAY + 1000)
  expect(await left(couple)).toEqual([budget.id, budget.id])
  await run(midnight + 2 * DAY)
  expect(await left(couple)).toHaveLength(2)
})

it('an account in the trash leaves no trace in the group', async () => {
  await read()
  const couple = await newCouple()
  await ok(deleteAccount, { as: couple.ben, id: couple.card.id })
  await read()
  expect(await left(couple)).toEqual([])
})
