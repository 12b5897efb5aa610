import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NetworkEditPage } from '#pages/network/plan/network-edit-page.tsx'
import { openPage } from '../open-page.tsx'
import { candidateApi, type Offered } from './candidate-api.ts'

export const candidate = (
  router_name: string,
  state: Offered['presence']['state'] = 'online',
  lan: string[] = [],
  networks: Offered['networks'] = [],
) => ({
  router_name,
  note: '',
  online: 1,
  presence: { state, since: null, last_seen: null, reason: '' },
  networks,
  lan,
  wan: [],
})
export const offered = {
  router: ['h1', 'h2', 'h3', 'h4'].map((name) => candidate(name)),
  app: [candidate('s1@qiming')],
}
export const open = (address: string, handlers = {}, user = {}) =>
  openPage(<NetworkEditPage />, address, { ...candidateApi(offered), ...handlers }, user)

const table = () => within(screen.getByRole('table', { name: '成员' }))
export const rows = () => table().getAllByRole('row').slice(1)
/** Chosen members of a role, as the table shows them. */
export const names = (role: string) =>
  rows()
    .filter((row) => within(row).getByRole<HTMLInputElement>('checkbox').checked)
    .filter((row) => within(row).queryByRole('button', { name: role, pressed: true }) !== null)
    .map((row) => row.dataset['row'])
export const find = () => screen.findByRole('checkbox', { name: '选择 h1' })
export const choose = (name: string) => userEvent.click(screen.getByRole('checkbox', { name: `选择 ${name}` }))
export const setRole = (name: string, role: string) =>
  userEvent.click(within(screen.getByRole('group', { name: `${name}的角色` })).getByRole('button', { name: role }))
export const sum = () => screen.getByText(/^已选/, { selector: 'p > span' }).parentElement?.textContent
