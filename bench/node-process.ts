import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { usageOf } from './usage.ts'

/** The release for Node as a process of its own. */
export interface NodeProcess {
  url: string
  pid: number
  /** From its start to its first answer. */
  startedInMs: number
  /** The most memory that it has had, in MiB; NaN where the system does not tell. */
  peakMiB: () => number
  stop: () => Promise<void>
}

/** As `npm start` and the container start it: V8 keeps less memory than it would on a large machine. */
const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  '--initial-old-space-size=64',
]

/** @param log where it logs to, as a process manager would have it */
export async function startNode(
  entry: string,
  data: string,
  log: string,
  variables: Record<string, string>,
  flags: string[] = [],
): Promise<NodeProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const output = openSync(log, 'a')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...FLAGS, ...flags, entry], {
    env: {
      ...process.env,
      MALLOC_ARENA_MAX: '2',
      COFFER_DATA: data,
      PORT: String(port),
      ...variables,
    },
    stdio: ['ignore', output, 'inherit'],
  })
  closeSync(output)
  const pid = child.pid ?? 0
  while (!(await answers(url))) {
    if (child.exitCode !== null) {
      throw new Error(`the release for Node ended with ${child.exitCode}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return {
    url,
    pid,
    startedInMs: performance.now() - startedAt,
    peakMiB: usageOf(pid).peakMiB,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const answers = (url: string) =>
  fetch(`${url}/health`).then(
    async (answer) => (await answer.text()) !== '' && answer.ok,
    () => false,
  )

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
