/** The reason a URL must not be called. */
type Refusal = 'malformed' | 'scheme' | 'credentials' | 'port' | 'host'

type Target = { url: URL } | { refused: Refusal }

const MAX_URL = 2048
const MAX_HOST = 253

/**
 * Judges a URL that somebody gave us to call: https to the public internet on port 443, and nothing that
 * leads to the machine or the network that we run in.
 *
 * The URL is parsed here, once; whoever calls it must use the parsed one, so that both mean the same host.
 * What a name resolves to is not known here: see docs/operators/outbound.md.
 *
 * @param allowed `host:port` that may be called all the same; on loopback without TLS, too
 */
export function outboundTarget(text: string, allowed: readonly string[]): Target {
  const url = text.length > MAX_URL || UNCLEAN.test(text) ? null : URL.parse(text)
  if (!url) {
    return { refused: 'malformed' }
  }
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port
  const refused = refusalOf(url, allowed.includes(`${url.hostname}:${port}`))
  return refused === undefined ? { url } : { refused }
}

/** A parser drops or bends these; what is meant by them is never good. */
const UNCLEAN = /[\s\\\p{Cc}]/u

const DEFAULT_PORTS: Record<string, string> = { 'https:': '443', 'http:': '80' }

function refusalOf(url: URL, isAllowed: boolean): Refusal | undefined {
  const isPlainLoopback = isAllowed && url.protocol === 'http:' && isLoopback(url.hostname)
  if (url.protocol !== 'https:' && !isPlainLoopback) {
    return 'scheme'
  }
  if (url.username !== '' || url.password !== '') {
    return 'credentials'
  }
  if (isAllowed) {
    return undefined
  }
  if (url.port !== '') {
    return 'port'
  }
  return isPublicHost(url.hostname) ? undefined : 'host'
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127\.[\d.]+$/.test(host)

/**
 * True if a host, as the URL parser spells it, is on the public internet as far as its spelling tells. That parser
 * has folded every form of IPv4 (decimal, octal, hex, short, full-width) to a dotted quad.
 */
function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) {
    return isGlobalV6(host.slice(1, -1))
  }
  return /^[\d.]+$/.test(host) ? isGlobalV4(host) : isPublicName(host)
}

/** True if an address that a name resolves to is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const host = address.includes(':') ? `[${address.replace(/%.*$/, '')}]` : address
  const url = URL.parse(`https://${host}`)
  return url !== null && isPublicHost(url.hostname)
}

/** Top-level names of private networks: RFC 6761, 6762 appendix G, 8375, and ICANN's `internal`. */
const PRIVATE_NAMES = new Set([
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
  'test',
])

/** Two labels at least, and no dot at the end: those would be looked up in the network's own names. */
function isPublicName(host: string): boolean {
  return (
    host.length <= MAX_HOST &&
    /^[\w-]{1,63}(\.[\w-]{1,63})+$/.test(host) &&
    !PRIVATE_NAMES.has(host.slice(host.lastIndexOf('.') + 1))
  )
}

interface Block {
  first: bigint
  /** Bits of an address that the block leaves open. */
  open: bigint
}

const isIn = (address: bigint, { first, open }: Block) => address >> open === first >> open

function numberOfV4(address: string): bigint {
  return address.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n)
}

/**
 * Reads an address in the URL parser's spelling: lower-case groups, the longest run of zeros as `::`, no dotted quad.
 */
function numberOfV6(address: string): bigint {
  const groups = address.split(':').filter((group) => group !== '')
  const full = address.replace('::', `:${'0:'.repeat(8 - groups.length)}`)
  return full
    .split(':')
    .filter((group) => group !== '')
    .reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n)
}

const v4 = (address: string, bits: number): Block => ({
  first: numberOfV4(address),
  open: BigInt(32 - bits),
})
const v6 = (address: string, bits: number): Block => ({
  first: numberOfV6(address),
  open: BigInt(128 - bits),
})

/** IANA's special-purpose registry, multicast and what is reserved. */
const SPECIAL_V4 = [
  v4('0.0.0.0', 8),
  v4('10.0.0.0', 8),
  v4('100.64.0.0', 10),
  v4('127.0.0.0', 8),
  v4('169.254.0.0', 16),
  v4('172.16.0.0', 12),
  v4('192.0.0.0', 24),
  v4('192.0.2.0', 24),
  v4('192.88.99.0', 24),
  v4('192.168.0.0', 16),
  v4('198.18.0.0', 15),
  v4('198.51.100.0', 24),
  v4('203.0.113.0', 24),
  v4('224.0.0.0', 3),
]

/** The only part of IPv6 in use as global unicast. Mapped IPv4 and NAT64 lie outside of it. */
const GLOBAL_V6 = v6('2000::', 3)

/** Within it: protocol assignments with Teredo, documentation, and 6to4. */
const SPECIAL_V6 = [v6('2001::', 23), v6('2001:db8::', 32), v6('2002::', 16), v6('3fff::', 20)]

/** Interface identifiers of ISATAP, which carry an IPv4 address in any network. */
const ISATAP = [0x5efen, 0x0200_5efen]

function isGlobalV4(address: string): boolean {
  const number = numberOfV4(address)
  return !SPECIAL_V4.some((block) => isIn(number, block))
}

function isGlobalV6(address: string): boolean {
  const number = numberOfV6(address)
  const identifier = (number >> 32n) & 0xffff_ffffn
  return (
    isIn(number, GLOBAL_V6) &&
    !SPECIAL_V6.some((block) => isIn(number, block)) &&
    !ISATAP.includes(identifier)
  )
}

/** IPv4 within IPv6: as sockets for both show it, and as translators (NAT64) do. */
const V4_IN_V6 = [v6('::ffff:0:0', 96), v6('64:ff9b::', 96)]

/**
 * The bits of an IPv6 address that are the network: providers give a household 56 of them, or more room (RFC 6177).
 */
const NETWORK_BITS = 56

/**
 * Returns the key under which an address is counted. A holder of one IPv6 address has 2^64 others, so IPv6 is counted
 * by network, however the address is spelt, and IPv4 by address. A text that is no address is returned unchanged.
 */
export function networkOf(address: string): string {
  const host = `[${address.trim().replace(/%.*$/, '')}]`
  const url = address.includes(':') ? URL.parse(`http://${host}`) : null
  if (!url) {
    return address
  }
  const number = numberOfV6(url.hostname.slice(1, -1))
  if (V4_IN_V6.some((block) => isIn(number, block))) {
    return [24n, 16n, 8n, 0n].map((bits) => (number >> bits) & 255n).join('.')
  }
  return `${(number >> BigInt(128 - NETWORK_BITS)).toString(16)}/${NETWORK_BITS}`
}
