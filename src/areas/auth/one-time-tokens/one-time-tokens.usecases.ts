import type { Context } from '../../../platform/context.ts'
import { sha256Text, toBase64Url } from '../../../platform/crypto.ts'

/** 256 random bits behind a prefix, and what is stored of them. */
export async function freshToken(
  ctx: Context,
  prefix: string,
): Promise<{ text: string; hash: string }> {
  const text = `${prefix}_${toBase64Url(ctx.ports.random(32))}`
  return { text, hash: await sha256Text(text) }
}
