import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonItems } from '../../src/domain/json-items.ts'
import { pieces } from './bank-files/reading.ts'

function read(parts: string[]): unknown[] {
  const said: unknown[] = []
  const reader = new JsonItems({
    wrappers: ['in'],
    take: (path, value) => said.push([path, value]),
    refuse: (reason, isCutShort) => new Error(`${isCutShort ? 'cut' : 'bad'}: ${reason}`),
  })
  try {
    for (const part of parts) {
      reader.push(part)
    }
    reader.end()
  } catch (error) {
    said.push((error as Error).message)
  }
  return said
}

const DOCUMENT = `
{ "a" : [ {"b": "]}\\\\\\"" , "c": [1,[2]]}, [3], 4 , "x\\u00e9" , null ],
  "in": {"d":[], "e":{"in":{}}, "in": {"f": true}}, "g": -1.5e3, "__proto__": {"h": 1}, "": [0] , "i": {} }
`

test('a document in one piece and in many says the same', () => {
  const said = [
    ['a', { b: ']}\\"', c: [1, [2]] }],
    ['a', [3]],
    ['a', 4],
    ['a', 'xé'],
    ['a', null],
    ['in.e', { in: {} }],
    ['in.in.f', true],
    ['g', -1500],
    ['__proto__', { h: 1 }],
    ['', 0],
    ['i', {}],
  ]
  expect(read([DOCUMENT])).toEqual(said)
  expect(read([...DOCUMENT])).toEqual(said)
  fc.assert(
    fc.property(pieces(DOCUMENT), (parts) => {
      expect(read(parts)).toEqual(said)
    }),
  )
})

test('an empty object says nothing', () => expect(read(['{}'])).toEqual([]))

describe('refused is', () => {
  test.each([
    '[]',
    'x',
    '{} {}',
    '{a:1}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1,}',
    '{"a":[1,]}',
    '{"a":[1 2]}',
    '{"a":]}',
    '{"a":[1}',
    '{"a":[{]}',
    '{"a":tru}',
    '{"a":[}',
    '{"\n":1}',
    '{"a":"\n"}',
    '{,}',
    '{"a":01}',
  ])('%s', (text) => {
    expect(read([text]).at(-1)).toBe('bad: it is no JSON')
  })

  test.each([
    '',
    ' ',
    '{',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":[',
    '{"a":[1,',
    '{"a":[{"b"',
    '{"a":[]',
    '{"a":"\\',
  ])('what breaks off: %s', (text) => {
    expect(read([text]).at(-1)).toBe('cut: it does not end')
  })

  test('a value that is too long', () => {
    expect(read(['{"a":"', ...Array.from({ length: 20 }, () => 'x'.repeat(65_536))]).at(-1)).toBe(
      'bad: a value is too long',
    )
  })
})

test('any object is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((key) => key !== 'in'),
        fc.jsonValue().filter((value) => !Array.isArray(value)),
      ),
      (object) => {
        const text = JSON.stringify(object)
        expect(Object.fromEntries(read([text]) as [string, unknown][])).toEqual({
          ...JSON.parse(text),
        })
      },
    ),
  )
})
