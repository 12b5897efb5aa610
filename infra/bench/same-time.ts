import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { DEMO_PASSWORD } from '#infra/demo/data.ts'
import { callEndpoint, outboxCode } from '#infra/local/api.ts'
import { type Finding, median, print } from './report.ts'
import type { Stack } from './stack.ts'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'

const NAMES = 200
/** The cheapest calls need more samples for the same signal-to-noise ratio. */
const LOOKUPS = 3
/** The slower median as a multiple of the faster one. */
const BUDGET = 1.1

type Purpose = NonNullable<Input<typeof verifyApi.code>['purpose']>

/** What a stranger can time: steps of recovery, registration and sign-in for names that somebody has and that nobody has. */
export async function benchSameTime(stack: Stack): Promise<readonly Finding[]> {
  await createPeople(stack)
  const visitor = createVisitor(stack.origin)
  const took = new Map<string, Record<'known' | 'unknown', number[]>>()
  for (let n = 0; n < NAMES; n++) {
    // In turns, and each first as often as the other: whatever slows the machine slows both.
    for (const kind of n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      for (const [step, ms] of await walk(visitor, kind === 'known' ? n : n + NAMES)) {
        const times = took.get(step) ?? { known: [], unknown: [] }
        times[kind].push(ms)
        took.set(step, times)
      }
    }
  }
  const findings = [...took].map(([step, { known, unknown }]): Finding => {
    const [a, b] = [median(known), median(unknown)]
    const note = `${a.toFixed(2)} ms known, ${b.toFixed(2)} ms unknown`
    return {
      what: step,
      value: Math.max(a, b) / Math.min(a, b),
      unit: 'ratio',
      budget: BUDGET,
      must: 'stay below',
      note,
    }
  })
  print(`Medians over ${NAMES} known and ${NAMES} unknown names`, findings)
  return findings
}

const toName = (n: number): string => `bench${String(n).padStart(5, '0')}`
/** A sub-account of the nth person. Of those that nobody has, every other one has a suffix that somebody has. */
const toRamName = (n: number): string => (n < NAMES || n % 2 === 0 ? `ram@${toName(n)}` : `nobody@${toName(n - NAMES)}`)
const toPhone = (n: number): string => `1990000${String(n).padStart(4, '0')}`

async function createPeople({ origin, operatorToken }: Stack): Promise<void> {
  for (let n = 0; n < NAMES; n++) {
    const person = { username: toName(n), phone: toPhone(n), nickname: '测试租户', password: DEMO_PASSWORD }
    await callEndpoint(origin, '/ops/v1', opsApi.createAccount, person, operatorToken)
    const ram = { account: toName(n), username: 'ram', nickname: '子账号', password: DEMO_PASSWORD, role: '只读' }
    await callEndpoint(origin, '/ops/v1', opsApi.createRam, { ...ram, flags: [] }, operatorToken)
  }
}

/** One name's steps, with the milliseconds of each. */
async function walk(visitor: ReturnType<typeof createVisitor>, n: number): Promise<(readonly [string, number])[]> {
  const [username, phone] = [toName(n), toPhone(n)]
  const { timed, captcha } = visitor(n)
  const times: (readonly [string, number])[] = []
  const time = async <E extends Endpoint>(spec: E, input: Input<E>, step: string = spec.path) => {
    const { ms, data } = await timed(spec, input)
    times.push([step, ms])
    return data
  }
  let uniqid = ''
  for (let i = 0; i < LOOKUPS; i++) {
    const find = await captcha('find_password')
    const found = await time(verifyApi.findPassword, { username, img_code: find.code, uniqid: find.uniqid })
    uniqid = (found as { uniqid: string }).uniqid
  }
  await time(verifyApi.findPasswordCode, { uniqid, send_type: 'phone' })
  await time(verifyApi.authentication, { uniqid, send_type: 'phone', code: '000000' })

  const register = await captcha('register')
  const to = { send_type: 'phone', send_value: `+86 ${phone}` } as const
  await time(verifyApi.register, { ...to, img_code: register.code, uniqid: register.uniqid })
  const passwords = { password: DEMO_PASSWORD, newPassword: DEMO_PASSWORD }
  const form = { nickname: '测试', username, ...passwords, type: 'phone', verify: `+86 ${phone}` } as const
  await time(accountApi.register, { ...form, code: '000000', uniqid: register.uniqid })

  const login = await captcha('login')
  await time(loginApi.account, { username, password: 'Wrong2026', ...login })

  const ramName = toRamName(n)
  for (let i = 0; i < LOOKUPS; i++) {
    const lookup = await captcha('find_password')
    const named = { username: ramName, img_code: lookup.code, uniqid: lookup.uniqid }
    await time(verifyApi.findPassword, named, `${verifyApi.findPassword.path}, sub-account`)
  }
  for (const spec of [loginApi.ram, loginApi.account]) {
    const ram = await captcha('login')
    const input = { username: ramName, password: 'Wrong2026', ...ram }
    await time(spec, input, spec === loginApi.ram ? spec.path : `${spec.path}, sub-account`)
  }
  return times
}

/** A stranger for each name, with an address of his own: limits of addresses are not what is measured. */
function createVisitor(origin: string) {
  return (n: number) => {
    const ask = async <E extends Endpoint>(spec: E, input: Input<E>) => {
      const query = spec.method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
      const response = await fetch(`${origin}/api/v1/${spec.path}${query}`, {
        method: spec.method,
        headers: { 'content-type': 'application/json', 'cf-connecting-ip': `10.77.${n >> 8}.${n & 255}` },
        ...(spec.method === 'POST' && { body: JSON.stringify(input) }),
      })
      return (await response.json()) as { data: unknown }
    }
    return {
      timed: async <E extends Endpoint>(spec: E, input: Input<E>) => {
        const startedAt = performance.now()
        const { data } = await ask(spec, input)
        return { ms: performance.now() - startedAt, data }
      },
      captcha: async (purpose: Purpose) => {
        const { uniqid } = (await ask(verifyApi.code, { purpose })).data as { uniqid: string }
        return { uniqid, code: await outboxCode(origin, 'captcha', { uniqid }) }
      },
    }
  }
}
