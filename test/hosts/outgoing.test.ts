import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { fetchFromPublic, publicLookup } from '../../src/hosts/node/outgoing.ts'

/** The answer for a name that resolves to these addresses. */
async function foundFor(addresses: string[], { all = true, isAllowed = false } = {}) {
  const resolved = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const resolve = (_: string, __: object, found: (e: null, a: LookupAddress[]) => void) =>
    found(null, resolved)
  return new Promise((done) => {
    publicLookup(isAllowed, resolve)('nas.lan', { all }, (error, found, family) =>
      done(error ? 'refused' : (found ?? family)),
    )
  })
}

it.each([
  ['127.0.0.1', '10.1.2.3', '192.168.1.1', '169.254.169.254', '0.0.0.0', '100.64.0.1'],
  ['::1', 'fe80::1%eth0', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
])('finds no address of the inner network, such as %s', async (...inner) => {
  for (const address of inner) {
    expect(await foundFor([address]), address).toBe('refused')
    expect(await foundFor(['8.8.8.8', address]), address).toBe('refused')
  }
})

it('finds public addresses, and any of what the operator allows', async () => {
  expect(await foundFor(['8.8.8.8', '2606:4700:4700::1111'])).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ])
  expect(await foundFor(['8.8.8.8'], { all: false })).toBe('8.8.8.8')
  expect(await foundFor(['192.168.1.1'], { isAllowed: true })).toEqual([
    { address: '192.168.1.1', family: 4 },
  ])
})

it('is what every fetch of the process asks', async () => {
  const place = Symbol.for('undici.globalDispatcher.1')
  const before: unknown = Reflect.get(globalThis, place)
  const server = createServer((_, response) => response.end('inner'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = (host: string) =>
    fetch(`http://${host}:${port}/`).then(
      (response) => response.text(),
      (error: Error) => (error.cause as Error).message,
    )
  try {
    fetchFromPublic('')
    expect(await ask('localhost')).toBe('The name resolves to an address that is not public.')
    // An address that is written out needs no look-up: its spelling was checked before.
    expect(await ask('127.0.0.1')).toBe('inner')
    fetchFromPublic(` a.example:1 , LOCALHOST:${port}`)
    expect(await ask('localhost')).toBe('inner')
    // Another port of the same name is not allowed.
    fetchFromPublic(`localhost:${port + 1}`)
    expect(await ask('localhost')).toBe('The name resolves to an address that is not public.')
  } finally {
    Reflect.set(globalThis, place, before)
    server.close()
    server.closeAllConnections()
  }
})
