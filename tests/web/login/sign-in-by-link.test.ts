import { beforeEach, expect, it, vi } from 'vitest'
import { aSession } from '../lib/a-user.ts'
import { fakeApi, noOtherTabs } from '../lib/fake-api.ts'

async function arriveAt(address: string, handlers: Parameters<typeof fakeApi>[0]) {
  history.replaceState(null, '', address)
  const api = fakeApi({ 'login/refresh': { code: 2003, msg: '请先登录' }, 'login/logout': {}, ...handlers })
  vi.resetModules()
  const { arrive, areaStore } = await import('../../../web/app/arrival.ts')
  const { toastStore } = await import('../../../web/lib/toast.ts')
  await arrive()
  return {
    api,
    area: areaStore.get(),
    address: location.pathname + location.search,
    toasts: toastStore.get().map(({ text, detail }) => [text, detail]),
  }
}

beforeEach(() => {
  sessionStorage.clear()
  noOtherTabs()
})

it('exchanges the token once and goes home with 授权成功 (account 4)', async () => {
  const seen: string[] = []
  const page = await arriveAt('/login?token=abc', {
    'login/authorization': () => {
      seen.push(location.search) // gone from the address bar before anything is sent
      return { data: aSession() }
    },
  })
  expect(page).toMatchObject({ area: 'console', address: '/', toasts: [['授权成功', undefined]] })
  expect(page.api.last('login/authorization')?.input).toEqual({ token: 'abc' })
  expect(seen).toEqual([''])
})

it('keeps redirect and other queries', async () => {
  const page = await arriveAt('/login?token=abc&redirect=%2Faccount%3Fx%3D1', {
    'login/authorization': { data: aSession() },
  })
  expect(page.address).toBe('/account?x=1')
})

it('says 授权失败 with the reason, and shows the form', async () => {
  const page = await arriveAt('/login?token=bad&from=mail', {
    'login/authorization': { code: 2003, msg: '授权链接无效或已过期，请重新获取' },
  })
  expect(page).toMatchObject({ area: 'door', address: '/login?from=mail' })
  expect(page.toasts).toEqual([['授权失败', '授权链接无效或已过期，请重新获取']])
})

it('signs out whoever is signed in before it takes the token', async () => {
  const page = await arriveAt('/router/lists?token=abc', {
    'login/refresh': { data: aSession() },
    'login/authorization': { data: aSession({ username: 'demo02' }) },
  })
  const order = page.api.paths().filter((path) => path.startsWith('login/'))
  expect(order).toEqual(['login/refresh', 'login/logout', 'login/authorization'])
  expect(page.area).toBe('console')
})

it.each([
  ['/dashboard', 'door', '/login'],
  ['/router/lists?page=3', 'door', '/login?redirect=%2Frouter%2Flists%3Fpage%3D3'],
  ['/register', 'door', '/register'],
  ['/clause', 'console', '/clause'],
])('anonymous at %s: the %s, at %s', async (address, area, at) => {
  expect(await arriveAt(address, {})).toMatchObject({ area, address: at })
})

it.each([
  ['/login', 'console', '/'],
  ['/account', 'console', '/account'],
])('signed in at %s: the %s, at %s', async (address, area, at) => {
  expect(await arriveAt(address, { 'login/refresh': { data: aSession() } })).toMatchObject({ area, address: at })
})
