import { negateDecimal, readPlainAmount } from '../bank-files/decimals.ts'
import { joinedTexts } from '../bank-files/rows.ts'
import type { SourceRow } from '../bank-files/source.ts'
import type { XmlElement } from '../xml.ts'
import { find, findAll, firstText, flatten, textAt, elementText } from '../xml-paths.ts'

export interface Party {
  name: string
  account: string
}

/** A record of charges; what the account pays is negative. */
export interface Charge {
  amount: string
  currency: string
  /** True if the amount of the entry contains it. */
  isIncluded: boolean
}

/** The content that is kept of a `TxDtls`, so that the elements of a batch need not be kept. */
export interface Detail {
  money: Money | undefined
  direction: string
  debtor: Party
  creditor: Party
  text: string
  charges: Charge[]
  /** `AmtDtls` of the detail. */
  amounts: XmlElement | undefined
  /** The bank's own reference. */
  reference: string
  metadata: Record<string, string>
  raw: Record<string, string>
}

/** References that are worth keeping, by the names that rows give them. */
const REFERENCES = {
  endToEndId: 'EndToEndId',
  mandateId: 'MndtId',
  txId: 'TxId',
  uetr: 'UETR',
  instrId: 'InstrId',
}

export function readDetail(element: XmlElement): Detail {
  const references = find(element, 'Refs')
  const metadata: Record<string, string> = {}
  for (const [key, name] of Object.entries(REFERENCES)) {
    const text = textAt(references, name)
    if (text !== '' && text !== 'NOTPROVIDED') {
      metadata[key] = text
    }
  }
  return {
    money: moneyAt(element, 'Amt') ?? moneyAt(element, 'AmtDtls', 'TxAmt', 'Amt'),
    direction: textAt(element, 'CdtDbtInd'),
    debtor: partyOf(element, 'Dbtr'),
    creditor: partyOf(element, 'Cdtr'),
    text: remittanceOf(element),
    charges: chargesOf(element),
    amounts: find(element, 'AmtDtls'),
    reference: textAt(references, 'AcctSvcrRef'),
    metadata,
    raw: flatten(element, 'NtryDtls/TxDtls/'),
  }
}

/** The ultimate one comes first; its account is that of the one who acts for it. */
function partyOf(element: XmlElement, role: 'Dbtr' | 'Cdtr'): Party {
  const parties = find(element, 'RltdPties')
  const name = firstText(
    parties,
    ...[`Ultmt${role}`, role].flatMap((who) => [
      [who, 'Nm'],
      [who, 'Pty', 'Nm'],
    ]),
  )
  const account = find(parties, `${role}Acct`, 'Id')
  return { name, account: firstText(account, ['IBAN'], ['Othr', 'Id']) }
}

function remittanceOf(element: XmlElement): string {
  const information = find(element, 'RmtInf')
  const references = findAll(information, 'Strd').flatMap((one) => [
    textAt(one, 'CdtrRefInf', 'Ref'),
    textAt(one, 'RfrdDocInf', 'Nb'),
  ])
  const text = joinedTexts(...findAll(information, 'Ustrd').map(elementText), ...references)
  return text === '' ? textAt(element, 'AddtlTxInf') : text
}

/** Since version 3 the records are elements of their own. */
export function chargesOf(element: XmlElement): Charge[] {
  const records = findAll(element, 'Chrgs').flatMap((charges) => [
    charges,
    ...findAll(charges, 'Rcrd'),
  ])
  return records.flatMap((record) => {
    const money = moneyAt(record, 'Amt')
    if (money === undefined || money.amount === '0') {
      return []
    }
    const isReturned = textAt(record, 'CdtDbtInd') === 'CRDT'
    const amount = isReturned ? money.amount : negateDecimal(money.amount)
    const isIncluded = ['true', '1'].includes(textAt(record, 'ChrgInclInd'))
    return [{ amount, currency: money.currency, isIncluded }]
  })
}

/**
 * Returns the amount in another currency than that of the account, from the `AmtDtls` elements.
 * @param stated the amount in the only detail itself, which is the least usual place
 */
export function originalOf(
  amounts: (XmlElement | undefined)[],
  currency: string,
  stated: Money | undefined,
): SourceRow['original'] {
  const kinds = amounts.flatMap((element) =>
    ['InstdAmt', 'CntrValAmt', 'TxAmt'].map((name) => find(element, name)),
  )
  const rate = kinds
    .map((kind) => readPlainAmount(textAt(kind, 'CcyXchg', 'XchgRate')))
    .find(Boolean)
  const money = [...kinds.map((kind) => moneyAt(kind, 'Amt')), stated].find(
    (found) => found !== undefined && found.currency !== '' && found.currency !== currency,
  )
  return money && { ...money, ...(rate === undefined ? {} : { rate }) }
}

export const directionOfEntry = (entry: XmlElement): string => textAt(entry, 'CdtDbtInd')

export const signed = (amount: string, direction: string): string =>
  direction === 'DBIT' ? negateDecimal(amount) : amount

/**
 * Returns the payer of an incoming amount, or the recipient of an outgoing one. A reversal names the parties of the
 * earlier entry.
 */
export function otherParty(detail: Detail, entry: XmlElement): Party {
  const isReversal = ['true', '1'].includes(textAt(entry, 'RvslInd'))
  const isIncoming = directionOfEntry(entry) === 'CRDT'
  return isIncoming === isReversal ? detail.creditor : detail.debtor
}

interface Money {
  /** Without direction. */
  amount: string
  currency: string
}

/** `<Amt Ccy="EUR">1.00</Amt>` down that path. */
export function moneyAt(
  element: XmlElement | undefined,
  ...path: readonly string[]
): Money | undefined {
  const found = find(element, ...path)
  const amount = readPlainAmount(elementText(found))
  return found === undefined || amount === undefined
    ? undefined
    : { amount, currency: found.attributes.get('Ccy') ?? '' }
}
