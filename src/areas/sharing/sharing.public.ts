export { shareIsSeen } from './sharing.queries.ts'
