import { readFileSync } from 'node:fs'
import { inProject } from '../../scripts/lib/project.ts'
import { faultsIn, type Schema } from './json-schema.ts'

type Content = Record<string, { schema?: Schema }>

export interface Parameter {
  name: string
  in: string
  schema: Schema
}

/** An operation as openapi.json has it. */
export interface Described {
  method: string
  path: string
  operationId: string
  isPublic: boolean
  parameters: Parameter[]
  body: Content | undefined
  responses: Record<string, { content?: Content }>
}

interface Document {
  paths: Record<string, Record<string, object>>
  components: { schemas: Record<string, Schema> }
}

const document = JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')) as Document

export const { schemas } = document.components

export const described: Described[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const { operationId, parameters, requestBody, responses, ...rest } = operation as Described & {
      requestBody?: { content: Content }
      'x-access': string
    }
    return {
      method,
      path,
      operationId,
      responses,
      isPublic: rest['x-access'] === 'public',
      parameters: parameters ?? [],
      body: requestBody?.content,
    }
  }),
)

/** The fields of a JSON body, of all that it consists of. */
export function fieldsOf({ $ref, allOf = [], properties }: Schema): Record<string, Schema> {
  const referred = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
  return Object.assign({}, properties, ...[...(referred ? [referred] : []), ...allOf].map(fieldsOf))
}

export function operationOf(operationId: string): Described {
  const found = described.find((one) => one.operationId === operationId)
  if (!found) {
    throw new Error(`openapi.json has no ${operationId}`)
  }
  return found
}

/** What the description says of bytes, each of which has the type of its own. */
const FILE = 'application/octet-stream'

/** Faults of one answer: those of the items of a list are many. */
const MOST_TOLD = 3

/** What is wrong with an answer: a status, type or field that is not described, or an error of another shape. */
export async function faultsOf(operation: Described, response: Response): Promise<string[]> {
  const text = await response.text()
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? null
  const found = faults(operation, response.status, type, text)
  const answer = `${operation.operationId} answers ${response.status} ${text.slice(0, 300)}`
  return found.slice(0, MOST_TOLD).map((fault) => `${answer}: ${fault}`)
}

function faults(operation: Described, status: number, type: string | null, text: string): string[] {
  const declared = operation.responses[status]
  if (!declared || status >= 500) {
    return ['the status is not declared, or fails']
  }
  const content = declared.content
  if (!content) {
    return text === '' && type === null ? [] : ['there is a body']
  }
  if (content[FILE] && type !== null) {
    return []
  }
  if (type !== 'application/json' || !content[type]) {
    return [`the type is ${type}`]
  }
  const body: unknown = JSON.parse(text)
  return [
    ...faultsIn(content[type].schema ?? {}, body, schemas),
    ...(status < 400 ? [] : faultsOfError(body as object)),
  ]
}

/** The one shape of every error, whatever the description says of it. */
function faultsOfError(body: object): string[] {
  const missing = ['error', 'code', 'requestId'].filter((name) => !(name in body))
  const inexact = Object.entries(body).filter(([, value]) => typeof value !== 'string')
  return [...missing, ...inexact.map(([name]) => name)].map((name) => `${name} is no text`)
}
