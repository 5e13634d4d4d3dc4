import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, inject, it } from 'vitest'
import { sha256Text } from '../../src/platform/secrets/crypto.ts'
import { startRelease } from '../../scripts/lib/release.ts'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { runScript, temporaryFolder } from '../support/running.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

it('npm run admin:invite writes through wrangler where that is told which database', async () => {
  const deployed = `${folder.path}/deployed`
  // Makes the tables: wrangler does the same, and takes long for it.
  const bindings = await freshSecrets()
  const runtime = await startRelease({ script: inject('release'), data: deployed, bindings })
  await runtime.stop()
  const { code, printed } = await runScript(
    'scripts/admin-invite.ts',
    ['--local', '--persist-to', deployed],
    { env: { COFFER_DATA: `${folder.path}/own` } },
  )
  expect(code, printed).toBe(0)
  const invite = /inc_[\w-]{27}/.exec(printed)?.[0] ?? ''
  const stored = readdirSync(deployed, { recursive: true, encoding: 'utf8' }).filter((one) =>
    /d1.*[0-9a-f]{64}\.sqlite$/i.test(one),
  )
  expect(stored).toHaveLength(1)
  const database = new DatabaseSync(join(deployed, stored[0] ?? ''))
  const results = database
    .prepare(
      `SELECT role_id, max_uses, uses, code_hash, type, actor_type FROM invite_codes
        JOIN log_entries ON resource_id = invite_codes.id`,
    )
    .all()
  database.close()
  expect(results).toEqual([
    {
      role_id: 'rol_admin',
      max_uses: 1,
      uses: 0,
      code_hash: sha256Text(invite),
      type: 'inviteCode.created',
      actor_type: 'system',
    },
  ])
})
