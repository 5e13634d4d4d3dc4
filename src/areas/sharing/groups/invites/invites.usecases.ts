import { addressKey } from '../../../../domain/email.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { sha256Text } from '../../../../platform/secrets/crypto.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import {
  clientOf,
  countTry,
  mustHaveTriesLeft,
  type Limit,
  limitOf,
  MOST_MAILS,
  requireTriesLeft,
  triesOf,
} from '../../../../platform/limits.ts'
import { mailTask, requireMail } from '../../../../platform/outbound/mail.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { addressColumns, noAddress } from '../../../identity/addresses/addresses.public.ts'
import { countFailure, freshToken, ofUser } from '../../../identity/auth/auth.public.ts'
import {
  groupMemberEvents,
  type GivenRole,
  insertMember,
  membershipIn,
  mustHaveRoomInGroup,
  neededToGive,
} from '../../../identity/memberships/memberships.public.ts'
import { groupErrors } from '../groups.errors.ts'
import { mustHaveRole } from '../groups.queries.ts'
import {
  requireRole,
  daysUntil,
  isGroupInviteExpiry,
  isFull,
  MAILS_BY,
  MOST_OPEN_INVITES,
  groupCodePrefix,
  usualGroupInviteExpiry,
} from '../groups.rules.ts'
import { requireUnrestrictedForGroups } from '../groups.usecases.ts'
import { groupInviteEvents } from '../groups.events.ts'
import {
  answerInvite,
  countOfGroupInvites,
  countOfReceived,
  insertInvite,
  inviteOf,
  type GroupInviteRow,
  type InviteKey,
  pageOfGroupInvites,
  pageOfReceived,
  receivedBy,
  type ReceivedRow,
  type StoredInvite,
  withdrawInvite,
} from './invites.queries.ts'

/** For those who invite: addresses are in it. */
export async function listGroupInvites(
  ctx: SignedIn,
  groupId: string,
  page: PageRequest,
): Promise<Page<GroupInviteRow>> {
  const [[own], found, [total]] = await read(
    ctx,
    membershipIn(ctx, groupId),
    pageOfGroupInvites(ctx, groupId, page),
    countOfGroupInvites(ctx, groupId),
  )
  requireRole(own, 'admin')
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

interface WantedInvite {
  role: GivenRole
  email?: string | undefined
  expiresAt?: number | undefined
}

/** With the code itself where it is to be handed over; nobody sees it again. */
export type NewInvite = GroupInviteRow & { code: string | null }

/** Does the same whether somebody has the address or not. */
export async function createGroupInvite(
  ctx: SignedIn,
  groupId: string,
  wanted: WantedInvite,
): Promise<NewInvite> {
  const { role, email, expiresAt = usualGroupInviteExpiry(ctx.now) } = wanted
  const limits = email === undefined ? [] : await limitsOfMail(ctx, email)
  const [[own], [open], tries] = await read(
    ctx,
    membershipIn(ctx, groupId),
    countOfGroupInvites(ctx, groupId),
    triesOf(limits),
  )
  requireRole(own, neededToGive(role))
  if (!isGroupInviteExpiry(expiresAt, ctx.now)) {
    throw groupErrors.invalidExpiry({ field: 'expiresAt' })
  }
  if ((open?.count ?? 0) >= MOST_OPEN_INVITES) {
    throw groupErrors.tooManyInvites()
  }
  if (email !== undefined) {
    requireMail(ctx)
  }
  requireTriesLeft(ctx, limits, tries)
  const code = await freshToken(ctx, 'gic')
  const { codeHash, ...shown } = storedInvite(ctx, { groupId, role, email, expiresAt }, code)
  const values = { code: code.text, days: daysUntil(expiresAt, ctx.now) }
  return commit(ctx, {
    changes: [
      withoutEvents(limits.flatMap((limit) => countTry(ctx, limit))),
      {
        statements: [
          mustHaveRole(ctx, groupId, neededToGive(role)),
          ...insertInvite(ctx, { ...shown, codeHash }),
        ],
        events: [
          groupInviteEvents.created(
            { id: shown.id, groupId, version: shown.version },
            { after: { role, expiresAt, byMail: email !== undefined } },
          ),
        ],
      },
    ],
    tasks:
      email === undefined
        ? []
        : [await mailTask(ctx, { to: email, template: 'groupInvite', values })],
    result: { ...shown, code: email === undefined ? code.text : null },
  })
}

const limitsOfMail = async (ctx: SignedIn, email: string): Promise<Limit[]> => [
  await limitOf(ctx, `group invites by ${ctx.caller.userId}`, MAILS_BY),
  await limitOf(ctx, `group invites to ${addressKey(email)}`, MOST_MAILS),
]

const storedInvite = (
  ctx: SignedIn,
  { groupId, role, email, expiresAt }: WantedInvite & { groupId: string; expiresAt: number },
  code: { text: string; hash: string },
): StoredInvite => ({
  id: freshId(ctx, 'giv'),
  groupId,
  codeHash: code.hash,
  codePrefix: groupCodePrefix(code.text),
  role,
  ...(email === undefined ? noAddress : addressColumns(email)),
  invitedBy: ctx.caller.userId,
  expiresAt,
  acceptedBy: null,
  acceptedAt: null,
  declinedAt: null,
  withdrawnAt: null,
  version: 1,
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

export async function withdrawGroupInvite(
  ctx: SignedIn,
  groupId: string,
  id: string,
): Promise<void> {
  const [[own], [found]] = await read(ctx, membershipIn(ctx, groupId), inviteOf(ctx, groupId, id))
  requireRole(own, 'admin')
  if (!found) {
    throw groupErrors.inviteNotFound()
  }
  requireVersion(ctx, found.version)
  await commit(ctx, {
    changes: [
      {
        statements: [mustHaveRole(ctx, groupId, 'admin'), ...withdrawInvite(ctx, found)],
        events: [
          groupInviteEvents.withdrawn(
            { id, groupId, version: found.version + 1 },
            { before: { role: found.role, expiresAt: found.expiresAt } },
          ),
        ],
      },
    ],
    result: undefined,
  })
}

export async function listReceivedGroupInvites(
  ctx: SignedIn,
  page: PageRequest,
): Promise<Page<ReceivedRow>> {
  const [found, [total]] = await read(ctx, pageOfReceived(ctx, page), countOfReceived(ctx))
  requireUnrestrictedForGroups(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

/** The name of an invitation in a request: one of the two. */
export interface SentNaming {
  code?: string | undefined
  inviteId?: string | undefined
}

/** An open invitation that the caller may answer; a wrong code is a try at guessing one. */
async function findToAnswer(ctx: SignedIn, { code, inviteId = '' }: SentNaming) {
  const naming: InviteKey = code === undefined ? { inviteId } : { codeHash: sha256Text(code) }
  const limits = code === undefined ? [] : await limitsOfGuesses(ctx)
  const [[found], tries] = await read(ctx, receivedBy(ctx, naming), triesOf(limits))
  requireUnrestrictedForGroups(ctx)
  requireTriesLeft(ctx, limits, tries)
  const invalid = () =>
    groupErrors.invalidInvite({ field: code === undefined ? 'inviteId' : 'code' })
  if (!found) {
    if (code !== undefined) {
      const { userId } = ctx.caller
      await countFailure(ctx, limits, groupInviteEvents.refused(ofUser(userId)))
    }
    throw invalid()
  }
  const tried = withoutEvents(limits.map((limit) => mustHaveTriesLeft(ctx, limit)))
  return { found, naming, tried, invalid }
}

async function limitsOfGuesses(ctx: SignedIn): Promise<Limit[]> {
  const { loginLimitAccount, loginLimitClient } = ctx.settings
  return [
    await limitOf(ctx, `group invite of ${ctx.caller.userId}`, loginLimitAccount),
    await limitOf(ctx, `group invite client ${clientOf(ctx)}`, loginLimitClient),
  ]
}

export async function acceptGroupInvite(ctx: SignedIn, sent: SentNaming): Promise<ReceivedRow> {
  const { found, naming, tried, invalid } = await findToAnswer(ctx, sent)
  const { userId } = ctx.caller
  const { id, groupId, role } = found
  if (isFull(found)) {
    throw groupErrors.full()
  }
  return commit(ctx, {
    changes: [
      tried,
      {
        statements: [
          ...answerInvite(ctx, naming, { acceptedAt: ctx.now, acceptedBy: userId }, invalid),
          mustHaveRoomInGroup(groupId, groupErrors.full),
          insertMember(ctx, { groupId, userId, role }),
        ],
        events: [
          groupMemberEvents.joined(
            { id: userId, ownerId: userId, groupId, version: 1 },
            { after: { role, inviteId: id } },
          ),
        ],
      },
    ],
    result: found,
    conflicts: { 'group_members.group_id': groupErrors.alreadyMember },
  })
}

/** Not news to the group: it would tell who it is that has the address. */
export async function declineGroupInvite(ctx: SignedIn, sent: SentNaming): Promise<void> {
  const { found, naming, tried, invalid } = await findToAnswer(ctx, sent)
  const { id, groupId, role } = found
  await commit(ctx, {
    changes: [
      tried,
      {
        statements: answerInvite(ctx, naming, { declinedAt: ctx.now }, invalid),
        events: [groupInviteEvents.declined({ id }, { before: { groupId, role } })],
      },
    ],
    result: undefined,
  })
}
