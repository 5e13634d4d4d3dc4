import { createHash } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  createAttachment,
  getAttachment,
  getAttachmentUsage,
  listAttachments,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { latin, PDF, PNG } from '../../support/files.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'
import { download, file, newClass, objectOf, unshare, upload } from './filing.ts'

const objectsUnder = async (prefix: string) => (await env.FILES.list({ prefix })).objects.length
const rowsOf = ({ id }: TestUser) => rows('SELECT id FROM attachments WHERE owner_id = ?', id)

/** A user whose group's files go to a class of these limits. */
async function limited(wanted: Record<string, unknown> = {}) {
  const me = await newUser()
  const shelf = await newClass(wanted)
  const group = { id: await storeGroup([[me, 'owner']], shelf.id) }
  return { me, shelf, group, query: { groupId: group.id } }
}

describe('an upload', () => {
  it('is stored, told by its bytes, and shown', async () => {
    const me = await newUser()
    const sent = await upload(me, {
      bytes: PNG,
      query: { fileName: 'C:\\photos\\Küche "1".pdf', title: ' Oven ', note: 'a\nb' },
    })
    expect([sent.status, tripsOf(sent)]).toEqual([201, 2])
    expect(sent.body).toEqual({
      id: expect.stringMatching(/^att_/),
      fileName: 'Küche "1".pdf',
      contentType: 'image/png',
      size: PNG.byteLength,
      sha256: createHash('sha256').update(PNG).digest('hex'),
      title: 'Oven',
      note: 'a\nb',
      ownerId: me.id,
      groupId: null,
      storageClassId: 'stc_standard',
      links: [],
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const found = await call(getAttachment, { as: me, id: sent.body.id })
    expect([found.body, tripsOf(found)]).toEqual([sent.body, 1])
    expect((await download(me, sent.body)).status).toBe(200)
    expect(await objectOf(sent.body)).toMatchObject({ size: PNG.byteLength })
    const [log] = await rows<{ changes: string; owner_id: string }>(
      "SELECT content AS changes, owner_id FROM log_entries WHERE resource_id = ? AND type = 'attachment.created'",
      sent.body.id,
    )
    expect(log?.owner_id).toBe(me.id)
    expect(JSON.parse(log?.changes ?? '')).toMatchObject({ after: { fileName: 'Küche "1".pdf' } })
  })

  it('is attached to a transaction, a leg of a transfer or an account at once', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await book(me, account)
    const query = { linkKind: 'transaction', linkId: id }
    const sent = await file(me, { query })
    expect(sent.links).toEqual([
      { linkId: expect.stringMatching(/^lnk_/), kind: 'transaction', id },
    ])
    expect(await ok(getAttachment, { as: me, id: sent.id })).toEqual(sent)
    const onAccount = await file(me, { query: { linkKind: 'account', linkId: account.id } })
    expect(await ok(getAttachment, { as: me, id: onAccount.id })).toEqual(onAccount)
    const listed = await ok(listAttachments, { as: me, query: { linkId: id } })
    expect(listed).toEqual({ attachments: [sent], count: 1, nextCursor: null })
  })

  it('without a length is counted on the way', async () => {
    const me = await newUser()
    const body = new Blob([PDF]).stream()
    expect((await file(me, { bytes: body })).size).toBe(PDF.byteLength)
  })

  it('of the same file at the same time is two files', async () => {
    const me = await newUser()
    const [one, other] = await Promise.all([upload(me), upload(me)])
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.body.sha256).toBe(other.body.sha256)
    expect(one.body.id).not.toBe(other.body.id)
    expect((await ok(listAttachments, { as: me })).count).toBe(2)
  })

  it.each<[string, object, [number, string, string?]]>([
    ['an empty file', { bytes: '' }, [400, 'attachments.empty']],
    ['a type that is not taken', { bytes: PNG }, [415, 'attachments.typeNotAllowed']],
    [
      'what only calls itself a PDF',
      { bytes: latin('MZ\x90\0') },
      [415, 'attachments.typeNotAllowed'],
    ],
    ['more than its class takes', { bytes: `%PDF-${'x'.repeat(96)}` }, [413, 'files.tooLarge']],
    [
      'more than its class takes, without a length',
      { bytes: new Blob([`%PDF-${'x'.repeat(96)}`]).stream() },
      [413, 'files.tooLarge'],
    ],
    [
      'less than it says',
      { bytes: new Blob(['%PDF-']).stream(), headers: { 'Content-Length': '50' } },
      [400, 'files.truncated'],
    ],
    [
      'more than it says',
      { bytes: new Blob(['%PDF-1.7']).stream(), headers: { 'Content-Length': '5' } },
      [400, 'files.truncated'],
    ],
  ])('leaves nothing behind of %s', async (_, filing, expected) => {
    const { me, shelf, query } = await limited({ max_object_bytes: 100 })
    expect(refusal(await upload(me, { ...filing, query }))).toEqual(expected)
    expect([await objectsUnder(shelf.prefix), await rowsOf(me)]).toEqual([0, []])
  })

  it.each([
    ['no name', { fileName: '' }, 'fileName'],
    ['a name of dots', { fileName: '..' }, 'fileName'],
    ['a folder', { fileName: 'bills/' }, 'fileName'],
    ['a name with a line end', { fileName: 'a\r\nb' }, 'fileName'],
    ['a name with NUL', { fileName: 'a\0b' }, 'fileName'],
    ['a name that turns around', { fileName: 'a\u202Efdp.exe' }, 'fileName'],
    ['a name that is too long', { fileName: 'x'.repeat(256) }, 'fileName'],
    ['a title with NUL', { title: 'a\0' }, 'title'],
    ['an unknown field', { tags: 'x' }, 'tags'],
    ['half a link', { linkKind: 'account' }, 'linkId'],
    ['the other half', { linkId: 'acc_x' }, 'linkId'],
    ['a link to something else', { linkKind: 'tag', linkId: 'tag_x' }, 'linkKind'],
  ])('is refused with %s', async (_, query, field) => {
    const refused = await upload(await newUser(), { query })
    expect(refusal(refused)).toEqual([400, 'request.invalid', field])
  })
})

describe('the room for files', () => {
  it('ends with the quota, however many are uploaded at once', async () => {
    const { me, group, shelf, query } = await limited({ quota_bytes: 3 * PDF.byteLength })
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(me, { query })))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map((one) => refusal(one).join(' '))).toEqual(
      Array(3).fill('409 attachments.quota'),
    )
    expect([await objectsUnder(shelf.prefix), (await rowsOf(me)).length]).toEqual([3, 3])
    expect(await ok(getAttachmentUsage, { as: me })).toEqual({
      usage: [
        {
          storageClassId: shelf.id,
          name: shelf.id,
          groupId: group.id,
          bytes: 3 * PDF.byteLength,
          objects: 3,
          quotaBytes: 3 * PDF.byteLength,
        },
      ],
    })
    expect((await upload(me)).status).toBe(201)
  })

  it('is not multiplied by groups that hand their files back', async () => {
    const { me, shelf, query } = await limited({ quota_bytes: PDF.byteLength })
    expect((await upload(me, { query })).status).toBe(201)
    await rows('UPDATE attachments SET group_id = NULL WHERE owner_id = ?', me.id)
    expect((await upload(me, { query })).status).toBe(201)
    await rows('UPDATE attachments SET group_id = NULL WHERE owner_id = ?', me.id)
    expect(refusal(await upload(me, { query }))).toEqual([409, 'attachments.quota'])
    expect(await objectsUnder(shelf.prefix)).toBe(2)
  })

  it('is that of the group, and its class takes what others do not', async () => {
    const { me, shelf, query } = await limited({ allowed_types: '["image/png"]' })
    expect(refusal(await upload(me, { query }))).toEqual([415, 'attachments.typeNotAllowed'])
    const picture = await file(me, { bytes: PNG, query })
    expect(picture).toMatchObject({ storageClassId: shelf.id, groupId: query.groupId })
    expect(await objectsUnder(shelf.prefix)).toBe(1)
  })

  it('is in the class of the group that an account is shared with, and the own one there', async () => {
    const { me, shelf, group } = await limited()
    const account = await newAccount(me)
    await storeShare(account.id, { groupId: group.id })
    const query = { linkKind: 'transaction', linkId: (await book(me, account)).id }
    expect(await file(me, { query })).toMatchObject({ storageClassId: shelf.id, groupId: null })
    await unshare(account)
    expect(await file(me, { query })).toMatchObject({ storageClassId: 'stc_standard' })
  })
})

describe('an upload with an Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'once' }

  it('is stored once, and answered alike', async () => {
    const { me, shelf, query } = await limited({ quota_bytes: PDF.byteLength })
    const first = await upload(me, { headers, query })
    const again = await upload(me, { headers, query })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect([await objectsUnder(shelf.prefix), (await rowsOf(me)).length]).toEqual([1, 1])
    expect((await download(me, first.body)).status).toBe(200)
  })

  it('is another one with other bytes or another name', async () => {
    const { me, shelf, query } = await limited()
    await file(me, { headers, query })
    const expected = [409, 'idempotency.mismatch']
    expect(refusal(await upload(me, { headers, query, bytes: '%PDF-2.0' }))).toEqual(expected)
    const renamed = await upload(me, { headers, query: { ...query, fileName: 'x.pdf' } })
    expect(refusal(renamed)).toEqual(expected)
    expect(await objectsUnder(shelf.prefix)).toBe(1)
  })

  it('keeps the object of a row whose commit was answered by nobody', async () => {
    const { me, shelf, query } = await limited()
    const service = serviceWith({
      aroundTrips: async (trip, run) => {
        const results = await run()
        if (trip === 2) {
          throw new Error('D1_ERROR: Network connection lost')
        }
        return results
      },
    })
    const sent = await upload(me, { headers, query, service })
    expect([sent.status, await objectsUnder(shelf.prefix)]).toEqual([201, 1])
    expect((await download(me, sent.body)).status).toBe(200)
  })

  it('is stored once of two at the same time', async () => {
    const { me, shelf, query } = await limited()
    const answers = await Promise.all([
      upload(me, { headers, query }),
      upload(me, { headers, query }),
    ])
    const [one, other] = answers
    expect([one?.status, other?.status, other?.body]).toEqual([201, 201, one?.body])
    expect(await objectsUnder(shelf.prefix)).toBe(1)
  })
})

describe('between looking and storing', () => {
  it.each<[string, number, string, string?]>([
    ['DELETE FROM group_members WHERE group_id = ?', 400, 'unknownGroup', 'groupId'],
    ['UPDATE groups SET suspended_at = 1 WHERE id = ?', 400, 'unknownGroup', 'groupId'],
    ["UPDATE group_members SET role = 'viewer' WHERE group_id = ?", 403, 'groupNotAllowed'],
  ])('the place in the group may be lost: %s', async (sql, status, reason, ...field) => {
    const { me, shelf, group, query } = await limited()
    const service = serviceWith({ meanwhile: () => rows(sql, group.id) })
    const refused = await upload(me, { query, service })
    expect(refusal(refused)).toEqual([status, `attachments.${reason}`, ...field])
    expect(await objectsUnder(shelf.prefix)).toBe(0)
  })

  it('the account may be unshared', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const account = await newAccount(other)
    await storeShare(account.id, { user: me }, 'annotate')
    const query = { linkKind: 'account', linkId: account.id }
    const service = serviceWith({ meanwhile: () => unshare(account) })
    expect(refusal(await upload(me, { query, service }))).toEqual([
      400,
      'attachments.unknownTarget',
      'linkId',
    ])
    expect(await rowsOf(me)).toEqual([])
  })

  it('an object stays where nobody knows whether its row was stored', async () => {
    const { me, shelf, query } = await limited()
    const service = serviceWith({
      aroundTrips: async (trip, run) => {
        const results = await run()
        if (trip === 2) {
          throw new Error('D1_ERROR: Network connection lost')
        }
        return results
      },
    })
    expect((await upload(me, { query, service })).status).toBe(503)
    const [kept] = (await rowsOf(me)) as { id: string }[]
    expect(await objectsUnder(shelf.prefix)).toBe(1)
    expect((await download(me, kept ?? { id: '' })).status).toBe(200)
  })

  it('the bucket may fail, and nothing is stored', async () => {
    const me = await newUser()
    const fails = () => Promise.reject(new Error('10001'))
    const bucket = { put: fails, delete: fails } as unknown as R2Bucket
    const service = serviceWith({ env: { FILES: bucket } })
    expect(refusal(await upload(me, { service }))).toEqual([503, 'service.unavailable'])
    expect(await rowsOf(me)).toEqual([])
  })
})

it('is declared as bytes', () => {
  expect(createAttachment.request.body.content['application/octet-stream']).toBeDefined()
})
