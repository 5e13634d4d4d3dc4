import { eq, type SQL, sql } from 'drizzle-orm'
import { rules } from '../../../../drizzle/schema/rules.ts'
import { RULE_LIMITS } from '../../../domain/rules/rules.ts'
import { asOneChange } from '../../../ledger/ledger.public.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { ownedTable } from '../../../platform/database/owned-tables.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { ownedBy } from '../../identity/access/access.public.ts'
import { ruleErrors } from './rules.errors.ts'

export type StoredRule = typeof rules.$inferSelect

/** SQL of the ids in a rule, as JSON, that are gone or archived; of a row of `rules`. */
export const brokenIds = sql`(SELECT json_group_array(DISTINCT i.value) FROM json_each(rules.definition, '$.ids') i
  WHERE NOT CASE substr(i.value, 1, 4)
    WHEN 'cat_' THEN EXISTS (SELECT 1 FROM categories l
      WHERE l.id = i.value AND l.owner_id = rules.owner_id AND l.archived = 0)
    WHEN 'pay_' THEN EXISTS (SELECT 1 FROM payees l
      WHERE l.id = i.value AND l.owner_id = rules.owner_id AND l.archived = 0)
    WHEN 'tag_' THEN EXISTS (SELECT 1 FROM tags l
      WHERE l.id = i.value AND l.owner_id = rules.owner_id AND l.archived = 0)
    ELSE EXISTS (SELECT 1 FROM accounts l
      WHERE l.id = i.value AND l.owner_id = rules.owner_id AND l.deleted_at IS NULL) END)`

const computed = {
  order: sql<number>`(SELECT count(*) FROM rules earlier WHERE earlier.owner_id = rules.owner_id
    AND (earlier.position, earlier.id) <= (rules.position, rules.id))`.as('order_of_rule'),
  /** JSON. */
  broken: sql<string>`${brokenIds}`.as('broken_ids'),
}

const isMine = ({ caller }: SignedIn) => ownedBy(caller, rules.ownerId)

export const ruleRows = ownedTable(rules, {
  isSeen: isMine,
  computed: () => computed,
  hasLongRows: true,
  order: [rules.position, rules.id],
})

export type RuleRow = StoredRule & { order: number; broken: string }

export const isActive = (active: boolean | undefined): SQL | undefined =>
  active === undefined ? undefined : eq(rules.active, active)

/** All own rules, in their order. */
export const allRules = (ctx: SignedIn): Statement<RuleRow[]> =>
  ruleRows.page(ctx, { limit: RULE_LIMITS.rules, after: undefined })

/** The names of all own rules, in their order. */
export const namedRules = (ctx: SignedIn) =>
  db
    .select({ id: rules.id, name: rules.name })
    .from(rules)
    .where(isMine(ctx))
    .orderBy(rules.position, rules.id)

/** A rule without its place among the others. */
export type PlacelessRule = Omit<StoredRule, 'position'>

/** Adds a rule at the end, or in front of another one. */
export function insertRule(rule: PlacelessRule, before?: string): Statement[] {
  const isOwners = sql`owner_id = ${rule.ownerId}`
  const position =
    before === undefined
      ? sql`(SELECT ifnull(max(position), 0) + 1 FROM rules WHERE ${isOwners})`
      : sql`(SELECT position - 1 FROM rules WHERE id = ${before} AND ${isOwners})`
  return [
    ...(before === undefined
      ? []
      : [
          refuseIf(
            sql`NOT EXISTS (SELECT 1 FROM rules WHERE id = ${before} AND ${isOwners})`,
            changedMeanwhile,
          ),
          db.run(sql`UPDATE rules SET position = position + 1 WHERE ${isOwners}
            AND (position, id) >= (SELECT position, id FROM rules WHERE id = ${before})`),
        ]),
    db.insert(rules).values({ ...rule, position }),
    mustFit(rule.ownerId),
  ]
}

/** Refuses when an owner has more rules, or longer ones, than there may be. */
export const mustFit = (ownerId: string): Statement =>
  refuseIf(
    sql`(SELECT count(*) > ${RULE_LIMITS.rules} OR sum(octet_length(definition)) > ${RULE_LIMITS.bytes}
      FROM rules WHERE owner_id = ${ownerId})`,
    ruleErrors.tooMany,
  )

/** Puts all rules in an order; refuses when there are others by now. */
export function orderRules({ caller }: SignedIn, ids: string[]): Statement[] {
  const wanted = sql`json_each(${JSON.stringify(ids)}) w`
  return [
    refuseIf(
      sql`(SELECT count(*) FROM rules WHERE ${ownedBy(caller, 'owner_id')}) <> ${ids.length}
        OR EXISTS (SELECT 1 FROM ${wanted} WHERE NOT EXISTS (SELECT 1 FROM rules r
          WHERE r.id = w.value AND ${ownedBy(caller, 'r.owner_id')}))`,
      changedMeanwhile,
    ),
    db.run(sql`UPDATE rules SET position = w.key + 1 FROM ${wanted}
      WHERE rules.id = w.value AND ${ownedBy(caller, 'owner_id')}`),
  ]
}

/** Puts one label in the place of another, in all rules that name it. */
export const relabelRules = (
  { caller, now }: SignedIn,
  { from, to }: { from: string; to: string },
): Statement[] => {
  const isMeant = sql`${ownedBy(caller, 'owner_id')} AND instr(definition, ${from}) > 0`
  const relabel = db.run(sql`UPDATE rules SET definition = replace(definition, ${from}, ${to}),
      version = version + 1, updated_at = ${now} WHERE ${isMeant}`)
  return asOneChange(caller.userId, [relabel], sql`EXISTS (SELECT 1 FROM rules WHERE ${isMeant})`)
}
