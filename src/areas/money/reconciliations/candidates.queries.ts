import { type SQL, sql } from 'drizzle-orm'
import { reconciliations } from '../../../../drizzle/schema/reconciliation.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { among, db, nothing, type Statement } from '../../../platform/database/statements.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { type WideSum, wideSum } from '../../../platform/database/wide-sums.ts'
import {
  isNotPrivateEntry,
  ownedBy,
  visibleAccountIds,
} from '../../identity/access/access.public.ts'
import { openingIdOf } from '../accounts/accounts.public.ts'
import { lastOf, isPrivateToOthers } from './reconciliations.queries.ts'
import { addressOfRow, isTick, TICKABLE, insertTicks, mostTicks, ON_OFFER } from './rows.queries.ts'
import type {
  DistinctPair,
  FoundRow,
  TrashedCandidate,
  Prefill,
  ReconciliationRow,
} from './reconciliations.rules.ts'

// The possible causes of a difference. Each list is of the newest rows alone.

const MOST_OF_LIST = sql.raw('300')

/** Rows of files that are looked at for those that are booked elsewhere, the newest first, booked or not. */
const MOST_IDENTITIES = sql.raw('2000')

/** Transactions in the trash that are looked at, the last deleted first. */
const MOST_IN_TRASH = sql.raw('2000')

/** The number of days after a statement through which late rows are searched. */
const LATE = sql.raw(`'+10 days'`)

/** An open session of an account that the caller sees, as `s`. */
const isOpen = (ctx: SignedIn, id: string): SQL =>
  sql`s.id = ${id} AND s.state = 'open' AND s.account_id IN (${visibleAccountIds(ctx)})`

/** The day of the statement before that of a session `s`. */
const DAY_BEFORE = sql`ifnull(${lastOf(sql.raw('s.account_id'), sql.raw('l.statement_date'))}, '')`

const LINE = sql.raw(
  'e.transaction_id, e.line, e.date, e.amount_minor, e.status, e.pair, e.payee_raw',
)

/** The texts of account lines, in a table of lines. The other side of a part shows the part alone. */
const textsOf = (line: 'e' | 'f', table: 'entries' | 'unbooked_entries'): SQL =>
  sql.raw(`iif(${line}.line > 2, ifnull((SELECT part.note FROM ${table} part
      WHERE part.transaction_id = ${line}.transaction_id AND part.line = ${line}.pair), ''), c.description) AS description,
    iif(${line}.line > 2, ${line}.payee_raw, c.payee_raw) AS payeeRaw,
    iif(${line}.line > 2, NULL, (SELECT y.payee_id FROM transaction_payees y
      WHERE y.transaction_id = ${line}.transaction_id AND y.line = 0)) AS payeeId`)

/**
 * True if files reported a line to its account, as its transaction or as one that was matched into it. The plus has it looked up
 * by the transaction, and not among all that the account knows.
 */
const isInFile = (line: 'e' | 'f', and: SQL = sql.raw('1')): SQL => {
  const id = `${line}.transaction_id`
  return sql`EXISTS (SELECT 1 FROM import_identities known WHERE ${sql.raw(`+known.account_id = ${line}.account_id
    AND known.transaction_id IN (SELECT ${id} UNION ALL SELECT half.id FROM transactions half WHERE half.matched_into = ${id})`)}
    AND ${and})`
}

const newest = (place: FoundRow['place'], lines: SQL): SQL =>
  sql`SELECT * FROM (SELECT ${place} AS place, found.* FROM (${lines}) found ORDER BY date DESC LIMIT ${MOST_OF_LIST})`

const rowsOf = (lists: SQL[]) =>
  db.all<FoundRow>(sql`SELECT ${addressOfRow('f')} AS id, f.place, f.date, f.amount_minor AS minor, f.status,
      ${textsOf('f', 'entries')},
      iif(f.line > 2, 'transfer', c.kind) AS kind,
      (SELECT count(*) FROM entries p WHERE p.transaction_id = f.transaction_id) > 2 OR c.kind = 'transfer' AS isCompound,
      iif(f.place = 'ticked', (SELECT max(i.amount_minor) FROM import_identities i
        WHERE i.transaction_id = f.transaction_id AND i.account_id = f.account_id AND i.skipped = 0
          AND i.amount_minor <> f.amount_minor), NULL) AS bankMinor,
      f.place = 'ticked' AND ${isInFile('f')} AS isImported,
      f.place = 'ticked' AND ${isInFile('f', sql.raw('known.amount_minor = f.amount_minor'))} AS isConfirmed
    FROM (${sql.join(lists, sql` UNION ALL `)}) f CROSS JOIN transactions c ON c.id = f.transaction_id
    ORDER BY f.date DESC, f.transaction_id DESC, f.line`)

/** The rows of an open session, and of its account beside it, that the caller sees. */
export const candidatesOf = (ctx: SignedIn, id: string) => {
  const isThis = isOpen(ctx, id)
  const columns = sql`${LINE}, e.account_id`
  const lines = (where: SQL) => sql`SELECT ${columns} FROM reconciliations s
    CROSS JOIN entries e ON e.account_id = s.account_id AND e.side = 'account' WHERE ${isThis} AND ${where}
      AND ${isNotPrivateEntry(ctx)} ORDER BY e.date DESC LIMIT ${MOST_OF_LIST}`
  const isNotTicked =
    sql.raw(`NOT EXISTS (SELECT 1 FROM reconciliation_rows k WHERE k.reconciliation_id = s.id
    AND k.transaction_id = e.transaction_id AND k.line = e.line)`)
  return rowsOf([
    newest(
      'ticked',
      sql`SELECT ${columns} FROM reconciliations s CROSS JOIN reconciliation_rows k ON k.reconciliation_id = s.id
        CROSS JOIN entries e ON e.transaction_id = k.transaction_id AND e.line = k.line AND ${isTick('s')}
        WHERE ${isThis} AND ${isNotPrivateEntry(ctx)}`,
    ),
    newest(
      'unticked',
      lines(sql`e.date <= s.statement_date AND e.status IN ${TICKABLE} AND ${isNotTicked}`),
    ),
    newest(
      'void',
      lines(sql`e.date > ${DAY_BEFORE} AND e.date <= s.statement_date AND e.status = 'void'`),
    ),
    newest(
      'later',
      lines(sql`e.date > s.statement_date AND e.date <= date(s.statement_date, ${LATE})
        AND e.status IN ${TICKABLE} AND ${isNotTicked}`),
    ),
  ])
}

/** Rows that files reported for the account of an open session, and that are booked on another own account instead. */
export const rowsElsewhere = (ctx: SignedIn, id: string) =>
  rowsOf([
    newest(
      'elsewhere',
      sql`SELECT ${LINE}, e.account_id FROM (SELECT i.transaction_id, i.account_id, i.date FROM reconciliations s
          CROSS JOIN import_identities i ON i.account_id = s.account_id AND i.date > ${DAY_BEFORE}
            AND i.date <= s.statement_date
          WHERE ${isOpen(ctx, id)} ORDER BY i.date DESC LIMIT ${MOST_IDENTITIES}) reported
        CROSS JOIN entries e ON e.transaction_id = reported.transaction_id AND e.line = 1 AND e.side = 'account'
          AND e.account_id <> reported.account_id AND e.account_id IN (${visibleAccountIds(ctx)})
          AND ${ownedBy(ctx.caller, 'e.owner_id')} AND e.status <> 'void'
          AND e.date BETWEEN date(reported.date, '-1 day') AND date(reported.date, '+1 day')
        WHERE NOT EXISTS (SELECT 1 FROM entries p WHERE p.transaction_id = reported.transaction_id
          AND p.account_id = reported.account_id)`,
    ),
  ])

/** Pairs of these rows that somebody said to be no duplicates. The plus has the few of each row read, and not each pair looked up. */
export const distinctPairsAmong = (ids: string[]) =>
  ids.length < 2
    ? nothing<DistinctPair>()
    : db.all<DistinctPair>(sql`SELECT d.one_id AS oneId, d.other_id AS otherId
        FROM json_each(${JSON.stringify(ids)}) one CROSS JOIN distinct_pairs d ON d.one_id = one.value AND d.kind = 'duplicate'
        WHERE +d.other_id IN ${among(ids)}`)

/** Own rows in the trash that files reported for the account of an open session, in its days. */
export const trashedRows = (ctx: SignedIn, id: string) =>
  db.all<TrashedCandidate>(sql`SELECT ${addressOfRow('e')} AS id, e.transaction_id AS transactionId, e.date,
      e.amount_minor AS minor, e.status, ${textsOf('e', 'unbooked_entries')}
    FROM reconciliations s CROSS JOIN (SELECT t.id FROM transactions t WHERE ${ownedBy(ctx.caller, 't.owner_id')}
        AND t.deleted_at IS NOT NULL ORDER BY t.deleted_at DESC, t.id DESC LIMIT ${MOST_IN_TRASH}) gone
      CROSS JOIN unbooked_entries e ON e.transaction_id = gone.id AND e.account_id = s.account_id AND e.side = 'account'
      CROSS JOIN transactions c ON c.id = gone.id
    WHERE ${isOpen(ctx, id)} AND e.date > ${DAY_BEFORE} AND e.date <= s.statement_date AND e.status <> 'void'
      AND ${isInFile('e')}
    ORDER BY e.date DESC, e.transaction_id DESC, e.line LIMIT ${MOST_OF_LIST}`)

/** A row of a file of the bank that the user skipped. */
export interface SkippedRow {
  date: string
  minor: number
  importId: string
}

/** Rows that the caller skipped in imports of the account of an open session, in its days. */
export const skippedRows = (ctx: SignedIn, id: string) =>
  db.all<SkippedRow>(sql`SELECT i.date, i.amount_minor AS minor, i.import_id AS importId FROM reconciliations s
      CROSS JOIN import_identities i ON i.account_id = s.account_id AND i.date > ${DAY_BEFORE}
        AND i.date <= s.statement_date AND i.skipped = 1 AND i.transaction_id IS NULL
    WHERE ${isOpen(ctx, id)} AND (${ownedBy(ctx.caller, 's.owner_id')} OR EXISTS (SELECT 1 FROM imports m
      WHERE m.id = i.import_id AND ${ownedBy(ctx.caller, 'm.owner_id')}))
    ORDER BY i.date DESC LIMIT ${MOST_OF_LIST}`)

/** The account of a session, and its days after the statement before, as SQL. */
export const sessionSpan = (id: string): { accountId: SQL; after: SQL; through: SQL } => ({
  accountId: sql`(SELECT s.account_id FROM reconciliations s WHERE s.id = ${id})`,
  after: sql`(SELECT ${DAY_BEFORE} FROM reconciliations s WHERE s.id = ${id})`,
  through: sql`(SELECT s.statement_date FROM reconciliations s WHERE s.id = ${id})`,
})

/** The account, statement date and prefill of a new session. */
export interface Filling {
  accountId: string
  statementDate: string
  prefill: Prefill
  importId: string | null
}

/** The lines that a new session has ticked, as far as the caller sees them. */
const linesToTick = (
  ctx: SignedIn,
  { accountId, statementDate, prefill, importId }: Filling,
  columns: SQL,
): SQL => {
  const picked =
    prefill === 'import'
      ? sql`e.status IN ${TICKABLE} AND e.transaction_id IN (
          SELECT ifnull(m.matched_into, m.id) FROM import_identities i JOIN transactions m ON m.id = i.transaction_id
          WHERE i.account_id = ${accountId} AND i.import_id = ${importId}
          UNION ALL SELECT ${openingIdOf(accountId)} WHERE ${lastOf(sql`${accountId}`, sql.raw('l.id'))} IS NULL)`
      : sql`e.status = ${prefill === 'cleared' ? 'cleared' : ''}`
  return sql`SELECT ${columns} FROM entries e WHERE e.account_id = ${accountId} AND e.side = 'account'
    AND e.date <= ${statementDate} AND ${picked} AND ${isNotPrivateEntry(ctx)}`
}

/** The sums and counts of the rows that a new session would tick. */
export interface Filled {
  ticked: number
  tickedTotal: WideSum
  onOffer: number
  reconciledNow: number
  /** 1 where private rows of others are among the reconciled ones. */
  isHidden: number
}

/** The lines `x` of an account that are private to others than the caller; few transactions are. */
const hidden = (ctx: SignedIn, accountId: string, columns: SQL): SQL =>
  sql`SELECT ${columns} FROM accounts a CROSS JOIN transactions p ON p.owner_id = a.owner_id AND p.private = 1
      CROSS JOIN entries x ON x.transaction_id = p.id AND x.account_id = a.id AND x.side = 'account'
    WHERE a.id = ${accountId} AND ${isPrivateToOthers(ctx, sql.raw('p.id'))}`

export const filledBy = (ctx: SignedIn, filling: Filling) =>
  db.all<Filled>(sql`SELECT count(*) AS ticked, ${wideSum(sql.raw('amount'))} AS tickedTotal,
      (SELECT count(*) FROM entries o WHERE o.account_id = ${filling.accountId} AND o.side = 'account'
        AND o.date <= ${filling.statementDate} AND o.status IN ${ON_OFFER}) - (${hidden(
          ctx,
          filling.accountId,
          sql`count(*)`,
        )} AND x.date <= ${filling.statementDate} AND x.status IN ${ON_OFFER}) AS onOffer,
      (SELECT kept.reconciled_minor FROM account_balances kept WHERE kept.account_id = ${filling.accountId}) AS reconciledNow,
      EXISTS (${hidden(ctx, filling.accountId, sql`1`)} AND x.status = 'reconciled') AS isHidden
    FROM (${linesToTick(ctx, filling, sql.raw('e.amount_minor AS amount'))})`)

/** Stores a session with its first ticks; refuses where the session that it follows is not the last one any more. */
export const insertReconciliation = (
  ctx: SignedIn,
  session: ReconciliationRow,
  filling: Filling,
): Statement[] => [
  refuseIf(
    sql`ifnull(${lastOf(sql`${session.accountId}`, sql.raw('l.closing_minor'))}, 0) <> CAST(${session.openingMinor} AS INTEGER)
      OR ifnull(${lastOf(sql`${session.accountId}`, sql.raw('l.statement_date'))}, '') > ${session.statementDate}`,
    changedMeanwhile,
  ),
  db.insert(reconciliations).values(session),
  ...(filling.prefill === 'none'
    ? []
    : [
        insertTicks(linesToTick(ctx, filling, sql`${session.id}, e.transaction_id, e.line`)),
        mostTicks(session.id),
      ]),
]

/** Finds a file, or an import of an account, that the caller can name in a session. */
export const namedFile = ({ caller }: SignedIn, id: string | null | undefined) =>
  id
    ? db.all<{ id: string }>(
        sql`SELECT f.id FROM attachments f WHERE f.id = ${id} AND ${ownedBy(caller, 'f.owner_id')} AND f.deleted_at IS NULL`,
      )
    : nothing<{ id: string }>()

export const namedImport = (
  { caller }: SignedIn,
  { accountId, importId }: { accountId: string; importId: string | undefined },
) =>
  importId === undefined
    ? nothing<{ id: string }>()
    : db.all<{ id: string }>(
        sql`SELECT i.id FROM imports i WHERE i.id = ${importId} AND ${ownedBy(caller, 'i.owner_id')} AND i.state = 'done'
          AND EXISTS (SELECT 1 FROM json_each(i.accounts) f WHERE f.value->>'accountId' = ${accountId})`,
      )
