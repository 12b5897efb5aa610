import type { MailPort, OutgoingMail } from '#contract/kernel/outside.ts'
import { within } from '#db/concurrency.ts'
import { EHLO_NAME, PROVIDER } from '#contract/kernel/limits.ts'
import { isMailbox } from '#domain/mail/compose.ts'
import { displayName } from '#domain/site/brand.ts'
import { randomHex, toBase64 } from '#security/secrets.ts'
import { DeliveryError, misconfigured } from './delivery-error.ts'
import { toMime } from './mime.ts'
import { mailSender } from './senders.ts'
import { SmtpSession, type SmtpSocket } from './smtp-session.ts'

/* Mail by SMTP over a TCP socket. */

/** Type of `connect` of `cloudflare:sockets`. */
export type Connect = (
  address: { readonly hostname: string; readonly port: number },
  options: { readonly secureTransport: 'on' | 'off' | 'starttls'; readonly allowHalfOpen: false },
) => SmtpSocket

type Security = 'tls' | 'starttls' | 'none'

interface Settings {
  readonly hostname: string
  readonly port: number
  readonly security: Security
  readonly username: string
  readonly password: string
}

const TRANSPORT = { tls: 'on', starttls: 'starttls', none: 'off' } as const
const encoder = new TextEncoder()
const base64 = (text: string) => toBase64(encoder.encode(text))

/** Creates the port: implicit TLS (465) or STARTTLS (587), one connection per mail. */
export function createSmtpMail(env: Env, connect: Connect): MailPort {
  return {
    async send(to, mail) {
      if (!isMailbox(to)) {
        throw new DeliveryError({ of: 'recipient', isRetryable: false, code: 'ADDRESS', words: 'no mailbox' })
      }
      const from = mailSender(env, mail.host)
      await withSession(readSettings(env), connect, async (session) => {
        await session.command(`MAIL FROM:<${from}>`, [250])
        await session.command(`RCPT TO:<${to}>`, [250, 251], 'recipient')
        await session.command('DATA', [354])
        await session.data(toMessage(from, to, mail))
      })
    },
    check: () => withSession(readSettings(env), connect, async () => {}),
  }
}

function readSettings(env: Env): Settings {
  const {
    SMTP_HOST: hostname,
    SMTP_PORT,
    SMTP_SECURITY,
    SMTP_USERNAME: username = '',
    SMTP_PASSWORD: password = '',
  } = env
  const port = Number(SMTP_PORT ?? 465)
  const security = SMTP_SECURITY ?? (port === 587 ? 'starttls' : 'tls')
  if (!hostname) return misconfigured('SMTP_HOST is not set')
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || port === 25)
    misconfigured('SMTP_PORT must be 465 or 587; the platform blocks 25')
  if (!isSecurity(security)) misconfigured('SMTP_SECURITY must be tls or starttls')
  if (security === 'none' && env.ENVIRONMENT !== 'local') misconfigured('SMTP_SECURITY none is for local runs only')
  return { hostname, port, security, username, password }
}

const isSecurity = (text: string): text is Security => text in TRANSPORT

/** Connects, negotiates TLS, signs in and runs the work. The timer covers all of it, for silent servers. */
async function withSession(
  settings: Settings,
  connect: Connect,
  work: (session: SmtpSession) => Promise<void>,
): Promise<void> {
  const { hostname, port, security, username, password } = settings
  const secrets = [password, base64(password), base64(`\0${username}\0${password}`), username]
  let session: SmtpSession | undefined
  let socket: SmtpSocket | undefined
  const toLate = () => {
    const words = `no answer in ${PROVIDER.timeoutMs / 1000} s`
    return new DeliveryError({ of: 'provider', isRetryable: true, code: 'TIMEOUT', words })
  }
  const run = async () => {
    socket = connect({ hostname, port }, { secureTransport: TRANSPORT[security], allowHalfOpen: false })
    await socket.opened
    session = new SmtpSession(socket, secrets)
    await signIn(session, settings)
    await work(session)
    await session.end()
  }
  try {
    await within(PROVIDER.timeoutMs, run(), toLate)
  } catch (error) {
    const closing = session?.close() ?? socket?.close()
    closing?.catch(() => {}) // closed already
    throw toFailure(error)
  }
}

async function signIn(session: SmtpSession, { security, username, password }: Settings): Promise<void> {
  await session.command(null, [220])
  let { lines } = await session.command(`EHLO ${EHLO_NAME}`, [250])
  if (security === 'starttls') {
    // Without STARTTLS nothing is sent: an attacker in between could hide the offer.
    if (!lines.some((line) => /^STARTTLS$/i.test(line.trim()))) misconfigured('the server offers no STARTTLS')
    await session.command('STARTTLS', [220])
    await session.startTls()
    ;({ lines } = await session.command(`EHLO ${EHLO_NAME}`, [250]))
  }
  if (username === '') return
  const methods = lines.flatMap((line) => /^AUTH[ =](.*)$/i.exec(line.trim())?.[1]?.toUpperCase().split(/\s+/) ?? [])
  if (methods.includes('PLAIN')) {
    await session.command(`AUTH PLAIN ${base64(`\0${username}\0${password}`)}`, [235])
  } else if (methods.includes('LOGIN')) {
    await session.command('AUTH LOGIN', [334])
    await session.command(base64(username), [334])
    await session.command(base64(password), [235])
  } else misconfigured('the server offers neither AUTH PLAIN nor AUTH LOGIN')
}

function toMessage(from: string, to: string, { host, eventId, ...mail }: OutgoingMail): string {
  const id = eventId === undefined ? randomHex(16) : eventId.replace(/[^\w.-]/g, '-')
  return toMime({
    ...mail,
    from: { name: displayName(host), address: from },
    to,
    at: Date.now(),
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    boundary: `=_${randomHex(12)}`,
  })
}

function toFailure(error: unknown): unknown {
  if (error instanceof DeliveryError) return error
  const words = error instanceof Error ? error.message : 'the connection failed'
  return new DeliveryError({ of: 'provider', isRetryable: true, code: 'CONNECTION', words })
}
