import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml, type XmlElement } from '../../src/domain/xml.ts'
import { limit } from '../support/rounds.ts'

const malformed = expect.objectContaining({ kind: 'invalid', code: 'xml.malformed' })
const parse = (text: string, maxDepth = 8) => parseXml(text, { maxDepth })
const element = (
  name: string,
  attributes: Record<string, string> = {},
  children: XmlElement[] = [],
  text = '',
): XmlElement => ({ name, attributes: new Map(Object.entries(attributes)), children, text })

describe('a plain document', () => {
  test.each([
    ['<a/>', element('a')],
    ['<a></a >', element('a')],
    [`<a b="1" c:d='"2"'\n\te = "'" />`, element('a', { b: '1', 'c:d': '"2"', e: "'" })],
    ['<?xml version="1.0"?><a/>', element('a')],
    [`<?xml version='1.0' encoding='utf-8' standalone="yes" ?>\n<a/>\n`, element('a')],
    ['<!-- first - of all --><a><!----><b/></a><!-- last -->', element('a', {}, [element('b')])],
    [
      '<a>words &amp; ]] ]> signs > &lt;<b>x</b> ü 😀</a>',
      element('a', {}, [element('b', {}, [], 'x')]),
    ],
    ['<a><b/><c><d/></c></a>', element('a', {}, [element('b'), element('c', {}, [element('d')])])],
    ['<a b="&lt;&#65;">&#x1F600; &amp;</a>', element('a', { b: '<A' }, [], '😀 &')],
    [
      '<a>1<![CDATA[<b> ]] &amp;]]><!-- -->2\r\n3\r4</a>',
      element('a', {}, [], '1<b> ]] &amp;2\n3\n4'),
    ],
  ])('%j is read', (text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  test('is read again as it was written', () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,5}$/)
    const value = fc.string().filter((text) => /^[^"<&\p{Cc}\ufffe\uffff]*$/u.test(text))
    const { tree } = fc.letrec<{ tree: XmlElement }>((tie) => ({
      tree: fc.record({
        name,
        attributes: fc
          .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 3 })
          .map((pairs) => new Map(pairs)),
        children: fc.oneof(
          { maxDepth: 4 },
          fc.constant([]),
          fc.array(tie('tree'), { maxLength: 3 }),
        ),
        text: fc.constant(''),
      }) as fc.Arbitrary<XmlElement>,
    }))
    const write = ({ name, attributes, children }: XmlElement): string =>
      `<${name}${[...attributes].map(([key, text]) => ` ${key}="${text}"`).join('')}>${children.map(write).join('\n')}</${name}>`
    fc.assert(
      fc.property(tree, (written) => {
        expect(parseXml(write(written), { maxDepth: 1000 })).toEqual(written)
      }),
    )
  })
})

describe('refused is', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['words', 'rates'],
    ['words before the root', 'x<a/>'],
    ['words behind the root', '<a/>x'],
    ['a space that is none of XML behind the root', '<a/>\u00a0'],
    ['a second root', '<a/><b/>'],
    ['a root that does not end', '<a>'],
    ['a tag that does not end', '<a'],
    ['an attribute that does not end', '<a b="1'],
    ['a comment that does not end', '<a/><!-- x'],
    ['two hyphens in a comment', '<a/><!-- x -- y -->'],
    ['an end without a start', '</a>'],
    ['an end too many', '<a></a></a>'],
    ['ends that cross', '<a><b></a></b>'],
    ['an end in another case', '<a></A>'],
    ['a space before a name', '< a/>'],
    ['an attribute without a value', '<a b/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute twice', '<a b="1" b="1"/>'],
    ['attributes without a space between', '<a b="1"c="2"/>'],
    ['a bracket in an attribute', '<a b="<"/>'],
    ['a bare ampersand', '<a>this & that</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['an unknown entity in an attribute', '<a b="&nbsp;"/>'],
    ['a reference to a control character', '<a>&#1;</a>'],
    ['a reference to half a character', '<a>&#xD800;</a>'],
    ['a reference to more than there is', '<a>&#x110000;</a>'],
    ['the end of CDATA', '<a>]]></a>'],
    ['CDATA outside of the root', '<![CDATA[ ]]><a/>'],
    ['CDATA that does not end', '<a><![CDATA[x]] ></a>'],
    ['a processing instruction in the root', '<a><?php x?></a>'],
    ['a processing instruction', '<?php x?><a/>'],
    ['a declaration that comes late', '\n<?xml version="1.0"?><a/>'],
    ['another version', '<?xml version="1.1"?><a/>'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>'],
    ['another encoding, in apostrophes', "<?xml version='1.0' encoding='latin1'?><a/>"],
    ['a document type', '<!DOCTYPE a><a/>'],
    ['entities that blow up', '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><a>&c;</a>'],
    ['entities from elsewhere', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['a document type in the root', '<a><!DOCTYPE a></a>'],
    ['NUL', '<a>\u0000</a>'],
    ['a control character', '<a b="\u0001"/>'],
    ['half a character', '<a>\ud800</a>'],
  ])('%s', (_, text) => {
    expect(() => parse(text)).toThrow(malformed)
  })

  test('more depth than is asked for', () => {
    expect(parse('<a><b><c/></b></a>', 3).children).toHaveLength(1)
    expect(() => parse('<a><b><c><d></d></c></b></a>', 3)).toThrow(malformed)
    expect(() => parse('<a>'.repeat(100_000), 8)).toThrow(malformed)
  })

  test('every beginning of a document', () => {
    const text = `<?xml version="1.0"?><!-- x --><a b="1"><c d='2'/>words &amp; more</a>`
    for (let end = 0; end < text.length; end++) {
      expect(() => parse(text.slice(0, end)), text.slice(0, end)).toThrow(malformed)
    }
    expect(parse(text)).toBeDefined()
  })

  test('what is long and wrong, at once', () => {
    const most = 256 * 1024
    for (const part of [
      '<',
      '<a ',
      ' ',
      '<!--',
      '-',
      '<a b="" ',
      '&amp;',
      ']',
      'x',
      '<a b',
      '="',
      '<!-- -',
    ]) {
      const long = part.repeat(most / part.length)
      // Of the processor, not of the clock: others may use it meanwhile.
      const start = process.cpuUsage()
      expect(() => parse(long)).toThrow(malformed)
      expect(() => parse(`<a${long}`)).toThrow(malformed)
      expect(() => parse(`<a>${long}`)).toThrow(malformed)
      expect(process.cpuUsage(start).user, part).toBeLessThan(limit(1_000_000))
    }
  })

  test('any other text, never with another error', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'a',
      ' ',
      '="',
      '"',
      "'",
      '&',
      '<!--',
      '-->',
      '<a>',
      '</a>',
      ']]>',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          parse(pieces.join(''))
        } catch (error) {
          expect(error).toEqual(malformed)
        }
      }),
    )
  })
})
