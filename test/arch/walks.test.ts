import { readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import {
  executedIn,
  faultsOf,
  figuresOf,
  filesInTable,
  tableOf,
} from '../../scripts/lib/walk-figures.ts'

const ROOT = 'file:///coffer/'

/** What V8 says of a file: its top level, which was counted, too, and functions with their counts. */
const script = (file: string, counts: Record<string, number>): Profiler.ScriptCoverage => {
  const covered = (functionName: string, startOffset: number, count: number) => ({
    ...{ functionName, isBlockCoverage: false },
    ranges: [{ startOffset, endOffset: 1000, count }],
  })
  const functions = Object.entries(counts).map(([name, count], at) => covered(name, at, count))
  return { scriptId: '1', url: ROOT + file, functions: [covered('', 0, 1), ...functions] }
}

describe('what a walk executes', () => {
  it('is the functions of src that were called', () => {
    const executed = executedIn(
      [
        script('src/domain/money.ts', { sum: 2, negate: 0, parseMoney: 1 }),
        script('src/domain/ids.ts', { newId: 0 }),
        script('src/app.ts', { createApp: 0, '': 1 }),
        script('scripts/lib/walks.ts', { walksOn: 1 }),
        script('node_modules/hono/src/hono.ts', { fetch: 1 }),
      ],
      ROOT,
    )
    expect([...executed]).toEqual([
      ['src/domain/money.ts', ['sum', 'parseMoney']],
      ['src/app.ts', ['']],
    ])
    expect(figuresOf(executed)).toEqual({ files: 2, functions: 3 })
  })
})

describe('the figures of a walk', () => {
  const recorded = { files: 80, functions: 400 }

  it('may grow by a tenth and shrink by any amount', () => {
    expect(faultsOf('GET /tag', { files: 88, functions: 440 }, recorded)).toEqual([])
    expect(faultsOf('GET /tag', { files: 1, functions: 1 }, recorded)).toEqual([])
  })

  it('fail when they grow by more than a tenth, each with a sentence that says what to do', () => {
    const [ofFiles = '', ...others] = faultsOf('GET /tag', { files: 89, functions: 440 }, recorded)
    expect(others).toEqual([])
    expect(ofFiles).toContain('GET /tag executes 89 files, more than 10 % above the recorded 80.')
    expect(ofFiles).toContain("npm run walks -- --list 'GET /tag'")
    expect(ofFiles).toContain('npm run walks -- --record')

    const both = faultsOf('GET /tag', { files: 89, functions: 441 }, recorded)
    expect(both).toHaveLength(2)
    expect(both[1]).toContain('executes 441 functions, more than 10 % above the recorded 400.')
  })

  it('fail when none are recorded', () => {
    expect(faultsOf('GET /tag', recorded, undefined)).toEqual([
      'GET /tag has no recorded figures. Record them with: npm run walks -- --record',
    ])
  })

  it('are printed beside the recorded ones', () => {
    const table = tableOf({ 'GET /tag': recorded, 'GET /job': recorded }, { 'GET /tag': recorded })
    expect(table.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['Walk', 'Files', 'Functions', 'Recorded'],
      ['GET /tag', '80', '400', '80 and 400'],
      ['GET /job', '80', '400', '- and -'],
    ])
  })
})

describe('the files that a page names', () => {
  const page =
    'Read\nthem:\n\n| File | Does |\n|---|---|\n| `a/b.ts` | adds `c.ts` |\n\n| `d.ts` |\n\n'

  it('are those at the beginning of the rows of the table below a text', () => {
    expect(filesInTable(page, 'Read')).toEqual(['src/a/b.ts'])
    expect(filesInTable(page, 'Write')).toEqual([])
  })

  it('are found in the page about the architecture', () => {
    const architecture = readFileSync(inProject('docs/architecture.md'), 'utf8')
    expect(filesInTable(architecture, 'To understand `POST /transaction`').length).toBeGreaterThan(
      9,
    )
  })
})
