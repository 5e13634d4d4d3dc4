import { MAX_FIELD } from '../../../domain/bank-files/items.ts'
import { FORMAT_KEYS } from '../../../domain/bank-files/format.ts'
import { MAX_FIELDS } from '../../../domain/csv/records.ts'
import { VERDICTS } from '../../../domain/imports/verdicts.ts'
import {
  arrayOf,
  type Check,
  countOf,
  currencyText,
  dateText,
  eachOnce,
  eitherOf,
  exactly,
  idText,
  mapOf,
  minorUnits,
  objectWith,
  orNull,
  hashText,
  shallowJson,
  textUpTo,
  trueOrFalse,
} from '../../../domain/stored-values.ts'
import { takenAs, takenBy } from '../../../http/stored-fields.ts'
import { accountInputs } from '../../money/accounts/accounts.public.ts'
import { MOST_CATEGORIES } from '../../money/categories/categories.public.ts'
import { CommitImportRequest } from './report.contract.ts'
import { MOST_ACCOUNTS, MOST_OTHER_BALANCES } from './imports.rules.ts'
import { storedMapping } from './formats/mapping.contract.ts'
import { CreateImportProfileRequest } from './profiles/profiles.contract.ts'
import { MOST_KEPT_ITEMS } from './reverting/reverting.rules.ts'
import { RevertImportRequest } from './reverting/reverting.contract.ts'

// The checks of stored columns of imports.

/** A field of a file. */
const cell = textUpTo(MAX_FIELD)
const code = textUpTo(100)

/** The codes and lines that an import stores as details. */
const particulars = shallowJson(10_000)
/** More than an import stores of anything but its rows. */
const MOST_LISTED = 1000
/** Lines that stand for a reason, and what is kept or guessed of a thing: an import stores 20 at most. */
const MOST_OF_ONE = 50
/** Questions about a file: of each kind there is one. */
const MOST_QUESTIONS = 50
/** Transactions that a file does not tell of any more. So many are more than the line of an archive has room for. */
const MOST_VANISHED = 6000
/** Characters of all warnings. */
const MOST_OF_WARNINGS = 100_000

const isCoded = objectWith({ code, message: textUpTo(MAX_FIELD) })

const leftOut = objectWith(
  {
    ...{ verdict: exactly(...VERDICTS), reason: orNull(code), rows: countOf },
    lines: arrayOf(countOf, MOST_OF_ONE),
  },
  {
    shown: arrayOf(
      objectWith({
        ...{ line: countOf, date: orNull(cell), payee: orNull(cell) },
        ...{ amount: orNull(cell), currency: orNull(currencyText) },
      }),
      MOST_OF_ONE,
    ),
  },
)

/** Texts that are known by their names. */
const cells = (...names: string[]) => Object.fromEntries(names.map((name) => [name, cell]))

const account = objectWith(
  { key: cell, rows: countOf, accountId: orNull(idText) },
  {
    ...cells('iban', 'number', 'bank', 'name', 'currency', 'type'),
    line: countOf,
    create: objectWith({
      ...{ id: idText, currency: currencyText },
      ...{ name: takenBy(accountInputs.name), type: takenBy(accountInputs.type) },
    }),
  },
)

const vanished = objectWith(
  {
    ...{ accountId: idText, date: dateText, minor: minorUnits, text: textUpTo(2 * MAX_FIELD) },
    kind: exactly('typed', 'pending', 'booked'),
    state: exactly('kept', 'inTrash', 'erased', 'skipped'),
  },
  {
    ...{ transactionId: idText, balanceMinor: minorUnits, payeeId: idText },
    ...{ ...cells('identity', 'number'), otherAccountId: idText },
  },
)

export const importColumns: Record<string, Check> = {
  ...{ fileName: textUpTo(255), size: countOf, sha256: hashText },
  ...{ rowsDone: countOf, rowsTotal: countOf, nextChunk: countOf },
}

const shape = arrayOf(cell, MAX_FIELDS)

export const importJson: Record<string, Check> = {
  chosen: takenBy(storedMapping),
  mapping: takenBy(storedMapping),
  questions: arrayOf(
    objectWith(
      {
        ...{ key: code, options: arrayOf(cell, MOST_LISTED) },
        evidence: arrayOf(objectWith({ line: countOf, raw: cell }), MOST_LISTED),
      },
      {
        suggestion: cell,
        choices: arrayOf(
          objectWith(cells('option', 'name', 'type', 'currency'), { foreign: cell }),
          MOST_LISTED,
        ),
        outcomes: arrayOf(
          objectWith({
            ...{ option: cell, rows: countOf, errors: countOf },
            ...{ from: orNull(dateText), to: orNull(dateText) },
            sums: arrayOf(
              objectWith({ currency: currencyText, ...cells('in', 'out') }),
              MOST_LISTED,
            ),
          }),
          MOST_OF_ONE,
        ),
      },
    ),
    MOST_QUESTIONS,
  ),
  warnings: (all, row) =>
    JSON.stringify(all).length <= MOST_OF_WARNINGS &&
    arrayOf(
      (value) =>
        mapOf(code, particulars, MOST_OF_ONE)(value, row) &&
        code((value as { code?: unknown }).code, row),
      MOST_LISTED,
    )(all, row),
  counts: mapOf(exactly('rows', ...VERDICTS), countOf, 1 + VERDICTS.length),
  accounts: arrayOf(account, MOST_ACCOUNTS),
  shape,
  error: isCoded,
  untrusted: arrayOf(
    objectWith({ accountId: idText, scheme: cell }, { ids: arrayOf(cell, MOST_LISTED) }),
    MOST_LISTED,
  ),
  vanished: arrayOf(vanished, MOST_VANISHED),
  options: (value, row) =>
    takenBy(CommitImportRequest)(value, row) || takenBy(RevertImportRequest)(value, row),
  reverted: objectWith(
    {
      ...{ removed: countOf, restored: countOf },
      kept: arrayOf(
        objectWith(
          { id: idText, reason: textUpTo(MAX_FIELD) },
          { fields: arrayOf(cell, MOST_OF_ONE) },
        ),
        MOST_KEPT_ITEMS,
      ),
    },
    {
      ...{ after: orNull(idText), afterAdded: orNull(arrayOf(cell, 2)) },
      ...{ beyond: countOf, doneBefore: countOf, again: countOf },
    },
  ),
  outcome: objectWith(
    {},
    {
      accounts: mapOf(
        idText,
        objectWith({
          ...{ currency: currencyText, booked: countOf },
          ...{ sumMinor: minorUnits, matched: countOf },
        }),
        MOST_LISTED,
      ),
      leftOut: arrayOf(leftOut, MOST_LISTED),
      rules: mapOf(idText, countOf, MOST_LISTED),
    },
  ),
  made: objectWith(
    {},
    {
      accounts: eachOnce(idText, MOST_ACCOUNTS),
      categories: eachOnce(idText, MOST_CATEGORIES),
    },
  ),
}

export const statementColumns: Record<string, Check> = {
  place: countOf,
  number: cell,
  rows: countOf,
}

export const statementContent: Check = objectWith(
  {
    causes: arrayOf(
      objectWith({
        ...{ line: countOf, reason: code },
        ...{ amountMinor: orNull(minorUnits), explainsAll: trueOrFalse },
      }),
      MOST_OF_ONE,
    ),
    evidence: arrayOf(
      objectWith(cells('name', 'amount'), cells('date', 'currency')),
      MOST_OTHER_BALANCES,
    ),
    isInterim: trueOrFalse,
  },
  {
    ...{ matched: countOf, closingDate: dateText, derivedMinor: minorUnits },
    covers: objectWith({ from: dateText, through: dateText }),
  },
)

export const identityColumns: Record<string, Check> = { identity: cell, bankKey: cell }

const held = objectWith({
  ...{ identity: cell, bankKey: orNull(cell), date: dateText, amountMinor: minorUnits },
  ...{ balanceMinor: orNull(minorUnits), transactionId: idText, importId: idText },
})

const fields = {
  ...{ date: dateText, amountMinor: minorUnits, externalId: orNull(cell) },
  status: exactly('pending', 'uncleared', 'cleared', 'reconciled', 'void'),
}
const texts = { payeeRaw: orNull(cell), time: orNull(cell), note: orNull(cell) }

/** The state of a transaction before the import. If nothing was added to it, null, or a word in archives of the second format. */
export const addedJson: Check = eitherOf(
  exactly(null),
  idText,
  objectWith(
    { ...{ version: countOf, ...fields }, columns: objectWith(texts) },
    {
      ...{ at: countOf, wrote: objectWith({}, { ...fields, ...texts }) },
      ...{ line: countOf, trashed: exactly(true), linePayeeRaw: orNull(cell) },
      held: arrayOf(held, MOST_LISTED),
    },
  ),
)

export const importProfileColumns: Record<string, Check> = {
  ...takenAs(CreateImportProfileRequest, ['name']),
  format: exactly(...FORMAT_KEYS),
}

export const profileJson: Record<string, Check> = { mapping: takenBy(storedMapping), shape }
