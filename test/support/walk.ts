import type { OperationEntry } from '../../src/http/registry.ts'
import { secretsIn } from './canaries.ts'
import { faultsOfRead, operationOf, textOf } from './described.ts'
import { listQueriesOf } from './list-queries.ts'
import { inOrder } from './operations.ts'
import { type Heard, overheardDatabase } from './plans.ts'
import { costOf, type Sample, type Samples, samplesOf, sendSample } from './samples.ts'
import { raiseNumbersOfLog, showsNumberOfLog } from './numbers.ts'
import { serviceWith } from './service.ts'

/** What was seen of an operation that was asked well. */
export interface Visit {
  operation: OperationEntry
  /** How its answer fails, or differs from its description. */
  faults: string[]
  trips: number
  rowsWritten: number
  /** The kinds of secrets that its answer shows. */
  secrets: string[]
  /** Whether its answer shows a number of the log. */
  showsNumbers: boolean
}

export interface Walk {
  samples: Samples
  visits: Visit[]
  /** Every statement that was sent, with the operation that sent it first. */
  heard: Heard
}

/**
 * Asks every operation once as its sample has it, and every list in all its ways, and keeps what was seen. One walk is
 * enough for all rules that hold for what succeeds.
 */
export async function walk(): Promise<Walk> {
  await raiseNumbersOfLog()
  const { me, samples } = await samplesOf()
  const { database, heard, attend } = overheardDatabase()
  const service = serviceWith({ env: { DB: database } })

  const ask = async (operation: OperationEntry, sample: Sample) => {
    const response = await sendSample(me, operation, sample, service.fetch)
    return { response, text: await textOf(response) }
  }

  async function visit(operation: OperationEntry, sample: Sample): Promise<Visit> {
    attend(operation.operationId)
    const { response, text } = await ask(operation, sample)
    const { trips, rowsWritten } = costOf(response.headers)
    return {
      ...{ operation, trips, rowsWritten },
      faults: [
        ...(response.status < 300
          ? []
          : [
              `${operation.operationId} is refused. Correct its request in test/support/samples.ts: ${text}`,
            ]),
        ...faultsOfRead(operationOf(operation.operationId), response, text),
      ],
      secrets: secretsIn(text),
      showsNumbers: showsNumberOfLog(text),
    }
  }

  /** A list in one of its ways, and its second page where there is one. */
  async function page(operation: OperationEntry, sample: Sample, query: string): Promise<void> {
    attend(`${operation.operationId} ${query}`)
    const separator = query === '' ? '?' : '&'
    const first = await ask(operation, { ...sample, query: `${query}${separator}limit=1` })
    if (first.response.status === 400) {
      await ask(operation, { ...sample, query })
      return
    }
    const next = nextOf(first)
    if (next) {
      const more = `limit=1&cursor=${encodeURIComponent(next)}`
      await ask(operation, { ...sample, query: `${query}${separator}${more}` })
    }
  }

  const visits: Visit[] = []
  for (const operation of inOrder(samples)) {
    const sample = samples[operation.operationId] ?? {}
    visits.push(await visit(operation, sample))
    if (operation.method === 'get') {
      for (const query of listQueriesOf(operation, samples)) {
        await page(operation, sample, query)
      }
    }
  }
  return { samples, visits, heard }
}

/** The cursor of the next page: in JSON, or of a table in its `Link`. */
function nextOf({ response, text }: { response: Response; text: string }): string | undefined {
  const link = /[?&]cursor=([^&>]*)/.exec(response.headers.get('Link') ?? '')?.[1]
  if (link !== undefined) {
    return decodeURIComponent(link)
  }
  const isJson = response.headers.get('Content-Type')?.includes('json') ?? false
  return response.ok && isJson
    ? (JSON.parse(text) as { nextCursor?: string }).nextCursor
    : undefined
}
