/** '+86 138****0000': recognisable for its owner. */
export function maskPhone(areaCode: string, phone: string | null): string {
  if (!phone) return ''
  const [head, tail] = phone.length >= 9 ? [3, 4] : [1, 2]
  return `+${areaCode} ${phone.slice(0, head)}****${phone.slice(-tail)}`
}

/** 'z***@q***.com': the domain is masked too, because a company domain identifies its owner. */
export function maskEmail(email: string | null): string {
  const [, local = '', domain = ''] = /^(.)[^@]*@(.*)$/.exec(email ?? '') ?? []
  if (!local) return ''
  return `${local}***@${domain.slice(0, 1)}***${domain.slice(domain.lastIndexOf('.'))}`
}
