import { rows } from './api.ts'
import { dump } from '../areas/own-user/owners.fixtures.ts'
import { ID } from './foreign-ids.ts'
import { send } from './sample-parts.ts'
import { newUser, type TestUser } from './world.ts'

/** What a text of the household belongs to, and so who may read it. */
const ZONES = {
  shr: 'an account that is shared with one person, and what is booked and hangs on it',
  com: 'an account that is shared with the group, and the same of it',
  prv: 'private bookings on both',
  hid: 'an account that is shared with nobody, and the same of it',
  tra: 'what is in the trash, of a shared account, too',
  own: 'what is on no account: labels that nothing has, folders, tokens, invites',
  grp: 'the group and its files',
  inv: 'addresses that are invited into the group',
  pln: 'what is planned over all accounts',
  pro: 'the name and the address of the owner',
} as const

export type Zone = keyof typeof ZONES

/** Amounts that no sum has in it unseen: of what is hidden, and of what is private and so in balances only. */
const HUGE = '70000000'
const LARGE = '1000000'

export interface Household {
  owner: TestUser
  group: string
  /** Those that are shared with one person. */
  shared: string[]
  hidden: string
  /** A file on what is shared. */
  bill: string
  /** Every text that somebody may read, by zone: all of its zone begin alike. */
  said: Record<Zone, Set<string>>
  wordOf: (zone: Zone) => string
  /** Whatever it has, by its id. */
  ids: Map<string, Zone | undefined>
  /** The texts of it that an answer holds, with their zones. */
  wordsIn: (text: string) => [word: string, zone: Zone][]
}

type Made = { id: string; version: number; from: { id: string }; splits: { id: string }[] }

/** A household with a text of its own in every field that takes one. */
export async function newHousehold(): Promise<Household> {
  const mark = crypto.randomUUID().replaceAll('-', '').slice(0, 10)
  const zones = Object.keys(ZONES) as Zone[]
  const wordOf = (zone: Zone) => `${zone}${mark}`
  const said = Object.fromEntries(zones.map((zone) => [zone, new Set()])) as Household['said']
  let serial = 0
  const say = (zone: Zone, what: string) => {
    const word = `${wordOf(zone)}${what}${++serial}`
    said[zone].add(word)
    return word
  }
  const owner = await newUser({ name: say('pro', 'name') })
  const ask = async (method: string, path: string, body?: object | string) => {
    const response = await send(owner, method, path, body)
    const text = await response.text()
    if (!response.ok) {
      throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${text}`)
    }
    return (text === '' ? {} : JSON.parse(text)) as Made
  }
  const make = (path: string, body: object | string) => ask('POST', path, body)

  const labels = async (zone: Zone) => {
    const category = await make('/category', {
      ...{ name: say(zone, 'category'), kind: 'expense', note: say(zone, 'categoryNote') },
    })
    const tag = await make('/tag', { name: say(zone, 'tag') })
    const payee = await make('/payee', {
      ...{ name: say(zone, 'payee'), note: say(zone, 'payeeNote') },
      aliases: [say(zone, 'alias')],
    })
    return { categoryId: category.id, tagIds: [tag.id], payeeId: payee.id }
  }
  const upload = (zone: Zone, what: string, more: Record<string, string> = {}) =>
    make(
      `/attachment?${new URLSearchParams({
        ...{ fileName: `${say(zone, `${what}File`)}.pdf`, title: say(zone, `${what}Title`) },
        ...{ note: say(zone, `${what}FileNote`), ...more },
      }).toString()}`,
      `%PDF-1.7 ${say(zone, `${what}Bytes`)}`,
    )
  /** Bookings with everything on them; the second one is in parts. */
  const book = async (zone: Zone, accountId: string, amount: string, more: object = {}) => {
    const { categoryId, tagIds, payeeId } = await labels(zone)
    const base = { kind: 'expense', accountId, date: '2026-01-05', amount, ...more }
    const whole = await make('/transaction', {
      ...{ ...base, description: say(zone, 'before'), note: say(zone, 'note'), categoryId },
      ...{ payeeRaw: say(zone, 'raw'), payeeId, tagIds, externalId: say(zone, 'external') },
      metadata: { [say(zone, 'key')]: say(zone, 'value') },
      location: { lat: 1, lon: 2, name: say(zone, 'location') },
    })
    await ask('PATCH', `/transaction/${whole.id}`, { description: say(zone, 'description') })
    const parted = await make('/transaction', {
      ...{ ...base, description: say(zone, 'parted') },
      splits: [
        { amount: '1', categoryId, payeeId, tagIds, note: say(zone, 'part') },
        { amount: String(Number(amount) - 1), categoryId },
      ],
    })
    await make(`/transaction/${parted.id}/link`, {
      ...{ kind: 'partOf', transactionId: whole.id, note: say(zone, 'link') },
    })
    const bill = await upload(zone, 'bill', { linkKind: 'transaction', linkId: whole.id })
    return { whole: whole.id, parted: parted.id, bill: bill.id, categoryId }
  }
  /** Two accounts of a zone, with all that hangs on them. */
  const open = async (zone: Zone, amount: string) => {
    const words = { note: say(zone, 'accountNote'), institution: say(zone, 'bank') }
    const opening = { openingBalance: amount, openingDate: '2026-01-02', currency: 'EUR' }
    const account = await make('/account', {
      ...{ ...opening, ...words, name: say(zone, 'account'), type: 'checking' },
    })
    const flat = await make('/account', {
      ...{ name: say(zone, 'flat'), type: 'property', currency: 'EUR' },
    })
    const booked = await book(zone, account.id, amount)
    await make('/valuation', {
      ...{ accountId: flat.id, date: '2026-01-06', value: amount, note: say(zone, 'worth') },
    })
    await make('/transfer', {
      ...{ fromAccountId: account.id, toAccountId: flat.id, date: '2026-01-07', amount },
      ...{ description: say(zone, 'transfer'), note: say(zone, 'transferNote') },
    })
    await upload(zone, 'contract', { linkKind: 'account', linkId: account.id })
    const history = await ask('GET', `/account-history?accountId=${account.id}`)
    const [record] = history as unknown as { id: string }[]
    await ask('PATCH', `/account-history/${record?.id}`, { comment: say(zone, 'comment') })
    return { account: account.id, flat: flat.id, ...booked }
  }

  const [shr, com, hid, tra] = [
    await open('shr', '3'),
    await open('com', '5'),
    await open('hid', HUGE),
    await open('tra', HUGE),
  ]
  /** Whoever sees the other side of a part knows this much of its id. */
  const halfSeen: string[] = []
  for (const { whole, account, flat, bill } of [shr, com]) {
    const prv = await book('prv', account, LARGE, { private: true })
    const secret = { accountId: account, date: '2026-01-09', amount: LARGE, private: true }
    await make('/transaction', { ...secret, kind: 'adjustment', note: say('prv', 'adjustment') })
    const halves = [
      await make('/transaction', { ...secret, kind: 'expense', note: say('prv', 'left') }),
      await make('/transaction', { ...secret, accountId: flat, kind: 'income' }),
    ]
    const [left, arrived] = halves.map(({ id }) => id)
    await make('/transfer/match', { fromTransactionId: left, toTransactionId: arrived })
    await make(`/attachment/${bill}/link`, { kind: 'account', id: hid.account })
    await make(`/attachment/${bill}/link`, { kind: 'transaction', id: prv.whole })
    const arrival = {
      kind: 'income',
      date: '2026-01-05',
      amount: account === shr.account ? '3' : '5',
    }
    await make('/transaction', { ...arrival, accountId: hid.account, note: say('hid', 'arrival') })
    // A link, a transfer and a file between what is seen and what is not.
    const link = { kind: 'partOf', transactionId: whole, note: say('prv', 'across') }
    await make(`/transaction/${prv.whole}/link`, link)
    await make('/transfer', {
      ...{ fromAccountId: account, toAccountId: hid.account, date: '2026-01-08', amount: '2' },
      ...{ fee: { amount: '1' } },
    })
    // Parts that are transfers between them, either way.
    await make('/transaction', {
      ...{ kind: 'expense', accountId: account, date: '2026-01-08', amount: '4' },
      description: say(account === shr.account ? 'shr' : 'com', 'paid'),
      splits: [{ amount: '1' }, { amount: '3', transferAccountId: hid.account }],
    })
    const { categoryId, tagIds, payeeId } = await labels('hid')
    const paid = await make('/transaction', {
      ...{ kind: 'expense', accountId: hid.account, date: '2026-01-08', amount: HUGE },
      ...{ description: say('hid', 'paid'), note: say('hid', 'paidNote'), payeeId, tagIds },
      ...{ payeeRaw: say('hid', 'paidRaw'), metadata: { [say('hid', 'paidKey')]: 'x' } },
      location: { lat: 1, lon: 2, name: say('hid', 'paidAt') },
      splits: [
        { amount: String(Number(HUGE) - 2), categoryId },
        { amount: '2', transferAccountId: account },
      ],
    })
    halfSeen.push(paid.id)
    const { whole: gone, parted } = await book('tra', account, HUGE)
    await ask('DELETE', `/transaction/${gone}`)
    await ask('DELETE', `/transaction/${parted}`)
  }
  await labels('own')
  await make('/account-group', {
    name: say('own', 'folder'),
    accountIds: [shr.account, com.account],
  })
  await make('/auth/token', { name: say('own', 'token'), scopes: ['read'] })
  await make('/invite-code', { note: say('own', 'invite') })
  await upload('own', 'loose')
  const address = `${say('own', 'address')}@coffer.test`.toLowerCase()
  await make('/share', { resourceId: shr.account, email: address })
  const { id: group } = await make('/group', { name: say('grp', 'name') })
  await upload('grp', 'statutes', { groupId: group })
  await make(`/group/${group}/invite`, { email: `${say('inv', 'address')}@coffer.test` })
  for (const accountId of [com.account, com.flat, tra.account]) {
    await ask('PUT', `/account/${accountId}/share-group`, { groupId: group, permission: 'view' })
  }
  await ask('DELETE', `/account/${tra.account}`)
  /** A budget with a line over a category of what is on it, and a note wherever one may be. */
  const plan = async (zone: Zone, categoryId: string, more: object = {}) => {
    const budget = await make('/budget', {
      ...{
        name: say(zone, 'budget'),
        note: say(zone, 'budgetNote'),
        mode: 'limit',
        currency: 'EUR',
      },
      ...{ period: { unit: 'month', count: 1, anchor: '2026-01-01' }, startsOn: '2026-01-01' },
      ...more,
    })
    const line = await make(`/budget/${budget.id}/line`, {
      ...{ name: say(zone, 'line'), note: say(zone, 'lineNote'), amount: '1' },
      scope: { kind: 'category', ids: [categoryId] },
    })
    await ask('PATCH', `/budget/${budget.id}/period/2026-01-01`, {
      ...{ note: say(zone, 'periodNote'), lineNotes: { [line.id]: say(zone, 'amountNote') } },
    })
  }
  await plan('pln', hid.categoryId)
  await plan('grp', com.categoryId, { groupId: group })
  await make('/backup', {})

  said.pro.add(owner.email)
  const all = Object.entries(said).flatMap(([zone, words]) =>
    [...words].map((word) => [word.toLowerCase(), zone as Zone] as const),
  )
  const known = new RegExp(`(?:${zones.join('|')})${mark}\\w*|${owner.email}`, 'gi')
  const zoneOf = new Map(all)
  const wordsIn = (text: string) =>
    [...new Set(text.match(known))].map((word): [string, Zone] => {
      const begin = word.slice(0, 3).toLowerCase() as Zone
      return [word, zoneOf.get(word.toLowerCase()) ?? begin]
    })
  return {
    ...{ owner, group, said, wordOf, wordsIn, bill: shr.bill },
    ...{ shared: [shr.account, shr.flat], hidden: hid.account },
    ids: new Map([
      ...(await idsOf(owner, wordsIn)),
      ...[...halfSeen, owner.id].map((id): [string, undefined] => [id, undefined]),
      [group, 'grp'],
    ]),
  }
}

/** The ids of all rows that name the owner, each with the zone of the texts beside it. */
async function idsOf(
  owner: TestUser,
  wordsIn: Household['wordsIn'],
): Promise<Map<string, Zone | undefined>> {
  const lines = Object.values(await dump()).flat()
  const log = await rows<{ id: string }>('SELECT id FROM log_entries WHERE owner_id = ?', owner.id)
  const records = log.map(({ id }): [string, undefined] => [id, undefined])
  const own = lines
    .filter((line) => line.includes(owner.id))
    .flatMap((line): [string, Zone | undefined][] => {
      const { id } = JSON.parse(line) as { id?: string }
      return id?.match(ID) ? [[id, wordsIn(line)[0]?.[1]]] : []
    })
  return new Map([...own, ...records])
}
