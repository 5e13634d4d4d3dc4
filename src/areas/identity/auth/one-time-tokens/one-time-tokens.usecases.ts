import type { Context } from '../../../../platform/context.ts'
import { sha256Text, toBase64Url } from '../../../../platform/crypto.ts'
import { mailTask } from '../../../../platform/mail.ts'
import type { Statement } from '../../../../platform/statements.ts'
import type { NewTask } from '../../../../platform/task-rows.ts'
import { userStillAt } from '../password/password.queries.ts'
import { insertOneTimeToken } from './one-time-tokens.queries.ts'

const CONFIRMATION_HOURS = 24

/** 256 random bits behind a prefix, and what is stored of them. */
export async function freshToken(
  ctx: Context,
  prefix: string,
): Promise<{ text: string; hash: string }> {
  const text = `${prefix}_${toBase64Url(ctx.ports.random(32))}`
  return { text, hash: sha256Text(text) }
}

/** What a commit needs, behind what gives the user the address, to ask it whether it is its user's. */
export async function confirmationFor(
  ctx: Context,
  { userId, email }: { userId: string; email: string },
): Promise<{ writes: Statement[]; task: NewTask }> {
  const token = await freshToken(ctx, 'emv')
  const template = 'emailVerification'
  const values = { token: token.text, hours: CONFIRMATION_HOURS }
  return {
    writes: insertOneTimeToken(ctx, {
      tokenHash: token.hash,
      purpose: template,
      userId: userStillAt(userId, email),
      lifeMs: CONFIRMATION_HOURS * 60 * 60 * 1000,
    }),
    task: await mailTask(ctx, { to: email, template, values }),
  }
}
