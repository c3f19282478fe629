import { buildConnector } from 'undici';
import {
  type DestinationPolicyAdapter,
  ForbiddenAddressError,
} from './destination-policy.adapter.js';

/**
 * Opens sockets to permitted addresses only: literal ones are judged here, names by the look-up of the socket itself, and
 * whatever came of it once more by the peer that the socket has.
 */
export function guardedConnector(
  policy: DestinationPolicyAdapter,
  options: { timeoutMs: number },
): buildConnector.connector {
  const connect = buildConnector({
    lookup: policy.lookup,
    allowH2: false,
    timeout: options.timeoutMs,
  });
  return (target, callback) => {
    const host = bracketed(target.hostname);
    try {
      policy.checkHost(host);
    } catch (error) {
      callback(error instanceof Error ? error : new ForbiddenAddressError(host), null);
      return;
    }
    connect({ ...target, socketPath: null }, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (policy.permits(host, socket.remoteAddress ?? '')) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new ForbiddenAddressError(host), null);
      }
    });
  };
}

/** As URLs write it; undici hands IPv6 over without its brackets. */
const bracketed = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
