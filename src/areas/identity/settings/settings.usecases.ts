import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { settingsEvents } from './settings.events.ts'
import { allChoices, storeChoices } from './settings.queries.ts'
import { type Choices, fallbacksFrom, type Setting, settingsWith } from './settings.rules.ts'

export interface ServiceSettings {
  settings: Setting[]
  /** When they were last changed, in milliseconds: it grows with every change. */
  version: number
}

export async function getSettings(ctx: SignedIn): Promise<ServiceSettings> {
  const { choices, version } = await readChoices(ctx)
  return { settings: settingsWith(choices, fallbacksFrom(ctx.settings)), version }
}

export async function updateSettings(ctx: SignedIn, sent: Choices): Promise<ServiceSettings> {
  const before = await readChoices(ctx)
  requireVersion(ctx, before.version)
  const version = Math.max(ctx.now, before.version + 1)
  const choices = { ...before.choices, ...sent }
  return commit(ctx, {
    changes: [
      {
        statements: storeChoices(sent, { seen: before.version, version }),
        events: [
          settingsEvents.updated({ id: null, version }, { before: before.choices, after: choices }),
        ],
      },
    ],
    result: { settings: settingsWith(choices, fallbacksFrom(ctx.settings)), version },
  })
}

async function readChoices(ctx: SignedIn): Promise<{ choices: Choices; version: number }> {
  const [rows] = await read(ctx, allChoices())
  return {
    choices: Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)])),
    version: Math.max(0, ...rows.map(({ updatedAt }) => updatedAt)),
  }
}
