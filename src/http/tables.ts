import { z } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import type { SignedIn } from '../platform/context.ts'
import type { AppEnv } from './env.ts'
import { dispositionOf } from './files.ts'

// Tables have paths of their own, which end in `.csv`: an answer of one status has one media type, so that clients can type it.

const TABLE = 'text/csv'

/** An answer that is a table. */
export const csv = (description: string) => ({
  description,
  content: { [TABLE]: { schema: z.string().openapi({ description: 'CSV (RFC 4180), UTF-8.' }) } },
})

/** Answers with a table to save instead of JSON. */
export async function answerTable<Result>(
  c: HonoContext<AppEnv>,
  table: { fileName: string; of: (result: Result, ctx: SignedIn) => string },
  run: (ctx: SignedIn) => Promise<Result>,
) {
  const { ctx } = c.var
  if (!ctx?.caller) {
    throw new Error('answerTable is for routes that need a permission')
  }
  const text = table.of(await run(ctx as SignedIn), ctx as SignedIn)
  return c.body(text, 200, {
    'Content-Type': `${TABLE}; charset=utf-8`,
    'Content-Disposition': dispositionOf(table.fileName),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  }) as never
}
