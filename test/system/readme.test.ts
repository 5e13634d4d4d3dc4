import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { startService } from '../support/releases.ts'

/** The shell blocks of a text, each with the answer that stands right below it. */
function stepsIn(section: string): { script: string; answer: string | undefined }[] {
  const blocks = [...section.matchAll(/```(sh|json)\n(.*?)```/gs)]
  return blocks.flatMap(([, language, text = ''], at) => {
    const next = blocks[at + 1]
    const answer = next?.[1] === 'json' ? next[2] : undefined
    return language === 'sh' ? [{ script: text, answer }] : []
  })
}

/** What is shown must be there; a text that ends in … shows only how it begins. */
function likely(shown: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    return expect.stringMatching(new RegExp(`^${shown.slice(0, -1)}`))
  }
  if (Array.isArray(shown)) {
    return shown.map(likely)
  }
  if (typeof shown === 'object' && shown !== null) {
    const fields = Object.entries(shown).map(([key, value]) => [key, likely(value)])
    return expect.objectContaining(Object.fromEntries(fields))
  }
  return shown
}

it.each([
  ['README.md', 3],
  ['docs/quick-start.md', 10],
  ['docs/guides/household.md', 19],
  ['docs/guides/clients.md', 9],
  ['docs/guides/change-feed.md', 3],
  ['docs/guides/budgets.md', 6],
])('runs %s, which answers as it is written', async (path, answers) => {
  const text = readFileSync(inProject(path), 'utf8')
  // The README also says how to start the service, which runs already.
  const steps = stepsIn(text.split('\n## The first five minutes\n')[1] ?? text)
  expect(steps.filter(({ answer }) => answer)).toHaveLength(answers)
  const service = await startService({ variables: { REGISTRATION: 'open' } })
  try {
    const script = steps.map((step) => step.script).join('\necho; echo "--- next"\n')
    const { stdout } = await promisify(execFile)('bash', [
      '-euc',
      `token=; unset TMPDIR\n${script.replace('http://localhost:8888', service.url)}`,
    ])
    const said = stdout.split('--- next').map((text) => text.trim())
    steps.forEach(({ answer }, at) => {
      if (answer) {
        expect(JSON.parse(said[at] ?? ''), steps[at]?.script).toEqual(likely(JSON.parse(answer)))
      }
    })
  } finally {
    await service.stop()
  }
})
