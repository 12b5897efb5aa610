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

export const FAKE_SENDERS = {
  MAIL_SENDERS: JSON.stringify({
    'console.netloom.cn': 'no-reply@netloom.cn',
    'xingqiao.netloom.cn': 'no-reply@xingqiao.netloom.cn',
    '*': 'no-reply@mail.netloom.cn',
  }),
  SMS_SENDERS: JSON.stringify({
    'console.netloom.cn': { sign: '织联', code: 'SMS_1001', code_abroad: 'SMS_1002', find_password: 'SMS_1003' },
    'xingqiao.netloom.cn': { sign: '星桥云', code: 'SMS_2001', code_abroad: 'SMS_2002' },
    '*': { sign: '组网通知', code: 'SMS_9001', code_abroad: 'SMS_9002' },
  }),
} as const
