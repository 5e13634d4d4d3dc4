import { sql } from 'drizzle-orm'
import { among, db, inParameters, type Statement } from '../../../../platform/statements.ts'
import { IS_IN_TRASH } from '../identities/identities.queries.ts'
import type { Layer } from './layers.rules.ts'

/** What an import wrote on a transaction, and where that is now. */
export interface LayerRow {
  accountId: string
  /** Of the account. */
  ownerId: string
  identity: string
  importId: string
  transactionId: string
  /** JSON of `Before`. */
  added: string
  /** The transaction, or what it was matched into. */
  nowId: string
  /** Of the part that it is the other side of, the line. */
  partLine: number | null
  isInTrash: number
}

/** Finds what any import wrote on these transactions, or on what they were matched into and its other halves. */
export const layersOf = (transactionIds: string[]) =>
  db.all<LayerRow>(
    sql`WITH present AS (SELECT DISTINCT ifnull(t.matched_into, t.id) AS id FROM ${among(transactionIds)} wanted
        CROSS JOIN transactions t ON t.id = wanted.value),
      every AS (SELECT id FROM present UNION SELECT h.id FROM present CROSS JOIN transactions h ON h.matched_into = present.id)
      SELECT i.account_id AS accountId, t.owner_id AS ownerId, i.identity, i.import_id AS importId, i.transaction_id AS transactionId, i.added,
        ifnull(t.matched_into, t.id) AS nowId, t.matched_part->>'line' AS partLine, ${IS_IN_TRASH} AS isInTrash
      FROM every CROSS JOIN import_identities i ON i.transaction_id = every.id JOIN transactions t ON t.id = every.id
      WHERE i.added IS NOT NULL`,
  )

/** Stores what layers stand on now. */
export const saveLayers = (layers: Layer[]): Statement[] =>
  inParameters(layers.map(({ before, ...key }) => ({ ...key, added: JSON.stringify(before) }))).map(
    ({ json }) =>
      db.run(sql`UPDATE import_identities SET added = w.value->>'added' FROM json_each(${json}) w
      WHERE account_id = w.value->>'accountId' AND EXISTS (SELECT 1 FROM accounts a
          WHERE a.id = import_identities.account_id AND a.owner_id = w.value->>'ownerId') AND identity = w.value->>'identity' AND added IS NOT NULL`),
  )
