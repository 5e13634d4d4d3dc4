import { createTransport } from 'nodemailer'

/** The time that the mail server may take to answer. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/**
 * The mail server of an `SMTP_URL` as the service knows it, `MAIL`: `smtps://` speaks TLS from the first byte, `smtp://`
 * begins it with STARTTLS, without which no mail leaves this machine unless the address ends with `?requireTLS=false`.
 * @throws Error when the address is none
 */
export function openMail(address: string): SendEmail {
  const url = URL.parse(address)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(
      'SMTP_URL must be smtp://user:password@host:port or smtps://user:password@host:port.',
    )
  }
  const requireTLS = url.protocol === 'smtp:' && !LOOPBACK.test(url.hostname)
  const transport = createTransport({ requireTLS, ...PATIENCE, url: address })
  const send = async ({ from, ...mail }: Parameters<SendEmail['send']>[0]) => {
    const { email, name } = from as { email: string; name: string }
    await transport.sendMail({ from: { name, address: email }, ...(mail as object) })
  }
  return { send } as unknown as SendEmail
}
