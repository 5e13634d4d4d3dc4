import '../../src/app.ts'
import { allOperations, type OperationEntry } from '../../src/http/registry.ts'

// The operations that the sweeps visit: all of them, as the registry knows them, so that a new route is swept on the
// day it appears. For work on one area, `COFFER_ONLY=tags,getMe` leaves those of an area and single ones.

const only = (process.env['COFFER_ONLY'] ?? '').split(',').filter((word) => word !== '')

/** Whether all operations are visited: with a part of them, a list of all cannot be compared. */
export const isWhole = only.length === 0

const isNamed = ({ operationId, area }: OperationEntry, word: string) =>
  word === operationId || word === area.toLowerCase().replaceAll(' ', '-')

function chosen(): readonly OperationEntry[] {
  const all = allOperations()
  const unknown = only.filter((word) => !all.some((operation) => isNamed(operation, word)))
  if (unknown.length > 0) {
    throw new Error(`COFFER_ONLY: no area and no operation is called ${unknown.join(' or ')}.`)
  }
  return isWhole ? all : all.filter((operation) => only.some((word) => isNamed(operation, word)))
}

export const operations = chosen()

/** The operations of each area: a test for each is short, and names it where it fails. */
export const areas: [area: string, operations: OperationEntry[]][] = [
  ...Map.groupBy(operations, ({ area }) => area),
]

type Template = Pick<OperationEntry, 'method' | 'path'>

export const nameOf = ({ method, path }: Template) => `${method.toUpperCase()} ${path}`

/** The names of the parameters in the path of an operation. */
export const paramsOf = ({ path }: Pick<OperationEntry, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** The path of an operation with its parameters filled in. */
export const pathWith = (
  { path }: Pick<OperationEntry, 'path'>,
  given: Record<string, string>,
  otherwise = '',
): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? otherwise)

/**
 * The operations with a sample, in the order in which the samples can be sent one after the other; of a part of them,
 * with those that must come first.
 */
export function inOrder(samples: Record<string, { after?: string }>): OperationEntry[] {
  const order = new Map(Object.keys(samples).map((operationId, at) => [operationId, at]))
  const chosenIds = operations.map(({ operationId }) => operationId)
  const needed = new Set(chosenIds.flatMap((one) => [samples[one]?.after ?? one, one]))
  const placeOf = ({ operationId }: OperationEntry) => order.get(operationId) ?? -1
  return allOperations()
    .filter((operation) => needed.has(operation.operationId) && placeOf(operation) >= 0)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}
