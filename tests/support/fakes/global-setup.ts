import type { TestProject } from 'vitest/node'
import { startTestFakes } from './start.ts'

type Fakes = Awaited<ReturnType<typeof startTestFakes>>

declare module 'vitest' {
  interface ProvidedContext {
    fakes: Pick<Fakes, 'url' | 'bindings' | 'ports'>
  }
}

/** Starts the fakes of outside services for tests inside workerd, which reach them over real sockets. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, bindings, ports, close } = await startTestFakes()
  project.provide('fakes', { url, bindings, ports })
  return close
}
