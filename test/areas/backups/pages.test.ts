import { expect, it } from 'vitest'
import {
  type ArchivedRow,
  type ArchivedTable,
  cutArchived,
  pageOfArchived,
  tableNameOf,
} from '../../../src/platform/owned-data/archived-tables.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import type { Position } from '../../../src/platform/database/paging.ts'
import { read } from '../../../src/platform/database/database.ts'
import { rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { overheardDatabase, planOf } from '../../support/plans.ts'
import { newAccount, newUser } from '../../support/world.ts'

const identities = archivedTables().find((one) => tableNameOf(one) === 'import_identities')

it('what belongs to rows is read page by page, each row once, and none again for the next page', async () => {
  if (!identities) {
    throw new Error('no archive has identities')
  }
  const me = await newUser()
  const counts = [1500, 2300, 0, 700]
  for (const [at, count] of counts.entries()) {
    const { id } = await newAccount(me, { name: `Account ${at}` })
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO import_identities (account_id, identity, date, amount_minor, pending, import_id)
        SELECT ?2, printf('%05d', (i * 7919) % 100003), '2026-01-01', 1, 0, 'imp_x' FROM n WHERE ?1 > 0`,
      count,
      id,
    )
  }
  const { database, heard } = overheardDatabase()
  const ctx = contextWith({ database: database.withSession('first-primary') })
  const found: ArchivedRow[] = []
  let after: Position | undefined
  let pages = 0
  do {
    const [page] = await read(ctx, pageOfArchived(identities, me.id, after))
    const { rows: some, next } = cutArchived(identities, page)
    found.push(...some)
    after = next ?? undefined
    pages += 1
  } while (after)
  expect(pages).toBe(5)
  const expected = await rows(
    `SELECT i.account_id, i.identity FROM import_identities i JOIN accounts a ON a.id = i.account_id
      WHERE a.owner_id = ? ORDER BY i.account_id, i.identity`,
    me.id,
  )
  expect(
    found.map((row) => ({ account_id: row['account_id'], identity: row['identity'] })),
  ).toEqual(expected)
  const [next = '', { values = [] } = {}] =
    [...heard].find(([sql]) => sql.includes('UNION ALL')) ?? []
  expect((await planOf(next, values)).join()).toContain('(account_id=? AND identity>?)')
})

/** Places to go on behind, of rows and of those that they belong to. */
const behind = (table: ArchivedTable): string[] => [
  ...(table.of ? behind(table.of.parent) : []),
  ...table.order.map(() => '0'),
]

it('only tables of which an owner has a bounded number of rows are sorted for a page', async () => {
  const me = await newUser()
  const sorted = new Set<string>()
  for (const table of archivedTables()) {
    const { database, heard } = overheardDatabase()
    const ctx = contextWith({ database: database.withSession('first-primary') })
    await read(ctx, pageOfArchived(table, me.id, undefined))
    await read(ctx, pageOfArchived(table, me.id, behind(table)))
    for (const [sql, { values }] of heard) {
      // Where it sorts only the last terms, it sorts the rows of one parent.
      if ((await planOf(sql, values)).includes('USE TEMP B-TREE FOR ORDER BY')) {
        sorted.add(tableNameOf(table))
      }
    }
  }
  const bounded = archivedTables()
    .filter(({ most = [] }) => most.some(({ per }) => per === undefined))
    .map(tableNameOf)
  expect(sorted).toContain('account_groups')
  expect([...sorted].filter((name) => !bounded.includes(name))).toEqual([])
})

it('the rest of the links of a file is found without reading those before', async () => {
  const links = archivedTables().find((one) => tableNameOf(one) === 'attachment_links')
  if (!links) {
    throw new Error('no archive has links')
  }
  const me = await newUser()
  const { database, heard } = overheardDatabase()
  const ctx = contextWith({ database: database.withSession('first-primary') })
  await read(ctx, pageOfArchived(links, me.id, behind(links)))
  const [sql = '', { values = [] } = {}] =
    [...heard].find(([one]) => one.includes('UNION ALL')) ?? []
  expect((await planOf(sql, values)).join()).toContain('(attachment_id=? AND id>?)')
})
