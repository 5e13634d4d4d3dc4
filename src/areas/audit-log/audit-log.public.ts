export { redactRows, rowsTellingOf } from './redaction/redaction.queries.ts'
