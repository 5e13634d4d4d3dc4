import SwaggerParser from '@apidevtools/swagger-parser'
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { paths } from '../../.coffer/cache/openapi.d.ts'
import { exampleId } from '../../src/domain/ids.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { type Release, startService } from '../support/releases.ts'
import { runProgram } from '../support/running.ts'

// What clients make of openapi.json. The types of the one below come from openapi-typescript, and none is cast: where the
// description and the service part, this file does not compile or does not pass.

const DESCRIPTION = inProject('openapi.json')

let service: Release

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service?.stop())

/** A client of somebody who has just registered. */
async function newClient() {
  const client = createClient<paths>({ baseUrl: service.url })
  const { data, error } = await client.POST('/auth/register', {
    body: {
      email: `${crypto.randomUUID()}@coffer.test`,
      password: 'only for this one test',
      name: 'Ada',
      inviteCode: await service.invite(),
    },
  })
  if (!data) {
    throw new Error(error.error)
  }
  const { accessToken } = data
  client.use({
    onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${accessToken}`),
  })
  return client
}

type Client = Awaited<ReturnType<typeof newClient>>

async function openAccount(client: Client, name: string): Promise<string> {
  const { data, error } = await client.POST('/account', {
    body: { name, type: 'checking', currency: 'EUR' },
  })
  if (!data) {
    throw new Error(error.error)
  }
  return data.id
}

it('books a split transaction and a transfer, without a field that may be left out', async () => {
  const client = await newClient()
  const [accountId, toAccountId] = [
    await openAccount(client, 'One'),
    await openAccount(client, 'Two'),
  ]
  const category = await client.POST('/category', { body: { name: 'Food', kind: 'expense' } })
  const categoryId = category.data?.id ?? null
  const booked = await client.POST('/transaction', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: {
      kind: 'expense',
      accountId,
      date: '2026-01-05',
      amount: '12.30',
      location: null,
      splits: [{ amount: '10.00', categoryId }, { amount: '2.30' }],
    },
  })
  expect(booked.data?.splits.map(({ amount }) => amount)).toEqual(['10.00', '2.30'])
  const moved = await client.POST('/transfer', {
    body: { fromAccountId: accountId, toAccountId, date: '2026-01-06', amount: '5.00', fee: null },
  })
  expect([moved.data?.from.signedAmount, moved.data?.to.signedAmount]).toEqual(['-5.00', '5.00'])
  const { data } = await client.GET('/account/{id}', { params: { path: { id: accountId } } })
  expect(data?.balance).toBe('-17.30')
})

it('turns pages until there is none', async () => {
  const client = await newClient()
  const names = ['A', 'B', 'C']
  for (const name of names) {
    await client.POST('/tag', { body: { name } })
  }
  const found: string[] = []
  let cursor: string | undefined
  do {
    const { data } = await client.GET('/tag', {
      params: { query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } },
    })
    found.push(...(data?.tags ?? []).map(({ name }) => name))
    cursor = data?.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(found).toEqual(names)
})

it('uploads a Blob and gets it back', async () => {
  const client = await newClient()
  const file = new Blob(['%PDF-1.7\n'], { type: 'application/pdf' })
  const { data: uploaded } = await client.POST('/attachment', {
    params: { query: { fileName: 'bill.pdf' } },
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
    bodySerializer: (body) => body,
  })
  const { data } = await client.GET('/attachment/{id}/download', {
    params: { path: { id: uploaded?.id ?? '' } },
    parseAs: 'blob',
  })
  expect(await data?.text()).toBe('%PDF-1.7\n')
})

it('tells an error by its code', async () => {
  const client = await newClient()
  const { data, error, response } = await client.GET('/account/{id}', {
    params: { path: { id: exampleId('acc') } },
  })
  expect(data).toBeUndefined()
  const { code, requestId } = error ?? {}
  expect([response.status, code]).toEqual([404, 'accounts.notFound'])
  expect(requestId).toBe(response.headers.get('X-Request-Id'))
})

it('is a valid document of OpenAPI for the schema of OpenAPI itself', async () => {
  await expect(SwaggerParser.validate(DESCRIPTION)).resolves.toMatchObject({ openapi: '3.1.0' })
})

it('passes the rules of redocly.yaml, without a warning', async () => {
  const { code, printed } = await runProgram('redocly', ['lint', DESCRIPTION, '--format=summary'])
  expect([code, printed]).toEqual([0, expect.stringContaining('is valid')])
  expect(printed).not.toMatch(/warning|error/i)
})
