import type {
  AnswerOutcome,
  FileFormat,
  Question,
  Reading,
} from '../../../../domain/bank-files/format.ts'
import type { SourceRow } from '../../../../domain/bank-files/source.ts'
import { AppError } from '../../../../domain/errors.ts'
import { settleRow } from '../../../../domain/imports/rows.ts'
import type { Mapping } from '../imports.rules.ts'
import { asMeant, IGNORE, targetsOf } from './accounts.rules.ts'
import { outcomeOfRows, type TalliedRow, whyIgnored } from './outcomes.rules.ts'
import {
  lookAtFile,
  type SourceFile,
  type Surveyed,
  textOfFile,
  type Wishes,
} from './survey.usecases.ts'

/** Larger files are not read once more for each answer. */
const MOST_BYTES = 256 * 1024
/** The answers of a question that are tried. */
const MOST_ANSWERS = 4
/** Questions of which each may bring up another one. */
const MOST_ROUNDS = 3

/** Looks at a file, and says of each answer to its questions what it would book. */
export async function surveyFile(file: SourceFile, wishes: Wishes): Promise<Surveyed> {
  const surveyed = await lookAtFile(file, wishes)
  const { questions } = surveyed
  if (!questions.some((one) => answersTo(one).length > 0) || !(await isSmall(file))) {
    return surveyed
  }
  const tried = { ...wishes, profileId: surveyed.profileId }
  const withOutcomes: Question[] = []
  for (const question of questions) {
    const outcomes: AnswerOutcome[] = []
    for (const option of answersTo(question)) {
      const outcome = await tryAnswer(file, tried, questions, { ...question, suggestion: option })
      outcomes.push(...(outcome ? [{ option, ...outcome }] : []))
    }
    withOutcomes.push({ ...question, outcomes })
  }
  return { ...surveyed, questions: withOutcomes }
}

async function isSmall(file: SourceFile): Promise<boolean> {
  let size = 0
  for await (const { byteLength } of file.open()) {
    size += byteLength
    if (size > MOST_BYTES) {
      return false
    }
  }
  return true
}

/** True for questions about accounts: their answers do not change the rows. */
const isAboutAccounts = ({ key }: Question) => key === 'account' || key === 'accounts'

function answersTo(question: Question): string[] {
  const { key, options, suggestion } = question
  if (isAboutAccounts(question)) {
    return []
  }
  // Its options are columns, of which an answer has several.
  return key === 'columns' ? [suggestion ?? []].flat() : options.slice(0, MOST_ANSWERS)
}

const asChosen = ({ key, suggestion = '' }: Question): Mapping => ({
  [key]: key === 'columns' ? (JSON.parse(suggestion) as Mapping['columns']) : suggestion,
})

/** Accounts in other currencies than the chosen one still ask for theirs. */
const isOpen = (question: Question, { currency }: Mapping): boolean =>
  !isAboutAccounts(question) &&
  (question.key !== 'currency' || question.suggestion !== undefined || currency === undefined)

const withOnlyCurrency = (question: Question): Question => {
  const [only, other] = question.options
  return question.key === 'currency' && only !== undefined && other === undefined
    ? { suggestion: only, ...question }
    : question
}

/** Reads a file under an answer, and what is suggested for the other questions; undefined where another one stays open. */
async function tryAnswer(
  file: SourceFile,
  wishes: Wishes,
  questions: Question[],
  answer: Question,
): Promise<Omit<AnswerOutcome, 'option'> | undefined> {
  let chosen = { ...wishes.chosen }
  let open = questions.map((one) => (one.key === answer.key ? answer : one))
  try {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const asked = open.filter((one) => isOpen(one, chosen)).map(withOnlyCurrency)
      if (asked.some(({ suggestion }) => suggestion === undefined)) {
        return undefined
      }
      chosen = Object.assign(chosen, ...asked.map(asChosen)) as Mapping
      const found = await lookAtFile(file, { ...wishes, chosen })
      open = found.questions
      if (!open.some((one) => isOpen(one, chosen))) {
        return outcomeOfRows(await tallied(file, wishes, found))
      }
    }
  } catch (error) {
    // Under this answer it is no file that can be read.
    if (!(error instanceof AppError)) {
      throw error
    }
  }
  return undefined
}

/** The rows of a file as they would be booked. */
async function tallied(
  file: SourceFile,
  { views, baseCurrency, busy }: Wishes,
  found: Surveyed,
): Promise<TalliedRow[]> {
  const { mapping, survey, accounts } = found
  const format = found.format as FileFormat
  const targets = targetsOf(accounts, views)
  const isOwn = format.key === 'coffer' || mapping.builtIn === 'coffer'
  const settle = (row: SourceRow): TalliedRow[] => {
    const target = targets.get(row.account)
    if (row.ignored ?? (target === IGNORE || whyIgnored(row, mapping, isOwn))) {
      return []
    }
    const named = accounts.find(({ key }) => key === row.account)?.currency
    const other = mapping.currency ?? row.currency ?? named ?? baseCurrency
    const account = typeof target === 'object' ? target : { id: '', currency: other }
    const settled = settleRow(asMeant(row, account.currency, found), 0, account, format.key)
    return settled.ignored === undefined ? [settled] : []
  }
  const reader = format.read(mapping as Reading, survey)
  const rows: TalliedRow[] = []
  const take = (items: ReturnType<typeof reader.push>) => {
    for (const item of items) {
      rows.push(...(item.is === 'row' ? settle(item.row) : []))
    }
  }
  for await (const text of textOfFile(file, mapping.encoding ?? 'utf-8')) {
    take(await busy(() => reader.push(text)))
  }
  for (let items = reader.finish?.(); items; items = reader.finish?.()) {
    take(items)
  }
  take(await busy(() => reader.end()))
  return rows
}
