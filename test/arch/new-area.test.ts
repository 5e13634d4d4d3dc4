import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { runScript, temporaryFolder } from '../support/running.ts'

const TREE = [
  ...['bench', 'drizzle', 'migrations', 'scripts', 'src', 'test'],
  ...['.oxfmtrc.json', '.oxlintrc.json', 'package.json', 'tsconfig.json', 'vitest.config.ts'],
  ...['worker-configuration.d.ts', 'wrangler.toml'],
]

const copy = temporaryFolder()
afterAll(copy.remove)

/** What a program printed in the copy when it failed; nothing when it did not. */
async function failureOf(path: string, ...args: string[]): Promise<string> {
  const env = { PATH: `${inProject('node_modules/.bin')}:${process.env['PATH']}`, NO_COLOR: '1' }
  const { code, printed } = await runScript(path, args, { cwd: copy.path, env })
  return code === 0 ? '' : printed
}

it('writes an area that type checks, lints and passes its own test without an edit', async () => {
  for (const entry of TREE) {
    cpSync(inProject(entry), join(copy.path, entry), { recursive: true })
  }
  symlinkSync(inProject('node_modules'), join(copy.path, 'node_modules'))

  const written = [
    'drizzle/schema/savings-goals.ts',
    'src/areas/savings-goals',
    'src/areas/index.ts',
  ]
  const tests = 'test/areas/savings-goals'
  for (const [program, ...args] of [
    ['scripts/new-area.ts', 'savings-goals'],
    ['scripts/generate-migration.ts', 'savings-goals'],
    // Types of what was written alone: all others are checked where they are.
    ['node_modules/.bin/oxlint', '--type-check', ...written, tests, 'test/support/samples.ts'],
    ['node_modules/.bin/oxfmt', '--check', ...written, 'src/domain/permissions.ts'],
    ['node_modules/.bin/vitest', 'run', '--project', 'areas', tests],
  ] as const) {
    expect(await failureOf(program, ...args), program).toBe('')
  }
})

it('refuses a name that is taken, or that is no plural in lower case', async () => {
  for (const name of ['accounts', 'SavingsGoals', 'savings_goals', 'goal', '../etc', '']) {
    const { code } = await runScript('scripts/new-area.ts', [name], { cwd: copy.path })
    expect([name, code]).toEqual([name, 1])
  }
})
