import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import type { UserInfo } from '#contract/account/user-info.ts'
import { openPage } from '#tests/web/network/open-page.tsx'

/** A form on a page or in a dialog, in one of its states. */
export interface FormCase {
  readonly page: () => ReactElement
  /** Replies of the API. */
  readonly handlers?: object
  /** Start values of the form in place of its own. */
  readonly start?: object
  readonly user?: Partial<UserInfo>
  readonly address?: string
  /** Leads from the first form of the page to this state. */
  readonly reach?: () => Promise<unknown>
}

/** The same form in several states, by a word for each. */
export const inStates = (name: string, states: Readonly<Record<string, FormCase>>) =>
  Object.entries(states).map(([state, opened]) => [`${name}, ${state}`, opened] as const)

const COMMON = {
  'router/lists': { data: [], count: 0 },
  'country/lists': { data: [] },
  'network/select': { data: [] },
  'verify/code': { data: { content: 'data:image/png;base64,AA==', uniqid: 'u1' } },
}

export async function openForm({ page, handlers = {}, address = '/page', user = {}, reach }: FormCase): Promise<void> {
  openPage(page(), address, { ...COMMON, ...handlers }, user)
  await submitButton()
  await reach?.()
}

/** Button that sends the form on the page. */
export async function submitButton(): Promise<HTMLElement> {
  return waitFor(() => {
    const button = document.querySelector<HTMLElement>('form button[type="submit"]')
    if (button === null) throw new Error('no form is shown')
    return button
  })
}

/** Fills in the fields with these labels. */
export async function fillIn(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const name = new RegExp(`^${label}`)
    fireEvent.change(await screen.findByLabelText(name, { selector: 'input' }), { target: { value } })
  }
}

/** Sends the form, and waits for the step with this label. */
export async function proceed(label: string): Promise<void> {
  fireEvent.click(await submitButton())
  await screen.findByLabelText(new RegExp(`^${label}`), { selector: 'input' })
}
