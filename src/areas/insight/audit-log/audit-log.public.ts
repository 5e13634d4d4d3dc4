export { verifyAuditLog } from './chain/chain.usecases.ts'
