import { expect, test } from 'vitest'
import { accountFinder, mentionsBetween, mentionWeight } from '../../src/domain/transfer-texts.ts'

const NAMES: Record<string, string> = {
  everyday: 'everyday',
  reserve: 'reserve',
  fund: 'reserve fund',
  tuition: 'tuition',
  card: 'visa card',
  x: 'x',
}
const finder = accountFinder(Object.entries(NAMES).map(([id, name]) => ({ id, name })))
const nameOf = (id: string) => NAMES[id] ?? ''

test.each<[string, string, string, number, boolean]>([
  ['neither', 'rent', 'cash', 0, false],
  ['the other account, on one side', 'to reserve', 'salary', 1, false],
  ['the other account, on the other side', 'rent', 'from everyday', 1, false],
  ['each other', 'to reserve', 'from everyday', 2, false],
  ['a third account', 'to tuition', 'from everyday', 1, true],
  ['a third account on the other side', 'rent', 'from tuition', 0, true],
  ['both another account and a third', 'reserve for tuition', 'x', 1, false],
  ['a word that begins like an account', 'tuitions, preschool and intuition', 'x', 0, false],
  ['words of every card', 'visa card 1234', 'x', 0, false],
  ['the own account', 'everyday card payment', 'reserve', 0, false],
])('texts that name %s', (_, from, to, others, isAstray) => {
  const mentions = mentionsBetween(
    { accountId: 'everyday', text: from },
    { accountId: 'reserve', text: to },
    nameOf,
    finder,
  )
  expect(mentions).toEqual({ others, isAstray })
})

test('a longer name of a known account is no other account', () => {
  expect(finder('from reserve fund', ['fund', 'everyday'])).toBe(false)
  expect(finder('from reserve fund', ['everyday'])).toBe(true)
})

test('what both texts say weighs more than what one says, and a third account counts against a pair', () => {
  const weights = ([0, 1, 2] as const).map((others) => mentionWeight({ others, isAstray: false }))
  expect(weights).toEqual([0, expect.closeTo(0.15), expect.closeTo(0.25)])
  expect(mentionWeight({ others: 1, isAstray: true })).toBeLessThan(-0.3)
})
