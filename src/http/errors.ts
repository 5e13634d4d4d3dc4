import type { Context as HonoContext, ErrorHandler, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { AppError, type ErrorDetail, STATUS_OF } from '../domain/errors.ts'
import { checkAccess } from '../platform/database/database.ts'
import { Replay } from '../platform/database/idempotency.ts'
import { serviceErrors } from '../platform/platform.errors.ts'
import { logFailure } from '../platform/logger.ts'
import { sendJson } from './answer.ts'
import { BODY_CAP } from './body.ts'
import type { AppEnv } from './env.ts'
import { MOST_ISSUES, tellsIssues } from './issues.ts'
import { methodsOf } from './registry.ts'
import { requestErrors } from './request.errors.ts'

/** Every error, whoever threw it, leaves in the one flat shape. */
export const onError: ErrorHandler<AppEnv> = async (error, c) => {
  if (error instanceof Replay) {
    c.header('Idempotency-Replayed', 'true')
    const { version } = JSON.parse(error.body) as { version?: unknown }
    return sendJson(c, error.status as ContentfulStatusCode, error.body, version)
  }
  const answered = await accessFirst(c, normalise(error))
  // Also why a store cannot serve: its operator has to do something about a full disk.
  if (answered.kind === 'internal' || (answered.kind === 'unavailable' && answered.cause)) {
    logFailure(c.var.request.id, answered)
  }
  return sendError(c, answered)
}

/** Unknown path: 404. Known path, other method: 405 with what it allows. */
export const onNotFound: NotFoundHandler<AppEnv> = (c) => {
  const methods = methodsOf(c.req.path)
  if (methods.length === 0) {
    return sendError(c, requestErrors.unknownRoute())
  }
  const allowed = methods.join(', ')
  c.header('Allow', allowed)
  return sendError(c, requestErrors.methodNotAllowed({ method: c.req.method, allowed }))
}

function sendError(c: HonoContext<AppEnv>, error: AppError): Response {
  if (error.retryAfter !== undefined) {
    c.header('Retry-After', String(error.retryAfter))
  }
  if (error.location !== undefined) {
    c.header('Location', error.location)
  }
  const challenge = challengeOf(error)
  if (challenge !== undefined) {
    c.header('WWW-Authenticate', challenge)
  }
  return c.json(
    {
      error: error.message,
      code: error.code,
      requestId: c.var.request.id,
      ...(error.field === undefined ? {} : { field: error.field }),
      ...(error.kind === 'invalid' && error.issues.length > 0 && tellsIssues(c.req.path)
        ? { issues: error.issues.slice(0, MOST_ISSUES) }
        : {}),
    },
    STATUS_OF[error.kind],
  )
}

/**
 * The names of this service's error codes in a challenge (RFC 6750, 3.1). Callers who sent no token get no error.
 */
const CHALLENGES: Record<string, string> = {
  'auth.tokenExpired': 'invalid_token',
  'auth.tokenInvalid': 'invalid_token',
  'auth.forbidden': 'insufficient_scope',
}

function challengeOf({ kind, code, message }: AppError): string | undefined {
  const name = CHALLENGES[code]
  if (name !== undefined) {
    return `Bearer error="${name}", error_description="${message}"`
  }
  return kind === 'unauthenticated' ? 'Bearer' : undefined
}

/**
 * Checks the session before another error is answered, so that the answer to a dead session does not depend on the
 * rest of the request. Callers over a limit are not looked up, because the limit exists to save that work.
 */
async function accessFirst(c: HonoContext<AppEnv>, error: AppError): Promise<AppError> {
  const { ctx } = c.var
  const isAccess = error.kind === 'unauthenticated' || error.kind === 'limited'
  if (!ctx?.caller || ctx.caller.profile || isAccess) {
    return error
  }
  try {
    delete ctx.repeatable
    await checkAccess(ctx)
    return error
  } catch (refused) {
    return normalise(refused)
  }
}

/** The errors that Hono itself raises. */
const REFUSAL_OF_STATUS: Partial<Record<number, (detail: ErrorDetail) => AppError>> = {
  413: (detail) => requestErrors.tooLarge({ most: BODY_CAP }, detail),
  415: requestErrors.unsupportedMediaType,
}

function normalise(error: unknown): AppError {
  if (error instanceof AppError) {
    return error
  }
  if (error instanceof HTTPException) {
    const refusal = REFUSAL_OF_STATUS[error.status] ?? requestErrors.malformed
    return refusal({ cause: error })
  }
  return serviceErrors.failed({ cause: error })
}
