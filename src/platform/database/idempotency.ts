import { type SQL, sql } from 'drizzle-orm'
import type { Context, Repeatable } from '../context.ts'
import { mac, macText, seal, unseal } from '../secrets/crypto.ts'
import { repetitionErrors } from '../platform.errors.ts'

/** An answer can be repeated for this time. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** The greatest length of a sealed answer: a row of the database has room for 2 MB. */
const MOST_KEPT = 1_900_000

/** Thrown by a read when the request was answered before; the http layer sends the answer again. */
export class Replay extends Error {
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super('answered before')
    this.status = status
    this.body = body
  }
}

export interface StoredAnswer {
  fingerprint: string
  status: number
  sealed_answer: string
}

/**
 * One key per user and operation: the same word from another user or for another route is another key. A
 * personal access token may see less than its owner, so its keys are its own. Where nobody is signed in, who
 * asks is known by the body alone: with another body it is another key.
 */
const scoped = (ctx: Context, repeatable: Repeatable) =>
  [
    ctx.caller?.tokenHash ?? ctx.caller?.userId ?? `public ${fingerprint(ctx, repeatable)}`,
    ctx.operation,
    repeatable.key,
  ].join('\n')

const keyHash = (ctx: Context, repeatable: Repeatable) =>
  macText(ctx.settings.appSecret, 'idempotency-key', scoped(ctx, repeatable))

const fingerprint = (ctx: Context, repeatable: Repeatable) =>
  macText(ctx.settings.appSecret, 'idempotency-body', repeatable.body)

// The stored answer may hold tokens. Its key needs the client's own word, which is stored only hashed.
const sealKey = (ctx: Context, repeatable: Repeatable) =>
  mac(ctx.settings.appSecret, 'idempotency-seal', scoped(ctx, repeatable))

export function lookupStatement(ctx: Context, repeatable: Repeatable): D1PreparedStatement {
  return ctx.database
    .prepare(
      'SELECT fingerprint, status, sealed_answer FROM idempotency_keys WHERE key_hash = ?1 AND expires_at > ?2',
    )
    .bind(keyHash(ctx, repeatable), ctx.now)
}

/** True if no answer to this very request is stored, for statements in front of the lookup. */
export const isNotAnswered = (ctx: Context): SQL =>
  ctx.repeatable
    ? sql`NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE key_hash = ${keyHash(ctx, ctx.repeatable)}
        AND expires_at > ${ctx.now})`
    : sql`TRUE`

/** The statements that keep the answer; the primary key is the lock against a parallel twin. */
export async function keepStatements(
  ctx: Context,
  repeatable: Repeatable,
  result: unknown,
): Promise<D1PreparedStatement[]> {
  const { status, body } = repeatable.answer(result)
  const hash = keyHash(ctx, repeatable)
  const sealed = await seal(sealKey(ctx, repeatable), ctx.ports.random(12), body)
  if (sealed.length > MOST_KEPT) {
    throw repetitionErrors.answerTooLarge()
  }
  return [
    ctx.database
      .prepare('DELETE FROM idempotency_keys WHERE key_hash = ?1 AND expires_at <= ?2')
      .bind(hash, ctx.now),
    ctx.database
      .prepare(
        'INSERT INTO idempotency_keys (key_hash, fingerprint, status, sealed_answer, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)',
      )
      .bind(hash, fingerprint(ctx, repeatable), status, sealed, ctx.now + KEPT_MS),
  ]
}

/** The `Replay` of a stored answer. Throws 409 when the key came with another body. */
export async function replayOf(
  ctx: Context,
  repeatable: Repeatable,
  stored: StoredAnswer,
): Promise<Replay> {
  if (stored.fingerprint !== fingerprint(ctx, repeatable)) {
    throw repetitionErrors.mismatch()
  }
  return new Replay(stored.status, await unseal(sealKey(ctx, repeatable), stored.sealed_answer))
}
