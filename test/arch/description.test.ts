import { expect, it } from 'vitest'
import { runScript } from '../support/running.ts'

it('is committed as the code gives it: openapi.json, the errors and the table of permissions', async () => {
  const { code, printed } = await runScript('scripts/write-openapi.ts', ['--check'])
  expect([printed, code]).toEqual(['', 0])
})
