import { readFileSync } from 'node:fs'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Arrivals } from './arrivals.ts'
import { FAKE_KEYS } from './keys.ts'

const inFakes = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
/** Self-made, for localhost, until the year 2126; whoever is to trust it names it in NODE_EXTRA_CA_CERTS. */
const CERTIFICATE = { cert: inFakes('localhost-cert.pem'), key: inFakes('localhost-key.pem') }
const STRANGER = { cert: inFakes('stranger-cert.pem'), key: inFakes('stranger-key.pem') }

export interface SmtpOptions {
  readonly security: 'tls' | 'starttls'
  /** A certificate that is as good as ours, but named nowhere. */
  readonly isUntrusted?: boolean
  readonly authMethods?: readonly string[]
}

/** A real SMTP server on loopback that asks for name and password and keeps each mail, parsed. Modes: auth, sender, recipient, busy, timeout. */
export async function startSmtp(arrivals: Arrivals, options: SmtpOptions) {
  const { security, isUntrusted = false, authMethods = ['PLAIN', 'LOGIN'] } = options
  const fail = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code })
  const isMode = (mode: string) => arrivals.mode('smtp') === mode
  const settings: SMTPServerOptions = {
    ...(isUntrusted ? STRANGER : CERTIFICATE),
    secure: security === 'tls',
    authMethods: [...authMethods],
    logger: false,
    onAuth: ({ username, password }, _, done) => {
      const isRight = username === FAKE_KEYS.SMTP_USERNAME && password === FAKE_KEYS.SMTP_PASSWORD
      if (isRight && !isMode('auth')) return done(null, { user: username })
      return done(fail(535, `5.7.8 authentication failed for ${username}`))
    },
    onMailFrom: (_, __, done) => {
      if (!isMode('timeout')) done(isMode('sender') ? fail(550, '5.7.1 sender not allowed') : null)
    },
    onRcptTo: ({ address }, _, done) =>
      done(isMode('recipient') ? fail(550, `5.1.1 <${address}>: user unknown`) : null),
    onData: (stream, { envelope, secure }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => void keep(Buffer.concat(chunks)))
      const keep = async (raw: Buffer) => {
        if (isMode('busy')) return done(fail(451, '4.3.2 try again later'))
        const mail = await PostalMime.parse(raw)
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        const detail = {
          from,
          recipients: to,
          sender: mail.from,
          subject: mail.subject,
          html: mail.html,
          headers: mail.headers,
          isEncrypted: secure,
          raw: raw.toString('latin1'),
        }
        arrivals.add({ at: 'smtp', to: to.join(), text: mail.text ?? '', detail, answer: '250' })
        done()
      }
    },
  }
  const server = new SMTPServer(settings)
  server.on('error', () => {}) // a client that does not trust the certificate hangs up
  const port = await listen(server.server)
  return { port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** A server that says exactly this, line by line as commands come; nothing more behind the last. */
export async function startScripted(lines: readonly string[]) {
  const server = createServer((socket) => {
    const rest = [...lines]
    const next = () => {
      const line = rest.shift()
      if (line !== undefined && line !== '') socket.write(line)
    }
    socket.on('data', next)
    socket.on('error', () => {})
    next()
  })
  const port = await listen(server)
  return { port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
