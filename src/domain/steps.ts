/** Work that computes for long, in steps: whoever runs it can do something else between two of them. */
export type Steps<Result> = Generator<undefined, Result>

/** The items of one step. */
const STEP_ITEMS = 1000

/** Makes a function that ends a step with each thousandth of its calls. */
export function stepCounter(): () => Steps<void> {
  let calls = 0
  return function* () {
    calls += 1
    if (calls % STEP_ITEMS === 0) {
      yield
    }
  }
}

/** Visits items, a thousand in each step. */
export function* forEachInSteps<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => void,
): Steps<void> {
  let visited = 0
  for (const item of items) {
    visit(item)
    visited += 1
    if (visited % STEP_ITEMS === 0) {
      yield
    }
  }
}

/** The results for all items, a thousand in each step. */
export function* flatMapInSteps<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => readonly Made[],
): Steps<Made[]> {
  const all: Made[] = []
  yield* forEachInSteps(items, (item) => {
    for (const made of make(item)) {
      all.push(made)
    }
  })
  return all
}

/** The items that fulfil a condition, looked for in steps. */
export function* filterInSteps<Item>(
  items: Iterable<Item>,
  holds: (item: Item) => boolean,
): Steps<Item[]> {
  const all: Item[] = []
  yield* forEachInSteps(items, (item) => {
    if (holds(item)) {
      all.push(item)
    }
  })
  return all
}

/** Runs all steps without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) {
      return value
    }
  }
}
