import { foldKey } from '../../domain/text.ts'

/** What users say of themselves. */
export interface Said {
  name: string
  locale: string
  timeZone: string
  baseCurrency: string
}

export type SentProfile = { [Field in keyof Said]?: Said[Field] | undefined }

const FIELDS = ['name', 'locale', 'timeZone', 'baseCurrency'] as const

/** Both images of each field that differs. */
export function changesOf(before: Said, sent: SentProfile): Record<string, [unknown, unknown]> {
  const changed = FIELDS.filter(
    (field) => sent[field] !== undefined && sent[field] !== before[field],
  )
  return Object.fromEntries(changed.map((field) => [field, [before[field], sent[field]]]))
}

/** The columns that are set; a field that was not sent is not among them. */
export function columnsOf(sent: SentProfile): Partial<Said & { nameKey: string }> {
  const columns = { ...sent, nameKey: sent.name === undefined ? undefined : foldKey(sent.name) }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
