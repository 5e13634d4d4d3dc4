import { outboundTarget } from '../../domain/addresses.ts'
import { AppError } from '../../domain/errors.ts'
import type { Settings } from '../../env.ts'
import type { Context } from '../context.ts'
import { logEvent } from '../logger.ts'
import { outboundErrors } from '../platform.errors.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

export interface OutboundRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** For what is known to be larger than most answers. */
  maxBytes?: number
  timeoutMs?: number
  /** Set where the status alone counts: any is given, also of a redirect, and nothing of the body is read. */
  statusOnly?: true
}

/**
 * The one place that calls out. Only public https addresses (or OUTBOUND_ALLOW), no redirects, 10 seconds in
 * all and 64 KiB of answer unless the caller sets other limits; any status but 3xx is the caller's to judge. The
 * answer is complete: nothing of it is still under way.
 * @throws AppError `outbound.refusedAddress` before anything is sent, `outbound.failed` for all else; neither
 *   tells what the other side said
 */
export async function fetchOutbound(
  ctx: Pick<Context, 'settings' | 'requestId'>,
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
    maxBytes = MAX_BYTES,
    timeoutMs = TIMEOUT_MS,
    statusOnly,
  }: OutboundRequest = {},
): Promise<Response> {
  tellOfAllowed(ctx.settings)
  const target = outboundTarget(address, ctx.settings.outboundAllow)
  if ('refused' in target) {
    throw outboundErrors.refusedAddress()
  }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(target.url.href, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal,
    })
    return await (statusOnly ? withoutBody(response) : completed(response, maxBytes))
  } catch (cause) {
    const reason = signal.aborted ? 'timeout' : reasonOf(cause)
    const { requestId } = ctx
    logEvent('error', 'outbound.failed', { requestId, host: target.url.host, reason })
    throw outboundErrors.failed({ cause, retryAfter: 30 })
  }
}

/** Why a call failed, of the error that it threw; undefined for other errors. */
export function failureOf(error: unknown): 'refusedAddress' | 'timeout' | 'network' | undefined {
  if (!(error instanceof AppError) || !error.code.startsWith('outbound.')) {
    return undefined
  }
  return error.code === 'outbound.refusedAddress'
    ? 'refusedAddress'
    : error.cause instanceof Error && error.cause.name === 'TimeoutError'
      ? 'timeout'
      : 'network'
}

async function withoutBody({ status, headers, body }: Response): Promise<Response> {
  await body?.cancel()
  return new Response(null, { status, headers })
}

/** An answer that came but is not taken; the message is for the log. */
class Unusable extends Error {}

const reasonOf = (cause: unknown) => (cause instanceof Unusable ? cause.message : 'network')

async function completed(response: Response, maxBytes: number): Promise<Response> {
  const { status, headers, body } = response
  if (status >= 300 && status < 400) {
    await body?.cancel()
    throw new Unusable('redirect')
  }
  const bytes = body && (await readAll(body, maxBytes))
  // Decoded by now, and of another length than on its way.
  const kept = new Headers(headers)
  kept.delete('Content-Encoding')
  kept.delete('Content-Length')
  return new Response(bytes, { status, headers: kept })
}

async function readAll(body: ReadableStream, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) {
      throw new Unusable('tooLarge')
    }
  }
  return Buffer.concat(chunks)
}

const reported = new WeakSet<Settings>()

/** An operator should see once what was opened, in case nobody remembers having done so. */
function tellOfAllowed(settings: Settings): void {
  if (settings.outboundAllow.length > 0 && !reported.has(settings)) {
    reported.add(settings)
    logEvent('info', 'outbound.allowed', { hosts: settings.outboundAllow })
  }
}
