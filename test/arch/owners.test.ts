import { describe, expect, it } from 'vitest'
import { changesIn, ownerless } from './owners.ts'
import { readSources } from './sources.ts'

// Ids are not only read from rows of whom they belong to: they are made of other ids, and stored in texts and JSON, which an
// archive may bring. So each statement that changes or deletes rows says whose they are, or it stands here with a reason.

/** Tables whose rows are of the system, of a group, or of a person that the row itself is. */
const OF_NO_OWNER: Record<string, string> = {
  groups: 'of its members; found by the group that the caller is in',
  idempotency_keys: 'expired answers',
  identity_providers: 'of the system',
  invite_codes: 'of administrators',
  log_commits: 'the log of all',
  log_readers: 'of the system',
  log_segments: 'the log of all',
  log_segment_things: 'the log of all',
  rate_limits: 'keyed hashes',
  rate_coverage: 'of the system',
  role_permissions: 'of the system',
  roles: 'of the system',
  storage_classes: 'of the system',
  system_exchange_rates: 'of the system',
  tasks: 'of the service; found by the lease or the key of the task',
  users: 'the row is the user',
  // What lets somebody in is found by the hash of a secret, or by the user who has proven to have it.
  mfa_challenges: 'by the hash of a secret, or expired',
  mfa_factors: 'of the user who signs in, whose factor was read by the user',
  one_time_tokens: 'by the hash of a secret, or expired',
  refresh_tokens: 'by the hash of a secret, or of ended sessions',
  sessions: 'of a refresh token that was shown',
  sign_in_codes: 'by the hash of a secret, or expired',
  sign_in_flows: 'by the hash of a secret, or expired',
}

/** Statements that find rows otherwise, with how many there are and why nobody else's can be among them. */
const OTHERWISE: Record<string, [times: number, why: string]> = {
  // Rows of everybody that are due, found by the clock.
  'src/areas/files/attachments/attachments.queries.ts attachment_links': [1, 'files that are due'],
  'src/areas/files/attachments/attachments.queries.ts attachments': [1, 'files that are due'],
  'src/areas/events/webhooks/deliveries.queries.ts webhook_deliveries': [
    1,
    'old ones, and those of webhooks that are gone',
  ],
  'src/areas/events/webhooks/deliveries.queries.ts webhooks': [
    1,
    'numbers of webhooks that were read as the owner’s of an event',
  ],
  'src/areas/events/webhooks/webhooks.queries.ts webhooks': [1, 'secrets that sign no more'],
  'src/areas/identity/notifications/notifications.queries.ts notifications': [1, 'old ones'],
  // What no archive has, and nothing stored names: found by ids that the service made, out of rows that were read as the owner's.
  'src/areas/data-rights/backups/backups.queries.ts archives': [3, 'archives are in no archive'],
  'src/areas/insight/audit-log/exports/exports.queries.ts archives': [
    2,
    'archives are in no archive',
  ],
  'src/areas/data-rights/backups/restoring/merging.queries.ts restored_rows': [
    1,
    'of restores, which are in no archive',
  ],
  'src/areas/data-rights/backups/restoring/restoring.queries.ts restores': [
    4,
    'restores are in no archive',
  ],
  'src/areas/data-rights/backups/backups.queries.ts backup_upload_parts': [
    1,
    'uploads are in no archive',
  ],
  'src/areas/data-rights/backups/backups.queries.ts backup_uploads': [
    4,
    'uploads are in no archive',
  ],
  // Imports that are under way are in no archive either; what is of one goes with a change of it as its owner's.
  'src/areas/intake/imports/booking/booking.queries.ts import_chunks': [1, 'of an open import'],
  'src/areas/intake/imports/booking/booking.queries.ts imports': [1, 'an open import'],
  'src/areas/intake/imports/imports.queries.ts import_chunks': [3, 'of an open or due import'],
  'src/areas/intake/imports/imports.queries.ts import_row_notes': [3, 'of an open or due import'],
  'src/areas/intake/imports/imports.queries.ts imports': [2, 'an open or due import'],
  'src/areas/intake/imports/rows/rows.queries.ts import_chunks': [1, 'of an open import'],
  'src/areas/intake/imports/rows/rows.queries.ts imports': [1, 'an open import'],
  // What follows a change of transactions, which the same commit finds by their owner.
  'src/areas/intake/imports/identities.queries.ts import_identities': [
    4,
    'of transactions that the commit changes, and of accounts that it books on by the right to',
  ],
  'src/areas/money/reconciliations/rows.queries.ts reconciliation_rows': [
    1,
    'of transactions that the commit changes',
  ],
  'src/ledger/books/books.queries.ts transaction_payees': [
    1,
    'of transactions that the commit changes',
  ],
  'src/ledger/books/books.queries.ts transaction_tags': [
    1,
    'of transactions that the commit changes',
  ],
  'src/areas/files/attachments/links/links.queries.ts attachment_links': [
    1,
    'of a file that was read; a link to what somebody else owns has that owner',
  ],
  // Budgets of others who see an account count its categories: they follow a category that its owner deletes in the same commit.
  'src/areas/money/categories/removal/budget-lines.queries.ts budget_lines': [
    1,
    'of all who count it',
  ],
  'src/areas/money/categories/removal/budget-lines.queries.ts budget_line_scopes': [
    4,
    'of all who count it',
  ],
  // Those of a group, of whichever members.
  'src/areas/sharing/groups/groups.queries.ts attachments': [
    2,
    'files of groups that are deleted or erased',
  ],
  'src/areas/sharing/groups/groups.queries.ts budgets': [1, 'budgets of a group that is deleted'],
  'src/areas/sharing/groups/groups.queries.ts group_invites': [1, 'to the user'],
  'src/areas/sharing/sharing/sharing.data.ts shares': [1, 'offered to the address of the user'],
  'src/areas/sharing/sharing/sharing.queries.ts account_choices': [
    1,
    'of an account that is not shared any more',
  ],
  'src/areas/money/accounts/alerts/alerts.queries.ts account_alerts': [
    1,
    'of whoever sees an account whose currency its owner changes',
  ],
  // What is computed, from whatever its account or budget has.
  'src/areas/planning/budgets/alerts/alerts.queries.ts budget_watch': [4, 'marks of what changed'],
  'src/areas/planning/budgets/budgets.data.ts budget_watch': [1, 'of the user that it is named by'],
  'src/ledger/trash/owned.queries.ts account_balances': [
    1,
    'accounts of the lines of a commit, also shared ones',
  ],
  'src/ledger/integrity/recalculation.queries.ts account_balances': [1, 'kept by triggers'],
  'src/ledger/integrity/recalculation.queries.ts account_periods': [1, 'kept by triggers'],
  'src/ledger/integrity/recalculation.queries.ts entries': [1, 'kept by triggers'],
  'src/ledger/integrity/recalculation.queries.ts flow_periods': [2, 'kept by triggers'],
  // What others say in a parameter: it is looked for where they say it.
  'src/areas/money/accounts/trash.queries.ts accounts': [
    1,
    'an account of an owner, or all that are due',
  ],
  'src/areas/money/exchange-rates/bulk/bulk.queries.ts ${table}': [
    1,
    'rates of an owner, or of the system',
  ],
  'src/areas/planning/budgets/trash/trash.queries.ts budgets': [1, 'each caller says whose'],
  'src/areas/planning/budgets/trash/trash.queries.ts column.table': [1, 'each caller says whose'],
  'src/platform/owned-data/with-accounts.ts table': [
    2,
    'rows of accounts that are found by their owner',
  ],
  'src/platform/owned-data/owned-data.ts column.table': [
    2,
    'rows of what is found by its owner, or a user',
  ],
  'src/platform/secrets/reseal.ts ${sql.identifier(column.table)}': [
    1,
    'secrets of all, as they were read',
  ],
}

const tableOf = (found: string) => found.slice(found.indexOf(' ') + 1)

const unexplained = (sources: Record<string, string>): string[] =>
  ownerless(sources).filter((found) => !(tableOf(found) in OF_NO_OWNER))

const PATH = 'src/areas/money/tags/tags.queries.ts'

describe('a statement that changes or deletes rows', () => {
  it('says whose they are, but for those that are known', () => {
    const sources = readSources()
    const all = Object.entries(sources).filter(([file]) => file.startsWith('src/'))
    expect(all.flatMap(([, text]) => changesIn(text)).length).toBeGreaterThan(280)
    const known = Object.entries(OTHERWISE).flatMap(([found, [times]]) =>
      Array.from({ length: times }, () => found),
    )
    expect(unexplained(sources).toSorted()).toEqual(known.toSorted())
  })

  it('is of a table with an owner, where it is not listed', () => {
    const found = new Set(ownerless(readSources()).map(tableOf))
    expect(Object.keys(OF_NO_OWNER).filter((table) => !found.has(table))).toEqual([])
  })

  it.each([
    ['ids', 'db.run(sql`DELETE FROM entries WHERE transaction_id IN ${among(ids)}`)'],
    ['one id', 'db.delete(tags).where(eq(tags.id, id))'],
    [
      'a version',
      'db.update(tags).set({ ownerId }).where(and(eq(tags.id, id), eq(tags.version, version)))',
    ],
    [
      'ids in JSON',
      "sql`UPDATE tags SET name = '' FROM json_each(${json}) w WHERE tags.id = w.value`",
    ],
    ['all', 'db.delete(tags)'],
    ['the owner that it sets', 'sql`UPDATE tags SET owner_id = ${ownerId} WHERE id = ${id}`'],
    [
      'a subquery of another owner',
      'sql`UPDATE tags SET note = (SELECT 1 FROM tags WHERE owner_id = ${ownerId}) WHERE id = ${id}`',
    ],
    ['OR IGNORE', 'sql`UPDATE OR IGNORE tags SET name = ${name} WHERE id = ${id}`'],
    [
      'a name that says nothing of it',
      'const isIt = eq(tags.id, id)\n\ndb.delete(tags).where(isIt)',
    ],
    [
      'a lock',
      'db.run(sql`UPDATE balance_assertions SET lock_id = NULL WHERE lock_id = ${lockId}`)',
    ],
    ['a line of a budget', 'sql`DELETE FROM budget_amounts WHERE line_id = ${id}`'],
    ['a table by its name', 'db.run(sql`DELETE FROM ${table} WHERE id IN ${among(ids)}`)'],
  ])('would not find them by %s alone unseen', (_, text) => {
    expect(unexplained({ [PATH]: text })).toHaveLength(1)
    expect(
      unexplained({ [PATH]: `export const erase = (ids: string[]) => [\n  ${text},\n]` }),
    ).toHaveLength(1)
  })

  it.each([
    'sql`DELETE FROM entries WHERE transaction_id IN ${among(ids)} AND owner_id = ${ownerId}`',
    'sql`DELETE FROM entries WHERE transaction_id IN ${among(ids)} AND +owner_id IN ${among(owners)}`',
    "sql`UPDATE tags SET name = '' FROM json_each(${json}) w WHERE id = w.value->>0 AND owner_id = w.value->>1`",
    'db.delete(tags).where(and(eq(tags.id, id), eq(tags.ownerId, ownerId)))',
    'db.delete(tags).where(and(ownedBy(ctx.caller, tags.ownerId), eq(tags.id, id)))',
    'const isMine = (ctx: SignedIn) => ownedBy(ctx.caller, tags.ownerId)\n\ndb.delete(tags).where(isMine(ctx))',
    'sql`DELETE FROM budget_amounts WHERE line_id = ${id} AND budget_id = ${budgetId}`',
  ])('may say it as in %s', (text) => {
    expect(unexplained({ [PATH]: text })).toEqual([])
  })

  it('may say it by what another file exports', () => {
    const text = (where: string) => ({
      [PATH]:
        "import { isOne } from '../rows.public.ts'\nsql`DELETE FROM tags WHERE ${isOne(ids)}`",
      'src/areas/money/rows.public.ts': "export { isOne } from './rows/rows.queries.ts'",
      'src/areas/money/rows/rows.queries.ts': `export const isOne = (ids: string[]) =>\n  sql\`${where}\`\n\nconst other = sql\`owner_id = 1\``,
    })
    expect(unexplained(text('id IN ${among(ids)} AND owner_id = ${ownerId}'))).toEqual([])
    expect(unexplained(text('id IN ${among(ids)}'))).toHaveLength(1)
  })
})
