/** Where a state or a behaviour of document 1 is proven on the server: section, what, file in tests/, its title there. */
export type Proof = readonly [section: string, what: string, file: string, title: string]

export const PROOFS: readonly Proof[] = [
  [
    'account 4',
    'a token link signs in once, for an hour',
    'api/login/token-link.test.ts',
    'lives an hour, which a refresh does not prolong',
  ],
  [
    'account 4',
    'a token link that fails',
    'api/login/token-link.test.ts',
    'refuses a link that is too old, one made up, and one of a disabled account',
  ],
  [
    'account 4',
    'a failed sign-in spends the captcha',
    'api/login/sign-in.test.ts',
    'is consumed by a wrong answer, which counts no attempt',
  ],
  [
    'account 4',
    'login mode 1 is the main account, any other a sub-account',
    'api/login/sign-in.test.ts',
    'refuses a main account, a name without suffix and a foreign suffix alike',
  ],
  [
    'account 4',
    'the token is refreshed, or the session over',
    'api/login/refresh.test.ts',
    'answers expired for an expired session',
  ],
  [
    'account 4',
    'a code can be asked for again after 59 seconds',
    'api/verify/register-code.test.ts',
    'allows one code in 59 seconds, with retry_after',
  ],
  [
    'account 4',
    'a code that was not sent frees the button',
    'api/verify/register-code.test.ts',
    'answers that sending failed, and allows an immediate retry',
  ],
  [
    'account 4',
    'a verification mail can be asked for again after 60 seconds',
    'api/contacts/verify.test.ts',
    'waits 60 seconds, and the row says how long',
  ],
  [
    'account 4',
    'wizards: step 1 only after step 0',
    'api/account/identity.test.ts',
    'one change: a second one, of any kind, needs another step',
  ],
  [
    'account 4',
    'wizards: the step is this session’s',
    'api/account/identity.test.ts',
    'nothing in another session of the same person',
  ],
  [
    'account 4',
    'forgot password: the steps in order',
    'api/verify/recovery.test.ts',
    'enforces the order of the steps',
  ],
  [
    'account 4',
    'forgot password: a failed look-up spends the image code',
    'api/verify/recovery.test.ts',
    'takes the captcha, and only one of its purpose',
  ],
  [
    'account 4',
    'a message is read when it is opened',
    'api/message/messages.test.ts',
    'opens a message: it is read by who opened it, in one round trip, and its consoles are notified once',
  ],
  [
    'account 4',
    'a contact is verified by its link',
    'api/contacts/verify.test.ts',
    'verifies for 180 days, and opening the link again answers the same and changes nothing',
  ],
  [
    'account 4',
    'authorization is renewed every 180 days',
    'api/contacts/verify.test.ts',
    'renews for 180 days from now, also after the authorization has expired',
  ],
  [
    'account 4',
    'monitoring is off or on',
    'api/monitor/monitor.test.ts',
    'starts and stops once each, with an audit row',
  ],
  [
    'account 4',
    'e-mail needs a bound one, webhook a configured one',
    'api/monitor/monitor.test.ts',
    'account 4 · e-mail needs a bound one, webhook a configured one',
  ],
  [
    'account 4',
    'registration opens an account that can sign in',
    'api/account/register.test.ts',
    'opens an account by phone that can sign in at once, in two round trips',
  ],
  ['account 5', 'profile: five fields, 12 characters, 100 days', 'api/account/profile.test.ts', 'account 5 · profile'],
  [
    'account 5',
    'an unverified e-mail gets nothing',
    'api/contacts/manage.test.ts',
    'account 5 · an unverified e-mail cannot receive messages',
  ],
  ['account 5', 'every other rule, to the letter', 'api/account/document-1.test.ts', 'account 5 · %s'],
  [
    'account 6',
    'reading and writing of contacts',
    'api/contacts/manage.test.ts',
    'account 6 · contacts are the account’s, written by main and by monitor:edit of an unlimited role',
  ],
  [
    'account 8',
    'phone binding: 401 makes the code field appear',
    'api/account/contact.test.ts',
    'account 8 · phone binding: 401 makes the code field appear',
  ],
  [
    'account 8',
    'a change of the password needs a contact',
    'api/account/identity.test.ts',
    'needs a bound phone or e-mail',
  ],
  [
    'account 8',
    '423 while something must be done first',
    'api/contacts/verify.test.ts',
    'answers 423 while the address is not verified',
  ],
  [
    'account 8',
    '204 for another tenant’s row as for a missing one',
    'api/contacts/manage.test.ts',
    'another tenant’s contact answers like a missing one and stays as it is',
  ],
  [
    'account 8',
    'a provider that is known to fail',
    'api/verify/provider.test.ts',
    'account 8 · a provider that is known to fail',
  ],
]

/** Sentences of sections 5 and 8 that a page says without the server; tests/web proves them. */
export const OF_PAGES: readonly string[] = [
  '获取数据异常，请稍候尝试',
  '系统响应超时,请稍候尝试',
  '复制成功',
  '是否取消工单?',
  '您确定要删除选中的 {n} 条消息吗？',
  '你确定删除全部消息吗',
  '好像没有什么东西哦！',
  '暂无数据',
  'Your browser does not support it socket',
  '选择的图片中包含不支持的格式',
  '图片大小不能超过 2MB!',
]

/** Those of tickets and of documents 2 and 3, which are built with them. */
export const OF_LATER: readonly string[] = [
  '标题不能为空',
  '概述不能为空',
  '问题类型不能为空',
  '回复内容不能为空',
  '评分不能为空',
  '导出成功',
  '工单提交成功，请耐心等待回复',
]
