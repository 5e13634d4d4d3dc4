import { z } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import type { Context, SignedIn } from '../platform/context.ts'
import type { Range } from '../platform/files/bucket.ts'
import { etagOf, isKnown, isTold, tagOf } from './answer.ts'
import type { AppEnv } from './env.ts'
import { requestErrors } from './request.errors.ts'

// Bytes in and out: bodies that are a file, and answers that are one.

/** A body that is a file, as it comes. */
export interface Upload {
  body: ReadableStream<Uint8Array>
  /** The length that the request states. */
  length: number | undefined
}

const bytes = () => z.string().openapi({ type: 'string', format: 'binary', description: 'Bytes.' })

/** A required body of bytes. Their type is detected from the bytes themselves; Content-Type is ignored. */
export const fileRequest = () => ({
  body: { required: true, content: { 'application/octet-stream': { schema: bytes() } } } as const,
})

/** True if the request says that it has a body. On some hosts, a request without one has an empty stream. */
export const hasBody = (c: HonoContext<AppEnv>): boolean =>
  Number(c.req.header('Content-Length') ?? 0) > 0 || c.req.header('Transfer-Encoding') !== undefined

/** @throws AppError `request.formUpload`: a form wraps the file in parts that would be stored with it */
export function uploadOf(c: HonoContext<AppEnv>): Upload {
  if (/^multipart\//i.test(c.req.header('Content-Type') ?? '')) {
    throw requestErrors.formUpload()
  }
  const length = c.req.header('Content-Length')
  return {
    body: c.req.raw.body ?? new Blob().stream(),
    length: length === undefined ? undefined : Number(length),
  }
}

/** A file is sent with its own type, which only its bytes decide. */
const fileContent = () => ({ '*/*': { schema: bytes() } })

/** The answers of a download. */
export const fileResponses = {
  200: {
    description: 'The file',
    headers: z.object({
      'Content-Disposition': z.string().openapi({
        description: 'Always `attachment`, with the file name (RFC 6266).',
        example: `attachment; filename="bill.pdf"; filename*=UTF-8''bill.pdf`,
      }),
      ETag: z.string().openapi({
        description:
          'SHA-256 of the file; for a picture, its version and the start of the SHA-256.',
        example: '"9f86d0…"',
      }),
    }),
    content: fileContent(),
  },
  206: {
    description: 'The part of the file that Range requests',
    content: fileContent(),
  },
  304: { description: 'The ETag still matches If-None-Match' },
} as const

/** The facts about a file in an answer. */
export interface FileFacts {
  fileName: string
  contentType: string
  size: number
  sha256: string
}

const digestTag = ({ sha256 }: FileFacts) => `"${sha256}"`

/**
 * Answers with a file, or the part of it that Range asks for. It is found first; `open`, which tells the log, is for
 * what is really sent.
 * @param etagOf another ETag than the digest, for what is changed with If-Match at the same address
 */
export async function answerFile<File extends FileFacts>(
  c: HonoContext<AppEnv>,
  find: (ctx: SignedIn) => Promise<File>,
  open: (ctx: SignedIn, file: File, range: Range) => Promise<ReadableStream<Uint8Array>>,
  etagOf: (file: File) => string = digestTag,
): Promise<Response> {
  const { ctx } = c.var
  if (!ctx?.caller) {
    throw new Error('answerFile is for routes that need a permission')
  }
  const signedIn = ctx as SignedIn
  const file = await find(signedIn)
  return sendFile(c, file, etagOf(file), (range) => open(signedIn, file, range))
}

/** `answerFile` for public routes: nobody is signed in. */
export async function answerFileToAnyone<File extends FileFacts>(
  c: HonoContext<AppEnv>,
  find: (ctx: Context) => Promise<File>,
  open: (file: File, range: Range) => Promise<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const { ctx } = c.var
  if (!ctx) {
    throw new Error('this route has no gate')
  }
  const file = await find(ctx)
  return sendFile(c, file, digestTag(file), (range) => open(file, range))
}

async function sendFile(
  c: HonoContext<AppEnv>,
  file: FileFacts,
  etag: string,
  open: (range: Range) => Promise<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const { size } = file
  c.header('ETag', etag)
  c.header('Accept-Ranges', 'bytes')
  if (isKnown(c.req.header('If-None-Match'), etag)) {
    return c.body(null, 304)
  }
  const range = rangeOf(rangeAsked(c, etag), size)
  if (range === 'unsatisfiable') {
    c.header('Content-Range', `bytes */${size}`)
    throw requestErrors.range({ size }, { field: 'Range' })
  }
  const part = range ?? { offset: 0, length: size }
  c.header('Content-Type', withCharset(file.contentType))
  c.header('Content-Disposition', dispositionOf(file.fileName))
  // Nothing in it may run, wherever it is opened.
  c.header('Content-Security-Policy', "default-src 'none'; sandbox")
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Content-Length', String(part.length))
  if (range) {
    c.header('Content-Range', `bytes ${part.offset}-${part.offset + part.length - 1}/${size}`)
  }
  const status = range ? 206 : 200
  return c.req.method === 'HEAD' ? c.body(null, status) : c.body(await open(part), status)
}

/** Every text that is stored is UTF-8 throughout. Saying so keeps a browser from guessing another encoding. */
const withCharset = (type: string): string =>
  /^(text\/\w+|application\/xml)$/.test(type) ? `${type}; charset=utf-8` : type

/** `If-Range` asks for the part only while the file is the same; a date tells too little for that. */
function rangeAsked(c: HonoContext<AppEnv>, etag: string): string | undefined {
  const ifRange = c.req.header('If-Range')
  return ifRange === undefined || ifRange === etag ? c.req.header('Range') : undefined
}

/**
 * The part that a Range header asks for (RFC 9110, 14.2); undefined for the whole, as where it says nothing that is a
 * range. Several at once are refused rather than sent in pieces.
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): Range | 'unsatisfiable' | undefined {
  const asked = /^bytes\s*=\s*(.*)$/i.exec(header ?? '')?.[1]
  if (asked?.includes(',')) {
    return 'unsatisfiable'
  }
  const [, first, last] = /^(\d{0,15})-(\d{0,15})$/.exec(asked?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) {
    return undefined
  }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) {
    return undefined
  }
  return start < end ? { offset: start, length: end - start } : 'unsatisfiable'
}

/**
 * Says that a file is to be saved, and under which name (RFC 6266): letters that might end the name or the header are
 * not in the plain form, and percent-encoded in the other (RFC 8187).
 */
export function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .()+-]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

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
  table: { fileName: string; of: (result: Result, ctx: SignedIn) => string; tagged?: true },
  run: (ctx: SignedIn) => Promise<Result>,
) {
  const { ctx } = c.var
  if (!ctx?.caller) {
    throw new Error('answerTable is for routes that need a permission')
  }
  const text = table.of(await run(ctx as SignedIn), ctx as SignedIn)
  if (table.tagged && isTold(c, tagOf(text))) {
    return c.body(null, 304) as never
  }
  return c.body(text, 200, {
    'Content-Type': `${TABLE}; charset=utf-8`,
    'Content-Disposition': dispositionOf(table.fileName),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  }) as never
}

/** The answers of an operation that draws. */
export const svgResponses = {
  200: {
    description: 'The image',
    headers: z.object({
      ETag: z.string().openapi({
        description:
          'The version of what is drawn, if it has one, and the start of a digest of the image.',
        example: '"3-9f86d081884c7d65"',
      }),
    }),
    content: {
      'image/svg+xml': {
        schema: z.string().openapi({ description: 'An SVG image.', example: '<svg>…</svg>' }),
      },
    },
  },
  304: { description: 'The ETag still matches If-None-Match' },
} as const

/** The parameter of an operation that draws. */
export const themeInput = z.enum(['light', 'dark']).optional().openapi({
  description: 'Colors of the image; those that the viewer prefers if left out.',
  example: 'dark',
})

/** An SVG image, with the version of what it shows if that has one. */
export interface Drawn {
  svg: string
  version?: number
}

/** Answers with an image. It has its own styles, and nothing else that a browser would run or load. */
export async function answerSvg(
  c: HonoContext<AppEnv>,
  draw: (ctx: SignedIn) => Promise<Drawn>,
): Promise<Response> {
  const { ctx } = c.var
  if (!ctx?.caller) {
    throw new Error('answerSvg is for routes that need a permission')
  }
  const { svg, version } = await draw(ctx as SignedIn)
  if (isTold(c, version === undefined ? tagOf(svg) : etagOf(svg, version))) {
    return c.body(null, 304)
  }
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  c.header('X-Content-Type-Options', 'nosniff')
  return c.body(svg, 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' })
}
