import { LargeSet } from '../large-map.ts'
import { filterInSteps, flatMapInSteps, forEachInSteps, stepCounter, type Steps } from '../steps.ts'

/** One side of a pairing. Items of one group are the same for the pairing, and paired in order. */
export interface PairingSide<Item> {
  items: readonly Item[]
  /** Only items of one bucket can be a pair. */
  bucket: (item: Item) => string
  /** A day number. */
  day: (item: Item) => number
  /** Items of one group have the same score with everything. */
  group: (item: Item) => string
  /** Items that are the same in date, amount and text are no alternatives for each other. */
  likeness: (item: Item) => string
}

export interface Pairing<Left, Right> {
  /** The most days that the right one may be before the left one, and after it. */
  before: number
  after: number
  /** In thousandths; pairs below `floor` are none. */
  score: (left: Left, right: Right) => number
  floor: number
  /** True if an alternative with its score makes a pair doubtful. */
  isRival: (pair: Scored<Left, Right>, rival: Scored<Left, Right>) => boolean
  /** The score that a pair needs. */
  least: number
  /** True if doubtful pairs are taken nevertheless. */
  takesDoubtful: boolean
}

export interface Scored<Left, Right> {
  left: Left
  right: Right
  score: number
}

export interface Pair<Left, Right> extends Scored<Left, Right> {
  isTaken: boolean
  isDoubtful: boolean
}

/** More alternatives than this tell nothing: the left item is paired with none of them, and they with none. */
const MOST_ALTERNATIVES = 100
/** The groups and links of one step. */
const STEP_GROUPS = 500
/** The bound on the work of one pairing: how many possible pairs are scored. */
const MOST_PAIRS = 2_000_000
/** The bound on the work of one bucket: how often its pairs are compared with rivals. Beyond it, all are in doubt. */
const mostRivals = (pairs: number): number => 50_000 + 5 * pairs

interface Group<Item> {
  items: Item[]
  day: number
  likeness: string
  /** The position of its first item. */
  order: number
  /** The number of items that are in no taken pair. */
  free: number
}

/** Two groups that may be paired. */
interface Link<Left, Right> {
  from: Group<Left>
  to: Group<Right>
  score: number
  /** The number of items that are paired; 0 where the link is not taken. */
  count: number
  isDoubtful: boolean
}

/**
 * Pairs items, best pairs first, each item once. A pair is doubtful where another possible pair of one of its items is a
 * rival, unless the other item of that rival is in a taken pair itself. The work grows with the number of possible pairs,
 * which is bounded.
 */
export function* pairUp<Left, Right>(
  lefts: PairingSide<Left>,
  rights: PairingSide<Right>,
  pairing: Pairing<Left, Right>,
): Steps<Pair<Left, Right>[]> {
  // Most items are alone in their bucket, and need no more than that.
  const wanted = new LargeSet<string>()
  yield* forEachInSteps(rights.items, (item) => wanted.add(rights.bucket(item)))
  const leftBuckets = yield* groupsOf(lefts, wanted)
  const rightBuckets = yield* groupsOf(rights, leftBuckets)
  const left = { pairs: MOST_PAIRS }
  let isDone = 0
  const pairs: Pair<Left, Right>[] = []
  for (const [bucket, groups] of leftBuckets) {
    const links = yield* linksOf(
      [...groups.values()],
      rightBuckets.get(bucket) as Map<string, Group<Right>>,
      pairing,
      left,
    )
    yield* take(links, pairing)
    yield* forEachInSteps(yield* pairsOf(links), (pair) => void pairs.push(pair))
    isDone += groups.size + links.length
    if (isDone >= STEP_GROUPS) {
      isDone = 0
      yield
    }
  }
  return pairs
}

/** The groups of each bucket that the other side has, too. */
function* groupsOf<Item>(
  { items, bucket: bucketOf, day, group, likeness }: PairingSide<Item>,
  wanted: { has: (bucket: string) => boolean },
): Steps<Map<string, Map<string, Group<Item>>>> {
  const buckets = new Map<string, Map<string, Group<Item>>>()
  yield* forEachInSteps(items.entries(), ([order, item]) => {
    const bucket = bucketOf(item)
    if (wanted.has(bucket)) {
      const groups = buckets.get(bucket) ?? new Map<string, Group<Item>>()
      buckets.set(bucket, groups)
      const key = group(item)
      const same = groups.get(key) ?? {
        ...{ items: [], day: day(item), likeness: likeness(item), order, free: 0 },
      }
      groups.set(key, same)
      same.free = same.items.push(item)
    }
  })
  return buckets
}

/**
 * The possible pairs of groups, best first.
 * @param left how many pairs may be scored, which this reduces
 */
function* linksOf<Left, Right>(
  lefts: Group<Left>[],
  rightGroups: ReadonlyMap<string, Group<Right>>,
  { before, after, score, floor }: Pairing<Left, Right>,
  left: { pairs: number },
): Steps<Link<Left, Right>[]> {
  const rights = [...rightGroups.values()].toSorted((a, b) => a.day - b.day)
  const reaches = lefts.map((from) => {
    const start = firstFrom(rights, dayOf, from.day - before)
    return { from, start, end: firstFrom(rights, dayOf, from.day + after + 1) }
  })
  const isClear = clearOf(reaches, rights.length)
  const possible = reaches.filter(({ start, end }) => end - start <= MOST_ALTERNATIVES)
  const total = possible.reduce((sum, { start, end }) => sum + end - start, 0)
  if (total > left.pairs) {
    return []
  }
  left.pairs -= total
  const found: Link<Left, Right>[] = []
  const step = stepCounter()
  for (const { from, start, end } of possible) {
    const reached = rights.slice(start, end).filter((_, index) => isClear(start + index))
    for (const to of reached.toSorted((a, b) => a.order - b.order)) {
      const link = { from, to, score: score(first(from), first(to)), count: 0, isDoubtful: false }
      if (link.score >= floor) {
        found.push(link)
      }
      yield* step()
    }
  }
  // Sorting all of them would take long in one go. The groups come in their order, so those of one score do, too.
  const byScore = yield* groupInSteps(found, (link) => link.score)
  const inOrder = [...byScore].toSorted(([a], [b]) => b - a)
  const links: Link<Left, Right>[] = []
  for (const [, same] of inOrder) {
    yield* forEachInSteps(same, (link) => void links.push(link))
  }
  return links
}

/** Tells the right groups, by their position, that no left group with too many alternatives reaches. */
function clearOf(reaches: { start: number; end: number }[], length: number) {
  const steps = new Int32Array(length + 1)
  for (const { start, end } of reaches) {
    if (end - start > MOST_ALTERNATIVES) {
      steps[start] = (steps[start] as number) + 1
      steps[end] = (steps[end] as number) - 1
    }
  }
  let depth = 0
  const depths = steps.map((step) => (depth += step))
  return (position: number) => depths[position] === 0
}

const dayOf = ({ day }: { day: number }) => day

/** The first position at which a sorted list has this value or more. */
export function firstFrom<Item>(
  sorted: readonly Item[],
  valueOf: (item: Item) => number,
  least: number,
): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (valueOf(sorted[middle] as Item) < least) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}

/** Takes the best links, and then gives up those that are doubtful, until none is. */
function* take<Left, Right>(
  links: Link<Left, Right>[],
  pairing: Pairing<Left, Right>,
): Steps<void> {
  const left = { rivals: mostRivals(links.length) }
  const step = stepCounter()
  const ofLeft = yield* groupInSteps(links, ({ from }) => from)
  const ofRight = yield* groupInSteps(links, ({ to }) => to)
  const likely = yield* filterInSteps(links, ({ score }) => score >= pairing.least)
  yield* forEachInSteps(likely, (link) => move(link, Math.min(link.from.free, link.to.free)))
  const open = yield* filterInSteps(likely, ({ count }) => count > 0)
  const takenLeft = yield* groupInSteps(open, ({ from }) => from)
  const takenRight = yield* groupInSteps(open, ({ to }) => to)
  const linksOfLeft = (from: Group<Left>) => ofLeft.get(from) as Link<Left, Right>[]
  const linksOfRight = (to: Group<Right>) => ofRight.get(to) as Link<Left, Right>[]
  const isRival = (link: Link<Left, Right>, rival: Link<Left, Right>, isOpen: boolean) =>
    --left.rivals < 0 || (isOpen && pairing.isRival(scored(link), scored(rival)))
  const isDoubtful = (link: Link<Left, Right>) =>
    linksOfLeft(link.from).some((rival) => isRival(link, rival, isFree(rival.to, link.to))) ||
    linksOfRight(link.to).some((rival) => isRival(link, rival, isFree(rival.from, link.from)))
  if (pairing.takesDoubtful) {
    for (const link of open) {
      link.isDoubtful = isDoubtful(link)
      yield* step()
    }
    return
  }
  // Giving up a link frees its items, which may be rivals of their neighbours then.
  const lookAgain = (neighbours: readonly Link<Left, Right>[] = []) => {
    left.rivals -= neighbours.length + 1
    for (const neighbour of left.rivals < 0 ? [] : neighbours) {
      open.push(neighbour)
    }
  }
  for (let link = open.pop(); link !== undefined && left.rivals >= 0; link = open.pop()) {
    yield* step()
    if (link.count > 0 && isDoubtful(link)) {
      move(link, -link.count)
      for (const { to } of linksOfLeft(link.from)) {
        lookAgain(takenRight.get(to))
      }
      for (const { from } of linksOfRight(link.to)) {
        lookAgain(takenLeft.get(from))
      }
    }
  }
  yield* forEachInSteps(left.rivals < 0 ? likely : [], (link) => move(link, -link.count))
}

/** Lists of links by one of their groups. */
function* groupInSteps<Left, Right, Key>(
  links: readonly Link<Left, Right>[],
  keyOf: (link: Link<Left, Right>) => Key,
): Steps<Map<Key, Link<Left, Right>[]>> {
  const groups = new Map<Key, Link<Left, Right>[]>()
  yield* forEachInSteps(links, (link) => {
    const known = groups.get(keyOf(link)) ?? []
    groups.set(keyOf(link), known)
    known.push(link)
  })
  return groups
}

function move(link: Link<unknown, unknown>, count: number) {
  link.count += count
  link.from.free -= count
  link.to.free -= count
}

/** Tells whether a group has items left, and they are not the same as those of the other one. */
const isFree = (group: Group<unknown>, other: Group<unknown>) =>
  group.free > 0 && group.likeness !== other.likeness

const first = <Item>({ items }: Group<Item>): Item => items[0] as Item

const scored = <Left, Right>({ from, to, score }: Link<Left, Right>): Scored<Left, Right> => ({
  left: first(from),
  right: first(to),
  score,
})

/** The pairs of items: first those that are taken, then the best that is left for the others. */
function* pairsOf<Left, Right>(links: Link<Left, Right>[]): Steps<Pair<Left, Right>[]> {
  const used = new Map<unknown, number>()
  const next = (group: Group<unknown>) => used.get(group) ?? 0
  const taken = yield* flatMapInSteps(links, ({ from, to, score, count, isDoubtful }) => {
    const [left, right] = [next(from), next(to)]
    used.set(from, left + count)
    used.set(to, right + count)
    return Array.from({ length: count }, (_, index) => ({
      left: from.items[left + index] as Left,
      right: to.items[right + index] as Right,
      score,
      isTaken: true,
      isDoubtful,
    }))
  })
  const others = yield* flatMapInSteps(links, ({ from, to, score }) => {
    if (from.free === 0 || to.free === 0) {
      return []
    }
    const lefts = from.items.slice(next(from))
    const start = next(to)
    // Only the best one that is left.
    from.free = 0
    return lefts.map((left, index) => ({
      left,
      right: to.items[start + (index % (to.items.length - start))] as Right,
      score,
      isTaken: false,
      isDoubtful: true,
    }))
  })
  return taken.concat(others)
}

/** Returns the pairs, in their order, that share no item with an earlier one. */
export function disjointPairs<Found>(
  pairs: readonly Found[],
  itemsOf: (pair: Found) => readonly unknown[],
): Steps<Found[]> {
  const used = new Set<unknown>()
  return filterInSteps(pairs, (pair) => {
    const items = itemsOf(pair)
    const isFree = items.every((item) => !used.has(item))
    for (const item of isFree ? items : []) {
      used.add(item)
    }
    return isFree
  })
}
