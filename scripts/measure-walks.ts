/**
 * `npm run walks`: how many files and functions of `src` each walk executes, beside the figures in `scripts/walks.json`. It fails if
 * one has grown by more than a tenth. `-- --record` stores the figures as they are now. `-- --list 'GET /account'` prints the
 * functions of one walk by their files.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openMemoryService } from './lib/memory-service.ts'
import { inProject } from './lib/project.ts'
import {
  type Executed,
  executedIn,
  faultsOf,
  type Figures,
  figuresOf,
  filesInTable,
  tableOf,
} from './lib/walk-figures.ts'
import { type Walk, walksOn } from './lib/walks.ts'

const RECORDED = inProject('scripts/walks.json')
const ROOT = pathToFileURL(inProject('/')).href

/** A first request also fills caches, compiles statements and loads what is imported on demand. */
const WARM_UPS = 2

/** The page that tells in which order to read the files of a walk. It must name only files that the walk executes. */
const GUIDE = {
  page: 'docs/architecture.md',
  text: 'To understand `POST /transaction`',
  walk: 'POST /transaction',
}

const { record = false, list } = parseArgs({
  options: { record: { type: 'boolean' }, list: { type: 'string' } },
}).values

const executed = await measureAll()
const found = Object.fromEntries([...executed].map(([walk, files]) => [walk, figuresOf(files)]))
if (record) {
  writeFileSync(RECORDED, `${JSON.stringify(found, null, 2)}\n`)
}
const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, Figures>
console.log(tableOf(found, recorded))
if (list !== undefined) {
  printFunctions(list)
}
const faults = [
  ...Object.entries(found).flatMap(([walk, figures]) => faultsOf(walk, figures, recorded[walk])),
  ...faultsOfGuide(),
]
for (const fault of faults) {
  console.error(fault)
}
process.exitCode = faults.length === 0 ? 0 : 1

async function measureAll(): Promise<Map<string, Executed>> {
  const service = await openMemoryService()
  const v8 = new Session()
  v8.connect()
  await v8.post('Profiler.enable')
  await v8.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  /** Counts since the last call of this function. */
  const takeCounts = async () => (await v8.post('Profiler.takePreciseCoverage')).result

  const execute = async ({ prepare, withTasks = false }: Walk) => {
    const call = await prepare()
    await service.runTasks()
    await takeCounts()
    await service.send(call)
    if (withTasks) {
      await service.runTasks()
    }
    return executedIn(await takeCounts(), ROOT)
  }

  const all = new Map<string, Executed>()
  try {
    for (const walk of await walksOn(service)) {
      for (let times = 0; times <= WARM_UPS; times++) {
        all.set(walk.name, await execute(walk))
      }
    }
  } finally {
    v8.disconnect()
    service.close()
  }
  return all
}

function printFunctions(walk: string): void {
  const files = executed.get(walk)
  if (!files) {
    throw new Error(`There is no walk ${walk}. Name one of: ${[...executed.keys()].join(', ')}`)
  }
  for (const [file, names] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${file}: ${names.map((name) => name || '(anonymous)').join(', ')}`)
  }
}

function faultsOfGuide(): string[] {
  const { page, text, walk } = GUIDE
  const named = filesInTable(readFileSync(inProject(page), 'utf8'), text)
  return named.length === 0
    ? [`${page} has no table of files below the text: ${text}`]
    : named
        .filter((file) => !executed.get(walk)?.has(file))
        .map((file) => `${page} names ${file}, which ${walk} does not execute. Correct the table.`)
}
