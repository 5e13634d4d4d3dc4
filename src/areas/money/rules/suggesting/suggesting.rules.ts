import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Condition } from '../../../../domain/conditions/conditions.ts'
import { sizeOf } from '../../../../domain/metadata.ts'
import type { RuleFacts } from '../../../../domain/rules/apply.ts'
import { type CompiledRule, decideByRules } from '../../../../domain/rules/decide.ts'
import { RULE_LIMITS, RULE_OCCASIONS } from '../../../../domain/rules/rules.ts'
import {
  agreedCategory,
  type Agreement,
  conditionOfTexts,
  SUGGESTION_BOUNDS,
} from '../../../../domain/rules/suggest.ts'
import type { RuleTarget } from '../../../../domain/rules/target.ts'
import { cutText, foldKey } from '../../../../domain/text.ts'
import { occasionOf } from '../applying/drafts.rules.ts'
import { compiledRule } from '../applying/sets.rules.ts'
import { type RuleDefinition, storedDefinition } from '../rules.rules.ts'

/** A transaction that has one category, among the newest of its payee or, without payee, of its text. */
export interface CategorisedRow {
  categoryId: string
  /** Null where the caller may not read it. */
  categoryName: string | null
  /** 1 if the category is archived. */
  isArchived: number
  payeeId: string | null
  payeeName: string | null
  usualCategoryId: string | null
  /** Where it has no payee: the field and the key of its text, and that key without digits, by which texts are grouped. */
  field: 'payeeRaw' | 'description' | null
  text: string | null
  words: string | null
  /** JSON of `SampleRow`, on one row of each group of texts. */
  sample: string | null
}

/** A row that stands for its group, as rules see it. */
type SampleRow = Pick<
  RuleTarget,
  | ('kind' | 'accountId' | 'currency' | 'date' | 'amountMinor' | 'source')
  | ('payeeRaw' | 'description' | 'note')
> & {
  private: number
  /** JSON. */
  metadata: string | null
}

/** A request that carries out a suggestion. */
export interface SuggestedCall {
  method: 'PUT' | 'POST'
  path: string
  body: Record<string, unknown>
}

export interface RuleSuggestion extends Agreement<CategorisedRow> {
  reason: string
  call: SuggestedCall
}

/** The rules of the user, beside which a new one has to work. */
export interface RulesInPlace {
  /** All of them, with those that do not work. */
  stored: { nameKey: string; definition: string }[]
  /** Those that work, in their order. */
  rules: CompiledRule[]
  facts: Pick<RuleFacts, 'categoryKind' | 'payeeName'>
  today: CalendarDate
}

/**
 * Suggests usual categories of payees, and rules for texts without payee.
 * @param rows newest first
 * @param inPlace undefined where the caller cannot add rules
 */
export function suggestionsFrom(
  rows: readonly CategorisedRow[],
  inPlace: RulesInPlace | undefined,
): RuleSuggestion[] {
  const groups = Map.groupBy(rows, ({ payeeId, field, words }) => payeeId ?? `${field} ${words}`)
  const suggestRule = inPlace && ruleSuggester(inPlace)
  return [...groups.values()]
    .slice(0, SUGGESTION_BOUNDS.groups)
    .flatMap((group) => {
      const agreed = agreedCategory(group)
      if (!agreed || agreed.row.isArchived === 1) {
        return []
      }
      return (agreed.row.payeeId === null ? suggestRule?.(agreed, group) : usualOf(agreed)) ?? []
    })
    .slice(0, SUGGESTION_BOUNDS.suggestions)
}

function usualOf(agreed: Agreement<CategorisedRow>): RuleSuggestion | undefined {
  const { payeeId, payeeName, categoryId, usualCategoryId } = agreed.row
  return categoryId === usualCategoryId
    ? undefined
    : {
        ...agreed,
        reason: reasonOf(agreed, `with ${payeeName ?? 'this payee'}`),
        call: { method: 'PUT', path: `/payee/${payeeId}`, body: { defaultCategoryId: categoryId } },
      }
}

function reasonOf({ row, agreeing, counted }: Agreement<CategorisedRow>, which: string): string {
  const category = row.categoryName === null ? 'this category' : `the category ${row.categoryName}`
  return `${agreeing} of the last ${counted} transactions ${which} have ${category}.`
}

/** Suggests rules, each with a name of its own, as long as there is room for them. */
function ruleSuggester({ stored, rules, facts, today }: RulesInPlace) {
  const names = new Set(stored.map(({ nameKey }) => nameKey))
  const bytes = stored.reduce((sum, { definition }) => sum + sizeOf(definition), 0)
  return (
    agreed: Agreement<CategorisedRow>,
    group: CategorisedRow[],
  ): RuleSuggestion | undefined => {
    const { categoryId, field, words } = agreed.row
    const sample = group.find((one) => one.sample !== null)?.sample
    if (field === null || words === null || !sample || stored.length >= RULE_LIMITS.rules) {
      return undefined
    }
    const condition = conditionOfTexts(
      field,
      group.map(({ text }) => text ?? ''),
    )
    const definition = definitionWith(condition, categoryId)
    const target = targetOfSample(JSON.parse(sample) as SampleRow)
    const application = {
      facts: { ...facts, transferCurrency: () => target.currency },
      occasion: occasionOf({ source: target.source as SampleSource }),
      kept: new Set<never>(),
    }
    const now = decideByRules(rules, target, application).after
    const own = compiledRule({ id: '', definition }, today)
    const then = decideByRules([...rules, own], target, application).after
    if (
      now.categoryId === categoryId ||
      now.payeeId !== null ||
      then.categoryId !== categoryId ||
      bytes + sizeOf(storedDefinition(definition)) > RULE_LIMITS.bytes
    ) {
      return undefined
    }
    const name = freeName(words, names)
    names.add(foldKey(name))
    return {
      ...agreed,
      reason: reasonOf(agreed, `without payee and with the text "${words}"`),
      call: { method: 'POST', path: '/rule', body: { name, condition, changes: { categoryId } } },
    }
  }
}

type SampleSource = Parameters<typeof occasionOf>[0]['source']

const definitionWith = (condition: Condition, categoryId: string): RuleDefinition => ({
  condition,
  changes: { categoryId },
  on: [...RULE_OCCASIONS],
  overwrite: false,
  stop: false,
})

/** The row as it would be recorded once more, before any rule. */
const targetOfSample = ({ private: isPrivate, metadata, ...row }: SampleRow): RuleTarget => ({
  ...row,
  private: isPrivate === 1,
  metadata: JSON.parse(metadata ?? '{}') as Record<string, unknown>,
  ...{ payeeId: null, categoryId: null, tagIds: [], splits: [] },
  ...{ status: 'uncleared', reviewed: false },
})

const LONGEST_NAME = 90

/** The words as the name of a rule, with a number where another rule has it. */
function freeName(words: string, taken: ReadonlySet<string>): string {
  const name = cutText(words, LONGEST_NAME).trim()
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name} ${number}`
    if (!taken.has(foldKey(numbered))) {
      return numbered
    }
  }
}
