import { inProject } from './project.ts'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'

export interface Runtime {
  url: string
  miniflare: Miniflare
  stop: () => Promise<void>
}

/** The options of the Worker in `wrangler.toml`, as JSON may hold them. */
export type WorkerOptions = object & { bindings?: Record<string, string> }

/** Reads it with wrangler, which takes a second to load: whoever starts many processes hands it to them. */
export async function workerOptionsOf(environment?: 'dev'): Promise<WorkerOptions> {
  const { unstable_getMiniflareWorkerOptions: read } = await import('wrangler')
  const { workerOptions } = read(inProject('wrangler.toml'), environment)
  const { rootPath: _sources, modulesRules: _rules, assets: _assets, ...worker } = workerOptions
  return worker
}

interface Options {
  /** One ES module: the whole Worker. */
  script: string
  /** The folder that `wrangler dev --persist-to` would be given. */
  data: string
  environment?: 'dev'
  /** The options of `wrangler.toml`, where they are known already. */
  worker?: WorkerOptions
  bindings?: Record<string, string>
  port?: number
  /** True if `/cdn-cgi/local/scheduled?cron=…` starts the scheduled work; for tests. */
  clockByHand?: boolean
  /** Gets what the Worker logs, one line at a time. */
  onLog?: (line: string) => void
  /** The port of the inspector of V8; for measurements. */
  inspector?: number
}

/** Starts a Worker with the bindings of wrangler.toml on loopback, without wrangler's own proxy. */
export async function startRuntime(options: Options): Promise<Runtime> {
  const worker = options.worker ?? (await workerOptionsOf(options.environment))
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...worker,
      bindings: { ...worker.bindings, ...options.bindings },
      modules: [{ type: 'ESModule', path: 'index.js', contents: options.script }],
      host: '127.0.0.1',
      port: options.port ?? 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      ...(options.inspector === undefined ? {} : { inspectorPort: options.inspector }),
      handleStructuredLogs: ({ message }) => options.onLog?.(message),
    }),
    ...(options.clockByHand ? { unsafeTriggerHandlers: true } : {}),
    resourcePersistencePath: `${options.data}/v3`,
  })
  const url = (await miniflare.ready).origin
  return { url, miniflare, stop: () => miniflare.dispose() }
}
