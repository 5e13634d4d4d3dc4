import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { printerOf } from '../../src/hosts/node/output.ts'

it('prints the lines of one turn at once, in their order', async () => {
  const written: string[] = []
  const print = printerOf({ write: (text: string) => written.push(text) > 0 } as never)
  print('one')
  print('two')
  expect(written).toEqual([])
  await new Promise(setImmediate)
  print('three')
  await new Promise(setImmediate)
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

it.each(['process.exit(1)', "throw new Error('fault')"])(
  'prints what is left when the process ends by %s',
  (end) => {
    const script = `import { printerOf } from ${JSON.stringify(inProject('src/hosts/node/output.ts'))}
      printerOf(process.stdout)('the last line')
      ${end}`
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script])
    expect([stdout.toString(), status]).toEqual(['the last line\n', 1])
  },
)
