import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { SIGNED_IN_COOKIE } from '#contract/login/limits.ts'
import { loginApi } from '#contract/login/index.ts'
import { signInForm } from '#infra/demo/load.ts'
import { callEndpoint } from './api.ts'
import { findChromium } from './chromium.ts'

/* Uses pages of the console in Chromium, for benches and screenshots. */

export const VIEWPORT = { width: 1440, height: 900 }

type UseContext = <T>(use: (context: BrowserContext) => Promise<T>) => Promise<T>

/** Browser contexts without cache, each closed after its use; `signedIn` is that of demo01. */
interface Consoles {
  readonly anonymous: UseContext
  readonly signedIn: UseContext
}

export async function withConsoles<T>(
  baseURL: string,
  run: (consoles: Consoles) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> {
  const args = ['--no-sandbox', '--disable-gpu']
  const browser = await chromium.launch({ executablePath: await findChromium(), args })
  const anonymous: UseContext = async (use) => {
    const context = await browser.newContext({ baseURL, viewport: VIEWPORT, ...options })
    return use(context).finally(() => context.close())
  }
  try {
    const cookie = await refreshCookie(baseURL)
    const url = `${baseURL}/api/v1/login`
    const signedIn: UseContext = (use) =>
      anonymous(async (context) => {
        await context.addCookies([
          { ...cookie, url },
          { name: SIGNED_IN_COOKIE, value: '1', url: baseURL },
        ])
        return use(context).finally(async () => {
          const newest = (await context.cookies(url)).find(({ name }) => name === cookie.name)
          cookie.value = newest?.value ?? cookie.value // each page rotates it
        })
      })
    return await run({ anonymous, signedIn })
  } finally {
    await browser.close()
  }
}

/** Signs in to the demo; returns the refresh cookie. */
async function refreshCookie(origin: string) {
  let header = ''
  await callEndpoint(origin, '/api/v1', loginApi.account, await signInForm(origin, 'demo01'), '', (headers) => {
    header = headers.get('set-cookie') ?? ''
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
  return { name, value }
}
