import type { Context } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { type Policy, policyInForce } from './policy.queries.ts'

export async function getRegistrationPolicy(ctx: Context): Promise<Policy> {
  const [[policy]] = await read(ctx, policyInForce(ctx))
  if (!policy) {
    throw new Error('findPolicy: the database did not answer')
  }
  return policy
}
