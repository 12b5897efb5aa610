import { eq } from 'drizzle-orm'
import { authRequests } from '#db/schema/auth-sources.ts'
import { begin, challengeOf, newVerifier } from '../auth-logins.ts'
import { db } from '../test-worker.ts'
import { type Scene, type Attack, expire, start, poll, otherCompany, anotherState, confirm } from './scene.ts'

export const FORGED: readonly Attack[] = [
  ...(
    [
      ['no state', () => ''],
      ['a state that was never issued', () => '0'.repeat(32)],
      ['a state in capitals', ({ state }) => state.toUpperCase()],
      ['a state with something behind it', ({ state }) => `${state}0`],
      ['half a state', ({ state }) => state.slice(0, 16)],
      ['a state with a NUL', ({ state }) => `${state}\0`],
      ['the id of the request as state', (_, { login }) => login.request_id],
      ['the challenge as state', (_, { login }) => challengeOf(login.verifier)],
    ] as readonly (readonly [string, (back: { state: string }, scene: Scene) => string])[]
  ).map(([name, forge]): Attack => [
    name,
    'pending',
    async (scene) => {
      const back = scene.authorize()
      await scene.openCallback({ ...back, state: forge(back, scene) })
      return scene.login.poll()
    },
  ]),
  [
    'the stored hash as state',
    'pending',
    async (scene) => {
      const [row] = await db.select().from(authRequests).where(eq(authRequests.id, scene.login.request_id))
      await scene.openCallback({ ...scene.authorize(), state: row!.stateHash })
      return scene.login.poll()
    },
  ],
  [
    'no code',
    'AUTH_LOGIN_DENIED',
    async (scene) => (await scene.openCallback({ ...scene.authorize(), code: '' }), scene.login.poll()),
  ],
  [
    'an endless code',
    'AUTH_LOGIN_DENIED',
    async (scene) => (await scene.openCallback({ ...scene.authorize(), code: 'x'.repeat(3_000) }), scene.login.poll()),
  ],
  [
    'a code that the vendor never issued',
    'AUTH_VENDOR_REFUSED',
    async (scene) => (await scene.openCallback({ ...scene.authorize(), code: 'forged' }), scene.login.poll()),
  ],
  [
    'the person says no at the vendor',
    'AUTH_LOGIN_DENIED',
    async ({ worker, login, authorize }) => {
      await worker.request(`/auth/callback?error=access_denied&state=${authorize().state}`)
      return login.poll()
    },
  ],
  [
    'a vendor that does not answer',
    'AUTH_VENDOR_AWAY',
    async (scene) => ((scene.worker.vendors.state.isAway = true), await scene.match(), scene.login.poll()),
  ],
  ['another verifier', 'AUTH_REQUEST_BAD', async (scene) => (await scene.match(), scene.login.poll(newVerifier()))],
  [
    'the challenge as verifier',
    'AUTH_REQUEST_BAD',
    async (scene) => (await scene.match(), scene.login.poll(challengeOf(scene.login.verifier))),
  ],
  [
    'a verifier that differs in its last character',
    'AUTH_REQUEST_BAD',
    async (scene) => (await scene.match(), scene.login.poll(`${scene.login.verifier.slice(0, -1)}~`)),
  ],
  [
    'a challenge that is the verifier itself',
    'AUTH_REQUEST_BAD',
    async (scene) => {
      const verifier = newVerifier()
      const { data } = await start(scene, { challenge: verifier })
      await scene.openCallback(scene.worker.vendors.authorize(data.url, scene.person))
      return poll(scene, data.request_id, verifier)
    },
  ],
  ['a request that does not exist', 'AUTH_REQUEST_BAD', (scene) => poll(scene, 'x'.repeat(22), scene.login.verifier)],
  [
    'the state as request',
    'AUTH_REQUEST_BAD',
    async (scene) => (await scene.match(), poll(scene, await anotherState(scene), scene.login.verifier)),
  ],
  ['an ID that nobody has', 'AUTH_CODE_UNKNOWN', (scene) => start(scene, { source_code: 'ZZZZ-ZZZZ' })],
  [
    'a source of another account',
    'AUTH_SOURCE_UNAVAILABLE',
    async (scene) => start(scene, { id: (await otherCompany(scene)).id }),
  ],
  [
    'a type that the account does not have',
    'AUTH_SOURCE_UNAVAILABLE',
    (scene) => start(scene, { type: scene.company.type === 'feishu' ? 'dingtalk' : 'feishu' }),
  ],
]

export const REPLAYED: readonly Attack[] = [
  [
    'the state once more after a success, by somebody else',
    'AUTH_REQUEST_BAD',
    async (scene) => {
      const back = scene.authorize()
      await scene.openCallback(back)
      await scene.login.poll()
      await scene.openCallback({ ...scene.authorize(), state: back.state })
      return scene.login.poll()
    },
  ],
  [
    'the state once more after a failure',
    'AUTH_LOGIN_DENIED',
    async (scene) => {
      const back = scene.authorize()
      await scene.openCallback({ ...back, code: '' })
      await scene.openCallback(back)
      return scene.login.poll()
    },
  ],
  [
    'the code of an earlier sign-in',
    'AUTH_VENDOR_REFUSED',
    async (scene) => {
      const first = await begin(scene.worker, scene.company)
      const used = scene.worker.vendors.authorize(first.url, scene.person)
      await scene.openCallback(used)
      await scene.openCallback({ ...scene.authorize(), code: used.code })
      return scene.login.poll()
    },
  ],
  [
    'a second poll for the session',
    'AUTH_REQUEST_BAD',
    async (scene) => (await scene.match(), await scene.login.poll(), scene.login.poll()),
  ],
  [
    'a state that has expired',
    'AUTH_REQUEST_BAD',
    async (scene) => (await expire(scene.login.request_id), await scene.match(), scene.login.poll()),
  ],
  [
    'a session that nobody asked for in time',
    'AUTH_REQUEST_BAD',
    async (scene) => (await scene.match(), await expire(scene.login.request_id), scene.login.poll()),
  ],
  [
    'a confirmation that is given twice',
    'AUTH_LOGIN_CANCELLED',
    async (scene) => {
      const page = await scene.openOnly(scene.authorize())
      const token = /name="token" value="(\w+)"/.exec(page)?.[1] ?? ''
      await confirm(scene, token, 'no')
      await confirm(scene, token, 'yes')
      return scene.login.poll()
    },
  ],
]
