import { parseMoney } from '../../../src/domain/money.ts'

/** Minor units of an amount in euros. */
export const minorOf = (amount: string): number => parseMoney(amount, 'EUR', { signed: true })
