/** A trigger that somebody wrote wrong. */
export interface Plant {
  bug: string
  /** Empty: it is missing. */
  sql: string
}

/** Each occurrence of a pattern replaced by itself, one at a time. */
const each = (pattern: RegExp, replacement: string) => (sql: string) =>
  [...sql.matchAll(pattern)].map(
    (found) =>
      sql.slice(0, found.index) +
      found[0].replace(new RegExp(pattern.source, pattern.flags.replace('g', '')), replacement) +
      sql.slice(found.index + found[0].length),
  )

const BUGS: Record<string, ((sql: string) => string[])[]> = {
  'a wrong sign': [
    each(/\+(?= *(?:CASE|NEW|OLD|excluded|1))/g, '-'),
    each(/-(?= *(?:CASE|NEW|OLD|excluded|1))/g, '+'),
    each(/\bmax\(((?:NEW|OLD)\.amount_minor)/g, 'min($1'),
    each(/\bmin\(((?:NEW|OLD)\.amount_minor)/g, 'max($1'),
  ],
  'a wrong column': [
    each(/\bNEW\.amount_minor/g, 'NEW.line'),
    each(/\bOLD\.amount_minor/g, 'OLD.line'),
    each(/\bexcluded\.cleared_minor/g, 'excluded.reconciled_minor'),
    each(/\bexcluded\.reconciled_minor/g, 'excluded.cleared_minor'),
    each(/\bexcluded\.inflow_minor/g, 'excluded.outflow_minor'),
    each(/\bexcluded\.outflow_minor/g, 'excluded.inflow_minor'),
    each(/ifnull\((\w+)\.category_id, ''\)/g, "'$1'"),
    each(/\bOLD\.id\b/g, 'OLD.kind'),
    droppedAssignments,
    forgottenColumns,
  ],
  'a forgotten void': [each(/<> 'void'/g, "<> 'forgotten'"), each(/= 'void'/g, "= 'forgotten'")],
  'a forgotten status': [
    each(/IN \('cleared', 'reconciled'\)/g, "IN ('cleared')"),
    each(/IN \('cleared', 'reconciled'\)/g, "IN ('reconciled')"),
    each(/IN \('cleared', 'reconciled'\)/g, "NOT IN ('void')"),
    each(/= 'reconciled'/g, "= 'cleared'"),
    each(/IN \('uncleared', 'cleared', 'reconciled'\)/g, "<> 'void'"),
    each(/IN \('uncleared', 'cleared', 'reconciled'\)/g, "<> 'pending'"),
    each(/IN \('uncleared', 'cleared', 'reconciled'\)/g, "<> 'cleared'"),
  ],
  'a forgotten side': [
    each(/IN \('expense', 'income'\)/g, "IN ('expense')"),
    each(/IN \('expense', 'income'\)/g, "IN ('income')"),
    each(/IN \('expense', 'income'\)/g, "<> 'account'"),
    each(/"?side"? = '(?:account|opening)'/g, `side <> 'expense'`),
  ],
  'a forgotten scope': [
    each(/OR NEW\.external_scope <> OLD\.external_scope/g, 'OR false'),
    each(/iif\(private, created_by, ''\)/g, 'NULL'),
    each(/iif\(private, created_by, ''\)/g, 'created_by'),
    each(/iif\(private, created_by, ''\)/g, "''"),
  ],
  'a wrong flow': [
    each(/iif\((\w+)\.flow_minor IS NULL, \w+\.side, 'transfer'\)/g, '$1.side'),
    each(/ifnull\((\w+)\.flow_minor, 0 - \w+\.amount_minor\)/g, '$1.flow_minor'),
    each(/ifnull\(\w+\.flow_minor, (0 - \w+\.amount_minor)\)/g, '$1'),
    each(/0 - (\w+\.amount_minor)/g, '$1'),
    each(/= ifnull\(OLD\.counter_account_id, ''\)(?![^;]*entry_count = 0)/g, "= ''"),
    each(/ifnull\(NEW\.counter_account_id, ''\)/g, "''"),
    each(/ OR (?:NEW|OLD)\.flow_minor IS NOT NULL/g, ''),
    each(/= 'pending'/g, "<> 'pending'"),
    each(/, 'opening'/g, ''),
    each(/, 'adjustment'/g, ''),
  ],
  'a wrong date': [
    each(/substr\((\w+\.date), 1, 7\)/g, 'substr($1, 1, 4)'),
    each(/substr\((\w+\.date), 1, 7\)/g, '$1'),
    each(/'day' AS grain/g, "'month' AS grain"),
    each(/\bmax\(ifnull/g, 'min(ifnull'),
    each(/\bmax\(date\)/g, 'min(date)'),
    each(/OLD\.date < last_date/g, 'OLD.date <= last_date'),
  ],
  'a wrong count': [
    each(/([+-]) 1$|([+-]) 1(?=,|;|$)/gm, '$1$2 2'),
    each(/, 1\)$/gm, ', 2)'),
    each(/^ +1$/gm, '2'),
  ],
  'wrong rows': [
    each(/\baccount_id = (?:NEW|OLD)\.account_id/g, "account_id = 'one'"),
    // Rows that count nothing are never there, so whose of them are deleted makes no difference.
    each(/\baccount_id = (?:NEW|OLD)\.account_id(?![^;]*entry_count = 0)/g, 'true'),
    each(/ AND category_id = ifnull\(OLD\.category_id, ''\)(?![^;]*entry_count = 0)/g, ''),
    each(/ AND period = OLD\.date(?![^;]*entry_count = 0)/g, ''),
    each(/ AND entry_count = 0/g, ''),
    each(/ AND entry_count = 0/g, ' AND false'),
    each(/ AND "?side"? = 'account'/g, ''),
    each(/WHEN EXISTS \(.*\)/g, 'WHEN false'),
  ],
  'a forgotten statement': [
    each(/(?<=;\s*|BEGIN\s*)(?:DELETE|UPDATE|INSERT|SELECT RAISE)[^;]*;/g, 'SELECT 1;'),
  ],
}

/** The trigger without one of the columns that it sets. */
function droppedAssignments(sql: string): string[] {
  return [...sql.matchAll(/\bSET\b(.*?)(?=\n\s*WHERE\b|;)/gs)].flatMap((found) => {
    const assignments = splitAtCommas(found[1] ?? '')
    return assignments.map((dropped) => {
      const [column = ''] = /\w+/.exec(dropped) ?? []
      const start = found.index + sql.slice(found.index).indexOf(dropped)
      return `${sql.slice(0, start)} ${column} = ${column} ${sql.slice(start + dropped.length)}`
    })
  })
}

/** The trigger without one of the columns that it compares. */
function forgottenColumns(sql: string): string[] {
  return [...sql.matchAll(/NEW\.(\w+)(?=[^()]*\)\s+IS NOT \()/g)].map(([, column]) =>
    sql.replaceAll(new RegExp(`(?:NEW|OLD)\\.${column}(?=[,)])`, 'g'), '0'),
  )
}

/** At those that stand within no parentheses. */
function splitAtCommas(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
    if (letter === ',' && depth === 0) {
      parts.push('')
    } else {
      parts[parts.length - 1] += letter
    }
  }
  return parts
}

/** All ways in which this trigger could be wrong. */
export function plantsIn(sql: string): Plant[] {
  const wrong = Object.entries(BUGS).flatMap(([bug, ways]) => {
    const found = [...new Set(ways.flatMap((way) => way(sql)))].filter((one) => one !== sql)
    return found.map((one, at) => ({ bug: `${bug} (${at + 1})`, sql: one }))
  })
  return [{ bug: 'nothing left of it', sql: '' }, ...wrong]
}
