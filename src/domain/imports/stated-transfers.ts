import type { SourcePart } from '../bank-files/source.ts'
import type { BookableRow } from './rows.ts'
import type { Decision } from './verdicts.ts'

/** A half of a transfer, as the source says it. */
export interface StatedHalf {
  at: number
  /** The position of the part that is the half, where it is not the whole row. */
  part?: number
  accountId: string
  /** Empty where the source tells the other side only by what both share. */
  otherId: string
  date: string
  minor: number
  /** The key that both halves share in the source. */
  pair?: string
}

/** The halves that a row is or has. Rows that are known count, too: their other half may be new. */
export function statedHalves(row: BookableRow): StatedHalf[] {
  const { at, accountId, date, minor, transferAccountId, partAccountIds = [] } = row
  const pair = row.source.transfer?.pair
  const otherId =
    transferAccountId ?? (row.source.transfer?.account === '' && pair ? '' : undefined)
  const whole =
    otherId === undefined
      ? []
      : [{ at, accountId, otherId, date, minor, ...(pair ? { pair } : {}) }]
  const sourceParts: readonly (SourcePart & { pair?: string })[] = row.source.parts
  const parts = partAccountIds.flatMap((otherId, part) => {
    const shared = sourceParts[part]?.pair
    const minor = row.partMinors[part] as number
    return otherId === undefined
      ? []
      : [{ at, part, accountId, otherId, date, minor, ...(shared ? { pair: shared } : {}) }]
  })
  return [...whole, ...parts]
}

/**
 * Pairs the halves of transfers that the source tells: by what they share, else by their accounts, date and amount, by
 * occurrence.
 *
 * @param decisionOn what is said of a row; absent where it is new
 */
export function pairStated(
  halves: readonly StatedHalf[],
  decisionOn: (at: number) => Decision | undefined,
): Decision[] {
  const groups = Map.groupBy(halves, keyOf)
  const decisions = [...groups.values()].flatMap((group) => {
    const ones = group.filter(isFirst)
    const others = group.filter((half) => !isFirst(half))
    return ones.slice(0, others.length).flatMap((one, index) => {
      const other = others[index] as StatedHalf
      // Nothing is moved from an account to itself.
      if (one.accountId === other.accountId) {
        return []
      }
      return [...half(one, other, decisionOn), ...half(other, one, decisionOn)]
    })
  })
  return united(decisions)
}

/** Several parts of a row may have another half. */
function united(decisions: Decision[]): Decision[] {
  const ofRow = new Map<number, Decision>()
  for (const decision of decisions) {
    const { partMatches = [] } = ofRow.get(decision.at) ?? {}
    const all = [...partMatches, ...(decision.partMatches ?? [])]
    ofRow.set(decision.at, { ...decision, ...(all.length > 0 ? { partMatches: all } : {}) })
  }
  return [...ofRow.values()]
}

/** Tells whether the half is on the first one of its two accounts; where only one is known, whether it pays. */
const isFirst = ({ accountId, otherId, minor }: StatedHalf) =>
  otherId === '' ? minor < 0 : accountId < otherId

function keyOf(half: StatedHalf): string {
  const { accountId, otherId, date, minor, pair } = half
  if (otherId === '') {
    return JSON.stringify([pair])
  }
  const accounts = isFirst(half) ? [accountId, otherId] : [otherId, accountId]
  const flow = isFirst(half) ? minor : -minor
  return JSON.stringify(pair === undefined ? [...accounts, date, flow] : [...accounts, pair])
}

function half(
  own: StatedHalf,
  other: StatedHalf,
  decisionOn: (at: number) => Decision | undefined,
): Decision[] {
  const { at, part } = own
  const known = decisionOn(other.at)
  const { matchedId } = known ?? {}
  if (!isNew(decisionOn(at)) || (!isNew(known) && matchedId === undefined)) {
    return []
  }
  if (part !== undefined) {
    const partMatches = matchedId === undefined ? [] : [{ part, matchedId }]
    return isNew(known) ? [] : [{ at, verdict: 'new', partMatches }]
  }
  const partner = other.part === undefined ? {} : { partnerPart: other.part }
  const found = isNew(known) || matchedId === undefined ? { partnerAt: other.at } : { matchedId }
  return [{ at, verdict: 'transfer', isStated: true, ...found, ...partner }]
}

const isNew = (decision: Decision | undefined) =>
  decision === undefined || decision.verdict === 'new'
