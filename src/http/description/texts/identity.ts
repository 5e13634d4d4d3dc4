/** What to know of each operation beyond its summary. */
export const IDENTITY: Record<string, string> = {
  listAccessTokens: 'Newest first; never their text.',
  createAccessToken:
    'Its text is shown this once. Needs a proof of who one is: a sign-in of the last 10 minutes, the password or a code of the second factor. A mail tells the owner.',
  getAccessToken: 'Never its text.',
  updateAccessToken: 'Renames it, or narrows its scopes, accounts or time.',
  deleteAccessToken: 'It stops working at once.',
  register:
    'Answers the same tokens as a sign-in. Whether an invite code is needed, and what a password must be like, is at `GET /auth/registration-policy`.',
  login:
    'Send `accessToken` as `Authorization: Bearer …` from then on. It works for `expiresIn` seconds; then `POST /auth/refresh-token` gives a new one. A user with a second factor gets `mfaRequired: true` and an `mfaToken` instead, for `POST /auth/v2/login/mfa`.',
  refreshToken:
    'A refresh token works once: store the new one before you use it. If a used one comes again, somebody has copied it, and the session ends.',
  logout: 'Needs no body. Other sessions of the user go on.',
  getMe:
    'Shows who the token belongs to. Ask it after signing in, to know which operations are permitted.',
  verifyEmail:
    'The code is the one from the mail. It needs no token, as the mail may be read on another device.',
  resendConfirmation: 'With another code that confirms the own address.',
  changeEmail: 'The new one takes effect once it is confirmed by `POST /auth/email/verify`.',
  getJwks: 'They verify access tokens, and may be kept for 5 minutes.',
  loginMfa:
    'Takes the `mfaToken` of `POST /auth/v2/login` with a code of the authenticator app, or a recovery code.',
  beginTotp:
    'Show the secret to the user as a QR code, and send the first code of their app to `POST /auth/mfa/totp/confirm`.',
  confirmTotp:
    'The answer shows the recovery codes, this once. From then on a sign-in asks for a code.',
  disableTotp: 'With the password or a code.',
  renewRecoveryCodes: 'With the password or a code.',
  changePassword: 'Ends other sessions, and personal access tokens unless `keepTokens` is true.',
  forgotPassword:
    'The mail brings a code for `POST /auth/password/reset`. Nobody can tell from the answer whether the address is registered.',
  resetPassword:
    'The code is the one from the mail of `POST /auth/password/forgot`, and works once.',
  getRegistrationPolicy: 'Ask this before showing a form to register. It needs no token.',
  listSessions: 'Each sign-in is a session. `DELETE /auth/session/{id}` ends one.',
  endSession: 'Its tokens stop working at once.',
  logoutAll:
    'This session is included, and so are personal access tokens unless `keepTokens` is true. A sign-in that waits for its second factor ends as well, and so does a change of the address that waits to be confirmed.',
  testIdentityProvider: 'Checks whether sign-ins with it can work; signs nobody in.',
  listIdentities: 'Those of identity providers, by which the user can sign in.',
  linkIdentity: 'One of the own e-mail address.',
  unlinkIdentity: 'Unless it is the only way in.',
  listIdentityProviders: 'By name; secrets are masked.',
  getIdentityProvider: 'Its secret is masked.',
  updateIdentityProvider: 'Optional fields that are left out stay.',
  deleteIdentityProvider: 'Nobody can sign in with it any more.',
  findProviders: 'Those that speak for the domain of an e-mail address.',
  authorizeWithProvider: 'Sends the browser to the identity provider.',
  returnFromProvider: 'Where the identity provider sends the browser back to.',
  exchangeProviderCode: 'The code with which the browser came back from an identity provider.',
  validateInviteCode: 'Tells whether it lets its holder register now, and nothing else of it.',
  listInviteCodes: 'Newest first.',
  createInviteCode: 'The answer is the only one that shows it.',
  updateInviteCode: 'Changes what is sent of note, expiry and uses.',
  revokeInviteCode: 'It stays in the list, and so do those who joined with it.',
  listInviteCodeRedemptions: 'An own one; latest first.',
  listAllInviteCodes: 'Those of everybody, with who issued them, newest first.',
  createInviteCodes: 'One or many, which work even while registration is closed.',
  listPermissions: 'Every permission that a role can grant.',
  listRoles: 'With their permissions and how many users have them.',
  createRole: 'With permissions that the caller holds.',
  updateRole: 'Changes what is sent of name, description and permissions.',
  deleteRole: 'One that nobody has; system roles stay.',
  getSettings: 'Each with its default and who chose it.',
  updateSettings: 'Changes those that are sent; null takes a choice back.',
  createUser:
    'Without a password a code goes to the address, good for seven days, for POST /auth/password/reset. Only roles can be given that permit nothing that the caller may not do.',
  resetUserPassword:
    'Makes it unusable, sends or shows a code to choose another one, ends all sessions and voids earlier codes. A code sets a password only while the user is active. Refused for a user who may do what the caller may not, and for oneself: see PUT /auth/password.',
  resetUserMfa:
    'Removes it with its recovery codes, and ends all sessions. The user is told by mail. A password that is too short without a second factor is made unusable, and a code to choose another one is mailed. Refused for a user who may do what the caller may not, and for oneself: see DELETE /auth/mfa/totp.',
  revokeUserSessions: 'Signs them out everywhere, and deletes their personal access tokens.',
  deleteUser:
    'Ends all sessions. The user is erased after that: until `deletionDueAt`, by default for 30 days, it can be taken back, and the address stays taken. Refused for the last administrator, and for oneself.',
  restoreUser:
    'Takes back the deletion, whoever asked for it: the user is active again, and signs in as before.',
  setUserRoles:
    'Sets all of them, from the next request of the user on. Roles can be added that permit nothing that the caller may not do. Refused when nobody would be administrator any more; one may demote oneself while somebody else is.',
  listRoleUsers: 'Newest first.',
  listUsers: 'Newest first; `search` looks in addresses and names.',
  updateUser:
    'Changes the fields that are sent. Another address is unconfirmed unless `emailVerified` says otherwise, and codes that were mailed to the old one are void. Refused for a user who may do what the caller may not. The last administrator, and oneself, cannot be disabled; for another address of one’s own see POST /auth/email/change.',
}
