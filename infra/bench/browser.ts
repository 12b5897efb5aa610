import { type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '#infra/local/chromium.ts'
import { inRoot } from '#infra/local/paths.ts'
import { refreshCookie } from '#infra/local/refresh-cookie.ts'

/* Runs a measurement of console pages in Chromium. */

const WINDOW = { width: 1440, height: 900 }

type UseContext = <T>(use: (context: BrowserContext) => Promise<T>) => Promise<T>

/** Browser contexts without cache; their pages have `page-probes.js`. */
export interface Consoles {
  readonly anonymous: UseContext
  readonly signedIn: UseContext
}

export async function withConsoles<T>(baseURL: string, measure: (consoles: Consoles) => Promise<T>): Promise<T> {
  const args = ['--no-sandbox', '--disable-gpu']
  const browser = await chromium.launch({ executablePath: await findChromium(), args })
  const anonymous: UseContext = async (use) => {
    const context = await browser.newContext({ baseURL, viewport: WINDOW })
    await context.addInitScript({ path: inRoot('infra/bench/page-probes.js') })
    return use(context).finally(() => context.close())
  }
  try {
    const cookie = await refreshCookie(baseURL)
    const url = `${baseURL}/api/v1/login`
    const signedIn: UseContext = (use) =>
      anonymous(async (context) => {
        await context.addCookies([{ ...cookie(), url }])
        const result = await use(context)
        cookie.keep(await context.cookies(url))
        return result
      })
    return await measure({ anonymous, signedIn })
  } finally {
    await browser.close()
  }
}
