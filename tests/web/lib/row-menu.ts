import { screen, type within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

type Row = ReturnType<typeof within>

export const menuOf = (row: Row) => row.getByRole('button', { name: /的更多操作$/ })

/** An action behind ⋯ of a row. */
export async function findAction(row: Row, label: string): Promise<HTMLElement> {
  await userEvent.click(menuOf(row))
  return screen.findByRole('menuitem', { name: new RegExp(`^${label}`) })
}

export async function chooseAction(row: Row, label: string): Promise<void> {
  await userEvent.click(await findAction(row, label))
}
