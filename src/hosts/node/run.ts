import { setTimeout as pause } from 'node:timers/promises'
import { printTo } from '../../platform/logger.ts'
import { type Host, startHost } from './host.ts'
import { printerOf, failureReason } from './output.ts'
import { type HttpServer, publicOriginOf, serveHttp } from './server.ts'

/** The time that requests and tasks may take to end once the process is asked to stop. */
const STOP_MS = 25_000

interface RunOptions {
  data: string
  migrations: string
  /** Runs before the service opens the data folder, when it has its port. */
  prepare?: (data: string) => Promise<void>
  /** Called once requests are answered. */
  onReady: (url: string) => void
  /** Stands in front of the service. */
  around?: (fetch: Host['fetch']) => Host['fetch']
}

/** Runs the service as this process, as the environment says, until SIGTERM or SIGINT. */
export async function run(options: RunOptions): Promise<void> {
  const { data, migrations, prepare, onReady, around } = options
  const { env } = process
  printTo(printerOf(process.stdout))
  const [host = '127.0.0.1', port] = [env['HOST'], portOf(env['PORT'])]
  const origin = originOf(env['PUBLIC_URL'])
  const started = Promise.withResolvers<Host['fetch']>()
  // First of all, so that a service whose port is taken writes and sends nothing. Requests wait until it has started.
  const answer: Host['fetch'] = async (...request) => (await started.promise)(...request)
  const server = await serveHttp(answer, host, port, origin).catch(refuse)
  await prepare?.(data).catch(refuse)
  const service = await startHost({ data, migrations, variables: env }).catch(refuse)
  started.resolve(around ? around(service.fetch) : service.fetch)
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal means that the operator does not want to wait.
      if (isStopping) {
        process.exit(1)
      }
      isStopping = true
      void stop(server, service)
    })
  }
  onReady(server.url)
}

async function stop(server: HttpServer, service: Host): Promise<never> {
  const ended = server.close().then(service.stop)
  await Promise.race([ended, pause(STOP_MS)])
  // Unfinished work is rolled back, and tasks are taken up again.
  process.exit(0)
}

function portOf(text = '8888'): number {
  const port = Number(text)
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : refuse(new Error('PORT must be a whole number from 0 to 65535.'))
}

function originOf(address: string | undefined): string | undefined {
  try {
    return publicOriginOf(address)
  } catch (error) {
    return refuse(error)
  }
}

/** Says why the service does not start. */
function refuse(error: unknown): never {
  process.stderr.write(`${failureReason(error)}\n`)
  process.exit(1)
}
