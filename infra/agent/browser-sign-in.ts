import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { clientApi } from '#contract/client/index.ts'
import { Refused, pollAuth, readSources, startAuth } from './client-api.ts'
import type { ClientLine } from './client-options.ts'

type Source = Output<typeof clientApi.authSource>[number]

/** Device facts that the client sends about itself. */
interface Device {
  readonly os: 'linux'
  readonly version: string
  readonly capabilities: string[]
}

/**
 * Signs in with a browser: prints the address, and polls until the person has been there. The verifier never leaves this
 * process before the session is fetched with it.
 */
export async function signInByBrowser(
  { server, authSource, authType }: ClientLine,
  device: Device,
  print: (line: string) => void,
): Promise<Output<typeof clientApi.refresh>> {
  const { id, type } = chooseSource(await readSources(server, authSource), authType)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const started = await startAuth(server, { source_code: authSource, type, id, challenge, ...device })
  print(`open this address in a browser and sign in, within ${Math.round(started.expires_in / 60)} minutes:`)
  print(started.url)
  const until = Date.now() + started.expires_in * 1_000
  for (;;) {
    await sleep(started.interval * 1_000)
    const found = await pollAuth(server, { request_id: started.request_id, verifier }).catch((error: unknown) => {
      if (error instanceof Refused || Date.now() > until) throw error // a lost connection is tried again
      return null
    })
    if (found?.session) return found.session
  }
}

/** The only source, or the one that is asked for. Throws with the choice. */
function chooseSource(sources: readonly Source[], wanted: string): Source {
  const fitting = sources.filter(({ id, type }) => wanted === '' || wanted === type || wanted === String(id))
  const [source, ...others] = fitting
  if (source && others.length === 0) return source
  const choice = (source ? fitting : sources).map(({ id, type, name }) => `${id} (${type}, ${name})`).join(', ')
  throw new Error(
    choice === '' ? 'the account has no auth source that is enabled' : `choose one with --auth-type: ${choice}`,
  )
}
