/** Descriptions of operations, by `operationId`. */
export const IDENTITY: Record<string, string> = {
  listAccessTokens: 'Lists the newest token first. The text of a token is never shown again.',
  createAccessToken:
    'Only this answer shows the text of the token. The caller must prove who they are: by a sign-in within the last 10 minutes, by `password`, or by a `code` of the second factor. The owner is notified by mail.',
  getAccessToken: 'The text of the token is never shown again.',
  updateAccessToken:
    'Renames the token, or narrows its scopes, accounts or lifetime. A token can never be widened.',
  deleteAccessToken:
    'The token stops working at once; if the operator allows replicas of the database, it can read for a moment longer.',
  register:
    'Returns tokens, as a sign-in does. `GET /auth/registration-policy` tells whether an invite code is needed and which passwords are accepted.',
  login:
    'Send `accessToken` as `Authorization: Bearer …` from then on. It works for `expiresIn` seconds; then `POST /auth/refresh-token` issues a new one. If a second factor is on, the answer has `mfaRequired: true` and an `mfaToken` for `POST /auth/v2/login/mfa` instead.',
  refreshToken:
    'A refresh token works once, so store the new one before you use it. If a used refresh token is sent again, it may have been stolen, and the session ends.',
  logout: 'The request needs no body. Other sessions of the user continue.',
  getMe:
    'Shows the user that the token belongs to, with their roles and permissions. Call it after signing in to find out which operations are allowed.',
  verifyEmail:
    'Takes the code from the confirmation mail. No access token is needed, because the mail may be read on another device.',
  resendConfirmation: 'Sends another mail with a new code to the caller’s own address.',
  changeEmail: 'The new address takes effect once it is confirmed with `POST /auth/email/verify`.',
  getJwks: 'The keys verify access tokens. They can be cached for 5 minutes.',
  loginMfa:
    'Takes the `mfaToken` of `POST /auth/v2/login` and a code from the authenticator app, or a recovery code.',
  beginTotp:
    'Show the secret to the user as a QR code, and send the first code from their app to `POST /auth/mfa/totp/confirm`.',
  confirmTotp:
    'Only this answer shows the recovery codes. From then on, every sign-in asks for a code.',
  disableTotp: 'The caller must send their password or a code.',
  renewRecoveryCodes:
    'The caller must send their password or a code. The previous recovery codes stop working.',
  changePassword:
    'Ends all other sessions, and all personal access tokens unless `keepTokens` is true.',
  forgotPassword:
    'Mails a code for `POST /auth/password/reset`. The answer is the same whether or not the address is registered.',
  resetPassword:
    'Takes the code from the mail of `POST /auth/password/forgot`. The code works once.',
  getRegistrationPolicy: 'Call this before showing a registration form. No access token is needed.',
  listSessions: 'Each sign-in creates a session. `DELETE /auth/session/{id}` ends one.',
  endSession:
    'The tokens of the session stop working at once; if the operator allows replicas of the database, they can read for a moment longer.',
  logoutAll:
    'Ends all sessions, including the current one, and all personal access tokens unless `keepTokens` is true. It also cancels sign-ins that wait for a second factor, and an unconfirmed change of address.',
  testIdentityProvider:
    'Checks whether users could sign in with the provider. Nobody is signed in.',
  listIdentities: 'Lists the identities at identity providers with which the caller can sign in.',
  linkIdentity: 'The identity must have the same e-mail address as the caller.',
  unlinkIdentity:
    'The identity cannot be unlinked if it is the only way for the caller to sign in.',
  listIdentityProviders: 'Lists the providers by name. Client secrets are masked.',
  getIdentityProvider: 'The client secret is masked.',
  updateIdentityProvider: 'Optional fields that are left out keep their values.',
  deleteIdentityProvider: 'Nobody can sign in with the provider any more.',
  findProviders:
    'Finds the providers that sign in users with the domain of the given e-mail address.',
  authorizeWithProvider: 'Redirects the browser to the identity provider.',
  returnFromProvider:
    'The identity provider redirects the browser to this address at the end of a sign-in.',
  exchangeProviderCode:
    'Takes the code that the callback added to `redirectUri`, and signs the user in.',
  validateInviteCode:
    'Tells whether somebody could register with the code now. It reveals nothing else about the code.',
  listInviteCodes: 'Lists the newest code first.',
  createInviteCode: 'Only this answer shows the code.',
  updateInviteCode:
    'Changes the note, the expiry or the number of uses. Fields that are left out keep their values.',
  revokeInviteCode:
    'The code stops working but stays in the list. Users who registered with it keep their accounts.',
  listInviteCodeRedemptions:
    'The code must be the caller’s own. The latest redemption comes first.',
  listAllInviteCodes: 'Lists the codes of all users, with who issued them, newest first.',
  createInviteCodes: 'Creates one or more codes. They work even while registration is closed.',
  listPermissions: 'Lists every permission that a role can grant.',
  listRoles: 'Shows the permissions of each role and how many users have it.',
  createRole: 'The role can grant only permissions that the caller holds.',
  updateRole:
    'Changes the name, the description or the permissions. Fields that are left out keep their values.',
  deleteRole: 'A role can be deleted only while nobody has it. System roles cannot be deleted.',
  getSettings: 'Shows the value of each setting, its default, and where the value comes from.',
  updateSettings: 'Changes the settings that are sent. Send null to restore a default.',
  createUser:
    'If no password is sent, the user is mailed a code for `POST /auth/password/reset` that works for seven days. The caller can assign only roles whose permissions they hold themselves.',
  resetUserPassword:
    'Makes the password unusable, ends all sessions, voids earlier codes, and mails or shows a code for choosing another password. The code works only while the user is active. Administrators cannot reset users who have more permissions, or themselves; for that, see `PUT /auth/password`.',
  resetUserMfa:
    'Removes the second factor and the recovery codes, ends all sessions, and notifies the user by mail. If the password is too short to be used without a second factor, it is made unusable and a code for choosing another one is mailed. Administrators cannot reset users who have more permissions, or themselves; for that, see `DELETE /auth/mfa/totp`.',
  revokeUserSessions: 'Signs the user out everywhere and deletes their personal access tokens.',
  deleteUser:
    'Ends all sessions. The user is erased at `deletionDueAt`, by default after 30 days; until then they can be restored, and their address stays taken. Administrators cannot delete the last administrator or themselves.',
  restoreUser:
    'Cancels the deletion, no matter who requested it. The user is active again and signs in as before.',
  setUserRoles:
    'Replaces all roles of the user, effective from their next request, or if the operator allows replicas of the database, for reads a moment later. The caller can add only roles whose permissions they hold themselves. Refused if no administrator would remain. Administrators can give up their own role while there is another administrator.',
  listRoleUsers: 'Lists the newest user first.',
  listUsers: 'Lists the newest user first. `search` looks in addresses and names.',
  updateUser:
    'Changes the fields that are sent. A new address is unconfirmed unless `emailVerified` says otherwise, and codes mailed to the old address stop working. Administrators cannot change users who have more permissions, and cannot disable themselves or the last administrator; to change their own address, see `POST /auth/email/change`.',
}
