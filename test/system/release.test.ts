import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { ASSETS, gzipKiB, librariesKiB } from '../../scripts/lib/release.ts'
import { type Release, startService } from '../support/releases.ts'

let service: Release

beforeAll(async () => {
  const worker = { assets: { directory: ASSETS, routerConfig: { has_user_worker: true } } }
  service = await startService({ worker })
})

afterAll(() => service?.stop())

const get = (path: string) => fetch(service.url + path)

const register = (email: string, inviteCode?: string) =>
  fetch(`${service.url}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: 'only for this one test', name: 'Ada', inviteCode }),
  })

it.each([
  ['the Worker', () => inject('release')],
  ['Node', () => readFileSync(inject('nodeRelease'), 'utf8')],
])('carries no description of the interface and no demo password, for %s', (_, bundle) => {
  const script = bundle()
  for (const absent of [
    'SwaggerUI',
    'swagger-ui.css',
    'swagger-ui-bundle',
    'openapi:"3.1',
    'Amounts are decimal strings',
    'Answers at once and makes the archive in the background.',
    'Turns files of banks and other programs into transactions',
    'Corrected by the bank',
    'accessTokens.tooMany accessTokens.unknownAccount',
    '/admin/api-reference',
    'correct horse battery staple',
  ]) {
    expect(script.includes(absent), absent).toBe(false)
  }
})

/** KiB before compression that each library may take. */
const LIBRARIES = new Map([
  ['zod', 140],
  ['drizzle-orm', 80],
  ['hono', 45],
  ['oauth4webapi', 27],
  ['@hono/zod-openapi', 6],
  ['@hono/swagger-ui', 2],
  ['@hono/zod-validator', 2],
])

it('carries these libraries, and no more of them than it needs (ADR 0029)', () => {
  const libraries = librariesKiB()
  expect([...libraries.keys()].toSorted()).toEqual([...LIBRARIES.keys()].toSorted())
  expect([...libraries].filter(([name, kib]) => kib > (LIBRARIES.get(name) ?? 0))).toEqual([])
})

it('stays as small as what it does allows (ADR 0029)', () => {
  const { paths } = JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')) as {
    paths: Record<string, object>
  }
  const operations = Object.values(paths).flatMap((path) => Object.keys(path)).length
  expect(gzipKiB(inject('release'))).toBeLessThan(1.9 * operations)
})

it('answers that it lives, and that it is a release', async () => {
  expect(await (await get('/health')).json()).toEqual({ status: 'ok' })
  expect(await (await get('/version')).json()).toMatchObject({ name: 'coffer', build: 'release' })
})

it('has an empty document and a page that says so', async () => {
  const document = await get('/swagger/doc.json')
  expect([document.status, (await document.arrayBuffer()).byteLength]).toEqual([200, 0])
  expect(document.headers.get('Content-Type')).toBeNull()
  expect((await get('/swagger/rendered.json')).status).toBe(404)
  const page = await get('/swagger/index.html')
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=UTF-8'])
  expect(await page.text()).toContain('This build carries no interface description.')
  expect((await get('/swagger/assets/swagger-ui-dist/swagger-ui.css')).status).toBe(404)
  expect((await get('/admin/api-reference')).status).toBe(404)
})

it('has a front page, which works without scripts and leads to its description', async () => {
  const front = await get('/')
  expect([front.status, front.headers.get('Content-Type')]).toEqual([
    200,
    'text/html; charset=UTF-8',
  ])
  const html = await front.text()
  const [, style = ''] = /<style>(.*)<\/style>/.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(front.headers.get('Content-Security-Policy')).toContain(
    `default-src 'none'; style-src 'sha256-${hash}';`,
  )
  expect(html).toMatch(/<html lang="en">.*<h1>Coffer<\/h1>.*Version \d+\.\d+\.\d+\./)
  expect(html).not.toMatch(/<script|Swagger|src=|https?:/)
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href)
  const answers = await Promise.all(links.map(async (href) => [href, (await get(href)).status]))
  expect(answers).toEqual([
    ['/openapi.json', 200],
    ['/health/ready', 200],
    ['/version', 200],
  ])
})

it('serves its description, which is no part of it', async () => {
  const description = readFileSync(inProject('openapi.json'), 'utf8')
  const served = await get('/openapi.json')
  expect([served.status, served.headers.get('Content-Type')]).toEqual([200, 'application/json'])
  expect(served.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect((await served.text()) === description).toBe(true)
  const head = await fetch(`${service.url}/openapi.json`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await get('/openapi.json/')).status).not.toBe(200)
})

it('has its description beside it, as a file', () => {
  const description = readFileSync(inProject('openapi.json'), 'utf8')
  for (const folder of [dirname(inject('nodeRelease')), inProject('dist/release')]) {
    expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).toBe(description)
  }
})

it('calls from pages of the machine are those of any other page', async () => {
  const headers = { Origin: 'http://localhost:5173' }
  const answer = await fetch(`${service.url}/health`, { headers })
  expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false)
})

it('lets nobody register without an invite', async () => {
  const answer = await register('stranger@coffer.test')
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 'auth.inviteRequired' })
})

it('makes whoever has the code of its operator an administrator, once', async () => {
  const code = await service.invite()
  const answer = await register('owner@coffer.test', code)
  expect(answer.status).toBe(201)
  const { user } = await answer.json<{ user: { roles: { name: string }[] } }>()
  expect(user.roles.map(({ name }) => name).toSorted()).toEqual(['admin', 'user'])
  expect((await register('second@coffer.test', code)).status).toBe(400)
})
