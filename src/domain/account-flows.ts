import type { Entry } from './ledger.ts'
import { negate, sum } from './money.ts'

/** The amount that a transfer, or a part that is one, moves, as seen from one of its accounts. */
export interface AccountFlow {
  counterAccountId: string
  /** Without the fees, which are lines of their own; what leaves is negative. */
  flowMinor: number
}

const NO_FLOW: { [key in keyof AccountFlow]: null } = { counterAccountId: null, flowMinor: null }

/**
 * Returns the flow between the accounts of a transaction that is kept on this line. Each account line of a transfer
 * has one, and so have the exchange lines of a part.
 */
export function flowOf(entries: Entry[], line: Entry): AccountFlow | typeof NO_FLOW {
  const { side, accountId, amountMinor } = line
  if (side === 'exchange') {
    const other = entries.find((one) =>
      line.pair === null
        ? one.side === 'account' && one.pair === line.line
        : one.line === line.pair,
    )
    return other ? { counterAccountId: other.accountId, flowMinor: negate(amountMinor) } : NO_FLOW
  }
  const counter = isOwnLine(line)
    ? entries.find((other) => isOwnLine(other) && other.line !== line.line)
    : undefined
  if (!counter) {
    return NO_FLOW
  }
  const fees = entries.filter((fee) => fee.side === 'expense' && fee.accountId === accountId)
  const flowMinor = sum([amountMinor, ...fees.map((fee) => fee.amountMinor)])
  return { counterAccountId: counter.accountId, flowMinor }
}

const isOwnLine = ({ side, pair }: Entry) => side === 'account' && pair === null
