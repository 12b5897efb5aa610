import { openapiDocument } from '../worker/features/openapi/document.ts'

process.stdout.on('error', () => process.exit(0)) // a reader that has seen enough
process.stdout.write(`${JSON.stringify(openapiDocument(), null, 2)}\n`)
