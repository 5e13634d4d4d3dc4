import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dailyFile, historyFile, QUOTED } from '../support/reference-rates.ts'
import { type Release, startService } from '../support/releases.ts'

// The release bundle against a server on loopback that publishes rates as the European Central Bank does.

let answering: RequestListener = (_, response) => response.writeHead(503).end()
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  answering(request, response)
})
const logged: string[] = []
let service: Release
let admin = ''
let adminId = ''

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const variables = {
    OUTBOUND_ALLOW: host,
    EXCHANGE_RATES_URL: `http://${host}/stats/eurofxref/eurofxref-daily.xml`,
  }
  const onLog = (line: string) => logged.push(line)
  service = await startService({ variables, onLog })
  const inviteCode = await service.invite()
  const owner = { email: 'owner@coffer.test', password: 'only for this one test', name: 'Owner' }
  const registered = await send('POST', '/auth/register', { ...owner, inviteCode })
  ;({
    accessToken: admin,
    user: { id: adminId },
  } = (await registered.json()) as { accessToken: string; user: { id: string } })
})

afterAll(async () => {
  await service?.stop()
  server.closeAllConnections()
  server.close()
})

const send = (method: string, path: string, json?: object) =>
  fetch(service.url + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(admin ? { Authorization: `Bearer ${admin}` } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })

const publish = (text: string) => {
  answering = (_, response) => response.writeHead(200, { 'Content-Type': 'text/xml' }).end(text)
}

const fetches = () =>
  logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event, kind }) => event === 'task' && kind === 'exchangeRates.fetch')

/** How the task ended that a refresh started: the night may start one of its own at any time. */
async function refresh(): Promise<Record<string, unknown>> {
  const answer = await send('POST', '/admin/exchange-rates/refresh')
  expect(answer.status).toBe(202)
  const listed = await send('POST', '/admin/queue-tasks', { userId: adminId, limit: 1 })
  const [task] = ((await listed.json()) as { tasks: { id: string }[] }).tasks
  for (;;) {
    const done = fetches().find(({ id }) => id === task?.id)
    if (done) {
      return done
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const countOfRates = async () =>
  ((await (await send('GET', '/admin/exchange-rates')).json()) as { count: number }).count

it('has none, and changes nothing while the file is broken or missing', async () => {
  expect(await refresh()).toMatchObject({ state: 'failed', code: 'exchangeRates.sourceFailed' })
  publish(dailyFile().slice(0, 900))
  expect(await refresh()).toMatchObject({ state: 'failed', code: 'exchangeRates.malformedFile' })
  publish(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${dailyFile()}`)
  expect(await refresh()).toMatchObject({ state: 'failed', code: 'exchangeRates.malformedFile' })
  publish(historyFile(400))
  expect(await refresh()).toMatchObject({ state: 'failed', code: 'outbound.failed' })
  expect(await countOfRates()).toBe(0)
})

it('fetches the rates of a day, once, and converts by them', async () => {
  const before = asked - fetches().length
  publish(dailyFile('2026-01-02'))
  expect(await refresh()).toMatchObject({ state: 'succeeded' })
  expect(await countOfRates()).toBe(QUOTED.length)
  expect(await refresh()).toMatchObject({ state: 'succeeded' })
  expect(await countOfRates()).toBe(QUOTED.length)
  expect(asked - fetches().length).toBe(before)
  const query = '?amount=108.42&from=USD&to=JPY&date=2026-01-09'
  const converted = await send('GET', `/exchange-rate/convert${query}`)
  expect(await converted.json()).toMatchObject({ converted: '16846', rateDate: '2026-01-02' })
})

it('fetches the file of 90 days, too', async () => {
  publish(historyFile(64, '2026-01-20'))
  expect(await refresh()).toMatchObject({ state: 'succeeded' })
  expect(await countOfRates()).toBe(64 * QUOTED.length)
})
