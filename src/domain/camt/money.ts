import { readPlainAmount } from '../bank-files/plain-amounts.ts'
import { find, wordsOf } from '../xml-paths.ts'
import type { XmlElement } from '../xml.ts'

export interface Money {
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
  const amount = readPlainAmount(wordsOf(found))
  return found === undefined || amount === undefined
    ? undefined
    : { amount, currency: found.attributes.get('Ccy') ?? '' }
}
