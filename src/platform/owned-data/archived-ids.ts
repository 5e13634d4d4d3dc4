import { renewedCore } from '../../domain/ids.ts'
import { forEachInSteps, type Steps } from '../../domain/steps.ts'
import type { ArchivedRow, ArchivedShape } from './archived-tables.ts'
import { mac } from '../secrets/crypto.ts'

// The ids of an archive change when it is restored. Whoever made the archive chose them, so unless its seal proves
// that they are the owner's, each of them gets a core that nobody can choose or foresee. All of them go through
// `mappedId`: those of rows, those in texts and in JSON, and those that are made of other ids, which have the same
// core.

/** The name of the owner in a column of an archive, whoever that is. */
export const SELF = 'self'
/** The name of the owner within JSON of an archive. */
export const SELF_IN_JSON = 'usr_self'

const ID = /^([a-z]{2,8})_([0-7][0-9a-hjkmnp-tv-z]{25})(-[1-9]\d{0,11})?$/

/** The mapping of the ids of an archive to those of its restored rows. */
export interface IdMapping {
  /** True if they stay, because they are the owner's. */
  isKept: boolean
  /** Ids that belong to somebody else by now. They do not stay either way. */
  foreign: ReadonlySet<string>
  /** Gives the core that takes the place of another one. */
  renew: (core: string) => string
  /** Other users who stay named. */
  users: ReadonlySet<string>
  /** Rows that are here already, by the ids of those that they stand for. */
  same?: ReadonlyMap<string, string>
  /** Fields that a row gets in place of its own, by its id. */
  changed?: Readonly<Record<string, ArchivedRow>>
}

/** Cores that are remembered, as rows that name each other stand close together. */
const CORES_REMEMBERED = 50_000

/**
 * Makes the cores of an owner's renewed ids: HMAC under the secret of the service, of the owner and the core of the archive. So a
 * merge finds again what an earlier restore added, and nobody can make one of these become an id that is there.
 */
export function coreRenewal(secret: string, ownerId: string): (core: string) => string {
  const known = new Map<string, string>()
  return (core) => {
    const found =
      known.get(core) ?? renewedCore(core, mac(secret, 'restored-id', `${ownerId} ${core}`))
    if (known.size >= CORES_REMEMBERED) {
      known.clear()
    }
    known.set(core, found)
    return found
  }
}

/** An id with another core; undefined of what is no id. */
function renewedId(text: string, renew: IdMapping['renew']): string | undefined {
  const [, prefix, core = '', rest = ''] = ID.exec(text) ?? []
  return prefix === undefined ? undefined : `${prefix}_${renew(core)}${rest}`
}

const isOfUser = (text: string): boolean => text.startsWith('usr_')

/** An id as it is restored; a text that is none stays. */
export function mappedId(text: string, { isKept, foreign, renew, same }: IdMapping): string {
  const id =
    isOfUser(text) || (isKept && !foreign.has(text)) ? text : (renewedId(text, renew) ?? text)
  return same?.get(id) ?? id
}

/** The texts of a row that may be ids, and that no foreign key looks after. */
export function looseIds({ columns, id }: ArchivedShape, row: ArchivedRow): string[] {
  const found: string[] = []
  const take = (text: string) => {
    if (ID.test(text) && !isOfUser(text)) {
      found.push(text)
    }
  }
  for (const { name, kind, isUser, refersTo } of columns) {
    const value = row[name]
    if (typeof value !== 'string' || isUser) {
      continue
    }
    if (kind === 'json') {
      textsIn(parsed(value)).forEach(take)
    } else if (refersTo === undefined && name !== id) {
      take(value)
    }
  }
  return found
}

/** Texts in which so many ids may stand that renewing all of them keeps others waiting. */
const LONG_TEXT = 50_000

/** `mappedRow` in steps: the ids in long texts are renewed before. */
export function* mapRowInSteps(
  shape: ArchivedShape,
  row: ArchivedRow,
  mapping: IdMapping,
): Steps<ArchivedRow> {
  const long = shape.columns.flatMap(({ name, kind }) => {
    const value = row[name]
    return kind === 'json' && typeof value === 'string' && value.length > LONG_TEXT ? [value] : []
  })
  if (long.length === 0) {
    return mappedRow(shape, row, mapping)
  }
  const cores = new Map<string, string>()
  const renew = (core: string) => {
    const renewed = cores.get(core) ?? mapping.renew(core)
    cores.set(core, renewed)
    return renewed
  }
  for (const value of long) {
    yield* forEachInSteps(textsIn(parsed(value)), (text) => mappedId(text, { ...mapping, renew }))
  }
  return mappedRow(shape, row, { ...mapping, renew })
}

/** A row as a backup of what is restored has it. */
export function mappedRow(
  { columns, id }: ArchivedShape,
  row: ArchivedRow,
  mapping: IdMapping,
): ArchivedRow {
  const map = (text: string) => mappedId(text, mapping)
  const mapped = Object.fromEntries(
    columns.map(({ name, kind, isUser }) => {
      const value = row[name] ?? null
      if (typeof value !== 'string') {
        return [name, value]
      }
      if (isUser) {
        // Users whom the service does not know, or whom anybody may have named, give way to the owner.
        return [name, value === '' || mapping.users.has(value) ? value : SELF]
      }
      return [name, kind === 'json' ? inJson(value, (text) => userless(map(text))) : map(value)]
    }),
  )
  return { ...mapped, ...(id ? mapping.changed?.[String(mapped[id])] : {}) }
}

/** In JSON no other user is named: what is stored with it is the owner's. */
const userless = (text: string): string => (isOfUser(text) ? SELF_IN_JSON : text)

/** JSON with other texts in it, the names of fields included. */
export function inJson(json: string, map: (text: string) => string): string {
  const value = parsed(json)
  return value === undefined ? json : JSON.stringify(withTexts(value, map))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The texts in a value of JSON, with the words of the names of fields. */
function textsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') {
    found.push(value)
  } else if (Array.isArray(value)) {
    value.forEach((one) => textsIn(one, found))
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      found.push(...wordsOf(name))
      textsIn(one, found)
    }
  }
  return found
}

/** Sums are kept by names such as `payments acc_…`. */
const wordsOf = (name: string): string[] => name.split(' ')

function withTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') {
    const mapped = map(value)
    return mapped === value ? withTextsIn(value, map) : mapped
  }
  if (Array.isArray(value)) {
    return value.map((one) => withTexts(one, map))
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          wordsOf(name).map(map).join(' '),
          withTexts(one, map),
        ]),
      )
    : value
}

/** A text that is JSON itself, as a column of a row that is kept in JSON; any other text as it is. */
function withTextsIn(text: string, map: (text: string) => string): string {
  const value = /^[[{]/.test(text) ? parsed(text) : undefined
  if (value === undefined) {
    return text
  }
  const mapped = JSON.stringify(withTexts(value, map))
  return mapped === JSON.stringify(value) ? text : mapped
}
