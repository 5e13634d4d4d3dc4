import type { OperationEntry } from '../../src/http/registry.ts'
import { queriesOf } from './described.ts'
import { ID } from './foreign-ids.ts'
import type { Household, Zone } from './household.ts'
import { operations, paramsOf } from './operations.ts'
import type { Sample, Samples } from './samples.ts'

/** One way of calling an operation. */
export interface Asking {
  operation: OperationEntry
  sample: Sample
}

/** They change who asks, not what is asked about. */
const APART = new Set(['leaveGroup', 'deleteShare', 'deleteOwnUser', 'logout', 'logoutAll'])

const TEXTS = /^(text|search|raw|metadataKey|metadataValue|fileName|email)$/

/** A booking as a whole, one in parts and the leg of a transfer. */
const OF_EACH = 3

const prefixOf = (id: string) => id.slice(0, id.indexOf('_'))

/** Every way to ask about a household: each operation with each of its ids and texts where one may stand. */
export function askingsAbout(household: Household, samples: Samples): Asking[] {
  return operations
    .filter(({ operationId }) => !APART.has(operationId))
    .flatMap((operation) => {
      const sample = samples[operation.operationId] ?? {}
      const paths = pathsFor(household, operation, sample)
      const queries = queriesOf(operation.operationId)
      const asked =
        operation.method === 'get'
          ? paths.flatMap((path, at) => [
              { path, query: '' },
              ...kindsFor(queries, path),
              ...(at > 0 ? [] : queriesFor(household, queries, sample, path)),
            ])
          : writesFor(household, sample, paths)
      return asked.map((one) => ({ operation, sample: one }))
    })
}

/** By the household, the prefixes and the number: many operations name things of the same kinds. */
const known = new WeakMap<Household, Map<string, string[]>>()

/** Of the ids of a household with one of these prefixes, so many of each zone. */
function idsWith(household: Household, prefixes: string[], most: number): string[] {
  const ofHousehold = known.get(household) ?? new Map<string, string[]>()
  known.set(household, ofHousehold)
  const key = `${prefixes.join(' ')} ${most}`
  const found = ofHousehold.get(key) ?? findIds(household, prefixes, most)
  ofHousehold.set(key, found)
  return found
}

function findIds({ ids }: Household, prefixes: string[], most: number): string[] {
  const taken = new Map<string, number>()
  return [...ids].flatMap(([id, zone]) => {
    const kind = `${prefixOf(id)} ${zone}`
    const count = taken.get(kind) ?? 0
    taken.set(kind, count + 1)
    return prefixes.includes(prefixOf(id)) && count < most ? [id] : []
  })
}

const idsLike = (household: Household, id: string, most = 1): string[] =>
  idsWith(household, [prefixOf(id)], most)

/** The path of a sample with each id of the household that may stand in it. */
function pathsFor(household: Household, operation: OperationEntry, sample: Sample) {
  return paramsOf(operation).reduce<Record<string, string>[]>(
    (found, name) => {
      const own = sample.path?.[name] ?? ''
      const likely = own.match(ID)
        ? idsLike(household, own, operation.method === 'get' ? OF_EACH : 1)
        : []
      const values = likely.length > 0 ? likely : [own]
      return found.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
    },
    [{}],
  )
}

const PREFIXES: Record<string, string[]> = {
  accountId: ['acc'],
  categoryId: ['cat'],
  parentId: ['cat'],
  payeeId: ['pay'],
  tagId: ['tag'],
  importId: ['imp'],
  groupId: ['grp'],
  linkId: ['acc', 'txn', 'trf'],
  userId: ['usr'],
  ownerId: ['usr'],
  actorId: ['usr'],
  resourceId: ['acc', 'txn', 'att'],
}

/** What is listed of one kind at a time. */
const kindsFor = (names: string[], path: Record<string, string>): Sample[] =>
  names.includes('kind') && names.includes('search')
    ? ['category', 'tag', 'payee'].map((kind) => ({ path, query: `?kind=${kind}` }))
    : []

function queriesFor(
  household: Household,
  names: string[],
  sample: Sample,
  path: Record<string, string>,
): Sample[] {
  const ask = (name: string, value: string, more = '') => ({
    path,
    query: `?${name}=${value}${more}`,
  })
  const totals = names.includes('totals') ? '&totals=true' : ''
  return names
    .flatMap((name) => {
      if (TEXTS.test(name)) {
        return (Object.keys(household.said) as Zone[]).map((zone) =>
          ask(name, household.wordOf(zone), totals),
        )
      }
      return idsWith(household, PREFIXES[name] ?? [], 1).map((id) => ask(name, id, totals))
    })
    .concat(
      // The longest page, too: what was asked before may have pushed something off a usual one.
      names.includes('limit') ? [ask('limit', '1'), ask('limit', '200')] : [],
      names.includes('amountFrom') ? [ask('amountFrom', '1000000', totals)] : [],
      sample.query ? [{ path, query: withIdsOf(household, sample.query) }] : [],
    )
}

/** A thing with the ids of the household in the place of others. */
const withIdsOf = <Value>(household: Household, value: Value, zone?: Zone): Value =>
  JSON.parse(
    JSON.stringify(value).replaceAll(ID, (id) => {
      const likely = idsLike(household, id)
      return likely.find((one) => household.ids.get(one) === zone) ?? likely[0] ?? id
    }),
  ) as Value

/** The sample of a write, wherever it names something that the household has the like of. */
function writesFor(
  household: Household,
  sample: Sample,
  paths: Record<string, string>[],
): Sample[] {
  const { as: _, ...rest } = sample
  const bodies = sample.json
    ? (['shr', 'hid', 'prv', 'com'] as const).map((zone) => withIdsOf(household, sample.json, zone))
    : [undefined]
  const distinct = [...new Map(bodies.map((json) => [JSON.stringify(json), json])).values()]
  const isAbout = (text: string) => [...household.ids.keys()].some((id) => text.includes(id))
  return paths
    .flatMap((path, at) =>
      (at > 0 ? distinct.slice(0, 1) : distinct).map((json) => ({
        ...rest,
        path,
        ...(json ? { json } : {}),
        ...(rest.query ? { query: withIdsOf(household, rest.query) } : {}),
      })),
    )
    .filter((one) => isAbout(JSON.stringify(one)))
}
