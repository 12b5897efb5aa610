import { and, eq } from 'drizzle-orm'
import { authSourceApi } from '#contract/auth-source/index.ts'
import { services } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { nextPhone, setMember } from '../auth-logins.ts'
import { FORMS } from '../auth-sources.ts'
import { SECRET } from '../auth-vendors.ts'
import { disableAccount } from '../clients.ts'
import { db } from '../test-worker.ts'
import { type Scene, type Attack, start, manage, setFlag, deleteMember, meanwhile, midway } from './scene.ts'

const disableAndEnable = async (scene: Scene) => (await manage(scene, 'disable'), manage(scene, 'enable'))
const noService = ({ company }: Scene) =>
  db.delete(services).where(and(eq(services.accountId, company.main.accountId), eq(services.kind, 'software_member')))
const otherSecret = async ({ worker, company }: Scene) =>
  worker.call(authSourceApi.edit, { ...FORMS[company.type], id: company.id, app_secret: SECRET }, company.main.token)

export const CHANGED: readonly Attack[] = [
  ['the source is disabled on the way', 'AUTH_SOURCE_UNAVAILABLE', midway((scene) => manage(scene, 'disable'))],
  ['the source is disabled and enabled on the way', 'AUTH_SOURCE_UNAVAILABLE', midway(disableAndEnable)],
  ['the source is deleted on the way', 'AUTH_REQUEST_BAD', midway((scene) => manage(scene, 'delete'))],
  ['the source is saved anew on the way', 'AUTH_REQUEST_BAD', midway(otherSecret)],
  ['the flag is turned off on the way', 'AUTH_SOURCE_OFF', midway((scene) => setFlag(scene, 0))],
  [
    'the flag is turned off and on on the way',
    'AUTH_SOURCE_OFF',
    midway(async (scene) => (await setFlag(scene, 0), setFlag(scene, 1))),
  ],
  [
    'the account is disabled on the way',
    'AUTH_SOURCE_UNAVAILABLE',
    midway(({ company }) => disableAccount(company.main.accountId)),
  ],
  ['the source is disabled before the poll', 'AUTH_SOURCE_UNAVAILABLE', meanwhile((scene) => manage(scene, 'disable'))],
  ['the source is disabled and enabled before the poll', 'AUTH_SOURCE_UNAVAILABLE', meanwhile(disableAndEnable)],
  ['the source is deleted before the poll', 'AUTH_REQUEST_BAD', meanwhile((scene) => manage(scene, 'delete'))],
  ['the flag is turned off before the poll', 'AUTH_SOURCE_OFF', meanwhile((scene) => setFlag(scene, 0))],
  [
    'the account is disabled before the poll',
    'MEMBER_ACCOUNT_DISABLED',
    meanwhile(({ company }) => disableAccount(company.main.accountId)),
  ],
  [
    'the member is disabled before the poll',
    'MEMBER_DISABLED',
    meanwhile(({ company }) => setMember(company.member.id, { status: 0 })),
  ],
  ['the member is deleted before the poll', 'AUTH_REQUEST_BAD', meanwhile(deleteMember)],
  [
    'the member is deleted, and its id given to another',
    'AUTH_REQUEST_BAD',
    meanwhile(async (scene) => {
      await deleteMember(scene)
      const next = await scene.company.addMember(nextPhone())
      await db.update(routers).set({ id: scene.company.member.id }).where(eq(routers.id, next.id))
    }),
  ],
  ['the service of software members has ended', 'MEMBER_SERVICE_EXPIRED', meanwhile(noService)],
  [
    'a start at a disabled source',
    'AUTH_SOURCE_UNAVAILABLE',
    async (scene) => (await manage(scene, 'disable'), start(scene, {})),
  ],
  ['a start without the flag', 'AUTH_SOURCE_OFF', async (scene) => (await setFlag(scene, 0), start(scene, {}))],
  [
    'a start at a disabled account',
    'AUTH_CODE_UNKNOWN',
    async (scene) => (await disableAccount(scene.company.main.accountId), start(scene, {})),
  ],
]
