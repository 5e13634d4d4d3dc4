import type { Context as HonoContext, TypedResponse } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from '../platform/context.ts'
import { sendJson } from './answer.ts'
import type { AppEnv } from './env.ts'

/** The facts about a browser that is redirected. */
export interface Visit {
  /** The origin of this service, as the browser knows it. */
  origin: string
  /** All parameters, repeated ones included. */
  query: URLSearchParams
  cookie: (name: string) => string | undefined
}

/** The destination of a browser, with the cookie that it gets. */
export interface Way {
  /** null: nowhere, it gets the answer as JSON. */
  location: string | null
  cookie: { name: string; value: string; path: string; seconds: number }
}

type RedirectOrBody<Body> = TypedResponse<Body, 200, 'json'> &
  TypedResponse<undefined, 302, 'redirect'>

/** Answers the legs of a journey that a browser makes: a redirect, or JSON where it leads nowhere. */
export async function answerBrowser<Result extends Way, const Body extends object>(
  c: HonoContext<AppEnv>,
  present: (result: Result) => Body,
  run: (ctx: Context, visit: Visit) => Promise<Result>,
): Promise<RedirectOrBody<Body>> {
  const { ctx } = c.var
  if (!ctx) {
    throw new Error('this route has no gate')
  }
  const { origin, protocol, searchParams: query } = new URL(c.req.url)
  const result = await run(ctx, { origin, query, cookie: (name) => getCookie(c, name) })
  const { name, value, path, seconds } = result.cookie
  const secure = protocol === 'https:'
  if (seconds > 0) {
    setCookie(c, name, value, { path, secure, maxAge: seconds, httpOnly: true, sameSite: 'Lax' })
  } else {
    deleteCookie(c, name, { path, secure })
  }
  const response =
    result.location === null
      ? sendJson(c, 200, JSON.stringify(present(result)), undefined)
      : c.redirect(result.location, 302)
  return response as unknown as RedirectOrBody<Body>
}
