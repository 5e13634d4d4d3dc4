/**
 * `npm run --silent keys:rotate [JWT_KEYS | ENCRYPTION_KEYS]`: prints the secret with a fresh first key. The
 * value until now is read from the environment, else from the data folder; nothing is written.
 */
import {
  freshEncryptionKey,
  freshSigningKey,
  secretsFile,
  storedSecrets,
} from '../src/hosts/node/secrets.ts'
import { dataFolder } from './lib/project.ts'

const rotations: Record<string, (old: string) => Promise<unknown>> = {
  /** The key that signed until now still verifies, which its public half is enough for. */
  JWT_KEYS: async (old) => {
    const { keys } = JSON.parse(old) as { keys: JsonWebKey[] }
    const retired = keys.slice(0, 1).map(({ d: _, ...publicHalf }) => publicHalf)
    return { keys: [await freshSigningKey(), ...retired] }
  },
  /** All keys stay: records are sealed under them until `npm run secrets:reseal` has run. */
  ENCRYPTION_KEYS: async (old) => [freshEncryptionKey(), ...(JSON.parse(old) as object[])],
}

const name = process.argv[2] ?? 'JWT_KEYS'
const rotate = rotations[name]
const old = process.env[name] ?? storedSecrets(dataFolder())[name]
if (!rotate || !old) {
  console.error(
    rotate
      ? `${name} is neither in the environment nor in ${secretsFile(dataFolder())}.`
      : `Only ${Object.keys(rotations).join(' and ')} can be rotated.`,
  )
  process.exit(1)
}
console.log(JSON.stringify(await rotate(old)))
