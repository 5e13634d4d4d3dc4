import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { namesOf } from '../../scripts/lib/area-templates.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { isProof } from '../support/rounds.ts'
import { runScript, temporaryFolder } from '../support/running.ts'

const TREE = [
  ...['bench', 'drizzle', 'migrations', 'scripts', 'src', 'test'],
  ...[
    '.oxfmtrc.json',
    '.oxlintrc.json',
    'openapi.json',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ],
  'wrangler.toml',
]

/** A test of the new area's data: without an edit they are erased with their owner, wiped, and in backups. */
const OWNED_TEST = `import { expect, it } from 'vitest'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { wipeData } from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { wipe } from '../../../src/areas/data-rights/own-user/erasure/erasure.usecases.ts'
import { createChoreList } from '../../../src/areas/sharing/chore-lists/chore-lists.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { contentsOf, make, rowsIn } from '../backups/archives.ts'
import { makeDue } from '../own-user/user-traces.fixtures.ts'

const listsOf = ({ id }: TestUser) => rows('SELECT id FROM chore_lists WHERE owner_id = ?', id)

it('is in the backup of its owner, and erased with them', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const list = await ok(createChoreList, { as: me, json: { name: 'Mine' } })
  await ok(createChoreList, { as: other, json: { name: 'Theirs' } })
  expect(rowsIn(await contentsOf(me, (await make(me)).id), 'choreLists')).toEqual([list])
  await makeDue(me)
  await eraseUserJob.run(contextWith(), { userId: me.id }, [])
  expect([await listsOf(me), await listsOf(other)]).toMatchObject([[], [{}]])
})

it('is wiped, but for what came later', async () => {
  const me = await newUser()
  const { id } = await ok(createChoreList, { as: me, json: { name: 'Old' } })
  await rows('UPDATE chore_lists SET created_at = 1 WHERE id = ?', id)
  const later = await ok(createChoreList, { as: me, json: { name: 'New' } })
  await ok(wipeData, { as: me, json: { kinds: ['choreLists'], password: me.password } })
  await rows("UPDATE tasks SET state = 'running' WHERE dedupe_key = ?", 'user.wipe ' + me.id)
  await wipe(contextWith(), { userId: me.id, kinds: ['choreLists'], requestedAt: 2, dueAt: 3 }, [])
  expect(await listsOf(me)).toEqual([{ id: later.id }])
})
`

/** The types of bindings, which a fresh checkout does not have. */
const BINDINGS = inProject('worker-configuration.d.ts')

/** Tests of violations that they plant themselves, which a new area does not change. */
const OF_PLANTED = ['unseen', 'the scanner']

const copy = temporaryFolder()
afterAll(copy.remove)

/** Only these files and what they import: otherwise the checker reads the whole project to check a few files. */
function includeOnly(...include: string[]): void {
  const path = join(copy.path, 'tsconfig.json')
  const config = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...config, include }))
}

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
  if (existsSync(BINDINGS)) {
    cpSync(BINDINGS, join(copy.path, basename(BINDINGS)))
  }

  const written = [
    'drizzle/schema/chore-lists.ts',
    'src/areas/sharing/chore-lists',
    'src/areas/sharing/index.ts',
    'src/areas/owned-data.ts',
  ]
  const tests = 'test/areas/chore-lists'
  const other = [tests, 'test/support/samples.ts']
  expect(await failureOf('scripts/new-area.ts', 'sharing/chore-lists', '--reader')).toBe('')
  writeFileSync(join(copy.path, tests, 'owned-data.test.ts'), OWNED_TEST)
  if (!isProof) {
    includeOnly('worker-configuration.d.ts', ...written, ...other)
  }
  for (const [program, ...args] of [
    ['scripts/generate-migration.ts', 'chore-lists'],
    ...(existsSync(BINDINGS)
      ? []
      : [['node_modules/.bin/wrangler', 'types', '--strict-vars=false'] as const]),
    // Types of what was written alone: all others are checked where they are.
    ['node_modules/.bin/oxlint', '--type-check', ...written, ...other],
    ['node_modules/.bin/oxfmt', '--check', ...written, 'src/domain/permissions.ts'],
    [
      ...(['node_modules/.bin/vitest', 'run', '--project', 'arch'] as const),
      ...['owned-data', 'operations', 'seams', 'imports'].map(
        (name) => `test/arch/${name}.test.ts`,
      ),
      // The whole service, which a copy loads for the first time. Tasks go through all areas, also through this one.
      ...(isProof
        ? ['--project', 'node', tests, 'test/sweeps/plans.test.ts']
        : ['--maxWorkers=1', `--testNamePattern=^(?!.*(?:${OF_PLANTED.join('|')}))`]),
    ],
  ] as const) {
    expect(await failureOf(program, ...args), program).toBe('')
  }
})

it.each([
  ['savings-goals', 'savings goal'],
  ['categories', 'category'],
  ['wishes', 'wish'],
  ['branches', 'branch'],
  ['boxes', 'box'],
  ['classes', 'class'],
  ['houses', 'house'],
])('names one of %s: a %s', (area, one) => {
  expect(namesOf('money', area, false).one).toBe(one)
})

it('refuses a name that is taken, or that is no plural in lower case', async () => {
  const names = [
    ...['money/accounts', 'money/tags', 'files/tags', 'nowhere/goals', 'chore-lists'],
    ...['money/ChoreLists', 'money/chore_lists', 'money/list', 'money/../etcs', '../etcs', ''],
  ]
  for (const name of names) {
    const { code } = await runScript('scripts/new-area.ts', [name], { cwd: copy.path })
    expect([name, code]).toEqual([name, 1])
  }
})
