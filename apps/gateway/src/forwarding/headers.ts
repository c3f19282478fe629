type Headers = Record<string, string | string[]>;
type AnyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
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

/** Request headers to drop: hop-by-hop, credentials, and those that only the gateway may set. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  'authorization',
  'cookie',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-visitor',
  'x-internal-token',
  'x-request-id',
  // Replaced by the trace of this process.
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

/** Filters the client's headers for a service. */
export const requestHeaders = (headers: AnyHeaders): Headers =>
  filtered(headers, (name) => NOT_FORWARDED.has(name) || name.startsWith('x-forwarded-'));

/** Filters a service's headers for the client. */
export const responseHeaders = (headers: AnyHeaders): Headers =>
  filtered(headers, (name) => NOT_RETURNED.has(name));
