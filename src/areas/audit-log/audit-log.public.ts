export { verifyLog } from './chain/chain.usecases.ts'
