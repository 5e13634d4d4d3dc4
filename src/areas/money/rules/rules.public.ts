export { namedRules } from './rules.queries.ts'
