import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress, networkOf, outboundTarget } from '../../src/domain/addresses.ts'
import { INNER_HOSTS, PUBLIC_URLS } from '../support/addresses.ts'
import { rounds, SEED } from '../support/rounds.ts'

const verdict = (text: string, allowed: string[] = []) => {
  const target = outboundTarget(text, allowed)
  return 'refused' in target ? target.refused : 'ok'
}

describe('an address', () => {
  it.each(PUBLIC_URLS)('may be called: %s', (text) => {
    expect(verdict(text)).toBe('ok')
  })

  it.each(INNER_HOSTS)('must not be called on host %s', (host) => {
    expect(['host', 'malformed']).toContain(verdict(`https://${host}/`))
    expect(verdict(`https://${host}:443/path`)).not.toBe('ok')
  })

  it.each([
    ['nothing', ''],
    ['no URL', 'example.com'],
    ['a path', '/path'],
    ['no host', 'https://'],
    ['an unknown address', 'https://256.0.0.1/'],
    ['too many numbers', 'https://1.2.3.4.5/'],
    ['a zone', 'https://[fe80::1%25eth0]/'],
    ['a zone of a public address', 'https://[2600::1%eth0]/'],
    ['a port too large', 'https://example.com:65536/'],
    ['a backslash', 'https://example.com\\@127.0.0.1/'],
    ['a backslash for a slash', 'https:\\\\example.com/'],
    ['a tab inside', 'https://exam\tple.com/'],
    ['a newline inside', 'https://example.com/\nHost: inner'],
    ['a carriage return inside', 'https://example.com/\r\n'],
    ['a space in front', ' https://example.com/'],
    ['a space inside', 'https://exam ple.com/'],
    ['a NUL', 'https://example.com/\u0000'],
    ['a line separator', 'https://example.com/\u2028'],
    ['a soft hyphen alone', 'https://\u00ad/'],
    ['a very long path', `https://example.com/${'a'.repeat(2048)}`],
    ['an encoded slash in the host', 'https://127.0.0.1%2fexample.com/'],
    ['an encoded NUL in the host', 'https://localhost%00.example.com/'],
  ])('is refused as malformed: %s', (_, text) => {
    expect(verdict(text)).toBe('malformed')
  })

  it.each([
    'http://example.com/',
    'http://localhost/',
    'file:///etc/passwd',
    'file://example.com/etc/passwd',
    'data:text/plain,hello',
    'ftp://example.com/',
    'gopher://example.com/',
    'ws://example.com/',
    'wss://example.com/',
    'javascript:alert(1)',
    'blob:https://example.com/x',
    'mailto:ada@example.com',
    'HTTPSS://example.com/',
  ])('is refused for its scheme: %s', (text) => {
    expect(verdict(text)).toBe('scheme')
  })

  it.each([
    'https://user@example.com/',
    'https://user:word@example.com/',
    'https://:word@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example.com:443@127.0.0.1/',
    'https://127.0.0.1@example.com/',
    'https://a%40b@example.com/',
  ])('is refused for its credentials: %s', (text) => {
    expect(verdict(text)).toBe('credentials')
  })

  it.each([0, 1, 22, 25, 80, 6379, 8443, 65_535])('is refused on port %i', (port) => {
    expect(verdict(`https://example.com:${port}/`)).toBe('port')
  })

  it.each([
    ['https://example.com#@127.0.0.1/', 'example.com'],
    ['https://example.com?@127.0.0.1/', 'example.com'],
    ['https://example.com/@127.0.0.1/', 'example.com'],
    ['https:example.com', 'example.com'],
    ['https:///example.com/', 'example.com'],
  ])('is judged by the host that will be called: %s', (text, hostname) => {
    expect(outboundTarget(text, [])).toMatchObject({ url: { hostname } })
  })
})

describe('the list of what is allowed', () => {
  const allowed = ['localhost:9000', '127.0.0.1:9001', '[::1]:9002', 'idp.lan:443', 'idp.lan:8443']

  it.each([
    'http://localhost:9000/',
    'https://localhost:9000/',
    'http://LOCALHOST:9000/path',
    'http://127.0.0.1:9001/',
    'http://2130706433:9001/',
    'http://[::1]:9002/',
    'https://idp.lan/',
    'https://idp.lan:8443/',
  ])('opens %s', (text) => {
    expect(verdict(text, allowed)).toBe('ok')
  })

  it.each([
    ['http://localhost/', 'scheme'],
    ['http://localhost:9001/', 'scheme'],
    ['https://localhost:9001/', 'port'],
    ['https://localhost/', 'host'],
    ['http://127.0.0.2:9001/', 'scheme'],
    ['http://idp.lan:8443/', 'scheme'],
    ['http://idp.lan:443/', 'scheme'],
    ['https://idp.lan:9000/', 'port'],
    ['https://other.lan/', 'host'],
    ['ftp://localhost:9000/', 'scheme'],
    ['http://user@localhost:9000/', 'credentials'],
    ['http://localhost.:9000/', 'scheme'],
    ['http://a.localhost:9000/', 'scheme'],
  ])('does not open %s', (text, refused) => {
    expect(verdict(text, allowed)).toBe(refused)
  })

  it('opens a plain loopback host on the default port of http', () => {
    expect(verdict('http://localhost/', ['localhost:80'])).toBe('ok')
    expect(verdict('http://127.0.0.1.example.com/', ['127.0.0.1.example.com:80'])).toBe('scheme')
  })
})

describe('any address', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  const quad = fc.tuple(octet, octet, octet, octet)
  const group = fc.integer({ min: 0, max: 0xffff })
  const hex = (...values: number[]) => values.map((value) => value.toString(16)).join(':')

  /** The same blocks, said by octets. */
  function isSpecial([a, b, c]: [number, number, number, number]): boolean {
    return (
      [0, 10, 127].includes(a) ||
      a >= 224 ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 192 && b === 0 && (c === 0 || c === 2)) ||
      (a === 192 && b === 88 && c === 99) ||
      (a === 198 && (b === 18 || b === 19)) ||
      (a === 198 && b === 51 && c === 100) ||
      (a === 203 && b === 0 && c === 113)
    )
  }

  /** Octets near the borders of the blocks come up often. */
  const border = fc.oneof(
    quad,
    fc.tuple(
      fc.constantFrom(0, 9, 10, 11, 100, 126, 127, 128, 169, 172, 192, 198, 203, 223, 224, 255),
      fc.constantFrom(0, 1, 15, 16, 18, 19, 20, 31, 32, 51, 63, 64, 88, 127, 128, 168, 254),
      fc.constantFrom(0, 1, 2, 3, 99, 100, 101, 113),
      octet,
    ),
  )

  it('of IPv4 is judged by its octets, however it is spelled', () => {
    fc.assert(
      fc.property(border, (octets) => {
        const [a, b, c, d] = octets
        const number = ((a * 256 + b) * 256 + c) * 256 + d
        const spellings = [
          octets.join('.'),
          String(number),
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `${a}.${(b * 256 + c) * 256 + d}`,
          `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
        ]
        const verdicts = new Set(spellings.map((host) => verdict(`https://${host}/`)))
        expect([...verdicts]).toEqual([isSpecial(octets) ? 'host' : 'ok'])
      }),
      { numRuns: rounds(500, 20_000), seed: SEED },
    )
  })

  it('of IPv4 is refused inside of IPv6, public or not', () => {
    fc.assert(
      fc.property(quad, group, group, ([a, b, c, d], x, y) => {
        const [high, low] = [a * 256 + b, c * 256 + d]
        const hosts = [
          `::ffff:${a}.${b}.${c}.${d}`,
          `::${hex(high, low)}`,
          `64:ff9b::${hex(high, low)}`,
          `64:ff9b:1:${hex(x, y)}::${hex(high, low)}`,
          `2002:${hex(high, low, x)}::${hex(y)}`,
          `2001:0:${hex(x, y, 0, 0, high, low)}`,
          `2a00:${hex(x, y)}::5efe:${hex(high, low)}`,
          `2a00:${hex(x, y)}::200:5efe:${hex(high, low)}`,
        ]
        for (const host of hosts) {
          expect(verdict(`https://[${host}]/`), host).toBe('host')
        }
      }),
    )
  })

  it('of IPv6 outside of global unicast is refused', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0, second = 0] = groups
        const isGlobal =
          first >= 0x2000 &&
          first < 0x4000 &&
          first !== 0x2002 &&
          !(first === 0x2001 && (second < 0x200 || second === 0xdb8)) &&
          !(first === 0x3fff && second < 0x1000) &&
          !(groups[5] === 0x5efe && [0, 0x200].includes(groups[4] ?? 0))
        expect(verdict(`https://[${hex(...groups)}]/`)).toBe(isGlobal ? 'ok' : 'host')
      }),
      { numRuns: rounds(500, 20_000), seed: SEED },
    )
  })

  it('that passes is https on port 443, without credentials, and parses to itself', () => {
    const urlParts = fc.tuple(
      fc.constantFrom('http://', 'https://', 'https://', 'ftp://'),
      fc.constantFrom('', '', '', 'user@', 'user:word@', '@'),
      fc.oneof(fc.domain(), fc.domain(), fc.ipV4Extended()),
      fc.constantFrom('', '', '', ':443', ':80', ':'),
      fc.constantFrom('', '/', '?', '#'),
      fc.string(),
    )
    const text = fc.oneof(
      fc.string(),
      // Not of fc.webUrl, which takes most of a second to build.
      urlParts.map((parts) => parts.join('')),
      fc.string().map((host) => `https://${host}`),
      fc.constantFrom(...INNER_HOSTS, ...PUBLIC_URLS).map((part) => `https://${part}`),
    )
    fc.assert(
      fc.property(text, (given) => {
        const target = outboundTarget(given, [])
        if ('url' in target) {
          const { protocol, port, username, password, href } = target.url
          expect([protocol, port, username, password]).toEqual(['https:', '', '', ''])
          expect(verdict(href)).toBe('ok')
        }
      }),
      { numRuns: rounds(500, 20_000), seed: SEED },
    )
  })
})

describe('the network of an address', () => {
  it.each([
    ['2001:db8:1:100::1', '2001:0DB8:0001:01ff:ffff:ffff:ffff:ffff'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['::1', '::2'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
  ])('is the same of %s and %s', (one, other) => {
    expect(networkOf(one)).toBe(networkOf(other))
  })

  it.each([
    ['2001:db8:1:100::1', '2001:db8:1:200::1'],
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.2'],
    ['64:ff9b:1::1', '64:ff9b::1'],
    ['a:b', 'a:c'],
    ['unknown', ''],
  ])('is another one of %s and %s', (one, other) => {
    expect(networkOf(one)).not.toBe(networkOf(other))
  })
})

it.each([
  ['93.184.215.14', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['127.0.0.1', false],
  ['10.0.0.5', false],
  ['::1', false],
  ['fe80::1%eth0', false],
  ['::ffff:127.0.0.1', false],
  ['not an address', false],
])('a name may resolve to %s: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})
