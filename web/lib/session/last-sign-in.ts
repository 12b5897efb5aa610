import { readStored, writeStored } from './browser-storage.ts'

/* Name and kind of the last sign-in or registration on this device; never anything secret. */

export type LoginMode = 'account' | 'ram'

interface LastSignIn {
  readonly mode: LoginMode
  readonly username: string
}

const KEY = 'netloom.last-sign-in'

export function lastSignIn(): LastSignIn {
  const [, mode = 'account', username = ''] = /^(account|ram) (.+)$/.exec(readStored('localStorage', KEY) ?? '') ?? []
  return { mode: mode === 'ram' ? 'ram' : 'account', username }
}

export const keepSignIn = ({ mode, username }: LastSignIn): void =>
  void writeStored('localStorage', KEY, `${mode} ${username}`)
