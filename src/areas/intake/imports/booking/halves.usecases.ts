import { toDayNumber } from '../../../../domain/calendar.ts'
import { wantedOf } from '../../../../domain/imports/wanting.ts'
import { type OpenRow, openRow } from '../../../../domain/imports/open-rows.ts'
import { isBookable } from '../../../../domain/imports/rows.ts'
import { foldText, mentionsTransfer } from '../../../../domain/matching/texts.ts'
import { type MatchReason, THRESHOLDS } from '../../../../domain/matching/weights.ts'
import { findTransfers } from '../../../../domain/imports/transfers.ts'
import type { Decision, Verdict } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { openHalvesOf } from '../candidates.queries.ts'
import type { StoredImport } from '../imports.queries.ts'
import { findWanted } from '../reading/lookups.usecases.ts'
import type { ReadRow } from '../rows/pieces.rules.ts'
import type { TransferHalves } from './outcomes.rules.ts'
import { identityPairs } from './plans.usecases.ts'

// Halves of transfers that no file calls so, among what is booked once the import is: another file may have been booked since
// this one was read.

/** A row of the file as it was booked. */
export interface OpenTransaction {
  row: OpenRow
  transactionId: string
}

/** Verdicts of rows that were booked, and may be half of a transfer. */
export const LIKELY: ReadonlySet<Verdict> = new Set(['new', 'transfer'])

/** A word for transfers in one text alone may be of a transfer between people. */
const isSure = ({ isOnlyOne, score = 0, reasons = [] }: Decision, texts: string[]) =>
  isOnlyOne === true &&
  score >= THRESHOLDS.halves.sure / 1000 &&
  (reasons.some((reason) => OF_ACCOUNTS.has(reason)) || texts.every(mentionsTransfer))

const OF_ACCOUNTS: ReadonlySet<MatchReason> = new Set(['mentionsAccount', 'counterIban'])

/** Finds the rows among these of the file that this import booked, and that are in no transfer yet. */
export async function openRowsOf(
  owner: SignedIn,
  { id }: StoredImport,
  rows: ReadRow[],
): Promise<OpenTransaction[]> {
  const [halves] = await read(owner, openHalvesOf(id, identityPairs(rows)))
  const booked = new Map(halves.map((half) => [`${half.accountId} ${half.identity}`, half]))
  return rows.flatMap(({ row, identity }) => {
    const half = [identity?.byId, identity?.byText]
      .map((key) => booked.get(`${row.accountId} ${key}`))
      .find((one) => one !== undefined)
    if (!half || !identity || !isBookable(row) || row.source.pending) {
      return []
    }
    const { transactionId, date, amountMinor: minor } = half
    const isUncategorised = half.isUncategorised === 1
    const now = { date, day: toDayNumber(date), minor, isUncategorised }
    return [{ transactionId, row: { ...openRow(row, identity, undefined), ...now } }]
  })
}

/** The pairs of them, and of them and what else is booked, that are surely transfers. */
export async function surePairs(
  owner: SignedIn,
  { id: importId }: StoredImport,
  open: OpenTransaction[],
): Promise<TransferHalves[]> {
  const rows = open.map(({ row }) => row)
  if (rows.length === 0) {
    return []
  }
  const pause = pauseRegularly()
  const { halves } = await runWithPauses(wantedOf({ rows, alike: [] }, []), pause)
  const wanted = { candidates: [], identities: [], halves }
  const [views] = await read(owner, visibleAccounts(owner))
  const found = await findWanted(owner, wanted, views, { importId, accountIds: [] })
  const idAt = new Map(open.map(({ row, transactionId }) => [row.at, transactionId]))
  const transfers = findTransfers(rows, found.halves, found.accounts)
  const textAt = new Map(rows.map(({ at, text }) => [at, text]))
  const textOf = new Map(found.halves.map((one) => [one.transactionId, foldText(one.text)]))
  return (await runWithPauses(transfers, pause))
    .filter((one) =>
      isSure(one, [
        textAt.get(one.at) ?? '',
        textOf.get(one.matchedId ?? '') ?? textAt.get(one.partnerAt ?? -1) ?? '',
      ]),
    )
    .flatMap(({ at, partnerAt = -1, matchedId }): TransferHalves[] => {
      const [one, other] = [idAt.get(at), matchedId ?? idAt.get(partnerAt)]
      const isSecond = matchedId === undefined && partnerAt < at
      return one === undefined || other === undefined || isSecond ? [] : [{ one, other }]
    })
}
