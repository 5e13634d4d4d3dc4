import { and, eq, sql } from 'drizzle-orm'
import { payeeAliases, payees } from '../../../../drizzle/schema/payees.ts'
import { foldKey } from '../../../domain/text.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, mustKeepVersion, refuseIf } from '../../../platform/premises.ts'
import { db, nothing, prepared, type Statement } from '../../../platform/statements.ts'
import { payeeErrors } from '../payees.errors.ts'
import type { PayeeRow } from '../payees.queries.ts'
import { MOST_ALIASES } from '../payees.rules.ts'

export const aliasesOf = (ctx: SignedIn, payeeId: string) =>
  db
    .select({ id: payeeAliases.id, raw: payeeAliases.raw, createdAt: payeeAliases.createdAt })
    .from(payeeAliases)
    .where(and(eq(payeeAliases.payeeId, payeeId), eq(payeeAliases.ownerId, ctx.caller.userId)))
    .orderBy(payeeAliases.id)

export type AliasRow = Awaited<ReturnType<typeof aliasesOf>>[number]

/** Refuses when the payee has more aliases than are read at once. */
export const requireRoomForAlias = (payeeId: string): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM payee_aliases WHERE payee_id = ${payeeId}) > ${MOST_ALIASES}`,
    payeeErrors.tooManyAliases,
  )

/** The payee changed although none of its columns did; whatever version it has. */
export const touchPayee = ({ caller, now }: SignedIn, payeeId: string): Statement[] => [
  db.run(sql`UPDATE payees SET version = version + 1, updated_at = ${now}
    WHERE id = ${payeeId} AND owner_id = ${caller.userId}`),
  requireChangedOne(payeeErrors.notFound),
]

/** Deletes an alias of a payee that was read; refuses when it is deleted already. */
export const deleteAlias = (
  ctx: SignedIn,
  payee: Pick<PayeeRow, 'id' | 'version'>,
  aliasId: string,
): Statement[] => [
  ...mustKeepVersion(ctx, payees, payee),
  ...touchPayee(ctx, payee.id),
  db.run(sql`DELETE FROM payee_aliases WHERE id = ${aliasId} AND payee_id = ${payee.id}`),
  requireChangedOne(payeeErrors.aliasNotFound),
]

export interface Resolution {
  payeeId: string
  reason: 'alias' | 'name'
  alias: string | null
}

/** Which payee of the caller a bank's text means, and why: an alias before a name, and no archived payee. */
export const resolutionOf = ({ caller }: SignedIn, raw: string): Statement<Resolution[]> => {
  const key = foldKey(raw)
  return db.all(
    sql`SELECT a.payee_id AS payeeId, 'alias' AS reason, a.raw AS alias
      FROM payee_aliases a JOIN payees p ON p.id = a.payee_id AND p.archived = 0
      WHERE a.owner_id = ${caller.userId} AND a.raw_key = ${key}
    UNION ALL SELECT p.id, 'name', NULL FROM payees p
      WHERE p.owner_id = ${caller.userId} AND p.name_key = ${key} AND p.archived = 0
    ORDER BY reason LIMIT 1`,
  )
}

/** The payees of the owners of accounts that texts on these, in their folded form, mean, likewise. */
export const resolutionsOf = (texts: { accountId: string; key: string }[]) =>
  texts.length === 0 ? nothing<Meant>() : meant({ json: JSON.stringify(texts) })

interface Meant {
  accountId: string
  key: string
  payeeId: string
}

const meant = prepared<{ json: string }, Meant[]>(() =>
  db.all<Meant>(
    sql`SELECT accountId, key, payeeId FROM (SELECT c.id AS accountId, wanted.value->>'key' AS key, ifnull(
        (SELECT a.payee_id FROM payee_aliases a JOIN payees p ON p.id = a.payee_id AND p.archived = 0
          WHERE a.owner_id = c.owner_id AND a.raw_key = wanted.value->>'key'),
        (SELECT p.id FROM payees p
          WHERE p.owner_id = c.owner_id AND p.name_key = wanted.value->>'key' AND p.archived = 0)) AS payeeId
      FROM json_each(${sql.placeholder('json')}) wanted CROSS JOIN accounts c ON c.id = wanted.value->>'accountId')
    WHERE payeeId IS NOT NULL`,
  ),
)

/** The ids of the payees that a bank's text may mean. */
export const meantBy = ({ caller }: SignedIn, raw: string) =>
  sql`SELECT a.payee_id FROM payee_aliases a
      WHERE a.owner_id = ${caller.userId} AND a.raw_key = ${foldKey(raw)}
    UNION SELECT p.id FROM payees p
      WHERE p.owner_id = ${caller.userId} AND p.name_key = ${foldKey(raw)}`
