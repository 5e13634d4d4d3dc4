/**
 * `npm run new:area money/savings-goals`: writes a new area that already works, with the five operations of a simple resource, its
 * table, its permissions, its test and its line in every list of areas. With `--reader` it also reacts to events of others.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { filesOf, namesOf } from './lib/area-templates.ts'
import { inProject } from './lib/project.ts'
import type { AreaNames } from './lib/reader-templates.ts'

const [path = '', ...options] = process.argv.slice(2)
const [, district = '', name = ''] = /^([a-z-]+)\/([a-z]+(?:-[a-z]+)*s)$/.exec(path) ?? []
if (name === '') {
  fail('Name a district and a plural in lower case: npm run new:area money/savings-goals')
}
if (options.some((option) => option !== '--reader')) {
  fail('The only option is --reader: the area also reacts to events of others.')
}
const districts = readdirSync(inProject('src/areas')).filter((one) => !one.endsWith('.ts'))
if (!districts.includes(district)) {
  fail(`There is no district ${district}. There are ${districts.join(', ')}.`)
}
if (districts.some((one) => existsSync(inProject('src/areas', one, name)))) {
  fail(`There is an area ${name} already.`)
}
const names = namesOf(district, name, options.includes('--reader'))
const ids = isPrefixTaken(names.prefix)
  ? `Ids with the prefix ${names.prefix}_ exist already: choose another one in ${name}.contract.ts, ${name}.routes.ts, ${name}.usecases.ts and ${name}.data.ts.\n`
  : ''
const written = Object.entries(filesOf(names)).map(([file, text]) => write(file, text))
const changed = enlist(names)
spawnSync(inProject('node_modules/.bin/oxfmt'), [...written, ...changed], {
  cwd: inProject(),
  stdio: 'ignore',
})

console.log(`Written:
${written.map((file) => `  ${file}`).join('\n')}
A line each in:
${changed.map((file) => `  ${file}`).join('\n')}

Next, so that it works as it is:
  npm run db:generate ${name}      (and read the SQL)
  npm run openapi
  npm run try -- ${name}
${ids}Make it what it should be. Its rows are erased with their owner, wiped and in backups already; put some into
test/areas/own-user/owners.fixtures.ts, so that the tests look for what is left of them (remains.test.ts names the columns).
A new field also needs its check in \`holds\` of ${name}.data.ts, and if it is required, values in test/support/samples.ts and
${examplesOf(district)}. To change the table before the migration is on main, make the migration again, as CONTRIBUTING.md says.
If what is deleted belongs in the trash, follow docs/internals/trash.md.
CONTRIBUTING.md lists the tests that a new table must pass; npm run try leaves them out. At the end:
npx vitest run test/arch/migrations.test.ts -u (the list of tables), a line in CHANGELOG.md, npm run verify.`)

/** True if other areas make ids with this prefix. */
function isPrefixTaken(prefix: string): boolean {
  const made = new RegExp(`(?:\\(ctx, |prefix: )'${prefix}'`)
  return readdirSync(inProject('src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .some((file) => made.test(readFileSync(inProject('src', file), 'utf8')))
}

function write(file: string, text: string): string {
  mkdirSync(dirname(inProject(file)), { recursive: true })
  writeFileSync(inProject(file), text, { flag: 'wx' })
  return file
}

/** The area's line in each list that names all areas. */
function enlist(names: AreaNames): string[] {
  const { district, area, camel, camelOne, title, one, many, operations } = names
  const index = `src/areas/${district}/index.ts`
  const examples = examplesOf(district)
  return [
    insertBefore(index, '\n/**', `import { ${camel}Area } from './${area}/${area}.area.ts'\n`),
    append(index, `${camel}Area`),
    insertBefore(
      'src/areas/owned-data.ts',
      '\n/**\n * The declarations of all areas',
      `import { ${camelOne}Data } from './${district}/${area}/${area}.data.ts'\n`,
    ),
    // Nothing refers to it yet, and it refers to users alone.
    insertBefore('src/areas/owned-data.ts', '  sharingData,\n', `  ${camelOne}Data,\n`),
    insertBefore('src/domain/owned-data.ts', "  'preferences',\n", `  '${camel}',\n`),
    insertBefore(
      'src/domain/permissions.ts',
      '} as const satisfies Record',
      `  '${camel}.read': { area: '${title}', description: 'See ${many}' },
  '${camel}.write': { area: '${title}', description: 'Create and change ${many}' },\n`,
    ),
    insertBefore(
      'test/support/samples.ts',
      '      // Last, as it ends the session.',
      `      ${operations.list}: {},
      ${operations.create}: { json: { name: 'My other ${one}' } },
      ${operations.get}: of(${camelOne}.id),
      ${operations.update}: of(${camelOne}.id, { json: { name: 'My ${one}' } }),
      ${operations.delete}: of(${camelOne}.id),\n`,
    ),
    insertBefore(
      'test/support/samples.ts',
      "  const tag = await make('/tag',",
      `  const ${camelOne} = await make('${names.path}', { name: 'My first ${one}' })\n`,
    ),
    addErrorCode(operations.create, `${camel}.nameTaken`),
    addErrorCode(operations.delete, `${camel}.notFound`),
    addErrorCode(operations.get, `${camel}.notFound`),
    addErrorCode(operations.update, `${camel}.nameTaken ${camel}.notFound`),
    insertBefore(
      'src/http/description/tags.json',
      '\n]\n',
      `,\n  { "name": "${title}", "description": "Lists, creates and changes ${many}." }`,
    ),
    insertBefore(
      examples,
      '\n}\n',
      `,\n  "${operations.create}": { "name": "My ${one}" },\n  "${operations.update}": { "name": "My ${one}" }`,
    ),
    // The demo data has no such row, whose id an example could name.
    insertBefore(
      'src/http/description/examples.ts',
      "  ...['undoMovement',",
      `  ...['${operations.get}', '${operations.update}', '${operations.delete}'],\n`,
    ),
  ].filter((file, at, all) => all.indexOf(file) === at)
}

/** The file with the examples of a district: one of its own, if there is one. */
function examplesOf(district: string): string {
  const own = `src/http/description/examples/${district}.json`
  return existsSync(inProject(own)) ? own : 'src/http/description/examples/others.json'
}

function addErrorCode(operationId: string, code: string): string {
  const file = 'src/http/description/error-codes.json'
  const codes = JSON.parse(readFileSync(inProject(file), 'utf8')) as Record<string, string>
  const entries = Object.entries({ ...codes, [operationId]: code })
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(inProject(file), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  return file
}

function insertBefore(file: string, anchor: string, text: string): string {
  const before = readFileSync(inProject(file), 'utf8')
  if (!before.includes(anchor)) {
    fail(`${file} has no longer the place where an area is entered: ${anchor.trim()}`)
  }
  writeFileSync(
    inProject(file),
    before.replace(anchor, () => text + anchor),
  )
  return file
}

/** Puts a name at the end of the list that ends a file. */
function append(file: string, name: string): string {
  const before = readFileSync(inProject(file), 'utf8')
  writeFileSync(inProject(file), before.replace(/,?\s*\]\n$/, `, ${name}]\n`))
  return file
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
