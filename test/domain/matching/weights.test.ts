import { describe, expect, test } from 'vitest'
import document from '../../../docs/internals/matching.md?raw'
import { disjointPairs } from '../../../src/domain/matching/pairing.ts'
import {
  foldText,
  mentionsAmong,
  sharedWords,
  payeeWords,
} from '../../../src/domain/matching/texts.ts'
import {
  type Facts,
  reasonsFor,
  scoreOf,
  scoreAndReasons,
  type Use,
  weightsOf,
} from '../../../src/domain/matching/weights.ts'
import { runSteps } from '../../../src/domain/steps.ts'

const USES: Use[] = ['rows', 'halves', 'suggestions', 'duplicates']

const sumOf = (use: Use, days: number, facts: Facts) =>
  weightsOf(use, days, facts).reduce((sum, [, weight]) => sum + weight, 0)

/** The numbers of the first table of the document that has these uses for columns, by its facts. */
const documented = new Map(
  [...document.matchAll(/^\| `(\w+)` \|((?:[-\d/ ]*\|){4})$/gm)].slice(0, 16).map(
    ([, fact = '', cells = '']) =>
      [
        fact,
        cells
          .split('|')
          .slice(0, 4)
          .map((cell) => cell.trim().split('/'))
          .map(([over, under = '1']) => Number(over) / Number(under)),
      ] as const,
  ),
)

describe('the table of docs/internals/matching.md', () => {
  test.each(USES)('has each weight of %s', (use) => {
    const said = (fact: string) => documented.get(fact)?.[USES.indexOf(use)]
    const alone = sumOf(use, 0, {})
    const facts = [...documented.keys()].filter((fact) => !/^(days|eachDay|sameSource)$/.test(fact))
    expect(facts).toHaveLength(13)
    expect(alone).toBe(said('days'))
    expect(sumOf(use, 1, {}) - alone).toBeCloseTo(said('eachDay') ?? 0)
    for (const fact of facts) {
      expect(sumOf(use, 0, { [fact]: true }) - alone, fact).toBe(said(fact))
    }
    expect(sumOf(use, 0, { sameSource: true }) - alone).toBe(
      (alone / 1000) * (said('sameSource') ?? 0),
    )
  })

  test('has the reasons in the order in which they are told', () => {
    expect(reasonsFor('rows')).toEqual([
      ...['sameAmount', 'sameDay', 'closeDays', 'sameText', 'samePayee', 'sameNumber', 'renamed'],
      ...['mentionsTransfer', 'mentionsAccount', 'uncategorised', 'counterIban'],
    ])
    expect(reasonsFor('halves')).toEqual([
      ...['sameAmount', 'sameDay', 'closeDays', 'mentionsTransfer', 'mentionsAccount'],
      ...['uncategorised', 'counterIban'],
    ])
    expect(weightsOf('rows', 3, {})).toEqual([
      [undefined, 250],
      [undefined, -90],
    ])
  })
})

describe('the worked examples of docs/internals/matching.md', () => {
  const fileText = foldText('CARD PAYMENT TESCO STORES 3021')
  const typed = (text: string, days: number, samePayee: boolean) => {
    const sameText = sharedWords(payeeWords(fileText), payeeWords(text))
    return scoreAndReasons(
      'rows',
      weightsOf('rows', days, { sameAmount: true, sameText, samePayee }),
    )
  }

  test('a row of a file, and two that were typed', () => {
    expect(typed('Tesco', 2, true)).toEqual({
      score: 0.94,
      reasons: ['sameAmount', 'closeDays', 'sameText', 'samePayee'],
    })
    expect(typed('Tesco lunch', 1, false)).toEqual({
      score: 0.72,
      reasons: ['sameAmount', 'closeDays', 'sameText'],
    })
  })

  const mentionsBetween = mentionsAmong([
    { id: 'everyday', name: 'everyday' },
    { id: 'rainy', name: 'rainy day' },
    { id: 'tuition', name: 'tuition' },
  ])
  test.each([
    ['halves', 'transfer to rainy day', 974, ['mentionsTransfer', 'mentionsAccount']],
    ['suggestions', 'transfer to rainy day', 970, ['mentionsTransfer', 'mentionsAccount']],
    ['halves', 'transfer to tuition', 424, ['mentionsTransfer']],
    ['suggestions', 'transfer to tuition', 420, ['mentionsTransfer']],
  ] as const)('two halves as %s: %s is %d', (use, text, score, mentions) => {
    const weights = weightsOf(use, 2, {
      ...{ sameAmount: true, uncategorised: true },
      ...mentionsBetween({ accountId: 'everyday', text }, { accountId: 'rainy', text: 'salary' }),
    })
    expect(scoreOf(use, weights)).toBe(score)
    expect(scoreAndReasons(use, weights).reasons).toEqual([
      ...['sameAmount', 'closeDays', ...mentions, 'uncategorised'],
    ])
  })
})

test('scores of rows end at 1000; those of halves do not, and hundredths are rounded', () => {
  const all = {
    sameAmount: true,
    sameText: 1,
    samePayee: true,
    sameNumber: true,
    counterIban: true,
  }
  expect(scoreOf('rows', weightsOf('rows', 0, all))).toBe(1000)
  const named = { sameAmount: true, mentionsEachOther: true, counterIban: true }
  expect(scoreOf('halves', weightsOf('halves', 0, named))).toBe(1150)
  const twice = { sameAmount: true, sameDescription: true }
  expect(scoreAndReasons('duplicates', weightsOf('duplicates', 1, twice)).score).toBe(0.69)
  expect(
    scoreAndReasons('duplicates', weightsOf('duplicates', 1, { ...twice, sameSource: true })),
  ).toEqual({
    score: 0.34,
    reasons: ['sameAmount', 'closeDays', 'sameDescription', 'sameSource'],
  })
})

test('each item is in one pair: the first in the order of pairs', () => {
  const pairs = ['ab', 'bc', 'cd', 'ad', 'ef']
  expect(runSteps(disjointPairs(pairs, (pair) => [...pair]))).toEqual(['ab', 'cd', 'ef'])
})
