import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRouter } from './fixtures.ts'
import { type Handlers, openPage } from './open-page.tsx'

export const ADDRESS = '/router/detail?router_name=NL-1'

export const info = (over: Parameters<typeof createRouter>[1] = {}) => ({
  'router/info': { data: createRouter('NL-1', over) },
})

/** The page of NL-1, once it is read. */
export async function open(handlers: Handlers = info(), over: Parameters<typeof openPage>[2] = {}) {
  const page = openPage(ADDRESS, handlers, over)
  await screen.findByRole('heading', { level: 1 })
  return { ...page, user: userEvent.setup() }
}

export const rates = (time: number, down = 8_000_000) => ({ eth0: { down, upload: 4_000_000, time } })
export const chart = (name: string) => screen.getByText(name).closest('.nl-panel') as HTMLElement
export const header = () => within(screen.getByRole('heading', { level: 1 }).closest('header') as HTMLElement)
