import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { testWebhook } from '../../src/areas/events/webhooks/webhooks.routes.ts'
import { createTag } from '../../src/areas/money/tags/tags.routes.ts'
import { ok } from '../support/api.ts'
import { newUser } from '../support/world.ts'
import { newHook, serviceCalling } from '../areas/webhooks/webhooks.fixtures.ts'

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

it('the receiver of the guide verifies what it is sent, and prints each event once', async () => {
  const guide = readFileSync(inProject('docs/guides/clients.md'), 'utf8')
  const [, program = ''] = /## Being told of changes.*?```js\n(.*?)```/s.exec(guide) ?? []
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(30)
  const port = await freePort()
  const service = serviceCalling(`127.0.0.1:${port}`)
  const me = await newUser()
  const to = { call: service.call, url: `http://127.0.0.1:${port}/` }
  const { id, secret } = await newHook(to, me, { types: ['tag.*'] })
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: inProject(),
    env: { ...process.env, COFFER_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  try {
    while (!(await fetch(to.url).catch(() => undefined))) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const { body } = await service.call<{ status: number | null }>(testWebhook, { as: me, id })
    expect(body.status).toBe(204)
    const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
    await service.settle()
    const forged = await fetch(to.url, { method: 'POST', body: '{"type":"tag.created"}' })
    expect(forged.status).toBe(400)
    const ended = once(receiver.stdout, 'end')
    receiver.kill()
    await ended
    expect(printed).toBe(`0 webhook.test ${id}\n1 tag.created ${tag.id}\n`)
  } finally {
    receiver.kill()
  }
})
