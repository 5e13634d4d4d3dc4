/** A database that runs nothing and keeps its statements as SQL text. */
export function recorder(): { database: D1DatabaseSession; text: () => string } {
  const recorded: string[] = []
  const prepare = (sql: string, values: unknown[] = []) => ({
    text: () => filledIn(sql, values),
    bind: (...bound: unknown[]) => prepare(sql, bound),
  })
  const batch = (statements: { text: () => string }[]) => {
    recorded.push(...statements.map(({ text }) => `${text()};\n`))
    const nothing = { results: [], success: true, meta: { rows_read: 0, rows_written: 0 } }
    return Promise.resolve(statements.map(() => nothing))
  }
  const database = { prepare, batch, getBookmark: () => null } as unknown as D1DatabaseSession
  return { database, text: () => recorded.join('') }
}

/** Only for statements without a question mark in their own text. */
function filledIn(sql: string, values: unknown[]): string {
  let at = 0
  return sql.replaceAll('?', () => literal(values[at++]))
}

function literal(value: unknown): string {
  if (value === null || typeof value === 'number') {
    return String(value)
  }
  if (typeof value !== 'string') {
    throw new Error(`no SQL literal is known for ${typeof value}`)
  }
  return `'${value.replaceAll("'", "''")}'`
}
