/** Address of a contact, and the account columns that store it. */
export interface Contact {
  readonly target: string
  readonly columns: { readonly areaCode?: string; readonly phone?: string; readonly email?: string }
}

/** '+86 13800000000' or '13800000000' (mainland), or an e-mail address in any case. */
export function readContact(kind: 'phone' | 'email', text: string): Contact {
  if (kind === 'email') {
    const email = text.trim().toLowerCase()
    return { target: email, columns: { email } }
  }
  const [, areaCode = '86', phone = text.trim()] = /^\+([1-9]\d{0,3}) (\d+)$/.exec(text.trim()) ?? []
  return { target: `+${areaCode} ${phone}`, columns: { areaCode, phone } }
}
