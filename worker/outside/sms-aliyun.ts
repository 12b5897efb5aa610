import type { SmsPort } from '../contract/outside.ts'
import { DIAL_CODE_DEFAULT } from '../contract/limits.ts'
import { callAliyun } from './aliyun.ts'
import type { Outbound } from './outbound.ts'
import { smsSender } from './senders.ts'

/** Alibaba Cloud SMS (Dysmsapi 2017-05-25): parameters in the query, an empty body. */
export function createAliyunSms(env: Env, outbound: Outbound): SmsPort {
  const call = (action: string, query: Readonly<Record<string, string>>) =>
    callAliyun({ env, outbound }, 'ALIYUN_SMS', { action, version: '2017-05-25', query })
  return {
    async sendCode(to, { code, purpose, host }) {
      const [dialCode = '', number = ''] = to.slice(1).split(' ')
      const { sign, template } = smsSender(env, host, purpose, dialCode)
      await call('SendSms', {
        PhoneNumbers: dialCode === DIAL_CODE_DEFAULT ? number : `${dialCode}${number}`,
        SignName: sign,
        TemplateCode: template,
        TemplateParam: JSON.stringify({ code }),
      })
    },
    check: () => call('QuerySmsSignList', { PageIndex: '1', PageSize: '1' }),
  }
}
