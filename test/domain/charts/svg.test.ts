import fc from 'fast-check'
import { expect, test } from 'vitest'
import { element, isolated, shownText, textElement } from '../../../src/domain/charts/svg.ts'
import { parseXml } from '../../../src/domain/xml.ts'

const parsed = (markup: string) => parseXml(`<?xml version="1.0"?>${markup}`, { maxDepth: 10 })

test('an element has its attributes and children', () => {
  const child = textElement('title', {}, 'A & B')
  expect(element('g', { class: 'x', width: 1.005 }, child, child)).toBe(
    '<g class="x" width="1"><title>A &amp; B</title><title>A &amp; B</title></g>',
  )
  expect(element('rect', { x: -0.001, y: 12.3456 })).toBe('<rect x="0" y="12.35"/>')
})

test('no text becomes markup', () => {
  const hostile = `</title><script>alert("it's")</script>`
  expect(textElement('title', { class: hostile }, hostile)).toBe(
    '<title class="&lt;/title&gt;&lt;script&gt;alert(&quot;it&apos;s&quot;)&lt;/script&gt;">&lt;/title&gt;&lt;script&gt;alert(&quot;it&apos;s&quot;)&lt;/script&gt;</title>',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
      const { name, children } = parsed(textElement('title', {}, shownText(text)))
      expect([name, children]).toEqual(['title', []])
    }),
  )
})

test('what cannot be shown is left out, and the direction of a text ends with it', () => {
  expect(shownText('a\u0000b\u0007c\u202ed\u2069e\uffff\tf')).toBe('abcde\tf')
  expect(shownText('a\ud800b')).toBe('a\ufffdb')
  expect(isolated('שלום\u2069\u202e')).toBe('\u2068שלום\u2069')
})
