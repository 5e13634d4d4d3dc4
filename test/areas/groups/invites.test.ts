import { describe, expect, it } from 'vitest'
import {
  getGroup,
  removeGroupMember,
  leaveGroup,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import {
  acceptGroupInvite,
  createGroupInvite,
  declineGroupInvite,
  withdrawGroupInvite,
  listGroupInvites,
  listReceivedGroupInvites,
} from '../../../src/areas/sharing/groups/invites/invites.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { confirm } from '../../support/stored.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { codeIn, serviceWithMail } from '../auth/mails.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { codeInto, type Given, newGroup, newHousehold, rolesIn } from './groups.ts'

const accept = (as: Principal, code: string) => call(acceptGroupInvite, { as, json: { code } })

const DAY_MS = 24 * 60 * 60 * 1000
const WRONG = [400, 'groups.invalidInvite', 'code']

/** Invites an address by mail: the invitation's id, and the code that came. */
async function mailTo(by: Principal, id: string, email: string, role: Given = 'member') {
  const service = serviceWithMail()
  const invited = await service.call<{ id: string; code: null }>(createGroupInvite, {
    as: by,
    id,
    json: { email, role },
  })
  expect(invited.status, invited.text).toBe(201)
  const [letter, ...others] = await service.letters()
  expect([letter?.to, others]).toEqual([email, []])
  return { invited, inviteId: invited.body.id, code: codeIn(letter) }
}

/** Fills a group with users of the database alone. */
async function fill(id: string, count: number) {
  for (let at = 0; at < count; at++) {
    const user = `usr_${crypto.randomUUID()}`
    await rows(
      `INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
        VALUES (?1, ?1, ?1, '', 'EUR', 'en', 'UTC', 0, 0)`,
      user,
    )
    await rows("INSERT INTO group_members VALUES (?, ?, 'viewer', 0, 1)", id, user)
  }
}

describe('inviting by a code', () => {
  it('shows the code once, and lets in whoever has it once, as what the invitation says', async () => {
    const [owner, guest, late] = [await newUser(), await newUser(), await newUser()]
    const { id } = await newGroup(owner)
    const invited = await call(createGroupInvite, { as: owner, id, json: { role: 'viewer' } })
    expect([invited.status, tripsOf(invited)]).toEqual([201, 2])
    const { code, ...shown } = invited.body
    expect(shown).toMatchObject({ groupId: id, role: 'viewer', email: null, invitedBy: owner.id })
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(7 * DAY_MS)
    expect(code).toMatch(/^gic_[\w-]{43}$/)
    expect(code?.startsWith(shown.codePrefix)).toBe(true)
    const listed = await call(listGroupInvites, { as: owner, id })
    expect([listed.body, tripsOf(listed)]).toEqual([
      { invites: [shown], count: 1, nextCursor: null },
      1,
    ])
    const joined = await accept(guest, code ?? '')
    expect([joined.status, tripsOf(joined)]).toEqual([200, 2])
    expect(joined.body).toEqual({ groupId: id, groupName: 'Home', role: 'viewer' })
    expect(await ok(getGroup, { as: guest, id })).toMatchObject({ role: 'viewer', memberCount: 2 })
    expect(refusal(await accept(late, code ?? ''))).toEqual(WRONG)
    expect((await ok(listGroupInvites, { as: owner, id })).count).toBe(0)
  })

  it('is for the owner with any role, for administrators below their own', async () => {
    const { id, owner, admin, member, viewer } = await newHousehold()
    const may = async (as: Principal, role: Given) =>
      (await call(createGroupInvite, { as, id, json: { role } })).status
    expect(await may(owner, 'admin')).toBe(201)
    expect([await may(admin, 'member'), await may(admin, 'viewer')]).toEqual([201, 201])
    expect(await may(admin, 'admin')).toBe(403)
    expect([await may(member, 'viewer'), await may(viewer, 'viewer')]).toEqual([403, 403])
    for (const as of [member, viewer]) {
      expect(refusal(await call(listGroupInvites, { as, id }))).toEqual([403, 'groups.roleTooLow'])
    }
    const stranger = await newUser()
    const refused = await call(createGroupInvite, { as: stranger, id, json: {} })
    expect(refusal(refused)).toEqual([404, 'groups.notFound'])
    expect(refusal(await call(listGroupInvites, { as: stranger, id }))).toEqual([
      404,
      'groups.notFound',
    ])
  })

  it('works no more once it has expired, was withdrawn, or whoever invited could not do it', async () => {
    const { id, owner, admin } = await newHousehold()
    const guest = await newUser()
    const expiring = await codeInto(id, owner)
    await rows('UPDATE group_invites SET expires_at = 1 WHERE group_id = ?', id)
    expect(refusal(await accept(guest, expiring))).toEqual(WRONG)

    const { id: inviteId, code } = await ok(createGroupInvite, { as: owner, id, json: {} })
    const withdrawn = await call(withdrawGroupInvite, { as: admin, path: { id, inviteId } })
    expect([withdrawn.status, tripsOf(withdrawn)]).toEqual([200, 2])
    expect(refusal(await accept(guest, code ?? ''))).toEqual(WRONG)
    const again = await call(withdrawGroupInvite, { as: admin, path: { id, inviteId } })
    expect(refusal(again)).toEqual([404, 'groups.inviteNotFound'])

    const byAdmin = await codeInto(id, admin)
    await ok(removeGroupMember, { as: owner, path: { id, userId: admin.id } })
    expect(refusal(await accept(guest, byAdmin))).toEqual(WRONG)
    expect((await ok(listGroupInvites, { as: owner, id })).count).toBe(0)

    const status = (to: string) => rows('UPDATE users SET status = ? WHERE id = ?', to, owner.id)
    const last = await codeInto(id, owner)
    await status('disabled')
    expect(refusal(await accept(guest, last))).toEqual(WRONG)
    await status('active')
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
    expect(refusal(await accept(guest, last))).toEqual(WRONG)
    const refused = await call(createGroupInvite, { as: owner, id, json: {} })
    expect(refusal(refused)).toEqual([409, 'groups.suspended'])
  })

  it.each([
    ['in the past', -1],
    ['too far away', 31 * DAY_MS],
  ])('does not take an end %s', async (_, ahead) => {
    const owner = await newUser()
    const { id } = await newGroup(owner)
    const json = { expiresAt: new Date(Date.now() + ahead).toISOString() }
    const refused = await call(createGroupInvite, { as: owner, id, json })
    expect(refusal(refused)).toEqual([400, 'groups.invalidExpiry', 'expiresAt'])
  })

  it('lets in one of all who use the same code at once', async () => {
    const owner = await newUser()
    const { id } = await newGroup(owner)
    const code = await codeInto(id, owner)
    const guests = await Promise.all([1, 2, 3, 4].map(() => newUser()))
    const answers = await Promise.all(guests.map((as) => accept(as, code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    expect(Object.keys(await rolesIn(id))).toHaveLength(2)
  })

  it('is refused to whoever is in the group, whose code is left for others', async () => {
    const { id, owner, member } = await newHousehold()
    const code = await codeInto(id, owner)
    expect(refusal(await accept(member, code))).toEqual([409, 'groups.alreadyMember'])
    expect((await accept(await newUser(), code)).status).toBe(200)
  })

  it('counts wrong codes as guesses', async () => {
    const [owner, guest] = [await newUser(), await newUser()]
    const { id } = await newGroup(owner)
    const code = await codeInto(id, owner)
    const service = serviceWith({ env: { LOGIN_LIMIT_ACCOUNT: '3' } })
    const guess = (word: string) =>
      service.call(acceptGroupInvite, { as: guest, json: { code: word } })
    const guesses = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(guess))
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([400, 400, 400, 429, 429])
    expect((await guess(code)).status).toBe(429)
    const declined = await service.call(declineGroupInvite, { as: guest, json: { code } })
    expect(declined.status).toBe(429)
  })

  it('counts no valid code as a guess, accepted or declined', async () => {
    const [owner, guest] = [await newUser(), await newUser()]
    const service = serviceWith({ env: { LOGIN_LIMIT_ACCOUNT: '1' } })
    for (const route of [acceptGroupInvite, declineGroupInvite, acceptGroupInvite]) {
      const { id } = await newGroup(owner)
      const code = await codeInto(id, owner)
      expect((await service.call(route, { as: guest, json: { code } })).status).toBeLessThan(300)
    }
  })

  it('is declined by the code, too, and that is no news to the group', async () => {
    const [owner, guest] = [await newUser(), await newUser()]
    const { id } = await newGroup(owner)
    const code = await codeInto(id, owner)
    const declined = await call(declineGroupInvite, { as: guest, json: { code } })
    expect([declined.status, tripsOf(declined)]).toEqual([200, 2])
    expect(refusal(await accept(guest, code))).toEqual(WRONG)
    const told = 'SELECT type AS action FROM log_entries WHERE group_id = ? AND actor_id = ?'
    expect(await rows(told, id, guest.id)).toEqual([])
  })

  it('ends where there are as many members, or open invitations, as there may be', async () => {
    const owner = await newUser()
    const { id } = await newGroup(owner)
    await fill(id, 48)
    const [one, two] = [await codeInto(id, owner), await codeInto(id, owner)]
    const second = await newUser()
    const raced = await serviceWith({ meanwhile: () => accept(second, two) }).call(
      acceptGroupInvite,
      {
        as: await newUser(),
        json: { code: one },
      },
    )
    expect(refusal(raced)).toEqual([409, 'groups.full'])
    expect(refusal(await accept(await newUser(), one))).toEqual([409, 'groups.full'])
    await ok(leaveGroup, { as: second, id })
    expect((await accept(second, one)).status).toBe(200)

    const open = (count: number) =>
      rows(
        `INSERT INTO group_invites (id, group_id, code_hash, code_prefix, role, invited_by, expires_at, created_at, updated_at)
          SELECT 'giv_' || ?1 || value, ?1, ?1 || value, '', 'member', ?2, 9e15, 0, 0
          FROM json_each(?3)`,
        id,
        owner.id,
        JSON.stringify(Array.from({ length: count }, (__, at) => at)),
      )
    const invite = { as: owner, id, json: {} }
    const late = await serviceWith({ meanwhile: () => open(50) }).call(createGroupInvite, invite)
    expect(refusal(late)).toEqual([409, 'groups.tooManyInvites'])
    expect(refusal(await call(createGroupInvite, invite))).toEqual([409, 'groups.tooManyInvites'])
    await rows("UPDATE group_invites SET expires_at = 1 WHERE id = 'giv_' || ? || '7'", id)
    expect((await call(createGroupInvite, invite)).status).toBe(201)
  })
})

describe('inviting by mail', () => {
  it('sends the code to the address, and shows it to nobody', async () => {
    const [owner, guest] = [await newUser(), await newUser()]
    const { id } = await newGroup(owner)
    const { invited, code } = await mailTo(owner, id, guest.email)
    expect(invited.body).toMatchObject({ code: null, email: guest.email, groupId: id })
    expect(invited.text).not.toContain(code)
    expect((await accept(guest, code)).status).toBe(200)
    // Nothing is left that says where it went.
    const [stored] = await rows('SELECT email, email_key FROM group_invites WHERE group_id = ?', id)
    expect(stored).toEqual({ email: null, email_key: null })
    const log =
      'SELECT content AS changes FROM log_entries WHERE group_id = ? AND instr(content, ?) > 0'
    expect(await rows(log, id, guest.email)).toEqual([])
  })

  it('answers and does the same whether somebody has the address or not', async () => {
    const [owner, guest] = [await newUser(), await newUser()]
    const { id } = await newGroup(owner)
    const known = (await mailTo(owner, id, guest.email)).invited
    const unknown = (await mailTo(owner, id, `nobody-${owner.id}@coffer.test`)).invited
    const shape = ({ status, body }: typeof known) => [status, Object.keys(body)]
    expect(shape(known)).toEqual(shape(unknown))
    expect(tripsOf(known)).toBe(tripsOf(unknown))
  })

  it('is shown to whoever has confirmed the address, who joins or declines without the code', async () => {
    const [owner, guest, other] = [await newUser({ name: 'Ada' }), await newUser(), await newUser()]
    const { id } = await newGroup(owner, 'Hut')
    const { inviteId } = await mailTo(owner, id, guest.email.replace('user', 'USER'), 'admin')
    const received = (as: TestUser) => call(listReceivedGroupInvites, { as })
    const byId = (as: TestUser) => call(acceptGroupInvite, { as, json: { inviteId } })
    const waiting = { invites: [], count: 0, nextCursor: null, pendingConfirmation: true }
    expect([await received(guest), await received(other)].map(({ body }) => body)).toEqual([
      waiting,
      waiting,
    ])
    const wrong = [400, 'groups.invalidInvite', 'inviteId']
    expect(refusal(await byId(guest))).toEqual(wrong)
    await confirm(guest)
    await confirm(other)
    expect((await received(other)).body.count).toBe(0)
    expect(refusal(await byId(other))).toEqual(wrong)
    const listed = await received(guest)
    expect([tripsOf(listed), listed.body.pendingConfirmation]).toEqual([1, false])
    expect(listed.body.invites).toEqual([
      expect.objectContaining({ id: inviteId, groupId: id, groupName: 'Hut', inviterName: 'Ada' }),
    ])
    const declined = await call(declineGroupInvite, { as: guest, json: { inviteId } })
    expect(declined.status).toBe(200)
    expect((await received(guest)).body.count).toBe(0)
    expect(refusal(await byId(guest))).toEqual(wrong)
    const { inviteId: second } = await mailTo(owner, id, guest.email)
    expect((await call(acceptGroupInvite, { as: guest, json: { inviteId: second } })).status).toBe(
      200,
    )
    expect((await rolesIn(id))[guest.id]).toBe('member')
  })

  it('is nothing for an address that is the caller’s no more at the moment of joining', async () => {
    const [owner, guest] = [await newUser(), await newUser()]
    const { id } = await newGroup(owner)
    const { inviteId } = await mailTo(owner, id, guest.email)
    await confirm(guest)
    const move = () => rows('UPDATE users SET email_verified_at = NULL WHERE id = ?', guest.id)
    const raced = await serviceWith({ meanwhile: move }).call(acceptGroupInvite, {
      as: guest,
      json: { inviteId },
    })
    expect(refusal(raced)).toEqual([400, 'groups.invalidInvite', 'inviteId'])
    expect(Object.keys(await rolesIn(id))).toEqual([owner.id])
  })

  it('floods no address', async () => {
    const owner = await newUser()
    const { id } = await newGroup(owner)
    const email = `flood-${owner.id}@coffer.test`
    const sent = []
    for (let at = 0; at < 6; at++) {
      sent.push((await call(createGroupInvite, { as: owner, id, json: { email } })).status)
    }
    expect(sent).toEqual([201, 201, 201, 201, 201, 429])
  })
})

it('an access token for some accounts neither sees nor answers invitations', async () => {
  const [owner, guest] = [await newUser(), await newUser()]
  const { id } = await newGroup(owner)
  const code = await codeInto(id, owner)
  const { id: accountId } = await newAccount(guest)
  const as = await giveToken(guest, ['groups.read', 'groups.write'], [accountId])
  const refused = [403, 'groups.tokenIsRestricted']
  expect(refusal(await call(listReceivedGroupInvites, { as }))).toEqual(refused)
  expect(refusal(await accept(as, code))).toEqual(refused)
  const ofOwner = await giveToken(owner, ['groups.write'], [(await newAccount(owner)).id])
  const inviting = await call(createGroupInvite, { as: ofOwner, id, json: {} })
  expect(refusal(inviting)).toEqual([404, 'groups.notFound'])
})

it('an invitation is answered by one of its names', async () => {
  const guest = await newUser()
  for (const json of [{}, { code: 'gic_x', inviteId: 'giv_x' }]) {
    const refused = await call(acceptGroupInvite, { as: guest, json })
    expect(refusal(refused)).toEqual([400, 'request.invalid', 'code'])
  }
})
