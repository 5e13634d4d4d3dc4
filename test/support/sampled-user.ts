import type { Principal } from './api.ts'
import { type Sample, type Samples, samplesOf } from './samples.ts'
import type { TestUser } from './world.ts'

/** Legs of a journey by way of an identity provider: test/areas/identity-providers/sign-in shows what they do. */
export const LEGS = ['authorizeWithProvider', 'returnFromProvider', 'exchangeProviderCode']

interface Named {
  operationId: string
}

/** A user whose samples may be sent, or spoilt so that they are refused. */
export interface SampledUser {
  /** Whose samples they are: an administrator. */
  me: TestUser
  samples: Samples
  /** The sample of an operation; of a leg, what its path may name. */
  sampleOf: (operation: Named) => Sample
  senderOf: (operation: Named) => Principal
}

export async function newSampledUser(): Promise<SampledUser> {
  const { me, samples } = await samplesOf()
  const ofLegs = { path: samples['getIdentityProvider']?.path ?? {} }
  const sampleOf = ({ operationId }: Named): Sample => samples[operationId] ?? ofLegs
  return { me, samples, sampleOf, senderOf: (operation) => sampleOf(operation).as ?? me }
}
