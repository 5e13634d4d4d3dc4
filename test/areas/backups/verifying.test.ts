import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { verifyBackup } from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { newHousehold, newTraveller } from '../exports/exports.fixtures.ts'
import { contentsOf, download, make } from './archives.ts'
import { bytes, packed, text, withManifest } from './packing.ts'
import { deflated } from '../../support/archives.ts'

const verify = (as: Principal, archive: Uint8Array, contentType = 'application/octet-stream') =>
  call(verifyBackup, { as, raw: { body: archive as Uint8Array<ArrayBuffer>, contentType } })

const keys = async () => (await env.FILES.list({ prefix: 'archives/' })).objects.length

describe('an archive of a backup', () => {
  it('is intact as it was downloaded, with the balances of the accounts', async () => {
    const { me } = await newHousehold()
    const { id, manifest } = await make(me)
    const archive = new Uint8Array(await (await download(me, id)).arrayBuffer())
    const before = await keys()
    const { status, body } = await verify(me, archive)
    expect([status, body.faults]).toEqual([200, []])
    expect(body).toMatchObject({
      intact: true,
      faultCount: 0,
      contentHash: manifest?.contentHash,
      counts: manifest?.counts,
    })
    const { accounts } = await ok(getUserAccounts, { as: me })
    const told = Object.fromEntries(body.balances.map((one) => [one.accountId, one.balance]))
    expect(told).toEqual(Object.fromEntries(accounts.map((one) => [one.id, one.balance])))
    expect(await keys()).toBe(before)
    const logged = await rows<{ content: string }>(
      `SELECT e.content FROM log_events e JOIN log_commits c ON c.first_event = e.number
        WHERE c.type = 'backup.verified' AND c.actor_id = ?`,
      me.id,
    )
    expect(logged).toHaveLength(1)
    // Anybody may look into an archive that they have.
    expect((await verify(await newUser(), archive)).body.intact).toBe(true)
  })

  it('is intact when another program packed it, deflated and in another order', async () => {
    const { me } = await newTraveller()
    const files = await contentsOf(me, (await make(me)).id)
    const backwards = Object.fromEntries(Object.entries(files).toReversed())
    expect((await verify(me, await packed(backwards))).body).toMatchObject({ intact: true })
    expect((await verify(me, deflated(files))).body).toMatchObject({ intact: true, faults: [] })
  })

  it('is told apart from one in which a byte was flipped', async () => {
    const { me } = await newTraveller()
    const { id } = await make(me)
    const archive = new Uint8Array(await (await download(me, id)).arrayBuffer())
    const at = Buffer.from(archive).indexOf('"signedAmount":"-12.30"') + '"signedAmount":"-'.length
    archive[at] = 0x39
    const { body } = await verify(me, archive)
    expect(body.intact).toBe(false)
    expect(body.faults).toContainEqual(
      expect.objectContaining({ code: 'brokenArchive', member: 'transactions.ndjson' }),
    )
    const files = await contentsOf(me, id)
    const flipped = text(files['transactions.ndjson']).replace('12.30', '92.30')
    const packedAgain = await packed({ ...files, 'transactions.ndjson': bytes(flipped) })
    expect((await verify(me, packedAgain)).body.faults).toContainEqual(
      expect.objectContaining({ code: 'hashMismatch', member: 'transactions.ndjson', line: null }),
    )
  })

  it('is told apart from one with other headers, or with bytes that belong to nothing', async () => {
    const { me } = await newTraveller()
    const { id } = await make(me)
    const archive = Buffer.from(await (await download(me, id)).arrayBuffer())
    const renamed = Buffer.from(archive)
    renamed.write('transactionz', renamed.indexOf('transactions.ndjson'))
    const { status, body } = await verify(me, renamed)
    expect([status, body.intact]).toEqual([200, false])
    expect(body.faults[0]).toMatchObject({ code: 'brokenArchive', member: 'transactions.ndjson' })
    const behind = await verify(me, Buffer.concat([archive, bytes('x')]))
    expect([behind.status, behind.error.code]).toEqual([400, 'backups.brokenArchive'])
  })

  it('names the lines whose amounts or references are wrong', async () => {
    const { me, groceries } = await newTraveller()
    const files = await contentsOf(me, (await make(me)).id)
    const transactions = text(files['transactions.ndjson'])
    const lineOf = (part: string) =>
      transactions.split('\n').findIndex((line) => line.includes(part)) + 1
    const faultsWith = async (changed: Record<string, string>) => {
      const { body } = await verify(me, await packed(withManifest(files, changed)))
      return body.faults.map(({ code, member, line }) => [code, member, line])
    }
    const split = lineOf('"splits":[{')
    expect(
      await faultsWith({
        'transactions.ndjson': transactions.replace('"amount":"10.00"', '"amount":"10.01"'),
      }),
    ).toEqual([['unbalanced', 'transactions.ndjson', split]])
    expect(
      await faultsWith({
        'transactions.ndjson': transactions.replace(groceries.id, 'cat_01k9v3q8m5t0w2x4y6z8a1b3zz'),
      }),
    ).toEqual([['unknownReference', 'transactions.ndjson', split]])
    const accounts = text(files['accounts.ndjson']).replace(
      '"balance":"15840"',
      '"balance":"15841"',
    )
    expect(await faultsWith({ 'accounts.ndjson': accounts })).toEqual([
      ['unbalanced', 'accounts.ndjson', null],
    ])
    const broken = transactions.replace(/"signedAmount":"[^"]*"/, '"signedAmount":"1e3"')
    expect((await faultsWith({ 'transactions.ndjson': broken }))[0]?.[0]).toBe('malformedLine')
    const tags = `${text(files['categories.ndjson'])}{"id":7}\n[]\n{\n`
    expect(await faultsWith({ 'categories.ndjson': tags })).toEqual([
      ['malformedLine', 'categories.ndjson', 4],
      ['malformedLine', 'categories.ndjson', 5],
      ['malformedLine', 'categories.ndjson', 6],
      ['wrongCount', 'categories.ndjson', null],
    ])
  })

  it('misses no file, and has none too many', async () => {
    const { me } = await newTraveller()
    const { 'data/tags.ndjson': _, ...files } = await contentsOf(me, (await make(me)).id)
    const { body } = await verify(me, await packed({ ...files, 'more.txt': bytes('more') }))
    expect(body.faults.map(({ code, member }) => [code, member])).toEqual([
      ['missingMember', 'data/tags.ndjson'],
      ['unknownMember', 'more.txt'],
      ['hashMismatch', 'manifest.json'],
    ])
  })

  it('tells a hundred faults, and counts all', async () => {
    const { me } = await newTraveller()
    const files = await contentsOf(me, (await make(me)).id)
    const changed = { 'payees.ndjson': '{}\n'.repeat(150) }
    const { body } = await verify(me, await packed(withManifest(files, changed)))
    expect([body.faults.length, body.faultCount]).toEqual([100, 151])
  })
})

describe('what is no backup', () => {
  it('is refused, and nothing is kept of it', async () => {
    const { me } = await newTraveller()
    const files = await contentsOf(me, (await make(me)).id)
    const archive = await packed(files)
    const huge = Buffer.from(deflated({ 'manifest.json': bytes('x'.repeat(2_000_000)) }))
    const overlapping = Buffer.from(deflated({ a: bytes('a'), b: bytes('b') }))
    // The second member begins where the first does.
    overlapping.writeUInt32LE(0, overlapping.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 42)
    // The bytes of its only member would begin behind its end.
    const beyond = Buffer.from(deflated({ 'manifest.json': bytes('{}') }))
    beyond.writeUInt16LE(65_535, 28)
    const before = await keys()
    const cases: [string, Uint8Array, string][] = [
      ['nothing', new Uint8Array(), 'backups.oneSource'],
      ['text', bytes('no archive'), 'backups.brokenArchive'],
      ['half of it', archive.subarray(0, archive.length / 2), 'backups.brokenArchive'],
      ['its end', archive.subarray(archive.length / 2), 'backups.brokenArchive'],
      ['too tight', huge, 'backups.brokenArchive'],
      ['overlapping', overlapping, 'backups.brokenArchive'],
      ['beyond its end', beyond, 'backups.brokenArchive'],
      ['another archive', await packed({ 'a.txt': bytes('a') }), 'backups.notABackup'],
      [
        'a manifest of text',
        await packed({ 'manifest.json': bytes('{"a"') }),
        'backups.notABackup',
      ],
      [
        'another format',
        await packed(withManifest(files, {}, { format: 'other' })),
        'backups.notABackup',
      ],
      [
        'a newer version',
        await packed(withManifest(files, {}, { formatVersion: 3 })),
        'backups.newerVersion',
      ],
    ]
    for (const [what, sent, code] of cases) {
      const { status, error } = await verify(me, sent)
      expect([status, error.code], what).toEqual([400, code])
    }
    const damaged = Buffer.from(archive)
    damaged[damaged.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))] = 0
    expect((await verify(me, damaged)).error.code).toBe('backups.brokenArchive')
    expect(await keys()).toBe(before)
  })

  it('is refused where it is too large, a form, or from a restricted token', async () => {
    const { me, everyday } = await newTraveller()
    expect(await verify(me, new Uint8Array(50 * 1024 ** 2 + 1))).toMatchObject({
      status: 413,
      body: { code: 'files.tooLarge' },
    })
    expect((await verify(me, bytes('x'), 'multipart/form-data; boundary=x')).status).toBe(415)
    const token = await giveToken(me, ['backups.write'], [everyday.id])
    expect(await verify(token, bytes('x'))).toMatchObject({
      status: 403,
      body: { code: 'backups.tokenIsRestricted' },
    })
  })
})
