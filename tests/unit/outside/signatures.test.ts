import { describe, expect, it } from 'vitest'
import { signAliyun } from '#outside/aliyun.ts'
import { signTencent } from '#outside/sms-tencent.ts'
import { signDingtalk } from '#outside/webhook/dingtalk.ts'
import { signFeishu } from '#outside/webhook/feishu.ts'
import { signWebhook } from '#outside/webhook/standard.ts'

/** Signatures that the vendors publish with all their inputs. */
describe('published vectors', () => {
  it('Alibaba Cloud ACS3-HMAC-SHA256', async () => {
    const { path, headers, body } = await signAliyun(
      { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' },
      {
        host: 'ecs.cn-shanghai.aliyuncs.com',
        action: 'RunInstances',
        version: '2014-05-26',
        query: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
        date: '2023-10-26T10:22:32Z',
        nonce: '3156853299f313e23d1673dc12e1703d',
      },
    )
    expect(path).toBe('/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai')
    expect(headers['authorization']).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    )
    expect(body).toBe('')
  })

  it('Alibaba Cloud encodes by RFC 3986', async () => {
    const call = { host: 'h', action: 'a', version: 'v', date: 'd', nonce: 'n' }
    const { path } = await signAliyun({ id: 'i', secret: 's' }, { ...call, query: { b: "a b*!'()~+/中", a: '' } })
    expect(path).toBe('/?a=&b=a%20b%2A%21%27%28%29~%2B%2F%E4%B8%AD')
  })

  it('Tencent Cloud TC3-HMAC-SHA256', async () => {
    const headers = await signTencent(
      { id: 'AKID********************************', secret: '*'.repeat(32) },
      {
        host: 'cvm.tencentcloudapi.com',
        service: 'cvm',
        action: 'DescribeInstances',
        version: '2017-03-12',
        region: 'ap-guangzhou',
        body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
        atSeconds: 1551113065,
      },
    )
    expect(headers['authorization']).toBe(
      'TC3-HMAC-SHA256 Credential=AKID********************************/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
    )
  })

  it('DingTalk', async () => {
    expect(await signDingtalk('this is secret', 1577262236757)).toBe('hmPWwU+7lVdm3ZZz0r9tSfx0L4Q26jWOZr9+Gs6EZQM=')
  })

  it('Feishu', async () => {
    expect(await signFeishu('demo', 1599360473)).toBe('l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8=')
  })

  it('Standard Webhooks', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const sign = () => signWebhook(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')
    expect(await sign()).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it.each(['whsec_not base64', 'whsec_abcde', 'plain text', '密钥'])(
    'the secret %j is text, as it is typed',
    async (secret) => {
      expect(await signWebhook(secret, 'a', 1, '')).toMatch(/^v1,[\w+/]{43}=$/)
    },
  )
})
