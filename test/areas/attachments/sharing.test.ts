import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  deleteAttachment,
  getAttachment,
  getAttachmentUsage,
  linkAttachment,
  listAttachments,
  restoreAttachment,
  unlinkAttachment,
  updateAttachment,
  listDownloads,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { PNG } from '../../support/files.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { book, refusal } from '../transactions/booking.ts'
import { download, file, type FileBody, unshare, upload } from './filing.ts'

const link = (
  as: Principal,
  { id }: { id: string },
  kind: 'transaction' | 'account',
  target: string,
) => call(linkAttachment, { as, id, json: { kind, id: target } })

const unlink = (as: Principal, { id }: { id: string }, linkId: string) =>
  call(unlinkAttachment, { as, path: { id, linkId } })

const seenBy = async (as: Principal) =>
  (await ok(listAttachments, { as })).attachments.map(({ id }) => id)

const targetsFor = async (as: Principal, { id }: FileBody) =>
  (await ok(getAttachment, { as, id })).links.map((one) => one.id)

const uploaderOnly = [403, 'attachments.uploaderOnly']

async function couple(permission = 'annotate') {
  const [owner, partner] = [await newUser(), await newUser()]
  const [shared, hidden] = [await newAccount(owner), await newAccount(owner)]
  await storeShare(shared.id, { user: partner }, permission)
  return { owner, partner, shared, hidden }
}

describe('files on what is shared', () => {
  it('are seen with it, with those links only that lead to what is seen, and not a request longer', async () => {
    const { owner, partner, shared, hidden } = await couple()
    const [one, other] = [await book(owner, shared), await book(owner, hidden)]
    const mine = await file(owner)
    const alone = await file(owner)
    for (const { id } of [one, other]) {
      expect((await link(owner, mine, 'transaction', id)).status).toBe(201)
    }
    expect(await targetsFor(owner, mine)).toEqual([one.id, other.id])
    expect(await seenBy(owner)).toEqual([alone.id, mine.id])
    expect(await seenBy(partner)).toEqual([mine.id])
    expect(await targetsFor(partner, mine)).toEqual([one.id])
    expect((await download(partner, mine)).status).toBe(200)
    expect((await ok(listAttachments, { as: partner, query: { linkId: other.id } })).count).toBe(0)
    expect((await ok(listAttachments, { as: partner, query: { linkId: one.id } })).count).toBe(1)
    await unshare(shared)
    expect(await seenBy(partner)).toEqual([])
    for (const answer of [
      await call(getAttachment, { as: partner, id: mine.id }),
      await download(partner, mine),
    ]) {
      expect(refusal(answer)).toEqual([404, 'attachments.notFound'])
    }
  })

  it('of others are seen by the owner of the account, also on a transaction', async () => {
    const { owner, partner, shared } = await couple()
    const { id } = await book(owner, shared)
    const theirs = await file(partner, { query: { linkKind: 'transaction', linkId: id } })
    expect(await seenBy(owner)).toEqual([theirs.id])
    expect(await ok(getAttachment, { as: owner, id: theirs.id })).toEqual(theirs)
  })

  it('show their uploader every link, and leave it to them, whatever they see of the account', async () => {
    const { owner, partner, shared, hidden } = await couple()
    const { id } = await book(owner, shared)
    const { id: transfer, to } = await ok(createTransfer, {
      as: owner,
      json: {
        fromAccountId: hidden.id,
        toAccountId: shared.id,
        date: '2026-11-20',
        amount: '5',
      },
    })
    const theirs = await file(partner, { query: { linkKind: 'account', linkId: shared.id } })
    await link(partner, theirs, 'transaction', id)
    await link(partner, theirs, 'transaction', to.id)
    await unshare(shared)
    expect(await targetsFor(partner, theirs)).toEqual([shared.id, id, transfer])
    expect(await seenBy(owner)).toEqual([theirs.id])
    const { links } = await ok(getAttachment, { as: partner, id: theirs.id })
    for (const { linkId } of links) {
      expect((await unlink(partner, theirs, linkId)).status).toBe(200)
      expect(refusal(await unlink(partner, theirs, linkId))).toEqual([
        404,
        'attachments.linkNotFound',
      ])
    }
    expect([await targetsFor(partner, theirs), await seenBy(owner)]).toEqual([[], []])
    const log = await rows<{ account_id: string | null }>(
      "SELECT account_id FROM log_entries WHERE resource_id = ? AND type = 'attachment.unlinked' AND owner_id = ?",
      theirs.id,
      partner.id,
    )
    expect(log.map(({ account_id }) => account_id)).toEqual([null, null, null])
  })

  it('on a private transaction stay with its owner', async () => {
    const { owner, partner, shared } = await couple()
    const { id } = await book(owner, shared, { private: true })
    const mine = await file(owner, { query: { linkKind: 'transaction', linkId: id } })
    expect([await seenBy(owner), await seenBy(partner)]).toEqual([[mine.id], []])
    expect(refusal(await download(partner, mine))).toEqual([404, 'attachments.notFound'])
    const query = { linkKind: 'transaction', linkId: id }
    expect(refusal(await upload(partner, { query }))).toEqual([
      400,
      'attachments.unknownTarget',
      'linkId',
    ])
    const [log] = await rows<{ account_id: string | null }>(
      "SELECT account_id FROM log_entries WHERE resource_id = ? AND type = 'attachment.created'",
      mine.id,
    )
    expect(log?.account_id).toBeNull()
  })

  it('on a transfer are seen on either leg, each by its own', async () => {
    const { owner, partner, shared, hidden } = await couple()
    const json = {
      fromAccountId: hidden.id,
      toAccountId: shared.id,
      date: '2026-11-20',
      amount: '5',
    }
    const { id, from, to } = await ok(createTransfer, { as: owner, json })
    const mine = await file(owner, { query: { linkKind: 'transaction', linkId: to.id } })
    const whole = await file(owner, { query: { linkKind: 'transaction', linkId: id } })
    expect(await targetsFor(owner, mine)).toEqual([from.id])
    expect(await targetsFor(partner, mine)).toEqual([to.id])
    expect(await targetsFor(partner, whole)).toEqual([to.id])
    expect(refusal(await link(owner, mine, 'transaction', from.id))).toEqual([
      409,
      'attachments.alreadyLinked',
      'id',
    ])
  })

  it.each([
    ['view', 403],
    ['annotate', 201],
    ['write', 201],
    ['manage', 201],
  ])('are attached by who has the right to %s: %i', async (permission, status) => {
    const { owner, partner, shared } = await couple(permission)
    const { id } = await book(owner, shared)
    const mine = await file(partner)
    const expected = status === 403 ? [403, 'attachments.targetNotAllowed'] : [201]
    const answers = [
      await link(partner, mine, 'account', shared.id),
      await link(partner, mine, 'transaction', id),
      await upload(partner, { query: { linkKind: 'account', linkId: shared.id } }),
    ]
    expect(
      answers.map(({ status: got, error }) => (got === 201 ? [201] : [got, error.code])),
    ).toEqual(answers.map(() => expected))
  })

  it('are changed by whose they are, and taken off also by who writes there', async () => {
    const { owner, partner, shared } = await couple()
    const writer = await newUser()
    await storeShare(shared.id, { user: writer }, 'write')
    const mine = await file(owner, { query: { linkKind: 'account', linkId: shared.id } })
    const { id } = mine
    const linkId = mine.links[0]?.linkId ?? ''
    const notAllowed = [403, 'attachments.notAllowed']
    expect(refusal(await call(updateAttachment, { as: writer, id, json: {} }))).toEqual(notAllowed)
    expect(refusal(await call(deleteAttachment, { as: writer, id }))).toEqual(notAllowed)
    expect(refusal(await link(writer, mine, 'account', shared.id))).toEqual(uploaderOnly)
    expect(refusal(await unlink(partner, mine, linkId))).toEqual(notAllowed)
    expect((await unlink(writer, mine, linkId)).status).toBe(200)
    expect(refusal(await unlink(owner, mine, linkId))).toEqual([404, 'attachments.linkNotFound'])
    expect([await seenBy(owner), await seenBy(writer)]).toEqual([[id], []])
  })

  it('are not attached to what is not there, in the trash or foreign', async () => {
    const { owner, partner, hidden } = await couple()
    const mine = await file(partner)
    const { id } = await book(owner, hidden)
    for (const [kind, target] of [
      ['account', hidden.id],
      ['account', 'acc_nobody'],
      ['transaction', id],
      ['transaction', 'trf_nobody'],
      ['transaction', hidden.id],
    ] as const) {
      const refused = await link(partner, mine, kind, target)
      expect(refusal(refused)).toEqual([400, 'attachments.unknownTarget', 'id'])
    }
    expect(refusal(await unlink(partner, mine, someId('lnk')))).toEqual([
      404,
      'attachments.linkNotFound',
    ])
  })

  it('are taken off what is erased, and stay themselves', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const { id } = await book(me, account)
    const mine = await file(me, { query: { linkKind: 'transaction', linkId: id } })
    await link(me, mine, 'account', other.id)
    await rows('DELETE FROM entries WHERE transaction_id = ?', id)
    await rows('DELETE FROM transactions WHERE id = ?', id)
    await rows('DELETE FROM account_balances WHERE account_id = ?', other.id)
    await rows('DELETE FROM accounts WHERE id = ?', other.id)
    expect(await rows('SELECT id FROM attachment_links WHERE attachment_id = ?', mine.id)).toEqual(
      [],
    )
    expect(await targetsFor(me, mine)).toEqual([])
  })

  it('are not attached once the right is lost on the way', async () => {
    const { owner, partner, shared } = await couple()
    const mine = await file(partner)
    const json = { kind: 'account', id: shared.id }
    const lost = async (meanwhile: () => Promise<unknown>) =>
      refusal(
        await serviceWith({ meanwhile }).call(linkAttachment, {
          as: partner,
          id: mine.id,
          json,
        }),
      )
    const lower = () => rows("UPDATE shares SET permission = 'view' WHERE owner_id = ?", owner.id)
    expect(await lost(lower)).toEqual([403, 'attachments.targetNotAllowed'])
    await rows("UPDATE shares SET permission = 'annotate' WHERE owner_id = ?", owner.id)
    const end = () => rows('UPDATE shares SET expires_at = 1 WHERE owner_id = ?', owner.id)
    expect(await lost(end)).toEqual([400, 'attachments.unknownTarget', 'id'])
    await rows('UPDATE shares SET expires_at = NULL WHERE owner_id = ?', owner.id)
    const gone = () => rows('UPDATE attachments SET deleted_at = 1 WHERE id = ?', mine.id)
    expect(await lost(gone)).toEqual([404, 'attachments.notFound'])
    expect(await seenBy(owner)).toEqual([])
  })

  it('are not taken off once that is done, or the right is lost, on the way', async () => {
    const { owner, shared } = await couple()
    const writer = await newUser()
    await storeShare(shared.id, { user: writer }, 'write')
    const { id, links } = await file(owner, { query: { linkKind: 'account', linkId: shared.id } })
    const path = { id, linkId: links[0]?.linkId ?? '' }
    const taken = async (as: Principal, meanwhile: () => Promise<unknown>) =>
      refusal(await serviceWith({ meanwhile }).call(unlinkAttachment, { as, path }))
    const lower = () => rows("UPDATE shares SET permission = 'view' WHERE owner_id = ?", owner.id)
    expect(await taken(writer, lower)).toEqual([403, 'attachments.notAllowed'])
    const take = () => ok(unlinkAttachment, { as: owner, path })
    expect(await taken(owner, take)).toEqual([404, 'attachments.linkNotFound'])
  })
})

describe('files of a group', () => {
  async function household() {
    const [owner, admin, member, viewer, stranger] = await Promise.all(
      Array.from({ length: 5 }, () => newUser()),
    )
    if (!owner || !admin || !member || !viewer || !stranger) {
      throw new Error('five')
    }
    const group = {
      id: await storeGroup([
        [owner, 'owner'],
        [admin, 'admin'],
        [member, 'member'],
        [viewer, 'viewer'],
      ]),
    }
    return { owner, admin, member, viewer, stranger, group }
  }

  it('are seen by its members, changed by who uploaded them and who runs it', async () => {
    const { owner, admin, member, viewer, stranger, group } = await household()
    const query = { groupId: group.id }
    const theirs = await file(member, { query })
    expect(refusal(await upload(viewer, { query }))).toEqual([403, 'attachments.groupNotAllowed'])
    expect(refusal(await upload(stranger, { query }))).toEqual([
      400,
      'attachments.unknownGroup',
      'groupId',
    ])
    for (const as of [owner, admin, member, viewer]) {
      expect(await seenBy(as)).toEqual([theirs.id])
      expect(await ok(getAttachment, { as, id: theirs.id })).toMatchObject({ groupId: group.id })
    }
    expect(await seenBy(stranger)).toEqual([])
    const title = (as: Principal) =>
      call(updateAttachment, { as, id: theirs.id, json: { title: 'x' } })
    expect((await title(admin)).status).toBe(200)
    expect(refusal(await title(viewer))).toEqual([403, 'attachments.notAllowed'])
    const demote = () =>
      rows("UPDATE group_members SET role = 'member' WHERE user_id = ?", admin.id)
    const demoted = await serviceWith({ meanwhile: demote }).call(deleteAttachment, {
      as: admin,
      id: theirs.id,
    })
    expect(refusal(demoted)).toEqual([403, 'attachments.notAllowed'])
    expect(refusal(await title(stranger))).toEqual([404, 'attachments.notFound'])
    const [log] = await rows<{ group_id: string; owner_id: string }>(
      "SELECT group_id, owner_id FROM log_entries WHERE resource_id = ? AND type = 'attachment.updated'",
      theirs.id,
    )
    expect(log).toEqual({ group_id: group.id, owner_id: member.id })
  })

  it('are attached by the uploader alone, so who is removed from the group keeps none', async () => {
    const { owner, admin, member, group } = await household()
    const theirs = await file(member, { query: { groupId: group.id } })
    const [own, booked] = [await newAccount(admin), await newAccount(owner)]
    const { id } = await book(owner, booked)
    expect(refusal(await link(admin, theirs, 'account', own.id))).toEqual(uploaderOnly)
    expect(refusal(await link(owner, theirs, 'transaction', id))).toEqual(uploaderOnly)
    await rows('DELETE FROM group_members WHERE user_id = ?', admin.id)
    for (const answer of [
      await call(getAttachment, { as: admin, id: theirs.id }),
      await download(admin, theirs),
    ]) {
      expect(refusal(answer)).toEqual([404, 'attachments.notFound'])
    }
    expect(await targetsFor(member, theirs)).toEqual([])
  })

  it('are hidden from who left, and from all while it is suspended; who uploaded keeps them', async () => {
    const { admin, member, group } = await household()
    const theirs = await file(member, { query: { groupId: group.id } })
    await rows('DELETE FROM group_members WHERE user_id = ?', admin.id)
    expect(refusal(await download(admin, theirs))).toEqual([404, 'attachments.notFound'])
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', group.id)
    expect(await ok(getAttachment, { as: member, id: theirs.id })).toMatchObject({ groupId: null })
    expect(refusal(await upload(member, { query: { groupId: group.id } }))).toEqual([
      400,
      'attachments.unknownGroup',
      'groupId',
    ])
  })
})

describe('a personal access token for some accounts', () => {
  it('sees and uploads files on these only', async () => {
    const me = await newUser()
    const [mine, other] = [await newAccount(me), await newAccount(me)]
    const on = (account: { id: string }) => ({ query: { linkKind: 'account', linkId: account.id } })
    const [alone, here, there] = [
      await file(me),
      await file(me, on(mine)),
      await file(me, on(other)),
    ]
    const group = { id: await storeGroup([[me, 'owner']]) }
    const json = {
      name: 'x',
      scopes: ['attachments.read' as const, 'attachments.write' as const],
      accountIds: [mine.id],
    }
    const { token } = await ok(createAccessToken, { as: me, json })
    const as = { accessToken: token }
    await link(me, here, 'account', other.id)
    expect(await seenBy(as)).toEqual([here.id])
    expect(await targetsFor(as, here)).toEqual([mine.id])
    for (const { id } of [alone, there]) {
      expect(refusal(await download(as, { id }))).toEqual([404, 'attachments.notFound'])
      expect(refusal(await call(deleteAttachment, { as, id }))).toEqual([
        404,
        'attachments.notFound',
      ])
    }
    const refused = [403, 'attachments.tokenIsRestricted']
    expect(refusal(await upload(as))).toEqual(refused)
    expect(refusal(await call(getAttachmentUsage, { as }))).toEqual(refused)
    expect(refusal(await call(listDownloads, { as }))).toEqual(refused)
    expect(refusal(await upload(as, { query: { groupId: group.id } }))).toEqual([
      400,
      'attachments.unknownGroup',
      'groupId',
    ])
    expect(refusal(await upload(as, on(other)))).toEqual([
      400,
      'attachments.unknownTarget',
      'linkId',
    ])
    expect((await upload(as, on(mine))).status).toBe(201)
  })
})

describe('the list of files', () => {
  it('is asked for by type, words and group, and cut into pages', async () => {
    const me = await newUser()
    const group = { id: await storeGroup([[me, 'owner']]) }
    const bill = await file(me, { query: { fileName: 'Bill.pdf', note: 'of October' } })
    const picture = await file(me, { bytes: PNG, query: { fileName: '50%_off.png' } })
    const common = await file(me, { query: { title: 'Rent', groupId: group.id } })
    const found = async (query: Record<string, string>) =>
      (await ok(listAttachments, { as: me, query })).attachments.map(({ id }) => id)
    expect(await found({ type: 'image' })).toEqual([picture.id])
    expect(await found({ type: 'image/png' })).toEqual([picture.id])
    expect(await found({ type: 'imag' })).toEqual([])
    expect(await found({ text: 'bill' })).toEqual([common.id, bill.id])
    expect(await found({ text: 'OCTOBER', type: 'application/pdf' })).toEqual([bill.id])
    expect(await found({ text: '%_o' })).toEqual([picture.id])
    expect(await found({ groupId: group.id })).toEqual([common.id])
    const first = await ok(listAttachments, { as: me, query: { limit: 2 } })
    const query = { limit: 2, cursor: first.nextCursor ?? '' }
    const second = await ok(listAttachments, { as: me, query })
    const ids = [...first.attachments, ...second.attachments].map(({ id }) => id)
    expect([ids, first.count, second.nextCursor]).toEqual([
      [common.id, picture.id, bill.id],
      3,
      null,
    ])
  })
})

describe('a file', () => {
  it('is changed and deleted once it is known as it is', async () => {
    const me = await newUser()
    const { id } = await file(me)
    const json = { fileName: 'x/new.pdf', title: 'T', note: null }
    const changed = await ok(updateAttachment, { as: me, id, json })
    expect(changed).toMatchObject({ fileName: 'new.pdf', title: 'T', note: null, version: 2 })
    expect(await ok(getAttachment, { as: me, id })).toEqual(changed)
    const headers = { 'If-Match': '"1-x"' }
    const stale = [412, 'request.stale']
    expect(refusal(await call(updateAttachment, { as: me, id, json, headers }))).toEqual(stale)
    expect(refusal(await call(deleteAttachment, { as: me, id, headers }))).toEqual(stale)
    const raced = serviceWith({ meanwhile: () => ok(updateAttachment, { as: me, id, json: {} }) })
    expect(refusal(await raced.call(deleteAttachment, { as: me, id }))).toEqual([
      409,
      'request.conflict',
    ])
    await ok(deleteAttachment, { as: me, id })
    for (const answer of [
      await call(getAttachment, { as: me, id }),
      await call(updateAttachment, { as: me, id, json }),
      await call(deleteAttachment, { as: me, id }),
    ]) {
      expect(refusal(answer)).toEqual([404, 'attachments.notFound'])
    }
    expect(await seenBy(me)).toEqual([])
  })
})

describe('a deleted file', () => {
  it('is listed in the trash of who uploaded it, and comes back with what it is attached to', async () => {
    const { owner, partner, shared } = await couple()
    const bill = await file(owner, { query: { linkKind: 'account', linkId: shared.id } })
    await ok(deleteAttachment, { as: owner, id: bill.id })
    const trashOf = async (as: Principal) =>
      (await ok(listAttachments, { as, query: { deleted: 'true' } })).attachments.map(
        ({ id }) => id,
      )
    expect([await trashOf(owner), await trashOf(partner)]).toEqual([[bill.id], []])
    const restore = (as: Principal) => call(restoreAttachment, { as, id: bill.id })
    expect((await restore(partner)).status).toBe(404)
    expect((await restore(owner)).status).toBe(200)
    expect((await restore(owner)).status).toBe(404)
    expect([await seenBy(partner), await trashOf(owner)]).toEqual([[bill.id], []])
    expect((await download(partner, bill)).status).toBe(200)
  })
})
