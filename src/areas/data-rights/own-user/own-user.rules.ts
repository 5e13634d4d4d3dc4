import { foldKey } from '../../../domain/text.ts'

/** The fields of a profile that users can set. */
export interface ProfileDraft {
  name: string
  locale: string
  timeZone: string
  baseCurrency: string
}

export type SentProfile = { [Field in keyof ProfileDraft]?: ProfileDraft[Field] | undefined }

/** The columns that are set; a field that was not sent is not among them. */
export function profileColumns(sent: SentProfile): Partial<ProfileDraft & { nameKey: string }> {
  const columns = { ...sent, nameKey: sent.name === undefined ? undefined : foldKey(sent.name) }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
