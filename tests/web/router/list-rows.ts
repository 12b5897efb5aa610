import { screen, within } from '@testing-library/react'

/** The row of a list whose name holds the text. */
export const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))

/** Its states, in order. */
export const words = async (name: string) =>
  [...(await row(name)).getAllByText(/./, { selector: '.nl-status-word' })].map((w) => w.textContent)
