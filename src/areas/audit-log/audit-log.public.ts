export { verifyLog } from './chain/chain.usecases.ts'
export { presentChanges, presentFacts } from './fields/fields.presenters.ts'
export { endExports, standingExports } from './exports/exports.queries.ts'
export { eventsTellingOf, redactEvents } from './redaction/redaction.queries.ts'
