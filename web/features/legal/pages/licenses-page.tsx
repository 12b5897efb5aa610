import styles from './legal.module.css'

/** Third-party libraries in the bundle whose licences require attribution. */
const COMPONENTS = [
  ['React', 'MIT', 'Copyright (c) Facebook, Inc. and its affiliates.', 'https://react.dev/'],
  ['React Router', 'MIT', 'Copyright (c) React Training LLC, Remix Software Inc.', 'https://reactrouter.com/'],
  ['React Hook Form', 'MIT', 'Copyright (c) Beier (Bill) Luo', 'https://react-hook-form.com/'],
  ['SWR', 'MIT', 'Copyright (c) Vercel, Inc.', 'https://swr.vercel.app/'],
  ['Zod', 'MIT', 'Copyright (c) Colin McDonnell', 'https://zod.dev/'],
  ['Semi Design', 'MIT', 'Copyright (c) DouyinFE', 'https://semi.design/'],
  ['date-fns', 'MIT', 'Copyright (c) Sasha Koss and Lesha Koss', 'https://date-fns.org/'],
  ['Lodash', 'MIT', 'Copyright OpenJS Foundation and other contributors', 'https://lodash.com/'],
  ['AntV X6', 'MIT', 'Copyright (c) Alipay.inc', 'https://x6.antv.antgroup.com/'],
  [
    'TradingView Lightweight Charts™',
    'Apache-2.0',
    'Copyright (c) TradingView, Inc.',
    'https://www.tradingview.com/', // the URL that their NOTICE file requires
  ],
] as const

/** Attribution here replaces the logo that Lightweight Charts would otherwise require in every chart. */
export function LicensesPage() {
  return (
    <article className={styles.article}>
      <h1>开源声明</h1>
      <p>本控制台使用了以下开源软件，感谢它们的作者。各软件的版权归其作者所有，并按各自的许可证使用。</p>
      <dl className={styles.licenses}>
        {COMPONENTS.map(([name, license, copyright, home]) => (
          <div key={name}>
            <dt>
              <a href={home} target="_blank" rel="noopener noreferrer">
                {name}
              </a>
            </dt>
            <dd>
              {license} · {copyright}
            </dd>
          </div>
        ))}
      </dl>
      <h2>MIT License</h2>
      <p lang="en">
        Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
        documentation files (the "Software"), to deal in the Software without restriction, including without limitation
        the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
        to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above
        copyright notice and this permission notice shall be included in all copies or substantial portions of the
        Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
        LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT
        SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION
        OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
        DEALINGS IN THE SOFTWARE.
      </p>
      <h2>Apache License 2.0</h2>
      <p>
        <a href="https://www.apache.org/licenses/LICENSE-2.0" target="_blank" rel="noopener noreferrer">
          https://www.apache.org/licenses/LICENSE-2.0
        </a>
      </p>
    </article>
  )
}
