import {
  firstOnes,
  READER_TYPES,
  readers,
  READERS_TEST_IMPORTS,
  readersTest,
  usersWithout,
  type AreaNames,
} from './reader-templates.ts'

export function namesOf(district: string, area: string, reads: boolean): AreaNames {
  const single = singularOf(area)
  const pascal = pascalOf(area)
  const pascalOne = pascalOf(single)
  const camelOne = lowerFirst(pascalOne)
  const many = area.replaceAll('-', ' ')
  return {
    district,
    area,
    camel: lowerFirst(pascal),
    pascal,
    camelOne,
    pascalOne,
    table: area.replaceAll('-', '_'),
    title: many.charAt(0).toUpperCase() + many.slice(1),
    one: single.replaceAll('-', ' '),
    many,
    path: `/${single}`,
    prefix: single.replaceAll('-', '').slice(0, 3),
    operations: { list: `list${pascal}`, create: `create${pascalOne}` },
    reads,
  }
}

/** `category` of `categories`, `wish` of `wishes`, `goal` of `goals`. */
const singularOf = (plural: string) =>
  plural.endsWith('ies') ? plural.replace(/ies$/, 'y') : plural.replace(/(?<=ss|sh|ch|x)es$|s$/, '')

const pascalOf = (kebab: string) =>
  kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** The files of a new area by their paths. */
export function filesOf(names: AreaNames): Record<string, string> {
  const { area } = names
  const folder = `src/areas/${names.district}/${area}`
  return {
    [`drizzle/schema/${area}.ts`]: table(names),
    [`${folder}/${area}.area.ts`]: manifest(names),
    [`${folder}/${area}.contract.ts`]: contract(names),
    [`${folder}/${area}.routes.ts`]: routes(names),
    [`${folder}/${area}.usecases.ts`]: usecases(names),
    [`${folder}/${area}.queries.ts`]: queries(names),
    [`${folder}/${area}.errors.ts`]: errors(names),
    [`${folder}/${area}.data.ts`]: data(names),
    [`${folder}/${area}.events.ts`]: events(names),
    ...(names.reads ? { [`${folder}/${area}.readers.ts`]: readers(names) } : {}),
    [`test/areas/${area}/${area}.test.ts`]: test(names),
  }
}

const table = (
  n: AreaNames,
) => `import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { id, stamps } from '../columns.ts'
import { users } from './system.ts'

export const ${n.camel} = sqliteTable(
  '${n.table}',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    ...stamps,
  },
  (table) => [uniqueIndex('${n.table}_name').on(table.ownerId, table.nameKey)],
)
`

const manifest = (n: AreaNames) => `import type { Area } from '../../area.ts'
${n.reads ? `import { first${n.pascalOne}Reader } from './${n.area}.readers.ts'\n` : ''}import * as ${n.camel} from './${n.area}.routes.ts'

export const ${n.camel}Area: Area = { tag: '${n.title}', operations: [${n.camel}]${n.reads ? `, readers: [first${n.pascalOne}Reader]` : ''} }
`

const contract = (n: AreaNames) => `import { z } from '@hono/zod-openapi'
import { count, id, nextCursor, presentStamps, stamps, text, textField } from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import type { ${n.pascalOne}Row } from './${n.area}.queries.ts'

export const List${n.pascal}Query = z.strictObject(pageQuery())

export const Create${n.pascalOne}Request = z
  .strictObject({ name: text(1, 100, 'Unique among the own ${n.many}.', 'My ${n.one}') })
  .openapi('Create${n.pascalOne}Request')

export const ${n.pascalOne}Response = z
  .object({
    id: id('${n.prefix}', 'Id of the ${n.one}.'),
    name: textField('Unique among the own ${n.many}.', 'My ${n.one}'),
    ...stamps,
  })
  .openapi('${n.pascalOne}Response')

export const List${n.pascal}Response = z
  .object({
    ${n.camel}: z.array(${n.pascalOne}Response).openapi({ description: 'One page, in order of creation.' }),
    count,
    nextCursor,
  })
  .openapi('List${n.pascal}Response')

export const present${n.pascalOne} = (row: ${n.pascalOne}Row): z.infer<typeof ${n.pascalOne}Response> => ({
  id: row.id,
  name: row.name,
  ...presentStamps(row),
})

export const present${n.pascal} = ({
  rows,
  count,
  nextCursor,
}: Listed<${n.pascalOne}Row>): z.infer<typeof List${n.pascal}Response> => ({
  ${n.camel}: rows.map(present${n.pascalOne}),
  count,
  nextCursor,
})
`

const routes = (n: AreaNames) => `import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  Create${n.pascalOne}Request,
  List${n.pascal}Query,
  List${n.pascal}Response,
  ${n.pascalOne}Response,
  present${n.pascal},
  present${n.pascalOne},
} from './${n.area}.contract.ts'
import * as ${n.camel} from './${n.area}.usecases.ts'

export const ${n.operations.list} = operation({
  access: '${n.camel}.read',
  on: 'GET ${n.path}',
  summary: 'List ${n.many}',
  request: { query: List${n.pascal}Query },
  responses: { 200: json(List${n.pascal}Response, 'One page of them, in order of creation') },
  run: (ctx, { query }) => paged(ctx, query, (page) => ${n.camel}.${n.operations.list}(ctx, page)),
  present: present${n.pascal},
})

export const ${n.operations.create} = operation({
  access: '${n.camel}.write',
  on: 'POST ${n.path}',
  summary: 'Create a ${n.one}',
  request: jsonRequest(Create${n.pascalOne}Request),
  responses: { 201: json(${n.pascalOne}Response, 'The new ${n.one}') },
  run: (ctx, { body }) => ${n.camel}.${n.operations.create}(ctx, body),
  present: present${n.pascalOne},
})
`

const usecases = (n: AreaNames) => `import { foldKey } from '../../../domain/text.ts'
import { ${n.reads ? 'type Context, ' : ''}freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import type { Change } from '../../../platform/events.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
${n.reads ? READER_TYPES : ''}import { ${n.camelOne}Errors } from './${n.area}.errors.ts'
import { ${n.camelOne}Events } from './${n.area}.events.ts'
import { countOf${n.pascal}, insert${n.pascalOne}, pageOf${n.pascal}, type ${n.pascalOne}Row${n.reads ? `, usersWithout${n.pascal}` : ''} } from './${n.area}.queries.ts'

/** One page of the caller's ${n.many}. */
export async function list${n.pascal}(ctx: SignedIn, page: PageRequest): Promise<Page<${n.pascalOne}Row>> {
  const [found, [total]] = await read(ctx, pageOf${n.pascal}(ctx, page), countOf${n.pascal}(ctx))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

/** Creates a ${n.one} of the caller's own. */
export async function create${n.pascalOne}(ctx: SignedIn, wanted: { name: string }): Promise<${n.pascalOne}Row> {
  const ${n.camelOne} = new${n.pascalOne}(ctx, ctx.caller.userId, wanted.name)
  return commit(ctx, {
    changes: [creationOf(${n.camelOne})],
    result: ${n.camelOne},
    conflicts: { '${n.table}.name_key': () => ${n.camelOne}Errors.nameTaken({ field: 'name' }) },
  })
}
${n.reads ? firstOnes(n) : ''}
const new${n.pascalOne} = (ctx: ${n.reads ? 'Context' : 'SignedIn'}, ownerId: string, name: string): ${n.pascalOne}Row => ({
  ...{ id: freshId(ctx, '${n.prefix}'), ownerId, name, nameKey: foldKey(name) },
  ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
})

const creationOf = (${n.camelOne}: ${n.pascalOne}Row): Change => ({
  statements: [insert${n.pascalOne}(${n.camelOne})],
  events: [${n.camelOne}Events.created({ id: ${n.camelOne}.id, ownerId: ${n.camelOne}.ownerId, version: 1 }, { after: ${n.camelOne} })],
})
`

const data = (n: AreaNames) => `import { ${n.camel} } from '../../../../drizzle/schema/${n.area}.ts'
import { listed } from '../../../platform/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data.ts'
import { present${n.pascalOne} } from './${n.area}.contract.ts'
import { list${n.pascal} } from './${n.area}.usecases.ts'

export const ${n.camelOne}Data: OwnedData = {
  area: '${n.area}',
  tables: [${n.camel}],
  erase: [ownRows('${n.camel}', ${n.camel}, { wipedWith: ['${n.camel}'] })],
  archived: [{ table: ${n.camel}, owner: [${n.camel}.ownerId], order: [${n.camel}.id] }],
  exports: [listed('${n.camel}', list${n.pascal}, present${n.pascalOne})],
}
`

const events = (
  n: AreaNames,
) => `import { carries, type Created, defineEvents } from '../../../platform/events.ts'
import type { ${n.pascalOne}Row } from './${n.area}.queries.ts'

export const ${n.camelOne}Events = defineEvents('${n.camelOne}', {
  created: carries<Created<${n.pascalOne}Row>>(),
})
`

const queries = (
  n: AreaNames,
) => `import { and, ${n.reads ? 'eq, ' : ''}gt, ${n.reads ? 'inArray, notExists, ' : ''}sql } from 'drizzle-orm'
import { ${n.camel} } from '../../../../drizzle/schema/${n.area}.ts'
${n.reads ? "import { users } from '../../../../drizzle/schema/system.ts'\n" : ''}import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db, type Statement } from '../../../platform/statements.ts'
import { ownedBy } from '${n.district === 'identity' ? '../access' : '../../identity/access'}/access.public.ts'

export type ${n.pascalOne}Row = typeof ${n.camel}.$inferSelect

const isMine = (ctx: SignedIn) => ownedBy(ctx.caller, ${n.camel}.ownerId)

/** In order of creation; one row more than the page, which tells whether there is a next one. */
export function pageOf${n.pascal}(ctx: SignedIn, page: PageRequest) {
  const [afterId] = page.after ?? []
  return db
    .select()
    .from(${n.camel})
    .where(and(isMine(ctx), afterId === undefined ? undefined : gt(${n.camel}.id, afterId)))
    .orderBy(${n.camel}.id)
    .limit(page.limit + 1)
}

export const countOf${n.pascal} = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>\`count(*)\`.as('count') })
    .from(${n.camel})
    .where(isMine(ctx))

export const insert${n.pascalOne} = (row: ${n.pascalOne}Row): Statement => db.insert(${n.camel}).values(row)
${n.reads ? usersWithout(n) : ''}`

const errors = (n: AreaNames) => `import { errorTable } from '../../../domain/errors.ts'

export const ${n.camelOne}Errors = errorTable('${n.camel}', {
  nameTaken: ['conflict', 'There is a ${n.one} of this name already.'],
})
`

const test = (n: AreaNames) => `import { expect, it } from 'vitest'
${n.reads ? `import { first${n.pascalOne}Reader } from '../../../src/areas/${n.district}/${n.area}/${n.area}.readers.ts'\n` : ''}import { ${n.operations.create}, ${n.operations.list} } from '../../../src/areas/${n.district}/${n.area}/${n.area}.routes.ts'
${n.reads ? READERS_TEST_IMPORTS : ''}import { call, ok } from '../../support/api.ts'
${n.reads ? "import { contextWith } from '../../support/service.ts'\n" : ''}import { newUser } from '../../support/world.ts'

it('shows what was created to its owner only, page by page', async () => {
  const [me, stranger] = [await newUser(), await newUser()]
  const first = await ok(${n.operations.create}, { as: me, json: { name: 'First' } })
  const second = await ok(${n.operations.create}, { as: me, json: { name: 'Second' } })
  const page = await ok(${n.operations.list}, { as: me, query: { limit: 1 } })
  expect(page).toMatchObject({ ${n.camel}: [first], count: 2 })
  const query = { limit: 1, cursor: page.nextCursor ?? '' }
  expect(await ok(${n.operations.list}, { as: me, query })).toEqual({
    ${n.camel}: [second],
    count: 2,
    nextCursor: null,
  })
  expect((await ok(${n.operations.list}, { as: stranger })).count).toBe(0)
})

it('takes a name once per owner, whatever its case', async () => {
  const [me, other] = [await newUser(), await newUser()]
  await ok(${n.operations.create}, { as: me, json: { name: 'Ours' } })
  await ok(${n.operations.create}, { as: other, json: { name: 'Ours' } })
  const again = await call(${n.operations.create}, { as: me, json: { name: 'OURS' } })
  expect([again.status, again.error.code]).toEqual([409, '${n.camel}.nameTaken'])
})
${n.reads ? readersTest(n) : ''}`
