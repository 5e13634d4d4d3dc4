import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { printerOf } from '../../src/hosts/node/output.ts'

it('prints the lines of one turn at once, in their order', async () => {
  const written: string[] = []
  const output = new PassThrough({ encoding: 'utf8' })
  output.on('data', (text: string) => written.push(text))
  const print = printerOf(output)
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

it('lets the process go on when nobody takes its lines any more', async () => {
  const script = `import { printerOf } from ${JSON.stringify(inProject('src/hosts/node/output.ts'))}
    const print = printerOf(process.stdout)
    print('the first line')
    process.stdin.once('data', () => {
      print('a line for nobody')
      setTimeout(() => process.exit(5), 100)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await once(child.stdout, 'close')
  child.stdin.write('go on')
  expect(await once(child, 'exit')).toEqual([5, null])
})
