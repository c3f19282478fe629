import { UsageError } from '@bascule/operator-commands';
import { browserOrigin } from './browser-origin.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Parses `https://host[:port]`; on a development deployment also `http` of this machine.
 * @throws UsageError
 */
export function redirectOrigin(text: string, isDevelopment: boolean): string {
  const url = browserOrigin(text);
  const isLocal = isDevelopment && LOOPBACK.includes(url?.hostname ?? '');
  if (url === null || !(url.protocol === 'https:' || isLocal)) {
    throw new UsageError(`--origin must be https://host[:port], got ${text}`);
  }
  return url.origin;
}
