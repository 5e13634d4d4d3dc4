import type { Permission } from '../domain/permissions.ts'
export type Access = Permission | 'public'

/** The entry of an operation in the table behind access, reference and 405. */
export interface OperationEntry {
  method: string
  /** OpenAPI form: `/account/{id}`. */
  path: string
  operationId: string
  summary: string
  area: string
  access: Access
}

const operations: OperationEntry[] = []

/** In the order the modules loaded. */
export const allOperations = (): readonly OperationEntry[] => operations

export function registerOperation(operation: OperationEntry): void {
  operations.push(operation)
}

/** The paths that answer GET without being an operation of the interface. */
export const PAGES = { front: '/', document: '/swagger/doc.json', reader: '/swagger/index.html' }

/** The API description. Behind a release, its host serves it from a file, as the release has none. */
export const DESCRIPTION = '/openapi.json'

let patterns: { pattern: RegExp; method: string }[] | undefined

/** The methods that a path answers, `HEAD` included where there is `GET`. */
export function methodsOf(path: string): string[] {
  patterns ??= [
    ...operations,
    ...Object.values(PAGES).map((page) => ({ path: page, method: 'get' })),
  ].map(({ path: template, method }) => ({
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    method: method.toUpperCase(),
  }))
  const methods = new Set(
    patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
  )
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
