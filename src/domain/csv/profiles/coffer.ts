import { negateDecimal, sumDecimals } from '../../bank-files/decimals.ts'
import { joinedTexts, put, rowError } from '../../bank-files/rows.ts'
import type { SourceFee, SourcePart, SourceRow } from '../../bank-files/source.ts'
import { splitLevels, splitTags, unguardCell } from '../writing.ts'
import { metadataIn } from '../../metadata.ts'
import type { RowCombiner } from './profile.ts'

type Raw = Record<string, string>

/** A text as it was before it became a cell that no spreadsheet runs. */
const textIn = (raw: Raw, column: string): string => unguardCell(raw[column] ?? '')

const pathIn = (raw: Raw): string[] | undefined => {
  const text = textIn(raw, 'category')
  return text === '' ? undefined : splitLevels(text)
}

/** The account of a record. */
export const cofferAccounts = (cell: (heading: string) => string): string[] => {
  const name = unguardCell(cell('account'))
  return name === '' ? [] : [name]
}

/** Completes a row from the columns of an export of this service. */
function completed(row: SourceRow): SourceRow {
  const { raw } = row
  row.account = textIn(raw, 'account')
  row.bankId = { scheme: 'coffer', id: `coffer:${textIn(raw, 'id')}` }
  const payee = textIn(raw, 'payeeRaw') || textIn(raw, 'payee')
  put(row, 'payeeRaw', payee)
  put(row, 'description', textIn(raw, 'description'))
  put(row, 'note', textIn(raw, 'note'))
  put(row, 'category', pathIn(raw))
  row.tags = splitTags(textIn(raw, 'tags'))
  row.text = joinedTexts(payee, row.description)
  put(row, 'externalId', textIn(raw, 'externalId'))
  const { status, kind, transferId } = raw
  put(row, 'ownMetadata', metadataIn(textIn(raw, 'metadata')))
  row.pending = status === 'pending'
  if (status === 'uncleared') {
    row.status = status
  }
  if (kind === 'transfer' && transferId) {
    row.transfer = { account: textIn(raw, 'counterAccount'), pair: transferId }
  }
  if (kind === 'opening' || status === 'void') {
    row.ignored = kind === 'opening' ? 'opening' : 'notCompleted'
    row.errors = []
  }
  return row
}

/** One that cannot be read is missed in the sum of the whole. */
const amountOf = ({ amount = '0' }: SourceRow) => amount

function partOf(row: SourceRow): SourcePart {
  const { raw } = row
  const part: SourcePart = { amount: amountOf(row) }
  put(part, 'description', textIn(raw, 'note'))
  put(part, 'category', pathIn(raw))
  const tags = splitTags(textIn(raw, 'tags'))
  put(part, 'tags', tags.length > 0 ? tags : undefined)
  const other = textIn(raw, 'counterAccount')
  if (raw['transferId'] && other !== '') {
    part.transfer = other
    part.pair = raw['transferId']
  }
  return part
}

function feeOf(row: SourceRow): SourceFee {
  const { raw } = row
  const fee: SourceFee = { amount: negateDecimal(amountOf(row)) }
  put(fee, 'description', textIn(raw, 'note'))
  put(fee, 'category', pathIn(raw))
  return fee
}

/** A whole whose parts are no longer below it, as in a table that was sorted. */
const lonely = {
  code: 'partsDoNotSum',
  column: 'partOf',
  message: 'The row is a part, but the row above it is not the one that it is a part of.',
} as const

/** Lines of parts follow the line of what they are parts of. */
export function cofferRows(): RowCombiner {
  let whole: SourceRow | undefined

  function release(): SourceRow[] {
    const row = whole
    whole = undefined
    if (!row) {
      return []
    }
    const { amount, parts, ignored } = row
    const sum = sumDecimals(parts.map((part) => part.amount))
    if (ignored === undefined && amount !== undefined && parts.length > 0 && sum !== amount) {
      row.errors.push(rowError.partsDoNotSum('partAmount', sum, amount))
    }
    return [row]
  }

  return {
    add(row) {
      const { partOf: wholeId = '', kind } = row.raw
      if (wholeId === '') {
        const before = release()
        whole = completed(row)
        return before
      }
      if (whole?.raw['id'] !== wholeId) {
        return [...release(), { ...row, errors: [...row.errors, lonely] }]
      }
      if (kind !== 'fee') {
        whole.parts.push(partOf(row))
        whole.errors.push(...row.errors)
      } else if (whole.transfer) {
        // It is in the amount of the transfer already.
        whole.transfer.fees = [...(whole.transfer.fees ?? []), feeOf(row)]
      }
      return []
    },
    end: release,
  }
}
