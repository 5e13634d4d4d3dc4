import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest, first what waits for other processes: begun last, it would leave a processor idle. All others go by the
 * size of their file.
 */
const LONG = [
  ...[
    // Of a project of its own, whose only file would come last.
    'arch/new-area',
    'system/dev-worker',
    'system/first-hour',
    'system/killed-',
    'system/data-',
    'system/node-host',
    'system/',
    'volume/',
  ],
  ...['statements/', 'kills/', 'hosts/demo-', 'areas/backups/foreign-names'],
  ...['areas/sharing/matrix', 'areas/backups/merging', 'areas/audit-log/cutting', 'sweeps/'],
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((part) => moduleId.includes(`/test/${part}`))
  return place < 0 ? LONG.length : place
}

export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const of = new Map(
      files.map((file) => [file, { place: placeOf(file), bytes: statSync(file.moduleId).size }]),
    )
    const none = { place: 0, bytes: 0 }
    const groups = [...Map.groupBy(files, ({ project }) => project.name).values()]
    const sorted = groups.map((group) =>
      group.toSorted((one, other) => {
        const [a, b] = [of.get(one) ?? none, of.get(other) ?? none]
        return a.place - b.place || b.bytes - a.bytes
      }),
    )
    // Those of a project together: a worker of another one has to load everything anew.
    const firstOf = ([file]: TestSpecification[]) => (file ? placeOf(file) : 0)
    return Promise.resolve(sorted.toSorted((a, b) => firstOf(a) - firstOf(b)).flat())
  }
}
