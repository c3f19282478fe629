import { buildConnector } from 'undici';
import {
  type DestinationPolicyAdapter,
  ForbiddenAddressError,
} from './destination-policy.adapter.js';

/**
 * Opens sockets to permitted addresses only. Literal addresses are checked here, names by the lookup of the socket,
 * and the peer of the open socket is checked again.
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

/** Adds the brackets of IPv6 in URLs, which undici removes. */
const bracketed = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
