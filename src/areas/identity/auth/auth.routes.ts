import { z } from '@hono/zod-openapi'
import { settingsOf } from '../../../env.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database/database.ts'
import { publicKeysOf } from '../../../platform/secrets/tokens.ts'
import { paged } from '../../../http/pagination.ts'
import {
  LoginRequest,
  MeResponse,
  MfaChallengeResponse,
  presentLogin,
  presentMe,
  presentSignIn,
  RefreshTokenRequest,
  RegisterRequest,
  TokenResponse,
  JwkSetResponse,
  presentPolicy,
  RegistrationPolicyResponse,
} from './auth.contract.ts'
import * as auth from './auth.usecases.ts'
import {
  MfaLoginRequest,
  BeginTotpRequest,
  TotpEnrollmentResponse,
  ConfirmTotpRequest,
  MfaResponse,
  presentFactors,
  presentRecoveryCodes,
  presentSecret,
  ProveIdentityRequest,
  RecoveryCodesResponse,
} from './mfa/mfa.contract.ts'
import * as mfa from './mfa/mfa.usecases.ts'
import * as registration from './registration.usecases.ts'
import * as email from './credentials/email.usecases.ts'
import {
  ListSessionsQuery,
  SessionsResponse,
  LogoutAllQuery,
  presentSessions,
  presentSignedOut,
  SignedOutResponse,
} from './sessions/sessions.contract.ts'
import * as sessions from './sessions/sessions.usecases.ts'
import {
  ChangePasswordRequest,
  ForgotPasswordRequest,
  PasswordSetResponse,
  presentChanged,
  presentPasswordReset,
  ResetPasswordRequest,
  ChangeEmailRequest,
  presentConfirmed,
  VerifyEmailRequest,
} from './credentials/credentials.contract.ts'
import * as password from './credentials/password.usecases.ts'

export const register = operation({
  access: 'public',
  on: 'POST /auth/register',
  summary: 'Register a user',
  request: jsonRequest(RegisterRequest),
  responses: { 201: json(TokenResponse, 'The user is registered and signed in') },
  errors: [403, 429],
  run: (ctx, { body }) => registration.register(ctx, body),
  present: presentSignIn,
})

export const login = operation({
  access: 'public',
  on: 'POST /auth/v2/login',
  summary: 'Sign in with e-mail and password',
  request: jsonRequest(LoginRequest),
  responses: {
    200: json(
      z.union([TokenResponse, MfaChallengeResponse]),
      'Signed in, or a second factor is required',
    ),
  },
  errors: [401, 429],
  run: (ctx, { body }) => auth.login(ctx, body),
  present: presentLogin,
})

export const refreshToken = operation({
  access: 'public',
  on: 'POST /auth/refresh-token',
  summary: 'Refresh tokens',
  request: jsonRequest(RefreshTokenRequest),
  responses: { 200: json(TokenResponse, 'New tokens') },
  errors: [401],
  run: (ctx, { body }) => auth.refresh(ctx, body.refreshToken),
  present: presentSignIn,
})

export const logout = operation({
  access: 'sessions.write',
  on: 'POST /auth/logout',
  summary: 'End the current session',
  responses: { 200: json(MessageResponse, 'Signed out') },
  run: (ctx) => auth.logout(ctx),
  present: () => ({ message: 'Signed out.' }),
})

export const getMe = operation({
  access: 'profile.read',
  on: 'GET /auth/me',
  summary: 'Get the caller',
  responses: { 200: json(MeResponse, 'The caller') },
  run: (ctx) => checkAccess(ctx),
  present: presentMe,
})

export const getJwks = operation(
  {
    access: 'public',
    on: 'GET /.well-known/jwks.json',
    summary: 'Get the public keys of access tokens',
    responses: { 200: json(JwkSetResponse, 'The keys') },
  },
  (c) => {
    c.header('Cache-Control', 'public, max-age=300')
    return c.json({ keys: publicKeysOf(settingsOf(c.env).jwtKeys) }, 200)
  },
)

export const loginMfa = operation({
  access: 'public',
  on: 'POST /auth/v2/login/mfa',
  summary: 'Finish signing in with a second factor',
  request: jsonRequest(MfaLoginRequest),
  responses: { 200: json(TokenResponse, 'Signed in') },
  errors: [401, 429],
  run: (ctx, { body }) => mfa.loginMfa(ctx, body),
  present: presentSignIn,
})

export const getRegistrationPolicy = operation({
  access: 'public',
  on: 'GET /auth/registration-policy',
  summary: 'Get the registration policy',
  responses: { 200: json(RegistrationPolicyResponse, 'The requirements for registration') },
  run: (ctx) => auth.getRegistrationPolicy(ctx),
  present: presentPolicy,
})

export const verifyEmail = operation({
  access: 'public',
  on: 'POST /auth/email/verify',
  summary: 'Confirm an e-mail address',
  request: jsonRequest(VerifyEmailRequest),
  responses: { 200: json(MessageResponse, 'The address is confirmed') },
  errors: [429],
  run: (ctx, { body }) => email.verifyEmail(ctx, body.token),
  present: presentConfirmed,
})

export const resendConfirmation = operation({
  access: 'profile.write',
  on: 'POST /auth/email/resend',
  summary: 'Resend the confirmation mail',
  responses: { 200: json(MessageResponse, 'A mail is sent') },
  run: (ctx) => email.resendConfirmation(ctx),
  present: () => ({ message: 'A mail is under way.' }),
})

export const changeEmail = operation({
  access: 'profile.write',
  on: 'POST /auth/email/change',
  summary: 'Change the caller’s e-mail address',
  request: jsonRequest(ChangeEmailRequest),
  responses: { 200: json(MessageResponse, 'A mail is sent to the new address') },
  run: (ctx, { body }) => email.changeEmail(ctx, body),
  present: () => ({ message: 'A mail to the new address is under way.' }),
})

export const listSessions = operation({
  access: 'sessions.read',
  on: 'GET /auth/session',
  summary: 'List own sessions',
  request: { query: ListSessionsQuery },
  responses: { 200: json(SessionsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => sessions.listSessions(ctx, page)),
  present: presentSessions,
})

export const endSession = operation({
  access: 'sessions.write',
  on: 'DELETE /auth/session/{id}',
  summary: 'End a session',
  request: { params: pathId('ses', 'session') },
  responses: { 200: json(MessageResponse, 'The session has ended') },
  run: (ctx, { params }) => sessions.endSession(ctx, params.id),
  present: () => ({ message: 'The session has ended.' }),
})

export const logoutAll = operation({
  access: 'sessions.write',
  on: 'POST /auth/logout-all',
  summary: 'End all own sessions',
  request: { query: LogoutAllQuery },
  responses: { 200: json(SignedOutResponse, 'Signed out everywhere') },
  run: (ctx, { query }) => sessions.logoutAll(ctx, query),
  present: presentSignedOut,
})

export const changePassword = operation({
  access: 'profile.write',
  on: 'PUT /auth/password',
  summary: 'Change the caller’s password',
  request: jsonRequest(ChangePasswordRequest),
  responses: { 200: json(PasswordSetResponse, 'The password is changed') },
  run: (ctx, { body }) => password.changePassword(ctx, body),
  present: presentChanged,
})

export const forgotPassword = operation({
  access: 'public',
  on: 'POST /auth/password/forgot',
  summary: 'Request a password reset',
  request: jsonRequest(ForgotPasswordRequest),
  responses: { 200: json(MessageResponse, 'If the address is registered, a mail is sent') },
  errors: [429],
  run: (ctx, { body }) => password.forgotPassword(ctx, body.email),
  present: () => ({ message: 'If somebody is registered with this address, a mail is under way.' }),
})

export const resetPassword = operation({
  access: 'public',
  on: 'POST /auth/password/reset',
  summary: 'Reset a password',
  request: jsonRequest(ResetPasswordRequest),
  responses: { 200: json(PasswordSetResponse, 'The password is set') },
  errors: [429],
  run: (ctx, { body }) => password.resetPassword(ctx, body),
  present: presentPasswordReset,
})

export const getMfa = operation({
  access: 'mfa.read',
  on: 'GET /auth/mfa',
  summary: 'Get the state of the second factor',
  responses: { 200: json(MfaResponse, 'The second factors') },
  run: (ctx) => mfa.getMfa(ctx),
  present: presentFactors,
})

export const beginTotp = operation({
  access: 'mfa.write',
  on: 'POST /auth/mfa/totp',
  summary: 'Create an authenticator secret',
  request: jsonRequest(BeginTotpRequest),
  responses: { 201: json(TotpEnrollmentResponse, 'The secret, shown only once') },
  run: (ctx, { body }) => mfa.beginTotp(ctx, body.password),
  present: presentSecret,
})

export const confirmTotp = operation({
  access: 'mfa.write',
  on: 'POST /auth/mfa/totp/confirm',
  summary: 'Enable the second factor',
  request: jsonRequest(ConfirmTotpRequest),
  responses: {
    200: json(RecoveryCodesResponse, 'The recovery codes, shown only once'),
  },
  run: (ctx, { body }) => mfa.confirmTotp(ctx, body.code),
  present: presentRecoveryCodes,
})

export const disableTotp = operation({
  access: 'mfa.write',
  on: 'DELETE /auth/mfa/totp',
  summary: 'Disable the second factor',
  request: jsonRequest(ProveIdentityRequest),
  responses: { 200: json(MessageResponse, 'The second factor is off') },
  run: (ctx, { body }) => mfa.disableTotp(ctx, body),
  present: () => ({ message: 'The second factor is off.' }),
})

export const renewRecoveryCodes = operation({
  access: 'mfa.write',
  on: 'POST /auth/mfa/recovery-code',
  summary: 'Replace all recovery codes',
  request: jsonRequest(ProveIdentityRequest),
  responses: { 200: json(RecoveryCodesResponse, 'The new codes, shown only once') },
  run: (ctx, { body }) => mfa.renewRecoveryCodes(ctx, body),
  present: presentRecoveryCodes,
})
