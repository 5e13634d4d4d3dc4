import type { Entry } from '../../../domain/ledger.ts'
import { entriesOf, type LedgerRow } from '../ledger.queries.ts'
import { type Links, linksOf } from '../links/links.rules.ts'

/** Of the row that shows one account's side, what the whole transaction has in common. */
type Shared = Omit<
  LedgerRow,
  | 'line'
  | 'accountId'
  | 'ownerId'
  | 'amountMinor'
  | 'currency'
  | 'status'
  | 'externalId'
  | 'reviewed'
  | 'private'
  | 'others'
  | 'payees'
  | 'tags'
>

/** A transaction whole, as the log keeps it: what is needed to bring it back. */
export type Image = Shared &
  Pick<Links, keyof Links> & { reviewed: boolean; private: boolean; entries: Entry[] }

export function imageOf(row: LedgerRow): Image {
  const { others: _others, line: _line, accountId: _account, amountMinor: _amount, ...shared } = row
  const {
    ownerId: _owner,
    currency: _currency,
    status: _status,
    externalId: _id,
    ...header
  } = shared
  const flags = { reviewed: row.reviewed === 1, private: row.private === 1 }
  return { ...header, ...flags, entries: entriesOf(row), ...linksOf(row) }
}

/** The row that a finder gave for a line when the transaction was as in an image; undefined for another line. */
export function rowOfImage(image: Image, line: number): LedgerRow | undefined {
  const { entries, payees, tags, reviewed, private: isPrivate, ...shared } = image
  const own = entries.find((entry) => entry.line === line)
  return (
    own && {
      ...shared,
      line,
      accountId: own.accountId,
      ownerId: own.ownerId,
      date: own.date,
      amountMinor: own.amountMinor,
      currency: own.currency,
      status: own.status,
      externalId: own.externalId,
      reviewed: Number(reviewed),
      private: Number(isPrivate),
      others: JSON.stringify(entries.filter((entry) => entry !== own)),
      payees: JSON.stringify(payees),
      tags: JSON.stringify(tags),
    }
  )
}
