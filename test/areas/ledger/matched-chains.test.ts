import { expect, it } from 'vitest'
import { rows } from '../../support/api.ts'
import { match, newHalves } from '../transfers/matched.ts'
import { differencesOf } from './ledger.ts'

it('the nightly check finds a row that is matched into one that is matched itself', async () => {
  const { me, out, into } = await newHalves()
  const pair = async () => {
    const [from, to] = [await out(), await into()]
    const { body } = await match(me, from, to)
    return { from, id: body.id }
  }
  const [first, second] = [await pair(), await pair()]
  const stamp = (value: string | null) =>
    rows('UPDATE transactions SET matched_into = ? WHERE id = ?', value, first.id)
  await stamp(second.id)
  expect((await differencesOf(me)).join('\n')).toContain(
    `transaction ${first.from.id} is matched into ${first.id}, which is matched itself`,
  )
  await stamp(null)
  expect(await differencesOf(me)).toEqual([])
})
