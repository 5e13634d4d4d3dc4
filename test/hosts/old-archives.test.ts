import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { temporaryFolder } from '../support/running.ts'
import { restore, signUp, withService } from './demo-service.ts'

// A backup of each version of the format, as the service made it then. They stay as they are for ever: whatever becomes of the
// tables, a backup can be restored as long as anybody has one.

const folder = temporaryFolder()
afterAll(folder.remove)

const ARCHIVES = inProject('test/hosts/archives')

interface Account {
  id: string
  name: string
  currency: string
  balance: string
}

it.each(readdirSync(ARCHIVES))('%s is restored, with the balances that it had', async (name) => {
  const archive = readFileSync(`${ARCHIVES}/${name}`)
  await withService(folder.path, async (service) => {
    const { tell } = service
    const token = await signUp(service, name.replace(/\.zip$/, ''))
    const verified = await tell<{ balances: { accountId: string; balance: string }[] }>(
      '/backup/verify',
      { token, bytes: archive },
    )
    expect(verified).toMatchObject({ intact: true, faults: [] })
    const restored = await restore(service, token, archive)
    expect(restored).toMatchObject({ state: 'done', error: null })
    const newIds = new Map(restored.idMap.map(({ from, to }) => [from, to]))
    const { accounts } = await tell<{ accounts: Account[] }>('/account', { token })
    expect(accounts.map(({ id, balance }) => `${id} ${balance}`).toSorted()).toEqual(
      verified.balances
        .map(({ accountId, balance }) => `${newIds.get(accountId)} ${balance}`)
        .toSorted(),
    )
    expect(accounts.length).toBeGreaterThan(4)
    const { periodLocks } = await tell<{ periodLocks: { id: string; seal: string | null }[] }>(
      ...(['/period-lock', { token }] as const),
    )
    const sealed = periodLocks.filter(({ seal }) => seal !== null)
    expect(sealed.length).toBeGreaterThan(1)
    for (const { id } of sealed) {
      expect(await tell(`/period-lock/${id}?verify=true`, { token })).toMatchObject({
        intact: true,
      })
    }
    const again = await restore(service, token, archive, 'merge')
    expect(again).toMatchObject({ state: 'done', error: null, contentHash: restored.contentHash })
    expect(Object.values(again.merged ?? {}).filter(({ added }) => added > 0)).toEqual([])
  })
})
