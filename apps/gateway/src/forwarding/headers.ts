type Headers = Record<string, string | string[]>;
type AnyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Meant for one connection only (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** What the gateway says itself, so nobody else may; and what must not travel further, like the key. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  'authorization',
  'cookie',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-internal-token',
  'x-request-id',
  // Continued from what this process did for the request.
  'traceparent',
  'tracestate',
]);

const NOT_RETURNED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'x-request-id',
  'x-internal-token',
  'set-cookie',
]);

const NOTHING: ReadonlySet<string> = new Set();

function namedByConnection(connection: string | string[] | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close')
    return NOTHING;
  const names = [connection].flat().join(',').split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

function filtered(headers: AnyHeaders, isDropped: (name: string) => boolean): Headers {
  const named = namedByConnection(headers.connection);
  const kept: Headers = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !isDropped(name) && !named.has(name)) kept[name] = value;
  }
  return kept;
}

/** The client's headers that a service may see. */
export const requestHeaders = (headers: AnyHeaders): Headers =>
  filtered(headers, (name) => NOT_FORWARDED.has(name) || name.startsWith('x-forwarded-'));

/** A service's headers that the client may see. */
export const responseHeaders = (headers: AnyHeaders): Headers =>
  filtered(headers, (name) => NOT_RETURNED.has(name));
