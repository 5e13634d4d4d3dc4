import { z } from '@hono/zod-openapi'
import { accepts } from 'hono/accepts'
import type { Context as HonoContext } from 'hono'
import type { SignedIn } from '../platform/context.ts'
import { answer } from './answer.ts'
import type { AppEnv } from './env.ts'
import { dispositionOf } from './files.ts'

// Answers that are JSON, or a table where `Accept` prefers one.

const TABLE = 'text/csv'

/** An answer that is JSON, or CSV. */
export const jsonOrTable = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description: `${description}; a table where Accept prefers text/csv`,
  content: {
    'application/json': { schema },
    [TABLE]: { schema: z.string().openapi({ description: 'CSV (RFC 4180), UTF-8.' }) },
  },
})

/** `answer`, or a table to save. */
export async function answerJsonOrTable<Result, const Body extends object>(
  c: HonoContext<AppEnv>,
  present: (result: Result) => Body,
  table: { fileName: string; of: (result: Result) => string },
  run: (ctx: SignedIn) => Promise<Result>,
) {
  c.header('Vary', 'Accept', { append: true })
  const wanted = accepts(c, {
    header: 'Accept',
    supports: ['application/json', TABLE],
    default: 'application/json',
  })
  if (wanted !== TABLE) {
    return answer(c, 200, present, run)
  }
  const { ctx } = c.var
  if (!ctx?.caller) {
    throw new Error('answerJsonOrTable is for routes that need a permission')
  }
  const text = table.of(await run(ctx as SignedIn))
  return c.body(text, 200, {
    'Content-Type': `${TABLE}; charset=utf-8`,
    'Content-Disposition': dispositionOf(table.fileName),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  }) as never
}
