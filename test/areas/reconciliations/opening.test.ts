import { expect, it } from 'vitest'
import {
  accountsToReconcile,
  openingConflicts,
  openReconciliation,
} from '../../../src/areas/money/reconciliations/reconciliations.public.ts'
import type { SignedIn } from '../../../src/platform/context.ts'
import { commit, read } from '../../../src/platform/database/database.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { look, MARCH, newMarch } from './reconciling.ts'

it('other areas open a session with a change of their own commit, once for an account', async () => {
  const me = await newUser()
  const { everyday, february } = await newMarch(me)
  const caller = { userId: me.id, sessionId: null, tokenHash: null, profile: {} }
  const ctx = contextWith({ caller: caller as unknown as SignedIn['caller'] }) as SignedIn
  const [[account]] = await read(ctx, accountsToReconcile(ctx, [everyday.id]))
  if (!account) {
    throw new Error('the account is seen')
  }
  expect(account).toMatchObject({
    ...{ openId: null, lastId: february.id, lastDate: '2026-02-28', lastClosingMinor: 100_000 },
  })
  const opened = () =>
    openReconciliation(ctx, {
      ...{ account, statementDate: MARCH.statementDate, closingMinor: 214_980 },
      prefill: 'cleared',
    })
  const [first, second] = [opened(), opened()]
  const conflicts = openingConflicts
  await commit(ctx, { changes: [first.change], result: undefined, conflicts })
  expect(await look(me, first.session)).toMatchObject({
    ...{ openingBalance: '1000.00', difference: '-3.00', rows: { ticked: 3, unticked: 1 } },
  })
  const again = commit(ctx, { changes: [second.change], result: undefined, conflicts })
  await expect(again).rejects.toMatchObject({ code: 'reconciliations.open' })
})
