import { expect, it, vi } from 'vitest'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi, noOtherTabs } from '../lib/fake-api.ts'

const ADDRESSES = ['/login', '/', '/dashboard', '/account/message?page=2', '/network/lists', '/router/lists']
const RUNS = 20
const REFUSED = { code: 2003, msg: '授权链接无效或已过期，请重新获取' }

/** Uniform in [0, 1), the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

/** A server that works off each call, and answers it, after some turns of the event loop; its cookie is the browser's. */
function slowServer(random: () => number, owner: string | null) {
  let [cookie, uses] = [owner, 0]
  const pause = async () => {
    for (let turns = Math.floor(random() * 40); turns > 0; turns--) await Promise.resolve()
  }
  const call = (work: () => object) => async () => {
    await pause()
    const answer = work()
    await pause()
    return answer
  }
  const api = fakeApi({
    'login/refresh': call(() =>
      cookie === null ? { code: 2003, msg: '请先登录' } : { data: createSession({ username: cookie }) },
    ),
    'login/logout': call(() => {
      cookie = null
      return {}
    }),
    'login/authorization': call(() => {
      if (uses++ > 0) return REFUSED
      cookie = 'demo01'
      return { data: createSession({ username: 'demo01' }) }
    }),
  })
  return { api, cookie: () => cookie }
}

async function openLink(address: string, owner: string | null, seed: number) {
  sessionStorage.clear()
  noOtherTabs()
  history.replaceState(null, '', `${address}${address.includes('?') ? '&' : '?'}token=abc`)
  const server = slowServer(seeded(seed), owner)
  vi.resetModules()
  const { bootstrap } = await import('#app/bootstrap.ts')
  const { guardRoute } = await import('#app/guard.ts')
  const { toAccess } = await import('#app/pages.ts')
  const { knownSession, toGrants } = await import('#lib/session/session.ts')
  const { toastStore } = await import('#lib/toast/toast.ts')
  await bootstrap()
  const session = await knownSession()
  const { pathname, search } = location
  const user = session.status === 'signed-in' ? session.user : null
  return {
    cookie: server.cookie(),
    user: user?.username,
    guard: guardRoute({ pathname, search, access: toAccess(pathname), grants: user && toGrants(user) }).kind,
    toasts: toastStore.get().map(({ text }) => text),
    tokens: server.api.paths().filter((path) => path === 'login/authorization').length,
    hasToken: search.includes('token'),
  }
}

it.each(ADDRESSES.flatMap((address) => [null, 'demo02'].map((owner) => [address, owner] as const)))(
  `a link opened on %s by %s signs in, in ${RUNS} orders of the answers`,
  async (address, owner) => {
    for (let run = 1; run <= RUNS; run++) {
      expect(await openLink(address, owner, run * 7_919)).toEqual({
        cookie: 'demo01',
        user: 'demo01',
        guard: 'allow',
        toasts: ['授权成功'],
        tokens: 1,
        hasToken: false,
      })
    }
  },
)
