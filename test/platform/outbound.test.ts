import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AppError } from '../../src/domain/errors.ts'
import { settingsOf } from '../../src/env.ts'
import { fetchOutbound } from '../../src/platform/outbound/outbound.ts'
import { INNER_HOSTS, PUBLIC_URLS } from '../support/addresses.ts'
import { contextWith } from '../support/service.ts'

const ctxAllowing = (allowed = '') =>
  contextWith({ settings: settingsOf({ ...env, OUTBOUND_ALLOW: allowed }) })

const ctx = ctxAllowing()
const URL_TEXT = 'https://idp.example/keys'

afterEach(() => vi.restoreAllMocks())

const answering = (response: () => Response | Promise<Response>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(response()))

function logged(event: string) {
  const spy = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  return () =>
    spy.mock.calls
      .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
      .filter((line) => line['event'] === event)
}

async function refusal(work: Promise<Response>) {
  const error = (await work.then(
    () => expect.fail('answered'),
    (thrown: unknown) => thrown,
  )) as AppError
  const { kind, code, message } = error
  return { kind, code, message }
}
const FAILED = { kind: 'unavailable', code: 'outbound.failed' }

describe('a call to the outside', () => {
  it('is made as asked, and follows nothing by itself', async () => {
    const fetch = answering(() => Response.json({ keys: [] }))
    const headers = { Accept: 'application/json' }
    const response = await fetchOutbound(ctx, URL_TEXT, { method: 'POST', headers, body: 'a=b' })
    expect(await response.json()).toEqual({ keys: [] })
    expect(fetch).toHaveBeenCalledExactlyOnceWith(URL_TEXT, {
      method: 'POST',
      headers,
      body: 'a=b',
      redirect: 'manual',
      signal: expect.any(AbortSignal),
    })
  })

  it('uses the address as it was parsed', async () => {
    const fetch = answering(() => new Response('ok'))
    await fetchOutbound(ctx, 'HTTPS://ＩＤＰ.Example:443/a/../b#part')
    expect(fetch.mock.calls[0]?.[0]).toBe('https://idp.example/b#part')
  })

  it('passes on a status and headers, and what was compressed as it reads', async () => {
    answering(
      () =>
        new Response('{"error":"invalid_grant"}', {
          status: 400,
          headers: { 'Content-Encoding': 'identity', 'Content-Length': '25', 'X-Own': 'kept' },
        }),
    )
    const response = await fetchOutbound(ctx, URL_TEXT)
    expect(response.status).toBe(400)
    expect(await response.text()).toBe('{"error":"invalid_grant"}')
    expect(response.headers.get('Content-Encoding')).toBeNull()
    expect(response.headers.get('X-Own')).toBe('kept')
  })

  it('may be answered with nothing', async () => {
    answering(() => new Response(null, { status: 204 }))
    const response = await fetchOutbound(ctx, URL_TEXT)
    expect([response.status, response.body]).toEqual([204, null])
  })

  it.each([301, 302, 303, 304, 307, 308])('fails on %i', async (status) => {
    const failures = logged('outbound.failed')
    answering(() => new Response(null, { status, headers: { Location: 'http://127.0.0.1/' } }))
    expect(await refusal(fetchOutbound(ctx, URL_TEXT))).toMatchObject(FAILED)
    expect(failures()).toMatchObject([{ host: 'idp.example', reason: 'redirect' }])
  })

  it('takes 64 KiB and not a byte more', async () => {
    const chunk = new Uint8Array(1024)
    let cancelled = 0
    const streamOf = (chunks: number, rest: Uint8Array) => {
      let sent = 0
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 1
          if (sent <= chunks) {
            controller.enqueue(chunk)
          } else {
            controller.enqueue(rest)
            controller.close()
          }
        },
        cancel: () => void (cancelled += 1),
      })
    }
    answering(() => new Response(streamOf(63, chunk)))
    const { byteLength } = await (await fetchOutbound(ctx, URL_TEXT)).arrayBuffer()
    expect(byteLength).toBe(65_536)

    const failures = logged('outbound.failed')
    answering(() => new Response(streamOf(64, new Uint8Array(1))))
    expect(await refusal(fetchOutbound(ctx, URL_TEXT))).toMatchObject(FAILED)
    answering(() => new Response(streamOf(Infinity, chunk)))
    expect(await refusal(fetchOutbound(ctx, URL_TEXT))).toMatchObject(FAILED)
    expect(failures().map(({ reason }) => reason)).toEqual(['tooLarge', 'tooLarge'])
    expect(cancelled).toBe(1)
  })

  it('tells nothing of what the other side said or why it failed', async () => {
    const failures = logged('outbound.failed')
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('connect ECONNREFUSED 10.1.2.3:443'))
    const refused = await refusal(fetchOutbound(ctx, `${URL_TEXT}?token=secret`))
    expect(refused).toMatchObject(FAILED)
    expect(refused.message).not.toMatch(/ECONN|10\.1|idp/)
    expect(failures()).toEqual([
      {
        level: 'error',
        event: 'outbound.failed',
        requestId: ctx.requestId,
        host: 'idp.example',
        reason: 'network',
      },
    ])
  })
})

describe('the addresses', () => {
  it('of the inner network are refused before anything is sent', async () => {
    const fetch = answering(() => new Response('inner'))
    for (const host of INNER_HOSTS) {
      const { kind, code } = await refusal(fetchOutbound(ctx, `https://${host}/`))
      expect([kind, code], host).toEqual(['invalid', 'outbound.refusedAddress'])
    }
    for (const text of [
      'http://example.com/',
      'https://a@example.com/',
      'https://example.com:22/',
    ]) {
      const { code } = await refusal(fetchOutbound(ctx, text))
      expect(code, text).toBe('outbound.refusedAddress')
    }
    expect(fetch).not.toHaveBeenCalled()
  })

  it('of the public internet are not', async () => {
    const fetch = answering(() => new Response('public'))
    for (const text of PUBLIC_URLS) {
      expect((await fetchOutbound(ctx, text)).status, text).toBe(200)
    }
    expect(fetch).toHaveBeenCalledTimes(PUBLIC_URLS.length)
  })

  it('that an operator allows are called, and named in the log once', async () => {
    const told = logged('outbound.allowed')
    const open = ctxAllowing(' localhost:9000 , IDP.lan:8443 ,')
    const fetch = answering(() => new Response('ok'))
    for (const text of ['http://localhost:9000/', 'https://idp.lan:8443/', URL_TEXT]) {
      await fetchOutbound(open, text)
    }
    expect(fetch).toHaveBeenCalledTimes(3)
    expect(told()).toEqual([
      { level: 'info', event: 'outbound.allowed', hosts: ['localhost:9000', 'idp.lan:8443'] },
    ])
    const { code } = await refusal(fetchOutbound(open, 'http://localhost:9001/'))
    expect(code).toBe('outbound.refusedAddress')
  })

  it.each([
    'localhost',
    'https://localhost:9000',
    'a b:9000',
    'localhost:',
    'localhost:123456',
    '*:443',
  ])('that are allowed must be host and port, not %s', (allowed) => {
    expect(() => settingsOf({ ...env, OUTBOUND_ALLOW: allowed })).toThrow('not configured')
  })
})
