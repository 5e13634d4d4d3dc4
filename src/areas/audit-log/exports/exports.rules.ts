import { toInstant } from '../../../domain/calendar.ts'
import { changesTold } from '../audit-log.rules.ts'

export const FORMATS = ['ndjson', 'csv'] as const

export type Format = (typeof FORMATS)[number]

/** What one run reads within its lease, with room to spare. */
export const MOST_ENTRIES = 200_000
export const MOST_BYTES = 1024 ** 3

/** What an export says of an entry: all but its items, which the entry itself tells. */
export interface Told {
  id: string
  at: number
  action: string
  actorId: string | null
  actorType: string
  tokenId: string | null
  ownerId: string | null
  resourceType: string
  resourceId: string | null
  bookedOn: string | null
  groupId: string | null
  changes: string | null
  itemCount: number
  ip: string | null
  userAgent: string | null
  requestId: string
  number: number | null
  hash: string | null
}

/** The columns of a table, and the fields of an object. */
const fieldsOf = (entry: Told, isMasked: boolean) => ({
  id: entry.id,
  at: toInstant(entry.at),
  action: entry.action,
  actorId: entry.actorId,
  actorType: entry.actorType,
  tokenId: entry.tokenId,
  ownerId: entry.ownerId,
  resourceType: entry.resourceType,
  resourceId: entry.resourceId,
  accountId: entry.bookedOn,
  groupId: entry.groupId,
  changes: changesTold(entry.changes, { resourceType: entry.resourceType, isMasked }),
  itemCount: entry.itemCount,
  ip: entry.ip,
  userAgent: entry.userAgent,
  requestId: entry.requestId,
  number: entry.number,
  hash: entry.hash,
})

const COLUMNS =
  'id,at,action,actorId,actorType,tokenId,ownerId,resourceType,resourceId,accountId,groupId,changes,itemCount,ip,userAgent,requestId,number,hash'

export const headOf = (format: Format): string => (format === 'csv' ? `${COLUMNS}\r\n` : '')

/** A line of a file. */
export function lineOf(entry: Told, format: Format, isMasked: boolean): string {
  const fields = fieldsOf(entry, isMasked)
  if (format === 'ndjson') {
    return `${JSON.stringify(fields)}\n`
  }
  const texts = { ...fields, changes: JSON.stringify(fields.changes) }
  return `${Object.values(texts)
    .map((value) => cellOf(String(value ?? '')))
    .join(',')}\r\n`
}

/** What a table would take for a formula and run. */
const FORMULA = /^\s*[=+\-@\t\r]/

/** A cell of CSV (RFC 4180), always in quotes. */
export const cellOf = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
