/** Site messages about contacts. */
interface Named {
  readonly name: string
  readonly email: string
}

export function expiryMessage({ name, email }: Named, days: number, isPast: boolean) {
  const who = `联系人“${name}”（${email}）的授权`
  const renew = '请在“用户中心-联系人”中更新授权。'
  return isPast
    ? { title: `联系人“${name}”的授权已过期`, content: `${who}已过期，不再向其发送告警通知。如需继续，${renew}` }
    : {
        title: `联系人“${name}”的授权即将到期`,
        content: `${who}将在${days}天内到期，到期后不再向其发送告警通知。如需继续，${renew}`,
      }
}

export const unsubscribedMessage = ({ name, email }: Named) => ({
  title: `联系人“${name}”已退订`,
  content: `联系人“${name}”（${email}）通过邮件中的链接退订了告警通知，不再向其发送。如需恢复，请与其确认后在“用户中心-联系人”中重新发送验证邮件。`,
})
