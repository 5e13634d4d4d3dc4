import { isJournal } from '../../../../domain/bank-files/journals.ts'
import { isEncoding } from '../../../../domain/bank-files/encodings.ts'
import { formatOf, recogniseFormats } from '../../../../domain/bank-files/formats.ts'
import {
  type FileFormat,
  type FormatKey,
  type Question,
  type Reading,
  type Survey,
  bankFileErrors,
} from '../../../../domain/bank-files/format.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import { importErrors } from '../imports.errors.ts'
import type { Analysis, ForeignAccount, Mapping } from '../imports.rules.ts'
import type { StoredProfile } from '../profiles/profiles.queries.ts'
import { type Bytes } from '../upload/bytes.rules.ts'
import { type Busy, type Habit, withSuggestions } from './outcomes.rules.ts'
import { IGNORE, mapAccounts, typeWarnings } from './accounts.rules.ts'

/** The bytes of a file, which can be read again and again. */
export interface SourceFile extends Bytes {
  open: () => AsyncIterable<Uint8Array>
  /** Names of the other files of its archive, which are not read. */
  leftOut?: string[]
}

/** The choices, beside the bytes of a file, that decide how it is read. */
export interface Wishes {
  chosen: Mapping
  /** The account that came with the file; empty for none. */
  accountId: string
  views: AccountView[]
  profiles: StoredProfile[]
  profileId: string | null
  /** Ids and currency of accounts that are to be made. */
  newId: () => string
  baseCurrency: string
  /** Counts what reading computes. */
  busy: Busy
  /** The day of the upload. */
  today: string
  /** The habits that suggest answers. */
  habits: Habit[]
  locale: string
}

/** A file that was looked at once. */
export interface Surveyed extends Analysis {
  format: FileFormat | undefined
  survey: Survey | undefined
  profileId: string | null
}

/** The characters that a reader gets at once, so that it does not compute for long. */
const PIECE_LENGTH = 8_192

/** Characters that say all accounts of a file: they are stored with its row, more than once. */
const MOST_OF_ACCOUNTS = 100_000
const NAMES_TOO_LONG = 'the names of its accounts are too long'

/** The text of a file, piece by piece. */
export async function* textOfFile(file: SourceFile, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of file.open()) {
    const text = decoder.decode(bytes, { stream: true })
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      yield text.slice(at, at + PIECE_LENGTH)
    }
  }
  yield decoder.decode()
}

async function survey(
  file: SourceFile,
  format: FileFormat,
  known: Partial<Reading>,
  busy: Busy,
): Promise<Survey> {
  const surveyor = format.survey(known)
  for await (const text of textOfFile(file, known.encoding ?? 'utf-8')) {
    await busy(() => surveyor.push(text))
  }
  while (await busy(() => surveyor.finish?.() ?? false)) {
    // Each call does a part of what is left.
  }
  const surveyed = await busy(() => surveyor.end())
  if (JSON.stringify(surveyed.accounts).length > MOST_OF_ACCOUNTS) {
    throw bankFileErrors.malformed({ format: format.key.toUpperCase(), reason: NAMES_TOO_LONG })
  }
  return surveyed
}

const asked = (key: Question['key'], options: string[]): Question => ({
  ...{ key, options, evidence: [] },
})

const nothingKnown = { warnings: [], accounts: [], shape: [], survey: undefined }

/** Looks at the whole file once, and again where a profile knows more of such files. */
export async function lookAtFile(file: SourceFile, wishes: Wishes): Promise<Surveyed> {
  const { profiles, profileId } = wishes
  const named = profiles.find(({ id }) => id === profileId)
  const first = await surveyBy(file, wishes, named)
  if (named || first.questions.length === 0) {
    return first
  }
  const fitting = profiles.find((one) => isOfShape(one, first, wishes.accountId))
  return fitting ? surveyBy(file, wishes, fitting) : first
}

/** Additional columns at the end do not hurt. */
function isOfShape(
  profile: StoredProfile,
  { format, shape }: Surveyed,
  accountId: string,
): boolean {
  const own = JSON.parse(profile.shape) as string[]
  return (
    profile.format === format?.key &&
    own.length > 0 &&
    own.every((cell, at) => shape[at] === cell) &&
    (profile.accountId === null || accountId === '' || profile.accountId === accountId)
  )
}

async function surveyBy(
  file: SourceFile,
  { chosen, accountId, views, today, profiles, habits, locale, ...making }: Wishes,
  profile: StoredProfile | undefined,
): Promise<Surveyed> {
  const wanted: Mapping = {
    ...(accountId === '' ? {} : { accountId }),
    ...(profile?.accountId ? { accountId: profile.accountId } : {}),
    ...(profile ? (JSON.parse(profile.mapping) as Mapping) : {}),
    ...chosen,
  }
  const profileId = profile?.id ?? null
  if (wanted.encoding !== undefined && !isEncoding(wanted.encoding)) {
    // A profile that was made elsewhere may name an unknown encoding.
    delete wanted.encoding
  }
  const encoding =
    wanted.encoding ?? file.encoding.encoding ?? file.encoding.question?.suggestion ?? 'utf-8'
  const [isOfTwo, format] = tellFormat(file.head, wanted.format)
  const mapping = { ...wanted, encoding }
  if (!format && !isOfTwo) {
    if (file.head.trim() === '') {
      throw bankFileErrors.empty()
    }
    const nearest = isJournal(file.head)
      ? JOURNAL_AS_CSV
      : recogniseFormats(file.head).find(({ confidence }) => confidence >= SIMILAR)?.format.key
    throw importErrors.notSupported({
      hint: nearest === undefined ? '' : ` The most similar one is ${nearest}.`,
    })
  }
  // The other open questions are asked at once: letters of other encodings change no date and no amount.
  const isUnread = wanted.encoding === undefined && file.encoding.question !== undefined
  const unread = isUnread && file.encoding.question ? [file.encoding.question] : []
  if (!format) {
    const questions = [...unread, asked('format', isOfTwo ?? [])]
    return { ...nothingKnown, mapping: wanted, questions, format: undefined, profileId }
  }
  const own = views.find(({ account }) => account.id === wanted.accountId)?.account.currency
  const known: Partial<Reading> & { encoding: string } = {
    ...{ ...mapping, format: format.key, today },
    ...(own === undefined ? {} : { accountCurrency: own }),
  }
  const surveyed = await survey(file, format, known, making.busy)
  const whole: Mapping = { ...mapping, ...surveyed.reading, format: format.key }
  const mapped = mapAccounts(surveyed.accounts, whole, views, making)
  const isSigned = isOfNoCard(mapped.accounts, views)
  const isNeedless = ({ key, suggestion }: Question) =>
    isSigned && key === 'sign' && suggestion === 'reversed'
  const needed = surveyed.questions.filter((one) => !isNeedless(one))
  const accountIds = new Set(mapped.accounts.flatMap((one) => one.accountId ?? []))
  const questions = withSuggestions(needed, accountIds, {
    imports: habits,
    profiles: profiles.map((one) => ({
      accountId: one.accountId,
      mapping: JSON.parse(one.mapping) as Mapping,
    })),
    locale,
  })
  const { encoding: _, ...withoutEncoding } = whole
  const knownReading = isUnread ? withoutEncoding : whole
  return {
    mapping:
      questions.length < surveyed.questions.length
        ? { ...knownReading, sign: 'asIs' }
        : knownReading,
    questions: [...unread, ...questions, ...mapped.questions],
    warnings: [
      ...typeWarnings(mapped.accounts, views),
      ...columnWarnings(surveyed),
      ...fileWarnings(file),
    ],
    accounts: mapped.accounts,
    shape: surveyed.shape,
    format,
    survey: surveyed,
    profileId,
  }
}

/** Names the columns that nothing is read of, and those that were chosen and are not there. */
const columnWarnings = ({ unread = [], missing = [] }: Survey): Surveyed['warnings'] =>
  [
    { code: 'columnsUnread' as const, columns: unread },
    { code: 'columnsNotFound' as const, columns: missing },
  ].flatMap(({ code, columns }) =>
    columns.length === 0 ? [] : [{ code, columns: columns.slice(0, MOST_SHOWN) }],
  )

const MOST_SHOWN = 20

/** Names the files of an archive that are not read. */
const fileWarnings = ({ leftOut = [] }: SourceFile): Surveyed['warnings'] =>
  leftOut.length === 0 ? [] : [{ code: 'filesUnread', files: leftOut.map(lastPart) }]

const lastPart = (name: string) => name.slice(name.lastIndexOf('/') + 1).slice(0, 100)

/** Tells whether all accounts are known, and none is a credit card. Words of payments to one say nothing of their signs. */
const isOfNoCard = (accounts: ForeignAccount[], views: AccountView[]): boolean =>
  accounts.every(
    ({ accountId }) =>
      accountId === IGNORE ||
      views.some(({ account }) => account.id === accountId && account.type !== 'creditCard'),
  )

/** The hint for journals of other programs. */
const JOURNAL_AS_CSV =
  'csv, which hledger writes with `-O csv`, ledger with `ledger csv` and beancount with `bean-query -f csv`'

/** The minimum certainty of a format that a file resembles. */
const SIMILAR = 0.3
/** The minimum certainty that a file has a format. */
const LIKELY = 0.5
/** The minimum distance to the certainty of the next format. */
const CLEARLY = 0.2

/** The formats that fit where several do, or the one. */
function tellFormat(
  head: string,
  wanted: FormatKey | undefined,
): [several: string[] | undefined, format: FileFormat | undefined] {
  if (wanted !== undefined) {
    return [undefined, formatOf(wanted)]
  }
  const likely = recogniseFormats(head).filter(({ confidence }) => confidence >= LIKELY)
  const [best, next] = likely
  if (best && next && best.confidence - next.confidence < CLEARLY) {
    return [likely.map(({ format }) => format.key), undefined]
  }
  return [undefined, best?.format]
}
