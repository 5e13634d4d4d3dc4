import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isPublicAddress } from '../../domain/addresses.ts'
import { logEvent } from '../../platform/logger.ts'

// The service checks how an address is spelled. To which address a name resolves is known only here, when a connection is made.

type Found = (error: Error | null, address?: string | LookupAddress[], family?: number) => void
type Lookup = (name: string, options: LookupOptions, found: Found) => void
type Resolve = (
  name: string,
  options: LookupOptions & { all: true },
  found: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A look-up of names that finds only public addresses.
 * @param isAllowed true where the operator allows any address
 */
export const publicLookup =
  (isAllowed: boolean, resolve: Resolve = lookup): Lookup =>
  (name, options, found) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const isRefused = !isAllowed && !addresses?.every(({ address }) => isPublicAddress(address))
      if (error ?? isRefused) {
        found(error ?? new Error('The name resolves to an address that is not public.'))
      } else if (options.all) {
        found(null, addresses)
      } else {
        found(null, addresses[0]?.address, addresses[0]?.family)
      }
    })
  }

/** The place where the `fetch` of Node finds what makes its connections. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

type Options =
  | { connect: { lookup: Lookup } }
  /** Makes what connects to one origin. */
  | { factory: (origin: string | URL) => unknown }
type Dispatcher = new (options: Options) => { constructor: Dispatcher }

/** `host:port` of an origin. */
function hostOf(origin: string | URL): string {
  const { protocol, hostname, port } = new URL(origin)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/**
 * Has every `fetch` of this process look names up so.
 * @param allowed `host:port` of what may be called wherever it is, separated by commas
 */
export function fetchFromPublic(allowed = ''): void {
  const places = globalThis as unknown as Record<symbol, { constructor: Dispatcher } | undefined>
  // Whatever is asked for first of what comes with `fetch` makes it.
  void globalThis.Response
  const OfNode = places[DISPATCHER]?.constructor
  if (!OfNode) {
    logEvent('error', 'outbound.namesUnchecked', { node: process.version })
    return
  }
  const hosts = allowed.split(',').map((host) => host.trim().toLowerCase())
  // A look-up is not told the port, so each origin has its own.
  const factory = (origin: string | URL) =>
    new OfNode({ connect: { lookup: publicLookup(hosts.includes(hostOf(origin))) } })
  places[DISPATCHER] = new OfNode({ factory })
}
