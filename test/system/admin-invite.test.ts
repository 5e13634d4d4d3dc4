import '../../scripts/lib/workers-globals.ts'
import { afterAll, expect, it } from 'vitest'
import { wrangler } from '../../scripts/lib/project.ts'
import { sha256Text } from '../../src/platform/crypto.ts'
import { runScript, temporaryFolder } from '../support/running.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

it('npm run admin:invite writes through wrangler where that is told which database', async () => {
  const where = ['--local', '--persist-to', `${folder.path}/deployed`]
  wrangler(['d1', 'migrations', 'apply', 'DB', ...where])
  const { code, printed } = await runScript('scripts/admin-invite.ts', where, {
    env: { COFFER_DATA: `${folder.path}/own` },
  })
  expect(code, printed).toBe(0)
  const invite = /inv_[\w-]{27}/.exec(printed)?.[0] ?? ''
  const select = `SELECT role_id, max_uses, uses, code_hash, action, actor_type FROM invite_codes
    JOIN audit_log ON resource_id = invite_codes.id`
  const [{ results }] = JSON.parse(
    wrangler(['d1', 'execute', 'DB', '--json', '--command', select, ...where], {
      WRANGLER_LOG: 'log',
    }),
  )
  expect(results).toEqual([
    {
      role_id: 'rol_admin',
      max_uses: 1,
      uses: 0,
      code_hash: await sha256Text(invite),
      action: 'inviteCode.created',
      actor_type: 'system',
    },
  ])
})
