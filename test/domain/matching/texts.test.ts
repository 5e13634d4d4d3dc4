import { expect, test } from 'vitest'
import {
  accountFinder,
  foldedTexts,
  mentionsAmong,
  saySame,
} from '../../../src/domain/matching/texts.ts'

const NAMES: Record<string, string> = {
  everyday: 'everyday',
  reserve: 'reserve',
  fund: 'reserve fund',
  tuition: 'tuition',
  card: 'visa card',
  x: 'x',
}
const accounts = Object.entries(NAMES).map(([id, name]) => ({ id, name }))
const finder = accountFinder(accounts)

test.each<[string, string, string, string[]]>([
  ['neither', 'rent', 'cash', []],
  ['the other account, on one side', 'to reserve', 'salary', ['mentionsAccount']],
  ['the other account, on the other side', 'rent', 'from everyday', ['mentionsAccount']],
  ['each other', 'to reserve', 'from everyday', ['mentionsEachOther']],
  ['a third account', 'to tuition', 'from everyday', ['mentionsThird']],
  ['a third account on the other side', 'rent', 'from tuition', ['mentionsThird']],
  ['both another account and a third', 'reserve for tuition', 'x', ['mentionsAccount']],
  ['a word that begins like an account', 'tuitions, preschool and intuition', 'x', []],
  ['words of every card', 'visa card 1234', 'x', []],
  ['the own account', 'everyday card payment', 'reserve', []],
  ['a transfer', 'rent', 'sepa transfer', ['mentionsTransfer']],
])('texts that name %s', (_, from, to, facts) => {
  const mentions = mentionsAmong(accounts)(
    { accountId: 'everyday', text: from },
    { accountId: 'reserve', text: to },
  )
  expect(Object.entries(mentions).flatMap(([fact, holds]) => (holds ? [fact] : []))).toEqual(facts)
})

test('a longer name of a known account is no other account', () => {
  expect(finder('from reserve fund', ['fund', 'everyday'])).toBe(false)
  expect(finder('from reserve fund', ['everyday'])).toBe(true)
})

test.each([
  [['coffee'], ['coffee'], true],
  [['tesco'], ['groceries', 'tesco stores'], true],
  [['tesco stores'], ['tesco'], true],
  [['abc'], ['abc shop'], false],
  [['abc'], ['abc'], true],
  [[], ['tesco'], false],
])('%j and %j say the same: %s', (one, other, expected) => {
  expect(saySame(one, other)).toBe(expected)
  expect(saySame(other, one)).toBe(expected)
})

test('the texts of a transaction are folded as names are, and empty ones are left out', () => {
  expect(foldedTexts({ description: 'Straße  7', payeeRaw: 'CAFÉ\u200b' })).toEqual([
    'strasse 7',
    'café',
  ])
  expect(foldedTexts({ description: ' ', payeeRaw: null })).toEqual([])
})
