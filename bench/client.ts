/** The process that makes the load: plain HTTP over keep-alive connections, told what to do by messages. */
import { Agent, request } from 'node:http'

export interface Load {
  /** Asked in turn. */
  urls: string[]
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /** `{n}` in it becomes a number that no other request has. */
  body?: string
  connections: number
  ms: number
}

export interface Outcome {
  perSecond: number
  /** Milliseconds. */
  median: number
  p99: number
  failed: number
}

export async function run(load: Load): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
  const times: number[] = []
  let failed = 0
  const startedAt = performance.now()
  const end = startedAt + load.ms
  const worker = async () => {
    for (let now = startedAt; now < end;) {
      const status = await send(load, agent)
      const after = performance.now()
      times.push(after - now)
      failed += status < 300 ? 0 : 1
      now = after
    }
  }
  await Promise.all(Array.from({ length: load.connections }, worker))
  agent.destroy()
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { perSecond: times.length / seconds, median: at(0.5), p99: at(0.99), failed }
}

let sent = 0

function send({ urls, method, headers, body }: Load, agent: Agent): Promise<number> {
  const n = sent++
  const url = urls[n % urls.length] ?? ''
  return new Promise<number>((resolve, reject) => {
    const call = request(url, { method, headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    call.once('error', reject).end(body?.replaceAll('{n}', String(n)))
  })
}

process.on('message', (load: Load) => {
  void run(load).then((outcome) => process.send?.(outcome))
})
