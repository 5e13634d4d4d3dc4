import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { AppError } from '../domain/errors.ts'
import { isWellFormedText } from '../domain/text.ts'
import type { AppEnv } from './env.ts'

export const BODY_CAP = 1024 * 1024
export const NESTING_CAP = 64

const malformed = (message: string) => new AppError('invalid', 'request.malformedJson', message)

/** Reads, bounds and checks a JSON body before any schema sees it. */
export const jsonBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new AppError(
      'unsupportedMediaType',
      'request.unsupportedMediaType',
      'Send the body as application/json.',
    )
  }
  const text = await readText(c)
  const members = countMembers(text)
  const body = parse(text)
  if (checkStrings(body) < members) {
    throw malformed('An object has a key twice.')
  }
  c.set('bodyText', text)
  // The stream is spent; the validator asks for its body here.
  c.req.json = <Body>() => Promise.resolve(body as Body)
  await next()
}

const tooLarge = () =>
  new AppError('tooLarge', 'request.tooLarge', `The body is larger than ${BODY_CAP} bytes.`)

/** What breaks while a body is read is the caller's line, or what came over it. */
const truncated = () =>
  new AppError('invalid', 'request.truncatedBody', 'The body did not arrive whole.')

/** A body over the cap is never held whole: by its length it is not read, without one it is counted. */
async function readText({ req }: HonoContext<AppEnv>): Promise<string> {
  const length = req.header('Content-Length')
  if (Number(length ?? 0) > BODY_CAP) {
    throw tooLarge()
  }
  const reading = length === undefined ? readCounted(req.raw.body) : req.raw.arrayBuffer()
  const bytes = await reading.catch((error: unknown) => {
    throw error instanceof AppError ? error : truncated()
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw malformed('The body is not well-formed UTF-8.')
  }
}

async function readCounted(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > BODY_CAP) {
      throw tooLarge()
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
        throw malformed(`The body is nested deeper than ${NESTING_CAP} levels.`)
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
    throw malformed('The body is not valid JSON.')
  }
}

/**
 * Refuses NUL and lone surrogates in any key or value: the database would change them silently. Gives how many
 * members the objects have: fewer than were written when a later one took the place of an earlier.
 */
function checkStrings(value: unknown): number {
  if (typeof value === 'string') {
    if (!isWellFormedText(value)) {
      throw new AppError(
        'invalid',
        'request.malformedText',
        'A text holds NUL or half a character.',
      )
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
