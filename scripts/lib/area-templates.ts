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
    operations: {
      list: `list${pascal}`,
      create: `create${pascalOne}`,
      get: `get${pascalOne}`,
      update: `update${pascalOne}`,
      delete: `delete${pascalOne}`,
    },
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
import { id, nameInput, presentStamps, stamps, textField } from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { ${n.pascalOne}Row } from './${n.area}.queries.ts'

export const List${n.pascal}Query = z.strictObject(pageQuery())

const name = nameInput(100, 'Name of the ${n.one}; unique among your own ${n.many}.', 'My ${n.one}')

export const Create${n.pascalOne}Request = z
  .strictObject({ name })
  .openapi('Create${n.pascalOne}Request')

export const Update${n.pascalOne}Request = z
  .strictObject({ name: name.optional() })
  .openapi('Update${n.pascalOne}Request')

export const ${n.pascalOne}Response = z
  .object({
    id: id('${n.prefix}', 'Id of the ${n.one}.'),
    name: textField('Name of the ${n.one}.', 'My ${n.one}'),
    ...stamps,
  })
  .openapi('${n.pascalOne}Response')

export const ${n.pascal}Response = pageResponse(
  '${n.camel}',
  ${n.pascalOne}Response,
  'One page of ${n.many}, in order of creation.',
).openapi('${n.pascal}Response')

export const present${n.pascalOne} = (row: ${n.pascalOne}Row): z.infer<typeof ${n.pascalOne}Response> => ({
  id: row.id,
  name: row.name,
  ...presentStamps(row),
})

export const present${n.pascal} = presentPage('${n.camel}', present${n.pascalOne})
`

const routes = (n: AreaNames) => `import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  Create${n.pascalOne}Request,
  List${n.pascal}Query,
  ${n.pascalOne}Response,
  ${n.pascal}Response,
  present${n.pascal},
  present${n.pascalOne},
  Update${n.pascalOne}Request,
} from './${n.area}.contract.ts'
import * as ${n.camel} from './${n.area}.usecases.ts'

const ${n.camelOne}Id = pathId('${n.prefix}', '${n.one}')

export const ${n.operations.list} = operation({
  access: '${n.camel}.read',
  on: 'GET ${n.path}',
  summary: 'List ${n.many}',
  request: { query: List${n.pascal}Query },
  responses: { 200: json(${n.pascal}Response, 'One page of the list') },
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

export const ${n.operations.get} = operation({
  access: '${n.camel}.read',
  on: 'GET ${n.path}/{id}',
  summary: 'Get a ${n.one}',
  request: { params: ${n.camelOne}Id },
  responses: { 200: json(${n.pascalOne}Response, 'The ${n.one}') },
  run: (ctx, { params }) => ${n.camel}.${n.operations.get}(ctx, params.id),
  present: present${n.pascalOne},
})

export const ${n.operations.update} = operation({
  access: '${n.camel}.write',
  on: 'PUT ${n.path}/{id}',
  summary: 'Update a ${n.one}',
  versioned: true,
  request: { params: ${n.camelOne}Id, ...jsonRequest(Update${n.pascalOne}Request) },
  responses: { 200: json(${n.pascalOne}Response, 'The ${n.one} as it is now') },
  run: (ctx, { params, body }) => ${n.camel}.${n.operations.update}(ctx, params.id, body),
  present: present${n.pascalOne},
})

export const ${n.operations.delete} = operation({
  access: '${n.camel}.write',
  on: 'DELETE ${n.path}/{id}',
  summary: 'Delete a ${n.one}',
  versioned: true,
  request: { params: ${n.camelOne}Id },
  responses: { 200: json(MessageResponse, 'The ${n.one} was deleted') },
  run: (ctx, { params }) => ${n.camel}.${n.operations.delete}(ctx, params.id),
  present: () => ({ message: 'The ${n.one} was deleted.' }),
})
`

const usecases = (n: AreaNames) => `import { foldKey } from '../../../domain/text.ts'
import type { ${n.reads ? 'Context, ' : ''}SignedIn } from '../../../platform/context.ts'
${n.reads ? "import { read } from '../../../platform/database/database.ts'\n" : ''}import { ownedResource } from '../../../platform/database/owned-resource.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
${n.reads ? READER_TYPES : ''}import { ${n.camelOne}Errors } from './${n.area}.errors.ts'
import { ${n.camelOne}Events } from './${n.area}.events.ts'
import { ${n.camelOne}Rows${n.reads ? `, usersWithout${n.pascal}` : ''} } from './${n.area}.queries.ts'

const resource = ownedResource({
  prefix: '${n.prefix}',
  rows: ${n.camelOne}Rows,
  events: ${n.camelOne}Events,
  notFound: ${n.camelOne}Errors.notFound,
  conflicts: { '${n.table}.name_key': () => ${n.camelOne}Errors.nameTaken({ field: 'name' }) },
})

const columnsOf = (name: string) => ({ name, nameKey: foldKey(name) })

export const ${n.operations.list} = (ctx: SignedIn, page: PageRequest) => resource.list(ctx, page)

export const ${n.operations.get} = resource.get

export const ${n.operations.create} = (ctx: SignedIn, { name }: { name: string }) =>
  resource.create(ctx, columnsOf(name))

/** A field that is absent is left alone. */
export const ${n.operations.update} = (ctx: SignedIn, id: string, { name }: { name?: string | undefined }) =>
  resource.update(ctx, id, name === undefined ? {} : columnsOf(name))

export const ${n.operations.delete} = resource.delete
${n.reads ? firstOnes(n) : ''}`

const data = (n: AreaNames) => `import { ${n.camel} } from '../../../../drizzle/schema/${n.area}.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { Create${n.pascalOne}Request, present${n.pascalOne} } from './${n.area}.contract.ts'
import { list${n.pascal} } from './${n.area}.usecases.ts'

export const ${n.camelOne}Data: OwnedData = {
  area: '${n.area}',
  tables: [${n.camel}],
  erase: [ownRows('${n.camel}', ${n.camel}, { wipedWith: ['${n.camel}'] })],
  archived: [
    {
      table: ${n.camel},
      prefixes: ['${n.prefix}'],
      owner: [${n.camel}.ownerId],
      order: [${n.camel}.id],
      holds: takenAs(Create${n.pascalOne}Request, ['name']),
      merge: { same: [${n.camel}.nameKey] },
    },
  ],
  exports: [listed('${n.camel}', list${n.pascal}, present${n.pascalOne})],
}
`

const events = (
  n: AreaNames,
) => `import { defineEvents, lifecycleOf } from '../../../platform/log/events.ts'
import type { ${n.pascalOne}Row } from './${n.area}.queries.ts'

export const ${n.camelOne}Events = defineEvents('${n.camelOne}', lifecycleOf<${n.pascalOne}Row>())
`

const queries = (
  n: AreaNames,
) => `${n.reads ? "import { and, eq, inArray, notExists, sql } from 'drizzle-orm'\n" : ''}import { ${n.camel} } from '../../../../drizzle/schema/${n.area}.ts'
${n.reads ? "import { users } from '../../../../drizzle/schema/system.ts'\n" : ''}import { ownedTable } from '../../../platform/database/owned-tables.ts'
${n.reads ? "import { db } from '../../../platform/database/statements.ts'\n" : ''}import { ownedBy } from '${n.district === 'identity' ? '../access' : '../../identity/access'}/access.public.ts'

export type ${n.pascalOne}Row = typeof ${n.camel}.$inferSelect

export const ${n.camelOne}Rows = ownedTable(${n.camel}, {
  isSeen: ({ caller }) => ownedBy(caller, ${n.camel}.ownerId),
})
${n.reads ? usersWithout(n) : ''}`

const errors = (n: AreaNames) => `import { errorTable } from '../../../domain/errors.ts'

export const ${n.camelOne}Errors = errorTable('${n.camel}', {
  notFound: ['notFound', 'There is no such ${n.one}.'],
  nameTaken: ['conflict', 'There is a ${n.one} of this name already.'],
})
`

const test = (n: AreaNames) => `import { expect, it } from 'vitest'
${n.reads ? `import { first${n.pascalOne}Reader } from '../../../src/areas/${n.district}/${n.area}/${n.area}.readers.ts'\n` : ''}import * as ${n.camel} from '../../../src/areas/${n.district}/${n.area}/${n.area}.routes.ts'
${n.reads ? READERS_TEST_IMPORTS : ''}import { call, ok } from '../../support/api.ts'
${n.reads ? "import { contextWith } from '../../support/service.ts'\n" : ''}import { newUser } from '../../support/world.ts'

const { ${n.operations.create}, ${n.operations.delete}, ${n.operations.get}, ${n.operations.list}, ${n.operations.update} } = ${n.camel}

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

it('is changed and deleted by its owner only', async () => {
  const [me, stranger] = [await newUser(), await newUser()]
  const { id } = await ok(${n.operations.create}, { as: me, json: { name: 'Before' } })
  const json = { name: 'After' }
  const foreign = await call(${n.operations.update}, { as: stranger, id, json })
  expect([foreign.status, foreign.error.code]).toEqual([404, '${n.camel}.notFound'])
  const changed = await ok(${n.operations.update}, { as: me, id, json })
  expect(changed).toMatchObject({ id, name: 'After', version: 2 })
  expect(await ok(${n.operations.get}, { as: me, id })).toEqual(changed)
  await ok(${n.operations.delete}, { as: me, id })
  expect((await call(${n.operations.get}, { as: me, id })).status).toBe(404)
})
${n.reads ? readersTest(n) : ''}`
