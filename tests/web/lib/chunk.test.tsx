import { act, render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Chunk, createChunk } from '#lib/bundle/chunk.ts'

interface Part {
  readonly text: string
}

function Shown({ chunk }: { readonly chunk: Chunk<Part> }) {
  return <p>{chunk.useModule()?.text ?? 'loading'}</p>
}

class Boundary extends Component<{ readonly children: ReactNode }> {
  override state = { message: '' }
  static getDerivedStateFromError = ({ message }: Error) => ({ message })
  override render = () => (this.state.message === '' ? this.props.children : <p>{this.state.message}</p>)
}

const show = (chunk: Chunk<Part>) =>
  render(
    <Boundary>
      <Shown chunk={chunk} />
    </Boundary>,
  )

afterEach(() => void vi.restoreAllMocks())

describe('a part of a page in a chunk of its own', () => {
  it('is there at the first render where the chunk has arrived', async () => {
    const chunk = createChunk(() => Promise.resolve({ text: 'the part' }))
    await chunk.load()
    show(chunk)
    expect(screen.getByText('the part')).toBeTruthy()
  })

  it('is imported once, by whoever asks first, and follows as soon as it has arrived', async () => {
    let resolvePart: (part: Part) => void = () => {}
    const load = vi.fn<() => Promise<Part>>(() => new Promise((resolve) => (resolvePart = resolve)))
    const chunk = createChunk(load)
    void chunk.load()
    show(chunk)
    expect(screen.getByText('loading')).toBeTruthy()
    await act(async () => resolvePart({ text: 'the part' }))
    expect(screen.getByText('the part')).toBeTruthy()
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('reaches the error boundary when it fails, and is asked for again by the next who shows it', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const quiet = (event: Event) => event.preventDefault()
    addEventListener('error', quiet)
    const load = vi.fn<() => Promise<Part>>(() => Promise.resolve({ text: 'the part' }))
    load.mockRejectedValueOnce(new Error('gone'))
    const chunk = createChunk(load)
    const failed = show(chunk)
    await screen.findByText('gone')
    removeEventListener('error', quiet)
    failed.unmount()
    show(chunk)
    await screen.findByText('the part')
  })
})
