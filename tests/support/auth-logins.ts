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

/** A client that has begun to sign in. */
export async function begin(worker: AuthWorker, company: Pick<Company, 'code' | 'type'>, ip = nextAddress()) {
  const verifier = newVerifier()
  const { data, ...answer } = await worker.call(
    clientApi.authStart,
    { source_code: company.code, type: company.type, challenge: challengeOf(verifier), os: 'linux', version: '1.2.3' },
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
export async function comeBack(
  worker: AuthWorker,
  { code, state, to }: { readonly code: string; readonly state: string; readonly to: URL },
  ip: string,
  param = 'code',
): Promise<string> {
  const query = new URLSearchParams({ [param]: code, state })
  const response = await worker.request(`//${to.host}${to.pathname}?${query}`, { headers: { 'cf-connecting-ip': ip } })
  return response.text()
}

/** The whole way of a person: the first poll after it. */
export async function signInAs(worker: AuthWorker, company: Company, person: VendorIdentity) {
  const login = await begin(worker, company)
  const page = await comeBack(worker, worker.vendors.authorize(login.url, person), login.ip)
  return { login, page, answer: await login.poll() }
}

export const setMember = (id: number, over: Partial<typeof routers.$inferInsert>) =>
  db.update(routers).set(over).where(eq(routers.id, id))
