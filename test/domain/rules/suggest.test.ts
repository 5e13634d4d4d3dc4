import { describe, expect, test } from 'vitest'
import { checkCondition } from '../../../src/domain/conditions/check.ts'
import { fits, patternOf } from '../../../src/domain/conditions/texts.ts'
import { agreedCategory, conditionOfTexts } from '../../../src/domain/rules/suggest.ts'
import { searchKey } from '../../../src/domain/search-key.ts'

const nine = (categoryId: string) => Array.from({ length: 9 }, () => categoryId)

describe('the category that rows agree on', () => {
  test.each([
    ['Food, Food, Food', ['Food', 'Food', 'Food'], ['Food', 3, 3]],
    ['Food, Food', ['Food', 'Food'], undefined],
    ['Salary, Kids, …', ['Salary', 'Kids', 'Kids', 'Salary', 'Kids'], undefined],
    ['one other of five', ['Food', 'Food', 'Home', 'Food', 'Food'], ['Food', 4, 5]],
    ['one other of ten', ['Food', 'Home', ...nine('Food')], ['Food', 9, 10]],
    ['none', [], undefined],
    ['two others of ten', ['Home', 'Home', ...nine('Food').slice(1)], ['Food', 8, 10]],
    ['three others of ten', ['Home', 'Home', 'Home', ...nine('Food').slice(2)], undefined],
  ])('%s', (_, oldestFirst, expected) => {
    const agreed = agreedCategory(oldestFirst.map((categoryId) => ({ categoryId })).toReversed())
    expect(agreed && [agreed.row.categoryId, agreed.agreeing, agreed.counted]).toEqual(expected)
  })
})

describe('the condition of texts that differ in numbers', () => {
  const field = 'payeeRaw'

  test.each([
    [['rewe'], { field, op: 'is', value: 'rewe' }],
    [['rewe 4711 berlin', 'rewe 12 berlin'], { field, op: 'like', value: 'rewe * berlin' }],
    [['7 12 pos1x 3'], { field, op: 'like', value: '* pos*x *' }],
    [
      ['rewe 4711', 'rewe'],
      {
        any: [
          { field, op: 'like', value: 'rewe *' },
          { field, op: 'is', value: 'rewe' },
        ],
      },
    ],
  ])('%j', (texts, condition) => {
    expect(conditionOfTexts(field, texts)).toEqual(condition)
  })

  test.each([
    ['long', `${'word '.repeat(60)}1 end`],
    ['of many numbers', Array.from({ length: 30 }, (_, at) => `n${at}x`).join(' ')],
    ['long and of many numbers', '1a'.repeat(150)],
    ['long without numbers', 'Straße '.repeat(40)],
  ])('is one that rules take, and is met by a text that is %s', (_, text) => {
    const key = searchKey(text)
    const condition = checkCondition(conditionOfTexts(field, [key]), { isRule: true })
    expect(condition).toMatchObject({ op: 'like', value: expect.stringMatching(/\*$/) })
    const { value } = condition as { value: string }
    expect(fits(patternOf(value), key)).toBe(true)
  })
})
