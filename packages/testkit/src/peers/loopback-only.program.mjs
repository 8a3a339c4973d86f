// Loaded with `node --import` before a peer that would listen on every interface: it listens on 127.0.0.1 instead.
import { Server } from 'node:net'

const listen = Server.prototype.listen

Server.prototype.listen = function listenOnLoopback(...args) {
  const [first, second] = args
  if (typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))) {
    const rest = typeof second === 'string' ? args.slice(2) : args.slice(1)
    return listen.call(this, { port: Number(first), host: '127.0.0.1' }, ...rest.filter((a) => typeof a === 'function'))
  }
  if (typeof first === 'object' && first !== null && 'port' in first) {
    return listen.call(this, { ...first, host: '127.0.0.1' }, ...args.slice(1))
  }
  return listen.apply(this, args)
}
