import { LONGEST_TEXTS, MOST_TAGS } from '../ledger-ids.ts'
import type { Kind } from '../ledger.ts'
import { formatMoney } from '../money.ts'
import { cutText } from '../text.ts'
import { type RuleChanges, type RulePart, ruleProblems } from './rules.ts'
import { type SizedPart, splitAmount } from './splits.ts'
import type { Changed, ChangedField, RuleField, RuleTarget, TargetPart } from './target.ts'
import { filledText } from './texts.ts'

/** The facts about ids in rules. */
export interface RuleFacts {
  categoryKind: (id: string) => 'expense' | 'income' | undefined
  payeeName: (id: string) => string | undefined
  /** The currency of an open account that transactions can become transfers with. */
  transferCurrency: (accountId: string) => string | undefined
}

/** How one rule is applied. */
export interface Step {
  facts: RuleFacts
  overwrite: boolean
  /** The fields that this rule does not replace. */
  kept: ReadonlySet<RuleField>
  /** True if a booking has room for what a rule adds; all of it if left out. */
  hasRoom?: ((changed: Partial<Changed>) => boolean) | undefined
}

/**
 * The fields that a rule changes, without those that stay as they are.
 * @throws AppError when the rule cannot be applied
 */
export function changesBy(changes: RuleChanges, now: RuleTarget, step: Step): Partial<Changed> {
  const { kept, facts } = step
  const split = splitBy(changes, now, step)
  const wanted = split && 'part' in split ? wholeFrom(changes, split.part) : changes
  const transferAccountId = transferBy(wanted, now, kept)
  const differing: Partial<Changed> = {}
  const change = <Field extends ChangedField>(field: Field, value: Changed[Field] | undefined) => {
    if (value !== undefined && value !== now[field] && !kept.has(field as RuleField)) {
      differing[field] = value
    }
  }
  const { description, note } = wanted
  if (description !== undefined) {
    change('description', filled(description, LONGEST_TEXTS.description, now, facts))
  }
  if (note !== undefined) {
    change('note', filled(note, LONGEST_TEXTS.note, now, facts) || null)
  }
  change('tagIds', tagsBy(wanted, now))
  // What is void moves no money, and would again.
  change('status', now.status === 'void' ? undefined : wanted.status)
  if (now.kind !== 'transfer') {
    change('payeeId', wanted.payeeId)
    change('reviewed', wanted.reviewed)
  }
  change('categoryId', transferAccountId === undefined ? categoryBy(wanted, now) : undefined)
  change('transferAccountId', transferAccountId)
  change('splits', split && 'splits' in split ? split.splits : undefined)
  requireFit(differing, now, facts)
  if (step.hasRoom?.(differing) === false) {
    throw ruleProblems.noRoom()
  }
  return differing
}

/** The parts that a rule makes; or the only part, which is the whole; or undefined. */
function splitBy(
  { splits = NO_PARTS }: RuleChanges,
  now: RuleTarget,
  step: Step,
): { splits: TargetPart[] } | { part: RulePart } | undefined {
  if (splits.length === 0 || now.kind === 'transfer' || !canBeSplit(now, step)) {
    return undefined
  }
  if (now.kind !== 'expense' && now.kind !== 'income') {
    throw ruleProblems.cannotSplit()
  }
  const sized = splitAmount(Math.abs(now.amountMinor), now.currency, splits)
  if (sized.length === 1) {
    return sized[0]
  }
  for (const { part } of sized) {
    requireKind(part.categoryId, now.kind, step.facts)
  }
  const parts = sized.map((one) => partOf(one, now.currency))
  return isSameParts(parts, now.splits) ? undefined : { splits: parts }
}

const NO_PARTS: RulePart[] = []

/** A transaction keeps the parts that it has unless the rule overwrites, and always those that are transfers. */
const canBeSplit = ({ splits }: RuleTarget, { overwrite, kept }: Step): boolean =>
  splits.length === 0
    ? !kept.has('splits') && !kept.has('categoryId')
    : overwrite && splits.every(({ transferAccountId }) => !transferAccountId)

const partOf = ({ part, amountMinor }: SizedPart, currency: string): TargetPart => ({
  amount: formatMoney(amountMinor, currency),
  categoryId: part.categoryId ?? null,
  payeeId: part.payeeId ?? null,
  tagIds: part.tagIds ?? [],
  note: part.note ?? null,
})

const isSameParts = (parts: readonly TargetPart[], now: readonly TargetPart[]): boolean =>
  parts.length === now.length && parts.map(keyOfPart).join() === now.map(keyOfPart).join()

const keyOfPart = ({ amount, categoryId, payeeId, tagIds = [], note }: TargetPart) =>
  JSON.stringify([amount, categoryId ?? null, payeeId ?? null, tagIds.toSorted(), note ?? null])

/** The changes of a rule of whose parts one is left: what that says goes to the whole. */
const wholeFrom = (
  { addTagIds = [], ...changes }: RuleChanges,
  { categoryId, payeeId = changes.payeeId, tagIds = [], note = changes.note }: RulePart,
): RuleChanges => ({
  ...changes,
  ...{ categoryId, payeeId, note },
  addTagIds: [...addTagIds, ...tagIds],
})

function filled(
  template: string | null,
  most: number,
  { description, payeeRaw, note, payeeId }: RuleTarget,
  { payeeName }: RuleFacts,
): string {
  const payee = payeeId === null ? null : (payeeName(payeeId) ?? null)
  const text = filledText(template ?? '', { description, payeeRaw, note, payee }, most)
  return cutText(text, most).trim()
}

/** What is split has no category of its own, and neither has what an earlier rule makes a transfer. */
const categoryBy = ({ categoryId }: RuleChanges, { splits, transferAccountId }: RuleTarget) =>
  splits.length > 0 || transferAccountId !== undefined ? undefined : categoryId

function tagsBy(
  { addTagIds = [], removeTagIds = [] }: RuleChanges,
  { tagIds }: RuleTarget,
): string[] | undefined {
  if (addTagIds.length + removeTagIds.length === 0) {
    return undefined
  }
  const removed = new Set(removeTagIds)
  const after = [...new Set([...tagIds, ...addTagIds])].filter((id) => !removed.has(id))
  if (after.length > MOST_TAGS) {
    throw ruleProblems.tooManyTags({ most: MOST_TAGS })
  }
  const isSame = after.length === tagIds.length && after.every((id) => tagIds.includes(id))
  return isSame ? undefined : after
}

/** The other leg takes the place of a category, so that one which stays keeps the transaction as it is. */
const transferBy = (
  { transferAccountId }: RuleChanges,
  { kind, categoryId }: RuleTarget,
  kept: ReadonlySet<RuleField>,
) =>
  kind === 'transfer' || (kept.has('categoryId') && categoryId !== null)
    ? undefined
    : transferAccountId

function requireFit(
  { categoryId, transferAccountId }: Partial<Changed>,
  now: RuleTarget,
  facts: RuleFacts,
): void {
  requireKind(categoryId, now.kind, facts)
  if (
    transferAccountId !== undefined &&
    (now.kind === 'adjustment' ||
      now.status === 'void' ||
      now.splits.length > 0 ||
      transferAccountId === now.accountId ||
      facts.transferCurrency(transferAccountId) !== now.currency)
  ) {
    throw ruleProblems.cannotTransfer()
  }
}

/** An income may have a category of expenses, which makes it a refund; an adjustment has none. */
function requireKind(categoryId: string | null | undefined, kind: Kind, facts: RuleFacts): void {
  const isFine =
    !categoryId ||
    kind === 'income' ||
    (kind !== 'adjustment' && facts.categoryKind(categoryId) === 'expense')
  if (!isFine) {
    throw ruleProblems.categoryKind()
  }
}
