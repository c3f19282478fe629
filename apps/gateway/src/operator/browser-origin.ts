const MAX_LENGTH = 255;

const isOrigin = ({ username, password, pathname, search, hash, hostname }: URL): boolean =>
  username + password + search + hash === '' && pathname === '/' && !hostname.includes('*');

/** Parses `http(s)://host[:port]`; null for anything else, also for an address with a path. */
export function browserOrigin(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && text.length <= MAX_LENGTH && isOrigin(url);
  return isPlain && ['http:', 'https:'].includes(url.protocol) ? url : null;
}
