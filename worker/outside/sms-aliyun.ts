import type { SmsPort } from '#contract/kernel/outside.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { callAliyun } from './aliyun.ts'
import type { Outbound } from './outbound.ts'
import { hasNoticeTemplate, smsSender, toDialCode } from './senders.ts'

/** SMS by Alibaba Cloud (Dysmsapi 2017-05-25). Parameters are in the query, the body is empty. */
export function createAliyunSms(env: Env, outbound: Outbound): SmsPort {
  const call = (action: string, query: Readonly<Record<string, string>>) =>
    callAliyun({ env, outbound }, 'ALIYUN_SMS', { action, version: '2017-05-25', query })
  const send = async (to: string, host: string, purpose: Parameters<typeof smsSender>[2], params: object) => {
    const [dialCode, number = ''] = [toDialCode(to), to.split(' ')[1]]
    const { sign, template } = smsSender(env, host, purpose, dialCode)
    await call('SendSms', {
      PhoneNumbers: dialCode === DIAL_CODE_DEFAULT ? number : `${dialCode}${number}`,
      SignName: sign,
      TemplateCode: template,
      TemplateParam: JSON.stringify(params),
    })
  }
  return {
    sendCode: (to, { code, purpose, host }) => send(to, host, purpose, { code }),
    hasNotice: async (to, host) => hasNoticeTemplate(env, host, toDialCode(to)),
    sendNotice: (to, { title, host }) => send(to, host, 'notice', { title }),
    check: () => call('QuerySmsSignList', { PageIndex: '1', PageSize: '1' }),
  }
}
