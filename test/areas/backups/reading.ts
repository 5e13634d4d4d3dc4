import { expect } from 'vitest'
import { fetchRaw } from '../../support/api.ts'
import { operations } from '../../support/operations.ts'
import type { TestUser } from '../../support/world.ts'

/** Reads all that a user can read without naming more than ids of what they have; gives it as text. */
export async function readAll(user: TestUser): Promise<string> {
  const reads = operations.filter(
    ({ method, path }) => method === 'get' && !/^\/(?:admin|swagger|events?)\b/.test(path),
  )
  const answers: string[] = []
  const ask = async (path: string) => {
    const headers = { Authorization: `Bearer ${user.accessToken}` }
    const answer = await fetchRaw(path, { headers })
    const body = await answer.text()
    expect(answer.status, `GET ${path}: ${body.slice(0, 300)}`).toBeLessThan(500)
    answers.push(body)
    return body
  }
  for (const { path } of reads.filter((one) => !one.path.includes('{'))) {
    const body = await ask(path)
    const ids = [...new Set(body.match(/(?<="id":")[^"]+/g))].slice(0, 3)
    for (const below of reads.filter((one) =>
      new RegExp(`^${path}/\\{id\\}[^{]*$`).test(one.path),
    )) {
      for (const id of ids) {
        await ask(below.path.replace('{id}', encodeURIComponent(id)))
      }
    }
  }
  return answers.join('\n')
}
