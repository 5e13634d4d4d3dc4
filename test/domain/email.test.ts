import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressKey, domainOfEmail, isSameAddress, parseEmail } from '../../src/domain/email.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.emailAddress(),
)

describe('parseEmail', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    ['Ann.O-Neill+x@Example.COM', 'Ann.O-Neill+x@example.com'],
    ["o'neill@x.io", "o'neill@x.io"],
    ['x@one。example', 'x@one.example'],
    ['x@ｏne.example', 'x@one.example'],
    ['x@o\u00adne.example', 'x@one.example'],
    ['ann@Straße.de', 'ann@xn--strae-oqa.de'],
    ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
    ['ann@xn--strae-oqa.de', 'ann@xn--strae-oqa.de'],
    [`${'x'.repeat(64)}@x.io`, `${'x'.repeat(64)}@x.io`],
  ])('takes %j as %j', (text, email) => {
    expect(parseEmail(text)).toBe(email)
  })

  test.each([
    ...['', 'ann', '@', 'ann@', '@x.io', 'ann@localhost', 'ann@127.0.0.1', 'ann@[127.0.0.1]'],
    ...['ann@x..io', 'ann@.io', 'ann@x.io.', 'ann@x_.io', 'ann@-x.io', 'ann@x.io/', 'ann@x.io:25'],
    ...[' ann@x.io', 'ann@x.io ', 'ann @x.io', 'ann@x.io\n', 'ann@x.io\u0000', 'a\u0001nn@x.io'],
    ...[
      'ａnn@x.io',
      'ann\u200b@x.io',
      'änn@x.io',
      '"ann"@x.io',
      'a..nn@x.io',
      '.ann@x.io',
      'ann.@x.io',
    ],
    ...['ann@x.io@y.io', 'Ann <ann@x.io>', 'ann@x.io,bea@x.io', `${'x'.repeat(65)}@x.io`],
    `ann@${'x.'.repeat(125)}io`,
  ])('takes %j for no address', (text) => {
    expect(parseEmail(text)).toBeUndefined()
  })

  // 16,400 characters are more than the URL parser of Node takes, although `URL.canParse` says otherwise.
  test.each(['X.', 'x.', 'x', 'É.', '1.'])('takes a domain of thousands of %j for none', (part) => {
    expect(parseEmail(`ann@${part.repeat(8200)}io`)).toBeUndefined()
    expect(domainOfEmail(`ann@${part.repeat(8200)}io`)).toBeUndefined()
  })

  test('gives an address that is its own, and has its own key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const email = parseEmail(text)
        if (email !== undefined) {
          expect(parseEmail(email)).toBe(email)
          expect(isSameAddress(text, email)).toBe(true)
          expect(parseEmail(addressKey(email))).toBe(addressKey(email))
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('addressKey', () => {
  test.each([
    ['  Ann@Example.COM ', 'ann@example.com'],
    ['a+b.c@x.io', 'a+b.c@x.io'],
    ['Ann@Straße.de', 'ann@xn--strae-oqa.de'],
    ['Exam', 'exam'],
  ])('makes %j into %j', (text, key) => {
    expect(addressKey(text)).toBe(key)
  })

  test('gives a key that is its own key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(addressKey(addressKey(text))).toBe(addressKey(text))
      }),
    )
  })
})

test('domainOfEmail finds the domain whatever is before it', () => {
  expect(domainOfEmail('änn@Example.COM')).toBe('example.com')
  expect(domainOfEmail('example.com')).toBeUndefined()
})
