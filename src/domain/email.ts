// E-mail addresses, for every way in: registration, sign-in, administration, invitations, shares and providers.

const MOST_LENGTH = 254
const MOST_LOCAL = 64

/** RFC 5322's dot-atom, in ASCII: what is before the @ is not normalised, as letters that look equal may differ there. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/** The address with its domain as the DNS spells it; undefined when it is none. */
export function parseEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = /\s/.test(text) ? undefined : domainOf(text.slice(at + 1))
  const email = `${local}@${domain}`
  return domain !== undefined &&
    local.length <= MOST_LOCAL &&
    LOCAL.test(local) &&
    email.length <= MOST_LENGTH
    ? email
    : undefined
}

/** The key under which an address is unique: case does not count. A part of an address gives a part of its key. */
export const addressKey = (text: string): string =>
  (parseEmail(text) ?? text).normalize('NFKC').toLowerCase().normalize('NFKC').trim()

export const isSameAddress = (one: string, other: string): boolean =>
  addressKey(one) === addressKey(other)

/** Characters that a URL parser would take for the end or the start of a host, or drop. */
const NOT_OF_A_DOMAIN = /[\s\p{Cc}/\\?#@:%[\]]/u

/** A domain as the DNS spells it, lower case and A-labels; undefined when it is none. */
export function domainOf(text: string): string | undefined {
  // `URL.canParse` lets hosts of more than 16 kB pass that the parser refuses.
  const url = NOT_OF_A_DOMAIN.test(text.trim()) ? null : URL.parse(`https://${text.trim()}`)
  if (!url) {
    return undefined
  }
  const { hostname } = url
  const isName = /^[a-z0-9]([\w-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/.test(
    hostname,
  )
  return isName && hostname.length <= 253 && !/\.\d+$/.test(hostname) ? hostname : undefined
}

/** The domain of an address as the DNS spells it, whatever is before the @. */
export const domainOfEmail = (email: string): string | undefined =>
  email.includes('@') ? domainOf(email.slice(email.lastIndexOf('@') + 1)) : undefined
