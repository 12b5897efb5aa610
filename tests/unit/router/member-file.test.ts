import { describe, expect, it } from 'vitest'
import { toMessage } from '#contract/kernel/errors.ts'
import { parseMemberFile } from '#domain/router/member-file.ts'
import { ADD_TEMPLATE } from '#domain/router/member-file-columns.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// Cells of member files: header, rules of the template, swapped columns, codes. Their containers: tests/unit/workbook.

type Rows = readonly (readonly string[])[]
const HEADER = ['账号', '密码', '国家代码', '手机号码', '备注']
const LI = ['li.na', 'Zhongguo88', '', '13800000001', '财务']

/** Rows of cells whose value is what they show. */
const cellsOf = (rows: Rows) => rows.map((row) => row.map((text) => ({ shown: text, value: text })))
const parse = (rows: Rows, needed: Parameters<typeof parseMemberFile>[1] = ['account', 'password']) =>
  parseMemberFile(cellsOf(rows), needed)

function members(rows: Rows, needed?: Parameters<typeof parseMemberFile>[1]) {
  const parsed = parse(rows, needed)
  return 'key' in parsed
    ? toMessage(parsed)
    : parsed.map(({ row, account, password, areaCode, phone, note }) => [row, account, password, areaCode, phone, note])
}

describe('the header', () => {
  it('is the first of five rows that has the columns, below titles and blank rows', async () => {
    const offenders = await findOffenders<readonly [string, Rows]>([
      ['at the top', []],
      ['below a title', [['2026年软件成员']]],
      ['below a title and a blank row', [['2026年软件成员'], []]],
      ['fifth', [['启明公司'], ['软件成员'], ['制表人', '李娜'], ['日期', '2026-02-01']]],
      ['below a row with one title of ours', [['账号', '请填写']]],
    ])((_, above) => {
      expect(members([...above, HEADER, LI])).toEqual([
        [above.length + 2, 'li.na', 'Zhongguo88', '86', '13800000001', '财务'],
      ])
    })
    expect(offenders).toEqual([])
    expect(members([['a'], ['b'], ['c'], ['d'], ['e'], HEADER, LI])).toContain('前5行中的表头缺少“账号”“密码”列')
  })

  it('knows its columns by other words, marks and letters', async () => {
    const offenders = await findOffenders([
      ['账号（必填）', '密码（必填）', '国家代码', '手机号', '备注（选填）'],
      ['*账号', '*密码', '区号', '手机', '说明'],
      ['账 号：', '密 码：', '国家/地区代码', '联系电话', '备注信息'],
      ['用户名', '登录密码', '国际区号', '电话', '备注'],
      ['帐号', '初始密码', '国家码', '手机/电话', '备 注'],
      ['Router_Name', 'PASSWORD', 'area_number', 'Phone', 'Note'],
      ['username', 'Password', 'Area Code', 'Mobile', 'Remark'],
      ['账号(3-18位)', '密码[6-18位]', '国家代码【如86】', '手机号码《不重复》', '备注(20字以内)'],
      ['\u202d账号\u202c', '密码\u200b', '国家代码', '手机号码', '备注'],
      ['【账号】', '【密码】', '【区号】', '【手机】', '【备注】'],
      ['账号必填', '密码必填', '国家代码选填', '手机号码选填', '备注选填'],
    ])((...header) => {
      expect(members([header, ['li.na', 'Zhongguo88', '852', '51234567', '财务']])).toEqual([
        [2, 'li.na', 'Zhongguo88', '852', '51234567', '财务'],
      ])
    })
    expect(offenders).toEqual([])
  })

  it('may have its columns in any order', () => {
    expect(
      members([
        ['手机号码', '', '密码', '账号'],
        ['13800000001', '', 'Zhongguo88', 'li.na'],
      ]),
    ).toEqual([[2, 'li.na', 'Zhongguo88', '86', '13800000001', '']])
  })

  it('a refusal names the column', async () => {
    const offenders = await findOffenders<readonly [readonly string[], string]>([
      [['姓名', '部门'], '前5行中的表头缺少“账号”“密码”列，请按模板修改表头后再上传'],
      [['账号', '备注'], '前5行中的表头缺少“密码”列，请按模板修改表头后再上传'],
      [['账号', '口令'], '前5行中的表头缺少“密码”列，无法识别B列的“口令”，请按模板修改表头后再上传'],
      [['账号', '密码', '', '部门'], 'D列的表头“部门”不是模板中的列，请改名或删除该列后再上传'],
      [['账号', '密码', '手机', '电话'], 'C列“手机”和D列“电话”是同一列，请只保留一列后再上传'],
      [['账号', '密码', '密码'], 'B列“密码”和C列“密码”是同一列，请只保留一列后再上传'],
    ])((header, sentence) => {
      expect(members([header, ['li.na', 'Zhongguo88']])).toBe(sentence)
    })
    expect(offenders).toEqual([])
  })
})

describe('the rules of the template', () => {
  const rules = ADD_TEMPLATE.map(({ rule = '' }) => rule)
  it('stand below its header and are skipped', () => {
    expect(rules.every((rule) => rule !== '')).toBe(true)
    expect(members([HEADER, rules, LI])).toEqual([[3, 'li.na', 'Zhongguo88', '86', '13800000001', '财务']])
    expect(members([['名单'], HEADER, rules, [], LI])).toEqual([
      [5, 'li.na', 'Zhongguo88', '86', '13800000001', '财务'],
    ])
    expect(members([HEADER, rules])).toBe('文件中没有成员，请按模板填写后再上传')
  })
  it('in part, or of an older template, are skipped as well', () => {
    expect(members([HEADER, ['必填', '必填，6位', '', '选填'], LI])).toHaveLength(1)
  })
  it('below another title refuse the file', () => {
    const swapped = ['密码', '账号', '国家代码', '手机号码', '备注']
    expect(members([swapped, rules, ['Weilai26', 'lina88']])).toBe('“账号”列和“密码”列的内容可能填反了，请核对后再上传')
  })
})

describe('columns that were swapped', () => {
  it('are refused and named', async () => {
    const offenders = await findOffenders<readonly [string, string, Rows]>([
      [
        '账号',
        '密码',
        [
          ['Zhongguo88', 'li.na'],
          ['Weilai26', 'wang_li'],
        ],
      ],
      [
        '账号',
        '密码',
        [
          ['Zhongguo88', 'li.na'],
          ['Weilai26', 'wangli'],
          ['Beijing08', 'z.san'],
        ],
      ],
      ['账号', '手机号码', [['13800000001', 'Zhongguo88', '', 'li.na']]],
      [
        '账号',
        '备注',
        [
          ['财务', 'Zhongguo88', '', '', 'li.na'],
          ['研发', 'Weilai26', '', '', 'wang'],
        ],
      ],
      ['国家代码', '手机号码', [['li.na', 'Zhongguo88', '13800000001', '86']]],
      ['手机号码', '备注', [['li.na', 'Zhongguo88', '', '财务', '13800000001']]],
      ['密码', '备注', [['li.na', '财务', '', '', 'Zhongguo88']]],
    ])((first, second, rows) => {
      expect(members([HEADER, ...rows])).toBe(`“${first}”列和“${second}”列的内容可能填反了，请核对后再上传`)
    })
    expect(offenders).toEqual([])
  })
  it('cells that are merely wrong are left to their rows', async () => {
    const offenders = await findOffenders([
      ['王', 'Weilai26'],
      ['abcdef', 'Weilai_26'],
      ['li.na', '12345'],
      ['li.na', 'Zhongguo88', '86', '12800000000'],
      ['li.na', 'Zhongguo88', '', '无', '财务'],
      ['13800000001', 'Zhongguo88', '', '13800000001', '13800000002'],
    ])((...row) => {
      expect(members([HEADER, row])).toHaveLength(1)
    })
    expect(offenders).toEqual([])
    expect(members([HEADER, ['Zhongguo88', 'li.na'], LI, LI])).toHaveLength(3)
  })
  it('an exported file that names members to delete is taken', () => {
    const exported = [
      ['router_name', 'area_number', 'phone', 'note'],
      ['li.na@qiming', '86', '13800000001', 'caiwu1'],
    ]
    expect(members(exported, ['account'])).toHaveLength(1)
  })
})

describe('cells', () => {
  it('of codes come from their value, a note from what is shown', () => {
    const cells = [
      ...cellsOf([HEADER]),
      [
        { shown: '1.23E+05', value: '123456' },
        { shown: '8.88E+07', value: '88888801' },
        { shown: '852.00', value: '852' },
        { shown: '51,234,567', value: '51234567' },
        { shown: '2026年2月1日', value: '46054' },
      ],
    ]
    expect(parseMemberFile(cells, ['account', 'password'])).toEqual([
      { row: 2, account: '123456', password: '88888801', areaCode: '852', phone: '51234567', note: '2026年2月1日' },
    ])
  })
  it('of codes are cleaned as everywhere', async () => {
    const offenders = await findOffenders<readonly [readonly string[], readonly string[]]>([
      [
        ['ｌｉ．ｎａ', 'Ｚhongguo88', '＋８５２', '５１２３４５６７'],
        ['li.na', 'Zhongguo88', '852', '51234567'],
      ],
      [
        ['\u202dli.na\u202c', 'Zhongguo88\u200b', '', '\u202d13800000001\u202c'],
        ['li.na', 'Zhongguo88', '86', '13800000001'],
      ],
      [
        ['li.na', 'Zhongguo88', '', '138–0000–0001'],
        ['li.na', 'Zhongguo88', '86', '13800000001'],
      ],
      [
        ['li.na', 'Zhongguo88', '86', '+86 138 0000 0001'],
        ['li.na', 'Zhongguo88', '86', '13800000001'],
      ],
      [
        ['li.na', 'Zhongguo88', '0086', '008613800000001'],
        ['li.na', 'Zhongguo88', '86', '13800000001'],
      ],
      [
        ['li.na', 'Zhongguo88', '44', '07911 123456'],
        ['li.na', 'Zhongguo88', '44', '7911123456'],
      ],
    ])((typed, expected) => {
      expect(members([HEADER, typed])).toEqual([[2, ...expected, '']])
    })
    expect(offenders).toEqual([])
  })
  it('a phone with its dial code fills the empty cell of the code; another code than the cell’s is kept for the refusal', () => {
    expect(members([HEADER, ['li.na', 'Zhongguo88', '', '+852 5123 4567']])).toEqual([
      [2, 'li.na', 'Zhongguo88', '852', '51234567', ''],
    ])
    expect(members([HEADER, ['li.na', 'Zhongguo88', '86', '+852 5123 4567']])).toEqual([
      [2, 'li.na', 'Zhongguo88', '86', '+85251234567', ''],
    ])
  })
})
