import openapi from '../../openapi.json?raw'

// Which errors an operation answers with: what tests see is held against `x-error-codes`, and `npm test` holds
// `x-error-codes` against what all tests together have seen.

interface Operation {
  operationId: string
  'x-error-codes'?: string[]
}

const { paths } = JSON.parse(openapi) as { paths: Record<string, Record<string, Operation>> }
const noted = new Set<string>()

/** Appends what is new to the file that COFFER_CODES names, for scripts/lib/error-codes.ts. */
function note(operationId: string, code: string): void {
  const file = process.env['COFFER_CODES']
  const line = `${operationId} ${code}\n`
  if (file && !noted.has(line)) {
    noted.add(line)
    process.getBuiltinModule('node:fs').appendFileSync(file, line)
  }
}

interface Asked {
  method: string
  path: string
}

/** What is wrong with the code of an answer, if anything; failures are of no operation. */
export function faultOfCode(
  { method, path }: Asked,
  status: number,
  body: unknown,
): string | undefined {
  const operation = paths[path]?.[method.toLowerCase()]
  const { code } = (body ?? {}) as { code?: unknown }
  if (!operation || status < 400 || status >= 500 || typeof code !== 'string') {
    return undefined
  }
  note(operation.operationId, code)
  const isRecording = process.env['COFFER_CODES_RECORD'] === '1'
  return isRecording || operation['x-error-codes']?.includes(code)
    ? undefined
    : `${operation.operationId} does not declare ${code}: see src/http/error-codes.data.ts`
}
