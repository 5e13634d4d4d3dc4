import { createImportProfile } from '../../../src/areas/intake/imports/profiles/profiles.routes.ts'
import { ok, rows } from '../../support/api.ts'
import type { TestUser } from '../../support/world.ts'
import { csv, uploaded } from '../imports/importing.ts'

/** An import that is open, with what stays known of another one. */
export async function keepImports(as: TestUser, accountId: string, word: string): Promise<void> {
  const { id } = await uploaded(as, csv([`2026-03-10,${word},-3.00`]), {
    accountId,
    fileName: `${word}.csv`,
  })
  await ok(createImportProfile, { as, json: { name: word, accountId, importId: id } })
  // Of a row that is in no piece, so that nobody reads it.
  await rows(
    `INSERT INTO import_row_notes (import_id, "row", decision, once, match_id, overrides, found)
      VALUES (?1, 999, ?2, 0, ?2, ?2, ?2)`,
    id,
    word,
  )
  await rows(
    `UPDATE import_chunks SET counts = json_set(counts, '$.' || ?2, 0), left_out = ?2, oldest = ?2, newest = ?2
      WHERE import_id = ?1`,
    id,
    word,
  )
  await rows(
    `INSERT INTO import_identities (account_id, identity, bank_key, added, date, amount_minor, pending, import_id)
      VALUES (?1, ?2, ?2, json_quote(?2), '2026-03-09', -300, 0, ?3)`,
    accountId,
    `f${word}`,
    id,
  )
  await rows(
    `INSERT INTO import_statements (import_id, place, owner_id, account_id, currency, sum_minor, "rows", content, created_at)
      VALUES (?, 0, ?, ?, 'EUR', -300, 1, '{"causes":[],"evidence":[],"isInterim":false}', 0)`,
    id,
    as.id,
    accountId,
  )
}
