/** Fresh secrets for one run of the service, in the shape of `.dev.vars`. */
export async function testSecrets(): Promise<
  Record<'JWT_KEYS' | 'APP_SECRET' | 'ENCRYPTION_KEYS', string>
> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return {
    JWT_KEYS: JSON.stringify({ keys: [{ ...jwk, kid: 'test' }] }),
    APP_SECRET: randomKey(),
    ENCRYPTION_KEYS: JSON.stringify([{ id: 'test', key: randomKey() }]),
  }
}

const randomKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
