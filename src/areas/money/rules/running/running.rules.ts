import type { RuleFacts } from '../../../../domain/rules/apply.ts'
import { type CompiledRule, decideByRules } from '../../../../domain/rules/decide.ts'
import {
  type ChangedField,
  keptOfRow,
  type RuleTarget,
  type TargetPart,
} from '../../../../domain/rules/target.ts'
import { labelsAt, labelsOf, WHOLE } from '../../../../ledger/labels/labels.public.ts'
import {
  type LedgerRow,
  othersOf,
  partOfRow,
  type TransferAccount,
} from '../../../../ledger/ledger.public.ts'
import type { TransactionChanges } from '../../transactions/transactions.public.ts'

/** One field that a run changes. */
export interface FieldChange {
  field: ChangedField
  before: unknown
  after: unknown
  ruleId: string
}

/** What a run does with one transaction. */
export interface RowDecision {
  isMatched: boolean
  changes: FieldChange[]
  failed: { ruleId: string; code: string }[]
  /** The edit that makes the changes. */
  edit: TransactionChanges
  /** The account that makes a transfer of it. */
  transferAccount: TransferAccount | undefined
}

export interface RunRules {
  rules: CompiledRule[]
  facts: Pick<RuleFacts, 'categoryKind' | 'payeeName'>
  /** The accounts that rules make transfers with. */
  accounts: ReadonlyMap<string, TransferAccount>
  overwrite?: boolean | undefined
}

/** Whether rules are run on a row: not on openings, and not on the other side of a part. */
export const isRunOn = ({ kind, pair }: LedgerRow): boolean => kind !== 'opening' && pair === null

/** @param ofOther the fields that the other side of a transfer has changed already */
export function decideRow(
  row: LedgerRow,
  { rules, facts, accounts, overwrite }: RunRules,
  ofOther: Partial<RuleTarget> = {},
): RowDecision {
  const target = { ...targetOfRow(row), ...ofOther }
  const { after, changedBy, matchedIds, failed } = decideByRules(rules, target, {
    facts: { ...facts, transferCurrency: (id) => currencyOfOpen(accounts.get(id)) },
    kept: keptOfRow(target),
    overwrite,
  })
  const changes = [...changedBy]
    // One side of a transfer has no category of its own.
    .filter(([field]) => field !== 'categoryId' || after.kind !== 'transfer')
    // A later rule may put back what an earlier one changed.
    .filter(([field]) => !isSame(target[field], after[field]))
    .map(([field, ruleId]) => ({
      field,
      before: target[field] ?? null,
      after: after[field],
      ruleId,
    }))
  const ruleIds = [...new Set(changes.map(({ ruleId }) => ruleId))]
  const fields = Object.fromEntries(
    changes
      .filter(({ field }) => field !== 'transferAccountId')
      .map(({ field, after: value }) => [field, value]),
  )
  return {
    isMatched: matchedIds.length > 0,
    changes,
    failed,
    edit: changes.length === 0 ? {} : { ...fields, facts: { ruleIds } },
    transferAccount: accounts.get(after.transferAccountId ?? ''),
  }
}

/** The changes that hold for both sides of a transfer. Each side has its own status. */
export const changesOfBothSides = ({ changes }: RowDecision): Partial<RuleTarget> =>
  Object.fromEntries(
    changes.filter(({ field }) => field !== 'status').map(({ field, after }) => [field, after]),
  )

const currencyOfOpen = (account: TransferAccount | undefined) =>
  account?.status === 'open' ? account.currency : undefined

/** The order of tags does not count; parts that are made again are new ones. */
const isSame = (before: unknown, after: unknown): boolean =>
  Array.isArray(before) && Array.isArray(after)
    ? before.length === after.length &&
      before.every((one) => typeof one === 'string' && after.includes(one))
    : before === after

/** A stored row as rules see it. */
function targetOfRow(row: LedgerRow): RuleTarget {
  const labels = labelsOf(row)
  const { payeeId, tagIds } = labelsAt(labels, WHOLE)
  const isTransfer = row.kind === 'transfer'
  const all = othersOf(row)
  const others = isTransfer
    ? []
    : all.filter(({ side, pair }) => side !== 'account' && pair === null)
  const isSplit = others.length > 1
  const partOf = (part: (typeof others)[number]): TargetPart => ({
    ...partOfRow(row, part, labels),
    transferAccountId:
      all.find(({ side, pair }) => side === 'account' && pair === part.line)?.accountId ?? null,
  })
  return {
    ...{ kind: row.kind, accountId: row.accountId, currency: row.currency, date: row.date },
    ...{ amountMinor: row.amountMinor, source: row.source, status: row.status },
    ...{ description: row.description, payeeRaw: row.payeeRaw, note: row.note || null },
    private: row.private === 1,
    reviewed: row.reviewed === 1,
    metadata: JSON.parse(row.metadata ?? '{}') as Record<string, unknown>,
    ...{ payeeId, tagIds },
    categoryId: isSplit || isTransfer ? null : (others[0]?.categoryId ?? null),
    splits: isSplit ? others.map(partOf) : [],
  }
}
