import { eq } from 'drizzle-orm'
import { type AuthSourceType, authSourceApi } from '#contract/auth-source/index.ts'
import type { VendorIdentity } from '#contract/auth-source/vendor.ts'
import { clientApi } from '#contract/client/index.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { opsApi } from '#contract/ops/index.ts'
import { authRequests } from '#db/schema/auth-sources.ts'
import {
  type Company,
  ORIGIN,
  begin,
  challengeOf,
  comeBack,
  createCompany,
  createLoginWorker,
  newVerifier,
  openCallback as openPage,
  personOf,
} from '../auth-logins.ts'
import { nextAddress } from '../identity.ts'
import { type Answer, call as callWorker, db } from '../test-worker.ts'
import { routerApi } from '#contract/router/index.ts'

export interface Scene {
  readonly worker: ReturnType<typeof createLoginWorker>
  readonly company: Company
  readonly login: Awaited<ReturnType<typeof begin>>
  readonly person: VendorIdentity
  /** The person authorizes at the vendor; what the browser then comes back with. */
  authorize(over?: Partial<VendorIdentity>): { readonly code: string; readonly state: string; readonly to: URL }
  /** The browser opens the callback with this, and the person confirms; resolves to the last page. */
  openCallback(back: { readonly code: string; readonly state: string; readonly to: URL }): Promise<string>
  /** The browser opens the callback from the client's own address; resolves to the page that it shows. */
  openOnly(back: { readonly code: string; readonly state: string; readonly to: URL }): Promise<string>
  /** Authorizes, opens the callback and confirms; the member is found. */
  match(): Promise<string>
}

export async function createScene(type: AuthSourceType): Promise<Scene> {
  const worker = createLoginWorker()
  const company = await createCompany(worker, type)
  const login = await begin(worker, company)
  const person = personOf(company)
  const authorize: Scene['authorize'] = (over = {}) => worker.vendors.authorize(login.url, { ...person, ...over })
  const openCallback: Scene['openCallback'] = (given) => comeBack(worker, given, login.ip)
  const openOnly: Scene['openOnly'] = (given) => openPage(worker, given, login.ip)
  return { worker, company, login, person, authorize, openCallback, openOnly, match: () => openCallback(authorize()) }
}

type Refused = Pick<Answer<unknown>, 'code' | 'reason' | 'data'>
/** Name, reason of the refusal and last step of a forged sign-in; `pending`: the client waits in vain. */
export type Attack = readonly [name: string, expected: ErrorKey | 'pending', attack: (scene: Scene) => Promise<Refused>]

export const expire = (id: string) => db.update(authRequests).set({ expiresAt: 1 }).where(eq(authRequests.id, id))
export const start = ({ worker, company }: Scene, over: object) =>
  worker.call(
    clientApi.authStart,
    { source_code: company.code, type: company.type, challenge: challengeOf(newVerifier()), ...over },
    { ip: nextAddress() },
  )
export const poll = ({ worker, login }: Scene, request_id: string, verifier: string) =>
  worker.call(clientApi.authToken, { request_id, verifier }, { ip: login.ip })
export const otherCompany = ({ worker, company }: Scene) => createCompany(worker, company.type)
export const manage = ({ worker, company }: Scene, action: 'disable' | 'enable' | 'delete') =>
  worker.call(authSourceApi[action], { id: company.id }, company.main.token)
export const setFlag = ({ company }: Scene, software_auth_source: 0 | 1) =>
  callWorker(opsApi.setAccountFlags, { account: company.main.username, software_auth_source })
export const deleteMember = ({ company }: Scene) =>
  callWorker(routerApi.delete, { router_name: company.member.name }, company.main.token)
export const anotherState = async ({ worker, company }: Scene) =>
  new URL((await begin(worker, company)).url).searchParams.get('state') ?? ''

export const confirm = ({ worker }: Scene, token: string, answer: string) =>
  worker.request('/auth/confirm', {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ token, answer })}`,
  })

/** The person comes back as this. */
export const asPerson =
  (over: Partial<VendorIdentity>, before: (scene: Scene) => Promise<unknown> = async () => null) =>
  async (scene: Scene) => {
    await before(scene)
    await scene.openCallback(scene.authorize(over))
    return scene.login.poll()
  }

/** Makes a change between the user's sign-in and the poll. */
export const meanwhile = (change: (scene: Scene) => Promise<unknown>) => async (scene: Scene) => {
  await scene.match()
  await change(scene)
  return scene.login.poll()
}
/** Makes a change while the user is at the vendor. */
export const midway = (change: (scene: Scene) => Promise<unknown>) => async (scene: Scene) => {
  const back = scene.authorize()
  await change(scene)
  await scene.openCallback(back)
  return scene.login.poll()
}
