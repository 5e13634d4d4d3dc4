import { expect, it } from 'vitest'
import {
  createTransfer,
  deleteTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { oneOfEach } from '../../support/rounds.ts'
import { newAccount } from '../../support/world.ts'
import { envelopes, OLD } from './checkpoint-scenes.fixtures.ts'
import { figuresAfter, SCENES } from './checkpoint-triggers.fixtures.ts'

it('every trigger that ends checkpoints has a change here that needs it', async () => {
  const triggers = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_checkpoints' ORDER BY name",
  )
  const needed = [...new Set(SCENES.map(([trigger]) => `${trigger}_checkpoints`))].toSorted()
  expect(needed).toEqual(triggers.map(({ name }) => name))
})

// One scene of each trigger; the others are in checkpoint-triggers.long.test.ts.
it.each(oneOfEach(SCENES, ([trigger]) => trigger))(
  '%s: figures are right after %s',
  async (_, __, scene) => {
    const right = await figuresAfter(scene)
    expect(right.withCheckpoints).toEqual(right.fromBeginning)
  },
)

/** A budget, and what moves money out of it. */
async function leaving() {
  const { me, account, budget } = await envelopes()
  const outside = await newAccount(me, { onBudget: false, openingDate: '2024-12-01' })
  const accounts = { fromAccountId: account.id, toAccountId: outside.id }
  const move = () =>
    ok(createTransfer, { as: me, json: { ...accounts, date: OLD, amount: '9.00' } })
  return { me, budget, move }
}

it('figures are right after a transfer out of the budget', async () => {
  const right = await figuresAfter(async () => {
    const { me, budget, move } = await leaving()
    return { me, budget, change: move }
  })
  expect(right.withCheckpoints).toEqual(right.fromBeginning)
})

it('figures are right after such a transfer is deleted', async () => {
  const right = await figuresAfter(async () => {
    const { me, budget, move } = await leaving()
    const { id } = await move()
    return { me, budget, change: () => ok(deleteTransfer, { as: me, id }) }
  })
  expect(right.withCheckpoints).toEqual(right.fromBeginning)
})
