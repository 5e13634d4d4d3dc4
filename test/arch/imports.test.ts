import { describe, expect, it } from 'vitest'
import { ENGINES, type Sources, violationsIn } from './scanner.ts'
import { readSources } from './sources.ts'

describe('the tree', () => {
  it('keeps every rule of the house', () => {
    expect(violationsIn(readSources())).toEqual([])
  })
})

describe('the keys of e-mail addresses', () => {
  it('are read and written by one area alone', () => {
    const touching = Object.entries(readSources())
      .filter(
        ([file]) => file.startsWith('src/') && !file.startsWith('src/areas/identity/addresses/'),
      )
      // Comments may quote what a database says of a broken UNIQUE.
      .filter(([, text]) => /email_?key/i.test(text.replaceAll(/^\s*\/?\*.*$/gm, '')))
    expect(touching.map(([file]) => file)).toEqual([])
  })
})

/** A small house in order, in which to plant one violation at a time. */
const HOUSE: Sources = {
  'src/areas/index.ts': `import { one } from './one/index.ts'
import { two } from './two/index.ts'
export const areas = [...one, ...two]
`,
  'src/areas/one/index.ts': `import { firstArea } from './first/first.area.ts'
import { secondArea } from './second/second.area.ts'
import { thirdArea } from './third/third.area.ts'
export const one: Area[] = [firstArea, secondArea, thirdArea]
`,
  'src/areas/two/index.ts': `import { fourthArea } from './fourth/fourth.area.ts'
export const two: Area[] = [fourthArea]
`,
  'src/areas/two/fourth/fourth.usecases.ts': `import { first } from '../../one/first/first.public.ts'
`,
  'src/areas/one/third/third.usecases.ts': `import { read } from '../../../platform/database/database.ts'
import { rule } from './third.rules.ts'
import { first } from '../first/first.public.ts'
import { second } from '../second/second.public.ts'
`,
  'src/areas/one/third/part/part.usecases.ts': `import { third } from '../third.usecases.ts'
import { first } from '../../first/first.public.ts'
`,
}

/** In two parts, so that this file does not silence anything itself. */
const silence = ['// oxlint', 'disable-next-line curly'].join('-')

const lines = (count: number) => '// x\n'.repeat(count)

describe('the scanner', () => {
  it('finds nothing in a house that is in order', () => {
    expect(violationsIn(HOUSE)).toEqual([])
  })

  it.each<[string, string, string]>([
    ['domain that imports platform', 'src/domain/a.ts', `import { db } from '../platform/b.ts'`],
    ['domain that imports a package', 'src/domain/a.ts', `import { z } from 'zod'`],
    ['domain that imports Node', 'src/domain/a.ts', `import { hash } from 'node:crypto'`],
    ['platform that imports http', 'src/platform/a.ts', `import { x } from '../http/errors.ts'`],
    [
      'platform that knows an area',
      'src/platform/a.ts',
      `export * from '../areas/d/a/a.public.ts'`,
    ],
    [
      "platform that knows an area's table",
      'src/platform/a.ts',
      `import { t } from '../../drizzle/schema/third.ts'`,
    ],
    ['http that imports drizzle', 'src/http/a.ts', `import { sql } from 'drizzle-orm'`],
    [
      'a host that looks behind the face of an area',
      'src/hosts/node/a.ts',
      `import { x } from '../../areas/one/first/first.queries.ts'`,
    ],
    ['http that imports an area', 'src/http/a.ts', `import { x } from '../areas/d/a/a.public.ts'`],
    ['a use case that knows Hono', 'src/areas/one/third/third.usecases.ts', `import 'hono'`],
    [
      'a use case that knows zod',
      'src/areas/one/third/third.usecases.ts',
      `import { z } from 'zod'`,
    ],
    [
      'a use case that knows schemas',
      'src/areas/one/third/third.usecases.ts',
      `import type { X } from './third.contract.ts'`,
    ],
    [
      'a use case that knows http',
      'src/areas/one/third/third.usecases.ts',
      `import { answer } from '../../../http/answer.ts'`,
    ],
    [
      'a use case that knows drizzle',
      'src/areas/one/third/third.usecases.ts',
      `import { sql } from 'drizzle-orm'`,
    ],
    [
      'a use case that knows tables',
      'src/areas/one/third/third.usecases.ts',
      `import { t } from '../../../../drizzle/schema/third.ts'`,
    ],
    [
      'routes that know drizzle',
      'src/areas/one/third/third.routes.ts',
      `import { sql } from 'drizzle-orm'`,
    ],
    [
      'routes that query',
      'src/areas/one/third/third.routes.ts',
      `import { all } from './third.queries.ts'`,
    ],
    [
      'routes that choose a query by a type and a value',
      'src/areas/one/third/third.routes.ts',
      `import { all, type Row } from './third.queries.ts'`,
    ],
    [
      'presenters that know drizzle',
      'src/areas/one/third/third.contract.ts',
      `import { sql } from 'drizzle-orm'`,
    ],
    [
      'queries that know schemas',
      'src/areas/one/third/third.queries.ts',
      `import { X } from './third.contract.ts'`,
    ],
    [
      'queries that know Hono',
      'src/areas/one/third/third.queries.ts',
      `import { z } from '@hono/x'`,
    ],
    [
      'rules that read the database',
      'src/areas/one/third/third.rules.ts',
      `import { read } from '../../../platform/database/database.ts'`,
    ],
    [
      'another area behind its face',
      'src/areas/one/third/third.queries.ts',
      `import { x } from '../first/first.queries.ts'`,
    ],
    [
      'a lower area',
      'src/areas/one/first/first.usecases.ts',
      `import { x } from '../third/third.public.ts'`,
    ],
    [
      'a lower area without routes',
      'src/areas/one/first/first.usecases.ts',
      `import { x } from '../second/second.public.ts'`,
    ],
    [
      'a lower area from a sub-area',
      'src/areas/one/first/part/part.queries.ts',
      `import { x } from '../../third/third.public.ts'`,
    ],
    [
      'a ledger that imports an area',
      'src/ledger/journal/journal.usecases.ts',
      `import { x } from '../../areas/one/first/first.public.ts'`,
    ],
    [
      'a ledger that looks behind the face of access',
      'src/ledger/rows/rows.queries.ts',
      `import { x } from '../../areas/identity/access/access.queries.ts'`,
    ],
    [
      'a ledger that knows http',
      'src/ledger/a.usecases.ts',
      `import { x } from '../http/answer.ts'`,
    ],
    ['a ledger that knows zod', 'src/ledger/a.rules.ts', `import { z } from 'zod'`],
    ['a ledger that has schemas', 'src/ledger/search/search.contract.ts', ''],
    [
      'the ledger behind its face',
      'src/areas/one/third/third.queries.ts',
      `import { x } from '../../../ledger/rows/rows.queries.ts'`,
    ],
    [
      'access that imports the ledger',
      'src/areas/identity/access/access.queries.ts',
      `import { x } from '../../../ledger/ledger.public.ts'`,
    ],
    [
      'platform that knows the ledger',
      'src/platform/a.ts',
      `import { x } from '../ledger/ledger.public.ts'`,
    ],
    [
      'an import at run time',
      'src/areas/one/third/third.usecases.ts',
      `const x = await import('../../../http/answer.ts')`,
    ],
    [
      'a type import at a distance',
      'src/areas/one/third/third.usecases.ts',
      `type X = import('../../../http/answer.ts').X`,
    ],
    [
      'an import of several lines',
      'src/areas/one/third/third.usecases.ts',
      `import {\n  a,\n  b,\n} from '../../../http/answer.ts'`,
    ],
    [
      'a reader that knows of requests',
      'src/areas/one/third/third.readers.ts',
      `import { answer } from '../../../http/answer.ts'`,
    ],
    [
      'a declaration of data behind its area',
      'src/areas/one/third/third.usecases.ts',
      `import { thirdData } from './third.data.ts'`,
    ],
    [
      'a declaration of data that knows another one',
      'src/areas/one/third/third.data.ts',
      `import { firstData } from '../first/first.data.ts'`,
    ],
    [
      'data of another folder',
      'src/areas/one/third/third.rules.ts',
      `import words from '../../../domain/words.json' with { type: 'json' }`,
    ],
    ['an unknown kind of file', 'src/areas/one/third/third.helpers.ts', ''],
    ['a stray file', 'src/areas/one/third/helpers.ts', ''],
    ['a third door', 'src/areas/one/third/third.queries.ts', `env.DB.prepare('SELECT 1')`],
    ['a batch of its own', 'src/http/a.ts', `await env.DB.batch(statements)`],
    ['a second door to the bucket', 'src/platform/a.ts', `await ctx.files.get('a')`],
    ['the bucket in a use case', 'src/areas/one/third/third.usecases.ts', `const { files } = ctx`],
    ['a call out of the house', 'src/platform/a.ts', `await fetch('https://example.com')`],
    ['replacing in SQL', 'src/areas/one/third/third.queries.ts', `sql\`INSERT OR REPLACE INTO a\``],
    ['a clock in a rule', 'src/areas/one/third/third.rules.ts', `const today = new Date()`],
    ['a clock in a use case', 'src/areas/one/third/third.usecases.ts', `const now = Date.now()`],
    ['chance', 'src/areas/one/third/third.usecases.ts', `const id = Math.random()`],
    ['an app of an area', 'src/areas/one/third/third.routes.ts', `appOf([]).use(cors())`],
    ['a long file', 'src/domain/a.ts', lines(351)],
    ['a long script', 'scripts/a.ts', lines(351)],
    ['a long test', 'test/domain/a.test.ts', lines(501)],
    ['a silenced rule without a reason', 'test/a.test.ts', `${silence}\n`],
  ])('finds %s', (_, path, text) => {
    expect(violationsIn({ ...HOUSE, [path]: text })).toHaveLength(1)
  })

  it.each(ENGINES)('finds an engine in %s that knows an area', (folder) => {
    const path = `${folder}a.usecases.ts`
    const up = '../'.repeat(folder.split('/').length - 3)
    const text = `import { x } from '${up}one/first/first.public.ts'`
    const found = violationsIn({ ...HOUSE, [path]: text })
    expect(found).toEqual([expect.stringContaining('an engine knows no area')])
    expect(Object.keys(readSources()).some((file) => file.startsWith(folder))).toBe(true)
  })

  it.each([
    ['src/domain/a.ts', lines(350)],
    ['test/domain/a.test.ts', lines(500)],
    ['test/a.test.ts', `${silence} -- shorter so\n`],
    ['src/platform/outbound/outbound.ts', `await fetch(url)`],
    ['src/platform/files/bucket.ts', `await ctx.files.get('a')`],
    ['src/platform/a.ts', `await session.batch([session.prepare(text)])`],
    ['src/http/a.ts', `// like \`new Date()\`, or fetch('x')\n/* INSERT OR REPLACE */`],
    ['src/areas/one/third/third.routes.ts', `import type { Row } from './third.queries.ts'`],
    ['src/hosts/node/a.ts', `import { x } from '../../areas/one/first/first.public.ts'`],
    [
      'src/areas/one/third/third.rules.ts',
      `import words from './words.json' with { type: 'json' }`,
    ],
    ['src/http/texts.ts', `import texts from './texts/one.json' with { type: 'json' }`],
    ['src/areas/one/third/third.data.ts', `import { sql } from 'drizzle-orm'`],
    [
      'src/areas/one/third/third.data.ts',
      `import { t } from '../../../../drizzle/schema/third.ts'`,
    ],
    ['src/areas/one/third/third.data.ts', `import { first } from '../first/first.public.ts'`],
    ['src/areas/one/third/third.jobs.ts', `import { run } from './third.usecases.ts'`],
    ['src/areas/one/third/third.readers.ts', `import { react } from './third.usecases.ts'`],
    ['src/areas/one/third/third.public.ts', `export { x } from './third.queries.ts'`],
    [
      'src/areas/one/first/first.rules.ts',
      `import { x } from '../../../ledger/search/search.public.ts'`,
    ],
    [
      'src/ledger/rows/rows.queries.ts',
      `import { x } from '../../areas/identity/access/access.public.ts'`,
    ],
    ['src/ledger/journal/journal.usecases.ts', `import { x } from '../rows/rows.queries.ts'`],
  ])('lets %s be', (path, text) => {
    expect(violationsIn({ ...HOUSE, [path]: text })).toEqual([])
  })
})
