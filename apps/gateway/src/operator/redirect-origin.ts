import { UsageError } from '@bascule/operator-commands';

const MAX_LENGTH = 255;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const isOrigin = ({ username, password, pathname, search, hash, hostname }: URL): boolean =>
  username + password + search + hash === '' && pathname === '/' && !hostname.includes('*');

/**
 * Parses `https://host[:port]`; on a development deployment also `http` of this machine.
 * @throws UsageError
 */
export function redirectOrigin(text: string, isDevelopment: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && text.length <= MAX_LENGTH && isOrigin(url);
  const isLocal = isDevelopment && url?.protocol === 'http:' && LOOPBACK.includes(url.hostname);
  if (!isPlain || !(url.protocol === 'https:' || isLocal)) {
    throw new UsageError(`--origin must be https://host[:port], got ${text}`);
  }
  return url.origin;
}
