import { inject } from 'vitest'
import type { Arrival } from './fakes/arrivals.ts'
import type { FakesUser } from './fakes/users.ts'

/** The fakes of outside services that one test file has to itself, from inside workerd: files run at the same time. */
export function openFakes(user: FakesUser) {
  const fakes = inject('fakes')[user]
  const set = async (path: string, body: unknown) => {
    const response = await fetch(`${fakes.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    await response.body?.cancel()
  }
  return {
    fakes,
    /** Messages that a fake received, newest first. */
    async arrived(at: string, to?: string): Promise<readonly Arrival[]> {
      const response = await fetch(`${fakes.url}/arrived?at=${at}`)
      const { items } = await response.json<{ items: readonly Arrival[] }>()
      return items.filter((item) => to === undefined || item.to === to)
    },
    /** Sets the behaviour of fakes until `clearFakes`. */
    setModes: (modes: Readonly<Record<string, string>>): Promise<void> => set('/mode', modes),
    clearFakes: (): Promise<void> => set('/clear', {}),
  }
}
