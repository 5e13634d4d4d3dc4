import { checkAll } from '../errors.ts'
import { MOST_TAGS_OF_PARTS } from '../ledger-ids.ts'
import { type RuleChanges, type RulePart, ruleProblems } from './rules.ts'
import { hundredthsOf } from './splits.ts'
import { isPlaceholder, PLACEHOLDERS, placeholdersIn } from './texts.ts'

/**
 * Checks what the schema of a rule does not say of its changes: the sizes of parts, and the placeholders of texts.
 * @param field the field of the request that holds them
 * @throws AppError `rules.invalidSplit` or `rules.unknownPlaceholder`
 */
export function checkChanges(
  { description, note, splits = [] }: RuleChanges,
  field = 'changes',
): void {
  checkAll(
    () => requirePlaceholders(description, `${field}.description`),
    () => requirePlaceholders(note, `${field}.note`),
    () => requireSizes(splits, `${field}.splits`),
  )
}

function requirePlaceholders(text: string | null | undefined, field: string): void {
  const unknown = placeholdersIn(text ?? '').find((word) => !isPlaceholder(word))
  if (unknown !== undefined) {
    const known = PLACEHOLDERS.map((word) => `{${word}}`).join(', ')
    throw ruleProblems.unknownPlaceholder({ word: `{${unknown}}`, known }, { field })
  }
}

const ONE_SIZE = 'A part must have exactly one of fixed, percent and rest.'

function requireSizes(parts: RulePart[], field: string): void {
  const refuse = (problem: string, place = field) =>
    ruleProblems.invalidSplit({ problem }, { field: place })
  for (const [at, { fixed, percent, percentOf, rest }] of parts.entries()) {
    if ([fixed, percent, rest].filter((size) => size !== undefined).length !== 1) {
      throw refuse(ONE_SIZE, `${field}.${at}`)
    }
    if (fixed?.startsWith('-')) {
      throw refuse(
        'A fixed amount must not be negative; it gets the sign of the transaction.',
        `${field}.${at}.fixed`,
      )
    }
    if (percentOf !== undefined && percent === undefined) {
      throw refuse('Only a part with percent takes percentOf.', `${field}.${at}.percentOf`)
    }
  }
  if (parts.flatMap(({ tagIds = [] }) => tagIds).length > MOST_TAGS_OF_PARTS) {
    throw refuse(`The parts can have at most ${MOST_TAGS_OF_PARTS} tags together.`)
  }
  const percents = parts.flatMap(({ percent, percentOf = 'total' }) =>
    percent === undefined ? [] : [{ hundredths: hundredthsOf(percent), percentOf }],
  )
  if (new Set(percents.map(({ percentOf }) => percentOf)).size > 1) {
    throw refuse('All parts with percent must have the same percentOf.')
  }
  if (percents.reduce((sum, { hundredths }) => sum + hundredths, 0) > 100 * 100) {
    throw refuse('The percents must be at most 100 together.')
  }
}
