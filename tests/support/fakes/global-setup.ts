import type { TestProject } from 'vitest/node'
import { startOpenssl } from './openssl.ts'
import { startSinks } from './sinks.ts'
import { startTestFakes } from './start.ts'
import { FAKES_USERS, type FakesUser } from './users.ts'

type Fakes = Pick<Awaited<ReturnType<typeof startTestFakes>>, 'url' | 'bindings' | 'ports'>

declare module 'vitest' {
  interface ProvidedContext {
    fakes: Readonly<Record<FakesUser, Fakes>>
    openssl: { readonly url: string }
    sinks: { readonly url: string; readonly host: string; readonly port: number }
  }
}

/** Starts the fakes of outside services for tests inside workerd, which reach them over real sockets. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await Promise.all(FAKES_USERS.map(async (user) => [user, await startTestFakes()] as const))
  const toProvided = ({ url, bindings, ports }: Fakes): Fakes => ({ url, bindings, ports })
  const provided = started.map(([user, fakes]) => [user, toProvided(fakes)] as const)
  project.provide('fakes', Object.fromEntries(provided) as Record<FakesUser, Fakes>)
  const { close, ...sinks } = await startSinks()
  project.provide('sinks', sinks)
  const openssl = await startOpenssl()
  project.provide('openssl', { url: openssl.url })
  return async () => {
    await Promise.all([close(), openssl.close(), ...started.map(([, fakes]) => fakes.close())])
  }
}
