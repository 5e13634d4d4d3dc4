import { z } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import type { SignedIn } from '../platform/context.ts'
import { etagOf, isKnown } from './conditional.ts'
import type { AppEnv } from './env.ts'

/** The answers of an operation that draws. */
export const svgResponses = {
  200: {
    description: 'The image',
    headers: z.object({
      ETag: z.string().openapi({
        description: 'The version of what is drawn, and the start of a digest of the image.',
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

/** An SVG image, with the version of what it shows. */
export interface Drawn {
  svg: string
  version: number
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
  const etag = etagOf(svg, version)
  c.header('ETag', etag)
  if (isKnown(c.req.header('If-None-Match'), etag)) {
    return c.body(null, 304)
  }
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  c.header('X-Content-Type-Options', 'nosniff')
  return c.body(svg, 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' })
}
