const NOW = Date.parse('2026-11-20T02:00:00Z')

const PLACE = {
  white_ip: '',
  notice: '未配置固定出口',
  auth_domain: 'console.netloom.cn',
  redirect_uri: 'https://console.netloom.cn/auth/callback',
}

const toSource = (id: number, type: 'wechat' | 'feishu' | 'dingtalk', name: string, status: 0 | 1) => ({
  id,
  type,
  name,
  app_id: 'ww0123456789',
  agent_id: type === 'wechat' ? '1000002' : '',
  corp_id: type === 'dingtalk' ? 'ding0123' : '',
  ...PLACE,
  own_domain: 0,
  file_name: '',
  status,
  create_time: NOW,
  update_time: NOW,
})

/** Replies of auth_source/* reads. */
export const AUTH_SOURCE_REPLIES = {
  'auth_source/code': {
    data: {
      code: 'K7Q2-9XTM',
      page: 'https://console.netloom.cn/c/K7Q2-9XTM',
      config: {
        type: ['wechat', 'feishu', 'dingtalk'],
        default: { wechat: PLACE, feishu: { ...PLACE, white_ip: '203.0.113.5', notice: '' }, dingtalk: PLACE },
      },
    },
  },
  'auth_source/lists': {
    data: [toSource(1, 'wechat', '启明企业微信', 1), toSource(2, 'dingtalk', '启明钉钉', 0)],
    count: 2,
    max: 20,
  },
}
