import { toSafeUnits, type DecimalText } from '../bank-files/decimals.ts'
import type { Reading } from '../bank-files/format.ts'

/** The decimals of any currency; amounts with more prove nothing. */
const SCALE = 4

interface Link {
  amount: number
  fee: number
  balance: number
}

const FEES = ['inside', 'minus', 'plus'] as const
const SIGNS = ['asIs', 'reversed'] as const
const WAYS = ['up', 'down'] as const

export interface ChainFindings {
  /** The number of balances that follow from the one before them. */
  links: number
  sign?: 'asIs' | 'reversed'
  fee?: NonNullable<Reading['fee']>
  direction?: 'up' | 'down'
}

const unitsOf = (text: DecimalText | undefined): number | undefined =>
  text === undefined ? undefined : toSafeUnits(text, SCALE)

/** Returns the change of the balance that an amount makes under a rule for fees. */
function moved({ amount, fee }: Link, rule: (typeof FEES)[number]): number {
  if (rule === 'inside') {
    return amount
  }
  return rule === 'plus' ? amount + fee : amount - Math.abs(fee)
}

/** Follows running balances, which tell the sign of amounts, whether fees are part of them, and which way the file runs. */
export function balanceChain() {
  const last = new Map<string, Link>()
  const counts = { up: { asIs: 0, reversed: 0 }, down: { asIs: 0, reversed: 0 } }
  const fees = { inside: 0, minus: 0, plus: 0 }
  let pairs = 0

  function compare(before: Link, after: Link) {
    const difference = after.balance - before.balance
    for (const way of WAYS) {
      const link = way === 'up' ? after : before
      for (const sign of SIGNS) {
        const expected = (way === 'up') === (sign === 'asIs') ? difference : -difference
        if (expected === 0) {
          continue
        }
        // Without a fee, all rules have the same result.
        if (link.fee === 0) {
          counts[way][sign] += Number(link.amount === expected)
          continue
        }
        const fitting = FEES.filter((rule) => moved(link, rule) === expected)
        counts[way][sign] += Number(fitting.length > 0)
        for (const rule of fitting) {
          fees[rule] += 1
        }
      }
    }
  }

  return {
    add(
      account: string,
      row: {
        amount?: DecimalText | undefined
        fee?: DecimalText | undefined
        balance?: DecimalText | undefined
      },
    ) {
      const [amount, balance] = [unitsOf(row.amount), unitsOf(row.balance)]
      if (amount === undefined || balance === undefined) {
        last.delete(account)
        return
      }
      const link = { amount, balance, fee: unitsOf(row.fee) ?? 0 }
      const before = last.get(account)
      if (before) {
        pairs += 1
        compare(before, link)
      }
      last.set(account, link)
    },
    findings(): ChainFindings {
      const ways = WAYS.flatMap((direction) =>
        SIGNS.map((sign) => ({ direction, sign, links: counts[direction][sign] })),
      ).toSorted((a, b) => b.links - a.links)
      const [best, next] = ways as [(typeof ways)[0], (typeof ways)[0]]
      // Two rows prove little, and what fits both ways proves nothing.
      if (best.links === 0 || best.links * 2 <= pairs || best.links === next.links) {
        return { links: best.links }
      }
      const [rule, other] = FEES.map((fee) => ({ fee, links: fees[fee] })).toSorted(
        (a, b) => b.links - a.links,
      ) as [{ fee: (typeof FEES)[number]; links: number }, { links: number }]
      const hasFees = rule.links > other.links
      return { ...best, ...(hasFees && { fee: rule.fee }) }
    },
  }
}
