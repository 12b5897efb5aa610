import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { loginApi } from '#contract/login/index.ts'
import { siteApi } from '#contract/site/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { outboxItem } from '#infra/local/api.ts'
import { type Finding, inRounds, median, p99, print, timed } from './report.ts'
import type { Stack } from './stack.ts'

const SIGN_INS = 64
const ADDRESSES = 3
const ALONE = 5
const POLLERS = 4
const APART_MS = 1_500 // a visitor's hash keeps the next one waiting
const BUDGET = 2

interface Attempt {
  readonly address: string
  readonly body: string
}

/** Bench of password hashing: 64 wrong sign-ins at once from three addresses, and the wait of others, in hashes. */
export async function benchHashing({ origin }: Stack): Promise<readonly Finding[]> {
  const findings = await inRounds((round) => measureRound(origin, round))
  return print(`${SIGN_INS} sign-ins at once`, findings)
}

async function measureRound(origin: string, round: number): Promise<readonly Finding[]> {
  const alone: number[] = []
  for (let i = 0; i < ALONE; i++) {
    const attempt = await prepare(origin, `10.66.${round}.9`)
    alone.push((await signIn(origin, attempt)).ms)
    await sleep(APART_MS)
  }
  const hashMs = median(alone)
  const attempts: Attempt[] = []
  for (let i = 0; i < SIGN_INS; i++) attempts.push(await prepare(origin, `10.67.${round}.${i % ADDRESSES}`))

  const waits: number[] = []
  let isOver = false
  const poll = async () => {
    while (!isOver) waits.push((await timed(() => ask(`${origin}/api/v1/${siteApi.config.path}`))).ms)
  }
  const pollers = Array.from({ length: POLLERS }, poll)
  const answers = await Promise.all(attempts.map((attempt) => signIn(origin, attempt)))
  isOver = true
  await Promise.all(pollers)

  const busy = answers.filter(({ result }) => result.status === 429).length
  return [
    { what: 'one sign-in alone', value: hashMs, unit: 'ms', note: 'a hash, and the rest of the call' },
    { what: 'site/config, median', value: median(waits), unit: 'ms', note: `${waits.length} calls` },
    { what: 'site/config, longest', value: Math.max(...waits), unit: 'ms' },
    {
      what: 'site/config, p99',
      value: p99(waits) / hashMs,
      unit: 'hashes',
      budget: BUDGET,
      must: 'stay below',
      note: `${p99(waits).toFixed(0)} ms`,
    },
    { what: 'sign-ins hashed', value: SIGN_INS - busy, unit: '', note: `${busy} refused with 429` },
    { what: 'last sign-in answered after', value: Math.max(...answers.map(({ ms }) => ms)), unit: 'ms' },
  ]
}

/** Prepares a sign-in, with a captcha read from the outbox. */
async function prepare(origin: string, address: string): Promise<Attempt> {
  const { body } = await ask(`${origin}/api/v1/${verifyApi.code.path}`, { headers: { 'cf-connecting-ip': address } })
  const { uniqid } = (body as { data: { uniqid: string } }).data
  const { code } = await outboxItem(origin, 'captcha', { uniqid })
  const username = `nobody${randomBytes(6).toString('hex')}`
  return { address, body: JSON.stringify({ username, password: 'Weilai26', code, uniqid }) }
}

const signIn = (origin: string, { address, body }: Attempt) =>
  timed(() =>
    ask(`${origin}/api/v1/${loginApi.account.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cf-connecting-ip': address },
      body,
    }),
  )

async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init)
  return { status: response.status, body: (await response.json()) as unknown }
}
