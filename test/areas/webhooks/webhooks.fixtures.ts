import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { work } from '../../../src/areas/index.ts'
import {
  createWebhook,
  listDeliveries,
} from '../../../src/areas/events/webhooks/webhooks.routes.ts'
import { dispatchReader } from '../../../src/areas/events/webhooks/webhooks.readers.ts'
import { SEND, startSending } from '../../../src/areas/events/webhooks/sending.usecases.ts'
import { systemPorts } from '../../../src/platform/context.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { runReaders } from '../../../src/platform/work/readers.ts'
import { consume } from '../../../src/platform/work/tasks.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: { type: string; timestamp: string; data: Record<string, unknown>; sequence: number }
}

/** More than anything here takes, so that nothing that fails goes on for ever. */
const MOST_RUNS = 200

type Answers = (request: Received, response: ServerResponse) => unknown

/** A service that may call a host on loopback, and what its queue and its clock do. */
export function serviceCalling(host: string) {
  const bindings = { ...env, OUTBOUND_ALLOW: host }
  const { call } = serviceWith({ env: { OUTBOUND_ALLOW: host } })

  const portsAt = (later: number) => ({ ...systemPorts, now: () => Date.now() + later })

  /** Has the reader write deliveries of what was committed. */
  const dispatchOnce = (later = 0) =>
    runReaders([dispatchReader], (operation) => systemContext(bindings, operation, portsAt(later)))
  const dispatch = async (later = 0) => {
    for (let run = 0; run < MOST_RUNS && (await isBehind()); run++) {
      await dispatchOnce(later)
    }
  }

  /** Has the queue do the tasks that are due so much later, and gives how many there were. */
  const sendDueTasks = async (later = 0) => {
    const due = await rows<{ id: string }>(
      "SELECT id FROM tasks WHERE kind = ? AND state IN ('queued', 'running') AND next_attempt_at <= ?",
      SEND,
      Date.now() + later,
    )
    const messages = due.map(({ id }) => ({ id, timestamp: new Date(), attempts: 1, body: id }))
    await consume(work, createMessageBatch('coffer-tasks', messages), bindings, portsAt(later))
    return due.length
  }

  /** Does all that the service does after a commit, and by the clock so much later. */
  const settle = async (later = 0) => {
    await dispatch(later)
    await startSending(systemContext(bindings, 'sweep', portsAt(later)))
    for (let run = 0; run < MOST_RUNS && (await sendDueTasks(later)) > 0; run++) {
      // A run leaves the rest to the next one.
    }
  }
  return { call, dispatchOnce, sendDueTasks, settle, bindings }
}

/** A server on loopback that receives what webhooks send, and a service that may send there. */
export async function openReceiver() {
  const received: Received[] = []
  let answers: Answers = (_, response) => response.writeHead(204).end()
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request
    const content = await text(request)
    const body = JSON.parse(content) as Received['body']
    const one = { path, headers, text: content, body }
    received.push(one)
    answers(one, response)
  }
  const server = createServer((request, response) => void receive(request, response))
  let connections = 0
  server.on('connection', () => (connections += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ ...serviceCalling(host), host, url: `http://${host}/hook`, received },
    connections: () => connections,
    answer: (next: Answers) => {
      answers = next
    },
    /** Answers everything with a status. */
    answerStatus: (status: number, headers: Record<string, string> = {}) => {
      answers = (_, response) => response.writeHead(status, headers).end('nobody reads this')
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

async function isBehind(): Promise<boolean> {
  const [row] = await rows<{ isBehind: number }>(
    `SELECT ifnull((SELECT cursor FROM log_readers WHERE name = ?), -1) < (SELECT max(number) FROM log_events)
      AS isBehind`,
    dispatchReader.name,
  )
  return row?.isBehind === 1
}

type Wanted = NonNullable<
  NonNullable<
    Parameters<typeof import('../../support/api.ts').call<typeof createWebhook>>[1]
  >['json']
>
export interface Hook {
  id: string
  secret: string
  version: number
  secretPrefix: string
}

/** Creates a webhook of all types at the receiver. */
export async function newHook(
  { call, url }: Pick<Receiver, 'call' | 'url'>,
  as: Principal,
  wanted: Partial<Wanted> = {},
): Promise<Hook> {
  const { status, body, error } = await call<Hook>(createWebhook, {
    as,
    json: { url, types: ['*'], ...wanted },
  })
  if (status !== 201) {
    throw new Error(`${status} ${JSON.stringify(error)}`)
  }
  return body
}

export const deliveriesOf = async (as: Principal, id: string, query: object = {}) =>
  (await ok(listDeliveries, { as, id, query: { limit: 200, ...query } })).deliveries
