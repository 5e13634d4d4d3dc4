import { type Context, freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { sha256Text, toBase64Url } from '../../../platform/secrets/crypto.ts'
import {
  checkAccess,
  commit,
  commitAndRead,
  read,
  requireVersion,
} from '../../../platform/database/database.ts'
import type { Change } from '../../../platform/log/events.ts'
import { countTry, requireTriesLeft, triesOf } from '../../../platform/limits.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { registrationLimit, usableInvite } from '../auth/auth.public.ts'
import type { GivenRole } from '../memberships/memberships.public.ts'
import { inviteErrors } from './invites.errors.ts'
import { inviteCodeEvents } from './invites.events.ts'
import {
  callerHoldsRole,
  callerMayInvite,
  countOfInvites,
  countOfRedemptions,
  insertInvites,
  inviteById,
  type InviteFilter,
  type InviteRow,
  pageOfInvites,
  pageOfRedemptions,
  type RedemptionRow,
  registrationMustNotBeClosed,
  revokeInvite,
  type StoredCode,
  updateInvite,
} from './invites.queries.ts'
import {
  CODE_BYTES,
  codePrefixOf,
  isExpiry,
  CODE_PREFIX,
  type SentTerms,
  termsAfter,
  usualExpiry,
} from './invites.rules.ts'

/** True if a code would allow its holder to register now; a wrong one counts as a guess. */
export async function validateInviteCode(ctx: Context, code: string): Promise<boolean> {
  const client = await registrationLimit(ctx)
  const codeHash = sha256Text(code)
  const [tries, [usable]] = await read(ctx, triesOf([client]), usableInvite(ctx, codeHash))
  requireTriesLeft(ctx, [client], tries)
  if (usable) {
    return true
  }
  // The try is stored, its answer is not: a repeated guess is a try of its own.
  delete ctx.repeatable
  return commit(ctx, {
    changes: [
      { statements: countTry(ctx, client), events: [inviteCodeEvents.refused({ id: null })] },
    ],
    result: false,
  })
}

export async function listInvites(
  ctx: SignedIn,
  page: PageRequest,
  filter: InviteFilter,
): Promise<Page<InviteRow>> {
  const [found, [total]] = await read(
    ctx,
    pageOfInvites(ctx, page, filter),
    countOfInvites(ctx, filter),
  )
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function findInvite(
  ctx: SignedIn,
  id: string,
  filter: InviteFilter,
): Promise<InviteRow> {
  const [[invite]] = await read(ctx, inviteById(ctx, id, filter))
  if (!invite) {
    throw inviteErrors.notFound()
  }
  return invite
}

export async function listInviteCodeRedemptions(
  ctx: SignedIn,
  id: string,
  page: PageRequest,
): Promise<Page<RedemptionRow>> {
  const [[invite], found, [total]] = await read(
    ctx,
    inviteById(ctx, id, issuedByCaller(ctx)),
    pageOfRedemptions(id, page),
    countOfRedemptions(id),
  )
  if (!invite) {
    throw inviteErrors.notFound()
  }
  const cut = cutPage(found, page, ({ redeemedAt, userId }) => [String(redeemedAt), userId])
  return { ...cut, count: total?.count ?? 0 }
}

/** The request for a new code. */
export interface WantedInvite {
  maxUses: number
  expiresAt?: number | undefined
  roleId?: string | undefined
  groupId?: string | undefined
  groupRole?: GivenRole | undefined
  note: string
}

/** With the code itself, which nobody can see again. */
export type IssuedInvite = InviteRow & { code: string }

export async function createInviteCode(ctx: SignedIn, wanted: WantedInvite): Promise<IssuedInvite> {
  await checkAccess(ctx)
  const { issued, change } = await issue(ctx, wanted, { quantity: 1, byAdministrator: false })
  const [invite] = issued
  if (!invite) {
    throw new Error('issueInvite: no code was made')
  }
  return commit(ctx, { changes: [change], result: invite })
}

export async function createInviteCodes(
  ctx: SignedIn,
  { quantity, ...wanted }: WantedInvite & { quantity: number },
): Promise<IssuedInvite[]> {
  await checkAccess(ctx)
  const { issued, change } = await issue(ctx, wanted, { quantity, byAdministrator: true })
  return commit(ctx, { changes: [change], result: issued })
}

/** New codes, and the change that stores them. */
async function issue(
  ctx: SignedIn,
  wanted: WantedInvite,
  { quantity, byAdministrator }: { quantity: number; byAdministrator: boolean },
): Promise<{ issued: IssuedInvite[]; change: Change }> {
  const { maxUses, note, expiresAt = usualExpiry(ctx.now), roleId = null } = wanted
  requireExpiry(ctx, expiresAt)
  const group = groupOf(ctx, wanted)
  const terms = {
    ...{ maxUses, expiresAt, note, roleId, ...group },
    ...{ byAdministrator, issuedBy: ctx.caller.userId },
  }
  const codes = await Promise.all(Array.from({ length: quantity }, () => newCode(ctx)))
  const { name, email } = profileOf(ctx)
  const fresh = {
    uses: 0,
    state: 'active' as const,
    issuerName: name,
    issuerEmail: email,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return {
    issued: codes.map(({ id, code, codePrefix }) => ({ id, code, codePrefix, ...terms, ...fresh })),
    change: {
      statements: [
        ...(byAdministrator ? [] : [registrationMustNotBeClosed(ctx)]),
        ...roleGuardOf(ctx, terms),
        ...groupGuardOf(ctx, group),
        ...insertInvites(ctx, codes.map(storedOf), terms),
      ],
      events: codes.map(({ id }) => inviteCodeEvents.created({ id, version: 1 }, { after: terms })),
    },
  }
}

/** Also of a change: more uses or a longer life give the role to more people. */
const roleGuardOf = (ctx: SignedIn, { roleId }: Pick<InviteRow, 'roleId'>): Statement[] =>
  roleId === null ? [] : [callerHoldsRole(ctx, roleId)]

type Into = Pick<InviteRow, 'groupId' | 'groupRole'>

/** A token for some accounts knows of no groups. */
function groupOf({ caller }: SignedIn, { groupId, groupRole }: WantedInvite): Into {
  if (groupId === undefined) {
    if (groupRole !== undefined) {
      throw inviteErrors.roleNeedsGroup({ field: 'groupRole' })
    }
    return { groupId: null, groupRole: null }
  }
  if (caller.token?.accountIds) {
    throw inviteErrors.groupNotOpen({ field: 'groupId' })
  }
  return { groupId, groupRole: groupRole ?? 'member' }
}

/** Also of a change: more uses or a longer life let more people in. */
const groupGuardOf = (ctx: SignedIn, { groupId, groupRole }: Into): Statement[] =>
  groupId === null || groupRole === null ? [] : [callerMayInvite(ctx, groupId, groupRole)]

/** An invite code that makes its one user an administrator: the operator's, issued by nobody. */
export async function inviteAdministrator(ctx: Context): Promise<string> {
  const code = await newCode(ctx)
  const after = {
    maxUses: 1,
    expiresAt: usualExpiry(ctx.now),
    note: '',
    roleId: 'rol_admin',
    groupId: null,
    groupRole: null,
    byAdministrator: true,
    issuedBy: null,
  }
  return commit(ctx, {
    changes: [
      {
        statements: insertInvites(ctx, [storedOf(code)], after),
        events: [inviteCodeEvents.created({ id: code.id, version: 1 }, { after })],
      },
    ],
    result: code.code,
  })
}

export async function updateInviteCode(
  ctx: SignedIn,
  id: string,
  sent: SentTerms,
): Promise<InviteRow> {
  const filter = issuedByCaller(ctx)
  const invite = await findInvite(ctx, id, filter)
  requireVersion(ctx, invite.version)
  if (sent.expiresAt !== undefined) {
    requireExpiry(ctx, sent.expiresAt)
  }
  const { maxUses, expiresAt, note } = invite
  const after = termsAfter(invite, sent)
  if (after.maxUses < invite.uses) {
    throw inviteErrors.fewerThanUsed({ field: 'maxUses' })
  }
  const [changed] = await commitAndRead(
    ctx,
    {
      changes: [
        {
          statements: [
            ...roleGuardOf(ctx, invite),
            ...groupGuardOf(ctx, invite),
            ...updateInvite(ctx, invite, after),
          ],
          events: [
            inviteCodeEvents.updated(
              { id, version: invite.version + 1 },
              { before: { maxUses, expiresAt, note }, after },
            ),
          ],
        },
      ],
    },
    inviteById(ctx, id, filter),
  )
  if (!changed) {
    throw inviteErrors.notFound()
  }
  return changed
}

export const revokeInviteCode = (ctx: SignedIn, id: string): Promise<void> =>
  revoke(ctx, id, issuedByCaller(ctx))

/** Revokes a code of any user. */
export const revokeAnyInviteCode = (ctx: SignedIn, id: string): Promise<void> => revoke(ctx, id, {})

/** Revokes a code. Users who joined with it stay, and a revoked code stays revoked. */
async function revoke(ctx: SignedIn, id: string, filter: InviteFilter): Promise<void> {
  const invite = await findInvite(ctx, id, filter)
  requireVersion(ctx, invite.version)
  if (invite.state === 'revoked') {
    return
  }
  const { state, issuedBy } = invite
  const ownerId = issuedBy ?? ctx.caller.userId
  const revoked = inviteCodeEvents.revoked(
    { id, ownerId, version: invite.version + 1 },
    { before: { state }, after: { state: 'revoked' } },
  )
  await commit(ctx, {
    changes: [{ statements: revokeInvite(ctx, invite), events: [revoked] }],
    result: undefined,
  })
}

export const issuedByCaller = (ctx: SignedIn): InviteFilter => ({ issuer: ctx.caller.userId })

async function newCode(ctx: Context): Promise<StoredCode & { code: string }> {
  const code = `${CODE_PREFIX}${toBase64Url(ctx.ports.random(CODE_BYTES))}`
  return {
    id: freshId(ctx, 'inv'),
    code,
    codePrefix: codePrefixOf(code),
    codeHash: sha256Text(code),
  }
}

const storedOf = ({ id, codePrefix, codeHash }: StoredCode): StoredCode => ({
  id,
  codePrefix,
  codeHash,
})

function requireExpiry(ctx: Context, expiresAt: number): void {
  if (!isExpiry(expiresAt, ctx.now)) {
    throw inviteErrors.invalidExpiry({ field: 'expiresAt' })
  }
}
