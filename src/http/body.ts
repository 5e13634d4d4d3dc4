import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { AppError } from '../domain/errors.ts'
import { isWellFormedText } from '../domain/text.ts'
import type { AppEnv } from './env.ts'
import { requestErrors as errors } from './request.errors.ts'

export const BODY_CAP = 1024 * 1024
export const NESTING_CAP = 64

const malformed = (reason: string) => errors.malformedJson({ reason })

/**
 * Reads, bounds and checks a JSON body before any schema sees it.
 * @param isOptional whether a request can leave out the body, which is then read as `{}`
 */
export const jsonBody =
  ({ isOptional }: { isOptional: () => boolean }): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
    if (mediaType === undefined ? !isOptional() : mediaType !== 'application/json') {
      throw errors.unsupportedMediaType()
    }
    const bytes = await readBytes(c)
    const isMissing = bytes.byteLength === 0 && isOptional()
    if (mediaType === undefined && !isMissing) {
      throw errors.unsupportedMediaType()
    }
    const text = isMissing ? '{}' : decode(bytes)
    const members = countMembers(text)
    const body = parse(text)
    if (checkStrings(body) < members) {
      throw malformed('has an object with the same key twice')
    }
    c.set('bodyText', text)
    // The stream is spent; the validator asks for its body here, and whether there is one.
    c.req.json = <Body>() => Promise.resolve(body as Body)
    c.req.arrayBuffer = () => Promise.resolve(new Uint8Array(bytes).buffer)
    await next()
  }

/** The most bytes that are read of a body where none is taken. */
const MOST_OF_NOTHING = 64

/**
 * Refuses a body where none is taken: what it asks for would be ignored. An empty object asks for nothing.
 * @param inQuery the parameters that the operation takes instead
 */
export const noBody =
  (inQuery: string[]): MiddlewareHandler<AppEnv> =>
  async ({ req }, next) => {
    const how =
      inQuery.length === 0
        ? 'Send the request without one.'
        : `It takes ${inQuery.join(', ')} in the query.`
    const refused = () => errors.bodyNotTaken({ how })
    if (Number(req.header('Content-Length') ?? 0) > MOST_OF_NOTHING) {
      throw refused()
    }
    const bytes = await whole(readCounted(req.raw.body, MOST_OF_NOTHING, refused))
    if (!/^\s*(?:\{\s*\})?\s*$/.test(new TextDecoder().decode(bytes))) {
      throw refused()
    }
    await next()
  }

const tooLarge = () => errors.tooLarge({ most: BODY_CAP })

/** A body over the cap is never held whole: by its length it is not read, without one it is counted. */
async function readBytes({ req }: HonoContext<AppEnv>): Promise<ArrayBuffer | Uint8Array> {
  const length = req.header('Content-Length')
  if (Number(length ?? 0) > BODY_CAP) {
    throw tooLarge()
  }
  return whole<ArrayBuffer | Uint8Array>(
    length === undefined ? readCounted(req.raw.body, BODY_CAP, tooLarge) : req.raw.arrayBuffer(),
  )
}

/** Turns a failure to read a body into an error of the caller: the connection or its content broke. */
const whole = <Bytes>(reading: Promise<Bytes>): Promise<Bytes> =>
  reading.catch((error: unknown) => {
    throw error instanceof AppError ? error : errors.truncatedBody()
  })

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw malformed('is not well-formed UTF-8')
  }
}

async function readCounted(
  stream: ReadableStream<Uint8Array> | null,
  most: number,
  refused: () => AppError,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > most) {
      throw refused()
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Before parsing, as a parser recurses: bounds the brackets outside strings, in one pass. Of JSON its colons
 * there are as many as its objects have members, repeated keys included.
 */
function countMembers(text: string): number {
  let depth = 0
  let colons = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') {
        at++
      } else if (character === '"') {
        inString = false
      }
    } else if (character === '"') {
      inString = true
    } else if (character === '{' || character === '[') {
      depth++
      if (depth > NESTING_CAP) {
        throw malformed(`is nested deeper than ${NESTING_CAP} levels`)
      }
    } else if (character === '}' || character === ']') {
      depth--
    } else if (character === ':') {
      colons++
    }
  }
  return colons
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('is not valid JSON')
  }
}

/**
 * Refuses NUL and lone surrogates in any key or value: the database would change them silently. Gives how many
 * members the objects have: fewer than were written when a later one took the place of an earlier.
 */
function checkStrings(value: unknown): number {
  if (typeof value === 'string') {
    if (!isWellFormedText(value)) {
      throw errors.malformedText()
    }
    return 0
  }
  if (typeof value !== 'object' || value === null) {
    return 0
  }
  let members = 0
  for (const [key, inner] of Object.entries(value)) {
    checkStrings(key)
    members += checkStrings(inner) + (Array.isArray(value) ? 0 : 1)
  }
  return members
}
