/** Sign-in call that the form is for (account 2). */
export type LoginMode = 'account' | 'ram'

interface LastSignIn {
  readonly mode: LoginMode
  readonly username: string
}

const KEY = 'netloom.last-sign-in'

/** The name that was last signed in with on this device, for the form; never anything secret. */
export function lastSignIn(): LastSignIn {
  try {
    const [, mode = 'account', username = ''] = /^(account|ram) (.+)$/.exec(localStorage.getItem(KEY) ?? '') ?? []
    return { mode: mode === 'ram' ? 'ram' : 'account', username }
  } catch {
    return { mode: 'account', username: '' }
  }
}

export function keepSignIn({ mode, username }: LastSignIn): void {
  try {
    localStorage.setItem(KEY, `${mode} ${username}`)
  } catch {
    // storage blocked: typed again the next time
  }
}
