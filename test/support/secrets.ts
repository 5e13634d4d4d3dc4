/** Fresh secrets for one run of the service, in the shape of `.dev.vars`. */
export async function testSecrets(): Promise<{ JWT_KEYS: string; APP_SECRET: string }> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const appSecret = crypto.getRandomValues(new Uint8Array(32))
  return {
    JWT_KEYS: JSON.stringify({ keys: [{ ...jwk, kid: 'test' }] }),
    APP_SECRET: btoa(String.fromCharCode(...appSecret)),
  }
}
