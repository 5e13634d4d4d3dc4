import { setTimeout as wait } from 'node:timers/promises'

// Somebody who uses a service over HTTP, wherever it runs.

export interface Restore {
  id: string
  state: string
  contentHash: string | null
  idMap: { from: string; to: string }[]
  error: { code: string } | null
}

interface Backup {
  id: string
  state: string
  manifest: { contentHash: string } | null
}

export class Person {
  url = ''
  #token = ''
  id = ''

  async #send(method: string, path: string, body?: object, headers = {}): Promise<Response> {
    const isFile = body instanceof Uint8Array
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        'Content-Type': isFile ? 'application/octet-stream' : 'application/json',
        ...(this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${(await answer.text()).slice(0, 300)}`)
    }
    return answer
  }

  async ask<Body>(method: string, path: string, body?: object, headers = {}): Promise<Body> {
    const answer = await this.#send(method, path, body, headers)
    return answer.status === 204 ? (undefined as Body) : (answer.json() as Promise<Body>)
  }

  async signIn(email: string, password: string): Promise<void> {
    const said = { email, password }
    const { accessToken } = await this.ask<{ accessToken: string }>(
      ...(['POST', '/auth/v2/login', said] as const),
    )
    this.#token = accessToken
    this.id = (await this.ask<{ id: string }>('GET', '/user/profile')).id
  }

  async signUp(name: string): Promise<void> {
    const said = { email: `${name}@coffer.test`, password: 'only for this one test', name }
    const { accessToken } = await this.ask<{ accessToken: string }>('POST', '/auth/register', said)
    this.#token = accessToken
    this.id = (await this.ask<{ id: string }>('GET', '/user/profile')).id
  }

  async backUp(): Promise<Backup> {
    const { id } = await this.ask<Backup>('POST', '/backup')
    for (;;) {
      const found = await this.ask<Backup>('GET', `/backup/${id}`)
      if (found.state === 'ready') {
        return found
      }
      if (found.state === 'failed') {
        throw new Error('the backup failed')
      }
      await wait(50)
    }
  }

  async download({ id }: Backup): Promise<Uint8Array> {
    const answer = await this.#send('GET', `/backup/${id}/download`)
    return new Uint8Array(await answer.arrayBuffer())
  }

  /** Restores, asking again as long as nobody answers, until the restore has ended or the service is down. */
  async restore(
    archive: Uint8Array,
    key: string,
    isUp: () => boolean = () => true,
  ): Promise<Restore | undefined> {
    let id = ''
    while (isUp()) {
      try {
        if (id === '') {
          const headers = { 'Idempotency-Key': key }
          id = (await this.ask<Restore>('POST', '/backup/restore', archive, headers)).id
        }
        const found = await this.ask<Restore>('GET', `/backup/restore/${id}`)
        if (found.state === 'done' || found.state === 'failed') {
          return found
        }
      } catch (error) {
        if (isUp()) {
          throw error
        }
      }
      await wait(50)
    }
    return undefined
  }
}
