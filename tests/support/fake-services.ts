import { inject } from 'vitest'
import type { Arrival } from './fakes/arrivals.ts'

/** The fakes of outside services, from inside workerd. */
export const fakes = inject('fakes')

/** What arrived at one of them, newest first. */
export async function arrived(at: string, to?: string): Promise<readonly Arrival[]> {
  const response = await fetch(`${fakes.url}/arrived?at=${at}`)
  const { items } = await response.json<{ items: readonly Arrival[] }>()
  return items.filter((item) => to === undefined || item.to === to)
}

const set = async (path: string, body: unknown) => {
  const response = await fetch(`${fakes.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  await response.body?.cancel()
}

/** How fakes behave until `clearFakes`. */
export const setModes = (modes: Readonly<Record<string, string>>): Promise<void> => set('/mode', modes)
export const clearFakes = (): Promise<void> => set('/clear', {})
