import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { member } from '../member.ts'
import { at, info, open, status } from '../open-network.tsx'

// A network of two centres, a point and a software member, and how its dialogs are filled.

export const twin = [
  member('c1', { role: 'center' }),
  member('c2', { role: 'center' }),
  member('p1'),
  member('s1', { type: 2 }),
]
export const openTwin = (over = {}, handlers = {}, user = {}, members = twin) =>
  open(
    {
      'network/info': info(members, { revisions: { dns: 3 }, ...over }),
      'network/status': status(members),
      ...handlers,
    },
    user,
    at('view=table'),
  )
export const save = async () => userEvent.click(screen.getByRole('button', { name: '保存' }))
export const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
export const fill = async (name: string, text: string) =>
  fireEvent.change(await field(name), { target: { value: text } })
export const choose = async (name: string, option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name }))
  const texts = await screen.findAllByText(option)
  fireEvent.click(texts.flatMap((text) => text.closest('[role="option"]') ?? []).at(-1)!)
}
export const ALL = { auth: { quagga: 1, quagga_advanced: 1, default_route: 1 } } as const
