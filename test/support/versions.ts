import { env } from 'cloudflare:workers'
import { addressOf } from '../../src/domain/ledger-ids.ts'
import { allOperations, type OperationEntry } from '../../src/http/registry.ts'
import { type Principal, rows } from './api.ts'
import { type Sample, send } from './sample-parts.ts'
import type { TestUser } from './world.ts'

/** Whether an operation changes or removes something that is there, so that `If-Match` concerns it. */
export const isChange = ({ method }: Pick<OperationEntry, 'method'>): boolean =>
  ['put', 'patch', 'delete'].includes(method)

/** What a read shows of the thing that a request addresses. */
export interface Shown {
  /** For `If-Match`. */
  tag: string
  text: string
}

/** Where the version shows of what is read under no address that its own begins with, and which field names the thing. */
const SHOWN_AT: Record<string, [path: string, field: string]> = {
  deleteOwnUser: ['/user/profile', ''],
  deleteSystemRate: ['/exchange-rate/{id}', 'id'],
  unshareResource: ['/admin/shares?accountId={resourceId}', 'userId'],
  updateTransactions: ['/transaction/{0}', '0'],
}

/** The fields of a request that name things. */
const fieldsOf = ({ path, json }: Sample): Record<string, unknown> => ({
  ...(path ?? { ...json, ...(json as { ids?: string[] } | undefined)?.ids }),
})

/** The read that shows the version of what a request addresses: a list that has it in an item, or the thing itself. */
export async function shownOf(
  me: TestUser,
  operation: OperationEntry,
  sample: Sample,
): Promise<Shown> {
  const fields = fieldsOf(sample)
  const as = sample.as ?? me
  const lastField = /\{(\w+)\}$/.exec(operation.path)?.[1] ?? ''
  const [address, field] = SHOWN_AT[operation.operationId] ?? [undefined, lastField]
  for (const path of address ? [address] : addressesAbove(operation.path)) {
    const shown = await readAt(as, filled(path, fields), String(fields[field]))
    if (shown) {
      return shown
    }
  }
  throw new Error(`no read shows the version of what ${operation.operationId} addresses`)
}

const filled = (path: string, fields: Record<string, unknown>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(fields[name]))

/** The path itself and those that it begins with, the longest first, as far as they can be read. */
function addressesAbove(path: string): string[] {
  const readable = new Set(
    allOperations()
      .filter(({ method }) => method === 'get')
      .map((operation) => operation.path),
  )
  const words = path.split('/')
  return words
    .map((_, at) => words.slice(0, words.length - at).join('/'))
    .filter((one) => readable.has(one))
}

async function readAt(as: Principal, path: string, id: string): Promise<Shown | undefined> {
  const response = await send(as, 'GET', path)
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const isJson = (response.headers.get('Content-Type') ?? '').startsWith('application/json')
  const version = isJson ? versionIn(JSON.parse(text), id) : undefined
  const tag = version === undefined ? response.headers.get('ETag') : `"${version}"`
  return tag === null ? undefined : { tag, text }
}

/** The version of the item with an id, in a list that is the answer or a field of it. */
function versionIn(answer: object, id: string): number | undefined {
  const items: object[] = [answer, ...Object.values(answer)].filter(Array.isArray).flat()
  const item = items.find((one) => Object.values(one).includes(id))
  return (item as { version?: number } | undefined)?.version
}

const KEYS = ['id', 'user_id', 'event_id', 'account_id', 'budget_id', 'format']

/** Gives the rows that a request addresses other versions, each its own, without a request. */
export async function changeVersions(me: TestUser, sample: Sample): Promise<void> {
  const { id: actorId = me.id } = (sample.as ?? me) as Partial<TestUser>
  const named = Object.values(fieldsOf(sample)).map(String)
  // A leg has the version of its transfer.
  const transfers = named.map((id) => addressOf(id).transactionId)
  const ids = JSON.stringify([actorId, ...named, ...transfers])
  const tables = await rows<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`version`%' AND name <> 'log_events'",
  )
  const updates = tables.map(({ name, sql }) => {
    const keys = KEYS.filter((key) => sql.includes(`\`${key}\` text`))
    const isNamed = keys.map((key) => `${key} IN (SELECT value FROM json_each(?1))`).join(' OR ')
    return env.DB.prepare(
      `UPDATE ${name} SET version = version + 1 + abs(random() % 9) WHERE ${isNamed}`,
    ).bind(ids)
  })
  await env.DB.batch(updates)
}
