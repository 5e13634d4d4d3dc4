import type { FileWarning, SourceStatement } from '../../../../domain/bank-files/source.ts'
import type { Ends } from '../../../../domain/imports/continuing.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import {
  findGaps,
  statementPeriod,
  settleStatement,
  type StatementCheck,
  type StatementSums,
  type StoredClosing,
  sumStatements,
} from '../../../../domain/imports/statements.ts'
import type { CoveredDays } from '../../../../domain/imports/verdicts.ts'
import { formatMoney, toMinor } from '../../../../domain/money.ts'
import type { StoredStatement } from '../imports.queries.ts'
import { MOST_OTHER_BALANCES, type StatementContent } from '../imports.rules.ts'
import { IGNORE, type Targets } from './accounts.rules.ts'

export interface CheckedStatement extends StatementCheck {
  source: SourceStatement
  /** The days that it tells the whole of. */
  covers: { from: string; through: string } | undefined
}

/** The statements of a file on an own account, as they pass. */
export interface Statements {
  /** Returns how many there are. */
  begin: (statement: SourceStatement) => number
  end: (index: number, statement: SourceStatement) => void
  add: StatementSums['add']
  /** The days that statements tell the whole of. */
  coverage: (targets: Targets) => CoveredDays[]
  /** Statements of accounts that are left out are left out. */
  checks: (targets: Targets) => CheckedStatement[]
}

export function watchStatements(): Statements {
  const sources: SourceStatement[] = []
  const sums = sumStatements()
  /** The earliest row of each, for those that do not say when they begin. */
  const first = new Map<number, string>()
  const own = (targets: Targets) =>
    sources.flatMap((source, index) => {
      const target = targets.get(source.account)
      return target === undefined || target === IGNORE
        ? []
        : [{ source, settled: settleStatement(source, index, target) }]
    })
  return {
    begin: (statement) => sources.push(statement),
    end: (index, statement) => {
      sources[index] = statement
    },
    add: (rows: readonly SettledRow[], occurrences) => {
      sums.add(rows, occurrences)
      for (const { date, source } of rows) {
        const known = first.get(source.statement ?? -1)
        if (date !== undefined && source.statement !== undefined && !(known && known <= date)) {
          first.set(source.statement, date)
        }
      }
    },
    coverage: (targets) =>
      own(targets).flatMap(({ source, settled: { accountId, index } }) => {
        const period = statementPeriod(source, first.get(index))
        return period ? [{ accountId, ...period }] : []
      }),
    checks: (targets) =>
      own(targets).map(({ source, settled }) => {
        const from = settled.from ?? first.get(settled.index)
        const covers = statementPeriod(source, first.get(settled.index))
        return {
          ...{ source, covers },
          ...sums.check({ ...settled, ...(from === undefined ? {} : { from }) }),
        }
      }),
  }
}

/** Tells of statements that are missing before those of a file. */
export const gapWarnings = (checks: CheckedStatement[], closings: StoredClosing[]): FileWarning[] =>
  findGaps(checks, closings).flatMap(({ accountId, closingMinor, openingMinor, index }) =>
    checks
      .filter((one) => one.index === index)
      .map(({ currency }) => ({
        ...{ code: 'statementMissing' as const, accountId },
        closing: formatMoney(closingMinor, currency),
        opening: formatMoney(openingMinor, currency),
      })),
  )

/** Statements as they are stored. */
export const statementsFrom = (
  checks: CheckedStatement[],
  matched: ReadonlyMap<number, number>,
  { importId, ownerId, now }: { importId: string; ownerId: string; now: number },
): StoredStatement[] =>
  checks.map(({ source, covers, index, accountId, currency, number, from, to, ...check }) => {
    const content: StatementContent = {
      causes: check.explanations.map(({ line, kind, minor, explainsAll }) => ({
        ...{ line, reason: kind, amountMinor: minor ?? null, explainsAll },
      })),
      evidence: source.evidence.slice(0, MOST_OTHER_BALANCES),
      isInterim: check.isInterim,
      matched: matched.get(index) ?? 0,
      ...(check.closingDate === undefined ? {} : { closingDate: check.closingDate }),
      ...(check.derivedMinor === undefined ? {} : { derivedMinor: check.derivedMinor }),
      ...(covers ? { covers } : {}),
    }
    return {
      ...{ importId, place: index, ownerId, accountId, currency, rows: check.rows },
      number: number ?? null,
      fromDate: from ?? null,
      throughDate: to ?? null,
      openingMinor: check.openingMinor ?? null,
      closingMinor: check.closingMinor ?? null,
      sumMinor: toMinor(check.sum),
      content: JSON.stringify(content),
      createdAt: now,
    }
  })

/** The days and balances of a stored statement. */
export function endsOf({ content, ...stored }: StoredStatement): Ends {
  const { isInterim, derivedMinor } = JSON.parse(content) as StatementContent
  const { accountId, fromDate, throughDate, openingMinor, closingMinor } = stored
  return {
    ...{ accountId, isInterim },
    ...(fromDate === null ? {} : { from: fromDate }),
    ...(throughDate === null ? {} : { to: throughDate }),
    ...(openingMinor === null ? {} : { openingMinor }),
    ...(closingMinor === null ? {} : { closingMinor }),
    ...(derivedMinor === undefined ? {} : { derivedMinor }),
  }
}

/** The days of stored statements on accounts of which a file has interim reports alone. */
export function statedIn(
  closings: StoredClosing[],
  statements: { accountId: string; isInterim: boolean }[],
): CoveredDays[] {
  const whole = new Set(statements.flatMap((one) => (one.isInterim ? [] : [one.accountId])))
  return closings.flatMap(({ accountId, from, to }) =>
    whole.has(accountId) || !from ? [] : [{ accountId, from, through: to }],
  )
}
