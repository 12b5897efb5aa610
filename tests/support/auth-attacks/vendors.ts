import { eq } from 'drizzle-orm'
import { authSourceApi } from '#contract/auth-source/index.ts'
import { insertDomain } from '#features/ldap/sql/config.ts'
import { authBindings, authSources } from '#db/schema/auth-sources.ts'
import { begin, nextPhone, setMember, signInAs } from '../auth-logins.ts'
import { FORMS } from '../auth-sources.ts'
import { db } from '../test-worker.ts'
import { type Scene, type Attack, asPerson, midway } from './scene.ts'

const SILENT = { areaCode: '', phone: '' }
const linkIn = (page: string) => /<a href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** A code that was issued for another request of the same application, put behind the own state (RFC 9700, 4.5). */
const injectCode = async (scene: Scene) => {
  const theirs = await begin(scene.worker, scene.company)
  const { code } = scene.worker.vendors.authorize(theirs.url, scene.person)
  await scene.openOnly({ ...scene.authorize(), code })
  return scene.login.poll()
}
const INJECTED = 'a code of another request, which nobody confirms'

/** WeCom's second authorization and its bindings. */
export const WECHAT: readonly Attack[] = [
  [INJECTED, 'pending', injectCode],
  ['a person of another corporation', 'AUTH_MEMBER_OUTSIDER', asPerson({ tenant: 'ww-other' })],
  [
    'a second authorization by somebody else',
    'AUTH_LOGIN_CROSSED',
    async (scene) => {
      const link = linkIn(await scene.openCallback(scene.authorize(SILENT)))
      await scene.openCallback(scene.worker.vendors.authorize(link, { ...scene.person, userId: 'lisi' }))
      return scene.login.poll()
    },
  ],
  [
    'the first state again beside the second',
    'pending',
    async (scene) => {
      const first = scene.authorize(SILENT)
      await scene.openCallback(first)
      await scene.openCallback({ ...scene.authorize(), state: first.state })
      return scene.login.poll()
    },
  ],
  [
    'the second state twice',
    'AUTH_LOGIN_DENIED',
    async (scene) => {
      const link = linkIn(await scene.openCallback(scene.authorize(SILENT)))
      const back = scene.worker.vendors.authorize(link, scene.person)
      await scene.openCallback({ ...back, code: '' })
      await scene.openCallback(back)
      return scene.login.poll()
    },
  ],
  [
    'no phone in the application either',
    'AUTH_PHONE_NEEDED',
    async (scene) => {
      const link = linkIn(await scene.openCallback(scene.authorize(SILENT)))
      await scene.openCallback(scene.worker.vendors.authorize(link, { ...scene.person, ...SILENT }))
      return scene.login.poll()
    },
  ],
  ...(
    [
      ['whose member is disabled', ({ company }) => setMember(company.member.id, { status: 0 })],
      ['whose member has another phone', ({ company }) => setMember(company.member.id, { phone: nextPhone() })],
      ['of another corporation', () => db.update(authBindings).set({ tenant: 'ww-other' })],
      ['of another person', () => db.update(authBindings).set({ userId: 'lisi' })],
    ] as readonly (readonly [string, (scene: Scene) => Promise<unknown>])[]
  ).map(([name, change]): Attack => [
    `a binding ${name}`,
    'pending',
    async (scene) => {
      await signInAs(scene.worker, scene.company, scene.person)
      await change(scene)
      await scene.openCallback(scene.authorize(SILENT))
      return scene.login.poll()
    },
  ]),
  [
    'a callback domain that is set on the way',
    'AUTH_REQUEST_BAD',
    midway(async ({ worker, company }) => {
      const auth_domain = `sso${company.id}.acme.com`
      await insertDomain(db, company.main.accountId, auth_domain, Date.now())
      const file = { file_name: 'WW_verify_abcdefgh.txt', file_content: 'abcdefgh' }
      const form = { ...FORMS.wechat, ...file, id: company.id, app_secret: '', auth_domain }
      await worker.call(authSourceApi.edit, form, company.main.token)
    }),
  ],
]

/** A tenant that only a sign-in tells. */
export const FEISHU: readonly Attack[] = [
  ['a code of another request', 'AUTH_VENDOR_REFUSED', injectCode],
  [
    'a person of another tenant than the first',
    'AUTH_MEMBER_OUTSIDER',
    asPerson({ tenant: 'tenant-02' }, (scene) => signInAs(scene.worker, scene.company, scene.person)),
  ],
  [
    'a person without a tenant',
    'AUTH_MEMBER_OUTSIDER',
    asPerson({ tenant: '' }, (scene) => signInAs(scene.worker, scene.company, scene.person)),
  ],
  [
    'another tenant, recorded between the read and the write',
    'AUTH_MEMBER_OUTSIDER',
    async (scene) => {
      const { feishu } = scene.worker.vendors.authVendors
      const { identify } = feishu
      Object.assign(feishu, {
        identify: async (...args: Parameters<typeof identify>) => {
          await db.update(authSources).set({ tenant: 'tenant-02' }).where(eq(authSources.id, scene.company.id))
          return identify(...args)
        },
      })
      await scene.match()
      return scene.login.poll()
    },
  ],
  ['no phone', 'AUTH_PHONE_NEEDED', asPerson(SILENT)],
]
export const DINGTALK: readonly Attack[] = [
  [INJECTED, 'pending', injectCode],
  ['a person of another organisation', 'AUTH_MEMBER_OUTSIDER', asPerson({ tenant: 'ding-other' })],
  ['no phone', 'AUTH_PHONE_NEEDED', asPerson(SILENT)],
]
