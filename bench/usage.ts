import { readdirSync, readFileSync } from 'node:fs'

/** What the system says of a process: NaN where it does not. */
export interface Usage {
  /** Seconds for which it has computed, the system's work for it included. */
  cpuSeconds: () => number
  /** The most memory that it has had, in MiB. */
  peakMiB: () => number
}

/** Ticks of a second, as Linux counts them for programs. */
const TICKS = 100

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export const usageOf = (pid: number): Usage => ({
  cpuSeconds: () => {
    // Its name is in brackets, and may have spaces.
    const fields = contentOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  },
  peakMiB: () => Number(/VmHWM:\s+(\d+)/.exec(contentOf(`/proc/${pid}/status`))?.[1]) / 1024,
})

/** The processes that this one has started and that run. */
export const children = (): Set<number> =>
  new Set(
    readdirSync('/proc/self/task').flatMap((thread) =>
      contentOf(`/proc/self/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
    ),
  )

/** Watches the heap of V8 through its inspector; gives what ends that, with the most MiB that were seen in use. */
export async function watchHeap(port: number): Promise<() => number> {
  const found = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = await found.json<{ webSocketDebuggerUrl: string }[]>()
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  })
  let most = 0
  socket.addEventListener('message', ({ data }) => {
    const { result } = JSON.parse(String(data)) as { result?: Record<string, number> }
    const { usedSize = 0, backingStorageSize = 0 } = result ?? {}
    most = Math.max(most, usedSize + backingStorageSize)
  })
  let id = 0
  const asking = setInterval(
    () => socket.send(JSON.stringify({ id: ++id, method: 'Runtime.getHeapUsage' })),
    50,
  )
  return () => {
    clearInterval(asking)
    socket.close()
    return most / 1024 / 1024
  }
}
