import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { runScript, temporaryFolder } from '../support/running.ts'
import { files } from './migrated-rows.ts'

const copy = temporaryFolder()
afterAll(() => copy.remove())

it('the migrations say all that drizzle/ says', async () => {
  for (const entry of ['drizzle', 'migrations', 'scripts', 'package.json']) {
    cpSync(inProject(entry), join(copy.path, entry), { recursive: true })
  }
  symlinkSync(inProject('node_modules'), join(copy.path, 'node_modules'))
  const { code, printed } = await runScript('scripts/generate-migration.ts', [], {
    cwd: copy.path,
    env: { PATH: `${inProject('node_modules/.bin')}:${process.env['PATH']}` },
  })
  expect(code, printed).toBe(0)
  expect(
    readdirSync(join(copy.path, 'migrations')).filter((name) => name.endsWith('.sql')),
  ).toEqual(files)
})
