import type { z } from '@hono/zod-openapi'
import { login, beginTotp, confirmTotp } from '../../../src/areas/identity/auth/auth.routes.ts'
import type { TokenResponse } from '../../../src/areas/identity/auth/auth.contract.ts'
import { stepAt, totpOf } from '../../../src/areas/identity/auth/auth.rules.ts'
import { ok, type Principal } from '../../support/api.ts'

export const STEP = 30_000

/** What the app shows so many steps from now. */
export const codeOf = (secret: string, steps = 0): Promise<string> =>
  totpOf(secret, stepAt(Date.now()) + steps)

/** Turns the second factor on with the code of now: the next one that works is of the step after. */
export async function turnMfaOn(
  as: Principal & { password: string },
): Promise<{ secret: string; recoveryCodes: string[]; used: string }> {
  const { secret } = await ok(beginTotp, { as, json: { password: as.password } })
  const used = await codeOf(secret)
  const { recoveryCodes } = await ok(confirmTotp, { as, json: { code: used } })
  return { secret, recoveryCodes, used }
}

/** Signs in where no second factor is on. */
export async function signIn({
  email,
  password,
}: {
  email: string
  password: string
}): Promise<z.infer<typeof TokenResponse>> {
  const answer = await ok(login, { json: { email, password } })
  if (!('accessToken' in answer)) {
    throw new Error('a second factor is asked for')
  }
  return answer
}
