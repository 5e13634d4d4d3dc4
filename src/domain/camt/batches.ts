import type { BankIds } from '../bank-files/bank-ids.ts'
import { negateDecimal, sumDecimals } from '../bank-files/decimals.ts'
import { joinedTexts, put } from '../bank-files/rows.ts'
import type { SourcePart, SourceRow } from '../bank-files/source.ts'
import type { XmlElement } from '../xml.ts'
import { textAt } from '../xml-paths.ts'
import {
  type Charge,
  chargesOf,
  type Detail,
  directionOfEntry,
  otherParty,
  signed,
} from './details.ts'

/**
 * The parts whose sum is the amount of the entry: its details, with the charges that it contains, or else with all
 * charges. Empty where there is but one, or where they do not sum.
 */
export function partsOfEntry(
  row: SourceRow,
  entry: XmlElement,
  details: readonly Detail[],
): SourcePart[] {
  const { amount, currency } = row
  if (amount === undefined) {
    return []
  }
  const charges = [...chargesOf(entry), ...details.flatMap((detail) => detail.charges)].filter(
    (charge) => charge.currency === currency,
  )
  const included = charges.filter(({ isIncluded }) => isIncluded)
  const parts = details.flatMap((detail) => partOf(detail, entry, currency))
  if (details.length > 1 && parts.length < details.length) {
    return []
  }
  for (const fees of [included, charges]) {
    const all = [...parts, ...fees.map(feeOf)]
    if (parts.length > 0 && sumOfParts(all) === amount && all.length > 1) {
      return all
    }
  }
  if (details.length > 1) {
    return withoutCharges(row, amount, parts)
  }
  return withoutFees(row, amount, included)
}

/** Returns the parts of a batch if they sum to its amount without any charges. */
function withoutCharges(row: SourceRow, amount: string, parts: SourcePart[]): SourcePart[] {
  const difference = sumDecimals([amount, negateDecimal(sumOfParts(parts))])
  if (difference === '0') {
    return parts
  }
  row.warnings.push('detailsDoNotSum')
  row.metadata['detailsDifference'] = difference.replace('-', '')
  return []
}

/** An amount that contains charges is what is left, and the charges. */
function withoutFees(row: SourceRow, amount: string, included: Charge[]): SourcePart[] {
  const fees = included.map(feeOf)
  const rest = sumDecimals([amount, negateDecimal(sumOfParts(fees))])
  if (fees.length === 0 || rest === '0') {
    return []
  }
  const part: SourcePart = { amount: rest }
  put(part, 'description', row.description)
  return [part, ...fees]
}

function partOf(detail: Detail, entry: XmlElement, currency: string | undefined): SourcePart[] {
  const { money, text } = detail
  if (money === undefined || (money.currency !== '' && money.currency !== currency)) {
    return []
  }
  const part: SourcePart = {
    amount: signed(money.amount, detail.direction || directionOfEntry(entry)),
  }
  put(part, 'description', joinedTexts(otherParty(detail, entry).name, text))
  return [part]
}

const feeOf = ({ amount }: Charge): SourcePart => ({ amount, fee: true })

const sumOfParts = (parts: SourcePart[]) => sumDecimals(parts.map(({ amount }) => amount))

/** A line about a detail. */
export const noteOf = (detail: Detail, entry: XmlElement): string =>
  joinedTexts(
    detail.money?.amount,
    detail.money?.currency,
    otherParty(detail, entry).name,
    detail.text,
  )

/** A row of its own for each detail and for each charge. */
export function separateRows(
  whole: SourceRow,
  parts: readonly SourcePart[],
  from: { entry: XmlElement; details: readonly Detail[]; ids: BankIds; scope: string },
): SourceRow[] {
  const { payeeRaw: _payee, description: _text, ...common } = whole
  const reference = textAt(from.entry, 'AcctSvcrRef')
  return parts.map((part, at) => {
    const detail = from.details[at]
    const row: SourceRow = {
      ...common,
      raw: { ...whole.raw, ...detail?.raw },
      amount: part.amount,
      text: part.description ?? whole.text,
      parts: [],
      metadata: { ...whole.metadata, ...detail?.metadata },
      warnings: [...whole.warnings],
    }
    const other = detail && otherParty(detail, from.entry)
    put(row, 'payeeRaw', other?.name)
    put(row, 'counterAccount', other?.account)
    put(row, 'description', detail ? detail.text : whole.description)
    put(row.metadata, 'fee', part.fee === true ? 'true' : undefined)
    const id = from.ids.choose(
      [detail?.reference, reference && `${reference}/${at + 1}`],
      from.scope,
    )
    put(row, 'bankId', id === undefined ? undefined : { scheme: 'camt', id })
    return row
  })
}
