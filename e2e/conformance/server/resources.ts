import { ProtocolError } from '../../../packages/server/src/gateway/index.ts'
import type { ResourceSet } from '../../../packages/server/src/gateway/index.ts'
import { pixel } from './samples.ts'

const templated = /^test:\/\/template\/([^/]+)\/data$/

export const suiteResources: ResourceSet = {
  list: () => [
    { uri: 'test://static-text', name: 'static-text', description: 'A text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'static-binary', description: 'An image', mimeType: 'image/png' },
    { uri: 'test://watched-resource', name: 'watched', description: 'A text to watch', mimeType: 'text/plain' },
  ],
  templates: () => [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'Data of an id',
      mimeType: 'application/json',
    },
  ],
  read: async (uri) => {
    const id = templated.exec(uri)?.[1]
    if (id !== undefined) {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: 'application/json', text }] }
    }
    switch (uri) {
      case 'test://static-text':
        return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
      case 'test://static-binary':
        return { contents: [{ uri, mimeType: 'image/png', blob: pixel }] }
      case 'test://watched-resource':
        return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched' }] }
      default:
        throw new ProtocolError('resource-not-found', 'Resource not found', { data: { uri } })
    }
  },
}
