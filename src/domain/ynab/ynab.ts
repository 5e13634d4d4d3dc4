import { fileErrors } from '../bank-files/errors.ts'
import type { Format, Reading, SourceReader } from '../bank-files/format.ts'
import { checkRows, Items } from '../bank-files/items.ts'
import { surveyByReading } from '../bank-files/surveys.ts'
import { JsonItems } from '../json-items.ts'
import { runSteps, type Steps } from '../steps.ts'
import { Devices } from './devices.ts'
import { newPlan, takeFromApi, takeFromArchive } from './plan.ts'
import { sayPlan } from './rows.ts'

const API = /^\s*\{\s*(?:"data"\s*:\s*\{\s*)?"(?:budget|plan)"\s*:\s*\{/
const ARCHIVE = /^\s*\{[^]*?"(?:masterCategories|fileMetaData|entityType|entityId)"\s*:/

/** A plan of YNAB as its API gives it, and the budget file of YNAB 4. */
export const ynab: Format = {
  key: 'ynab',
  recognises: (head) => {
    if (API.test(head)) {
      return 1
    }
    return ARCHIVE.test(head) ? 0.9 : 0
  },
  survey: (known) => surveyByReading('ynab', known, newReader),
  read: (reading) => newReader(reading),
}

const WRAPPERS = ['data', 'budget', 'plan', 'currency_format', 'full', 'diff']
/** The path without what wraps a plan. */
const WRAPPED = /^(?:data\.)?(?:budget|plan)\./
/** A budget of YNAB 4 with what its devices changed, as it is made of an archive. */
const OF_DEVICES = /^(?:full|diff)\./

/** Parts may stand behind their transactions, so a plan is said at its end; the bound of a file bounds it. */
function newReader(reading: Reading): SourceReader {
  const items = new Items(reading)
  const plan = newPlan()
  const devices = new Devices()
  const json = new JsonItems({
    wrappers: WRAPPERS,
    take: (path, value) => {
      if (WRAPPED.test(path)) {
        takeFromApi(plan, path.replace(WRAPPED, ''), value)
      } else if (OF_DEVICES.test(path)) {
        devices.take(path, value)
      } else {
        takeFromArchive(plan, path, value)
      }
      checkRows(plan.transactions.length)
    },
    refuse: (reason, isCutShort) =>
      isCutShort ? fileErrors.truncated() : fileErrors.malformed({ format: 'JSON', reason }),
  })
  const say = function* (): Steps<void> {
    json.end()
    yield* devices.end((list, item) => takeFromArchive(plan, list, item))
    if (plan.accounts.length === 0) {
      throw fileErrors.malformed({ format: 'YNAB', reason: 'it holds no account' })
    }
    yield* sayPlan(plan, items)
  }
  const steps = say()
  return {
    push: (text) => {
      json.push(text)
      return []
    },
    finish: () => (steps.next().done ? undefined : items.take()),
    end: () => {
      runSteps(steps)
      return items.take()
    },
  }
}
