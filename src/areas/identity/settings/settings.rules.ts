/** The settings that administrators can change. */
export interface SettingValues {
  registration: 'open' | 'invite' | 'closed'
  deletionGraceDays: number
}

export type SettingKey = keyof SettingValues

export const SETTING_KEYS = ['registration', 'deletionGraceDays'] as const satisfies SettingKey[]

const DESCRIPTIONS: Record<SettingKey, string> = {
  registration:
    'Who may register: everybody (open), holders of an invite code (invite), or holders of an administrator’s invite code (closed).',
  deletionGraceDays: 'Days between the deletion of a user and the erasure of all that it owns.',
}

/** The value where no administrator chose one, and its source. */
interface Fallback<Value> {
  value: Value
  source: 'default' | 'environment'
}

type Fallbacks = { [Key in SettingKey]: Fallback<SettingValues[Key]> }

/** @param environment what the configuration of the service says */
export const fallbacksFrom = (environment: Pick<Fallbacks, 'registration'>): Fallbacks => ({
  registration: environment.registration,
  deletionGraceDays: { value: 30, source: 'default' },
})

/** By setting; null, like nothing, where no administrator chose. */
export type Choices = { [Key in SettingKey]?: SettingValues[Key] | null | undefined }

export interface Setting {
  key: SettingKey
  value: string | number
  default: string | number
  source: 'default' | 'environment' | 'administrator'
  description: string
}

/** Every setting as it holds. */
export const settingsWith = (choices: Choices, fallbacks: Fallbacks): Setting[] =>
  SETTING_KEYS.map((key) => ({
    key,
    value: choices[key] ?? fallbacks[key].value,
    default: fallbacks[key].value,
    source: (choices[key] ?? null) === null ? fallbacks[key].source : 'administrator',
    description: DESCRIPTIONS[key],
  }))
