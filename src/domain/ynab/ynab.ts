import {
  type FileFormat,
  type Reading,
  type SourceReader,
  bankFileErrors,
} from '../bank-files/format.ts'
import { checkRows, Items } from '../bank-files/items.ts'
import { surveyByReading } from '../bank-files/surveys.ts'
import { JsonItems } from '../json-items.ts'
import { runSteps, type Steps, forEachInSteps } from '../steps.ts'
import { type JsonRecord, listOf, recordOf, textOf } from '../json-values.ts'
import { newYnabPlan, takeFromApi, takeFromArchive } from './plan.ts'
import { sayPlan } from './rows.ts'

const API = /^\s*\{\s*(?:"data"\s*:\s*\{\s*)?"(?:budget|plan)"\s*:\s*\{/
const ARCHIVE = /^\s*\{[^]*?"(?:masterCategories|fileMetaData|entityType|entityId)"\s*:/

/** A budget may have so many times as many entities as a file may have rows. */
export const ENTITIES_PER_ROW = 2

/** The types of entities in the changes of a device, and the lists that hold them. */
const LISTS = new Map([
  ['account', 'accounts'],
  ['payee', 'payees'],
  ['masterCategory', 'masterCategories'],
  ['category', 'categories'],
  ['transaction', 'transactions'],
  ['subTransaction', 'subTransactions'],
])

interface Entity {
  list: string
  item: JsonRecord
}

/** `A-62`: the device, and how many changes it had made. */
function versionOf(text: string): [device: string, number: number] {
  const [, device = '', number = '0'] = /^([A-Z]{1,4})-(\d{1,9})$/.exec(text) ?? []
  return [device, Number(number)]
}

/** The budget of YNAB 4 as one device had it, and what devices changed that it did not know of yet. */
export class Devices {
  readonly #entities = new Map<string, Entity>()
  readonly #changes: Entity[] = []
  /** The number of changes of each device in the budget. */
  readonly #known = new Map<string, number>()

  /** @param path of the value within `full`, the budget, or `diff`, the changes of a device */
  take(path: string, value: unknown): void {
    const item = recordOf(value)
    if (path === 'diff.items') {
      const list = LISTS.get(textOf(item, 'entityType'))
      if (list !== undefined) {
        this.#spread(list, item, (entity) => this.#changes.push(entity))
      }
    } else if (path === 'full.fileMetaData') {
      for (const one of textOf(item, 'currentKnowledge').split(',')) {
        this.#known.set(...versionOf(one.trim()))
      }
    } else {
      this.#spread(path.replace('full.', ''), item, (entity) => this.#put(entity))
    }
    checkRows((this.#entities.size + this.#changes.length) / ENTITIES_PER_ROW)
  }

  /** Tells of everything once, as it was at last. */
  *end(say: (list: string, item: JsonRecord) => void): Steps<void> {
    yield* forEachInSteps(this.#changes, (change) => {
      const [device, number] = versionOf(textOf(change.item, 'entityVersion'))
      const before = this.#entities.get(keyOf(change))
      const [lastDevice, last] = versionOf(textOf(before?.item ?? {}, 'entityVersion'))
      const isKnown = number <= (this.#known.get(device) ?? 0)
      if (!isKnown && !(device === lastDevice && number < last)) {
        this.#put(change)
      }
    })
    yield* forEachInSteps(this.#entities.values(), ({ list, item }) => say(list, item))
  }

  #put(entity: Entity): void {
    this.#entities.set(keyOf(entity), entity)
  }

  /** Puts nested items separately, too, because each may be changed by itself. */
  #spread(list: string, item: JsonRecord, put: (entity: Entity) => void): void {
    const id = textOf(item, 'entityId')
    put({ list, item: { ...item, subCategories: [], subTransactions: [] } })
    for (const category of listOf(item, 'subCategories')) {
      put({ list: 'categories', item: { masterCategoryId: id, ...category } })
    }
    for (const part of listOf(item, 'subTransactions')) {
      put({ list: 'subTransactions', item: { parentTransactionId: id, ...part } })
    }
  }
}

const keyOf = ({ list, item }: Entity): string => `${list} ${textOf(item, 'entityId')}`

/** A plan of YNAB as its API gives it, and the budget file of YNAB 4. */
export const ynab: FileFormat = {
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
  const plan = newYnabPlan()
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
      isCutShort
        ? bankFileErrors.truncated()
        : bankFileErrors.malformed({ format: 'JSON', reason }),
  })
  const say = function* (): Steps<void> {
    json.end()
    yield* devices.end((list, item) => takeFromArchive(plan, list, item))
    if (plan.accounts.length === 0) {
      throw bankFileErrors.malformed({ format: 'YNAB', reason: 'it holds no account' })
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
