import { type SQL, sql } from 'drizzle-orm'
import { Memory } from '../../../../platform/database/memory.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import {
  accessLevel,
  accountIsSeenBy,
  ownedBy,
  type Viewer,
  viewerOf,
} from '../../../identity/access/access.public.ts'
import { noteReadRules, type TransferAccount } from '../../../../ledger/ledger.public.ts'
import { brokenIds } from '../rules.queries.ts'
import {
  compiledSet,
  type RuleSet,
  type RuleSetKey,
  type StoredFacts,
  type StoredSet,
} from './sets.rules.ts'

/** How many owners' rules a process keeps. */
const SETS_REMEMBERED = 200

/** By their owners; a number tells whether a set is the present one. */
const sets = new Memory<RuleSet>(SETS_REMEMBERED)

/** The set of an owner as it is kept, if it has this number; null where the number says that there are none. */
export const rememberedSet = ({ ownerId, ruleSet }: RuleSetKey): RuleSet | null | undefined => {
  const found = sets.get(ownerId)
  if (ruleSet === 0 && !found) {
    return null
  }
  return found?.ruleSet === ruleSet ? found : undefined
}

/** The set of an owner by whatever number it has. */
export const latestSet = (ownerId: string): RuleSet | undefined => sets.get(ownerId)

/** What the finder gives of an owner: the set unless it is known. */
interface SetRow extends RuleSetKey {
  what: 'set'
  /** JSON. */
  image: string | null
}

/** An account that a rule makes transfers with, as far as the caller sees it. */
interface AccountRow {
  what: 'account'
  ownerId: string
  ruleSet: null
  image: string
}

export type RuleSetRow = SetRow | AccountRow

/**
 * Finds what rules and usual categories say on accounts, of their owners, and the accounts that rules make transfers with.
 * @param known sets that need not be read
 */
export function ruleSetsFor(
  ctx: SignedIn,
  accountIds: string[],
  known: RuleSet[],
): Statement<RuleSetRow[]> {
  const viewer = viewerOf(ctx)
  const isKnown = sql`w.owner_id || ' ' || w.rule_set IN ${among(known.map(nameOfSet))}`
  return db.all<RuleSetRow>(sql`WITH wanted AS MATERIALIZED (SELECT DISTINCT accounts.owner_id, accounts.rule_set
      FROM accounts WHERE accounts.id IN ${among(accountIds)} AND accounts.rule_set > 0)
    SELECT 'set' AS what, w.owner_id AS ownerId, w.rule_set AS ruleSet,
      CASE WHEN ${isKnown} THEN NULL ELSE ${imageOf(sql`w.owner_id`)} END AS image FROM wanted w
    UNION ALL SELECT 'account', accounts.owner_id, NULL, ${accountImage(viewer)}
    FROM accounts WHERE accounts.id IN (SELECT value FROM json_each(${JSON.stringify(known.flatMap(({ transferIds }) => transferIds))})
      UNION SELECT ruling.definition ->> '$.changes.transferAccountId' FROM wanted w CROSS JOIN rules ruling
        ON ruling.owner_id = w.owner_id AND ruling.active = 1 WHERE NOT ${isKnown}) AND ${accountIsSeenBy(viewer)}`)
}

/** JSON of a row of `accounts` as a `TransferAccount`. */
const accountImage = (viewer: Viewer): SQL =>
  sql`json_object('id', accounts.id, 'ownerId', accounts.owner_id, 'currency', accounts.currency, 'status', accounts.status,
    'lockedThrough', accounts.locked_through, 'hardLockedThrough', accounts.hard_locked_through, 'rank', ${accessLevel(viewer)})`

/** Finds the accounts that the caller's rules, or one with this id, make transfers with, as far as the caller sees them. */
export const transferAccountsFor = (ctx: SignedIn, id: string | undefined) =>
  db.all<{ image: string }>(sql`SELECT ${accountImage(viewerOf(ctx))} AS image FROM accounts
    WHERE accounts.id IN (SELECT ${id ?? null} UNION SELECT ruling.definition ->> '$.changes.transferAccountId' FROM rules ruling
      WHERE ${ownedBy(ctx.caller, 'ruling.owner_id')}) AND ${accountIsSeenBy(viewerOf(ctx))}`)

/** An account as one of these statements gives it. */
export const accountFrom = ({ image }: { image: string }) => JSON.parse(image) as TransferAccount

const nameOfSet = ({ ownerId, ruleSet }: RuleSetKey) => `${ownerId} ${ruleSet}`

/** How many names of payees, and usual categories, a set has at most. */
const PAYEES_OF_SET = sql.raw('5000')

/** The bytes of their names as JSON: the whole set has to fit into one answer of a statement. */
const BYTES_OF_NAMES = sql.raw('1000000')

/** JSON of the names of payees `p`. */
const namesOf = (isSo: SQL): SQL =>
  sql`(SELECT json_group_array(json_array(id, name)) FROM (SELECT id, name,
      sum(octet_length(json_quote(name))) OVER (ROWS UNBOUNDED PRECEDING) AS bytes
    FROM (SELECT p.id, p.name FROM payees p WHERE ${isSo} LIMIT ${PAYEES_OF_SET})) WHERE bytes <= ${BYTES_OF_NAMES})`

const incomesOf = (owner: SQL): SQL =>
  sql`(SELECT json_group_array(c.id) FROM categories c WHERE c.owner_id = ${owner} AND c.kind = 'income')`

/** What rules have to know of the caller's labels. */
export const factsOfRules = ({ caller }: SignedIn): Statement<StoredFacts[]> =>
  db.all<StoredFacts>(sql`SELECT ${incomesOf(sql`${caller.userId}`)} AS incomes,
    ${namesOf(ownedBy(caller, 'p.owner_id'))} AS names`)

/** JSON of what a set is made of. Names of payees are for the texts of rules, where these ask for them. */
const imageOf = (owner: SQL): SQL => sql`json_object(
  'timeZone', (SELECT u.time_zone FROM users u WHERE u.id = ${owner}),
  'rules', (SELECT json_group_array(json_object('id', id, 'definition', json(definition)) ORDER BY position, id)
    FROM rules WHERE owner_id = ${owner} AND active = 1 AND ${brokenIds} = '[]'),
  'incomes', ${incomesOf(owner)},
  'usual', (SELECT json_group_array(json_array(id, default_category_id)) FROM (SELECT p.id, p.default_category_id FROM payees p
    JOIN categories c ON c.id = p.default_category_id AND c.archived = 0
    WHERE p.owner_id = ${owner} LIMIT ${PAYEES_OF_SET})),
  'names', ${namesOf(sql`p.owner_id = ${owner} AND EXISTS (SELECT 1 FROM rules ruling
    WHERE ruling.owner_id = ${owner} AND ruling.active = 1 AND instr(ruling.definition, '{payee}') > 0)`)})`

/** The set of a row, which is kept from now on. */
export function setOfRow({ ownerId, ruleSet, image }: SetRow, known: RuleSet[]): RuleSet {
  noteReadRules(ownerId)
  const found = known.find((one) => one.ownerId === ownerId && one.ruleSet === ruleSet)
  if (found) {
    return found
  }
  const made = compiledSet({ ownerId, ruleSet }, JSON.parse(image ?? '{}') as StoredSet)
  sets.set(ownerId, made)
  return made
}
