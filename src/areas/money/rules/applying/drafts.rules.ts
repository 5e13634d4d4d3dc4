import { AppError, resultOrRefusal } from '../../../../domain/errors.ts'
import { parseMoney, sum } from '../../../../domain/money.ts'
import {
  type CompiledRule,
  decideByRules,
  type RuleDecision,
  type Ruling,
} from '../../../../domain/rules/decide.ts'
import type { RuleOccasion } from '../../../../domain/rules/rules.ts'
import type { Changed, RuleField, RuleTarget } from '../../../../domain/rules/target.ts'
import type {
  Draft,
  PlacedDraft,
  Prepared,
  TransferAccount,
} from '../../../../ledger/ledger.public.ts'
import { canBeTransfer, MOST_BULK_LINES } from '../../transactions/transactions.public.ts'
import type { RuleSet } from './sets.rules.ts'

/** What an owner's rules and usual categories go by, for the drafts of one request. */
export interface DraftRules {
  set: RuleSet
  rules: CompiledRule[]
  /** The accounts that rules make transfers with, as the caller sees them. */
  accounts: ReadonlyMap<string, TransferAccount>
  /** To be called where a rule would make a transfer with an account that is not among these. */
  lacksAccount: () => void
  /** The lines that rules may still add by parts. */
  room: { lines: number }
}

/** The occasion on which a draft is recorded. */
export const occasionOf = ({ source }: Pick<Draft, 'source'>): RuleOccasion =>
  source === 'import' || source === 'recurring' ? source : 'record'

/** Says what rules make of a draft, and its usual category where nobody has said one. */
export function ruledDraft(
  draft: PlacedDraft,
  sent: PlacedDraft,
  { set, rules, accounts, lacksAccount, room }: DraftRules,
): Prepared {
  const target = targetOf(draft)
  if (!target) {
    return {}
  }
  const occasion = occasionOf(sent)
  const transferCurrency = (id: string) => {
    const other = accounts.get(id)
    if (!other && !draft.isHalf) {
      lacksAccount()
    }
    return other && isTransferable(draft, target, other) ? other.currency : undefined
  }
  const decision = decideByRules(rules, target, {
    facts: { ...set.facts, transferCurrency },
    occasion,
    kept: occasion === 'record' ? saidBy(sent) : new Set(),
    hasRoom: (changed) =>
      (!changed.splits || linesAdded(changed.splits, target) <= room.lines) &&
      !draft.noRoomFor?.some((field) => field in changed),
  })
  room.lines -= linesAdded(decision.after.splits, target)
  const usual = usualCategory(draft, decision, set)
  if (decision.matchedIds.length === 0 && usual === undefined) {
    return {}
  }
  const added = addedBy(decision, accounts)
  if (usual !== undefined) {
    added.categoryId = usual
  }
  if (draft.kind === 'income') {
    const categoryIds = usual === undefined ? categoriesBy(decision) : [usual]
    added.expenseCategoryIds = categoryIds.filter((id) => set.facts.categoryKind(id) === 'expense')
  }
  return { ...added, ruling: () => rulingOf(target, decision, usual) }
}

/** The lines that parts add to those which a target has. */
const linesAdded = (splits: RuleTarget['splits'], { splits: before }: RuleTarget): number =>
  Math.max(1, splits.length) - Math.max(1, before.length)

/** The lines that rules may add to those of the drafts of one request; as many as they like to the rows of a file. */
export function roomBeside(drafts: Draft[]): DraftRules['room'] {
  const linesOf = ({ splits = [] }: Draft) =>
    1 + Math.max(1, splits.length) + splits.filter((part) => part.transferAccountId).length
  const isOfFile = drafts.some(({ source }) => source === 'import')
  return { lines: isOfFile ? Infinity : MOST_BULK_LINES - sum(drafts.map(linesOf)) }
}

/** What somebody is told who wants to see the decision before anything is recorded. */
function rulingOf(
  before: RuleTarget,
  { matchedIds, failed, changedBy, after }: RuleDecision,
  usual: string | undefined,
): Ruling {
  const changes: Ruling['changes'] = [...changedBy]
    .map(([field, ruleId]) => ({ field, before: before[field], after: after[field], ruleId }))
    // A later rule may have taken it back.
    .filter((change) => change.before !== change.after)
  if (usual !== undefined) {
    changes.push({ field: 'categoryId', before: null, after: usual, ruleId: null })
  }
  return { matchedIds, failed, changes }
}

/** A draft as rules see it; undefined where its amount is refused anyway. */
function targetOf(draft: PlacedDraft): RuleTarget | undefined {
  const { amount, kind, accountId, currency, date } = draft
  const amountMinor = resultOrRefusal(() => parseMoney(amount, currency, { signed: true }))
  return amountMinor instanceof AppError
    ? undefined
    : {
        ...{ kind, accountId, currency, date, amountMinor },
        source: draft.source ?? 'user',
        private: draft.private ?? false,
        metadata: draft.metadata ?? {},
        payeeRaw: draft.payeeRaw ?? null,
        description: draft.description ?? '',
        note: draft.note || null,
        payeeId: draft.payeeId ?? null,
        categoryId: draft.categoryId ?? null,
        tagIds: draft.tagIds ?? [],
        status: draft.status ?? 'uncleared',
        reviewed: draft.reviewed ?? false,
        splits: draft.splits ?? [],
      }
}

/** The fields that a request says, null included. A name says what its id would say. */
function saidBy(sent: Draft): ReadonlySet<RuleField> {
  const said: Record<Exclude<RuleField, 'transferAccountId'>, unknown> = {
    categoryId: sent.categoryId === undefined ? sent.categoryName : sent.categoryId,
    payeeId: sent.payeeId === undefined ? sent.payeeName : sent.payeeId,
    description: sent.description,
    note: sent.note,
    status: sent.status,
    reviewed: sent.reviewed,
    splits: sent.splits,
  }
  return new Set(
    (Object.keys(said) as (keyof typeof said)[]).filter((field) => said[field] !== undefined),
  )
}

/** True if this draft can become a transfer with the account. */
const isTransferable = (
  { accountId: id, ownerId, currency, isHalf }: PlacedDraft,
  { kind, status, date }: RuleTarget,
  other: TransferAccount,
): boolean => !isHalf && canBeTransfer({ kind, status, date }, { id, ownerId, currency }, other)

/** The fields that rules changed. */
function addedBy(
  { after, changedBy, appliedIds }: RuleDecision,
  accounts: DraftRules['accounts'],
): Prepared {
  const { transferAccountId, ...fields } = Object.fromEntries(
    [...changedBy.keys()].map((field) => [field, after[field]]),
  ) as Partial<Changed>
  return {
    ...(fields as Prepared),
    ...(transferAccountId === undefined
      ? {}
      : { transferAccount: accounts.get(transferAccountId) }),
    ...(appliedIds.length === 0 ? {} : { facts: { ruleIds: appliedIds } }),
  }
}

/** The categories that rules chose, of the whole or its parts. */
const categoriesBy = ({ after, changedBy }: RuleDecision): string[] => [
  ...(changedBy.has('categoryId') && after.categoryId ? [after.categoryId] : []),
  ...(changedBy.has('splits') ? after.splits.flatMap(({ categoryId }) => categoryId ?? []) : []),
]

/** The usual category of the payee, if there is no category and nobody said null. */
function usualCategory(
  draft: PlacedDraft,
  { after, changedBy }: RuleDecision,
  set: RuleSet,
): string | undefined {
  const { kind, payeeId, categoryId, splits } = after
  const isSaid = draft.categoryId !== undefined || changedBy.has('categoryId')
  if ((kind !== 'expense' && kind !== 'income') || payeeId === null) {
    return undefined
  }
  const usual = set.usualCategoryOf(payeeId)
  const fits = kind === 'income' || (usual && set.facts.categoryKind(usual) === 'expense')
  return categoryId === null && !isSaid && splits.length === 0 && fits ? usual : undefined
}
