import { describe, expect, it } from 'vitest'
import { login as loginRoute } from '../../src/areas/identity/auth/auth.routes.ts'
import { call } from '../support/api.ts'
import { serviceWith } from '../support/service.ts'

const MEBIBYTE = 1024 * 1024

const login = () => JSON.stringify({ email: `${crypto.randomUUID()}@coffer.test`, password: 'x' })

const send = (body: BodyInit) => call(loginRoute, { raw: { body } })

/** The status that a well-formed request for nobody gets. */
const UNDERSTOOD = 401

const bytes = (...parts: (string | number[])[]) =>
  new Blob(parts.map((part) => (typeof part === 'string' ? part : new Uint8Array(part)))).bytes()

/** A request whose length nobody announced. */
const stream = (chunks: Iterator<Uint8Array>) =>
  serviceWith({}).fetch(
    new Request('http://coffer.test/auth/v2/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      ...{ duplex: 'half' },
      body: new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const { value, done } = chunks.next()
          return done ? controller.close() : controller.enqueue(value)
        },
      }),
    }),
  )

describe('the size of a body', () => {
  const padded = (size: number) => login().padEnd(size, ' ')

  it('may be one mebibyte', async () => {
    expect((await send(padded(MEBIBYTE))).status).toBe(UNDERSTOOD)
  })

  it('may not be a byte more', async () => {
    const { status, error } = await send(padded(MEBIBYTE + 1))
    expect([status, error.code]).toEqual([413, 'request.tooLarge'])
  })

  it('is counted in bytes, not in characters', async () => {
    const body = JSON.stringify({ email: 'ä'.repeat(MEBIBYTE / 2), password: 'x' })
    expect(body.length).toBeLessThan(MEBIBYTE)
    expect((await send(body)).status).toBe(413)
  })

  it('is counted while it arrives when nobody announced it', async () => {
    const encoder = new TextEncoder()
    const inPieces = (size: number) =>
      (padded(size).match(/.{1,4096}/gs) ?? []).map((piece) => encoder.encode(piece)).values()
    expect((await stream(inPieces(MEBIBYTE))).status).toBe(UNDERSTOOD)
    expect((await stream(inPieces(MEBIBYTE + 1))).status).toBe(413)
  })

  it('is not awaited to the end', async () => {
    let sent = 0
    function* endless() {
      for (;;) {
        sent += 65_536
        yield new Uint8Array(65_536)
      }
    }
    expect((await stream(endless())).status).toBe(413)
    expect(sent).toBeLessThan(2 * MEBIBYTE)
  })
})

describe('the depth of a body', () => {
  const nested = (levels: number) =>
    `{"email":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},"password":"x"}`

  it('may be 64 levels', async () => {
    const { error } = await send(nested(64))
    expect([error.code, error.field]).toEqual(['request.invalid', 'email'])
  })

  it.each([65, 1000, 250_000])('may not be %d levels', async (levels) => {
    const { status, error } = await send(nested(levels))
    expect([status, error.code]).toEqual([400, 'request.malformedJson'])
    expect(error.error).toBe('The body is nested deeper than 64 levels.')
  })

  it('does not count brackets inside texts, or those that were closed', async () => {
    const password = `\\"${'['.repeat(500)}{\\\\`
    const text = login().replace('"x"', `"${password}"`)
    expect((await send(text)).status).toBe(UNDERSTOOD)
    const wide = login().replace('{', `{"other":[${'[],'.repeat(500)}[]],`)
    expect((await send(wide)).error.field).toBe('other')
  })
})

describe('the text of a body', () => {
  const withEmail = (escaped: string) => `{"email":"${escaped}","password":"x"}`

  it.each([
    ['NUL', '\\u0000'],
    ['the first half of a pair', 'a\\ud800b'],
    ['the second half of a pair', '\\udc00'],
    ['a pair the wrong way round', '\\udc00\\ud800'],
    ['two first halves', '\\ud83d\\ud83d\\ude00'],
  ])('may not hold %s, in a value or in a key', async (_, escaped) => {
    const bodies = [
      withEmail(escaped),
      `{"email":"a@b.test","password":"x","${escaped}":1}`,
      `{"email":"a@b.test","password":"x","more":[{"deep":["${escaped}"]}]}`,
      `"${escaped}"`,
    ]
    for (const body of bodies) {
      const { status, error } = await send(body)
      expect([status, error.code], body).toEqual([400, 'request.malformedText'])
    }
  })

  it('may hold any whole character, escaped or not', async () => {
    const password = '\\ud83d\\ude00 😀 \\u0001 \\u2028 \u2028 \\ufeff \u00a0'
    expect((await send(login().replace('"x"', `"${password}"`))).status).toBe(UNDERSTOOD)
  })

  it.each([
    ['a byte that UTF-8 never has', [0xff]],
    ['a lone continuation', [0x80]],
    ['half a character', [0xc3]],
    ['half of a pair as bytes', [0xed, 0xa0, 0x80]],
    ['a long form of NUL', [0xc0, 0x80]],
    ['a long form of a slash', [0xe0, 0x80, 0xaf]],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ])('is UTF-8: %s is refused', async (_, wrong) => {
    const { status, error } = await send(
      await bytes('{"email":"', wrong, '@b.test","password":"x"}'),
    )
    expect([status, error.code]).toEqual([400, 'request.malformedJson'])
    expect(error.error).toBe('The body is not well-formed UTF-8.')
  })

  it('may start with a byte order mark, one', async () => {
    const mark = [0xef, 0xbb, 0xbf]
    expect((await send(await bytes(mark, login()))).status).toBe(UNDERSTOOD)
    expect((await send(await bytes(mark, mark, login()))).status).toBe(400)
    expect((await send(await bytes(mark))).status).toBe(400)
  })

  it('is not UTF-16', async () => {
    const units = Array.from(login(), (character) => [character.charCodeAt(0), 0]).flat()
    expect((await send(await bytes([0xff, 0xfe], units))).status).toBe(400)
    expect((await send(await bytes(units))).status).toBe(400)
  })

  it.each([
    '',
    ' ',
    '{',
    '}',
    '{"email":"a@b.test","password":"x"',
    '{"email":"a@b.test","password":"x"}}',
    '{"email":"a@b.test","password":"x",}',
    '{"email":"a@b.test" "password":"x"}',
    "{'email':'a@b.test'}",
    '{email:"a@b.test"}',
    '{"email":"a@b.test","password":"x"} // a comment',
    '{"email":"a@b.test\n","password":"x"}',
    '{"email":"\u0000","password":"x"}',
    '{"email":"\\x41","password":"x"}',
    '{"email":NaN}',
    '{"email":Infinity}',
    '{"email":undefined}',
    '{"email":01}',
    '{"email":+1}',
    '{"email":.5}',
    'email=a%40b.test&password=x',
    '<email>a@b.test</email>',
  ])('is JSON: %j is refused', async (body) => {
    const { status, error } = await send(body)
    expect([status, error.code]).toEqual([400, 'request.malformedJson'])
  })

  it('needs a Content-Type', async () => {
    const untyped = new Request('http://coffer.test/auth/v2/login', {
      method: 'POST',
      body: new Blob([login()]),
    })
    expect((await serviceWith({}).fetch(untyped)).status).toBe(415)
  })

  it.each([
    '{"email":"a@b.test","email":"b@b.test","password":"x"}',
    '{"email":"a@b.test","email":"a@b.test","password":"x"}',
    '{"email":"a@b.test","em\\u0061il":"b@b.test","password":"x"}',
    '{"email":"a@b.test","password":"x","more":[{"deep":[{"a":1,"a":2}]}]}',
    '{"email":"a@b.test","password":"x","__proto__":1,"__proto__":2}',
  ])('says nothing twice: %s is refused', async (body) => {
    const { status, error } = await send(body)
    expect([status, error.code]).toEqual([400, 'request.malformedJson'])
    expect(error.error).toBe('The body has an object with the same key twice.')
  })

  it('may have the same key in different objects, and colons in its texts', async () => {
    const password = 'a:b \\": :'
    expect((await send(login().replace('"x"', `"${password}"`))).status).toBe(UNDERSTOOD)
    const { error } = await send(login().replace('{', '{"other":[{"a":{"a":1}},{"a":2}],'))
    expect([error.code, error.field]).toEqual(['request.invalid', 'other'])
  })

  it.each([
    ['{"email":"a@b.test","password":"x","remember":true}', 'remember'],
    ['{"email":"a@b.test","password":"x","":1}', ''],
    ['{"email":"a@b.test","password":"x","a.b":1}', 'a.b'],
    ['{"email":"a@b.test","password":"x","Email":"b@b.test"}', 'Email'],
    ['{"email":"a@b.test","password":"x","__proto__":{"admin":true}}', '__proto__'],
  ])('has no keys that nobody asked for: %s', async (body, field) => {
    const { status, error } = await send(body)
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })

  it.each(['1e309', '-1e309', '1e-400', '123456789012345678901234567890', '-0'])(
    'may hold the number %s without harm',
    async (number) => {
      const { status, error } = await send(`{"email":${number},"password":"x"}`)
      expect([status, error.field]).toEqual([400, 'email'])
    },
  )
})
