export { presentLogin } from './auth.presenters.ts'
export { grantRole, insertSession, insertUser } from './auth.queries.ts'
export { MfaChallengeResponse, TokenResponse } from './auth.schemas.ts'
export type { Challenge, SignIn } from './auth.usecases.ts'
export { forgetChallengesOf, insertChallenge } from './mfa/mfa.queries.ts'
export {
  type InviteState,
  inviteState,
  letGoOfRole,
  usableInvite,
} from './registration/registration.queries.ts'
export { registrationLimit } from './registration/registration.usecases.ts'
