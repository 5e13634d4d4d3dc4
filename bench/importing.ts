import { setTimeout } from 'node:timers/promises'

export interface Imported {
  id: string
  state: string
  jobId?: string | null
  questions: { key: string; options: string[] }[]
  counts: Record<string, number>
  error?: unknown
}

export type Call = <Body>(method: string, path: string, body?: object | string) => Promise<Body>

/** Somebody with an account. */
export async function newUser(url: string, name: string): Promise<{ call: Call; account: string }> {
  let token = ''
  const call: Call = async <Body>(method: string, path: string, body?: object | string) => {
    const isFile = typeof body === 'string'
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        'Content-Type': isFile ? 'application/octet-stream' : 'application/json',
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    }
    return JSON.parse(text) as Body
  }
  const person = { email: `${name}@coffer.test`, password: 'only for this one run', name }
  token = (await call<{ accessToken: string }>('POST', '/auth/register', person)).accessToken
  const own = { name: 'Checking', type: 'checking', currency: 'EUR' }
  const { id } = await call<{ id: string }>('POST', '/account', own)
  return { call, account: id }
}

/** From the upload until all of it is booked. */
export const importFile = async (call: Call, account: string, file: string): Promise<Imported> =>
  bookImport(call, await readImport(call, account, file))

/** From the upload until the preview. */
export async function readImport(call: Call, account: string, file: string): Promise<Imported> {
  const query = `fileName=bench.csv&accountId=${account}&again=true`
  const found = await call<Imported>('POST', `/import?${query}`, file)
  const read = await untilIn(call, found, 'questions', 'previewed')
  if (read.state === 'previewed') {
    return read
  }
  const answers = read.questions.map(({ key, options }) => [key, options[0]])
  await call('PUT', `/import/${read.id}/mapping`, Object.fromEntries(answers))
  return untilIn(call, read, 'previewed')
}

/** From the commit until all of it is booked. */
export async function bookImport(call: Call, read: Imported): Promise<Imported> {
  await call('POST', `/import/${read.id}/commit`, {})
  return untilIn(call, read, 'done')
}

async function untilIn(call: Call, read: Imported, ...states: string[]): Promise<Imported> {
  let found = read
  while (!states.includes(found.state)) {
    if (['failed', 'cancelled'].includes(found.state)) {
      throw new Error(JSON.stringify(found.error))
    }
    await setTimeout(50)
    found = await call<Imported>('GET', `/import/${found.id}`)
  }
  return found
}
