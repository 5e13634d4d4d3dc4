import { cpSync } from 'node:fs'
import { demoLogins } from '../../scripts/lib/demo-data.ts'
import { withLocalService } from '../../scripts/lib/local-service.ts'
import { createApp } from '../../src/app.ts'
import { openQueue } from '../../src/hosts/node/queue.ts'
import type {
  DescribedOperation,
  Document,
  Parameter,
  Reference,
} from '../../src/http/description/document.ts'
import { copyDemoData } from './demo-data.ts'
import { temporaryFolder } from './running.ts'

/** The demo data, on which whatever is tried leaves nothing. */
export interface Demo {
  /** Asks the service, each time of a fresh copy of the data. */
  ask: (request: Request) => Promise<Response>
  /** The access tokens of the household, by address. */
  tokens: Record<string, string>
  /** The ids of all that is there. */
  ids: ReadonlySet<string>
  remove: () => void
}

const app = createApp()

const nowhere = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

export async function loadDemo(): Promise<Demo> {
  const original = temporaryFolder()
  await copyDemoData(original.path)
  const tokens: Record<string, string> = {}
  for (const { email, password } of demoLogins) {
    const response = await askOf(original.path, signIn(email, password))
    tokens[email] = (await response.json<{ accessToken: string }>()).accessToken
  }
  return {
    tokens,
    ids: await idsIn(original.path),
    ask: async (request) => {
      const copy = temporaryFolder()
      cpSync(original.path, copy.path, { recursive: true })
      try {
        return await askOf(copy.path, request)
      } finally {
        copy.remove()
      }
    },
    remove: original.remove,
  }
}

const idsIn = (data: string): Promise<ReadonlySet<string>> =>
  withLocalService(data, async ({ env: { DB } }) => {
    const tables = await DB.prepare(`SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND c.name = 'id'`).all<{ name: string }>()
    const selects = tables.results.map(({ name }) => DB.prepare(`SELECT id FROM ${name}`))
    const found = await DB.batch<{ id: string }>(selects)
    return new Set(found.flatMap(({ results }) => results.map(({ id }) => id)))
  })

/** Nothing is done in the background, where it would come after the answer. */
const TASKS = openQueue(() => Promise.resolve()).binding

const askOf = (data: string, request: Request): Promise<Response> =>
  withLocalService(data, async ({ env }) => {
    const response = await app.fetch(request, { ...env, TASKS }, nowhere)
    // Read while the data is there.
    const body = await response.arrayBuffer()
    return new Response(body.byteLength > 0 ? body : null, response)
  })

const signIn = (email: string, password: string) =>
  new Request('http://coffer.test/auth/v2/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

/** The request that Swagger UI sends when nobody fills in anything; undefined when it asks for a value. */
export function prefilled(
  document: Document,
  { path, method, operation }: Located,
  file: string,
): Request | undefined {
  const url = new URL('http://coffer.test')
  url.pathname = path
  for (const parameter of operation.parameters ?? []) {
    const { in: place, name, required, example, schema } = resolved(document, parameter)
    const value = example ?? schema?.example ?? schema?.default
    if (value === undefined && required) {
      return undefined
    }
    if (place === 'path') {
      url.pathname = url.pathname.replace(`%7B${name}%7D`, encodeURIComponent(textOf(value)))
    } else if (place === 'query' && value !== undefined) {
      url.searchParams.set(name, textOf(value))
    }
  }
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  const body = media && 'example' in media ? JSON.stringify(media.example) : file
  return new Request(url, {
    method: method.toUpperCase(),
    ...(type === undefined ? {} : { headers: { 'Content-Type': type }, body }),
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export interface Located {
  path: string
  method: string
  operation: DescribedOperation
}

function resolved({ components }: Document, parameter: Parameter | Reference): Parameter {
  const found =
    '$ref' in parameter
      ? components.parameters?.[parameter.$ref.split('/').at(-1) ?? '']
      : parameter
  if (!found) {
    throw new Error(`There is no such parameter: ${JSON.stringify(parameter)}`)
  }
  return found
}
