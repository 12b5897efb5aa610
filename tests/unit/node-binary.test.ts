import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Machine, chooseNode } from '#infra/node-binary.mjs'

const MAC: Machine = {
  locked: null,
  own: '/usr/local/bin/node',
  version: 'v18.20.4',
  platform: 'darwin',
  arch: 'arm64',
}

describe('Node that runs the scripts', () => {
  it('is the one of the lock file, however new the caller’s is', () => {
    const machine = { ...MAC, locked: '/app/node_modules/.bin/node', version: 'v26.1.0' }
    expect(chooseNode(machine, 24)).toEqual({ path: '/app/node_modules/.bin/node' })
  })

  it('is the caller’s where none is locked and it is new enough', () => {
    expect(chooseNode({ ...MAC, version: 'v24.0.0' }, 24)).toEqual({ path: MAC.own })
    expect(chooseNode({ ...MAC, version: 'v26.1.0' }, 24)).toEqual({ path: MAC.own })
  })

  it('is missing on another platform, and the message says what to install', () => {
    expect(chooseNode(MAC, 24)).toEqual({
      problem:
        'npm has no locked Node 24 for darwin arm64: install Node 24 or newer from https://nodejs.org and run this again. This is Node v18.20.4.',
    })
  })

  it.each(['x64', 'arm64'])('that is locked for linux %s and not there asks for a new installation', (arch) => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>
    }
    expect(optionalDependencies).toHaveProperty(`node-linux-${arch}`)
    expect(chooseNode({ ...MAC, platform: 'linux', arch }, 24)).toEqual({
      problem:
        'Node 24 was not installed with the other packages: delete node_modules and run this again. This is Node v18.20.4.',
    })
  })
})
