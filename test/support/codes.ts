import openapi from '../../openapi.json?raw'

// Which errors an operation answers with: what tests see is held against `x-error-codes`, and `npm run errors
// -- --check` holds these against what all tests together have seen.

interface Operation {
  operationId: string
  'x-error-codes'?: string[]
}

const { paths } = JSON.parse(openapi) as { paths: Record<string, Record<string, Operation>> }
const byId = new Map(
  Object.values(paths).flatMap((item) =>
    Object.values(item).map((one) => [one.operationId, one] as const),
  ),
)
/** Of another spelling of its path, or another method. */
const OF_NO_OPERATION = ['request.unknownRoute', 'request.methodNotAllowed']

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

/** What is wrong with the code of an answer, if anything; failures are of no operation. */
export function faultOfCode(
  operationId: string,
  status: number,
  body: unknown,
): string | undefined {
  const operation = byId.get(operationId)
  const { code } = (body ?? {}) as { code?: unknown }
  if (typeof code !== 'string' || code.startsWith('test.') || OF_NO_OPERATION.includes(code)) {
    return undefined
  }
  if (status < 400 || status >= 500) {
    return undefined
  }
  if (!operation) {
    // An answer of no operation is told by its method and path.
    return operationId.includes(' ')
      ? undefined
      : `openapi.json has no ${operationId} yet, so that nothing is known of its errors: npm run openapi`
  }
  note(operation.operationId, code)
  const isRecording = process.env['COFFER_CODES_RECORD'] === '1'
  return isRecording || operation['x-error-codes']?.includes(code)
    ? undefined
    : `${operation.operationId} does not declare ${code}: see src/http/description/error-codes.json`
}
