import { Arrivals } from './arrivals.ts'
import { FAKE_KEYS, FAKE_SENDERS } from './keys.ts'
import { startRelay } from './sign-in/relay.ts'
import { signInBindings, startFakeServer } from './server.ts'
import { startScripted, startSmtp } from './smtp.ts'

/** All fakes, and the Worker's variables that lead to them: mail by SMTP over TLS, SMS by Alibaba Cloud, robots, webhooks. */
export async function startFakes(port = 0) {
  const arrivals = new Arrivals()
  const http = await startFakeServer(arrivals, port)
  const tls = await startSmtp(arrivals, { security: 'tls' })
  return {
    url: http.url,
    arrivals,
    bindings: {
      ...http.bindings,
      ...FAKE_KEYS,
      ...FAKE_SENDERS,
      MAIL_PROVIDER: 'smtp',
      SMS_PROVIDER: 'aliyun',
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(tls.port),
      SMTP_SECURITY: 'tls',
    },
    close: async () => {
      await Promise.all([http.close(), tls.close()])
    },
  }
}

/** Robots and the receivers of webhooks alone. */
export async function startRobots(port = 0) {
  const { url, bindings, close } = await startFakeServer(new Arrivals(), port)
  return { url, bindings, close: async () => void (await close()) }
}

/** The vendors of sign-in alone: their pages ask who is signing in. */
export async function startSignIn(port = 0) {
  const { url, close } = await startFakeServer(new Arrivals(), port)
  return { url, bindings: signInBindings(url), close: async () => void (await close()) }
}

/** The same with servers that tests of SMTP need beside the right one. */
export async function startTestFakes() {
  const fakes = await startFakes()
  const { arrivals } = fakes
  const GREETING = '220 scripted ESMTP\r\n'
  const servers = {
    relay: await startRelay(fakes.url),
    starttls: await startSmtp(arrivals, { security: 'starttls' }),
    login: await startSmtp(arrivals, { security: 'tls', authMethods: ['LOGIN'] }),
    untrusted: await startSmtp(arrivals, { security: 'tls', isUntrusted: true }),
    untrustedStarttls: await startSmtp(arrivals, { security: 'starttls', isUntrusted: true }),
    silent: await startScripted([]),
    babbling: await startScripted([GREETING, '250 '.padEnd(40_000, 'x')]),
    noStarttls: await startScripted([GREETING, '250-scripted\r\n250 SIZE 1000\r\n']),
    injecting: await startScripted([
      GREETING,
      '250-scripted\r\n250 STARTTLS\r\n',
      '220 go ahead\r\n250-injected\r\n250 AUTH PLAIN\r\n',
    ]),
  }
  const ports = Object.fromEntries(Object.entries(servers).map(([name, { port }]) => [name, port])) as {
    [K in keyof typeof servers]: number
  }
  return {
    ...fakes,
    ports,
    close: async () => {
      await Promise.all([fakes.close(), ...Object.values(servers).map((server) => server.close())])
    },
  }
}
