import openapi from '../../openapi.json?raw'
import { faultOfCode } from './codes.ts'
import { faultsIn, type Schema } from './json-schema.ts'

type Content = Record<string, { schema?: Schema }>

export interface Parameter {
  name: string
  in: string
  schema: Schema
  example?: unknown
}

/** An operation as openapi.json has it. */
interface DescribedResponse {
  content?: Content
  headers?: Record<string, object>
}

export interface Described {
  method: string
  path: string
  operationId: string
  isPublic: boolean
  parameters: Parameter[]
  body: Content | undefined
  responses: Record<string, DescribedResponse>
}

interface Reference {
  $ref: string
}

interface Raw {
  operationId: string
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Content }
  responses: Record<string, DescribedResponse | Reference>
  'x-access'?: string
}

interface Document {
  paths: Record<string, Record<string, Raw>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, DescribedResponse>
  }
}

const document = JSON.parse(openapi) as Document

export const { schemas } = document.components

/** A part of an operation, also where it is described under `components`. */
function partOf<Part extends object>(part: Part | Reference, shared: Record<string, Part>): Part {
  const found = '$ref' in part ? shared[part.$ref.split('/').at(-1) ?? ''] : part
  if (!found) {
    throw new Error(`openapi.json refers to what it does not have: ${JSON.stringify(part)}`)
  }
  return found
}

export const described: Described[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const { operationId, parameters = [], requestBody, responses } = operation
    const shared = document.components
    return {
      method,
      path,
      operationId,
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, one]) => [status, partOf(one, shared.responses)]),
      ),
      isPublic: operation['x-access'] === 'public',
      parameters: parameters.map((one) => partOf(one, shared.parameters)),
      body: requestBody?.content,
    }
  }),
)

/** The fields of a JSON body, of all that it consists of. */
export function fieldsOf({ $ref, allOf = [], properties }: Schema): Record<string, Schema> {
  const referred = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
  return Object.assign({}, properties, ...[...(referred ? [referred] : []), ...allOf].map(fieldsOf))
}

/** The fields that a JSON body must have, of all that it consists of. */
export function requiredOf({ $ref, allOf = [], required = [] }: Schema): string[] {
  const referred = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
  return [...required, ...[...(referred ? [referred] : []), ...allOf].flatMap(requiredOf)]
}

const byId = new Map(described.map((operation) => [operation.operationId, operation]))

export function operationOf(operationId: string): Described {
  const found = byId.get(operationId)
  if (!found) {
    throw new Error(`openapi.json has no ${operationId}: \`npm run openapi\` writes it anew`)
  }
  return found
}

/** The names of the parameters that an operation takes in its query. */
export const queriesOf = (operationId: string): string[] =>
  operationOf(operationId)
    .parameters.filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name)

/** What the description says of files, each of which is sent with its own type. */
const FILE = '*/*'

const JSON_TYPE = 'application/json'

/** Faults of one answer: those of the items of a list are many. */
const MOST_REPORTED = 3

/** What is wrong with an answer: a status, type or field that is not described, or an error of another shape. */
export async function faultsOf(operation: Described, response: Response): Promise<string[]> {
  return faultsOfRead(operation, response, await textOf(response))
}

/** The body of a response as a text, also where it is a file. */
export const textOf = async (response: Response): Promise<string> =>
  new TextDecoder().decode(await response.arrayBuffer())

/** `faultsOf` a response whose body was read. */
export function faultsOfRead(
  operation: Described,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): string[] {
  const type = headers.get('Content-Type')?.split(';')[0] ?? null
  const answer = `${operation.operationId} answers ${status} ${text.slice(0, 300)}`
  const found = [
    ...faults(operation, status, type, text),
    ...faultsOfTag(operation, status, headers),
  ]
  return found.slice(0, MOST_REPORTED).map((fault) => `${answer}: ${fault}`)
}

/** One thing that has a version has an ETag, and the description says so. */
function faultsOfTag({ responses }: Described, status: number, headers: Headers): string[] {
  const { content, headers: declared = {} } = responses[status] ?? {}
  return content?.['application/json'] && headers.has('ETag') && !('ETag' in declared)
    ? ['the header ETag is not declared']
    : []
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
  if (type !== null && (content[FILE] || (status < 300 && content[type] && type !== JSON_TYPE))) {
    return []
  }
  if (type !== 'application/json' || !content[type]) {
    return [`the type is ${type}`]
  }
  const body: unknown = JSON.parse(text)
  return [
    ...faultsIn(content[type].schema ?? {}, body, schemas),
    ...[faultOfCode(operation.operationId, status, body) ?? []].flat(),
    ...(status < 400 ? [] : faultsOfError(operation, body as { issues?: Issue[] })),
  ]
}

interface Issue {
  field?: string
  code: string
  message: string
}

/** The one shape of every error, whatever the description says of it; those of administrators hold only texts. */
function faultsOfError({ path }: Described, { issues, ...body }: { issues?: Issue[] }): string[] {
  const missing = ['error', 'code', 'requestId'].filter((name) => !(name in body))
  const inexact = Object.entries(body).filter(([, value]) => typeof value !== 'string')
  return [
    ...[...missing, ...inexact.map(([name]) => name)].map((name) => `${name} is no text`),
    ...(issues && path.startsWith('/admin/') ? ['issues is no text'] : []),
    ...faultsOfWords(body as { error?: string; field?: string }, issues),
  ]
}

/** What the schema library says where nothing of ours is said instead. */
const NOT_OURS = /Invalid|expected|received|Too (small|big)|Unrecognized/

function faultsOfWords(
  { error = '', field }: { error?: string; field?: string },
  issues?: Issue[],
) {
  const sentences = [error, ...(issues ?? []).map(({ message }) => message)]
  const odd = sentences.filter((one) => !/[.?]$/.test(one) || NOT_OURS.test(one))
  const [first] = issues ?? []
  const differs = first && (first.message !== error || first.field !== field)
  return [
    ...odd.map((one) => `"${one}" is no sentence of ours`),
    ...(differs ? ['the first issue is not what error and field say'] : []),
  ]
}
