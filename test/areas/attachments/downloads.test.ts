import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  deleteAttachment,
  updateAttachment,
  downloadAttachment,
  followDownloadLink,
  listDownloads,
  createDownloadLink,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import { logout } from '../../../src/areas/identity/auth/auth.routes.ts'
import { call, fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { download, file, unshare } from './filing.ts'

const TEXT = '%PDF-1.7 0123456789'

const logged = (id: string) =>
  rows<{ actor_id: string; owner_id: string; facts: string }>(
    "SELECT actor_id, owner_id, facts FROM log_entries WHERE type = 'file.downloaded' AND resource_id = ?",
    id,
  )

async function linkTo(as: Principal, { id }: { id: string }, minutes?: number) {
  const json = minutes === undefined ? {} : { minutes }
  return ok(createDownloadLink, { as, id, json })
}

const follow = (url: string, headers = {}) =>
  call(followDownloadLink, { path: { token: url.replace('/download/', '') }, headers })

describe('a download', () => {
  it.each([
    ['note.txt', 'Zoë', 'text/plain; charset=utf-8'],
    ['table.csv', 'name,age\nZoë,7\n', 'text/csv; charset=utf-8'],
    ['page.xml', '<?xml version="1.0"?><a>Zoë</a>', 'application/xml; charset=utf-8'],
    ['data.json', '{"name":"Zoë"}', 'application/json'],
    ['bill.pdf', TEXT, 'application/pdf'],
  ])('of %s says what it is and, of a text, how it is encoded', async (fileName, bytes, type) => {
    const me = await newUser()
    const got = await download(me, await file(me, { bytes, query: { fileName } }))
    expect([got.status, got.text, got.headers.get('Content-Type')]).toEqual([200, bytes, type])
  })

  it('is the file, under a name that breaks nothing, and stands in the log', async () => {
    const me = await newUser()
    const mine = await file(me, { bytes: TEXT, query: { fileName: 'a"; filename=b.exe' } })
    const got = await download(me, mine)
    expect([got.status, got.text, tripsOf(got)]).toEqual([200, TEXT, 2])
    const headers = Object.fromEntries(got.headers)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(TEXT.length),
      'content-disposition': `attachment; filename="a__ filename_b.exe"; filename*=UTF-8''a%22%3B%20filename%3Db.exe`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      etag: `"${String(mine['sha256'])}"`,
    })
    expect(await logged(mine.id)).toEqual([
      { actor_id: me.id, owner_id: me.id, facts: '{"kind":"attachment","bytes":19}' },
    ])
  })

  it.each([
    ['bytes=9-', '0123456789', 'bytes 9-18/19'],
    ['bytes=0-3', '%PDF', 'bytes 0-3/19'],
    ['bytes=-2', '89', 'bytes 17-18/19'],
  ])('of %s is that part', async (range, text, contentRange) => {
    const me = await newUser()
    const mine = await file(me, { bytes: TEXT })
    const got = await download(me, mine, { Range: range })
    expect([got.status, got.text, got.headers.get('Content-Range')]).toEqual([
      206,
      text,
      contentRange,
    ])
    expect(got.headers.get('Content-Length')).toBe(String(text.length))
    const [log] = await logged(mine.id)
    expect(JSON.parse(log?.facts ?? '')).toEqual({ kind: 'attachment', bytes: text.length })
  })

  it('of a range that is not there, or of several, is refused and not logged', async () => {
    const me = await newUser()
    const mine = await file(me, { bytes: TEXT })
    for (const range of ['bytes=19-', 'bytes=0-1,3-4']) {
      const got = await download(me, mine, { Range: range })
      expect(refusal(got)).toEqual([416, 'request.range', 'Range'])
      expect(got.headers.get('Content-Range')).toBe('bytes */19')
    }
    expect(await logged(mine.id)).toEqual([])
  })

  it('goes on where it stopped while the file is the same', async () => {
    const me = await newUser()
    const mine = await file(me, { bytes: TEXT })
    const etag = `"${String(mine['sha256'])}"`
    const Range = 'bytes=9-'
    expect((await download(me, mine, { Range, 'If-Range': etag })).status).toBe(206)
    for (const other of ['"other"', `W/${etag}`, 'Sat, 21 Nov 2026 10:00:00 GMT']) {
      expect((await download(me, mine, { Range, 'If-Range': other })).status).toBe(200)
    }
    const known = await download(me, mine, { 'If-None-Match': etag })
    expect([known.status, known.text]).toEqual([304, ''])
    expect(await logged(mine.id)).toHaveLength(4)
  })

  it('is asked about without one', async () => {
    const me = await newUser()
    const mine = await file(me, { bytes: TEXT })
    const response = await fetchRaw(`/attachment/${mine.id}/download`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${me.accessToken}` },
    })
    expect([response.status, response.headers.get('Content-Length')]).toEqual([200, '19'])
    expect(await logged(mine.id)).toEqual([])
  })

  it('of a file of somebody else, or of a deleted one, is none', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const [mine, theirs] = [await file(me), await file(other)]
    await ok(deleteAttachment, { as: me, id: mine.id })
    for (const { id } of [mine, theirs]) {
      expect(refusal(await download(me, { id }))).toEqual([404, 'attachments.notFound'])
      const link = await call(createDownloadLink, { as: me, id, json: {} })
      expect(refusal(link)).toEqual([404, 'attachments.notFound'])
      expect(await logged(id)).toEqual([])
    }
  })

  it('of what the bucket cannot give is not logged', async () => {
    const me = await newUser()
    const mine = await file(me)
    const get = () => Promise.reject(new Error('10001'))
    const busy = serviceWith({ env: { FILES: { get } as unknown as R2Bucket } })
    expect(refusal(await busy.call(downloadAttachment, { as: me, id: mine.id }))).toEqual([
      503,
      'service.unavailable',
    ])
    await env.FILES.delete(
      (
        await rows<{ object_key: string }>(
          'SELECT object_key FROM attachments WHERE id = ?',
          mine.id,
        )
      )[0]?.object_key ?? '',
    )
    expect(refusal(await download(me, mine))).toEqual([404, 'attachments.notFound'])
    expect(await logged(mine.id)).toEqual([])
  })

  it('stands in the own history, with the name while the file is seen', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const account = await newAccount(other)
    await storeShare(account.id, { user: me })
    const mine = await file(me, { bytes: TEXT })
    const theirs = await file(other, { query: { linkKind: 'account', linkId: account.id } })
    await download(me, mine, { Range: 'bytes=0-0' })
    await download(me, theirs)
    await download(other, theirs)
    const expected = [
      {
        resourceId: theirs.id,
        fileName: 'bill.pdf',
        kind: 'attachment',
        bytes: theirs['size'],
        at: expect.any(String),
      },
      {
        resourceId: mine.id,
        fileName: 'new.pdf',
        kind: 'attachment',
        bytes: 1,
        at: expect.any(String),
      },
    ]
    await ok(updateAttachment, { as: me, id: mine.id, json: { fileName: 'new.pdf' } })
    const all = await call(listDownloads, { as: me })
    expect([all.body, tripsOf(all)]).toEqual([
      { downloads: expected, count: 2, nextCursor: null },
      1,
    ])
    await unshare(account)
    const first = await ok(listDownloads, { as: me, query: { limit: 1 } })
    expect(first.downloads).toEqual([{ ...expected[0], fileName: null }])
    const query = { limit: 1, cursor: first.nextCursor ?? '' }
    expect((await ok(listDownloads, { as: me, query })).downloads).toEqual([expected[1]])
  })
})

describe('a signed link', () => {
  it('gives the file to whoever has it, and the log tells who made it', async () => {
    const me = await newUser()
    const mine = await file(me, { bytes: TEXT })
    const { url, expiresAt } = await linkTo(me, mine, 5)
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(290_000)
    const got = await follow(url, { Range: 'bytes=9-' })
    expect([got.status, got.text, tripsOf(got)]).toEqual([206, '0123456789', 2])
    expect(await logged(mine.id)).toEqual([
      { actor_id: me.id, owner_id: me.id, facts: '{"kind":"attachment","bytes":10}' },
    ])
  })

  it('ends with its time', async () => {
    const me = await newUser()
    const { url } = await linkTo(me, await file(me), 1)
    const path = { token: url.replace('/download/', '') }
    const inTime = serviceWith({ ahead: 55_000 })
    expect((await inTime.call(followDownloadLink, { path })).status).toBe(200)
    const late = serviceWith({ ahead: 61_000 })
    expect(refusal(await late.call(followDownloadLink, { path }))).toEqual([
      404,
      'attachments.linkInvalid',
    ])
  })

  it.each<
    [string, (as: Principal & { id: string }, id: string, accountId: string) => Promise<unknown>]
  >([
    [
      'the file is deleted',
      (as, id) => rows('UPDATE attachments SET deleted_at = 1 WHERE id = ?', id),
    ],
    ['the account is unshared', (_as, _id, accountId) => unshare({ id: accountId })],
    ['its maker signs out', (as) => ok(logout, { as })],
    [
      'its maker is disabled',
      ({ id }) => rows("UPDATE users SET status = 'disabled' WHERE id = ?", id),
    ],
    [
      'its maker may not see files',
      ({ id }) => rows('DELETE FROM user_roles WHERE user_id = ?', id),
    ],
  ])('ends at once when %s', async (_, end) => {
    const [owner, me] = [await newUser(), await newUser()]
    const account = await newAccount(owner)
    await storeShare(account.id, { user: me })
    const theirs = await file(owner, { query: { linkKind: 'account', linkId: account.id } })
    const { url } = await linkTo(me, theirs)
    expect((await follow(url)).status).toBe(200)
    await end(me, theirs.id, account.id)
    expect(refusal(await follow(url))).toEqual([404, 'attachments.linkInvalid'])
  })

  it('of a personal access token ends with the token', async () => {
    const me = await newUser()
    const mine = await file(me)
    const { token, id } = await ok(createAccessToken, {
      as: me,
      json: { name: 'x', scopes: ['read'] },
    })
    const { url } = await linkTo({ accessToken: token }, mine)
    expect((await follow(url)).status).toBe(200)
    await rows('DELETE FROM personal_access_tokens WHERE id = ?', id)
    expect(refusal(await follow(url))).toEqual([404, 'attachments.linkInvalid'])
  })

  it('cannot be made up, or changed into another', async () => {
    const me = await newUser()
    const mine = await file(me)
    const [one, other] = [await linkTo(me, mine), await linkTo(me, await file(me))]
    const [payload = '', signature = ''] = one.url.split('.')
    for (const url of [
      `${payload}.${other.url.split('.')[1]}`,
      `${payload}.`,
      payload,
      `${payload.slice(0, -1)}.${signature}`,
      `.${signature}`,
      'x',
      'x.y.z',
      encodeURIComponent('😀'),
    ]) {
      expect(refusal(await follow(url))).toEqual([404, 'attachments.linkInvalid'])
    }
    const long = await call(createDownloadLink, { as: me, id: mine.id, json: { minutes: 61 } })
    expect(refusal(long)).toEqual([400, 'request.invalid', 'minutes'])
  })
})
