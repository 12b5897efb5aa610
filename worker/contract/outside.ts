/** Ports to external services; the adapters are in worker/outside/. */
export interface Outside {
  readonly sms: SmsPort
  readonly mail: MailPort
  /** Costs what a delivery costs and reaches nobody: a name that nobody has must not be recognised by what it spares us. */
  readonly sendNothing: () => Promise<void>
  /** Keeps captcha texts where people and tests can read them; does nothing outside ENVIRONMENT=local. */
  readonly captchaLog: (uniqid: string, code: string) => Promise<void>
}

export interface SmsPort {
  /** @param to '+86 13800000000'. Throws when the provider refuses. */
  sendCode(to: string, code: string, uniqid: string): Promise<void>
  /** What happened to the security of the account; a provider fills a template of its own with it. */
  sendNotice(to: string, text: string): Promise<void>
}

export interface MailPort {
  /** @param text plain text. Throws when the server refuses. */
  send(to: string, subject: string, text: string, extra?: { code?: string; uniqid?: string }): Promise<void>
}
