import { EMAIL_MAX } from '#contract/kernel/limits.ts'

/**
 * True for an ASCII mailbox as in SMTP between < and >: dot-atom, public-looking domain, no quotes, comments or spaces.
 * The text can therefore not smuggle in a second command or recipient.
 */
export const isMailbox = (text: string): boolean =>
  text.length <= EMAIL_MAX &&
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(
    text,
  )
