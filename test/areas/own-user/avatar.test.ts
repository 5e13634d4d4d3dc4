import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import {
  deleteAvatar,
  getAvatar,
  setAvatar,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { call, type Principal, rows } from '../../support/api.ts'
import { latin, PDF, PNG } from '../../support/files.ts'
import { type Service, serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'

const put = (
  as: Principal,
  body: BodyInit = PNG,
  headers = {},
  service: Service = serviceWith({}),
) =>
  service.call<{ version: number }>(setAvatar, {
    as,
    raw: { body, contentType: 'application/octet-stream' },
    headers,
  })

const keysOf = async ({ id }: { id: string }) =>
  (
    await rows<{ key: string }>('SELECT object_key AS key FROM user_avatars WHERE user_id = ?', id)
  ).map(({ key }) => key)

it('is set, shown, changed and removed, and no picture before it stays', async () => {
  const me = await newUser()
  expect(refusal(await call(getAvatar, { as: me }))).toEqual([404, 'user.noAvatar'])
  const first = await put(me)
  expect([first.status, tripsOf(first), first.body]).toEqual([
    200,
    2,
    expect.objectContaining({ contentType: 'image/png', size: PNG.byteLength, version: 1 }),
  ])
  const shown = await call(getAvatar, { as: me })
  expect([shown.status, tripsOf(shown), shown.headers.get('Content-Type')]).toEqual([
    200,
    1,
    'image/png',
  ])
  expect(shown.headers.get('Content-Disposition')).toContain('avatar.png')
  const [old = ''] = await keysOf(me)
  const second = await put(me, latin('\xFF\xD8\xFF\xE0'), { 'If-Match': '"1-x"' })
  expect(second.body).toMatchObject({ contentType: 'image/jpeg', version: 2 })
  expect(await env.FILES.head(old)).toBeNull()
  expect(refusal(await put(me, PNG, { 'If-Match': '"1-x"' }))).toEqual([412, 'request.stale'])
  const [key = ''] = await keysOf(me)
  expect((await call(deleteAvatar, { as: me })).status).toBe(200)
  expect([await env.FILES.head(key), await keysOf(me)]).toEqual([null, []])
  expect(refusal(await call(deleteAvatar, { as: me }))).toEqual([404, 'user.noAvatar'])
})

it('is changed and removed by the ETag that shows it, which nothing matches before', async () => {
  const me = await newUser()
  const etag = async () => (await call(getAvatar, { as: me })).headers.get('ETag') ?? ''
  expect(refusal(await put(me, PNG, { 'If-Match': '*' }))).toEqual([412, 'request.stale'])
  await put(me)
  const first = await etag()
  expect(first).toMatch(/^"1-[0-9a-f]{16}"$/)
  expect((await call(getAvatar, { as: me, headers: { 'If-None-Match': first } })).status).toBe(304)
  expect((await put(me, latin('\xFF\xD8\xFF\xE0'), { 'If-Match': first })).status).toBe(200)
  const stale = await call(deleteAvatar, { as: me, headers: { 'If-Match': first } })
  expect(refusal(stale)).toEqual([412, 'request.stale'])
  expect((await call(deleteAvatar, { as: me, headers: { 'If-Match': await etag() } })).status).toBe(
    200,
  )
})

it.each<[string, BodyInit, [number, string]]>([
  ['no picture', PDF, [415, 'user.noPicture']],
  ['nothing', '', [415, 'user.noPicture']],
  [
    'a picture of more than 512 KiB',
    new Blob([PNG, new Uint8Array(524_288)]),
    [413, 'files.tooLarge'],
  ],
])('is refused when it is %s', async (_, body, expected) => {
  const me = await newUser()
  expect(refusal(await put(me, body))).toEqual(expected)
  expect(await keysOf(me)).toEqual([])
})

it('is that of one of two requests at the same time', async () => {
  const me = await newUser()
  const race = () => put(me, PNG, {}, serviceWith({ meanwhile: () => put(me) }))
  expect(refusal(await race())).toEqual([409, 'request.conflict'])
  expect(refusal(await race())).toEqual([409, 'request.conflict'])
  const [key = ''] = await keysOf(me)
  expect(await env.FILES.head(key)).not.toBeNull()
})
