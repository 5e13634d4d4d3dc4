import { checkRows } from '../bank-files/items.ts'
import { forEachInSteps, type Steps } from '../steps.ts'
import { type JsonRecord, listOf, recordOf, textOf } from '../json-values.ts'

/** A budget may have so many times as many entities as a file may have rows. */
export const ENTITIES_PER_ROW = 2

/** Types of what a device tells of, and the lists that hold them. */
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
  /** How many changes of each device the budget has. */
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

  /** What stands within another one may be changed by itself. */
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
