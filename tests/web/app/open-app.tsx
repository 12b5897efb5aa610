import { cleanup, render } from '@testing-library/react'
import { vi } from 'vitest'
import { fakeApi, noOtherTabs } from '../lib/fake-api.ts'

const CAPTCHA = { data: { content: 'data:image/png;base64,AA==', uniqid: 'u1' } }

/** Loads the whole application at an address, as a document does: modules, bootstrap, router. */
export async function openApp(address: string, handlers: Parameters<typeof fakeApi>[0]) {
  cleanup()
  sessionStorage.clear()
  noOtherTabs()
  vi.stubGlobal('scrollTo', () => {}) // jsdom scrolls nothing
  history.replaceState(null, '', address)
  const api = fakeApi({
    'login/refresh': { code: 2003, msg: '请先登录' },
    'login/logout': {},
    'verify/code': CAPTCHA,
    'router/traffic_ticket': { code: 403, msg: 'x' },
    ...handlers,
  })
  vi.resetModules()
  const { bootstrap } = await import('#app/bootstrap.ts')
  const { App, startRouter } = await import('#app/app.tsx')
  const { navigation } = await import('#lib/navigation.ts')
  const { toastStore } = await import('#lib/toast/toast.ts')
  const assign = vi.spyOn(navigation, 'assign').mockImplementation(() => {})
  const reload = vi.spyOn(navigation, 'reload').mockImplementation(() => {})
  const toasts = () => toastStore.get().map(({ text, detail }) => [text, detail])
  await bootstrap()
  const firstToasts = toasts()
  const router = startRouter(address)
  render(<App router={router} />)
  return {
    api,
    router,
    assign,
    reload,
    address: () => location.pathname + location.search,
    toasts,
    /** Shown before any page was. */
    firstToasts,
  }
}
