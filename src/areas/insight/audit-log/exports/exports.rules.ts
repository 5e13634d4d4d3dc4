import { jsonLine } from '../../../../domain/text.ts'

export const FORMATS = ['ndjson', 'csv'] as const

export type Format = (typeof FORMATS)[number]

/** What one run reads within its lease, with room to spare. */
export const MOST_ENTRIES = 200_000
export const MOST_BYTES = 1024 ** 3

const COLUMNS =
  'id,commitId,at,action,actorId,actorType,tokenId,ownerId,resourceType,resourceId,accountId,groupId,version,changes,ip,userAgent,requestId,number,hash'

export const headOf = (format: Format): string => (format === 'csv' ? `${COLUMNS}\r\n` : '')

/** A line of a file, of fields in the order of the columns. */
export function lineOf(fields: { changes: unknown }, format: Format): string {
  if (format === 'ndjson') {
    return jsonLine(fields)
  }
  const texts = { ...fields, changes: JSON.stringify(fields.changes) }
  const cells = Object.values(texts) as (string | number | null)[]
  return `${cells.map((value) => cellOf(String(value ?? ''))).join(',')}\r\n`
}

/** What a table would take for a formula and run; in some languages in full width, too. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/

/** A cell of CSV (RFC 4180), always in quotes. */
export const cellOf = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
