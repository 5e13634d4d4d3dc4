/**
 * What the service's code finds in a build for Workers and Node 24 lacks. Import it ahead of anything
 * from `src/`.
 */

type Options = { alphabet?: 'base64' | 'base64url' }

Object.assign(globalThis, { __DEV_BUILD__: true })

if (!('toBase64' in Uint8Array.prototype)) {
  Object.assign(Uint8Array.prototype, {
    toBase64(this: Uint8Array, { alphabet = 'base64' }: Options = {}) {
      return Buffer.from(this).toString(alphabet)
    },
  })
  Object.assign(Uint8Array, {
    fromBase64: (text: string, { alphabet = 'base64' }: Options = {}) =>
      new Uint8Array(Buffer.from(text, alphabet)),
  })
}
