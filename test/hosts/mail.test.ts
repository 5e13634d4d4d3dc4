import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { openMail } from '../../src/hosts/node/mail.ts'

interface Received {
  isSecure: boolean
  user: unknown
  from: string
  to: string[]
  text: string
}

const running: SMTPServer[] = []
afterEach(() =>
  Promise.all(
    running.splice(0).map((server) => new Promise<void>((end) => server.close(() => end()))),
  ),
)

/** A mail server on loopback, with the certificate for `localhost` that the package brings. */
async function serve(
  options: SMTPServerOptions = {},
): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    ...options,
    onAuth: ({ username, password }, _, callback) =>
      username === 'coffer' && password === 'p@ss word'
        ? callback(null, { user: username })
        : callback(new Error('wrong')),
    onData: (stream, { envelope, user, secure }, callback) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.once('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ isSecure: secure, user, from, to, text })
        callback()
      })
    },
  })
  server.on('error', () => undefined)
  running.push(server)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return { port: (listening.address() as AddressInfo).port, received }
}

const MAIL = {
  from: { name: 'Coffer', email: 'coffer@home.example' },
  to: 'ada@home.example',
  subject: 'Grüße',
  text: 'Hello.\n.\nA line with one dot stands above.\n',
}
const LOGIN = 'coffer:p%40ss%20word@'
const TRUSTING = '?tls.rejectUnauthorized=false'

describe('a mail', () => {
  it('goes to a server of this machine without TLS', async () => {
    const { port, received } = await serve({ authOptional: true, disabledCommands: ['STARTTLS'] })
    await openMail(`smtp://127.0.0.1:${port}`).send(MAIL)
    expect(received).toMatchObject([
      { isSecure: false, from: 'coffer@home.example', to: ['ada@home.example'] },
    ])
    expect(received[0]?.text).toContain('From: Coffer <coffer@home.example>')
    expect(received[0]?.text).toContain('Subject: =?UTF-8?')
    expect(received[0]?.text).toContain('A line with one dot stands above.')
  })

  it('is encrypted by STARTTLS, and sent by whom the address names', async () => {
    const { port, received } = await serve()
    await openMail(`smtp://${LOGIN}localhost:${port}${TRUSTING}`).send(MAIL)
    expect(received).toMatchObject([{ isSecure: true, user: 'coffer' }])
  })

  it('is encrypted from the first byte with smtps', async () => {
    const { port, received } = await serve({ secure: true })
    await openMail(`smtps://${LOGIN}localhost:${port}${TRUSTING}`).send(MAIL)
    expect(received).toMatchObject([{ isSecure: true, user: 'coffer' }])
  })

  it('is not sent to a server whose certificate nobody vouches for', async () => {
    const { port, received } = await serve({ secure: true })
    const sent = openMail(`smtps://${LOGIN}localhost:${port}`).send(MAIL)
    await expect(sent).rejects.toMatchObject({ code: expect.stringMatching(/ESOCKET|ETLS|CERT/) })
    expect(received).toEqual([])
  })

  // Another spelling of 127.0.0.1, which is not known to be this machine.
  it('is sent to no other machine in the clear, unless the address says so', async () => {
    const { port, received } = await serve({ authOptional: true, disabledCommands: ['STARTTLS'] })
    await expect(openMail(`smtp://0x7f.1:${port}`).send(MAIL)).rejects.toThrow('STARTTLS')
    expect(received).toEqual([])
    await openMail(`smtp://0x7f.1:${port}?requireTLS=false`).send(MAIL)
    expect(received).toHaveLength(1)
  })

  it('is not sent with a wrong password, and the error shows none', async () => {
    const { port } = await serve({ secure: true })
    const sent = openMail(`smtps://coffer:wrongest@localhost:${port}${TRUSTING}`).send(MAIL)
    await expect(sent).rejects.toMatchObject({ code: 'EAUTH' })
    await expect(sent).rejects.not.toMatchObject({ message: expect.stringContaining('wrongest') })
  })

  it('waits for no server that is not there', async () => {
    await expect(openMail('smtp://127.0.0.1:9').send(MAIL)).rejects.toMatchObject({
      code: expect.stringMatching(/ECONN|ESOCKET/),
    })
  })
})

it.each(['mail.home.example', 'http://mail.home.example', 'smtp://', 'smtp:25'])(
  'takes no %j for a server',
  (address) => {
    expect(() => openMail(address)).toThrow('SMTP_URL must be')
  },
)
