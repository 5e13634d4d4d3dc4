import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import '../../scripts/lib/dev-globals.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { createApp } from '../../src/app.ts'
import { allErrors, STATUS_OF } from '../../src/domain/errors.ts'
import { ERROR_CODES } from '../../src/http/description/error-codes.ts'

// What the tables of errors, the operations and the document say of each other.

interface Operation {
  operationId: string
  responses: Record<string, unknown>
  'x-error-codes': string[]
}

createApp()
const { paths } = JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.values(paths).flatMap((item) => Object.values(item))
const errors = new Map(allErrors().map((error) => [error.code, error]))

/** Refusals that no test meets as the answer of an operation, with the reason. */
const NOT_MET: Record<string, string[]> = {
  'no operation is asked': ['request.unknownRoute', 'request.methodNotAllowed'],
  'only tasks and schedules meet them': [
    ...['auditLog.exportTooLarge', 'auditLog.redactedMeanwhile', 'auditLog.sealedMeanwhile'],
    ...['backups.changedMeanwhile', 'backups.different', 'backups.foreignRow'],
    ...[
      'backups.interrupted',
      'backups.inTrash',
      'backups.accountInTrash',
      'backups.accountClosed',
    ],
    ...['backups.misplacedCategory', 'backups.otherCurrency', 'backups.periodLocked'],
    ...['backups.tooManyRows', 'backups.transactionHere'],
    ...['backups.unknownArchivedAccount', 'backups.unknownOwnAccount'],
    ...['auditLog.storedMeanwhile', 'backups.tooManyFiles', 'user.notDue', 'user.wipeUndone'],
    ...['imports.accountClosedMeanwhile', 'imports.accountGone', 'imports.changedMeanwhile'],
    ...['imports.labelGone', 'imports.stopped', 'imports.tooManyTwins', 'imports.tooManyRows'],
  ],
  'a schema, or a rule before it, refuses what would lead there': [
    ...['calendar.invalidDate', 'calendar.unknownTimeZone'],
    ...['currency.unknown', 'money.invalidWeights', 'money.malformed'],
    ...['request.malformed', 'xml.malformed'],
  ],
  'a rule that cannot be applied is left out': [
    ...['rules.cannotSplit', 'rules.cannotTransfer', 'rules.categoryKind', 'rules.splitIncomplete'],
    ...['rules.splitTooMuch', 'rules.tooManyTags', 'rules.noRoom'],
  ],
  'the tests of the area do not lead there': [
    ...['accounts.targetOfOther', 'attachments.noStorageClass'],
    ...['payees.tooManyLinks', 'tags.tooManyLinks', 'transactions.linkWithoutAmount'],
    ...['transfers.externalIdTaken', 'imports.sameMoment', 'imports.tooManyRowsDecided'],
    'imports.tooSlow',
  ],
}

it('operations declare errors that exist, with their status, and each once', () => {
  const wrong = operations.flatMap(({ operationId, responses, 'x-error-codes': codes }) =>
    codes
      .filter((code, at) => {
        const error = errors.get(code)
        return !error || !(STATUS_OF[error.kind] in responses) || codes.indexOf(code) !== at
      })
      .map((code) => `${operationId} ${code}`),
  )
  expect(wrong).toEqual([])
})

it('no operation is declared that is not there', () => {
  const ids = new Set(operations.map(({ operationId }) => operationId))
  expect(Object.keys(ERROR_CODES).filter((id) => !ids.has(id))).toEqual([])
})

it('every refusal is answered by some operation', () => {
  const answered = new Set(operations.flatMap((one) => one['x-error-codes']))
  const idle = [...errors.values()]
    .filter(({ kind }) => STATUS_OF[kind] < 500)
    .map(({ code }) => code)
    .filter((code) => !answered.has(code))
  expect(idle.toSorted()).toEqual(Object.values(NOT_MET).flat().toSorted())
})

it('a code is in one table only, and its message is a sentence', () => {
  const codes = allErrors().map(({ code }) => code)
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
  const odd = allErrors().filter(({ message }) => !/[.}]$/.test(message))
  expect(odd).toEqual([])
})
