import { RULE_LIMITS } from '../../../domain/rules/rules.ts'
import { errorTable } from '../../../domain/errors.ts'

export const ruleErrors = errorTable('rules', {
  notFound: ['notFound', 'There is no such rule.'],
  unknownRule: ['invalid', 'There is no such rule.'],
  nameTaken: ['conflict', 'Another rule has this name. Choose another name.'],
  tooMany: [
    'conflict',
    `There can be at most ${RULE_LIMITS.rules} rules, with conditions and changes of ${RULE_LIMITS.bytes / 1024} KiB together. Delete or shorten others first.`,
  ],
  saveFirst: ['invalid', 'An unsaved rule can only be tried with dryRun: true. Save it first.'],
  notAll: ['invalid', 'The list must name each of your rules exactly once.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it cannot change rules, which work on all accounts.',
  ],
})
