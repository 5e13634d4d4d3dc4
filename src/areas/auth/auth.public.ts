export { presentSignIn } from './auth.presenters.ts'
export { grantRole, insertSession, insertUser } from './auth.queries.ts'
export { TokenResponse } from './auth.schemas.ts'
export type { SignIn } from './auth.usecases.ts'
