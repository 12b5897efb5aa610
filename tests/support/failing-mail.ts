import type { Outside } from '#contract/kernel/outside.ts'
import { createOutside } from '#outside/adapters.ts'

/** The local outbox behind a mail server that refuses while it is down. */
export const mailThat =
  (isDown: () => boolean) =>
  (env: Env): Outside => {
    const local = createOutside(env)
    return {
      ...local,
      mail: {
        ...local.mail,
        send: (...mail) => (isDown() ? Promise.reject(new Error('451 mail server is down')) : local.mail.send(...mail)),
      },
    }
  }
