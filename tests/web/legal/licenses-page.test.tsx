import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { LicensesPage } from '#pages/legal/licenses-page.tsx'

it('names what the build found in the bundle, with each licence, and TradingView as its notice asks', async () => {
  const entries = [
    { name: 'react', version: '18.3.1', license: 'MIT', home: 'https://react.dev/', text: 'Permission is granted' },
    { name: 'lightweight-charts', version: '5.2.1', license: 'Apache-2.0', home: 'https://x.example/', text: null },
  ]
  vi.stubGlobal('fetch', async () => Response.json(entries))
  render(<LicensesPage />)
  expect((await screen.findByRole('link', { name: 'react' })).getAttribute('href')).toBe('https://react.dev/')
  expect(screen.getByText('Permission is granted').lang).toBe('en')
  for (const name of ['TradingView Lightweight Charts™', 'lightweight-charts'])
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('https://www.tradingview.com/')
})
