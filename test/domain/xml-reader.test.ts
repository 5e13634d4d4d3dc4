import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { XmlReader } from '../../src/domain/xml-reader.ts'
import { pieces } from './bank-files/reading.ts'

/** What a document says, and what is wrong with it. */
function read(
  parts: string[],
  options: { maxAttributes?: number; maxText?: number; instruction?: string } = {},
): unknown[] {
  const said: unknown[] = []
  const reader = new XmlReader(
    {
      open: (name, attributes) => said.push(['open', name, ...attributes]),
      close: (name, text) => said.push(['close', name, text]),
    },
    {
      maxDepth: 3,
      instruction: 'OFX',
      ...options,
      refuse: (reason, isCutShort) => new Error(`${isCutShort ? 'cut' : 'bad'}: ${reason}`),
    },
  )
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

const DOCUMENT =
  '<?xml version="1.0"?>\n<?OFX VERSION="200"?>\n<!-- x -->\n<a b="1&quot;">one<c>two &amp; <![CDATA[<three>]]></c>four<d/></a>\n'

test('a document in one piece and in many says the same', () => {
  const said = [
    ['open', 'a', ['b', '1"']],
    ['open', 'c'],
    ['close', 'c', 'two & <three>'],
    ['open', 'd'],
    ['close', 'd', ''],
    ['close', 'a', ''],
  ]
  expect(read([DOCUMENT])).toEqual(said)
  fc.assert(
    fc.property(pieces(DOCUMENT), (parts) => {
      expect(read(parts)).toEqual(said)
    }),
  )
})

describe('a document that breaks off', () => {
  test.each(['<a', '<a b="', '<a><b>x', '<a><b>x</b', '<a>x &am', '<a></a><!-', '', ' '])(
    '%j is cut short',
    (text) => {
      expect(read([text]).at(-1)).toBe('cut: it does not end')
    },
  )

  test.each(['<a b=1>', '<a><b>x</b ></a', '<a>', '<1>'])('%j at the end', (text) => {
    const last = read([text]).at(-1)
    expect(last).toBe(
      text === '<a>' || text.endsWith('a') ? 'cut: it does not end' : 'bad: it does not end',
    )
  })
})

test('any encoding may be named, as the text is decoded', () => {
  expect(read(["<?xml version='1.0' encoding='latin1'?><a/>"])).toHaveLength(2)
})

describe('bounds', () => {
  test.each([
    ['depth', '<a><b><c><d/></c></b></a>', {}, 'bad: more than 3 elements are within each other'],
    [
      'attributes',
      '<a b="" c=""/>',
      { maxAttributes: 1 },
      'bad: an element has an attribute twice, or too many',
    ],
    ['text', '<a>12345</a>', { maxText: 4 }, 'bad: a text has more than 4 characters'],
    [
      'text in two',
      '<a>123<!-- -->45</a>',
      { maxText: 4 },
      'bad: a text has more than 4 characters',
    ],
    ['attribute', '<a b="12345"/>', { maxText: 4 }, 'bad: a text has more than 4 characters'],
    ['token', `<a ${' '.repeat(70_000)}`, {}, 'bad: a tag or a text does not end'],
    ['instructions', '<?PHP ?><a/>', {}, 'bad: it has a processing instruction'],
    ['late instruction', '<a/><?OFX ?>', {}, 'bad: it has a processing instruction'],
    ['late declaration', '<?php ?><?xml ?><a/>', { instruction: '*' }, 'bad: it does not end'],
  ])('%s', (_, text, options, message) => {
    expect(read([text], options).at(-1)).toBe(message)
  })

  test('white space between elements is no text', () => {
    expect(read([`<a>${`<b/>${' '.repeat(4)}`.repeat(20)}</a>`], { maxText: 4 }).at(-1)).toEqual([
      'close',
      'a',
      '',
    ])
  })
})
