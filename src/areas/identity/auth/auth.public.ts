export { presentLogin, presentUser } from './auth.contract.ts'
export { ofUser, passwordEvents, sessionEvents, type SignInSource } from './auth.events.ts'
export { grantRoles, insertUser, revokeRolesBut, updateUserRow } from './auth.queries.ts'
export {
  MfaChallengeResponse,
  profileFields,
  RegisterRequest,
  TokenResponse,
  UserResponse,
} from './auth.contract.ts'
export {
  type Challenge,
  newChallenge,
  newSession,
  requireGoodPassword,
  type SignIn,
  confirmationFor,
  freshToken,
} from './auth.usecases.ts'
export { deleteFactorsOf, forgetChallengesOf } from './mfa/mfa.queries.ts'
export {
  forgetAllTokensOf,
  forgetTokensOf,
  insertOneTimeToken,
  type Showing,
} from './one-time-tokens.queries.ts'
export { type InviteState, inviteState, letGoOfRole, usableInvite } from './registration.queries.ts'
export { registrationLimit } from './registration.usecases.ts'
export { mfaCode, ownPassword } from './credentials/proof.contract.ts'
export { countFailure, type Proof, prove, type Proven } from './credentials/proof.usecases.ts'
export { deletePersonalTokensOf, endSignInsOf } from './sessions/sessions.queries.ts'
