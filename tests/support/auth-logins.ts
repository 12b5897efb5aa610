import { createHash, randomBytes } from 'node:crypto'
import type { AuthSourceType } from '#contract/auth-source/index.ts'
import type { VendorIdentity } from '#contract/auth-source/vendor.ts'
import { authSourceApi } from '#contract/auth-source/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { FORMS, createAuthWorker, createSource } from './auth-sources.ts'
import { createClient, createClients } from './clients.ts'
import type { Caller } from './fixtures.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { eq } from 'drizzle-orm'
import { nextAddress } from './identity.ts'
import { db } from './test-worker.ts'

export const ORIGIN = 'http://localhost'
export type AuthWorker = ReturnType<typeof createAuthWorker>
export const createLoginWorker = (over: Partial<Env> = {}) => createAuthWorker({ LOCAL_ORIGIN: ORIGIN, ...over })

let phones = 0
export const nextPhone = (): string => `139${String(10_000_000 + ++phones).slice(-8)}`

/** A company with one enabled source of the type, and a software member that has a phone. */
export async function createCompany(worker: AuthWorker, type: AuthSourceType = 'wechat') {
  const phone = nextPhone()
  const [member] = await createClients(1, { phone })
  const { main, sign } = member!
  await db.update(accounts).set({ softwareAuthSource: 1 }).where(eq(accounts.id, main.accountId))
  const id = await createSource(worker, main, type)
  const code = (await worker.call(authSourceApi.code, {}, main.token)).data.code
  return { main, sign, member: member!, phone, type, id, code, addMember: (of: string) => addMember(main, sign, of) }
}
export type Company = Awaited<ReturnType<typeof createCompany>>

const addMember = (main: Caller, sign: string, phone: string) => createClient(main, sign, { phone })

/** A person of the company as its vendor tells of them. */
export const personOf = ({ type, phone }: Company, over: Partial<VendorIdentity> = {}): VendorIdentity => ({
  tenant: type === 'wechat' ? FORMS.wechat.app_id! : type === 'dingtalk' ? FORMS.dingtalk.corp_id! : 'tenant-01',
  userId: 'zhangsan',
  areaCode: '86',
  phone,
  ...over,
})

export const newVerifier = (): string => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

export const DEVICE_NAME = '张伟的笔记本'

/** A client that has begun to sign in. */
export async function begin(worker: AuthWorker, company: Pick<Company, 'code' | 'type'>, ip = nextAddress()) {
  const verifier = newVerifier()
  const { data, ...answer } = await worker.call(
    clientApi.authStart,
    {
      source_code: company.code,
      type: company.type,
      challenge: challengeOf(verifier),
      os: 'linux',
      version: '1.2.3',
      device_name: DEVICE_NAME,
    },
    { ip },
  )
  if (data === null) throw new Error(answer.msg)
  const { request_id } = data
  return {
    ...data,
    verifier,
    ip,
    poll: (sent = verifier) => worker.call(clientApi.authToken, { request_id, verifier: sent }, { ip }),
  }
}

/** The browser comes back from the vendor; the page that it shows. */
export async function openCallback(
  worker: AuthWorker,
  { code, state, to }: { readonly code: string; readonly state: string; readonly to: URL },
  ip: string,
  param = 'code',
): Promise<string> {
  const query = new URLSearchParams({ [param]: code, state })
  const response = await worker.request(`//${to.host}${to.pathname}?${query}`, { headers: { 'cf-connecting-ip': ip } })
  return response.text()
}

/** The person answers the page that asks for a confirmation; the page that follows. Another page stays as it is. */
export async function answerPage(
  worker: AuthWorker,
  page: string,
  over: { readonly answer?: string; readonly host?: string; readonly origin?: string } = {},
): Promise<string> {
  const { answer = 'yes', host = new URL(ORIGIN).host } = over
  const { origin = `http://${host}` } = over
  const [, token] = /name="token" value="(\w+)"/.exec(page) ?? []
  if (token === undefined) return page
  const response = await worker.request(`//${host}/auth/confirm`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ token, answer })}`,
  })
  return response.text()
}

/** The browser comes back from the vendor, and the person confirms the client; the last page. */
export const comeBack = async (...[worker, ...back]: Parameters<typeof openCallback>): Promise<string> =>
  answerPage(worker, await openCallback(worker, ...back), { host: back[0].to.host })

/** The whole way of a person: the first poll after it. */
export async function signInAs(worker: AuthWorker, company: Company, person: VendorIdentity) {
  const login = await begin(worker, company)
  const page = await comeBack(worker, worker.vendors.authorize(login.url, person), login.ip)
  return { login, page, answer: await login.poll() }
}

export const setMember = (id: number, over: Partial<typeof routers.$inferInsert>) =>
  db.update(routers).set(over).where(eq(routers.id, id))
