import { EMAIL_MAX } from '#contract/kernel/limits.ts'

/**
 * An ASCII mailbox as SMTP wants it between < and >: dot-atom, public-looking domain, no quotes, comments or spaces. What a
 * server reads as a second command or recipient is none.
 */
export const isMailbox = (text: string): boolean =>
  text.length <= EMAIL_MAX &&
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(
    text,
  )
