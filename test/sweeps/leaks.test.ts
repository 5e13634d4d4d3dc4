import { beforeAll, describe, expect, it } from 'vitest'
import {
  followDownloadLink,
  createDownloadLink,
} from '../../src/areas/files/attachments/attachments.routes.ts'
import {
  removeGroupMember,
  leaveGroup,
  updateGroupMember,
} from '../../src/areas/sharing/groups/groups.routes.ts'
import { deleteShare, unshareResource } from '../../src/areas/sharing/sharing/sharing.routes.ts'
import {
  createTransaction,
  updateTransaction,
} from '../../src/areas/money/transactions/transactions.routes.ts'
import { isAdminOnly } from '../../src/domain/permissions.ts'
import { contentsOf, make } from '../areas/backups/archives.ts'
import { giveToken } from '../areas/access-tokens/tokens.ts'
import { join } from '../areas/groups/groups.ts'
import { share } from '../areas/sharing/sharing.ts'
import { type Asking, askingsAbout } from '../support/asked-operations.ts'
import { call, ok, type Principal, rows } from '../support/api.ts'
import { ID, never } from '../support/foreign-ids.ts'
import { type Household, newHousehold, type Zone } from '../support/household.ts'
import { isWhole } from '../support/operations.ts'
import { sendSample } from '../support/samples.ts'
import { type Service, serviceWith } from '../support/service.ts'
import { newSampledUser } from '../support/sampled-user.ts'
import { newUser, type TestUser } from '../support/world.ts'

// A household with a text of its own in every field is asked about in every way that the description has, by
// people who may see some or nothing of it.

const here = serviceWith({})
const MINUTE = 60_000

let household: Household
let askings: Asking[]
/** Those of them that only look. */
let looks: Asking[]
let admin: TestUser

beforeAll(async () => {
  const { me, samples } = await newSampledUser()
  admin = me
  household = await newHousehold()
  askings = askingsAbout(household, samples)
  looks = askings.filter(({ operation }) => operation.method === 'get')
})

interface Heard {
  asking: Asking
  status: number
  text: string
  etag: string | undefined
  cursor: string | undefined
  words: [string, Zone][]
}

/** What somebody is told, but for what it said itself. */
async function ask(
  as: Principal,
  asking: Asking,
  { service = here, etag }: { service?: Service; etag?: string | undefined } = {},
): Promise<Heard> {
  const { operation, sample } = asking
  const response = await sendSample(admin, operation, { ...sample, as }, (request) => {
    if (etag !== undefined) {
      request.headers.set('If-None-Match', etag)
    }
    return service.fetch(request)
  })
  const body = new TextDecoder().decode(await response.arrayBuffer())
  const asked = JSON.stringify(sample)
  const cursor = /"nextCursor":"([^"]+)"/.exec(body)?.[1]
  const text = `${body}\n${JSON.stringify([...response.headers])}${spelledOut(cursor)}`
  return {
    ...{ asking, status: response.status, text, cursor },
    etag: response.headers.get('ETag') ?? undefined,
    words: household.wordsIn(text).filter(([word]) => !asked.includes(word)),
  }
}

/** What whoever decodes a cursor reads. */
const spelledOut = (cursor = ''): string =>
  cursor
    .split('.')
    .map((part) => {
      try {
        return atob(part.replaceAll('-', '+').replaceAll('_', '/'))
      } catch {
        return ''
      }
    })
    .join('\n')

const TOGETHER = 20

async function askAll(as: Principal, all: Asking[], how?: Parameters<typeof ask>[2]) {
  const found: Heard[] = []
  for (let at = 0; at < all.length; at += TOGETHER) {
    const some = all.slice(at, at + TOGETHER)
    found.push(...(await Promise.all(some.map((one) => ask(as, one, how)))))
  }
  return found
}

const nameOf = ({ operation: { operationId }, sample }: Asking) =>
  `${operationId} ${JSON.stringify({ ...sample, as: undefined })}`

/** Private bookings are in the balances of their account, and a figure of budgets of their group. */
const BALANCES = /"(?:\w*[bB]alance\w*|change|before|after|private)":"[^"]*"/g

/** What is told beside what may be: texts, ids of what is hidden, sums with it in them, and counts of it. */
function surplus(
  heard: Heard[],
  mayHear: (wordOrId: string, zone: Zone) => boolean,
  isOfSums = true,
) {
  const secret = new Set<string>(
    [...household.ids].flatMap(([id, zone]) => (zone && !mayHear(id, zone) ? [id] : [])),
  )
  return heard.flatMap(({ asking, status, text, words }) => {
    const asked = JSON.stringify(asking.sample)
    const told = words.filter(([word, zone]) => !mayHear(word, zone)).map(([word]) => word)
    const ids = [...new Set(text.match(ID))].filter((id) => secret.has(id) && !asked.includes(id))
    const isOfBalances = /NetWorth|HomePage|BalanceHistory|Summary|CashFlow/.test(
      asking.operation.operationId,
    )
    const sums = !isOfSums
      ? []
      : [
          ...(text.match(/\d{8,}\.\d\d\b/g) ?? []),
          ...(isOfBalances ? [] : (text.replaceAll(BALANCES, '').match(/\d{7,}\.\d\d\b/g) ?? [])),
        ]
    const found = [
      ...told,
      ...ids,
      ...sums,
      ...(status >= 500 ? [status] : []),
      ...miscounted(asking, text),
    ]
    return found.length > 0 ? [`${nameOf(asking)}: ${found.join(' ')}`] : []
  })
}

/** The count of a whole list that is not that of its items. */
function miscounted({ sample }: Asking, text: string): string[] {
  const [line = ''] = text.split('\n')
  if (!line.startsWith('{') || sample.query?.includes('cursor=')) {
    return []
  }
  const { count, nextCursor, ...body } = JSON.parse(line) as Record<string, unknown>
  const lists = Object.values(body).filter(Array.isArray)
  const isWhole = typeof count === 'number' && !nextCursor && lists.length === 1
  return isWhole && lists[0]?.length !== count ? [`counts ${count} of ${lists[0]?.length}`] : []
}

const zonesOf =
  (...zones: Zone[]) =>
  (_word: string, zone: Zone) =>
    zones.includes(zone)

/** What only the owner knows of what is shared: its notes on labels and on the past of an account. */
const OWNERS = /(?:comment|categoryNote|payeeNote|alias)\d+$/

/** What hangs on no account. */
const LABELS = /(?:(?:category|tag|payee)(?:Note)?|alias)\d+$|^(?:cat|tag|pay|pal)_/
/** Files on more than one account. */
const BILLS = /bill\w+\d+$|^att_/

/** What nobody told of some zones. */
const unheard = (heard: Heard[], zones: Zone[]) => {
  const words = new Set(heard.flatMap(({ words: some }) => some.map(([word]) => word)))
  return zones
    .flatMap((zone) => [...household.said[zone]])
    .filter((word) => isWhole && !words.has(word))
}

/** One way to ask of each operation that told something. */
const tellingOf = (heard: Heard[]): Asking[] => [
  ...new Map(
    heard
      .filter(({ words }) => words.length > 0)
      .map(({ asking }) => [asking.operation.operationId, asking]),
  ).values(),
]

async function newViewer(wanted: Parameters<typeof share>[3] = {}): Promise<TestUser> {
  const viewer = await newUser()
  for (const id of household.shared) {
    await share(household.owner, { id }, viewer, wanted)
  }
  return viewer
}

/** The name of the owner, which those see who are shared with; not the address. */
const OWNERS_NAME = /^pro\w+name\d+$/

const newAdminOfGroup = () => join(household.group, household.owner, 'admin')

async function linkTo(as: TestUser): Promise<string> {
  const { url } = await ok(createDownloadLink, { as, id: household.bill, json: {} })
  return url.replace('/download/', '')
}

/** What a viewer and an administrator of the group are told with, for those who lose it. */
let ofViewers: Asking[]
let ofMembers: Asking[]

describe('a household is told', () => {
  it('to its owner, all of it', async () => {
    const heard = await askAll(household.owner, looks)
    expect(unheard(heard, ['shr', 'com', 'prv', 'hid', 'own', 'grp', 'inv', 'pln', 'pro'])).toEqual(
      [],
    )
    expect(heard.flatMap(({ asking, text }) => miscounted(asking, text))).toEqual([])
  })

  it('to a stranger, nothing', async () => {
    const heard = await askAll(await newUser(), askings)
    expect(surplus(heard, zonesOf())).toEqual([])
  })

  it('to who views two accounts, what is on them and no more', async () => {
    const viewer = await newViewer()
    const heard = await askAll(viewer, askings)
    const isShown: ReturnType<typeof zonesOf> = (wordOrId, zone) =>
      zonesOf('shr')(wordOrId, zone) || OWNERS_NAME.test(wordOrId)
    expect(surplus(heard, isShown)).toEqual([])
    const naming = heard.filter(({ words }) => words.some(([word]) => OWNERS_NAME.test(word)))
    expect(
      naming
        .map(({ asking }) => nameOf(asking))
        .filter((name) => !/^listReceivedShares\b/.test(name)),
    ).toEqual([])
    expect(unheard(heard, ['shr']).filter((word) => !OWNERS.test(word))).toEqual([])
    expect(heard.flatMap(({ words }) => words).filter(([word]) => OWNERS.test(word))).toEqual([])
    ofViewers = tellingOf(heard.filter(({ asking }) => looks.includes(asking)))
    expect(ofViewers.length > 15 || !isWhole, 'much is told').toBe(true)
  })

  it('to an administrator of its group, what is shared with the group and no more', async () => {
    const heard = await askAll(await newAdminOfGroup(), looks)
    expect(surplus(heard, zonesOf('com', 'grp', 'inv', 'pro'))).toEqual([])
    const left = unheard(heard, ['com', 'grp', 'inv', 'pro'])
    expect(left.filter((word) => !OWNERS.test(word))).toEqual([])
    ofMembers = tellingOf(heard)
  })

  it('to a token for one account, its labels and nothing of the others', async () => {
    const token = await giveToken(household.owner, ['read'], [household.hidden])
    const heard = await askAll(token, looks)
    const mayHear = (wordOrId: string, zone: Zone) =>
      zonesOf('hid', 'own', 'pro')(wordOrId, zone) || LABELS.test(wordOrId) || BILLS.test(wordOrId)
    expect(surplus(heard, mayHear, false)).toEqual([])
  })

  it('to an administrator of the service, what the log says and how files and groups are called', async () => {
    const own = looks.filter(
      ({ operation: { access } }) => access !== 'public' && isAdminOnly(access),
    )
    const told = (await askAll(admin, own))
      .filter(({ asking }) => !asking.operation.operationId.includes('AuditLog'))
      .flatMap(({ asking, words }) =>
        words
          .filter(([, zone]) => zone !== 'own' && zone !== 'pro')
          .map(([word]) => `${asking.operation.operationId} ${word.replace(/^.{13}|\d+$/g, '')}`),
      )
    const names = ['bill', 'contract', 'statutes'].map((what) => `getDownloadMetrics ${what}File`)
    const known = [...names, 'listAllGroups name', 'getAnyGroup name']
    expect(told.filter((one) => !known.includes(one))).toEqual([])
    expect(known.filter((one) => isWhole && !told.includes(one))).toEqual([])
  })
})

describe('what somebody does not see', () => {
  it('is in no count and no sum, by whichever filter', async () => {
    const viewer = await newViewer()
    const searches = looks.filter(({ sample }) => sample.query?.endsWith('&totals=true'))
    const foreign = searches.filter(
      ({ sample: { query = '' } }) =>
        [...household.ids].some(([id, zone]) => query.includes(id) && zone !== 'shr') ||
        ['hid', 'prv', 'tra', 'com'].some((zone) => query.includes(household.wordOf(zone as Zone))),
    )
    expect(foreign.length > 20 || !isWhole, 'there is much to ask for').toBe(true)
    const anonymous = ({ text, status }: Heard) => [
      status,
      text.split('\n')[0]?.replace(/"requestId":"\w+"/, ''),
    ]
    for (const one of foreign) {
      const query = (one.sample.query ?? '')
        .replace(ID, never)
        .replace(/=\w{3}[\da-f]{10}/, '=nothing')
      const unknown = { ...one, sample: { ...one.sample, query } }
      expect([query, anonymous(await ask(viewer, one))]).toEqual([
        query,
        anonymous(await ask(viewer, unknown)),
      ])
    }
  })

  it('is in no backup of its own', async () => {
    const viewer = await newViewer()
    const { id } = await make(viewer)
    const files = Object.values(await contentsOf(viewer, id)).map((bytes) =>
      new TextDecoder().decode(bytes),
    )
    expect(files.flatMap((text) => household.wordsIn(text))).toEqual([])
  })
})

it('repeats no answer with what was written since access ended', async () => {
  const { owner, shared } = household
  const writer = await newViewer({ permission: 'write' })
  const json = {
    kind: 'expense',
    accountId: shared[0] ?? '',
    date: '2026-01-09',
    amount: '1',
  } as const
  const booking = { as: writer, json, headers: { 'Idempotency-Key': crypto.randomUUID() } }
  const { id } = await ok(createTransaction, booking)
  await endShares(writer, owner)
  const note = `${household.wordOf('hid')}since`
  await ok(updateTransaction, { as: owner, id, json: { note, description: note } })
  const { status, text } = await call(createTransaction, booking)
  expect([status, household.wordsIn(text)]).toEqual([404, []])
})

/** Somebody with access, and how it ends; the service that is asked afterwards, where it is not the same one. */
type Ending = [
  string,
  begin: () => Promise<TestUser>,
  end: (as: TestUser) => Promise<Service | void>,
  left?: Zone[],
]

const endings: Ending[] = [
  ['the owner revokes it', newViewer, async (as) => endShares(as, household.owner)],
  ['they give it back', newViewer, async (as) => endShares(as, as)],
  [
    'an administrator ends it',
    newViewer,
    async ({ id: userId }) => {
      for (const resourceId of household.shared) {
        const json = { resourceType: 'account', resourceId, userId } as const
        await ok(unshareResource, { as: admin, json })
      }
    },
  ],
  [
    'it expires',
    () => newViewer({ expiresAt: new Date(Date.now() + 5 * MINUTE).toISOString() }),
    async () => serviceWith({ ahead: 6 * MINUTE }),
  ],
  [
    'they leave the group',
    newAdminOfGroup,
    async (as) => void (await ok(leaveGroup, { as, id: household.group })),
  ],
  [
    'they are removed from the group',
    newAdminOfGroup,
    async ({ id: userId }) => {
      await ok(removeGroupMember, { as: household.owner, path: { id: household.group, userId } })
    },
  ],
  [
    'they become a viewer of the group',
    newAdminOfGroup,
    async ({ id: userId }) => {
      const path = { id: household.group, userId }
      await ok(updateGroupMember, { as: household.owner, path, json: { role: 'viewer' } })
    },
    ['com', 'grp', 'pro'],
  ],
  [
    'the group is suspended',
    newAdminOfGroup,
    async () =>
      void (await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', household.group)),
    ['grp', 'pro', 'inv'],
  ],
]

async function endShares({ id }: TestUser, as: TestUser): Promise<void> {
  const found = await rows<{ id: string }>('SELECT id FROM shares WHERE grantee_user_id = ?', id)
  for (const one of found) {
    await ok(deleteShare, { as, id: one.id })
  }
}

it.each(endings)('nothing is told any more once %s', async (_, begin, end, left = []) => {
  const as = await begin()
  const known = begin === newAdminOfGroup ? ofMembers : ofViewers
  // First, as it is told of itself.
  const isDownload = ({ operation }: Asking) => operation.operationId === 'downloadAttachment'
  await askAll(as, known.filter(isDownload))
  const told = await askAll(as, known)
  expect(
    told.filter(({ words }) => words.length === 0).map(({ asking }) => nameOf(asking)),
  ).toEqual([])
  const token = begin === newAdminOfGroup ? undefined : await linkTo(as)
  const how = { service: (await end(as)) ?? here }
  // Of own downloads and of news of the group ids are left.
  const mayHear = (wordOrId: string, zone: Zone) =>
    left.includes(zone) || /^(?:att|giv)_/.test(wordOrId)
  const again = await Promise.all(told.map(({ asking, etag }) => ask(as, asking, { ...how, etag })))
  const next = await Promise.all(
    told.flatMap(({ asking, cursor }) => {
      const query = `${asking.sample.query || '?'}&cursor=${encodeURIComponent(cursor ?? '')}`
      const sample = { ...asking.sample, query: query.replace('?&', '?') }
      return cursor === undefined ? [] : [ask(as, { ...asking, sample }, how)]
    }),
  )
  expect(surplus([...again, ...next], mayHear, left.length === 0)).toEqual([])
  const same = again.filter(({ status }) => status === 304 && left.length === 0)
  expect(same.map(({ asking }) => nameOf(asking))).toEqual([])
  if (token !== undefined) {
    const link = await how.service.call(followDownloadLink, { path: { token } })
    expect(link.status).toBe(404)
  }
})
