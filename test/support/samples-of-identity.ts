import { sha256Text } from '../../src/platform/secrets/crypto.ts'
import { type Principal, rows } from './api.ts'
import { someId } from './of-file.ts'
import { beginTotp, type Sample, send, tokenFor, totpNow } from './sample-parts.ts'
import { newUser, type TestUser } from './world.ts'

/** Requests about users and how they come in: those that come first of all, those that end a user, and those that end sessions. */
export async function samplesOfIdentity(
  me: TestUser,
  make: (path: string, json: object) => Promise<{ id: string; code: string }>,
  accountId: string,
) {
  const credentials = { email: me.email, password: me.password }
  const role = await make('/admin/roles', { name: `r ${me.id}`, permissions: [] })
  const spare = await make('/admin/roles', { name: `s ${me.id}`, permissions: [] })
  const granted = await make('/admin/roles', { name: `g ${me.id}`, permissions: ['roles.read'] })
  const provider = (domain: string) => ({
    name: `${domain} ${me.id}`,
    domain: `${domain}.${me.id.replace('_', '-')}.example`,
    issuer: 'https://login.example.com',
    clientId: 'coffer',
    clientSecret: 'a secret of the provider',
  })
  const idp = await make('/admin/identity-providers', provider('one'))
  const idle = await make('/admin/identity-providers', provider('two'))
  // Nowhere that may be called: asking it leaves the machine alone.
  await rows("UPDATE identity_providers SET issuer = 'https://idp.test' WHERE id = ?", idle.id)
  const invite = await make('/invite-code', {})
  const dropped = await make('/invite-code', {})
  const banned = await make('/invite-code', {})
  const signInCode = `sic_${me.id}`
  await rows(
    `INSERT INTO sign_in_codes (code_hash, provider_id, issuer, subject, email, email_key, name, expires_at)
      VALUES (?1, ?2, 'https://login.example.com', ?3, ?4, ?4, 'Ada', 9e15)`,
    sha256Text(signInCode),
    idp.id,
    me.id,
    me.email,
  )
  const identity = someId('ext')
  await rows(
    'INSERT INTO external_identities (id, user_id, issuer, subject, created_at) VALUES (?1, ?2, ?1, ?1, 0)',
    identity,
    me.id,
  )
  const token = () => make('/auth/token', { name: 'Script', scopes: ['read'] })
  const [kept, spent] = [await token(), await token()]
  const signIn = async () => {
    const response = await send(me, 'POST', '/auth/v2/login', credentials)
    return (await response.json()) as Principal
  }
  const again = await signIn()
  const list = await send(again, 'GET', '/auth/session')
  const { sessions } = (await list.json()) as { sessions: { id: string; current: boolean }[] }
  const spareSession = sessions.find(({ current }) => current)
  const leaving = await signIn()
  const [careful, guarded, departing] = [await newUser(), await newUser(), await newUser()]
  const begun = await beginTotp(careful)
  const { secret } = await beginTotp(guarded)
  const code = await totpNow(secret)
  const confirmed = await send(guarded, 'POST', '/auth/mfa/totp/confirm', { code })
  const { recoveryCodes } = (await confirmed.json()) as { recoveryCodes: string[] }
  const { email, password } = guarded
  const challenge = await send(guarded, 'POST', '/auth/v2/login', { email, password })
  const { mfaToken } = (await challenge.json()) as { mfaToken: string }
  const [managed, leaver, returning] = [await newUser(), await newUser(), await newUser()]
  await send(me, 'DELETE', `/admin/users/${returning.id}`)
  const fresh = {
    email: `sample-${me.id}@coffer.test`,
    password: 'fifteen characters or more',
    name: 'Sample',
  }
  const of = (id: string, more: Omit<Sample, 'path'> = {}): Sample => ({ path: { id }, ...more })

  const first: Record<string, Sample> = {
    getMfa: {},
    beginTotp: { json: { password: me.password } },
    confirmTotp: {
      ...{ as: careful, authenticator: begun.secret },
      json: { code: await totpNow(begun.secret) },
    },
    renewRecoveryCodes: {
      as: careful,
      json: { password: careful.password },
      after: 'confirmTotp',
    },
    disableTotp: { as: careful, json: { password: careful.password }, after: 'confirmTotp' },
    loginMfa: { json: { mfaToken, code: recoveryCodes[0] } },
    getHealth: {},
    getReadiness: {},
    getVersion: {},
    getServiceInfo: {},
    getJwks: {},
    getRegistrationPolicy: {},
    getSettings: {},
    updateSettings: { json: { deletionGraceDays: null } },
    register: { json: fresh },
    login: { json: credentials },
    refreshToken: { json: { refreshToken: me.refreshToken } },
    getMe: {},
    forgotPassword: { json: { email: me.email } },
    resetPassword: {
      json: { token: await tokenFor('passwordReset'), password: 'another fine password' },
    },
    verifyEmail: { json: { token: await tokenFor('emailVerification') } },
    resendConfirmation: {},
    changeEmail: { json: { email: `moved-${me.id}@coffer.test`, password: me.password } },
    listSessions: {},
    endSession: of(spareSession?.id ?? ''),
    getAPIReference: {},
    listPermissions: {},
    listRoles: {},
    createRole: { json: { name: `t ${me.id}`, permissions: ['accounts.read'] } },
    getRole: of(role.id),
    updateRole: of(role.id, { json: { description: 'x' } }),
    deleteRole: of(spare.id),
    listRoleUsers: of(role.id),
    listUsers: { query: '?search=ada&status=active&roleId=rol_user' },
    createUser: { json: { email: `made-${me.id}@coffer.test`, name: 'Made' } },
    getUser: of(managed.id),
    updateUser: of(managed.id, { json: { name: 'Grace' } }),
    setUserRoles: of(managed.id, { json: { roleIds: ['rol_user'] } }),
    resetUserPassword: of(managed.id, { json: { delivery: 'reveal' } }),
    revokeUserSessions: of(managed.id),
    deleteUser: of(leaver.id),
    restoreUser: of(returning.id),
    validateInviteCode: { json: { code: invite.code } },
    listInviteCodes: { query: '?state=active' },
    createInviteCode: { json: { roleId: granted.id } },
    getInviteCode: of(invite.id),
    updateInviteCode: of(invite.id, { json: { maxUses: 2 } }),
    revokeInviteCode: of(dropped.id),
    listInviteCodeRedemptions: of(invite.id),
    listAllInviteCodes: {},
    createInviteCodes: { json: { quantity: 2 } },
    revokeAnyInviteCode: of(banned.id),
    listIdentities: {},
    linkIdentity: { json: { code: signInCode } },
    unlinkIdentity: of(identity),
    findProviders: { query: '?email=ada@example.com' },
    listIdentityProviders: {},
    createIdentityProvider: { json: provider('three') },
    getIdentityProvider: of(idp.id),
    updateIdentityProvider: of(idp.id, { json: provider('one') }),
    testIdentityProvider: of(idle.id),
    deleteIdentityProvider: of(idle.id),
    listScopes: {},
    listAccessTokens: {},
    createAccessToken: { json: { name: 'New', scopes: ['read'], accountIds: [accountId] } },
    getAccessToken: of(kept.id),
    updateAccessToken: of(kept.id, { json: { name: 'Other' } }),
    deleteAccessToken: of(spent.id),
  }
  const deletion: Record<string, Sample> = {
    deleteOwnUser: { as: departing, json: { password: departing.password } },
    restoreOwnUser: { as: departing, after: 'deleteOwnUser' },
  }
  const last: Record<string, Sample> = {
    logout: { as: leaving },
    resetUserMfa: of(guarded.id),
    changePassword: {
      json: { currentPassword: me.password, newPassword: 'another fine password' },
    },
    logoutAll: {},
  }
  return { first, deletion, last }
}
