/** Credentials that the fakes know; nothing else accepts them. */
export const FAKE_KEYS = {
  ALIYUN_ACCESS_KEY_ID: 'LTAI5tFakeKeyForTests',
  ALIYUN_ACCESS_KEY_SECRET: 'fake-aliyun-secret-for-tests',
  TENCENT_SECRET_ID: 'AKIDFakeForTests',
  TENCENT_SECRET_KEY: 'fake-tencent-secret-for-tests',
  TENCENT_SMS_APP_ID: '1400006666',
  SMTP_USERNAME: 'mailer@netloom.test',
  SMTP_PASSWORD: 'fake-smtp-password',
} as const

/** A robot whose key begins with `signed` checks the signature of this secret, one with `keyword` its keyword, one with `gone` was removed. */
export const ROBOT_SECRET = 'SECfakefakefakefakefakefakefakefake'
export const ROBOT_KEYWORD = '告警'

/** Signature of each host, and the first digit of its templates; `*` is for those that are not listed. */
const SIGNS = {
  'console.netloom.cn': ['织联', 1],
  'xingqiao.netloom.cn': ['星桥云', 2],
  'qianfan.netloom.cn': ['千帆通', 3],
  'lantu.netloom.cn': ['蓝途', 4],
} as const

/** Templates of a host as its operator has registered them with the vendor. */
const templatesOf = (digit: number) => ({
  code: `SMS_${digit}001`,
  code_abroad: `SMS_${digit}002`,
  notice: `SMS_${digit}008`,
  notice_abroad: `SMS_${digit}009`,
})

/** The only variable of a template; of others than these nothing is known. */
export const templateVariable = (template: string): 'code' | 'title' | null =>
  /^SMS_\d00[1-3]$/.test(template) ? 'code' : /^SMS_\d00[89]$/.test(template) ? 'title' : null

const hosts = Object.entries(SIGNS).map(([host, [sign, digit]]) => [host, { sign, ...templatesOf(digit) }] as const)

export const FAKE_SENDERS = {
  MAIL_SENDERS: JSON.stringify({
    'console.netloom.cn': 'no-reply@netloom.cn',
    'xingqiao.netloom.cn': 'no-reply@xingqiao.netloom.cn',
    'qianfan.netloom.cn': 'no-reply@qianfan.netloom.cn',
    'lantu.netloom.cn': 'no-reply@lantu.netloom.cn',
    '*': 'no-reply@mail.netloom.cn',
  }),
  SMS_SENDERS: JSON.stringify({
    ...Object.fromEntries(hosts),
    'console.netloom.cn': { sign: '织联', ...templatesOf(1), find_password: 'SMS_1003' },
    '*': { sign: '组网通知', code: 'SMS_9001', code_abroad: 'SMS_9002' },
  }),
} as const
